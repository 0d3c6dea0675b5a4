/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/pvt/observe.h"

#include "lib/gnss/signal.h"

#include <math.h>
#include <string.h>

#define GRID_S         0.1
#define WAIT_S         0.2
#define REACH_S        0.06  /* farther from the epoch an observation is not carried */
#define SKIP_S         1.0
#define TRAVEL_GPS_S   0.068 /* of the nearest satellite, straight above */
#define TRAVEL_GAL_S   0.069 /* not the true 77 ms: a guess that keeps all of them below 90 ms */
#define SIGMA_PHASE_MPS 0.05 /* carrier differences over 200 ms */

/* Travel times a receiver near the Earth can see: GPS 67 ms overhead to 86 at the horizon, Galileo 77 to 97. */
static const struct {
    double min_s, max_s;
} travel[GN_SIG_COUNT] = {[GN_SIG_GPS_L1CA] = {0.060, 0.090}, [GN_SIG_GAL_E1] = {0.060, 0.100}};

static double fold(double dt_s)
{
    return dt_s - GN_WEEK_S * floor(dt_s / GN_WEEK_S + 0.5);
}

void gn_observe_init(struct gn_observe *o, double rate_sps, uint32_t epochs_per_s)
{
    memset(o, 0, sizeof *o);
    o->rate_sps = rate_sps;
    o->epochs_per_s = epochs_per_s;
    o->week = -1;
}

static bool same_life(const struct gn_msg_nav_time *t, const struct gn_msg_track_obs *obs)
{
    return t->life == obs->life && t->signal == obs->signal && t->prn == obs->prn;
}

void gn_observe_time(struct gn_observe *o, const struct gn_msg_nav_time *t)
{
    struct gn_observe_channel *c = &o->channels[t->channel];
    if (t->signal == GN_SIG_NONE || t->signal >= GN_SIG_COUNT || !isfinite(t->tow_s))
        return;
    c->has_time = t->valid != 0;
    c->time = *t;
    if (o->is_set && o->week < 0 && t->wn >= 0 && t->valid) {
        /* the origin lies within half a week of this time */
        double dt = t->tow_s - (double)o->tow0_s;
        o->week = t->wn + (int32_t)lround((dt - fold(dt)) / GN_WEEK_S);
    }
}

void gn_observe_obs(struct gn_observe *o, uint64_t index, const struct gn_msg_track_obs *obs)
{
    struct gn_observe_channel *c = &o->channels[obs->channel];
    if (c->n > 0 && (c->kept[0].obs.life != obs->life || c->kept[0].obs.prn != obs->prn ||
                            c->kept[0].obs.signal != obs->signal || c->kept[0].index >= index))
        c->n = 0;
    memmove(&c->kept[1], &c->kept[0], (GN_OBSERVE_KEPT - 1) * sizeof c->kept[0]);
    c->kept[0] = (struct gn_observe_point){.index = index, .obs = *obs};
    c->n += c->n < GN_OBSERVE_KEPT;
    if (!o->has_newest || index > o->newest)
        o->newest = index;
    o->has_newest = true;
}

static bool is_usable(const struct gn_observe_channel *c)
{
    uint8_t signal = c->n > 0 ? c->kept[0].obs.signal : GN_SIG_NONE;
    return c->has_time && same_life(&c->time, &c->kept[0].obs) &&
            (signal == GN_SIG_GPS_L1CA || signal == GN_SIG_GAL_E1);
}

/* Second of week of transmission minus ref_s, folded: small, so its bits hold millimetres. */
static double transmitted(const struct gn_observe_channel *c, const struct gn_msg_track_obs *obs,
        double ref_s)
{
    double symbols = obs->symbol >= c->time.symbol ? (double)(obs->symbol - c->time.symbol)
                                                   : -(double)(c->time.symbol - obs->symbol);
    return fold(c->time.tow_s - ref_s) + symbols * gn_signal_table[obs->signal].symbol_s +
            obs->symbol_phase_s;
}

/* The first reading of the clock: at one tick of the grid, the newest transmit time of a system plus
 * the travel time of its nearest possible satellite. */
