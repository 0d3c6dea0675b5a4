/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* track.manager: which channel has which satellite, and what acquisition looks for next. */
#include "gnomon/block.h"
#include "lib/msg/nav.h"
#include "lib/msg/pvt.h"
#include "plugins/track/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHANNELS_MAX 128u
#define HITS_MAX     128u
#define WAY_S        0.02 /* declared delay of both outputs: cycles end here */
#define REJECT_S     10.0 /* positioning refuses it so long: it may sit on a false peak, look again */
#define RETAKE_S     30.0
#define THINK_S      0.05 /* grid on which searches are ordered */

enum {
    PORT_CLOCK,
    PORT_HITS,
    PORT_STATE,
    PORT_EPHEMERIDES,
    PORT_FIX,
    PORT_REQUESTS,
    PORT_ASSIGN
};

struct seat {
    uint8_t is_taken, signal;
    uint8_t i_sat;
};

struct manager {
    uint64_t signals; /* parameters */
    int64_t channels;

    struct schedule schedule;
    struct seat seats[CHANNELS_MAX];
    uint64_t next_tick; /* when to think about a search again */
    double rate_sps;
    double rejected_since_s[GN_SIG_COUNT][SCHEDULE_PRNS]; /* 0: is not rejected */
};

static const struct gn_port ports[] = {
        [PORT_CLOCK] = {.name = "clock",
                .dir = GN_IN,
                .formats = "any",
                .doc = "the samples acquisition hears; only their time is used"},
        [PORT_HITS] = {.name = "hits",
                .dir = GN_IN,
                .schema = &gn_schema_acq_hit,
                .doc = "signals found"},
        [PORT_STATE] = {.name = "state",
                .dir = GN_IN,
                .schema = &gn_schema_track_state,
                .doc = "what the channels do"},
        [PORT_EPHEMERIDES] = {.name = "ephemerides",
                .dir = GN_IN,
                .schema = &gn_schema_ephemeris,
                .flags = GN_PORT_OPTIONAL,
                .doc = "orbits"},
        [PORT_FIX] = {.name = "fix_state",
                .dir = GN_IN,
                .schema = &gn_schema_fix_state,
                .flags = GN_PORT_OPTIONAL,
                .doc = "what positioning knows of clock and satellites"},
        [PORT_REQUESTS] = {.name = "requests",
                .dir = GN_OUT,
                .schema = &gn_schema_acq_request,
                .delay_s = WAY_S,
                .doc = "what to look for"},
        [PORT_ASSIGN] = {.name = "assign",
                .dir = GN_OUT,
                .schema = &gn_schema_track_assign,
                .delay_s = WAY_S,
                .n_msgs_max = CHANNELS_MAX,
                .doc = "which channel takes what"},
};

static const struct gn_param params[] = {
        GN_PARAM_X("signals", struct manager, signals, GN_P_SET, "", "[GPS_L1CA, GAL_E1]", 0, 0,
                "signals to track", .choices = gn_signal_choices),
        GN_PARAM(struct manager, channels, GN_P_I64, "", "16", 1, CHANNELS_MAX,
                "how many channels there are: the `many` of track.channel"),
};

static gn_status start(void *state, const struct gn_host *h)
{
    struct manager *m = state;

    m->rate_sps = h->anchor->rate_sps;
    m->schedule.signals = m->signals;
    if (!(m->rate_sps > 0))
        return h->fail(h, GN_E_ARG, "clock", "the source has no sample rate");
    if (m->signals == 0)
        return h->fail(
                h, GN_E_ARG, "signals", "names no signal: write for example [GPS_L1CA, GAL_E1]");
    return GN_OK;
}

/* place of a satellite in the table; false: not one of ours */
static bool seat_index(uint32_t signal, uint32_t prn, uint32_t *ret)
{
    if (signal == GN_SIG_NONE || signal >= GN_SIG_COUNT || prn < gn_signal_table[signal].prn_min ||
            prn > gn_signal_table[signal].prn_max)
        return false;
    *ret = prn - gn_signal_table[signal].prn_min;
    return *ret < SCHEDULE_PRNS;
}

/* Where the code is at tick `to`, from where it was at tick `from`: delay of its start in chips. */
static double carry_over(
        const struct manager *m, const struct gn_msg_acq_hit *hit, uint64_t from, uint64_t to)
{
    const struct gn_signal_info *info = &gn_signal_table[hit->signal];
    double rate = 1 + hit->doppler_hz / GN_F_L1_HZ, n = info->code_chips;
    double since = (double)(int64_t)(to - from) / m->rate_sps * info->chip_rate_cps;
    double phase = fmod((since - hit->code_phase_chips) * rate, n); /* chips of code already past */
    double left = phase > 0 ? n - phase : -phase;

    return left / rate < n ? left / rate : 0;
}

static void assign(struct manager *m, const struct gn_host *h, const struct gn_msg *msg,
        uint32_t seat, uint32_t i_sat)
{
    const struct gn_msg_acq_hit *hit = msg->data;
    uint64_t at = msg->at + (uint64_t)llround(WAY_S * m->rate_sps);
    struct gn_msg_track_assign *a = h->msg_new(h, PORT_ASSIGN);

    *a = (struct gn_msg_track_assign){.signal = hit->signal,
            .prn = hit->prn,
            .channel = (uint8_t)seat,
            .hit_index = at,
            .doppler_hz = hit->doppler_hz,
            .cn0_dbhz = hit->cn0_dbhz,
            .code_phase_chips = carry_over(m, hit, msg->index, at)};
    h->msg_send(h, PORT_ASSIGN, msg->index, msg->at);
    m->seats[seat] = (struct seat){1, hit->signal, (uint8_t)i_sat};
    schedule_taken(&m->schedule, hit->signal, i_sat, (uint8_t)seat, hit->doppler_hz);
}

