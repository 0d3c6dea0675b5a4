/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Around a work call: room on the output side, the call itself, publishing, and the end of an instance. */
#include "core/run/inst.h"

#include <string.h>

#define MARKS_MIN (GN_RT_TAGS_MAX + 16u)

/* Room for a full call's messages. */
bool gn_rt_begin(struct gn_rt_inst *x)
{
    for (uint32_t i = 0; i < x->n_logs; i++) {
        if (!gn_msglog_begin(x->logs[i])) {
            gn_rt_fail(x, GN_E_NOMEM, "no memory for messages");
            return false;
        }
    }
    x->n_sent = 0;
    return true;
}

static bool out_ready(struct gn_rt_inst *x, uint32_t i, uint32_t *rng)
{
    struct gn_rt_out *o = &x->out[i];
    struct gn_ring *ring = o->ring;
    uint64_t need = o->n_need > o->n_min ? o->n_need : o->n_min;
    if (need > ring->n_cap / 2) {
        gn_rt_fail(x, GN_E_ARG, "asks for more room than half its output ring");
        return false;
    }
    /* a quarter of the ring at least, so that a full ring is not worked off in crumbs */
    uint64_t want = rng == NULL && need < ring->n_cap / 4 ? ring->n_cap / 4 : need;
    uint64_t n_room = gn_ring_room(ring, want);
    if (n_room < want || (ring->n_marks_here != 0 && gn_ring_mark_room(ring) < MARKS_MIN))
        return false;
    if (x->kind == GN_RT_SOURCE && n_room > x->tile)
        n_room = x->tile > need ? x->tile : need;
    if (rng != NULL)
        n_room = need + gn_rt_random(rng) % (n_room - need + 1);
    struct gn_out *w = &x->w.out[i];
    w->items = gn_ring_at(ring, ring->head_here);
    w->index = gn_rt_out_index(o);
    w->n_room = n_room > UINT32_MAX ? UINT32_MAX : (uint32_t)n_room;
    w->n_made = 0;
    w->n_need = 0;
    return true;
}

bool gn_rt_outs_ready(struct gn_rt_inst *x, struct gn_rt_group *g)
{
    for (uint32_t i = 0; i < x->n_out; i++)
        if (!out_ready(x, i, x->run->is_shuffled ? &g->rng : NULL))
            return false;
    return true;
}

/* Publish what was made. True: something was. */
bool gn_rt_commit_outs(struct gn_rt_inst *x, struct gn_rt_group *g)
{
    bool moved = false;
    for (uint32_t i = 0; i < x->n_out; i++) {
        struct gn_rt_out *o = &x->out[i];
        struct gn_out *w = &x->w.out[i];
        if (w->n_made > w->n_room || o->ring->head_here + w->n_made < o->seg_item) {
            gn_rt_fail(x, GN_E_PLUGIN, "says it made more items than there was room for");
            return false;
        }
        o->n_need = w->n_need;
        if (o->ring->n_marks_here != 0)
            gn_ring_publish_marks(o->ring);
        if (w->n_made == 0)
            continue;
        gn_ring_commit(o->ring, w->n_made);
        moved = true;
        if (o->ring->n_readers == 0)
            gn_ring_rewind(o->ring);
        else if (!o->ring->is_scratch)
            g->n_moved += (uint64_t)w->n_made << o->ring->log2_item;
    }
    return moved;
}

/* All its stream readers have left and nobody hears its messages: it need not go on. */
bool gn_rt_is_forsaken(const struct gn_rt_inst *x)
{
    if (x->n_own_logs != 0 || x->n_out == 0)
        return false;
    bool had_reader = false;
    for (uint32_t i = 0; i < x->n_out; i++) {
        const struct gn_ring *ring = x->out[i].ring;
        for (uint32_t k = 0; k < ring->n_readers; k++) {
            had_reader = true;
            if (atomic_load_explicit(&ring->readers[k].pos, memory_order_relaxed) != GN_ITEM_NEVER)
                return false;
        }
    }
    return had_reader;
}

static void stage_switch(struct gn_rt_inst *x, uint64_t t_ns)
{
    if (x->i_stage < GN_RUN_STAGES_MAX)
        gn_rt_add(&x->stats.stage_ns[x->i_stage], t_ns - x->t_stage_ns);
    x->i_stage = GN_STAGE_NONE;
}

static gn_status call_timed(struct gn_rt_inst *x)
{
    x->is_timed = true;
    x->t_call_ns = gn_rt_clock_ns();
    gn_status st = x->block->work(x->pub->state, x->host, &x->w);
    uint64_t t_ns = gn_rt_clock_ns();
    stage_switch(x, t_ns);
    x->is_timed = false;
    gn_rt_count_call(x, t_ns - x->t_call_ns);
    return st;
}

/* One work call. The inputs and outputs of x->w are set; false thing about it: the run stops. */
gn_status gn_rt_call(struct gn_rt_inst *x)
{
    uint64_t n = atomic_load_explicit(&x->stats.n_calls, memory_order_relaxed);
    x->w.flags = atomic_load_explicit(&x->run->interrupts, memory_order_relaxed) != 0 ? GN_WORK_CANCEL : 0;
    x->now = x->w.now;
    gn_status st = (n & x->time_mask) == 0 ? call_timed(x) : x->block->work(x->pub->state, x->host, &x->w);
    atomic_store_explicit(&x->stats.n_calls, n + 1, memory_order_relaxed);
    if (st != GN_OK)
        gn_rt_fail(x, st, NULL);
    return st;
}

/* Show messages and frontiers. True: a reader may see something new. */
bool gn_rt_publish(struct gn_rt_inst *x, uint64_t position)
{
    bool is_new = false;
    for (uint32_t i = 0; i < x->n_logs; i++)
        is_new |= gn_msglog_publish(x->logs[i], position);
    atomic_store_explicit(&x->stats.position, position, memory_order_relaxed);
    return is_new;
}

static void leave_inputs(struct gn_rt_inst *x)
{
    for (uint32_t i = 0; i < x->n_in; i++)
        if (x->in[i].ring != NULL)
            gn_ring_leave(x->in[i].ring, x->in[i].i_reader);
    for (uint32_t i = 0; i < x->n_sources; i++)
        gn_msglog_leave(x->sources[i].reader);
}

/* The end of an instance at tick now: finish() may still send, then its outputs close. */
void gn_rt_finish(struct gn_rt_inst *x, uint64_t now)
{
    gn_rt_job_forget(x);
    if (!gn_rt_begin(x))
        return;
    x->now = now;
    x->w.n_msgs = 0;
    x->w.job_done = NULL;
    gn_status st = x->block->finish != NULL ? x->block->finish(x->pub->state, x->host) : GN_OK;
    if (st != GN_OK) {
        gn_rt_fail(x, st, NULL);
        return;
    }
    atomic_store_explicit(&x->stats.position, now, memory_order_relaxed);
    for (uint32_t i = 0; i < x->n_logs; i++)
        gn_msglog_close(x->logs[i], now);
    for (uint32_t i = 0; i < x->n_out; i++)
        gn_ring_close(x->out[i].ring);
    leave_inputs(x);
    atomic_store_explicit(&x->is_ended, 1, memory_order_release);
    atomic_fetch_sub_explicit(&x->run->n_alive, 1, memory_order_acq_rel);
}