static bool guess(struct gn_observe *o)
{
    const struct gn_observe_channel *best = NULL;
    double best_tx_s = 0, ref_s = 0;
    for (int i = 0; i < GN_OBSERVE_CHANNELS; i++) {
        const struct gn_observe_channel *c = &o->channels[i];
        if (!is_usable(c) || c->kept[0].index != o->newest ||
                !(c->kept[0].obs.flags & GN_OBS_CODE_VALID))
            continue;
        if (best == NULL)
            ref_s = floor(c->time.tow_s);
        double tx_s = transmitted(c, &c->kept[0].obs, ref_s);
        bool is_gps = c->time.signal == GN_SIG_GPS_L1CA;
        bool best_is_gps = best != NULL && best->time.signal == GN_SIG_GPS_L1CA;
        if (best == NULL || (is_gps && !best_is_gps) || (is_gps == best_is_gps && tx_s > best_tx_s)) {
            best = c;
            best_tx_s = tx_s;
        }
    }
    if (best == NULL)
        return false;
    double now_s = best_tx_s +
            (best->time.signal == GN_SIG_GPS_L1CA ? TRAVEL_GPS_S : TRAVEL_GAL_S);
    double whole_s = floor(now_s); /* the second begun before the newest observation is the origin */
    double origin_s = ref_s + whole_s;
    double weeks = floor(origin_s / GN_WEEK_S);
    o->tow0_s = (int64_t)(origin_s - weeks * GN_WEEK_S);
    o->tick0 = (double)o->newest - (now_s - whole_s) * o->rate_sps;
    o->week = -1;
    o->bias_m = o->drift_mps = o->galileo_ahead_s = 0;
    o->is_set = true;
    o->is_steered = false;
    for (int i = 0; i < GN_OBSERVE_CHANNELS && o->week < 0; i++)
        if (is_usable(&o->channels[i]))
            gn_observe_time(o, &o->channels[i].time);
    o->epoch = (int64_t)ceil((now_s - whole_s) * o->epochs_per_s - 1e-6);
    return true;
}

static double epoch_s(const struct gn_observe *o)
{
    return (double)o->epoch / o->epochs_per_s;
}

static double epoch_tick(const struct gn_observe *o)
{
    return o->tick0 + o->rate_sps * (epoch_s(o) + o->bias_m / GN_C_MPS);
}

static void settle_systems(struct gn_observe *o);

bool gn_observe_ready(struct gn_observe *o, bool flush)
{
    if (!o->has_newest)
        return false;
    if (!o->is_set && !guess(o))
        return false;
    double behind_s = ((double)o->newest - epoch_tick(o)) / o->rate_sps;
    if (behind_s > SKIP_S) { /* nothing was heard for a while: those epochs have no observations */
        int64_t n = (int64_t)((behind_s - SKIP_S) * o->epochs_per_s);
        o->epoch += n;
        o->bias_m += o->drift_mps * (double)n / o->epochs_per_s;
    }
    if (o->has_last && epoch_tick(o) < o->last_tick + o->rate_sps / (2 * o->epochs_per_s)) {
        o->epoch++; /* a new guess must not repeat an epoch */
        o->bias_m += o->drift_mps / o->epochs_per_s;
    }
    /* the observation after the epoch's own gives the carrier difference across it; channels send those
     * of one tick within some milliseconds, so the one after that shows that all are here */
    double wait_ticks = flush ? 0 : WAIT_S * o->rate_sps;
    if ((double)o->newest < epoch_tick(o) + wait_ticks)
        return false;
    settle_systems(o);
    return true;
}

/* Carrier difference across kept[i], in cycles per second of the free clock. */
static bool carrier_rate(const struct gn_observe *o, const struct gn_observe_channel *c, uint32_t i,
        double *cycles_per_s)
{
    if (i == 0 || i + 1 >= c->n)
        return false;
    const struct gn_observe_point *a = &c->kept[i + 1], *b = &c->kept[i - 1];
    uint32_t slips = (c->kept[i].obs.flags | b->obs.flags) & GN_OBS_SLIP;
    if (!(a->obs.flags & b->obs.flags & GN_OBS_CARRIER_VALID) || slips)
        return false;
    double dt_s = (double)(b->index - a->index) / o->rate_sps;
    if (dt_s > 2.5 * GRID_S)
        return false;
    *cycles_per_s = (b->obs.carrier_cycles - a->obs.carrier_cycles) / dt_s;
    /* a slip the channel did not see: the loop's own frequency knows better */
    return fabs(*cycles_per_s + c->kept[i].obs.doppler_hz) < 5;
}

