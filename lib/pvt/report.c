/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* From the engine's state to messages. */
#include "lib/gnss/signal.h"
#include "lib/pvt/engine.h"
#include "lib/time/time.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CLK   6
#define DRIFT 7
#define ISB   8
#define DEG   (180 / 3.14159265358979323846)
#define REJECTS_MAX 10

/* indexes of gn_msg_nav_model.v for UTC */
enum { UTC_DT_LS = 2, UTC_WN_LSF = 5, UTC_DN = 6, UTC_DT_LSF = 7 };

static int32_t week_out(int32_t week)
{
    return week < 0 ? GN_FIX_WEEK_UNKNOWN : week;
}

void gn_engine_obs(const struct gn_engine *g, struct gn_msg_obs *ret)
{
    const struct gn_observed_epoch *e = &g->epoch;
    ret->week = week_out(e->week);
    ret->tow_s = e->tow_s;
    ret->n_sats = (uint32_t)e->n;
    for (int i = 0; i < e->n; i++) {
        const struct gn_observed *s = &e->sats[i];
        ret->sats[i] = (struct gn_obs_sat){.signal = s->signal, .prn = s->prn, .flags = s->flags,
                .pseudorange_m = s->pseudorange_m, .carrier_cycles = s->carrier_cycles,
                .doppler_hz = s->doppler_hz, .cn0_dbhz = s->cn0_dbhz, .lock_s = s->lock_s};
    }
}

/* GPS - UTC by what the satellites say, with the announced second in its place; false: they have not. */
static bool civil_by_broadcast(const struct gn_engine *g, int64_t tai_s, struct gn_civil *c)
{
    double now = g->utc[UTC_DT_LS], next = g->utc[UTC_DT_LSF], wn = g->utc[UTC_WN_LSF];
    if (!g->has_utc || !(fabs(now) < 200) || !(fabs(next) < 200))
        return false;
    int32_t leap = (int32_t)now;
    if (wn >= 1024 && wn < 100000 && g->utc[UTC_DN] >= 1 && g->utc[UTC_DN] <= 7) {
        int64_t change_s = gn_tai_from_gps((int32_t)wn, (int64_t)g->utc[UTC_DN] * 86400) + leap;
        if (tai_s >= change_s + (next > now ? 1 : 0))
            leap = (int32_t)next;
        else if (next > now && tai_s == change_s) { /* inside the inserted second */
            bool ok = gn_utc_from_gps_leap(tai_s - 1, leap, c) == GN_OK;
            c->second = 60;
            return ok;
        }
    }
    return gn_utc_from_gps_leap(tai_s, leap, c) == GN_OK;
}

static void set_utc(const struct gn_engine *g, char utc[32])
{
    const struct gn_observed_epoch *e = &g->epoch;
    struct gn_civil c;
    double whole_s = floor(e->tow_s + 1e-9);
    utc[0] = 0;
    if (e->week < 0)
        return;
    int64_t tai_s = gn_tai_from_gps(e->week, (int64_t)whole_s);
    if (!civil_by_broadcast(g, tai_s, &c) && gn_civil_from_tai(GN_TIME_UTC, tai_s, &c) != GN_OK)
        return;
    unsigned ms = (unsigned)lround(fmax(e->tow_s - whole_s, 0) * 1000) % 1000;
    (void)snprintf(utc, 32, "%04u-%02u-%02uT%02u:%02u:%02u.%03uZ", (unsigned)c.year % 10000,
            (unsigned)c.month % 100, (unsigned)c.day % 100, (unsigned)c.hour % 100,
            (unsigned)c.minute % 100, (unsigned)c.second % 100, ms);
}

/* Receiver clock minus GPS time: the recording's claim for index 0 and its sample count, or without one a
 * clock that was right at the first fix. */
static double clock_bias_s(const struct gn_engine *g, const struct gn_filter *f)
{
    const struct gn_observe *o = &g->observe;
    const struct gn_anchor *a = g->config.anchor;
    double bias_s = f->x[CLK] / GN_C_MPS;
    if (a == NULL || !a->has_t0 || o->week < 0)
        return bias_s + (o->tick0 - g->first_tick0) / o->rate_sps;
    int64_t whole_s = a->t0_tai_s - gn_tai_from_gps(o->week, o->tow0_s);
    return bias_s + ((double)whole_s + a->t0_frac_s + o->tick0 / o->rate_sps);
}

