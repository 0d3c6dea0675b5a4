/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/pvt/filter.h"

#include "lib/gnss/signal.h"

#include <math.h>
#include <string.h>

#define N GN_FILTER_STATES
enum { POS = 0, VEL = 3, CLK = 6, DRIFT = 7, ISB = 8 };

/* spectral densities: velocity (m/s)^2/s by profile; clock after a TCXO of consumer grade */
static const double q_velocity[] = {0.01, 1, 100};
#define Q_CLOCK_M2     0.05
#define Q_DRIFT        0.02
#define Q_ISB_M2       1e-6
#define SIGMA_ISB_M    30.0  /* before it is observed: 100 ns */
#define SIGMA_NO_V_MPS 300.0 /* no Doppler at the start */
#define SIGMA_NO_D_MPS 9000.0 /* 30 ppm */
#define AGE_MAX_S      30.0
#define GATE           5.0   /* sigmas: 6e-7 per satellite and epoch */
#define BOOST_STEP     100.0
#define BOOST_MAX      1e9
#define JUMP_M         150.0 /* a clock that leaps half a microsecond between epochs */
#define JUMP_SPREAD_M  60.0

void gn_filter_start(struct gn_filter *f, const struct gn_pvt_point *x, double isb_m)
{
    memset(f, 0, sizeof *f);
    static const int from[5] = {POS, POS + 1, POS + 2, CLK, ISB};
    for (int i = 0; i < x->n_states; i++)
        for (int k = 0; k < x->n_states; k++)
            f->p[from[i]][from[k]] = x->cov[i][k];
    for (int k = 0; k < 3; k++) {
        f->x[POS + k] = x->pos_m[k];
        f->x[VEL + k] = x->has_velocity ? x->vel_mps[k] : 0;
        f->p[VEL + k][VEL + k] = x->has_velocity ? 1 : SIGMA_NO_V_MPS * SIGMA_NO_V_MPS;
    }
    f->x[CLK] = x->clock_m;
    f->x[ISB] = x->has_isb ? x->isb_m : isb_m;
    if (x->is_galileo_only)
        f->x[CLK] -= isb_m;
    f->x[DRIFT] = x->has_velocity ? x->drift_mps : 0;
    f->p[DRIFT][DRIFT] = x->has_velocity ? 1 : SIGMA_NO_D_MPS * SIGMA_NO_D_MPS;
    if (!x->has_isb)
        f->p[ISB][ISB] = SIGMA_ISB_M * SIGMA_ISB_M;
    if (x->is_galileo_only) { /* what was solved is clock + offset */
        f->p[CLK][CLK] += f->p[ISB][ISB];
        f->p[CLK][ISB] = f->p[ISB][CLK] = -f->p[ISB][ISB];
    }
    f->is_set = true;
}

void gn_filter_set_isb(struct gn_filter *f, double isb_m)
{
    for (int k = 0; k < N; k++)
        f->p[ISB][k] = f->p[k][ISB] = 0;
    f->p[ISB][ISB] = SIGMA_ISB_M * SIGMA_ISB_M;
    f->x[ISB] = isb_m;
}

/* x[i] += dt x[j] in state and covariance: the only kind of motion there is */
static void drift_into(struct gn_filter *f, int i, int j, double dt)
{
    f->x[i] += dt * f->x[j];
    for (int k = 0; k < N; k++)
        f->p[i][k] += dt * f->p[j][k];
    for (int k = 0; k < N; k++)
        f->p[k][i] += dt * f->p[k][j];
}

static void shake(struct gn_filter *f, int i, int j, double q, double dt)
{
    f->p[i][i] += q * dt * dt * dt / 3;
    f->p[i][j] += q * dt * dt / 2;
    f->p[j][i] += q * dt * dt / 2;
    f->p[j][j] += q * dt;
}

void gn_filter_predict(struct gn_filter *f, double dt_s, enum gn_dynamics dynamics, double boost)
{
    for (int k = 0; k < 3; k++) {
        drift_into(f, POS + k, VEL + k, dt_s);
        shake(f, POS + k, VEL + k, q_velocity[dynamics] * boost, dt_s);
    }
    drift_into(f, CLK, DRIFT, dt_s);
    shake(f, CLK, DRIFT, Q_DRIFT * sqrt(boost), dt_s);
    f->p[CLK][CLK] += Q_CLOCK_M2 * dt_s;
    f->p[ISB][ISB] += Q_ISB_M2 * dt_s;
}

struct innovation {
    double v, r, h[N];
};