/* The seat for a hit: the one it has if positioning refuses it there, else the lowest free one. */
static bool choose_seat(struct manager *m, const struct gn_msg_acq_hit *hit, uint32_t i_sat,
        double now_s, uint32_t *ret)
{
    const struct sat *sat = &m->schedule.plans[hit->signal].sats[i_sat];

    if (sat->state != SAT_UNKNOWN) {
        double *since = &m->rejected_since_s[hit->signal][i_sat];
        if (*since <= 0 || now_s - *since < REJECT_S)
            return false;
        *since = now_s + RETAKE_S;
        *ret = sat->channel;
        return true;
    }
    for (uint32_t i = 0; i < (uint32_t)m->channels; i++)
        if (!m->seats[i].is_taken) {
            *ret = i;
            return true;
        }
    return false;
}

static int by_strength(const void *a, const void *b)
{
    const struct gn_msg *const *x = a, *const *y = b;
    const struct gn_msg_acq_hit *p = (*x)->data, *q = (*y)->data;

    if (p->cn0_dbhz != q->cn0_dbhz)
        return p->cn0_dbhz < q->cn0_dbhz ? 1 : -1;
    return p->signal != q->signal ? p->signal - q->signal : p->prn - q->prn;
}

/* The strongest first: when seats are short the weakest stand. */
static void take_hits(struct manager *m, const struct gn_host *h, const struct gn_work *w)
{
    const struct gn_msg *hits[HITS_MAX];
    uint32_t n = 0, i_sat, seat;

    for (uint32_t i = 0; i < w->n_msgs && n < HITS_MAX; i++)
        if (w->msgs[i].port == PORT_HITS)
            hits[n++] = &w->msgs[i];
    if (n > 1)
        qsort(hits, n, sizeof hits[0], by_strength);
    for (uint32_t i = 0; i < n; i++) {
        const struct gn_msg_acq_hit *hit = hits[i]->data;
        double now_s = (double)hits[i]->at / m->rate_sps;
        if (seat_index(hit->signal, hit->prn, &i_sat) && choose_seat(m, hit, i_sat, now_s, &seat))
            assign(m, h, hits[i], seat, i_sat);
    }
}

static void take_state(struct manager *m, const struct gn_msg *msg)
{
    const struct gn_msg_track_state *s = msg->data;
    uint32_t i_sat;

    if (s->channel >= CHANNELS_MAX || !seat_index(s->signal, s->prn, &i_sat))
        return;
    struct seat *seat = &m->seats[s->channel];
    if (!seat->is_taken || seat->signal != s->signal || seat->i_sat != i_sat)
        return; /* of a life that has been replaced */
    if (s->state == GN_TRACK_TRACKING)
        schedule_tracked(&m->schedule, s->signal, i_sat, s->doppler_hz);
    if (s->state == GN_TRACK_LOST) {
        seat->is_taken = 0;
        m->rejected_since_s[s->signal][i_sat] = 0;
        schedule_lost(&m->schedule, s->signal, i_sat, (double)msg->at / m->rate_sps);
    }
}

static void take_fix(struct manager *m, const struct gn_msg *msg)
{
    const struct gn_msg_fix_state *f = msg->data;
    double now_s = (double)msg->at / m->rate_sps;

    if (f->has_fix && isfinite(f->clock_drift)) {
        m->schedule.offset_hz = -f->clock_drift * GN_F_L1_HZ;
        m->schedule.has_offset = true;
    }
    for (uint32_t signal = 1; signal < GN_SIG_COUNT; signal++)
        for (uint32_t i = 0; i < SCHEDULE_PRNS; i++) {
            double *since = &m->rejected_since_s[signal][i];
            if ((f->reject_mask[signal] >> i & 1u) == 0)
                *since = 0;
            else if (*since <= 0)
                *since = now_s;
        }
}

static void request(struct manager *m, const struct gn_host *h, uint64_t now)
{
    struct gn_msg_acq_request r;

    m->next_tick += (uint64_t)(THINK_S * m->rate_sps) *
                    ((now - m->next_tick) / (uint64_t)(THINK_S * m->rate_sps) + 1);
    if (!schedule_next(&m->schedule, (double)now / m->rate_sps, &r))
        return;
    struct gn_msg_acq_request *out = h->msg_new(h, PORT_REQUESTS);
    *out = r;
    h->msg_send(h, PORT_REQUESTS, now, now);
}

static gn_status work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct manager *m = state;
    uint64_t now = w->in[0].index;

    for (uint32_t i = 0; i < w->n_msgs; i++) {
        if (w->msgs[i].port == PORT_STATE)
            take_state(m, &w->msgs[i]);
        else if (w->msgs[i].port == PORT_FIX)
            take_fix(m, &w->msgs[i]);
    }
    take_hits(m, h, w);
    /* searches are decided on a fixed grid of ticks, however the stream is cut */
    if (w->in[0].n_items > 0 && m->next_tick <= now)
        request(m, h, now);
    uint32_t left = w->in[0].n_items;
    if (m->next_tick > now && m->next_tick - now < left)
        left = (uint32_t)(m->next_tick - now);
    w->in[0].n_used = left;
    return GN_OK;
}

const struct gn_block gn_track_manager = {
        .name = "track.manager",
        .summary = "gives found satellites to channels and orders the searches",
        .doc = "A satellite has one channel, the lowest free one. Searches start with the whole "
               "sky at tick 0 and "
               "go deeper and rarer; a satellite just lost is looked for around its last Doppler. "
               "The common "
               "offset of the receiver's clock is learnt from what is tracked, then from the fix.",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct manager),
        .start = start,
        .work = work,
};
