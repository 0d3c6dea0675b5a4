/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/guard/watch.h"

#include "lib/gnss/signal.h"

#include <math.h>
#include <string.h>

#define NEW_SLOTS    3  /* the present */
#define OLD_FROM     35 /* the past it is held against, slots ago */
#define OLD_TO       6
#define DECIDE_SLOTS 10
#define CALM_SLOTS   10   /* a disturbance is over after so long without one */
#define FREEZE_SLOTS 1200 /* a change that stays is the new normal */
#define SETTLE_SLOTS 50   /* after it C/N0 may climb back */
#define FEW          4    /* satellites: fewer say nothing */
#define LOST_DB      (-12.0)
#define CLOCK_GOOD   10
#define C_MPS        299792458.0

const struct gn_watch_limits gn_watch_limits = {.level_db = 1.0,
        .colour = 0.04,
        .kurtosis = 0.1,
        .weaker_db = 2.0,
        .stronger_db = 4.0,
        .clock_m = 100,
        .drift_mps = 5,
        .apart_m = 30};

void gn_watch_init(struct gn_watch *w)
{
    memset(w, 0, sizeof *w);
    w->disturbed_from = w->disturbed_last = -FREEZE_SLOTS;
    w->all_t_s = -1;
    for (uint32_t i = 0; i < GN_WATCH_CHANNELS; i++) {
        w->channels[i].last = -1;
        for (uint32_t k = 0; k < GN_WATCH_KEPT; k++)
            w->channels[i].slot[k] = -1;
    }
}

static void push(struct gn_watch *w, const struct gn_msg_guard *m)
{
    if (w->n_out < GN_WATCH_OUT)
        w->out[w->n_out++] = *m;
}

static void raise(struct gn_watch *w, struct gn_msg_guard m)
{
    w->kinds[m.kind].last = w->slot;
    if (w->kinds[m.kind].is_on)
        return;
    w->kinds[m.kind].is_on = true;
    m.is_on = 1;
    push(w, &m);
}

static void calm_down(struct gn_watch *w)
{
    for (uint8_t k = 1; k < GN_GUARD_KIND_COUNT; k++) {
        if (!w->kinds[k].is_on || w->slot - w->kinds[k].last < GN_WATCH_HOLD)
            continue;
        w->kinds[k].is_on = false;
        push(w, &(struct gn_msg_guard){.kind = k, .value = NAN, .limit = NAN});
    }
}

/* ---- C/N0
 * ---------------------------------------------------------------------------------------- */

void gn_watch_obs(struct gn_watch *w, int64_t slot, const struct gn_msg_track_obs *obs)
{
    struct gn_watch_channel *c = &w->channels[obs->channel];
    if (c->signal != obs->signal || c->prn != obs->prn) {
        *c = (struct gn_watch_channel){.signal = obs->signal, .prn = obs->prn};
        for (uint32_t k = 0; k < GN_WATCH_KEPT; k++)
            c->slot[k] = -1;
        w->cn0_calm[obs->channel] = 0;
    }
    if ((obs->flags & GN_OBS_CODE_VALID) == 0 || !isfinite(obs->cn0_dbhz) || slot < 0)
        return;
    c->slot[slot % GN_WATCH_KEPT] = slot;
    c->cn0_dbhz[slot % GN_WATCH_KEPT] = (float)obs->cn0_dbhz;
    c->last = slot;
}

/* Mean over the slots from <= s <= to; not a number when most are missing. */
static double mean_cn0(const struct gn_watch_channel *c, int64_t from, int64_t to)
{
    double sum = 0;
    int n = 0;
    for (int64_t s = from < 0 ? 0 : from; s <= to; s++) {
        if (c->slot[s % GN_WATCH_KEPT] != s)
            continue;
        sum += (double)c->cn0_dbhz[s % GN_WATCH_KEPT];
        n++;
    }
    return 2 * n > to - from ? sum / n : (double)NAN;
}

/* Mean change since the disturbance began, over the satellites heard then; a lost one has lost
 * LOST_DB. */
static double change_since_calm(const struct gn_watch *w, int *n)
{
    double sum = 0;
    *n = 0;
    for (uint32_t i = 0; i < GN_WATCH_CHANNELS; i++) {
        if (!(w->cn0_calm[i] > 0))
            continue;
        double now = mean_cn0(&w->channels[i], w->slot - 3, w->slot - 1);
        sum += isnan(now) ? LOST_DB : fmax(now - (double)w->cn0_calm[i], LOST_DB);
        (*n)++;
    }
    return *n > 0 ? sum / *n : 0;
}

static void remember_calm(struct gn_watch *w)
{
    for (uint32_t i = 0; i < GN_WATCH_CHANNELS; i++) {
        double cn0 = mean_cn0(&w->channels[i], w->slot - OLD_FROM + 5, w->slot - OLD_TO);
        w->cn0_calm[i] = isnan(cn0) ? 0.0f : (float)cn0;
    }
}

