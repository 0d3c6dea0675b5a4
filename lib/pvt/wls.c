/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/pvt/wls.h"

#include "gnomon/status.h"
#include "lib/gnss/signal.h"
#include "lib/pvt/normal.h"

#include <math.h>
#include <string.h>

#define STEPS_MAX     15
#define STEP_DONE_M   1e-4
#define CLEAR_AHEAD_M 1e4 /* closer than this the elevations mean something */

/* upper 1e-5 quantiles, by inversion of the incomplete gamma function */
static const double chi2_limit[] = {19.51, 23.03, 25.9, 28.47, 30.86, 33.11, 35.26, 37.33, 39.34,
        41.3, 43.21, 45.08, 46.91, 48.72, 50.49, 52.24, 53.97, 55.68, 57.37, 59.04, 60.7, 62.34,
        63.97, 65.58, 67.18, 68.77, 70.35, 71.92, 73.47, 75.02, 76.56, 78.09, 79.62, 81.13, 82.64,
        84.14, 85.64, 87.12, 88.6, 90.08, 91.55, 93.01, 94.47, 95.92, 97.37, 98.81, 100.25, 101.69,
        103.12, 104.54, 105.96, 107.38, 108.79, 110.2, 111.61, 113.01, 114.41, 115.8, 117.19, 118.58};

double gn_pvt_chi2_limit(int n)
{
    int last = (int)GN_COUNT(chi2_limit);
    return chi2_limit[(n < 1 ? 1 : n > last ? last : n) - 1];
}

static void count(const struct gn_pvt_meas *m, int n, struct gn_pvt_point *x)
{
    int n_gps = 0, n_galileo = 0;
    for (int i = 0; i < n; i++) {
        n_gps += m[i].use && !m[i].is_galileo;
        n_galileo += m[i].use && m[i].is_galileo;
    }
    x->has_isb = n_gps > 0 && n_galileo > 0;
    x->is_galileo_only = n_gps == 0;
    x->n_used = n_gps + n_galileo;
    x->n_states = x->has_isb ? 5 : 4;
}

static void row_of(const double e[3], bool in_galileo, double h[GN_WLS_STATES])
{
    for (int k = 0; k < 3; k++)
        h[k] = -e[k];
    h[3] = 1;
    h[4] = in_galileo ? 1 : 0;
}

/* One Gauss-Newton step from x; the length of the move, negative when the geometry is singular. */
static double step(struct gn_pvt_meas *m, int n, const struct gn_pvt_air *air, struct gn_pvt_point *x)
{
    struct gn_normal eq = {.n = x->n_states};
    const double still[3] = {0, 0, 0};
    x->chi2 = 0;
    for (int i = 0; i < n; i++) {
        struct gn_pvt_predicted p;
        double h[GN_WLS_STATES];
        if (!m[i].use)
            continue;
        gn_pvt_predict(&m[i], x->pos_m, still, air, &p);
        row_of(p.e, x->has_isb && m[i].is_galileo, h);
        double w = 1 / (m[i].sigma_m * m[i].sigma_m + p.variance_m2);
        double v = m[i].pr_m - p.range_m - x->clock_m - h[4] * x->isb_m;
        m[i].residual_m = v;
        m[i].azimuth_rad = p.azimuth_rad;
        m[i].elevation_rad = p.elevation_rad;
        x->chi2 += w * v * v;
        gn_normal_add(&eq, h, v, w);
    }
    double dx[GN_NORMAL_MAX];
    if (!gn_normal_solve(&eq, dx))
        return -1;
    for (int k = 0; k < 3; k++)
        x->pos_m[k] += dx[k];
    x->clock_m += dx[3];
    x->isb_m += x->has_isb ? dx[4] : 0;
    for (int i = 0; i < x->n_states; i++)
        for (int k = 0; k < x->n_states; k++)
            x->cov[i][k] = eq.inverse[i][k];
    return sqrt(dx[0] * dx[0] + dx[1] * dx[1] + dx[2] * dx[2]);
}

static int mask_low(struct gn_pvt_meas *m, int n, double mask_rad, int n_spare)
{
    int n_dropped = 0;
    while (n_spare > 0) {
        int worst = -1;
        for (int i = 0; i < n; i++)
            if (m[i].use && m[i].elevation_rad < mask_rad &&
                    (worst < 0 || m[i].elevation_rad < m[worst].elevation_rad))
                worst = i;
        if (worst < 0)
            break;
        m[worst].use = false;
        n_dropped++;
        n_spare--;
    }
    return n_dropped;
}

