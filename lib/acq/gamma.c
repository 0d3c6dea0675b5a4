/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/acq/gamma.h"

#include <math.h>

/* log of the tail; terms are summed relative to the last and largest one (x > n in every use) */
static double log_tail(double x, uint32_t n)
{
    double sum = 1, term = 1;

    for (uint32_t i = n - 1; i > 0 && term > 1e-17 * sum; i--) {
        term *= (double)i / x;
        sum += term;
    }
    return -x + (double)(n - 1) * log(x) - lgamma((double)n) + log(sum);
}

double gn_acq_gamma_tail(double x, uint32_t n)
{
    return x <= 0 ? 1 : exp(log_tail(x, n));
}

double gn_acq_gamma_isf(double p, uint32_t n)
{
    double lo = 1e-9, hi = (double)n + 50, want = log(p);

    while (log_tail(hi, n) > want)
        hi *= 2;
    for (int i = 0; i < 60; i++) {
        double mid = (lo + hi) / 2;
        if (log_tail(mid, n) > want)
            lo = mid;
        else
            hi = mid;
    }
    return (lo + hi) / 2;
}