/* Most satellites became stronger within a second, and the input shows no disturbance. */
static void watch_cn0(struct gn_watch *w)
{
    int n = 0, n_up = 0;
    double sum = 0;
    if (w->slot - w->disturbed_last < SETTLE_SLOTS)
        return;
    for (uint32_t i = 0; i < GN_WATCH_CHANNELS; i++) {
        double now = mean_cn0(&w->channels[i], w->slot - 4, w->slot - 1);
        double before = mean_cn0(&w->channels[i], w->slot - 25, w->slot - 16);
        if (isnan(now) || isnan(before))
            continue;
        n++;
        n_up += now - before > gn_watch_limits.stronger_db;
        sum += now - before;
    }
    if (n >= FEW + 1 && n_up * 10 >= n * 7)
        raise(w, (struct gn_msg_guard){.kind = GN_GUARD_CN0_JUMP,
                         .is_spoofing = 1,
                         .value = sum / n,
                         .limit = gn_watch_limits.stronger_db});
}

/* ---- the input
 * ----------------------------------------------------------------------------------- */

static struct gn_shape mean_shape(const struct gn_watch *w, int64_t ago_from, int64_t ago_to)
{
    struct gn_shape m = {0};
    double n = (double)(ago_from - ago_to + 1);
    for (int64_t ago = ago_to; ago <= ago_from; ago++) {
        const struct gn_shape *s = &w->shapes[(w->n_shapes - 1 - ago) % GN_WATCH_KEPT];
        m.power_db += s->power_db / n;
        m.kurtosis += s->kurtosis / n;
        for (uint32_t k = 0; k < GN_SHAPE_LAGS; k++)
            for (int c = 0; c < 2; c++)
                m.rho[k][c] += s->rho[k][c] / n;
    }
    return m;
}

static bool differs(const struct gn_shape *a, const struct gn_shape *b)
{
    return fabs(a->power_db - b->power_db) > gn_watch_limits.level_db ||
           fabs(a->kurtosis - b->kurtosis) > gn_watch_limits.kurtosis ||
           gn_shape_colour(a, b) > gn_watch_limits.colour;
}

/* A second after it began: whose fault is it? A front end that turns its gain changes power alone.
 */
static void decide(struct gn_watch *w, const struct gn_shape *now)
{
    int n;
    double change_db = change_since_calm(w, &n), level_db = now->power_db - w->calm.power_db;
    bool is_odd = fabs(now->kurtosis - w->calm.kurtosis) > gn_watch_limits.kurtosis;
    bool is_weaker = n >= FEW && change_db < -gn_watch_limits.weaker_db;
    bool is_coloured = gn_shape_colour(now, &w->calm) > gn_watch_limits.colour;
    w->is_jammed = w->is_jammed || is_odd || is_weaker;
    if (w->is_jammed)
        raise(w, (struct gn_msg_guard){.kind = GN_GUARD_JAMMING,
                         .value = change_db,
                         .limit = -gn_watch_limits.weaker_db});
    else if (w->slot - w->disturbed_from >= DECIDE_SLOTS)
        raise(w, (struct gn_msg_guard){.kind = GN_GUARD_LEVEL_JUMP,
                         .is_spoofing = is_coloured && n >= FEW,
                         .value = level_db,
                         .limit = gn_watch_limits.level_db});
}

static void watch_input(struct gn_watch *w)
{
    if (w->n_shapes <= OLD_FROM)
        return;
    struct gn_shape now = mean_shape(w, NEW_SLOTS - 1, 0);
    bool is_disturbed =
            w->slot - w->disturbed_last < CALM_SLOTS && w->slot - w->disturbed_from < FREEZE_SLOTS;
    if (!is_disturbed) {
        w->calm = mean_shape(w, OLD_FROM, OLD_TO);
        w->is_jammed = false;
    }
    if (!differs(&now, &w->calm))
        return;
    if (!is_disturbed) {
        w->disturbed_from = w->slot;
        remember_calm(w);
    }
    w->disturbed_last = w->slot;
    decide(w, &now);
}

void gn_watch_shape(struct gn_watch *w, int64_t slot, const struct gn_shape *shape)
{
    w->slot = slot;
    w->shapes[w->n_shapes++ % GN_WATCH_KEPT] = *shape;
    watch_input(w);
    watch_cn0(w);
    calm_down(w);
}

void gn_watch_gap(struct gn_watch *w)
{
    w->n_shapes = 0;
    w->clock.n_good = 0;
    w->disturbed_last = w->slot; /* C/N0 settles anew */
}

/* ---- data
 * ---------------------------------------------------------------------------------------- */

static void content_of(const struct gn_ephemeris *e, double ret[24])
{
    const double v[24] = {e->sqrt_a, e->e, e->i0_rad, e->idot_rps, e->omega0_rad, e->omegadot_rps,
            e->omega_rad, e->m0_rad, e->delta_n_rps, e->cuc_rad, e->cus_rad, e->crc_m, e->crs_m,
            e->cic_rad, e->cis_rad, e->toc_s, e->af0_s, e->af1, e->af2, e->tgd_s};
    memcpy(ret, v, sizeof v);
}

