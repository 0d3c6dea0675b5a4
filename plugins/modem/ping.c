/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* modem.ping sends numbered packets and modem.echo sends them back: a link tried out without anything above it. */
#include "lib/msg/frame.h"
#include "plugins/modem/blocks.h"

#include <string.h>

struct ping {
    int64_t dst, bytes; /* parameters */
    double interval_s;
    uint64_t interval_ticks;
    uint32_t n_sent;
};

static const struct gn_port ping_ports[] = {
        {.name = "in", .doc = "samples, for their time", .dir = GN_IN, .formats = "any"},
        {.name = "send", .doc = "packets to a MAC", .dir = GN_OUT, .schema = &gn_schema_packet},
};

static const struct gn_param ping_params[] = {
        GN_PARAM(struct ping, dst, GN_P_I64, "", "2", 0, 65535, "short address"),
        GN_PARAM(struct ping, bytes, GN_P_I64, "", "20", 4, 1024, "length of a packet"),
        GN_PARAM_X("interval", struct ping, interval_s, GN_P_F64, "s", "20 ms", 1e-4, 1e6, "from packet to packet", .flags = 0),
};

static gn_status ping_start(void *state, const struct gn_host *h)
{
    struct ping *p = state;
    if (!(h->anchor->rate_sps > 0))
        return h->fail(h, GN_E_ARG, "in", "the source has no sample rate");
    p->interval_ticks = (uint64_t)(p->interval_s * h->anchor->rate_sps) + 1;
    return GN_OK;
}

static gn_status ping_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct ping *p = state;
    struct gn_in *in = &w->in[0];
    uint64_t due = (p->n_sent + 1) * p->interval_ticks, left = due > in->index ? due - in->index : 0;
    in->n_used = left > 0 && left < in->n_items ? (uint32_t)left : in->n_items;
    if (left >= in->n_items)
        return GN_OK;
    struct gn_msg_packet *m = h->msg_new(h, 1);
    *m = (struct gn_msg_packet){.n = (uint32_t)p->bytes, .handle = p->n_sent, .dst = (uint16_t)p->dst};
    for (uint32_t i = 0; i < m->n; i++)
        m->bytes[i] = (uint8_t)(i < 4 ? p->n_sent >> 8 * i : i);
    p->n_sent++;
    h->msg_send(h, 1, due, due);
    return GN_OK;
}

const struct gn_block gn_modem_ping = {
        .name = "modem.ping",
        .summary = "sends numbered packets",
        .ports = ping_ports,
        .params = ping_params,
        .n_ports = GN_COUNT(ping_ports),
        .n_params = GN_COUNT(ping_params),
        .state_size = sizeof(struct ping),
        .start = ping_start,
        .work = ping_work,
};

static const struct gn_port echo_ports[] = {
        {.name = "packets", .doc = "what a MAC received", .dir = GN_IN, .schema = &gn_schema_packet},
        {.name = "send", .doc = "the same back to the sender, 100 us later", .dir = GN_OUT, .schema = &gn_schema_packet,
                .delay_s = 100e-6},
};

static gn_status echo_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    (void)state;
    for (uint32_t i = 0; i < w->n_msgs; i++) {
        const struct gn_msg_packet *p = w->msgs[i].data;
        if (p->state != GN_PACKET_DATA)
            continue;
        struct gn_msg_packet *m = h->msg_new(h, 1);
        *m = *p;
        m->dst = p->src;
        m->src = 0;
        h->msg_send(h, 1, w->msgs[i].index, w->now);
    }
    return GN_OK;
}

const struct gn_block gn_modem_echo = {
        .name = "modem.echo",
        .summary = "sends packets back to where they came from",
        .ports = echo_ports,
        .n_ports = GN_COUNT(echo_ports),
        .work = echo_work,
};
