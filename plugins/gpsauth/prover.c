/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gpsauth.prover: opens runs with a verifier, one coupon each, and answers its challenges. */
#include "lib/gpsauth/session.h"
#include "lib/gpsauth/testkey.h"
#include "lib/msg/auth.h"
#include "lib/msg/frame.h"
#include "plugins/gpsauth/blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLOCK_HZ 8e6 /* the paper's boards */

struct prover {
    const char *key, *coupons, *arch; /* parameters */
    int64_t test_key, test_s_bits, sessions, verifier;
    double interval_s, timeout_s;
    /* state */
    struct gn_ga_mac mac;
    struct gn_ga_store *store;
    struct gn_ga_prover p;
    char arch_name[24];
    uint64_t due_tick; /* next run, or when the one under way is given up */
    uint64_t interval_ticks, timeout_ticks;
    int64_t n_runs;
};

#define MSGS_MAX 64u /* a call; what comes beyond is dropped, as on the air */

enum { PORT_IN, PORT_PACKETS, PORT_SEND, PORT_ANSWERS };

static const struct gn_port ports[] = {
        {.name = "in", .doc = "samples, for their time", .dir = GN_IN, .formats = "any"},
        {.name = "packets", .doc = "what the link received", .dir = GN_IN, .schema = &gn_schema_packet},
        {.name = "send", .doc = "commitments and answers", .dir = GN_OUT, .schema = &gn_schema_packet, .delay_s = 100e-6,
                .n_msgs_max = MSGS_MAX},
        {.name = "answers", .doc = "what was answered, and its cost", .dir = GN_OUT, .schema = &gn_schema_auth_answer, .n_msgs_max = MSGS_MAX},
};

static const struct gn_param params[] = {
        GN_PARAM(struct prover, key, GN_P_PATH, "", "~", 0, 0, "secret key (gnomon gpsauth keygen); ~: a TEST key"),
        GN_PARAM(struct prover, coupons, GN_P_PATH, "", "~", 0, 0, "its coupon store (gnomon gpsauth coupons); needed with key"),
        GN_PARAM(struct prover, arch, GN_P_TEXT, "", "native", 0, 0, "multiplier: serial8, serial16, hybrid4, parallel4, native ..."),
        GN_PARAM(struct prover, test_key, GN_P_I64, "", "1", 0, 1e9, "number of the TEST key when key is ~"),
        GN_PARAM(struct prover, test_s_bits, GN_P_I64, "", "128", 64, 256, "its secret's length"),
        GN_PARAM(struct prover, sessions, GN_P_I64, "", "8", 0, 1e6, "runs to open"),
        GN_PARAM(struct prover, verifier, GN_P_I64, "", "1", 0, 65533, "short address of the verifier"),
        GN_PARAM_X("interval", struct prover, interval_s, GN_P_F64, "s", "5 ms", 1e-4, 1e6, "pause between runs", .flags = 0),
        GN_PARAM_X("timeout", struct prover, timeout_s, GN_P_F64, "s", "100 ms", 1e-3, 1e6, "until a run is given up", .flags = 0),
};

