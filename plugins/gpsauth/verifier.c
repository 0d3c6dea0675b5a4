/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gpsauth.verifier: challenges whoever sends a commitment and says who has the key. Why it refused stands in its events;
 * the air hears one word for all reasons. */
#include "lib/gpsauth/session.h"
#include "lib/gpsauth/testkey.h"
#include "lib/msg/auth.h"
#include "lib/msg/frame.h"
#include "plugins/gpsauth/blocks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct verifier {
    const char *pub; /* parameters */
    int64_t test_key, test_s_bits, wrong_max;
    double timeout_s, lock_s, rate_hz, depth;
    /* state */
    struct gn_ga_group *group;
    struct gn_ga_verifier v;
};

#define MSGS_MAX 64u /* a call; what comes beyond is dropped, as on the air */

enum { PORT_IN, PORT_PACKETS, PORT_SEND, PORT_RESULTS };

static const struct gn_port ports[] = {
        {.name = "in", .doc = "samples, for their time", .dir = GN_IN, .formats = "any"},
        {.name = "packets", .doc = "what the link received", .dir = GN_IN, .schema = &gn_schema_packet},
        {.name = "send", .doc = "challenges and results", .dir = GN_OUT, .schema = &gn_schema_packet, .delay_s = 100e-6,
                .n_msgs_max = MSGS_MAX},
        {.name = "results", .doc = "decisions", .dir = GN_OUT, .schema = &gn_schema_auth_result, .n_msgs_max = MSGS_MAX},
};

static const struct gn_param params[] = {
        GN_PARAM(struct verifier, pub, GN_P_PATH, "", "~", 0, 0, "pinned public record (gnomon gpsauth keygen); ~: a TEST key"),
        GN_PARAM(struct verifier, test_key, GN_P_I64, "", "1", 0, 1e9, "number of the TEST key when pub is ~"),
        GN_PARAM(struct verifier, test_s_bits, GN_P_I64, "", "128", 64, 256, "its secret's length"),
        GN_PARAM_X("timeout", struct verifier, timeout_s, GN_P_F64, "s", "1 s", 1e-3, 1e6, "challenge to answer", .flags = 0),
        GN_PARAM(struct verifier, wrong_max, GN_P_I64, "", "8", 0, 1e6, "wrong answers in a row until the key is locked; 0: never"),
        GN_PARAM_X("lock", struct verifier, lock_s, GN_P_F64, "s", "60 s", 0, 1e9, "how long it is locked", .flags = 0),
        GN_PARAM_X("budget_rate", struct verifier, rate_hz, GN_P_F64, "Hz", "100 Hz", 0, 1e6, "runs a second", .flags = 0),
        GN_PARAM_X("budget", struct verifier, depth, GN_P_F64, "", "100", 0, 1e6, "runs at once; 0: no limit", .flags = 0),
};

static gn_status start(void *state, const struct gn_host *h)
{
    struct verifier *p = state;
    struct gn_ga_key key;
    struct gn_error err = {.status = GN_OK};

    if (!(h->anchor->rate_sps > 0))
        return h->fail(h, GN_E_ARG, "in", "the source has no sample rate");
    gn_status st = p->pub != NULL ? gn_ga_key_load(p->pub, &key, &err)
                                  : gn_ga_test_key((uint64_t)p->test_key, (uint32_t)p->test_s_bits, 32, &key, &err);
    if (st == GN_OK)
        st = gn_ga_key_open(&key, 0, &p->group, &err);
    if (st == GN_OK && p->pub == NULL)
        h->log(h, GN_LOG_WARN, "a TEST key: it proves nothing about anybody");
    p->v = (struct gn_ga_verifier){.group = p->group, .shape = key.shape, .x_bits = key.x_bits, .timeout_s = p->timeout_s,
            .lock_s = p->lock_s, .n_wrong_max = (uint32_t)p->wrong_max, .budget = {.rate_hz = p->rate_hz, .depth = p->depth}};
    gn_ga_key_wipe(&key);
    return st == GN_OK ? GN_OK : h->fail(h, st, "pub", "%s", err.text);
}

static void stop(void *state, const struct gn_host *h)
{
    (void)h;
    gn_ga_group_close(((struct verifier *)state)->group);
}

static void tell(struct verifier *p, const struct gn_host *h, const struct gn_msg *m, enum gn_ga_reason reason, double rtt_s)
{
    const struct gn_msg_packet *in = m->data;
    struct gn_msg_auth_result *r = h->msg_new(h, PORT_RESULTS);
    if (r == NULL)
        return;

    *r = (struct gn_msg_auth_result){.peer = in->src, .ok = reason == GN_GA_OK, .lqi = in->lqi, .c_bits = p->v.shape.c_bits,
            .rtt_us = (float)(rtt_s * 1e6)};
    for (uint32_t i = 2; i < GN_GA_MSG_HEAD && i < in->n; i++)
        r->coupon = r->coupon << 8 | in->bytes[i];
    (void)snprintf(r->reason, sizeof r->reason, "%s", gn_ga_reason_text(reason));
    h->msg_send(h, PORT_RESULTS, m->index, m->at);
}

static void answer(const struct gn_host *h, const struct gn_msg *m, const uint8_t *bytes, size_t n)
{
    const struct gn_msg_packet *in = m->data;

    if (n == 0 || n > GN_PACKET_MAX)
        return;
    struct gn_msg_packet *out = h->msg_new(h, PORT_SEND);
    if (out == NULL)
        return;
    *out = (struct gn_msg_packet){.n = (uint32_t)n, .dst = in->src};
    memcpy(out->bytes, bytes, n);
    h->msg_send(h, PORT_SEND, m->index, m->at);
}

static void packet(struct verifier *p, const struct gn_host *h, const struct gn_msg *m)
{
    const struct gn_msg_packet *in = m->data;
    const double now_s = (double)m->at / h->anchor->rate_sps;
    const enum gn_ga_msg_kind kind = gn_ga_msg_kind_of(in->bytes, in->n);
    uint8_t out[GN_GA_MSG_MAX];
    size_t n = 0;

    if (kind == GN_GA_MSG_COMMITMENT) {
        const enum gn_ga_reason reason = gn_ga_verifier_challenge(&p->v, now_s, in->bytes, in->n, out, &n);
        if (reason != GN_GA_OK)
            tell(p, h, m, reason, (double)NAN);
    } else if (kind == GN_GA_MSG_ANSWER) {
        const double rtt_s = p->v.is_open ? now_s - p->v.t_s : (double)NAN;
        tell(p, h, m, gn_ga_verifier_check(&p->v, now_s, in->bytes, in->n, out, &n), rtt_s);
    }
    answer(h, m, out, n);
}

static gn_status work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct verifier *p = state;

    for (uint32_t i = 0; i < w->n_msgs; i++)
        if (((const struct gn_msg_packet *)w->msgs[i].data)->state == GN_PACKET_DATA)
            packet(p, h, &w->msgs[i]);
    w->in[0].n_used = w->in[0].n_items;
    return GN_OK;
}

const struct gn_block gn_gpsauth_verifier = {
        .name = "gpsauth.verifier",
        .summary = "asks a device for proof of its key (Girault-Poupard-Stern)",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct verifier),
        .start = start,
        .stop = stop,
        .work = work,
};
