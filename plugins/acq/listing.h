/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The satellites of a whole recording, gathered from windows all over it. */
#ifndef GN_ACQ_LISTING_H
#define GN_ACQ_LISTING_H

#include "lib/acq/search.h"
#include "lib/msg/track.h"

struct gn_acq_listed {
    struct gn_msg_acq_hit hit; /* mean of the sightings in the first seconds, delay from tick 0 */
    double weight;             /* samples that went into the mean */
    uint32_t n_seen, reserved;
};

struct gn_acq_listing {
    struct gn_acq_listed list[GN_ACQ_HITS_MAX];
    uint32_t n;
    uint32_t n_windows;
};

/* Delay of the code start from a tick, in chips (0 <= x < code_chips), of something found in a
 * window that began window_s later. */
double gn_acq_code_phase_chips(const struct gn_acq_found *f, double rate_sps, double window_s);

/* Take in what the window that began at window_s and held `weight` samples showed. */
void gn_acq_listing_add(struct gn_acq_listing *l, const struct gn_acq_found *found, uint32_t n,
        double rate_sps, double window_s, double weight);

/* Satellites there is no need to look for again; those to look for are cleared from mask. */
void gn_acq_listing_unmask(const struct gn_acq_listing *l, uint64_t mask[4]);

/* Median Doppler of what is confirmed; false when nothing is. */
bool gn_acq_listing_center(const struct gn_acq_listing *l, double *ret_hz);

/* Is entry i sure? Seen twice in the same place, or not much weaker than the strongest of its
 * signal. */
bool gn_acq_listing_is_sure(const struct gn_acq_listing *l, uint32_t i);

#endif