/* A store for a TEST key, gone when it is opened: its coupons die with the run. */
static gn_status scratch_store(
        const struct prover *p, const struct gn_ga_key *key, struct gn_ga_store **ret, struct gn_error *err)
{
    const char *base = getenv("TMPDIR");
    char folder[512], path[600];
    struct gn_ga_store_head head = {.n = (uint32_t)p->sessions + 1, .x_bits = key->x_bits, .block = 1};
    struct gn_ga_group *g = NULL;
    uint8_t element[33];
    struct gn_ga_wide r;
    uint8_t *xs = calloc(head.n, key->x_bits / 8);
    gn_status st = xs != NULL ? gn_ga_key_open(key, 0, &g, err) : GN_E_NOMEM;

    for (uint32_t i = 0; i < head.n && st == GN_OK; i++) {
        st = gn_ga_coupon_exponent(key->seed, i, key->shape.r_bits, &r);
        if (st == GN_OK)
            st = gn_ga_group_commit(g, &r, key->shape.r_bits, element);
        if (st == GN_OK)
            st = gn_ga_coupon_commitment(element, sizeof element, NULL, 0, key->x_bits, xs + i * (key->x_bits / 8));
    }
    gn_ga_wide_wipe(&r);
    gn_ga_group_close(g);
    (void)snprintf(folder, sizeof folder, "%s/gnomon-XXXXXX", base != NULL && base[0] != '\0' ? base : "/tmp");
    if (st == GN_OK && mkdtemp(folder) == NULL)
        st = GN_E_OUTPUT;
    if (st == GN_OK) {
        (void)snprintf(path, sizeof path, "%s/coupons", folder);
        st = gn_ga_key_id(key, head.key_id);
        if (st == GN_OK)
            st = gn_ga_store_create(path, &head, xs, err);
        if (st == GN_OK)
            st = gn_ga_store_open(path, head.key_id, NULL, ret, err);
        (void)unlink(path);
        (void)rmdir(folder);
    }
    free(xs);
    return st;
}

static gn_status open_store(struct prover *p, const struct gn_ga_key *key, struct gn_error *err)
{
    uint8_t id[GN_GA_KEY_ID_BYTES];

    if (p->key == NULL)
        return scratch_store(p, key, &p->store, err);
    const gn_status st = gn_ga_key_id(key, id);
    return st == GN_OK ? gn_ga_store_open(p->coupons, id, NULL, &p->store, err) : st;
}

static gn_status open_key(struct prover *p, struct gn_ga_key *key, struct gn_error *err)
{
    struct gn_ga_group *g = NULL;
    gn_status st = p->key != NULL ? gn_ga_key_load(p->key, key, err)
                                  : gn_ga_test_key((uint64_t)p->test_key, (uint32_t)p->test_s_bits, 32, key, err);

    if (st == GN_OK)
        st = gn_ga_key_open(key, 0, &g, err); /* the secret must belong to the public key */
    gn_ga_group_close(g);
    if (st == GN_OK && !key->has_secret) {
        (void)snprintf(err->text, sizeof err->text, "%s is a public record: a prover needs the secret key", p->key);
        st = GN_E_DATA;
    }
    return st;
}

static gn_status start(void *state, const struct gn_host *h)
{
    struct prover *p = state;
    struct gn_error err = {.status = GN_OK};
    struct gn_ga_key key;
    enum gn_ga_arch arch;
    uint32_t width;

    if (!(h->anchor->rate_sps > 0))
        return h->fail(h, GN_E_ARG, "in", "the source has no sample rate");
    if (!gn_ga_arch_parse(p->arch, &arch, &width))
        return h->fail(h, GN_E_ARG, "arch", "'%s' is none of serial8, serial16, serial32, parallel3 to 8, hybrid3 to 8, native", p->arch);
    if (p->key != NULL && p->coupons == NULL)
        return h->fail(h, GN_E_ARG, "coupons", "a key needs its coupon store: gnomon gpsauth coupons makes one");
    gn_status st = open_key(p, &key, &err);
    if (st == GN_OK)
        st = gn_ga_mac_open(&p->mac, arch, width, &key.shape, &key.s);
    if (st == GN_OK)
        st = open_store(p, &key, &err);
    if (st == GN_OK) {
        p->p = (struct gn_ga_prover){.mac = &p->mac, .store = p->store, .timeout_s = p->timeout_s};
        memcpy(p->p.seed, key.seed, sizeof key.seed);
    }
    gn_ga_key_wipe(&key);
    (void)gn_ga_arch_name(arch, width, p->arch_name);
    p->interval_ticks = (uint64_t)(p->interval_s * h->anchor->rate_sps) + 1;
    p->timeout_ticks = (uint64_t)(p->timeout_s * h->anchor->rate_sps) + 1;
    p->due_tick = p->interval_ticks;
    return st == GN_OK ? GN_OK : h->fail(h, st, p->store == NULL ? "key" : "coupons", "%s", err.text);
}