static void set_rate(const struct gn_observe *o, const struct gn_observe_channel *c, uint32_t i,
        double dt_s, struct gn_observed *s)
{
    const double wavelength_m = GN_C_MPS / GN_F_L1_HZ;
    const struct gn_msg_track_obs *obs = &c->kept[i].obs;
    double bend_hz = isfinite(obs->doppler_rate_hzps) ? obs->doppler_rate_hzps * dt_s : 0;
    double cycles_per_s = -obs->doppler_hz;
    double noise_mps = 0.2 * pow(10, -(obs->cn0_dbhz - 40) / 20);
    s->sigma_rate_mps = hypot(SIGMA_PHASE_MPS, noise_mps);
    if (carrier_rate(o, c, i, &cycles_per_s))
        s->sigma_rate_mps = hypot(SIGMA_PHASE_MPS, noise_mps / 4);
    cycles_per_s -= bend_hz;
    s->rate_mps = wavelength_m * cycles_per_s;
    s->has_rate = isfinite(s->rate_mps);
    /* as a clock without error would have counted: exact in the drift */
    double drift = o->drift_mps / GN_C_MPS;
    s->doppler_hz = -cycles_per_s * (1 + drift) + GN_F_L1_HZ * drift;
    s->carrier_cycles = obs->carrier_cycles + cycles_per_s * dt_s -
            GN_F_L1_HZ * o->bias_m / GN_C_MPS;
}

/* The observation nearest to a tick; NULL: none within reach. */
static const struct gn_observe_point *nearest(const struct gn_observe *o,
        const struct gn_observe_channel *c, double tick, uint32_t *i_best)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < c->n; i++)
        if (fabs((double)c->kept[i].index - tick) < fabs((double)c->kept[best].index - tick))
            best = i;
    const struct gn_observe_point *p = &c->kept[best];
    double dt_s = (tick - (double)p->index) / o->rate_sps;
    *i_best = best;
    return fabs(dt_s) <= REACH_S && (p->obs.flags & GN_OBS_CODE_VALID) ? p : NULL;
}

/* Epoch minus transmit time, both in the time of the satellite's system. */
static double travel_s(const struct gn_observe *o, const struct gn_observe_channel *c,
        const struct gn_observe_point *p, double tick)
{
    const struct gn_msg_track_obs *obs = &p->obs;
    double dt_s = (tick - (double)p->index) / o->rate_sps, doppler = obs->doppler_hz;
    if (isfinite(obs->doppler_rate_hzps))
        doppler += obs->doppler_rate_hzps * dt_s / 2;
    double tx_s = transmitted(c, obs, (double)o->tow0_s + epoch_s(o)) +
            dt_s * (1 + doppler / GN_F_L1_HZ);
    return (obs->signal == GN_SIG_GAL_E1 ? o->galileo_ahead_s : 0) - tx_s;
}

static bool is_travel(uint8_t signal, double t_s)
{
    return t_s >= travel[signal].min_s && t_s <= travel[signal].max_s;
}

static bool observe(const struct gn_observe *o, const struct gn_observe_channel *c, double tick,
        struct gn_observed *s)
{
    uint32_t i;
    const struct gn_observe_point *p = nearest(o, c, tick, &i);
    if (p == NULL)
        return false;
    const struct gn_msg_track_obs *obs = &p->obs;
    double t_s = travel_s(o, c, p, tick);
    double now_s = (double)o->tow0_s + epoch_s(o);
    if (!is_travel(obs->signal, t_s))
        return false;
    now_s += obs->signal == GN_SIG_GAL_E1 ? o->galileo_ahead_s : 0;
    *s = (struct gn_observed){.signal = obs->signal, .prn = obs->prn, .channel = obs->channel,
            .flags = obs->flags, .t_tx_s = now_s - t_s, .pseudorange_m = GN_C_MPS * t_s,
            .raw_m = GN_C_MPS * t_s + o->bias_m, .cn0_dbhz = obs->cn0_dbhz,
            .lock_s = obs->lock_s};
    set_rate(o, c, i, (tick - (double)p->index) / o->rate_sps, s);
    return true;
}

/* How many satellites of a system are heard at the epoch, how many at a possible distance, and the travel
 * time of the nearest. */
