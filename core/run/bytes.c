/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* How large rings are. */
#include "core/run/build.h"

#define RING_FILE_BYTES     ((size_t)1 << 20)
#define RING_LIVE_MAX_BYTES ((size_t)1 << 29)

uint32_t gn_rt_item_bytes(uint32_t format)
{
    static const uint32_t item_bytes[] = {[GN_FMT_CI8] = 2, [GN_FMT_CI16] = 4, [GN_FMT_CF32] = 8, [GN_FMT_S8] = 1,
            [GN_FMT_S16] = 2, [GN_FMT_F32] = 4, [GN_FMT_U8] = 1};
    return format < GN_COUNT(item_bytes) ? item_bytes[format] : 0;
}

size_t gn_rt_ring_bytes(const struct gn_graph *g, const struct gn_anchor *anchor, uint32_t n_item_bytes)
{
    if (anchor == NULL || !anchor->is_live)
        return RING_FILE_BYTES;
    double hold_s = g->run.hold_s > 0 ? g->run.hold_s : 0.5;
    double n_bytes = hold_s * anchor->rate_sps * n_item_bytes;
    if (n_bytes > (double)RING_LIVE_MAX_BYTES)
        return RING_LIVE_MAX_BYTES;
    return n_bytes < (double)RING_FILE_BYTES ? RING_FILE_BYTES : (size_t)n_bytes;
}

/* Does another link of the same output come earlier? Then it reads the same ring. */
static bool has_ring_already(const struct gn_graph *g, uint32_t i_edge)
{
    for (uint32_t i = 0; i < i_edge; i++)
        if (g->edges[i].from == g->edges[i_edge].from && g->edges[i].from_port == g->edges[i_edge].from_port)
            return true;
    return false;
}

/* The cut of groups.c seen from an edge: with one worker, or where one reader follows one writer, and neither
 * may block, the edge is scratch. */
static bool is_inside_group(const struct gn_graph *g, const struct gn_run_config *config, const struct gn_edge *e)
{
    uint32_t n_readers = 0;
    for (uint32_t i = 0; i < g->n_edges; i++) {
        bool is_same = g->edges[i].from == e->from && g->edges[i].from_port == e->from_port;
        n_readers += is_same ? g->nodes[g->edges[i].to].n_instances : 0;
        if (is_same && (g->nodes[g->edges[i].to].block->flags & GN_BLOCK_BLOCKS) != 0)
            return false;
    }
    if ((g->nodes[e->from].block->flags & GN_BLOCK_BLOCKS) != 0)
        return false;
    return gn_rt_choose_workers(g, config) == 1 || n_readers == 1;
}

size_t gn_run_edge_bytes(const struct gn_graph *graph, const struct gn_run_config *config, uint32_t i_edge)
{
    static const struct gn_run_config defaults;
    const struct gn_edge *e = &graph->edges[i_edge];
    const struct gn_node *from = &graph->nodes[e->from];
    uint32_t k = 0;
    if (!gn_rt_is_stream(&from->block->ports[e->from_port]) || has_ring_already(graph, i_edge) ||
            is_inside_group(graph, config != NULL ? config : &defaults, e))
        return 0;
    for (uint32_t i = 0; i < e->from_port; i++)
        k += from->block->ports[i].dir == GN_OUT && gn_rt_is_stream(&from->block->ports[i]) ? 1 : 0;
    const struct gn_plan *plan = &from->instances[0].plan;
    uint32_t format = k < plan->n_out ? plan->out[k].format : GN_FMT_NONE;
    uint32_t n_bytes = gn_rt_item_bytes(format);
    size_t want = gn_rt_ring_bytes(graph, from->instances[0].host.anchor, n_bytes), size = RING_FILE_BYTES;
    while (size < want)
        size *= 2;
    return size;
}

size_t gn_run_ring_bytes(const struct gn_graph *graph, const struct gn_run_config *config)
{
    size_t sum = 0;
    for (uint32_t i = 0; i < graph->n_edges; i++)
        sum += gn_run_edge_bytes(graph, config, i);
    return sum;
}