static struct innovation code(const struct gn_filter *f, const struct gn_pvt_meas *m,
        const struct gn_pvt_predicted *p)
{
    struct innovation in = {.r = m->sigma_m * m->sigma_m + p->variance_m2};
    in.v = m->pr_m - p->range_m - f->x[CLK] - (m->is_galileo ? f->x[ISB] : 0);
    for (int k = 0; k < 3; k++)
        in.h[POS + k] = -p->e[k];
    in.h[CLK] = 1;
    in.h[ISB] = m->is_galileo;
    return in;
}

static struct innovation rate(const struct gn_filter *f, const struct gn_pvt_meas *m,
        const struct gn_pvt_predicted *p)
{
    struct innovation in = {.r = m->sigma_rate_mps * m->sigma_rate_mps};
    double pace = 1 + f->x[DRIFT] / GN_C_MPS; /* seconds of the receiver's clock in one second */
    in.v = m->rate_mps - (p->rate_mps + f->x[DRIFT]) / pace;
    for (int k = 0; k < 3; k++)
        in.h[VEL + k] = -p->e[k];
    in.h[DRIFT] = 1;
    return in;
}

/* P h, and the variance of the innovation */
static double spread(const struct gn_filter *f, const struct innovation *in, double ph[N])
{
    double s = in->r;
    for (int i = 0; i < N; i++) {
        ph[i] = 0;
        for (int k = 0; k < N; k++)
            ph[i] += f->p[i][k] * in->h[k];
    }
    for (int i = 0; i < N; i++)
        s += in->h[i] * ph[i];
    return s;
}

static bool fits(const struct gn_filter *f, const struct innovation *in)
{
    double ph[N];
    return in->v * in->v <= GATE * GATE * spread(f, in, ph);
}

/* scalar update; the covariance is kept symmetric by construction */
static void apply(struct gn_filter *f, const struct innovation *in)
{
    double ph[N], s = spread(f, in, ph);
    for (int i = 0; i < N; i++) {
        f->x[i] += ph[i] / s * in->v;
        for (int k = 0; k <= i; k++) {
            f->p[i][k] -= ph[i] * ph[k] / s;
            f->p[k][i] = f->p[i][k];
        }
    }
}

static void look(const struct gn_filter *f, const struct gn_pvt_meas *m, const struct gn_pvt_air *air,
        struct gn_pvt_predicted *p)
{
    gn_pvt_predict(m, f->x + POS, f->x + VEL, air, p);
}

/* How many of the used measurements contradict the prediction; bad[i] says which. */
static int contradictions(const struct gn_filter *f, const struct gn_pvt_meas *m, int n,
        const struct gn_pvt_air *air, bool *bad, int *n_looked)
{
    int n_bad = 0;
    *n_looked = 0;
    for (int i = 0; i < n; i++) {
        struct gn_pvt_predicted p;
        bad[i] = false;
        if (!m[i].use)
            continue;
        look(f, &m[i], air, &p);
        struct innovation a = code(f, &m[i], &p), b = rate(f, &m[i], &p);
        bad[i] = !fits(f, &a) || (m[i].has_rate && !fits(f, &b));
        n_bad += bad[i];
        (*n_looked)++;
    }
    return n_bad;
}

/* Position and velocity agree with the point solution but the clock does not: it jumped. */
static double clock_jump(const struct gn_filter *f, const struct gn_pvt_point *now)
{
    double d2 = 0, jump = now->clock_m - f->x[CLK];
    if (now->is_galileo_only) /* it solved for clock and offset together */
        jump -= f->x[ISB];
    for (int k = 0; k < 3; k++)
        d2 += (now->pos_m[k] - f->x[POS + k]) * (now->pos_m[k] - f->x[POS + k]);
    double sigma2 = f->p[CLK][CLK] + now->cov[3][3];
    double place2 = f->p[0][0] + f->p[1][1] + f->p[2][2] + JUMP_SPREAD_M * JUMP_SPREAD_M;
    bool jumped = fabs(jump) > JUMP_M && jump * jump > 36 * sigma2 && d2 < 4 * place2;
    return jumped ? jump : 0;
}

/* Predict with as much noise as the epoch needs. False: it cannot be reconciled. */
static bool reconcile(struct gn_filter *f, double dt_s, struct gn_pvt_meas *m, int n,
        const struct gn_filter_how *how)
{
    const struct gn_filter before = *f;
    bool bad[GN_PVT_MEAS_MAX];
    for (double boost = 1; boost <= BOOST_MAX; boost *= BOOST_STEP) {
        int n_looked;
        *f = before;
        gn_filter_predict(f, dt_s, how->dynamics, boost);
        int n_bad = contradictions(f, m, n, how->air, bad, &n_looked);
        if (3 * n_bad > n_looked || n_looked - n_bad < 4)
            continue;
        for (int i = 0; i < n; i++)
            m[i].use = m[i].use && !bad[i];
        return true;
    }
    *f = before;
    return false;
}