static void set_sats(const struct gn_engine *g, const struct gn_engine_track *t, bool is_suspected,
        struct gn_msg_pvt_fix *ret)
{
    int n_authentic = 0, n_unverified = 0;
    for (int i = 0; i < t->n_meas; i++) {
        const struct gn_pvt_meas *m = &t->meas[i];
        if (!m->use || ret->n_used >= GN_PVT_SATS_MAX)
            continue;
        enum gn_content_trust trust = gn_trust_of(&g->trust, m->eph);
        n_authentic += trust == GN_CONTENT_AUTHENTIC;
        n_unverified += trust == GN_CONTENT_TIME_UNVERIFIED;
        ret->sats[ret->n_used++] = (struct gn_pvt_sat){.signal = m->signal, .prn = m->prn,
                .residual_m = (float)m->residual_m, .elevation_rad = (float)m->elevation_rad,
                .azimuth_rad = (float)m->azimuth_rad};
    }
    ret->trust = gn_trust_label((int)ret->n_used, n_authentic, n_unverified, is_suspected);
}

static void set_quality(const struct gn_engine_track *t, const struct gn_geo *geo,
        struct gn_msg_pvt_fix *ret)
{
    struct gn_pvt_dops d = gn_pvt_dop(t->meas, t->n_meas, t->filter.x);
    double r[3][3], local[3] = {0};
    gn_enu_rotation(geo, r);
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                local[i] += r[i][a] * t->filter.p[a][b] * r[i][b];
    ret->dop = (struct gn_pvt_dop){(float)d.g, (float)d.p, (float)d.h, (float)d.v};
    ret->sigma_h_m = sqrt(local[0] + local[1]);
    ret->sigma_v_m = sqrt(local[2]);
}

void gn_engine_fix(const struct gn_engine *g, enum gn_solution which, struct gn_msg_pvt_fix *ret)
{
    const struct gn_engine_track *t = which == GN_SOLUTION_AUTHENTICATED ? &g->authentic : &g->all;
    const double *x = t->filter.x;
    struct gn_geo geo = gn_geo_from_ecef(x);
    ret->week = week_out(g->epoch.week);
    ret->tow_s = g->epoch.tow_s;
    ret->solution = (uint8_t)which;
    ret->is_filtered = t->result.is_filtered;
    ret->raim_excluded = (uint8_t)(t->result.n_excluded > 255 ? 255 : t->result.n_excluded);
    set_utc(g, ret->utc);
    ret->lat_deg = geo.lat_rad * DEG;
    ret->lon_deg = geo.lon_rad * DEG;
    ret->height_m = geo.height_m;
    memcpy(ret->ecef_m, x, sizeof ret->ecef_m);
    memcpy(ret->vel_ecef_mps, x + 3, sizeof ret->vel_ecef_mps);
    ret->clock_bias_s = clock_bias_s(g, &t->filter);
    ret->clock_drift = x[DRIFT] / GN_C_MPS;
    ret->n_used = 0;
    set_sats(g, t, g->suspect_until >= g->observe.epoch, ret);
    bool has_gps = false, has_galileo = false;
    for (uint32_t i = 0; i < ret->n_used; i++) {
        has_gps = has_gps || ret->sats[i].signal == GN_SIG_GPS_L1CA;
        has_galileo = has_galileo || ret->sats[i].signal == GN_SIG_GAL_E1;
    }
    ret->ggto_m = has_gps && has_galileo ? x[ISB] - GN_C_MPS * g->observe.galileo_ahead_s : (double)NAN;
    set_quality(t, &geo, ret);
}

void gn_engine_state(const struct gn_engine *g, enum gn_solution which, struct gn_msg_fix_state *ret)
{
    const struct gn_engine_track *t = which == GN_SOLUTION_AUTHENTICATED ? &g->authentic : &g->all;
    ret->has_fix = t->result.has_fix;
    ret->week = week_out(g->epoch.week);
    ret->tow_s = g->epoch.tow_s;
    if (t->result.has_fix) {
        memcpy(ret->ecef_m, t->filter.x, sizeof ret->ecef_m);
        ret->clock_drift = t->filter.x[DRIFT] / GN_C_MPS;
    }
    static const uint8_t signals[2] = {GN_SIG_GPS_L1CA, GN_SIG_GAL_E1};
    for (int s = 0; s < 2; s++)
        for (unsigned prn = 1; prn < GN_SHELF_PRNS; prn++)
            if (g->n_rejected[s][prn] >= REJECTS_MAX)
                ret->reject_mask[signals[s]] |= (uint64_t)1 << (prn - 1);
}
