/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/track/loop.h"

#include "lib/track/replica.h"

#include <assert.h>
#include <math.h>

#define TURN 6.283185307179586

/* Noise bandwidth to natural frequency, and the filters' other gains (Kaplan, table 8.23) */
#define PLL_W_PER_HZ (1 / 0.7845)
#define PLL_A        1.1
#define PLL_B        2.4
#define FLL_W_PER_HZ (1 / 0.53)
#define FLL_A        1.414

void gn_pll_step(struct gn_pll *pll, double phase_turns, double freq_error_hz, double t_s,
        double pll_band_hz, double fll_band_hz)
{
    double w = pll_band_hz * PLL_W_PER_HZ, wf = fll_band_hz * FLL_W_PER_HZ;

    pll->rate_hzps += t_s * (w * w * w * phase_turns + wf * wf * freq_error_hz);
    pll->freq_hz +=
            t_s * (pll->rate_hzps + PLL_A * w * w * phase_turns + FLL_A * wf * freq_error_hz);
    pll->nco_hz = pll->freq_hz + PLL_B * w * phase_turns;
}

double gn_phase_turns(double re, double im)
{
    return re == 0.0 && im == 0.0 ? 0 : atan2(im, re) / TURN;
}

double gn_phase_costas_turns(double re, double im)
{
    return re < 0 ? gn_phase_turns(-re, -im) : gn_phase_turns(re, im);
}

#define FIT_TAPS_MAX 5u
#define FIT_STEP     0.01 /* chips */
#define FIT_LOADING  0.02 /* of the diagonal: real peaks are rounded by the band */

/* Solve a x = b for a small symmetric positive matrix; a and b are used up, b becomes x. */
static void solve(double a[FIT_TAPS_MAX][FIT_TAPS_MAX], double *b, unsigned n)
{
    for (unsigned p = 0; p < n; p++)
        for (unsigned r = 0; r < n; r++) {
            double f = a[r][p] / a[p][p];
            for (unsigned c = p; c < n && r != p; c++)
                a[r][c] -= f * a[p][c];
            b[r] -= r != p ? f * b[p] : 0;
        }
    for (unsigned p = 0; p < n; p++)
        b[p] /= a[p][p];
}

static double likelihood(int is_boc, const double *tau, const double *tap, unsigned n, double delay)
{
    double cov[FIT_TAPS_MAX][FIT_TAPS_MAX], x[FIT_TAPS_MAX], match = 0, norm = 0;

    for (unsigned i = 0; i < n; i++) {
        x[i] = gn_replica_peak(is_boc, tau[i] - delay);
        for (unsigned j = 0; j < n; j++)
            cov[i][j] = gn_replica_peak(is_boc, tau[i] - tau[j]) + (i == j ? FIT_LOADING : 0);
    }
    solve(cov, x, n);
    for (unsigned i = 0; i < n; i++) {
        match += x[i] * tap[i];
        norm += x[i] * gn_replica_peak(is_boc, tau[i] - delay);
    }
    return norm > 0 ? match * fabs(match) / norm : 0; /* keeps the sign of the match */
}

double gn_code_fit(int is_boc, const double *tau_chips, const double *tap, unsigned n,
        double limit_chips, int *sign)
{
    double best = 0, best_delay = 0;
    int n_steps = (int)(limit_chips / FIT_STEP);

    assert(n <= FIT_TAPS_MAX);
    *sign = 1;
    for (int i = -n_steps; i <= n_steps; i++) {
        double value = likelihood(is_boc, tau_chips, tap, n, i * FIT_STEP);
        if (fabs(value) > best) {
            best = fabs(value);
            best_delay = i * FIT_STEP;
            *sign = value < 0 ? -1 : 1;
        }
    }
    return best_delay;
}
