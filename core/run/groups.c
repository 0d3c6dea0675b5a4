/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Cut the instances into groups and give each group a home worker.
 *
 *   src > cond | > acq                one worker: one group, all edges are scratch
 *              | > trk[0..7]          several: a chain stays together, where a stream fans out each reader starts
 *              | > trk[8..15]         a group, the copies of a `many` block are dealt out by count, and all
 *   [man nav auth fix]                message-driven blocks share one group
 *
 * A blocking block is a group of its own with its own thread. */
#include "core/run/inst.h"

#include <stdlib.h>

#define STAGGER_BYTES 1088u /* 17 cache lines: page-aligned starts would alias in the cache */

struct cut {
    struct gn_run *run;
    struct gn_rt_inst **order; /* upstream first */
    uint32_t n_groups;
    uint32_t load[256];        /* instances homed at a worker */
    uint32_t *home;            /* [group] */
};

static bool feeds(const struct gn_rt_inst *from, const struct gn_rt_inst *to)
{
    for (uint32_t i = 0; i < to->n_in; i++)
        for (uint32_t k = 0; k < from->n_out; k++)
            if (to->in[i].ring == from->out[k].ring)
                return true;
    return false;
}

static bool hears(const struct gn_rt_inst *to, const struct gn_rt_inst *from)
{
    for (uint32_t i = 0; i < to->n_sources; i++)
        if (to->sources[i].producer == from->rank)
            return true;
    return false;
}

/* Depth first, a block after all it feeds; read backwards that is upstream first. Message cycles are cut where
 * the search meets them again. */
static void visit(struct cut *c, uint32_t i, unsigned char *seen, uint32_t *n)
{
    struct gn_run *run = c->run;
    seen[i] = 1;
    for (uint32_t k = run->n_insts; k-- > 0;) {
        bool is_message = run->insts[k].kind == GN_RT_MESSAGE;
        bool follows = is_message == (run->insts[i].kind == GN_RT_MESSAGE) &&
                       (is_message ? hears(&run->insts[k], &run->insts[i]) : feeds(&run->insts[i], &run->insts[k]));
        if (!seen[k] && follows)
            visit(c, k, seen, n);
    }
    c->order[--*n] = &run->insts[i];
}

static gn_status sort(struct cut *c)
{
    struct gn_run *run = c->run;
    unsigned char *seen = calloc(run->n_insts, 1);
    uint32_t n = run->n_insts;
    if (seen == NULL)
        return GN_E_NOMEM;
    for (uint32_t turn = 0; turn < 2; turn++) /* filled from the back: messages first, then streams before them */
        for (uint32_t i = run->n_insts; i-- > 0;)
            if (!seen[i] && (run->insts[i].kind == GN_RT_MESSAGE) == (turn == 0))
                visit(c, i, seen, &n);
    free(seen);
    return GN_OK;
}

static uint32_t new_group(struct cut *c, uint32_t home)
{
    c->home[c->n_groups] = home;
    return c->n_groups++;
}

static uint32_t least_loaded(const struct cut *c)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < c->run->n_workers; i++)
        best = c->load[i] < c->load[best] ? i : best;
    return best;
}

static struct gn_rt_inst *producer_of(struct gn_run *run, const struct gn_ring *ring)
{
    for (uint32_t i = 0; i < run->n_insts; i++)
        for (uint32_t k = 0; k < run->insts[i].n_out; k++)
            if (run->insts[i].out[k].ring == ring)
                return &run->insts[i];
    return NULL;
}

/* The group of an earlier copy of a `many` block that has the same worker and the same first input. */
static uint32_t group_of_sibling(const struct cut *c, const struct gn_rt_inst *x, uint32_t home, uint32_t n_sorted)
{
    for (uint32_t i = 0; i < n_sorted; i++) {
        const struct gn_rt_inst *s = c->order[i];
        if (s->i_node == x->i_node && c->home[s->i_group] == home && !s->is_blocking &&
                s->in0->ring == x->in0->ring)
            return s->i_group;
    }
    return UINT32_MAX;
}

static uint32_t group_of(struct cut *c, const struct gn_rt_inst *x, uint32_t n_sorted, uint32_t *messages)
{
    uint32_t n_workers = c->run->n_workers;
    if (x->is_blocking)
        return new_group(c, UINT32_MAX);
    if (x->kind == GN_RT_MESSAGE) {
        if (*messages == UINT32_MAX)
            *messages = new_group(c, least_loaded(c));
        return *messages;
    }
    if (x->kind == GN_RT_SOURCE)
        return new_group(c, least_loaded(c));
    const struct gn_rt_inst *p = producer_of(c->run, x->in0->ring);
    if (x->in0->ring->n_readers == 1 && !p->is_blocking)
        return p->i_group;
    if (x->n_instances == 1)
        return new_group(c, least_loaded(c));
    uint32_t home = (uint32_t)((uint64_t)x->instance * n_workers / x->n_instances);
    uint32_t g = group_of_sibling(c, x, home, n_sorted);
    return g != UINT32_MAX ? g : new_group(c, home);
}

