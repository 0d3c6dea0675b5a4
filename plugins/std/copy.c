/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* std.copy: out = in. std.head: the first items only, then the stream ends. std.gain: out = gain in. */
#include "plugins/std/std.h"

#include <string.h>

static const struct gn_port copy_ports[] = {
        {.name = "in", .doc = "any stream", .dir = GN_IN, .formats = "any"},
        {.name = "out", .doc = "the same items", .dir = GN_OUT, .formats = "any"},
};

static gn_status same_format(void *state, const struct gn_host *h, struct gn_plan *plan)
{
    (void)state;
    (void)h;
    plan->out[0].format = plan->in[0].format;
    return GN_OK;
}

static void copy(struct gn_work *w, uint64_t n_most)
{
    struct gn_in *in = &w->in[0];
    struct gn_out *out = &w->out[0];
    uint32_t n = in->n_items < out->n_room ? in->n_items : out->n_room;
    n = n_most < n ? (uint32_t)n_most : n;
    memcpy(out->items, in->items, (size_t)n * gn_std_item_bytes(in->format));
    in->n_used = n;
    out->n_made = n;
}

static gn_status copy_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    (void)state;
    (void)h;
    copy(w, UINT64_MAX);
    return GN_OK;
}

const struct gn_block gn_std_copy = {
        .name = "std.copy",
        .summary = "hands items on unchanged",
        .ports = copy_ports,
        .n_ports = GN_COUNT(copy_ports),
        .flags = GN_BLOCK_PURE,
        .plan = same_format,
        .work = copy_work,
};

struct head {
    int64_t n_items;
    uint64_t n_done;
};

static const struct gn_param head_params[] = {
        GN_PARAM_X("length", struct head, n_items, GN_P_I64, "", NULL, 0, 9e18, "items to let through", .flags = 0),
};

static gn_status head_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct head *s = state;
    (void)h;
    copy(w, (uint64_t)s->n_items - s->n_done);
    s->n_done += w->out[0].n_made;
    w->is_done = s->n_done == (uint64_t)s->n_items;
    return GN_OK;
}

const struct gn_block gn_std_head = {
        .name = "std.head",
        .summary = "the first items of a stream, then its end",
        .ports = copy_ports,
        .n_ports = GN_COUNT(copy_ports),
        .params = head_params,
        .n_params = GN_COUNT(head_params),
        .state_size = sizeof(struct head),
        .flags = GN_BLOCK_PURE,
        .plan = same_format,
        .work = head_work,
};

struct gain {
    double gain;
};

static const struct gn_port gain_ports[] = {
        {.name = "in", .doc = "samples", .dir = GN_IN, .formats = "cf32"},
        {.name = "out", .doc = "samples times gain", .dir = GN_OUT, .formats = "cf32"},
};

static const struct gn_param gain_params[] = {
        GN_PARAM_X("gain", struct gain, gain, GN_P_F64, "", "1", -1e9, 1e9, "factor", .flags = GN_PARAM_LIVE),
};

static gn_status gain_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    const struct gain *s = state;
    struct gn_in *in = &w->in[0];
    struct gn_out *out = &w->out[0];
    uint32_t n = in->n_items < out->n_room ? in->n_items : out->n_room;
    const float *x = in->items;
    float *y = out->items, g = (float)s->gain;
    (void)h;
    for (size_t i = 0; i < 2 * (size_t)n; i++)
        y[i] = x[i] * g;
    in->n_used = n;
    out->n_made = n;
    return GN_OK;
}

const struct gn_block gn_std_gain = {
        .name = "std.gain",
        .summary = "multiplies a stream by a constant",
        .ports = gain_ports,
        .n_ports = GN_COUNT(gain_ports),
        .params = gain_params,
        .n_params = GN_COUNT(gain_params),
        .state_size = sizeof(struct gain),
        .flags = GN_BLOCK_PURE,
        .work = gain_work,
};
