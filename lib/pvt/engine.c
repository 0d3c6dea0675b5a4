/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/pvt/engine.h"

#include "lib/gnss/signal.h"
#include "lib/time/time.h"

#include <math.h>
#include <string.h>

#define CLK   6
#define DRIFT 7

#define FULL_ENOUGH     6    /* with so many full ephemerides the reduced ones are not wanted */
#define FIRST_SHIFT_M   30.0 /* a first clock worse than 0.1 us: observe the epoch again */
#define STEP_M          300.0 /* systems that differ by more than a microsecond are set to each other */
#define ISB             8
#define SUSPECT_S       30   /* a clock jump is remembered */
#define APART_CHI2      25.9 /* 3 degrees of freedom at 1e-5 */
#define APART_FLOOR_M   3.0  /* errors the formal covariance does not know: air, multipath */

void gn_engine_init(struct gn_engine *g, const struct gn_engine_config *config)
{
    memset(g, 0, sizeof *g);
    g->config = *config;
    g->air.iono = config->iono;
    g->air.tropo = config->tropo;
    g->suspect_until = INT64_MIN;
    gn_observe_init(&g->observe, config->rate_sps, config->epochs_per_s);
}

void gn_engine_model(struct gn_engine *g, const struct gn_msg_nav_model *m)
{
    for (int i = 0; i < 8; i++)
        if (!isfinite(m->v[i]))
            return;
    if (m->kind == GN_MODEL_KLOBUCHAR) {
        memcpy(g->air.klobuchar, m->v, sizeof g->air.klobuchar);
        g->air.has_klobuchar = true;
    } else if (m->kind == GN_MODEL_NEQUICK) {
        memcpy(g->air.ai, m->v, sizeof g->air.ai);
        g->air.has_ai = true;
    } else if (m->kind == GN_MODEL_UTC) {
        memcpy(g->utc, m->v, sizeof g->utc);
        g->has_utc = true;
    }
}

void gn_engine_alarm(struct gn_engine *g, const struct gn_msg_guard *m)
{
    uint32_t bit = m->kind < GN_GUARD_KIND_COUNT ? UINT32_C(1) << m->kind : 0;
    g->alarms = m->is_on && m->is_spoofing ? g->alarms | bit : g->alarms & ~bit;
}

static void set_air_time(struct gn_engine *g)
{
    const struct gn_observed_epoch *e = &g->epoch;
    struct gn_civil c = {.month = 3, .day = 21}, first;
    int64_t tai_s = gn_tai_from_gps(e->week < 0 ? 2000 : e->week, (int64_t)e->tow_s);
    int64_t year_s = tai_s;
    if (gn_civil_from_tai(GN_TIME_GPST, tai_s, &c) == GN_OK) {
        first = (struct gn_civil){.year = c.year, .month = 1, .day = 1};
        if (gn_tai_from_civil(GN_TIME_GPST, &first, &year_s) != GN_OK)
            year_s = tai_s;
    }
    g->air.tow_s = e->tow_s;
    g->air.day = 1 + (double)(tai_s - year_s) / 86400;
}

static int count_full(const struct gn_engine *g, const struct gn_shelf_want *want)
{
    int n = 0;
    for (int i = 0; i < g->epoch.n; i++) {
        const struct gn_observed *s = &g->epoch.sats[i];
        n += gn_shelf_get(&g->shelf, s->signal, s->prn, want) != NULL;
    }
    return n;
}

/* Measurements of the epoch for one solution. */
static void measure(const struct gn_engine *g, struct gn_engine_track *t, bool authentic_only)
{
    struct gn_shelf_want want = {.trust = &g->trust, .authentic_only = authentic_only,
            .week = g->epoch.week, .tow_s = g->epoch.tow_s};
    want.allow_reduced = !authentic_only && count_full(g, &want) < FULL_ENOUGH;
    t->n_meas = 0;
    for (int i = 0; i < g->epoch.n && t->n_meas < GN_PVT_MEAS_MAX; i++) {
        const struct gn_observed *s = &g->epoch.sats[i];
        const struct gn_ephemeris *eph = gn_shelf_get(&g->shelf, s->signal, s->prn, &want);
        struct gn_pvt_meas *m = &t->meas[t->n_meas];
        if (eph == NULL)
            continue;
        *m = (struct gn_pvt_meas){.has_rate = s->has_rate, .rate_mps = s->rate_mps,
                .sigma_rate_mps = s->sigma_rate_mps};
        gn_pvt_meas_set(m, eph, g->epoch.week, s->t_tx_s, s->raw_m, s->cn0_dbhz);
        t->n_meas++;
    }
}

