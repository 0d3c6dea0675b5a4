/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Who is on which channel, and what acquisition shall look for.
 *
 *   hits ---> free channel? ---> assign          lost ---> narrow search around the last Doppler
 *   clock --> every so often: what is not tracked? ---> request, deeper and rarer each time
 *
 * The stream input is only a clock: time passes also while nothing is found. */
#include "gnomon/block.h"
#include "lib/gnss/signal.h"
#include "lib/msg/nav.h"
#include "lib/msg/pvt.h"
#include "lib/msg/track.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define CHANNELS_MAX  128u
#define PRNS          64u   /* bits of a mask */
#define GRID_S        0.1   /* decisions fall on this grid */
#define SEARCH_S      1.0   /* time a search may take until its hits have come */
#define AGAIN_HALF_HZ 400.0 /* a lost satellite is looked for this close to where it was */
#define AGAIN_TRIES   5u
#define COMMON_HZ     2000.0 /* a common offset below this is not worth a center */

enum { PORT_CLOCK, PORT_HITS, PORT_STATE, PORT_EPHEMERIDES, PORT_FIX, PORT_REQUESTS, PORT_ASSIGN };

struct seat {
    uint8_t signal, prn, is_taken, is_tracking;
    double doppler_hz;
};

struct lost {
    uint8_t n_tries;
    double doppler_hz;
};

struct manager {
    uint64_t signals;
    int64_t n_channels;

    double rate_sps;
    uint64_t grid, next_grid;  /* ticks */
    uint64_t busy_until;       /* acquisition has an order until then */
    uint64_t next_round;       /* tick of the next search for all that is missing */
    uint32_t n_rounds;
    struct seat seats[CHANNELS_MAX];
    struct lost lost[GN_SIG_COUNT][PRNS];
};

static const struct gn_port ports[] = {
        [PORT_CLOCK] = {.name = "clock", .dir = GN_IN, .formats = "any",
                .doc = "the samples acquisition hears; only their time is used"},
        [PORT_HITS] = {.name = "hits", .dir = GN_IN, .schema = &gn_schema_acq_hit,
                .doc = "what acquisition found"},
        [PORT_STATE] = {.name = "state", .dir = GN_IN, .schema = &gn_schema_track_state,
                .doc = "what became of the channels"},
        [PORT_EPHEMERIDES] = {.name = "ephemerides", .dir = GN_IN, .flags = GN_PORT_OPTIONAL,
                .schema = &gn_schema_ephemeris, .doc = "orbits"},
        [PORT_FIX] = {.name = "fix_state", .dir = GN_IN, .flags = GN_PORT_OPTIONAL,
                .schema = &gn_schema_fix_state, .doc = "where the receiver is"},
        [PORT_REQUESTS] = {.name = "requests", .dir = GN_OUT, .schema = &gn_schema_acq_request,
                .delay_s = 0.02, .doc = "what acquisition shall look for"},
        [PORT_ASSIGN] = {.name = "assign", .dir = GN_OUT, .schema = &gn_schema_track_assign,
                .delay_s = 0.02, .n_msgs_max = CHANNELS_MAX, .doc = "who tracks what"},
};

static const struct gn_param params[] = {
        GN_PARAM_X("signals", struct manager, signals, GN_P_SET, "", "[GPS_L1CA, GAL_E1]", 0, 0,
                "signals to receive", .choices = gn_signal_choices),
        GN_PARAM_X("channels", struct manager, n_channels, GN_P_I64, "", "16", 1, CHANNELS_MAX,
                "how many track.channel instances there are", .flags = 0),
};

/* When a round of effort i comes after the one before, seconds; then the last two alternate. */
static const struct {
    double wait_s;
    uint32_t effort;
} rounds[] = {{0, 0}, {0.7, 1}, {1.5, 2}, {2.5, 3}, {5, 2}, {10, 3}, {15, 2}, {30, 3}};

static gn_status start(void *state, const struct gn_host *h)
{
    struct manager *m = state;

    m->rate_sps = h->anchor->rate_sps;
    if (!(m->rate_sps > 0))
        return h->fail(h, GN_E_ARG, "clock", "the source has no sample rate");
    m->grid = (uint64_t)(GRID_S * m->rate_sps);
    return GN_OK;
}

static uint32_t bit_of(uint8_t signal, uint8_t prn)
{
    return prn - gn_signal_table[signal].prn_min;
}

static bool is_ours(const struct manager *m, uint8_t signal, uint8_t prn)
{
    if (signal == GN_SIG_NONE || signal >= GN_SIG_COUNT || (m->signals >> (signal - 1) & 1u) == 0)
        return false;
    return prn >= gn_signal_table[signal].prn_min && prn <= gn_signal_table[signal].prn_max;
}

static struct seat *seat_of(struct manager *m, uint8_t signal, uint8_t prn)
{
    for (int64_t i = 0; i < m->n_channels; i++)
        if (m->seats[i].is_taken && m->seats[i].signal == signal && m->seats[i].prn == prn)
            return &m->seats[i];
    return NULL;
}

static struct seat *free_seat(struct manager *m)
{
    for (int64_t i = 0; i < m->n_channels; i++)
        if (!m->seats[i].is_taken)
            return &m->seats[i];
    return NULL;
}