static void stop(void *state, const struct gn_host *h)
{
    struct prover *p = state;
    (void)h;
    gn_ga_prover_wipe(&p->p);
    gn_ga_mac_close(&p->mac);
    if (p->store != NULL)
        gn_ga_store_close(p->store);
}

static void send(const struct prover *p, const struct gn_host *h, uint64_t tick, const uint8_t *bytes, size_t n)
{
    if (n == 0 || n > GN_PACKET_MAX)
        return;
    struct gn_msg_packet *out = h->msg_new(h, PORT_SEND);
    if (out == NULL)
        return;
    *out = (struct gn_msg_packet){.n = (uint32_t)n, .dst = (uint16_t)p->verifier};
    memcpy(out->bytes, bytes, n);
    h->msg_send(h, PORT_SEND, tick, tick);
}

static void tell(const struct prover *p, const struct gn_host *h, const struct gn_msg *m)
{
    struct gn_msg_auth_answer *a = h->msg_new(h, PORT_ANSWERS);
    if (a == NULL)
        return;

    *a = (struct gn_msg_auth_answer){.coupon = (uint32_t)p->p.index, .core_cycles = p->p.core_cycles};
    a->model_us = (float)(p->p.core_cycles / CLOCK_HZ * 1e6);
    memcpy(a->arch, p->arch_name, sizeof a->arch);
    h->msg_send(h, PORT_ANSWERS, m->index, m->at);
}

static void packet(struct prover *p, const struct gn_host *h, const struct gn_msg *m)
{
    const struct gn_msg_packet *in = m->data;
    const enum gn_ga_msg_kind kind = gn_ga_msg_kind_of(in->bytes, in->n);
    uint8_t out[GN_GA_MSG_MAX];
    size_t n = 0;

    if (in->state != GN_PACKET_DATA || in->src != (uint16_t)p->verifier)
        return;
    if (kind == GN_GA_MSG_CHALLENGE
            && gn_ga_prover_answer(&p->p, (double)m->at / h->anchor->rate_sps, in->bytes, in->n, out, &n) == GN_GA_OK) {
        send(p, h, m->at, out, n);
        tell(p, h, m);
    }
    if (kind == GN_GA_MSG_RESULT)
        p->due_tick = m->at + p->interval_ticks;
}

/* A run that is still open when the next one is due is given up; its coupon is gone. */
static void open_run(struct prover *p, const struct gn_host *h, uint64_t tick)
{
    uint8_t out[GN_GA_MSG_MAX];
    size_t n = 0;
    const enum gn_ga_reason reason = gn_ga_prover_commit(&p->p, (double)tick / h->anchor->rate_sps, out, &n);

    p->n_runs++;
    p->due_tick = tick + p->timeout_ticks;
    if (reason != GN_GA_OK)
        h->log(h, GN_LOG_WARN, "no run opened: %s", gn_ga_reason_text(reason));
    send(p, h, tick, out, n);
}

static gn_status work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct prover *p = state;
    struct gn_in *in = &w->in[0];

    for (uint32_t i = 0; i < w->n_msgs; i++)
        packet(p, h, &w->msgs[i]);
    in->n_used = in->n_items;
    if (p->n_runs >= p->sessions)
        return GN_OK;
    const uint64_t left = p->due_tick > in->index ? p->due_tick - in->index : 0;
    if (left < in->n_items) {
        in->n_used = (uint32_t)left;
        if (left == 0) {
            open_run(p, h, in->index);
            in->n_used = 1;
        }
    }
    return GN_OK;
}

const struct gn_block gn_gpsauth_prover = {
        .name = "gpsauth.prover",
        .summary = "proves that it has a key (Girault-Poupard-Stern)",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct prover),
        .flags = GN_BLOCK_BLOCKS, /* a coupon is written off on the disk before it leaves */
        .start = start,
        .stop = stop,
        .work = work,
};
