/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Code replicas in bins of half a chip, cyclic, for the grid correlators.
 *
 *   BPSK       c0 c0 c1 c1 ...        BOC(1,1)   c0 -c0 c1 -c1 ...   (Galileo OS SIS ICD 2.1, sine
 * phased)
 *
 * at(0) is bin 0; at(-m) delays the replica by m bins (a late tap), at(+m) advances it (an early
 * tap). */
#ifndef GN_TRACK_REPLICA_H
#define GN_TRACK_REPLICA_H

#include "gnomon/status.h"

#include <stdint.h>

#define GN_REPLICA_BINS_MAX 8184u
#define GN_REPLICA_MARGIN   256u

struct gn_replica {
    uint32_t n_bins;
    uint32_t noise_lag; /* bins: where the autocorrelation is smallest, for a tap that sees noise
                           only */
    float bins[GN_REPLICA_BINS_MAX + 2 * GN_REPLICA_MARGIN];
};

/* Fill for a satellite. component: enum gn_code_component. Errors: GN_E_ARG. [any thread] */
GN_NODISCARD gn_status gn_replica_init(
        struct gn_replica *replica, unsigned signal, unsigned component, unsigned prn);

/* Bin `shift` of the code, |shift| < GN_REPLICA_MARGIN; n_bins and some more can be read from
 * there. */
static inline const float *gn_replica_at(const struct gn_replica *replica, int32_t shift)
{
    return replica->bins + (int32_t)GN_REPLICA_MARGIN + shift;
}

/* Autocorrelation at a lag of tau chips: the triangle, or BOC(1,1)'s three peaks. */
double gn_replica_peak(int is_boc, double tau_chips);

#endif
