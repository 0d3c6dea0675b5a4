/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What a stretch of samples looks like: power, kurtosis, and correlation of neighbours.
 *
 * Thermal noise through a fixed filter has fixed values of all three whatever its level. A tone, a
 * sweep or pulses change the kurtosis (E|x|^4 / (E|x|^2)^2: complex noise 2, a tone 1); any added
 * signal that is not as wide as the filter changes the correlation of neighbours; and this survives
 * an AGC.
 *
 *   index   0        1024      4096 ...      only # is looked at, whole or not at all
 *           ########           #######    */
#ifndef GN_GUARD_SHAPE_H
#define GN_GUARD_SHAPE_H

#include <stdint.h>

#define GN_SHAPE_PERIOD 4096U
#define GN_SHAPE_WINDOW 1024U
#define GN_SHAPE_LAGS   4U

struct gn_shape {
    double power_db; /* mean |x|^2 */
    double kurtosis;
    double rho[GN_SHAPE_LAGS][2]; /* correlation with the sample 1..4 later */
};

struct gn_shape_sums { /* zeroed: empty */
    int64_t n;
    double square, fourth;
    double lag[GN_SHAPE_LAGS][2];
};

/* A whole window of complex samples. [any thread] */
void gn_shape_add(struct gn_shape_sums *s, const int16_t x[GN_SHAPE_WINDOW][2]);

/* Nothing seen, or silence: all 0. [any thread] */
struct gn_shape gn_shape_of(const struct gn_shape_sums *s);

/* How far two shapes differ: most of |rho - rho'|, and the kurtosis. [any thread] */
double gn_shape_colour(const struct gn_shape *a, const struct gn_shape *b);

#endif
