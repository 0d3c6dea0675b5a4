/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* White Gaussian noise as a function of seed and sample index: no state, any part can be made
 * alone. */
#ifndef GN_SIM_NOISE_H
#define GN_SIM_NOISE_H

#include <stddef.h>
#include <stdint.h>

#define GN_NOISE_STEPS 4096U

/* Quantiles of a normal distribution. Two of them, independently drawn, are added: tails reach 5.2
 * sigma. */
struct gn_noise {
    uint64_t seed;
    float quantile[GN_NOISE_STEPS]; /* sigma / sqrt(2) */
};

void gn_noise_init(struct gn_noise *noise, uint64_t seed, double sigma);

/* re, im[i] = noise of sample index + i. [any thread] */
void gn_noise_fill(const struct gn_noise *noise, uint64_t index, size_t n, float *re, float *im);

#endif
