/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A stream as if it came over a longer way: delayed by any fraction of a sample, the delay changing
 * in time, with the carrier turned to match: y(t) = x(t - d(t)) exp(-2 pi j f d(t)).
 *
 * Windowed sinc (16 taps, Kaiser, 256 phases): flat to 0.4 of the sample rate. */
#ifndef GN_LAB_SHIFT_H
#define GN_LAB_SHIFT_H

#include <stddef.h>
#include <stdint.h>

#define GN_SHIFT_TAPS   16U
#define GN_SHIFT_PHASES 256U
#define GN_SHIFT_BEFORE 8U /* samples needed on each side of the place read */

struct gn_shift {
    float taps[GN_SHIFT_PHASES + 1][GN_SHIFT_TAPS];
};

void gn_shift_init(struct gn_shift *s);

/* y[n] at places x[p + i * step] for i < n; x[floor(p) - 7 .. floor(last) + 8] must be there. [any
 * thread] */
void gn_shift_run(const struct gn_shift *s, const float (*x)[2], double p, double step, size_t n,
        float (*y)[2]);

#endif
