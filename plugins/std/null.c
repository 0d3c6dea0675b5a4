/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* std.null_source: zeros. std.null_sink: takes everything. */
#include "plugins/std/std.h"

#include <string.h>

uint32_t gn_std_item_bytes(uint32_t format)
{
    static const uint8_t bytes[] = {[GN_FMT_CI8] = 2, [GN_FMT_CI16] = 4, [GN_FMT_CF32] = 8, [GN_FMT_S8] = 1,
            [GN_FMT_S16] = 2, [GN_FMT_F32] = 4, [GN_FMT_U8] = 1};
    return format < GN_COUNT(bytes) ? bytes[format] : 0;
}

struct null_source {
    double rate_sps;
    int64_t n_items;
    int32_t format; /* index into choices */
    uint32_t item_bytes;
    uint64_t n_made;
};

static const char *const formats[] = {"cf32", "ci8", "ci16", "s8", "s16", "f32", "u8", NULL};
static const uint32_t format_of[] = {
        GN_FMT_CF32, GN_FMT_CI8, GN_FMT_CI16, GN_FMT_S8, GN_FMT_S16, GN_FMT_F32, GN_FMT_U8};

static const struct gn_port source_ports[] = {
        {.name = "out", .doc = "zeros", .dir = GN_OUT, .formats = "any"},
};

static const struct gn_param source_params[] = {
        GN_PARAM_X("rate", struct null_source, rate_sps, GN_P_F64, "Hz", "0", 0, 1e12,
                "sample rate that is claimed; 0: no clock", .flags = 0),
        GN_PARAM_X("length", struct null_source, n_items, GN_P_I64, "", "0", 0, 9e18,
                "items until the end; 0: for ever", .flags = 0),
        GN_PARAM_X("format", struct null_source, format, GN_P_ENUM, "", "cf32", 0, 0, "item format",
                .choices = formats),
};

static gn_status source_plan(void *state, const struct gn_host *h, struct gn_plan *plan)
{
    struct null_source *s = state;
    (void)h;
    plan->out[0].format = format_of[s->format];
    plan->anchor.rate_sps = s->rate_sps;
    plan->anchor.n_ticks = (uint64_t)s->n_items;
    return GN_OK;
}

static gn_status source_start(void *state, const struct gn_host *h)
{
    struct null_source *s = state;
    (void)h;
    s->item_bytes = gn_std_item_bytes(format_of[s->format]);
    s->n_made = 0;
    return GN_OK;
}

static gn_status source_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct null_source *s = state;
    struct gn_out *out = &w->out[0];
    (void)h;
    uint64_t n_left = s->n_items > 0 ? (uint64_t)s->n_items - s->n_made : out->n_room;
    uint32_t n = n_left < out->n_room ? (uint32_t)n_left : out->n_room;
    memset(out->items, 0, (size_t)n * s->item_bytes);
    s->n_made += n;
    out->n_made = n;
    w->is_done = s->n_items > 0 && s->n_made == (uint64_t)s->n_items;
    return GN_OK;
}

const struct gn_block gn_std_null_source = {
        .name = "std.null_source",
        .summary = "a stream of zeros",
        .ports = source_ports,
        .n_ports = GN_COUNT(source_ports),
        .params = source_params,
        .n_params = GN_COUNT(source_params),
        .state_size = sizeof(struct null_source),
        .flags = GN_BLOCK_PURE,
        .plan = source_plan,
        .start = source_start,
        .work = source_work,
};

static const struct gn_port sink_ports[] = {
        {.name = "in", .doc = "what is thrown away", .dir = GN_IN, .formats = "any"},
};

static gn_status sink_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    (void)state;
    (void)h;
    w->in[0].n_used = w->in[0].n_items;
    return GN_OK;
}

const struct gn_block gn_std_null_sink = {
        .name = "std.null_sink",
        .summary = "takes a stream and forgets it",
        .ports = sink_ports,
        .n_ports = GN_COUNT(sink_ports),
        .flags = GN_BLOCK_PURE,
        .work = sink_work,
};
