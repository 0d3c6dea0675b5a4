/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Low-pass filter with symmetric taps: linear phase, delay of exactly n_side items, which the
 * caller takes out by giving n_side items on both sides, so an item keeps the index of the antenna.
 * Kaiser window: J. F. Kaiser, 1974; A. V. Oppenheim, R. W. Schafer, Discrete-Time Signal
 * Processing, 7.5.3. */
#ifndef GN_FRONTEND_FIR_H
#define GN_FRONTEND_FIR_H

#include <stddef.h>
#include <stdint.h>

#define GN_FIR_SIDE_MAX 64U

struct gn_fir {
    uint32_t n_side; /* taps on each side of the middle one */
    uint32_t n_used; /* of them not zero */
    float middle;
    float tap[GN_FIR_SIDE_MAX];      /* [n_used] */
    uint32_t place[GN_FIR_SIDE_MAX]; /* [n_used] distance from the middle, 1..n_side, ascending */
};

/* Pass up to cutoff - width / 2, stop (50 dB) from cutoff + width / 2; both in turns an item,
 * cutoff at most 0.5. Gain 1 at zero. n_side is capped at GN_FIR_SIDE_MAX. A cutoff of 0.25 gives a
 * half-band filter whose even taps are zero and cost nothing. [any thread] */
void gn_fir_lowpass(struct gn_fir *fir, double cutoff, double width);

/* y[i] = middle x[i] + sum tap (x[i - place] + x[i + place]); x[-n_side .. n + n_side) must be
 * there. [any thread] */
void gn_fir_run(const struct gn_fir *fir, const float *x, size_t n, float *y);

#endif
