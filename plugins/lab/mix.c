/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* lab.mix: two antennas in one cable. */
#include "lib/frontend/quantise.h"
#include "lib/lab/gate.h"
#include "plugins/lab/blocks.h"

#include <stdbool.h>

#define TILE 1024U

struct mix {
    uint8_t cut;
    struct gn_gate gate;
    double rate_sps;
    float re[TILE], im[TILE];
};

static const struct gn_port ports[] = {
        {.name = "a",
                .doc = "what is always there; its clock leads",
                .dir = GN_IN,
                .formats = "ci8"},
        {.name = "b",
                .doc = "what is added while the gate is open",
                .dir = GN_IN,
                .formats = "ci8"},
        {.name = "out", .doc = "the sum, in steps of a", .dir = GN_OUT, .formats = "ci8"},
};

static const struct gn_param params[] = {
        GN_PARAM_X("gain", struct mix, gate.gain_db, GN_P_F64, "dB", "0", -120, 60,
                "of b, after the ramp", .flags = 0),
        GN_PARAM_X("start_gain", struct mix, gate.start_gain_db, GN_P_F64, "dB", "-40", -120, 60,
                "of b where the ramp begins", .flags = 0),
        GN_PARAM_X("ramp", struct mix, gate.ramp_s, GN_P_F64, "s", "0", 0, 1e6,
                "how long the gain of b climbs, in dB", .flags = 0),
        GN_PARAM_X("from", struct mix, gate.from_s, GN_P_F64, "s", "0", 0, 1e6,
                "when b is switched on", .flags = 0),
        GN_PARAM_X("until", struct mix, gate.until_s, GN_P_F64, "s", "auto", 0, 1e6,
                "when b is switched off; auto: never", .flags = GN_PARAM_AUTO),
        GN_PARAM(struct mix, cut, GN_P_BOOL, "", "false", 0, 0, "a is silent while b is on"),
};

static gn_status plan(void *state, const struct gn_host *h, struct gn_plan *p)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++)
        if (p->in[i].tick_num != p->in[i].tick_den)
            return h->fail(h, GN_E_ARG, ports[i].name, "needs samples at its source's own rate");
    return GN_OK;
}

static gn_status start(void *state, const struct gn_host *h)
{
    struct mix *s = state;
    s->rate_sps = h->anchor->rate_sps;
    if (!(s->rate_sps > 0))
        return h->fail(h, GN_E_ARG, "a", "needs a source with a sample clock");
    return GN_OK;
}

static void add(struct mix *s, const int8_t *x, float gain, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        s->re[i] += gain * x[2 * i];
        s->im[i] += gain * x[2 * i + 1];
    }
}

/* n items within one tile; b may be over: NULL */
static void run(struct mix *s, double t_s, size_t n, const int8_t *a, const int8_t *b, int8_t *out)
{
    float gain = (float)gn_gate_amplitude(&s->gate, t_s);
    if (!(gain > 0)) {
        for (size_t i = 0; i < 2 * n; i++)
            out[i] = a[i];
        return;
    }
    for (size_t i = 0; i < n; i++)
        s->re[i] = s->im[i] = 0;
    if (!s->cut)
        add(s, a, 1, n);
    if (b != NULL)
        add(s, b, gain, n);
    gn_quantise_ci8(s->re, s->im, n, 1, out);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static gn_status work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct mix *s = state;
    struct gn_in *a = &w->in[0], *b = &w->in[1];
    struct gn_out *out = &w->out[0];
    bool is_b_over = b->n_items == 0 && (b->flags & GN_IN_LAST) != 0;
    uint32_t n = least(a->n_items, out->n_room);
    (void)h;
    n = is_b_over ? n : least(n, b->n_items);
    for (uint32_t i = 0; i < n;) {
        uint64_t index = a->index + i, tile = index - index % TILE;
        uint32_t k = least(n - i, (uint32_t)(tile + TILE - index));
        run(s, (double)tile / s->rate_sps, k, (const int8_t *)a->items + 2 * (size_t)i,
                is_b_over ? NULL : (const int8_t *)b->items + 2 * (size_t)i,
                (int8_t *)out->items + 2 * (size_t)i);
        i += k;
    }
    a->n_used = n;
    b->n_used = is_b_over ? 0 : n;
    out->n_made = n;
    w->is_done = n == a->n_items && (a->flags & GN_IN_LAST) != 0;
    return GN_OK;
}

const struct gn_block gn_lab_mix = {
        .name = "lab.mix",
        .summary = "adds a second stream to the first, on a schedule",
        .doc = "Sample by sample: item k of b meets item k of a. The sum keeps the steps of a; a "
               "second "
               "simulator that sends no noise may use a higher level for finer steps and be turned "
               "down "
               "here (level 60 against 12: -14 dB for equal power).",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct mix),
        .flags = GN_BLOCK_JOINS,
        .plan = plan,
        .start = start,
        .work = work,
};
