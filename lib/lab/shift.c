/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/lab/shift.h"

#include <math.h>

#define PI   3.14159265358979323846
#define BETA 6.0

/* Modified Bessel function of order 0 by its series. */
static double bessel_i0(double x)
{
    double sum = 1, term = 1;
    for (int k = 1; k < 40; k++) {
        term *= x * x / (4.0 * k * k);
        sum += term;
    }
    return sum;
}

static double tap(double x)
{
    double r = x / GN_SHIFT_BEFORE;
    if (fabs(r) >= 1)
        return 0;
    double sinc = fabs(x) < 1e-9 ? 1 : sin(PI * x) / (PI * x);
    return sinc * bessel_i0(BETA * sqrt(1 - r * r)) / bessel_i0(BETA);
}

void gn_shift_init(struct gn_shift *s)
{
    for (uint32_t k = 0; k <= GN_SHIFT_PHASES; k++) {
        double sum = 0;
        for (uint32_t i = 0; i < GN_SHIFT_TAPS; i++)
            sum += tap((double)i - (GN_SHIFT_BEFORE - 1) - (double)k / GN_SHIFT_PHASES);
        for (uint32_t i = 0; i < GN_SHIFT_TAPS; i++)
            s->taps[k][i] =
                    (float)(tap((double)i - (GN_SHIFT_BEFORE - 1) - (double)k / GN_SHIFT_PHASES) /
                            sum);
    }
}

void gn_shift_run(const struct gn_shift *s, const float (*x)[2], double p, double step, size_t n,
        float (*y)[2])
{
    for (size_t i = 0; i < n; i++) {
        double at = p + (double)i * step, whole = floor(at);
        const float *t = s->taps[(uint32_t)((at - whole) * GN_SHIFT_PHASES + 0.5)];
        const float(*from)[2] = x + (ptrdiff_t)whole - (GN_SHIFT_BEFORE - 1);
        float re = 0, im = 0;
        for (uint32_t k = 0; k < GN_SHIFT_TAPS; k++) {
            re += t[k] * from[k][0];
            im += t[k] * from[k][1];
        }
        y[i][0] = re;
        y[i][1] = im;
    }
}