static void solve(struct gn_engine *g, struct gn_engine_track *t, bool authentic_only)
{
    const struct gn_filter_how how = {.air = &g->air, .dynamics = g->config.dynamics,
            .mask_rad = g->config.mask_rad,
            .isb_m = g->all.filter.is_set ? g->all.filter.x[ISB] : 0};
    double dt_s = t->has_last
            ? (double)(g->observe.epoch - t->last_epoch) / g->config.epochs_per_s
            : HUGE_VAL;
    measure(g, t, authentic_only);
    t->result = gn_filter_epoch(&t->filter, dt_s, t->meas, t->n_meas, &how);
    if (t->result.has_fix) {
        t->last_epoch = g->observe.epoch;
        t->has_last = true;
    }
}

static void shift_clock(struct gn_engine *g, double shift_m)
{
    gn_observe_shift(&g->observe, shift_m);
    g->all.filter.x[CLK] -= shift_m;
    g->authentic.filter.x[CLK] -= shift_m;
}

static int count_signal(const struct gn_engine *g, uint8_t signal)
{
    int n = 0;
    for (int i = 0; i < g->epoch.n; i++)
        n += g->epoch.sats[i].signal == signal;
    return n;
}

/* The first fix says how wrong the guessed clock was: observe the same epoch at the right tick. */
static void first_fix(struct gn_engine *g, struct gn_engine_track *t, bool authentic_only)
{
    double *x = t->filter.x;
    bool is_galileo = t->result.n_used == t->result.n_galileo;
    if (is_galileo && g->observe.galileo_ahead_s != 0 && count_signal(g, GN_SIG_GPS_L1CA) > 0) {
        /* Galileo alone fixed, in a time of its own: the guess for GPS stands until GPS has a say */
        x[ISB] += x[CLK];
        x[CLK] = 0;
        g->observe.is_steered = true;
    }
    for (int i = 0; i < 3 && t->result.has_fix && !g->observe.is_steered; i++) {
        double shift_m = x[CLK];
        bool is_close = fabs(shift_m) < FIRST_SHIFT_M;
        shift_clock(g, shift_m);
        g->observe.is_steered = is_close;
        if (is_close)
            break;
        gn_observe_form(&g->observe, &g->epoch);
        t->filter.is_set = false;
        t->has_last = false;
        solve(g, t, authentic_only);
    }
    g->observe.is_steered = t->result.has_fix;
    g->first_tick0 = g->had_fix ? g->first_tick0 : g->observe.tick0;
    g->had_fix = g->had_fix || t->result.has_fix;
}

static double median(double *v, int n)
{
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && v[k] < v[k - 1]; k--) {
            double x = v[k];
            v[k] = v[k - 1];
            v[k - 1] = x;
        }
    return v[n / 2];
}

/* How late a system is as a whole against what the filter expects; 0 when it cannot be told. */
static double lateness(const struct gn_engine *g, uint8_t signal, double dt_s)
{
    double late_m[GN_PVT_MEAS_MAX];
    struct gn_filter f = g->all.filter;
    int n = 0;
    gn_filter_predict(&f, dt_s, g->config.dynamics, 1);
    for (int i = 0; i < g->all.n_meas; i++) {
        const struct gn_pvt_meas *m = &g->all.meas[i];
        struct gn_pvt_predicted p;
        if (m->signal != signal)
            continue;
        gn_pvt_predict(m, f.x, f.x + 3, &g->air, &p);
        late_m[n++] = m->pr_m - p.range_m - f.x[CLK] - (m->is_galileo ? f.x[ISB] : 0);
    }
    return n > 0 ? median(late_m, n) : 0;
}

/* A system that joins a running filter: set its time to the other's when they differ by more than a GGTO. */
static void welcome(struct gn_engine *g)
{
    static const uint8_t signals[2] = {GN_SIG_GPS_L1CA, GN_SIG_GAL_E1};
    for (int i = 0; i < 2 && g->all.filter.is_set && g->all.has_last; i++) {
        if (g->observe.is_known[signals[i]] || !g->observe.is_known[signals[1 - i]])
            continue;
        measure(g, &g->all, false);
        double dt_s = (double)(g->observe.epoch - g->all.last_epoch) / g->config.epochs_per_s;
        double late_m = lateness(g, signals[i], dt_s);
        if (fabs(late_m) <= STEP_M)
            continue;
        if (signals[i] == GN_SIG_GPS_L1CA) {
            gn_observe_set_gps(&g->observe, late_m);
            gn_observe_form(&g->observe, &g->epoch);
        } else
            gn_filter_set_isb(&g->all.filter, g->all.filter.x[ISB] + late_m);
    }
}

