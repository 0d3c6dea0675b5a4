/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* White Gaussian noise as a function of seed and sample index: no state, any part can be made
 * alone, and every CPU makes the same. Tails reach 5.8 sigma. Box and Muller's transform (1958) of a
 * counter hashed with the finaliser of MurmurHash3 (A. Appleby, public domain). */
#ifndef GN_SIM_NOISE_H
#define GN_SIM_NOISE_H

#include <stddef.h>
#include <stdint.h>

struct gn_noise {
    uint64_t seed;
    float sigma; /* of each component */
};

void gn_noise_init(struct gn_noise *noise, uint64_t seed, double sigma);

/* re, im[i] = noise of sample index + i. [any thread] */
void gn_noise_fill(const struct gn_noise *noise, uint64_t index, size_t n, float *re, float *im);

#endif
