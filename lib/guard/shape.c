/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/guard/shape.h"

#include <math.h>

static void add_lag(struct gn_shape_sums *s, const int16_t x[GN_SHAPE_WINDOW][2], uint32_t lag)
{
    int64_t re = 0, im = 0;
    for (uint32_t i = lag; i < GN_SHAPE_WINDOW; i++) {
        int32_t a = x[i][0], b = x[i][1], c = x[i - lag][0], d = x[i - lag][1];
        re += (int64_t)a * c + (int64_t)b * d;
        im += (int64_t)b * c - (int64_t)a * d;
    }
    s->lag[lag - 1][0] += (double)re;
    s->lag[lag - 1][1] += (double)im;
}

void gn_shape_add(struct gn_shape_sums *s, const int16_t x[GN_SHAPE_WINDOW][2])
{
    int64_t square = 0;
    double fourth = 0;
    for (uint32_t i = 0; i < GN_SHAPE_WINDOW; i++) {
        int64_t p = (int64_t)x[i][0] * x[i][0] + (int64_t)x[i][1] * x[i][1];
        square += p;
        fourth += (double)p * (double)p;
    }
    s->n += GN_SHAPE_WINDOW;
    s->square += (double)square;
    s->fourth += fourth;
    for (uint32_t lag = 1; lag <= GN_SHAPE_LAGS; lag++)
        add_lag(s, x, lag);
}

struct gn_shape gn_shape_of(const struct gn_shape_sums *s)
{
    struct gn_shape ret = {0};
    if (s->n == 0 || !(s->square > 0))
        return ret;
    double n = (double)s->n;
    ret.power_db = 10 * log10(s->square / n);
    ret.kurtosis = s->fourth / n / (s->square / n * (s->square / n));
    for (uint32_t k = 0; k < GN_SHAPE_LAGS; k++)
        for (int c = 0; c < 2; c++)
            ret.rho[k][c] = s->lag[k][c] / s->square;
    return ret;
}

double gn_shape_colour(const struct gn_shape *a, const struct gn_shape *b)
{
    double most = 0;
    for (uint32_t k = 0; k < GN_SHAPE_LAGS; k++)
        most = fmax(most, hypot(a->rho[k][0] - b->rho[k][0], a->rho[k][1] - b->rho[k][1]));
    return most;
}
