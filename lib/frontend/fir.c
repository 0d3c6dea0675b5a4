/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/frontend/fir.h"

#include <math.h>

#define PI          3.14159265358979323846
#define STOP_DB     50.0
#define KAISER_BETA 4.53351 /* 0.5842 (A - 21)^0.4 + 0.07886 (A - 21), A = 50 */

/* modified Bessel function of order zero, by its series */
static double bessel_i0(double x)
{
    double term = 1, sum = 1;
    for (int k = 1; k < 40; k++) {
        term *= x / (2 * k) * (x / (2 * k));
        sum += term;
    }
    return sum;
}

static double ideal(double cutoff, double i)
{
    return sin(2 * PI * cutoff * i) / (PI * i);
}

void gn_fir_lowpass(struct gn_fir *fir, double cutoff, double width)
{
    double n_taps = (STOP_DB - 8) / (2.285 * 2 * PI * width) + 1;
    uint32_t n_side =
            n_taps / 2 < (double)GN_FIR_SIDE_MAX ? (uint32_t)ceil(n_taps / 2) : GN_FIR_SIDE_MAX;
    double taps[GN_FIR_SIDE_MAX + 1] = {2 * cutoff}, sum = 2 * cutoff;
    for (uint32_t i = 1; i <= n_side; i++) {
        double x = (double)i / (n_side + 1);
        taps[i] = ideal(cutoff, i) * bessel_i0(KAISER_BETA * sqrt(1 - x * x)) /
                  bessel_i0(KAISER_BETA);
        sum += 2 * taps[i];
    }
    *fir = (struct gn_fir){.n_side = n_side, .middle = (float)(taps[0] / sum)};
    for (uint32_t i = 1; i <= n_side; i++) {
        if (fabs(taps[i]) < 1e-9)
            continue;
        fir->tap[fir->n_used] = (float)(taps[i] / sum);
        fir->place[fir->n_used++] = i;
    }
}

/* one pair of taps more into y */
static void add_pair(
        float tap, const float *before, const float *after, size_t n, float *restrict y)
{
    for (size_t i = 0; i < n; i++)
        y[i] += tap * (before[i] + after[i]);
}

/* four pairs at once: y is read and written a quarter as often */
static void add_four(
        const float tap[4], const uint32_t place[4], const float *x, size_t n, float *restrict y)
{
    const float *b0 = x - place[0], *b1 = x - place[1], *b2 = x - place[2], *b3 = x - place[3];
    const float *a0 = x + place[0], *a1 = x + place[1], *a2 = x + place[2], *a3 = x + place[3];
    for (size_t i = 0; i < n; i++)
        y[i] = (((y[i] + tap[0] * (b0[i] + a0[i])) + tap[1] * (b1[i] + a1[i])) +
                       tap[2] * (b2[i] + a2[i])) +
               tap[3] * (b3[i] + a3[i]);
}

void gn_fir_run(const struct gn_fir *fir, const float *x, size_t n, float *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = fir->middle * x[i];
    uint32_t k = 0;
    for (; k + 4 <= fir->n_used; k += 4)
        add_four(fir->tap + k, fir->place + k, x, n, y);
    for (; k < fir->n_used; k++)
        add_pair(fir->tap[k], x - fir->place[k], x + fir->place[k], n, y);
}