static void deal(struct cut *c)
{
    struct gn_run *run = c->run;
    uint32_t messages = UINT32_MAX, all = UINT32_MAX;
    for (uint32_t i = 0; i < run->n_insts; i++) {
        struct gn_rt_inst *x = c->order[i];
        if (run->n_workers == 1 && !x->is_blocking) {
            if (all == UINT32_MAX)
                all = new_group(c, 0);
            x->i_group = all;
        } else {
            x->i_group = group_of(c, x, i, &messages);
        }
        if (c->home[x->i_group] < run->n_workers)
            c->load[c->home[x->i_group]]++;
    }
}

/* Shuffle: any cut is legal. */
static void deal_at_random(struct cut *c)
{
    struct gn_run *run = c->run;
    uint32_t rng = run->config.shuffle_seed * 2654435761u | 1u;
    uint32_t n = 1 + gn_rt_random(&rng) % run->n_insts;
    for (uint32_t i = 0; i < n; i++)
        (void)new_group(c, i % run->n_workers);
    for (uint32_t i = 0; i < run->n_insts; i++)
        run->insts[i].i_group = run->insts[i].is_blocking ? new_group(c, UINT32_MAX) : gn_rt_random(&rng) % n;
}

static gn_status fill_groups(struct cut *c)
{
    struct gn_run *run = c->run;
    run->groups = aligned_alloc(GN_CACHE_LINE, sizeof *run->groups * c->n_groups);
    if (run->groups == NULL)
        return GN_E_NOMEM;
    run->n_groups = c->n_groups;
    for (uint32_t i = 0; i < c->n_groups; i++)
        run->groups[i] = (struct gn_rt_group){.home = c->home[i], .rng = (run->config.shuffle_seed + i) * 2246822519u | 1u};
    for (uint32_t i = 0; i < c->n_groups; i++) {
        struct gn_rt_group *g = &run->groups[i];
        g->insts = calloc(run->n_insts, sizeof *g->insts);
        if (g->insts == NULL)
            return GN_E_NOMEM;
        for (uint32_t k = 0; k < run->n_insts; k++) {
            if (c->order[k]->i_group != i)
                continue;
            g->insts[g->n_insts++] = c->order[k];
            g->is_blocking |= c->order[k]->is_blocking;
        }
        if (g->n_insts == 0)
            atomic_store_explicit(&g->is_ended, 1, memory_order_relaxed);
    }
    return GN_OK;
}

/* An edge whose writer and readers share a group is scratch. */
static void mark_scratch(struct gn_run *run)
{
    for (uint32_t i = 0; i < run->n_insts; i++)
        for (uint32_t k = 0; k < run->insts[i].n_out; k++) {
            struct gn_ring *ring = run->insts[i].out[k].ring;
            ring->is_scratch = !ring->has_latest;
            for (uint32_t j = 0; j < run->n_insts; j++)
                if (run->insts[j].i_group != run->insts[i].i_group && feeds(&run->insts[i], &run->insts[j]))
                    ring->is_scratch = false;
            ring->n_stagger = ring->is_scratch ? ((uint64_t)(ring - run->rings) * STAGGER_BYTES) % 4096 >> ring->log2_item : 0;
            ring->rewind = 0 - ring->n_stagger;
        }
}

static gn_status make_workers(struct gn_run *run)
{
    uint32_t n = run->n_workers;
    for (uint32_t i = 0; i < run->n_groups; i++)
        n += run->groups[i].is_blocking ? 1 : 0;
    run->workers = calloc(n, sizeof *run->workers);
    if (run->workers == NULL)
        return GN_E_NOMEM;
    for (uint32_t i = 0; i < run->n_workers; i++)
        run->workers[i] = (struct gn_rt_worker){.run = run, .i = i, .rng = (run->config.shuffle_seed ^ (i + 77)) | 1u};
    uint32_t k = run->n_workers;
    for (uint32_t i = 0; i < run->n_groups; i++)
        if (run->groups[i].is_blocking)
            run->workers[k++] = (struct gn_rt_worker){.run = run, .i = UINT32_MAX, .own = &run->groups[i]};
    run->n_threads = n;
    return GN_OK;
}

gn_status gn_rt_make_groups(struct gn_run *run)
{
    struct cut c = {.run = run};
    c.order = calloc(run->n_insts, sizeof *c.order);
    c.home = calloc(2 * (size_t)run->n_insts, sizeof *c.home);
    gn_status st = c.order == NULL || c.home == NULL ? GN_E_NOMEM : sort(&c);
    if (st == GN_OK) {
        if (run->is_shuffled)
            deal_at_random(&c);
        else
            deal(&c);
        st = fill_groups(&c);
    }
    if (st == GN_OK) {
        mark_scratch(run);
        st = make_workers(run);
    }
    free(c.order);
    free(c.home);
    return st;
}
