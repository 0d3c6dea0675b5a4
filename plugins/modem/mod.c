/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* modem.oqpsk_mod: frames to be sent as samples of amplitude 1 (times their power), silence between them. A frame
 * begins at the tick its message counts; one that would begin inside another is left out, as one radio must. */
#include "lib/modem/oqpsk.h"
#include "lib/msg/frame.h"
#include "plugins/modem/blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct mod {
    unsigned spc;
    float *iq;         /* owned: the frame under way */
    uint64_t begin, n; /* its first tick and length */
    uint64_t n_left_out;
};

static const struct gn_port ports[] = {
        {.name = "clock", .doc = "any samples at the wanted rate: only their number counts", .dir = GN_IN, .formats = "cf32"},
        {.name = "tx", .doc = "frames to be sent", .dir = GN_IN, .schema = &gn_schema_frame_sent},
        {.name = "out", .doc = "the transmitted signal", .dir = GN_OUT, .formats = "cf32"},
};

static gn_status mod_start(void *state, const struct gn_host *h)
{
    struct mod *m = state;
    m->spc = gn_oqpsk_spc(h->anchor->rate_sps);
    if (m->spc == 0)
        return h->fail(h, GN_E_ARG, "clock", "rate %.0f Hz is no multiple of 2 MHz from 4 to 32 MHz", h->anchor->rate_sps);
    m->iq = malloc(gn_oqpsk_samples(GN_OQPSK_BYTES_MAX, m->spc) * 2 * sizeof *m->iq);
    m->n = 0;
    return m->iq == NULL ? h->fail(h, GN_E_NOMEM, NULL, "no memory") : GN_OK;
}

static void take(struct mod *m, const struct gn_msg *msg)
{
    const struct gn_msg_frame *f = msg->data;
    if (f->n > GN_PSDU_MAX || (m->n > 0 && msg->at < m->begin + m->n)) {
        m->n_left_out++;
        return;
    }
    gn_oqpsk_modulate(f->psdu, f->n, m->spc, m->iq);
    m->begin = msg->at;
    m->n = gn_oqpsk_samples(f->n, m->spc);
    float amplitude = isnan(f->power_dbfs) ? 1.0F : powf(10, f->power_dbfs / 20);
    for (size_t i = 0; amplitude != 1.0F && i < 2 * m->n; i++)
        m->iq[i] *= amplitude;
}

static gn_status mod_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct mod *m = state;
    struct gn_in *in = &w->in[0];
    struct gn_out *out = &w->out[0];
    uint32_t n = in->n_items < out->n_room ? in->n_items : out->n_room;
    (void)h;
    for (uint32_t i = 0; i < w->n_msgs; i++)
        take(m, &w->msgs[i]);
    memset(out->items, 0, (size_t)n * 2 * sizeof(float));
    uint64_t from = m->begin > in->index ? m->begin : in->index, end = m->begin + m->n;
    uint64_t to = end < in->index + n ? end : in->index + n;
    if (m->n > 0 && from < to)
        memcpy((float *)out->items + 2 * (from - in->index), m->iq + 2 * (from - m->begin), (to - from) * 2 * sizeof(float));
    in->n_used = out->n_made = n;
    return GN_OK;
}

static void mod_stop(void *state, const struct gn_host *h)
{
    struct mod *m = state;
    if (m->n_left_out > 0)
        h->log(h, GN_LOG_WARN, "%llu frames came while another was on the air and were left out", (unsigned long long)m->n_left_out);
    m->n_left_out = 0;
    free(m->iq);
    m->iq = NULL;
}

const struct gn_block gn_modem_oqpsk_mod = {
        .name = "modem.oqpsk_mod",
        .summary = "samples of IEEE 802.15.4 frames (O-QPSK, 250 kb/s)",
        .ports = ports,
        .n_ports = GN_COUNT(ports),
        .state_size = sizeof(struct mod),
        .start = mod_start,
        .work = mod_work,
        .stop = mod_stop,
};
