/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Where data bits begin among the code periods: the energy of whole-bit sums for every possible
 * start. */
#ifndef GN_TRACK_BITSYNC_H
#define GN_TRACK_BITSYNC_H

#include "lib/corr/phasor.h"

#include <stdint.h>

#define GN_BITSYNC_MAX 20u /* code periods in a bit: GPS 20, SBAS 2 */

struct gn_bitsync {
    uint32_t n_periods; /* in a bit */
    uint32_t count;     /* prompts seen */
    struct gn_cplx sum[GN_BITSYNC_MAX];
    double energy[GN_BITSYNC_MAX];
    uint32_t n_bits[GN_BITSYNC_MAX];
};

void gn_bitsync_init(struct gn_bitsync *sync, uint32_t n_periods);

/* The next prompt; its carrier must be within a few hertz. */
void gn_bitsync_push(struct gn_bitsync *sync, struct gn_cplx prompt);

/* Start of bits (0..n_periods - 1, counted in prompts pushed), or -1 while the best start does not
 * stand out from the second by `sigmas` of the noise. noise: mean |noise|^2 of a prompt. At 5
 * sigmas a wrong answer needs 1 in 10^6. */
int gn_bitsync_phase(const struct gn_bitsync *sync, double noise, double sigmas);

#endif
