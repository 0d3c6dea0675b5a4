/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* modem.channel: the air between node 1 and node 2. A frame is on the air from the tick its message counts.
 *
 *   std.null_source > channel.clock     channel.a = what node 1 hears (all but itself), channel.b = node 2
 *   mac1.tx, mac2.tx > channel.tx       a third sender (node 0, 3, ...) is heard by both
 */
#include "lib/modem/oqpsk.h"
#include "lib/msg/frame.h"
#include "plugins/modem/blocks.h"

#include <math.h>

#define FLYING_MAX 16u
#define CHIPS_MAX  ((GN_OQPSK_HEAD + GN_OQPSK_BYTES_MAX) * 2u * GN_OQPSK_CHIPS)
#define PI         3.14159265358979323846

struct flying {
    double start;      /* tick, with fraction */
    double cfo_hz;
    float amplitude;
    uint32_t n_chips;  /* 0: free */
    uint8_t node;
    int8_t chips[CHIPS_MAX];
};

struct channel {
    double snr_db, cfo_hz, sfo_ppm, echo_db, echo_delay_s, relay_delay_s, collisions; /* parameters */
    int64_t seed;
    double rate_sps;
    float sigma;       /* of each of I and Q */
    uint64_t random[2]; /* noise, collisions */
    struct flying flying[FLYING_MAX];
};

static const struct gn_port ports[] = {
        {.name = "clock", .doc = "any samples at the rate of the air: only their number counts", .dir = GN_IN, .formats = "cf32"},
        {.name = "tx", .doc = "frames to be sent, node says by whom; any number of links", .dir = GN_IN,
                .schema = &gn_schema_frame_sent, .flags = GN_PORT_OPTIONAL},
        {.name = "a", .doc = "what node 1 hears", .dir = GN_OUT, .formats = "cf32"},
        {.name = "b", .doc = "what node 2 hears", .dir = GN_OUT, .formats = "cf32"},
};

static const struct gn_param params[] = {
        GN_PARAM_X("snr_db", struct channel, snr_db, GN_P_F64, "", "20", -30, 200, "signal to noise in 2 MHz, dB", .flags = 0),
        GN_PARAM_X("cfo_hz", struct channel, cfo_hz, GN_P_F64, "Hz", "0", -250e3, 250e3,
                "carrier of node 1 against node 2", .flags = 0),
        GN_PARAM_X("sfo_ppm", struct channel, sfo_ppm, GN_P_F64, "", "0", -100, 100,
                "chip clock of node 1 against node 2, parts in a million", .flags = 0),
        GN_PARAM_X("echo_db", struct channel, echo_db, GN_P_F64, "", "-200", -200, 0, "second path against the first, dB", .flags = 0),
        GN_PARAM_X("echo_delay", struct channel, echo_delay_s, GN_P_F64, "s", "0.5 us", 0, 1e-5, "delay of the second path", .flags = 0),
        GN_PARAM_X("relay_delay", struct channel, relay_delay_s, GN_P_F64, "s", "0", 0, 1, "every frame arrives so much later", .flags = 0),
        GN_PARAM_X("collisions", struct channel, collisions, GN_P_F64, "", "0", 0, 1,
                "chance that somebody else's frame falls on a frame", .flags = 0),
        GN_PARAM(struct channel, seed, GN_P_I64, "", "1", 0, 0, "of noise and collisions"),
};

static double uniform(uint64_t *r)
{
    *r = *r * 6364136223846793005ULL + 1442695040888963407ULL;
    return ((double)(*r >> 11) + 0.5) / 9007199254740992.0;
}

static gn_status channel_start(void *state, const struct gn_host *h)
{
    struct channel *c = state;
    c->rate_sps = h->anchor->rate_sps;
    if (gn_oqpsk_spc(c->rate_sps) == 0)
        return h->fail(h, GN_E_ARG, "clock", "rate %.0f Hz is no multiple of 2 MHz from 4 to 32 MHz", c->rate_sps);
    c->sigma = (float)sqrt(pow(10, -c->snr_db / 10) * c->rate_sps / GN_OQPSK_CHIP_SPS);
    c->random[0] = (uint64_t)c->seed * 2654435761U + 1;
    c->random[1] = ~c->random[0];
    for (uint32_t i = 0; i < FLYING_MAX; i++)
        c->flying[i].n_chips = 0;
    return GN_OK;
}

static struct flying *free_place(struct channel *c)
{
    for (uint32_t i = 0; i < FLYING_MAX; i++)
        if (c->flying[i].n_chips == 0)
            return &c->flying[i];
    return NULL;
}