static bool solve_velocity(const struct gn_pvt_meas *m, int n, struct gn_pvt_point *x)
{
    struct gn_normal eq = {.n = 4};
    const double still[3] = {0, 0, 0};
    for (int i = 0; i < n; i++) {
        struct gn_pvt_predicted p;
        double h[GN_WLS_STATES];
        if (!m[i].use || !m[i].has_rate)
            continue;
        gn_pvt_predict(&m[i], x->pos_m, still, NULL, &p);
        row_of(p.e, false, h);
        gn_normal_add(&eq, h, m[i].rate_mps - p.rate_mps,
                1 / (m[i].sigma_rate_mps * m[i].sigma_rate_mps));
    }
    double v[GN_NORMAL_MAX];
    if (!gn_normal_solve(&eq, v))
        return false;
    memcpy(x->vel_mps, v, sizeof x->vel_mps);
    /* z (1 + d) = rate + c d: the receiver's seconds are the ones counted */
    x->drift_mps = v[3] / (1 - v[3] / GN_C_MPS);
    return true;
}

bool gn_pvt_wls(struct gn_pvt_meas *m, int n, const struct gn_pvt_search *how, struct gn_pvt_point *ret)
{
    struct gn_pvt_point x = {0};
    bool masked = false;
    if (how->guess_m != NULL)
        memcpy(x.pos_m, how->guess_m, sizeof x.pos_m);
    count(m, n, &x);
    if (x.n_used < x.n_states)
        return false;
    for (int i = 0; i < STEPS_MAX; i++) {
        double moved = step(m, n, how->air, &x);
        if (moved < 0 || !isfinite(moved))
            return false;
        if (!masked && moved < CLEAR_AHEAD_M) {
            masked = true;
            if (mask_low(m, n, how->mask_rad, x.n_used - x.n_states) > 0) {
                count(m, n, &x);
                continue;
            }
        }
        if (moved < STEP_DONE_M && masked) {
            x.has_velocity = solve_velocity(m, n, &x);
            *ret = x;
            return true;
        }
    }
    return false;
}

static bool passes(const struct gn_pvt_point *x)
{
    int n_free = x->n_used - x->n_states;
    return n_free <= 0 || x->chi2 <= gn_pvt_chi2_limit(n_free);
}

/* The satellite without which the residuals are smallest; -1: none can be spared and tested. */
static int suspect(struct gn_pvt_meas *m, int n, const struct gn_pvt_search *how,
        const struct gn_pvt_point *now)
{
    int best = -1;
    double best_chi2 = HUGE_VAL;
    struct gn_pvt_search near = *how;
    near.guess_m = now->pos_m;
    near.mask_rad = -HUGE_VAL; /* the mask has had its turn */
    for (int i = 0; i < n; i++) {
        struct gn_pvt_point x;
        if (!m[i].use)
            continue;
        m[i].use = false;
        bool solved = gn_pvt_wls(m, n, &near, &x);
        m[i].use = true;
        if (solved && x.n_used > x.n_states && x.chi2 < best_chi2) {
            best_chi2 = x.chi2;
            best = i;
        }
    }
    return best;
}

bool gn_pvt_raim(struct gn_pvt_meas *m, int n, const struct gn_pvt_search *how, struct gn_pvt_point *ret)
{
    struct gn_pvt_point x;
    struct gn_pvt_search next = *how;
    int n_excluded = 0;
    if (!gn_pvt_wls(m, n, how, &x))
        return false;
    while (!passes(&x)) {
        int out = suspect(m, n, &next, &x);
        if (out < 0)
            return false;
        m[out].use = false;
        n_excluded++;
        next.guess_m = NULL; /* a fault may have pulled the first solution far away */
        next.mask_rad = -HUGE_VAL;
        if (!gn_pvt_wls(m, n, &next, &x))
            return false;
    }
    x.n_excluded = n_excluded;
    x.is_checked = x.n_used > x.n_states;
    *ret = x;
    return true;
}

struct gn_pvt_dops gn_pvt_dop(const struct gn_pvt_meas *m, int n, const double pos_m[3])
{
    struct gn_pvt_dops d = {NAN, NAN, NAN, NAN};
    struct gn_pvt_point x = {0};
    count(m, n, &x);
    struct gn_normal eq = {.n = x.n_states};
    struct gn_geo geo = gn_geo_from_ecef(pos_m);
    double r[3][3];
    gn_enu_rotation(&geo, r);
    for (int i = 0; i < n; i++) {
        struct gn_pvt_predicted p;
        double h[GN_WLS_STATES], enu[3] = {0};
        if (!m[i].use)
            continue;
        gn_pvt_predict(&m[i], pos_m, (const double[3]){0, 0, 0}, NULL, &p);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                enu[a] += r[a][b] * p.e[b];
        row_of(enu, x.has_isb && m[i].is_galileo, h);
        gn_normal_add(&eq, h, 0, 1);
    }
    double unused[GN_NORMAL_MAX];
    if (!gn_normal_solve(&eq, unused))
        return d;
    d.h = sqrt(eq.inverse[0][0] + eq.inverse[1][1]);
    d.v = sqrt(eq.inverse[2][2]);
    d.p = hypot(d.h, d.v);
    d.g = sqrt(d.p * d.p + eq.inverse[3][3]);
    return d;
}