static void note_known(struct gn_engine *g)
{
    for (int i = 0; i < g->all.n_meas && g->all.result.has_fix; i++)
        if (g->all.meas[i].use)
            g->observe.is_known[g->all.meas[i].signal] = true;
}

static void watch_rejects(struct gn_engine *g)
{
    for (int i = 0; i < g->all.n_meas; i++) {
        const struct gn_pvt_meas *m = &g->all.meas[i];
        uint8_t *n = &g->n_rejected[m->is_galileo][m->prn % GN_SHELF_PRNS];
        bool is_rejected = g->all.result.has_fix && !m->use &&
                m->elevation_rad >= g->config.mask_rad;
        *n = is_rejected ? (uint8_t)(*n + (*n < UINT8_MAX)) : 0;
    }
}

static bool is_forged_heard(const struct gn_engine *g)
{
    for (int i = 0; i < g->epoch.n; i++)
        if (gn_shelf_is_forged(&g->shelf, g->epoch.sats[i].signal, g->epoch.sats[i].prn, &g->trust))
            return true;
    return false;
}

/* What the measurements themselves say is wrong with them: reflections show here, a consistent forgery not. */
static double residual_m(const struct gn_engine_track *t)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < t->n_meas; i++) {
        if (!t->meas[i].use)
            continue;
        sum += t->meas[i].residual_m * t->meas[i].residual_m;
        n++;
    }
    return n > 0 ? sqrt(sum / n) : 0;
}

/* The two solutions lie farther apart than both can be wrong. */
static bool is_apart(const struct gn_engine *g)
{
    const struct gn_filter *a = &g->all.filter, *b = &g->authentic.filter;
    struct gn_normal eq = {.n = 3};
    if (!g->all.result.has_fix || !g->authentic.result.has_fix)
        return false;
    double d[3], chi2 = 0, floor_m = hypot(APART_FLOOR_M, hypot(residual_m(&g->all), residual_m(&g->authentic)));
    for (int i = 0; i < 3; i++) {
        d[i] = a->x[i] - b->x[i];
        for (int k = 0; k <= i; k++)
            eq.a[i][k] = a->p[i][k] + b->p[i][k] +
                    (i == k ? floor_m * floor_m : 0);
        eq.b[i] = d[i];
    }
    double x[GN_NORMAL_MAX];
    if (!gn_normal_solve(&eq, x))
        return true; /* nonsense is suspect */
    for (int i = 0; i < 3; i++)
        chi2 += d[i] * x[i];
    return !(chi2 <= APART_CHI2);
}

static void watch(struct gn_engine *g)
{
    bool jumped = g->all.result.clock_jump_m != 0 || g->authentic.result.clock_jump_m != 0;
    int64_t now = g->observe.epoch;
    if (jumped)
        g->suspect_until = now + (int64_t)SUSPECT_S * g->config.epochs_per_s;
    else if ((g->alarms != 0 || is_forged_heard(g) || is_apart(g)) && g->suspect_until < now)
        g->suspect_until = now;
}

bool gn_engine_step(struct gn_engine *g, bool flush, struct gn_engine_out *ret)
{
    memset(ret, 0, sizeof *ret);
    if (!gn_observe_ready(&g->observe, flush))
        return false;
    gn_observe_form(&g->observe, &g->epoch);
    set_air_time(g);
    welcome(g);
    solve(g, &g->all, false);
    if (!g->observe.is_steered && g->all.result.has_fix)
        first_fix(g, &g->all, false);
    note_known(g);
    solve(g, &g->authentic, true);
    if (g->all.result.clock_jump_m != 0)
        shift_clock(g, g->all.result.clock_jump_m);
    watch_rejects(g);
    watch(g);
    ret->has_obs = g->epoch.n > 0;
    ret->has_all = g->all.result.has_fix;
    ret->has_authentic = g->authentic.result.has_fix;
    ret->index = g->epoch.tick > 0 ? (uint64_t)llround(g->epoch.tick) : 0;
    return true;
}

void gn_engine_done(struct gn_engine *g)
{
    const double *x = g->all.filter.x;
    gn_observe_next(&g->observe, g->all.result.has_fix, x[CLK], x[DRIFT]);
}