static int survey(const struct gn_observe *o, uint8_t signal, int *n_possible, double *least_s)
{
    int n = 0;
    double tick = epoch_tick(o);
    *n_possible = 0;
    *least_s = HUGE_VAL;
    for (int k = 0; k < GN_OBSERVE_CHANNELS; k++) {
        const struct gn_observe_channel *c = &o->channels[k];
        uint32_t i;
        if (!is_usable(c) || c->kept[0].obs.signal != signal)
            continue;
        const struct gn_observe_point *p = nearest(o, c, tick, &i);
        if (p == NULL)
            continue;
        double t_s = travel_s(o, c, p, tick);
        *n_possible += is_travel(signal, t_s);
        *least_s = fmin(*least_s, t_s);
        n++;
    }
    return n;
}

/* A whole system at impossible distances tells another time than the other one: let it have its own. */
static void settle_systems(struct gn_observe *o)
{
    int n_possible;
    double least_s;
    if (!o->is_known[GN_SIG_GAL_E1] && survey(o, GN_SIG_GAL_E1, &n_possible, &least_s) > 0 &&
            n_possible == 0)
        o->galileo_ahead_s += TRAVEL_GAL_S - least_s;
    if (!o->is_known[GN_SIG_GPS_L1CA] && o->is_known[GN_SIG_GAL_E1] &&
            survey(o, GN_SIG_GPS_L1CA, &n_possible, &least_s) > 0 && n_possible == 0)
        gn_observe_set_gps(o, GN_C_MPS * (least_s - TRAVEL_GPS_S));
}

/* Order by signal and satellite; of two channels on one satellite the longer locked one counts. */
static void insert(struct gn_observed_epoch *e, const struct gn_observed *s)
{
    int at = 0;
    while (at < e->n && (e->sats[at].signal < s->signal ||
                                (e->sats[at].signal == s->signal && e->sats[at].prn < s->prn)))
        at++;
    if (at < e->n && e->sats[at].signal == s->signal && e->sats[at].prn == s->prn) {
        if (s->lock_s > e->sats[at].lock_s)
            e->sats[at] = *s;
        return;
    }
    if (e->n == GN_PVT_SATS_MAX)
        return;
    memmove(&e->sats[at + 1], &e->sats[at], (size_t)(e->n - at) * sizeof e->sats[0]);
    e->sats[at] = *s;
    e->n++;
}

void gn_observe_form(const struct gn_observe *o, struct gn_observed_epoch *ret)
{
    double tow = (double)o->tow0_s + epoch_s(o), weeks = floor(tow / GN_WEEK_S);
    ret->n = 0;
    ret->tow_s = tow - weeks * GN_WEEK_S;
    ret->week = o->week < 0 ? -1 : o->week + (int32_t)weeks;
    ret->tick = epoch_tick(o);
    for (int i = 0; i < GN_OBSERVE_CHANNELS; i++) {
        struct gn_observed s;
        if (is_usable(&o->channels[i]) && observe(o, &o->channels[i], ret->tick, &s))
            insert(ret, &s);
    }
    for (int i = 0; i < ret->n; i++)
        ret->sats[i].t_tx_s -= weeks * GN_WEEK_S;
}

void gn_observe_shift(struct gn_observe *o, double shift_m)
{
    o->tick0 += o->rate_sps * shift_m / GN_C_MPS;
}

void gn_observe_set_gps(struct gn_observe *o, double late_m)
{
    double late_s = late_m / GN_C_MPS, whole_s = round(late_s);
    o->tick0 += o->rate_sps * (late_s - whole_s);
    o->tow0_s -= (int64_t)whole_s; /* seconds are renamed: no epoch is skipped or repeated */
    while (o->tow0_s < 0 || o->tow0_s >= GN_WEEK_S) {
        int32_t up = o->tow0_s < 0 ? 1 : -1;
        o->tow0_s += up * GN_WEEK_S;
        o->week -= o->week >= 0 ? up : 0;
    }
    o->galileo_ahead_s += late_s;
}

void gn_observe_next(struct gn_observe *o, bool has_fix, double bias_m, double drift_mps)
{
    o->last_tick = epoch_tick(o);
    o->has_last = true;
    if (!has_fix && !o->is_steered) {
        o->is_set = false; /* a guess is only good for its own epoch */
        return;
    }
    if (has_fix) {
        o->bias_m = bias_m;
        o->drift_mps = drift_mps;
    }
    o->bias_m += o->drift_mps / o->epochs_per_s;
    o->epoch++;
}

void gn_observe_forget(struct gn_observe *o)
{
    o->is_set = o->is_steered = false;
}
