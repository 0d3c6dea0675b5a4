/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What follows from the links: what drives an instance, its tile, the cycles among message-driven blocks. */
#include "core/run/build.h"

#include <stdlib.h>
#include <string.h>

#define TILE_S        1e-3
#define TILE_MIN      256u
#define TILE_NO_CLOCK 512u

static int merge_order(const void *a, const void *b)
{
    const struct gn_rt_source *x = a, *y = b;
    if (x->producer != y->producer)
        return x->producer < y->producer ? -1 : 1;
    if (x->producer_port != y->producer_port)
        return x->producer_port < y->producer_port ? -1 : 1;
    return x->port < y->port ? -1 : x->port > y->port;
}

static void settle_kind(struct gn_rt_inst *x)
{
    for (uint32_t i = 0; i < x->n_in && x->in0 == NULL; i++)
        x->in0 = x->in[i].ring != NULL ? &x->in[i] : NULL;
    x->kind = x->in0 != NULL ? GN_RT_STREAM : x->n_sources > 0 || x->is_tap ? GN_RT_MESSAGE : GN_RT_SOURCE;
    if (x->n_sources > 1)
        qsort(x->sources, x->n_sources, sizeof *x->sources, merge_order);
    x->is_plain = x->kind == GN_RT_STREAM && x->n_in == 1 && x->n_out <= 1 && x->n_sources == 0 && x->n_logs == 0 &&
                  !x->in0->is_latest && !x->run->is_shuffled && !(x->n_out == 1 && x->out[0].ring->has_latest);
    double rate_sps = x->host->anchor->rate_sps;
    uint64_t num = 1, den = 1, n_cap = 0;
    if (x->in0 != NULL) {
        num = x->in0->num;
        den = x->in0->den;
        n_cap = x->in0->ring->n_cap;
    } else if (x->n_out > 0) {
        num = x->out[0].num;
        den = x->out[0].den;
        n_cap = x->out[0].ring->n_cap;
    }
    double n = rate_sps > 0 ? rate_sps * TILE_S * (double)den / (double)num : TILE_NO_CLOCK;
    n = n < TILE_MIN ? TILE_MIN : n;
    x->tile = n > (double)(n_cap / 8) ? n_cap / 8 : (uint64_t)n;
    x->tile = x->tile < 1 ? 1 : x->tile;
}

/* Does `x` hear `from`, directly or over other message-driven blocks? seen[] is by rank. */
static bool reaches(struct gn_run *run, const struct gn_rt_inst *x, uint32_t from, unsigned char *seen)
{
    for (uint32_t i = 0; i < x->n_sources; i++) {
        uint32_t p = x->sources[i].producer;
        const struct gn_rt_inst *producer = run->by_rank[p];
        if (producer->kind != GN_RT_MESSAGE || seen[p])
            continue;
        seen[p] = 1;
        if (p == from || reaches(run, producer, from, seen))
            return true;
    }
    return false;
}

/* Message-driven blocks that hear each other share the smallest rank among them, marked so that a cycle of one
 * is told from none. */
static gn_status find_cycles(struct gn_run *run, struct gn_error *err)
{
    unsigned char *seen = malloc(run->n_insts + 1u);
    if (seen == NULL)
        return gn_rt_no_memory(err);
    for (uint32_t i = 0; i < run->n_insts; i++) {
        struct gn_rt_inst *x = &run->insts[i];
        if (x->kind != GN_RT_MESSAGE)
            continue;
        for (uint32_t k = 0; k < run->n_insts; k++) {
            struct gn_rt_inst *y = &run->insts[k];
            if (y->kind != GN_RT_MESSAGE)
                continue;
            memset(seen, 0, run->n_insts);
            bool there = reaches(run, x, y->rank, seen);
            memset(seen, 0, run->n_insts);
            if (there && reaches(run, y, x->rank, seen)) {
                x->component = run->n_insts + (y->rank < x->rank ? y->rank : x->rank);
                break;
            }
        }
    }
    free(seen);
    return GN_OK;
}

/* What x's cycle hears from outside it; outside a cycle: what x hears. */
static gn_status find_outside(struct gn_run *run, struct gn_rt_inst *x, struct gn_error *err)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->n_insts; i++)
        n += run->insts[i].component == x->component ? run->insts[i].n_sources : 0;
    x->ext = calloc(n + 1u, sizeof *x->ext);
    if (x->ext == NULL)
        return gn_rt_no_memory(err);
    for (uint32_t i = 0; i < run->n_insts; i++) {
        const struct gn_rt_inst *y = &run->insts[i];
        for (uint32_t k = 0; y->component == x->component && k < y->n_sources; k++)
            if (run->by_rank[y->sources[k].producer]->component != x->component)
                x->ext[x->n_ext++] = y->sources[k].log;
    }
    return GN_OK;
}

gn_status gn_rt_settle(struct gn_run *run, struct gn_error *err)
{
    for (uint32_t i = 0; i < run->n_insts; i++)
        settle_kind(&run->insts[i]);
    gn_status st = find_cycles(run, err);
    for (uint32_t i = 0; i < run->n_insts && st == GN_OK; i++) {
        struct gn_rt_inst *x = &run->insts[i];
        uint32_t i_source = x->pub->i_source;
        if (i_source < run->graph->n_nodes)
            x->has_samples = gn_rt_first_of(run, i_source)->n_out > 0;
        else
            x->has_samples = x->n_in + x->n_out > 0;
        if (x->kind == GN_RT_MESSAGE)
            st = find_outside(run, x, err);
    }
    return st;
}
