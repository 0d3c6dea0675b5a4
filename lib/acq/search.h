/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Which satellites are in a window of samples, and where.
 *
 *   whole grid (grid.h) --best cells--> sure already? or a second look at samples the grid has not
 *   seen (refine.h) --> exact delay and Doppler --> E1: both components peak there --> near-far
 * rules
 *
 * False alarms: half of pfa (per satellite searched) is spent on the grid's own maximum, half on
 * the second looks, each against the exact law of summed noise powers (gamma.h). */
#ifndef GN_ACQ_SEARCH_H
#define GN_ACQ_SEARCH_H

#include "lib/acq/refine.h"

#define GN_ACQ_EFFORTS  4u
#define GN_ACQ_HITS_MAX 128u

struct gn_acq_order {
    uint64_t prn_mask[4]; /* by enum gn_signal: bit prn - 1 (SBAS: prn - 120) */
    double center_hz;     /* common offset; used when has_center, else 0 and may widen */
    double half_hz;       /* half-width around it */
    double reach_hz;      /* nothing found and this is wider than half_hz: look that far */
    double pfa;           /* per satellite searched */
    uint32_t effort;      /* 0..GN_ACQ_EFFORTS - 1 */
    uint32_t has_center;
};

struct gn_acq_found {
    uint8_t signal, prn;
    struct gn_acq_spot spot;
    double cn0_dbhz; /* E1: of one component; data and pilot together have 3 dB more */
    double ratio;    /* of the grid's cell */
};

struct gn_acq;

/* For efforts up to effort_max. [control], as gn_acq_grid_new() */
GN_NODISCARD gn_status gn_acq_new(uint32_t effort_max, struct gn_acq **ret);
void gn_acq_free(struct gn_acq *a);

/* Samples at GN_ACQ_RATE_SPS that an effort can use; a shorter window is searched as far as it
 * goes. */
uint32_t gn_acq_window_samples(uint32_t effort);

/* Search. ret in the order of signals and PRNs; returns how many. A stop gives what was found so
 * far. [job] */
uint32_t gn_acq_search(struct gn_acq *a, const struct gn_acq_window *w,
        const struct gn_acq_order *order, const struct gn_acq_stop *stop,
        struct gn_acq_found ret[GN_ACQ_HITS_MAX]);

/* Take out what a stronger signal or a single tone explains:
 * C/A cross-correlation: 20 dB or more below another satellite of the same code family whose
 * Doppler differs by a multiple of 1 kHz +- 300 Hz; six or more satellites within 10 Hz. Returns
 * the new n. */
uint32_t gn_acq_drop_ghosts(struct gn_acq_found *list, uint32_t n);

#endif
