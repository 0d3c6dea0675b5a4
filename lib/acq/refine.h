/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The second look at a place the grid found: fresh samples, then exact delay, Doppler and C/N0. */
#ifndef GN_ACQ_REFINE_H
#define GN_ACQ_REFINE_H

#include "lib/acq/grid.h"

#define GN_ACQ_LOOK_MS 128u /* longest second look */
#define GN_ACQ_TESTS   15u  /* tries of one look: 3 delays by at most 5 Dopplers */

/* Sampled codes of one satellite, on the samples and half a sample later. */
struct gn_acq_sampled {
    float on[2][4 * GN_ACQ_MS];
    float late[2][4 * GN_ACQ_MS];
};
void gn_acq_sampled_init(
        struct gn_acq_sampled *s, const struct gn_acq_band *band, const struct gn_acq_replica *r);

/* Highest sum / noise of the periods between the samples first and last, over a few delays and
 * Dopplers around the spot, which is moved to the best. *n_sums says how many independent sums that
 * is (0: no room, result 0). [job] */
double gn_acq_look(const struct gn_acq_band *band, const struct gn_acq_sampled *s,
        const struct gn_acq_window *w, double noise, size_t first, size_t last,
        struct gn_acq_spot *spot, uint32_t *n_sums);

/* Delay to a few hundredths of a chip, Doppler to a few Hz; returns C/N0 in dB-Hz, of one component
 * (the mean of both) for E1. [job] */
double gn_acq_refine(const struct gn_acq_band *band, const struct gn_acq_replica *r,
        const struct gn_acq_window *w, double noise, struct gn_acq_spot *spot);

#endif