static void take_hit(struct manager *m, const struct gn_host *h, const struct gn_msg *msg)
{
    const struct gn_msg_acq_hit *hit = msg->data;

    if (!is_ours(m, hit->signal, hit->prn) || seat_of(m, hit->signal, hit->prn) != NULL)
        return;
    struct seat *seat = free_seat(m);
    if (seat == NULL)
        return;
    *seat = (struct seat){hit->signal, hit->prn, 1, 0, hit->doppler_hz};
    m->lost[hit->signal][bit_of(hit->signal, hit->prn)].n_tries = 0;
    struct gn_msg_track_assign *a = h->msg_new(h, PORT_ASSIGN);
    a->signal = hit->signal;
    a->prn = hit->prn;
    a->channel = (uint8_t)(seat - m->seats);
    a->hit_index = msg->index;
    a->doppler_hz = hit->doppler_hz;
    a->code_phase_chips = hit->code_phase_chips;
    a->cn0_dbhz = hit->cn0_dbhz;
    h->msg_send(h, PORT_ASSIGN, msg->index, msg->at);
}

static void take_state(struct manager *m, const struct gn_msg_track_state *s)
{
    struct seat *seat = &m->seats[s->channel % CHANNELS_MAX];

    if (!is_ours(m, s->signal, s->prn) || !seat->is_taken || seat->signal != s->signal || seat->prn != s->prn)
        return;
    if (s->state == GN_TRACK_TRACKING) {
        seat->is_tracking = 1;
        seat->doppler_hz = s->doppler_hz;
    } else if (s->state == GN_TRACK_LOST) {
        struct lost *l = &m->lost[s->signal][bit_of(s->signal, s->prn)];
        if (seat->is_tracking) /* one that was never tracked was no satellite: the rounds will tell */
            *l = (struct lost){AGAIN_TRIES, s->doppler_hz};
        *seat = (struct seat){0};
    }
}

static void take_messages(struct manager *m, const struct gn_host *h, const struct gn_work *w)
{
    for (uint32_t i = 0; i < w->n_msgs; i++) {
        if (w->msgs[i].port == PORT_HITS)
            take_hit(m, h, &w->msgs[i]);
        else if (w->msgs[i].port == PORT_STATE)
            take_state(m, w->msgs[i].data);
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Offset common to all that is tracked: the receiver's clock. NaN while too few tell. */
static double common_offset_hz(const struct manager *m)
{
    double doppler[CHANNELS_MAX];
    uint32_t n = 0;

    for (int64_t i = 0; i < m->n_channels; i++)
        if (m->seats[i].is_tracking)
            doppler[n++] = m->seats[i].doppler_hz;
    if (n < 4)
        return NAN;
    qsort(doppler, n, sizeof doppler[0], by_value);
    double middle = 0.5 * (doppler[(n - 1) / 2] + doppler[n / 2]);
    return fabs(middle) > COMMON_HZ ? middle : (double)NAN;
}

static void send_request(struct manager *m, const struct gn_host *h, const struct gn_msg_acq_request *r,
        uint64_t now)
{
    *(struct gn_msg_acq_request *)h->msg_new(h, PORT_REQUESTS) = *r;
    h->msg_send(h, PORT_REQUESTS, now, now);
    m->busy_until = now + (uint64_t)(SEARCH_S * m->rate_sps);
}

/* One lost satellite at a time, close to where it was. */
static bool ask_for_lost(struct manager *m, const struct gn_host *h, uint64_t now)
{
    for (uint8_t s = 1; s < GN_SIG_COUNT; s++)
        for (uint32_t i = 0; i < PRNS; i++) {
            struct lost *l = &m->lost[s][i];
            if (l->n_tries == 0)
                continue;
            l->n_tries--;
            struct gn_msg_acq_request r = {.doppler_center_hz = l->doppler_hz, .doppler_half_hz = AGAIN_HALF_HZ,
                    .effort = l->n_tries + 1u < AGAIN_TRIES ? 3 : 2};
            r.prn_mask[s] = UINT64_C(1) << i;
            send_request(m, h, &r, now);
            return true;
        }
    return false;
}

static void ask_for_missing(struct manager *m, const struct gn_host *h, uint64_t now)
{
    uint32_t last = GN_COUNT(rounds) - 1;
    uint32_t i = m->n_rounds <= last ? m->n_rounds : last - (m->n_rounds - last) % 2;
    uint32_t next = m->n_rounds + 1 <= last ? m->n_rounds + 1 : last - (m->n_rounds + 1 - last) % 2;
    struct gn_msg_acq_request r = {.doppler_center_hz = common_offset_hz(m), .doppler_half_hz = NAN,
            .effort = rounds[i].effort};

    for (uint8_t s = 1; s < GN_SIG_COUNT; s++)
        for (uint8_t prn = (uint8_t)gn_signal_table[s].prn_min; prn <= gn_signal_table[s].prn_max; prn++)
            if (is_ours(m, s, prn) && seat_of(m, s, prn) == NULL)
                r.prn_mask[s] |= UINT64_C(1) << bit_of(s, prn);
    m->n_rounds++;
    m->next_round = now + (uint64_t)(rounds[next].wait_s * m->rate_sps);
    if (free_seat(m) != NULL)
        send_request(m, h, &r, now);
}

static void decide(struct manager *m, const struct gn_host *h, uint64_t now)
{
    if (now < m->busy_until)
        return;
    if (free_seat(m) != NULL && ask_for_lost(m, h, now))
        return;
    if (now >= m->next_round)
        ask_for_missing(m, h, now);
}

static gn_status work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct manager *m = state;
    struct gn_in *in = &w->in[0];

    take_messages(m, h, w);
    if (in->index >= m->next_grid) {
        decide(m, h, m->next_grid);
        m->next_grid = (in->index / m->grid + 1) * m->grid;
    }
    uint64_t left = m->next_grid - in->index;
    in->n_used = in->n_items < left ? in->n_items : (uint32_t)left;
    return GN_OK;
}

const struct gn_block gn_track_manager = {
        .name = "track.manager",
        .summary = "gives satellites to channels, asks acquisition for what is missing",
        .ports = ports,
        .n_ports = GN_COUNT(ports),
        .params = params,
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct manager),
        .start = start,
        .work = work,
};