void gn_watch_ephemeris(struct gn_watch *w, const struct gn_ephemeris *eph)
{
    if ((eph->signal != GN_SIG_GPS_L1CA && eph->signal != GN_SIG_GAL_E1) ||
            eph->prn >= GN_WATCH_PRNS || eph->source == GN_EPH_SRC_INAV_RED ||
            eph->source == GN_EPH_SRC_RINEX)
        return;
    unsigned system = eph->signal == GN_SIG_GAL_E1;
    struct gn_watch_issue now = {.is_set = true,
                                  .issue = (uint32_t)eph->iode << 16 | eph->iodc,
                                  .toe_s = eph->toe_s},
                          *list = w->issues[system][eph->prn];
    content_of(eph, now.content);
    for (uint32_t i = 0; i < GN_WATCH_ISSUES; i++) {
        if (!list[i].is_set || list[i].issue != now.issue || list[i].toe_s < now.toe_s ||
                list[i].toe_s > now.toe_s)
            continue;
        if (memcmp(list[i].content, now.content, sizeof now.content) == 0)
            return;
        raise(w, (struct gn_msg_guard){.kind = GN_GUARD_DATA_CHANGE,
                         .is_spoofing = 1,
                         .signal = eph->signal,
                         .prn = eph->prn,
                         .value = NAN,
                         .limit = NAN});
    }
    uint8_t *next = &w->next_issue[system][eph->prn];
    list[*next] = now;
    *next = (uint8_t)((*next + 1) % GN_WATCH_ISSUES);
}

void gn_watch_forged(struct gn_watch *w)
{
    raise(w, (struct gn_msg_guard){.kind = GN_GUARD_FORGED,
                     .is_spoofing = 1,
                     .value = (double)NAN,
                     .limit = (double)NAN});
}

/* ---- fixes
 * --------------------------------------------------------------------------------------- */

static void watch_clock(struct gn_watch *w, double t_s, const struct gn_msg_pvt_fix *fix)
{
    struct gn_watch_clock *c = &w->clock;
    struct gn_watch_clock now = {
            .t_s = t_s, .bias_m = fix->clock_bias_s * C_MPS, .drift_mps = fix->clock_drift * C_MPS};
    double dt_s = t_s - c->t_s;
    bool follows = c->n_good > 0 && dt_s > 0 && dt_s < 2.5 && fix->is_filtered;
    double step_m = now.bias_m - c->bias_m - dt_s * (now.drift_mps + c->drift_mps) / 2;
    double drift_mps = now.drift_mps - c->drift_mps;
    if (follows && c->n_good >= CLOCK_GOOD && fabs(step_m) > gn_watch_limits.clock_m)
        raise(w, (struct gn_msg_guard){.kind = GN_GUARD_CLOCK_JUMP,
                         .is_spoofing = 1,
                         .value = step_m,
                         .limit = gn_watch_limits.clock_m});
    else if (follows && c->n_good >= CLOCK_GOOD && fabs(drift_mps) > gn_watch_limits.drift_mps)
        raise(w, (struct gn_msg_guard){.kind = GN_GUARD_CLOCK_JUMP,
                         .is_spoofing = 1,
                         .value = drift_mps,
                         .limit = gn_watch_limits.drift_mps});
    now.n_good = follows ? c->n_good + 1 : 1;
    *c = now;
}

/* Reflections show as residuals; what a forger makes consistent does not. */
static double residual_m(const struct gn_msg_pvt_fix *fix)
{
    double sum = 0;
    for (uint32_t i = 0; i < fix->n_used && i < GN_PVT_SATS_MAX; i++)
        sum += (double)fix->sats[i].residual_m * (double)fix->sats[i].residual_m;
    return fix->n_used > 0 ? sqrt(sum / fix->n_used) : 0;
}

static void watch_apart(struct gn_watch *w, double t_s, const struct gn_msg_pvt_fix *fix)
{
    double sum = 0;
    if (fabs(t_s - w->all_t_s) > 0.5)
        return;
    for (int i = 0; i < 3; i++)
        sum += (fix->ecef_m[i] - w->all.ecef_m[i]) * (fix->ecef_m[i] - w->all.ecef_m[i]);
    double sigma_m =
            hypot(hypot(fix->sigma_h_m, fix->sigma_v_m), hypot(w->all.sigma_h_m, w->all.sigma_v_m));
    double limit_m =
            gn_watch_limits.apart_m + 5 * sigma_m + 5 * hypot(residual_m(fix), residual_m(&w->all));
    if (sqrt(sum) > limit_m)
        raise(w, (struct gn_msg_guard){.kind = GN_GUARD_POSITION_APART,
                         .is_spoofing = 1,
                         .value = sqrt(sum),
                         .limit = limit_m});
}

void gn_watch_fix(struct gn_watch *w, double t_s, const struct gn_msg_pvt_fix *fix)
{
    if (fix->solution == GN_SOLUTION_AUTHENTICATED) {
        watch_apart(w, t_s, fix);
        return;
    }
    watch_clock(w, t_s, fix);
    w->all = *fix;
    w->all_t_s = t_s;
}