static void launch(struct channel *c, const struct gn_msg_frame *m, double start)
{
    struct flying *f = free_place(c);
    if (f == NULL || m->n > GN_PSDU_MAX)
        return;
    f->start = start + c->relay_delay_s * c->rate_sps;
    f->node = m->node;
    f->cfo_hz = m->node == 1 ? c->cfo_hz : m->node == 2 ? -c->cfo_hz : 0;
    f->amplitude = (float)pow(10, (double)m->power_dbfs / 20);
    f->n_chips = (uint32_t)gn_oqpsk_chips_of(m->psdu, m->n, f->chips);
}

static void disturb(struct channel *c, const struct gn_msg_frame *m, double start)
{
    struct gn_msg_frame other = {.n = 20, .node = 0};
    if (uniform(&c->random[1]) >= c->collisions)
        return;
    for (uint32_t i = 0; i < other.n; i++)
        other.psdu[i] = (uint8_t)(256 * uniform(&c->random[1]));
    double length = (double)(m->n + GN_OQPSK_HEAD) * 32e-6 * c->rate_sps;
    launch(c, &other, start + length * (uniform(&c->random[1]) - 0.3));
}

static void wave(const struct channel *c, const struct flying *f, double tick, float sum[2])
{
    double t = tick - f->start, ppm = f->node == 1 ? c->sfo_ppm : f->node == 2 ? -c->sfo_ppm : 0;
    double chips = GN_OQPSK_CHIP_SPS / c->rate_sps * (1 + ppm * 1e-6);
    float s[2], echo[2], gain = (float)pow(10, c->echo_db / 20);
    gn_oqpsk_at(f->chips, f->n_chips, t * chips, s);
    if (c->echo_db > -190) {
        gn_oqpsk_at(f->chips, f->n_chips, t * chips - c->echo_delay_s * GN_OQPSK_CHIP_SPS, echo);
        s[0] += gain * echo[0];
        s[1] += gain * echo[1];
    }
    double a = 2 * PI * fmod(f->cfo_hz / c->rate_sps * t, 1.0);
    float re = f->amplitude * (float)cos(a), im = f->amplitude * (float)sin(a);
    sum[0] += s[0] * re - s[1] * im;
    sum[1] += s[0] * im + s[1] * re;
}

/* A frame that begins and ends in `n` ticks from `tick`, on to[n][2]. */
static void add(struct channel *c, struct flying *f, uint64_t tick, size_t n, float *a, float *b)
{
    double end = f->start + (f->n_chips + 24) * c->rate_sps / GN_OQPSK_CHIP_SPS;
    for (size_t i = 0; i < n; i++) {
        double at = (double)(tick + i);
        float s[2] = {0, 0};
        if (at < f->start || at > end)
            continue;
        wave(c, f, at, s);
        for (unsigned r = 0; r < 2; r++) {
            a[2 * i + r] += f->node != 1 ? s[r] : 0;
            b[2 * i + r] += f->node != 2 ? s[r] : 0;
        }
    }
    if ((double)(tick + n) > end)
        f->n_chips = 0;
}

/* One pair of normal numbers for each of the two antennas. */
static void add_noise(struct channel *c, size_t n, float *a, float *b)
{
    for (size_t i = 0; i < n; i++) {
        float *to[2] = {a + 2 * i, b + 2 * i};
        for (unsigned k = 0; k < 2; k++) {
            float r = c->sigma * sqrtf(-logf((float)uniform(&c->random[0]))), phi = (float)(2 * PI * uniform(&c->random[0]));
            to[k][0] = r * cosf(phi);
            to[k][1] = r * sinf(phi);
        }
    }
}

static gn_status channel_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct channel *c = state;
    struct gn_in *in = &w->in[0];
    (void)h;
    for (uint32_t i = 0; i < w->n_msgs; i++) {
        disturb(c, w->msgs[i].data, (double)w->msgs[i].at);
        launch(c, w->msgs[i].data, (double)w->msgs[i].at);
    }
    uint32_t n = in->n_items;
    n = n < w->out[0].n_room ? n : w->out[0].n_room;
    n = n < w->out[1].n_room ? n : w->out[1].n_room;
    add_noise(c, n, w->out[0].items, w->out[1].items);
    for (uint32_t i = 0; i < FLYING_MAX; i++)
        if (c->flying[i].n_chips > 0)
            add(c, &c->flying[i], in->index, n, w->out[0].items, w->out[1].items);
    in->n_used = w->out[0].n_made = w->out[1].n_made = n;
    return GN_OK;
}

const struct gn_block gn_modem_channel = {
        .name = "modem.channel",
        .summary = "the air between two nodes: noise, offsets, echo, collisions, relay",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct channel),
        .start = channel_start,
        .work = channel_work,
};
