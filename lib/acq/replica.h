/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Codes as acquisition uses them: a table of sub-chips (E1: two per chip, BOC(1,1) sign included),
 * a sampled period, and partial sums of a window against it at a stated delay and Doppler. */
#ifndef GN_ACQ_REPLICA_H
#define GN_ACQ_REPLICA_H

#include "gnomon/status.h"

#include <stddef.h>
#include <stdint.h>

#define GN_ACQ_SUB_MAX  8184u
#define GN_ACQ_PAD      16u
#define GN_ACQ_TAPS_MAX 3u

struct gn_acq_replica {
    uint32_t n_sub;    /* sub-chips in a period */
    uint32_t n_sub_ms; /* sub-chips in a millisecond */
    uint32_t n_ms;     /* milliseconds in a period */
    uint32_t reserved;
    float sub[GN_ACQ_SUB_MAX + 2 * GN_ACQ_PAD]; /* sub-chip i is at i + GN_ACQ_PAD; the ends wrap */
};

/* Errors: GN_E_ARG (no such code). component: enum gn_code_component. */
GN_NODISCARD gn_status gn_acq_replica_init(
        struct gn_acq_replica *r, unsigned signal, unsigned component, unsigned prn);

/* One period at GN_ACQ_RATE_SPS into ret[n_ms * GN_ACQ_MS], read at the middle of each sample and
 * `shift` samples (-1..1) before it: the code then starts that much later. */
void gn_acq_replica_sample(const struct gn_acq_replica *r, double shift, float *ret);

/* A stretch of samples at GN_ACQ_RATE_SPS. */
struct gn_acq_window {
    const float (*iq)[2];
    size_t n;
};

/* Where a signal is: the code starts delay_samples after the window does (and so on every period).
 */
struct gn_acq_spot {
    double delay_samples;
    double doppler_hz;
};

/* How many whole milliseconds of code the window holds, counted from its first code start. */
uint32_t gn_acq_ms_available(const struct gn_acq_window *w, const struct gn_acq_spot *spot);

/* Sums over single milliseconds i_ms .. i_ms + n_ms - 1 of code after the start of `spot`, carrier
 * removed with continuous phase, at delays spot + tap[t] (samples). Code runs at the Doppler's
 * rate. ret[n_ms][GN_ACQ_TAPS_MAX] complex. The caller keeps i_ms + n_ms <= gn_acq_ms_available().
 */
void gn_acq_partials(const struct gn_acq_replica *r, const struct gn_acq_window *w,
        const struct gn_acq_spot *spot, uint32_t i_ms, uint32_t n_ms, const double *tap,
        uint32_t n_taps, float (*ret)[GN_ACQ_TAPS_MAX][2]);

/* ret[i] = x[i] exp(-2 pi j hz (i0 + i) / GN_ACQ_RATE_SPS), i < n. */
void gn_acq_mix(const float (*x)[2], size_t n, double hz, double i0, float (*ret)[2]);

#endif