static void update(struct gn_filter *f, const struct gn_pvt_meas *m, int n, const struct gn_pvt_air *air)
{
    const struct gn_filter predicted = *f; /* one linearisation for all: the order must not matter */
    double shift[N];
    for (int i = 0; i < n; i++) {
        struct gn_pvt_predicted p;
        if (!m[i].use)
            continue;
        look(&predicted, &m[i], air, &p);
        for (int kind = 0; kind < (m[i].has_rate ? 2 : 1); kind++) {
            struct innovation in = kind == 0 ? code(&predicted, &m[i], &p) : rate(&predicted, &m[i], &p);
            for (int k = 0; k < N; k++) {
                shift[k] = f->x[k] - predicted.x[k];
                in.v -= in.h[k] * shift[k];
            }
            apply(f, &in);
        }
    }
}

static void finish(const struct gn_filter *f, struct gn_pvt_meas *m, int n, const struct gn_pvt_air *air,
        struct gn_filter_result *r)
{
    for (int i = 0; i < n; i++) {
        struct gn_pvt_predicted p;
        look(f, &m[i], air, &p);
        m[i].residual_m = code(f, &m[i], &p).v;
        m[i].azimuth_rad = p.azimuth_rad;
        m[i].elevation_rad = p.elevation_rad;
        r->n_used += m[i].use;
        r->n_galileo += m[i].use && m[i].is_galileo;
    }
    r->has_fix = r->n_used >= 4;
}

static void mask(const struct gn_filter *f, struct gn_pvt_meas *m, int n, double mask_rad)
{
    for (int i = 0; i < n; i++) {
        struct gn_pvt_predicted p;
        look(f, &m[i], NULL, &p);
        m[i].use = m[i].use && p.elevation_rad >= mask_rad;
    }
}

static int count_used(const struct gn_pvt_meas *m, int n)
{
    int used = 0;
    for (int i = 0; i < n; i++)
        used += m[i].use;
    return used;
}

/* The filter goes on: true when it took the epoch. */
static bool carry_on(struct gn_filter *f, double dt_s, struct gn_pvt_meas *m, int n,
        const struct gn_filter_how *how, struct gn_filter_result *r)
{
    struct gn_filter ahead = *f;
    gn_filter_predict(&ahead, dt_s, how->dynamics, 1);
    mask(&ahead, m, n, how->mask_rad);
    int n_before = count_used(m, n);
    bool masked[GN_PVT_MEAS_MAX];
    for (int i = 0; i < n; i++)
        masked[i] = m[i].use;

    struct gn_pvt_point point;
    struct gn_pvt_search search = {.air = how->air, .guess_m = ahead.x + POS, .mask_rad = -HUGE_VAL};
    if (gn_pvt_raim(m, n, &search, &point)) {
        r->clock_jump_m = clock_jump(&ahead, &point);
        f->x[CLK] += r->clock_jump_m;
        if (r->clock_jump_m != 0)
            f->p[CLK][CLK] += point.cov[3][3] + JUMP_SPREAD_M;
    } else { /* this epoch alone cannot tell: the prediction must */
        for (int i = 0; i < n; i++)
            m[i].use = masked[i];
    }
    bool agreed = reconcile(f, dt_s, m, n, how);
    r->n_excluded = n_before - count_used(m, n);
    if (agreed)
        update(f, m, n, how->air);
    return agreed;
}

struct gn_filter_result gn_filter_epoch(struct gn_filter *f, double dt_s, struct gn_pvt_meas *m, int n,
        const struct gn_filter_how *how)
{
    struct gn_filter_result r = {0};
    bool wanted[GN_PVT_MEAS_MAX];
    for (int i = 0; i < n; i++)
        wanted[i] = m[i].use;
    if (f->is_set && dt_s <= AGE_MAX_S && carry_on(f, dt_s, m, n, how, &r)) {
        r.is_filtered = true;
        finish(f, m, n, how->air, &r);
        return r;
    }
    for (int i = 0; i < n; i++)
        m[i].use = wanted[i];
    struct gn_pvt_point point;
    double here[3];
    memcpy(here, f->x, sizeof here);
    struct gn_pvt_search search = {.air = how->air, .guess_m = f->is_set ? here : NULL,
            .mask_rad = how->mask_rad};
    if (!gn_pvt_raim(m, n, &search, &point)) {
        f->is_set = f->is_set && dt_s <= AGE_MAX_S;
        return r;
    }
    gn_filter_start(f, &point, how->isb_m);
    r.n_excluded = point.n_excluded;
    finish(f, m, n, how->air, &r);
    return r;
}
