/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* modem.oqpsk_demod: samples in, IEEE 802.15.4 frames out. */
#include "lib/modem/rx.h"
#include "lib/msg/frame.h"
#include "plugins/modem/blocks.h"

#include <string.h>

#define FRAMES_MAX 64u /* of one call: a frame is at least 288 us, a call at most a few ms */
#define ZEROS      1024u

struct demod {
    uint8_t bad_fcs; /* parameter */
    struct gn_oqpsk_rx *rx; /* owned: start() makes it, stop() frees it */
    uint64_t tick_num, tick_den; /* ticks an item */
    uint64_t first_tick; /* of item 0 since the last gap */
    uint64_t n_items;
    bool is_begun;
};

static const struct gn_port ports[] = {
        {.name = "in", .doc = "samples at a multiple of 2 MHz, the channel in the middle", .dir = GN_IN,
                .formats = "cf32 ci16 ci8"},
        {.name = "frames", .doc = "frames in order; index: first sample of the preamble", .dir = GN_OUT,
                .schema = &gn_schema_frame, .n_msgs_max = FRAMES_MAX},
};

static const struct gn_param params[] = {
        GN_PARAM(struct demod, bad_fcs, GN_P_BOOL, "", "false", 0, 0,
                "hand out frames with a wrong frame check sequence too (fcs_ok false)"),
};

static gn_status demod_plan(void *state, const struct gn_host *h, struct gn_plan *plan)
{
    struct demod *d = state;
    (void)h;
    d->tick_num = plan->in[0].tick_num;
    d->tick_den = plan->in[0].tick_den;
    return GN_OK;
}

static gn_status demod_start(void *state, const struct gn_host *h)
{
    struct demod *d = state;
    struct gn_error err = {0};
    double rate_sps = h->anchor->rate_sps * (double)d->tick_den / (double)d->tick_num;
    if (!(rate_sps > 0))
        return h->fail(h, GN_E_ARG, "in", "the source has no sample rate; say it there");
    if (gn_oqpsk_rx_new(rate_sps, &d->rx, &err) != GN_OK)
        return h->fail(h, err.status, "in", "%s", err.text);
    d->is_begun = false;
    return GN_OK;
}

static uint64_t tick_of(const struct demod *d, uint64_t item)
{
    return d->first_tick + item * d->tick_num / d->tick_den;
}

static void send(const struct demod *d, const struct gn_host *h, const struct gn_oqpsk_frame *f)
{
    struct gn_msg_frame *m = h->msg_new(h, 1);
    *m = (struct gn_msg_frame){.n = f->n, .fcs_ok = f->fcs_ok, .lqi = f->lqi, .snr_db = f->snr_db, .cfo_hz = f->cfo_hz,
            .sfo_ppm = f->sfo_ppm, .power_dbfs = f->power_dbfs, .end_sample = tick_of(d, f->end)};
    memcpy(m->psdu, f->psdu, f->n);
    h->msg_send(h, 1, tick_of(d, f->start), tick_of(d, f->known_at));
}

static void take(struct demod *d, const struct gn_host *h, const float *iq, size_t n)
{
    struct gn_oqpsk_frame f;
    while (n > 0) {
        size_t n_used = gn_oqpsk_rx_push(d->rx, iq, n);
        iq += 2 * n_used;
        n -= n_used;
        while (gn_oqpsk_rx_next(d->rx, d->bad_fcs != 0, &f))
            send(d, h, &f);
    }
}

/* Integer samples become fractions of full scale. */
static void take_integers(struct demod *d, const struct gn_host *h, const void *items, uint32_t format, size_t n)
{
    float iq[ZEROS][2];
    const int16_t *wide = items;
    const int8_t *narrow = items;
    for (size_t done = 0; done < n;) {
        size_t k = n - done < ZEROS ? n - done : ZEROS;
        for (size_t i = 0; i < 2 * k; i++)
            iq[i / 2][i % 2] = format == GN_FMT_CI16 ? (float)wide[2 * done + i] / 32768.0F : (float)narrow[2 * done + i] / 128.0F;
        take(d, h, iq[0], k);
        done += k;
    }
}

static void flush(struct demod *d, const struct gn_host *h)
{
    static const float zeros[ZEROS][2];
    for (size_t left = d->is_begun ? gn_oqpsk_rx_tail(d->rx) : 0; left > 0;) {
        size_t n = left < ZEROS ? left : ZEROS;
        take(d, h, zeros[0], n);
        left -= n;
    }
}

static gn_status demod_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct demod *d = state;
    struct gn_in *in = &w->in[0];
    if (!d->is_begun || (in->flags & GN_IN_GAP_BEFORE) != 0) {
        flush(d, h);
        gn_oqpsk_rx_reset(d->rx, 0);
        d->first_tick = in->index;
        d->is_begun = true;
    }
    size_t n = in->n_items < 32768 ? in->n_items : 32768; /* bounds the frames of a call */
    if (in->format == GN_FMT_CF32)
        take(d, h, in->items, n);
    else
        take_integers(d, h, in->items, in->format, n);
    in->n_used = (uint32_t)n;
    return GN_OK;
}

static gn_status demod_finish(void *state, const struct gn_host *h)
{
    flush(state, h);
    return GN_OK;
}

static void demod_stop(void *state, const struct gn_host *h)
{
    struct demod *d = state;
    (void)h;
    gn_oqpsk_rx_free(d->rx);
    d->rx = NULL;
}

const struct gn_block gn_modem_oqpsk_demod = {
        .name = "modem.oqpsk_demod",
        .summary = "IEEE 802.15.4 frames from samples (O-QPSK, 250 kb/s)",
        .doc = "Finds frames at carrier offsets up to 200 kHz and sample clocks up to 40 ppm off, down to 0 dB and "
               "below in 2 MHz. A frame with a wrong FCS is counted and left out.",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct demod),
        .plan = demod_plan,
        .start = demod_start,
        .work = demod_work,
        .finish = demod_finish,
        .stop = demod_stop,
};
