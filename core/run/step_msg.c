/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* One step of a block that is driven by messages alone: one call for each `at`.
 *
 * Its end. A block outside cycles ends when all it hears is closed. In a cycle nobody would close first, so
 * its blocks take part until the last input from outside has ended: messages after that tick (t_end) circle no
 * more. t_end is the largest frontier those inputs ever had, hence the same for any timing. */
#include "core/run/inst.h"

/* End of what comes from outside, GN_TICK_NEVER while some of it is open. */
static uint64_t end_of_outside(const struct gn_rt_inst *x)
{
    uint64_t t_end = 0;
    for (uint32_t i = 0; i < x->n_ext; i++) {
        if (gn_msglog_frontier(x->ext[i]) != GN_TICK_NEVER)
            return GN_TICK_NEVER;
        uint64_t end = atomic_load_explicit(&x->ext[i]->end_at, memory_order_acquire);
        t_end = end > t_end ? end : t_end;
    }
    return t_end;
}

static bool call(struct gn_rt_inst *x, struct gn_rt_group *g, uint64_t now)
{
    x->w.now = now;
    if (!gn_rt_begin(x) || gn_rt_call(x) != GN_OK)
        return false;
    gn_rt_add(&x->stats.n_items, x->w.n_msgs);
    x->is_again = gn_rt_commit_outs(x, g);
    gn_rt_release(x);
    x->w.job_done = NULL;
    if (x->w.is_done != 0)
        gn_rt_finish(x, now);
    return true;
}

/* Live: a result that came late is handed over at once. */
static bool late_job(struct gn_rt_inst *x)
{
    return x->has_job && x->job.is_late && atomic_load_explicit(&x->job.state, memory_order_acquire) == GN_JOB_DONE;
}

static uint64_t due_of(const struct gn_rt_inst *x)
{
    bool counts = x->has_job && !x->job.is_late && !gn_rt_job_is_void(x);
    return counts ? x->job.due : GN_TICK_NEVER;
}

static bool at_end(uint64_t t_end, bool is_cyclic, uint64_t frontier)
{
    if (t_end == GN_TICK_NEVER)
        return false;
    return is_cyclic ? frontier > t_end : frontier == GN_TICK_NEVER;
}

/* Call for tick t, the earliest message or due job. False: the job is not ready, or there is no room. */
static bool take(struct gn_rt_inst *x, struct gn_rt_group *g, uint64_t t)
{
    uint64_t ignored = GN_TICK_NEVER;
    if (!gn_rt_outs_ready(x, g) || !gn_rt_job_gate(x, t, &ignored))
        return false;
    if (!gn_rt_gather(x, t)) {
        gn_rt_fail(x, GN_E_NOMEM, "no memory for messages");
        return false;
    }
    return call(x, g, t);
}

bool gn_rt_step_msg(struct gn_rt_inst *x, struct gn_rt_group *g)
{
    bool is_cyclic = x->component != x->rank, moved = false;
    if (x->is_again || late_job(x)) {
        uint64_t ignored = GN_TICK_NEVER;
        if (!gn_rt_outs_ready(x, g) || !gn_rt_job_gate(x, x->now, &ignored))
            return false;
        return call(x, g, x->now);
    }
    uint64_t t_end = end_of_outside(x); /* before the frontier: closed means all is visible */
    uint64_t frontier = gn_rt_msg_limit(x);
    uint64_t next = gn_rt_msg_next(x), due = due_of(x);
    uint64_t t = next < due ? next : due;
    uint64_t last = is_cyclic || due == t ? t_end : GN_TICK_NEVER;
    if (t != GN_TICK_NEVER && t < frontier && (t <= last || (due == t && next == t && !is_cyclic))) {
        moved = take(x, g, t);
        if (atomic_load_explicit(&x->is_ended, memory_order_relaxed) != 0)
            return true;
        next = gn_rt_msg_next(x);
        due = due_of(x);
        t = next < due ? next : due;
    } else if (at_end(t_end, is_cyclic, frontier) && (t == GN_TICK_NEVER || t > t_end)) {
        gn_rt_finish(x, is_cyclic ? t_end + 1 : t_end > x->now ? t_end : x->now);
        return true;
    }
    uint64_t position = t < frontier ? t : frontier;
    if (t_end != GN_TICK_NEVER && position > t_end)
        position = is_cyclic ? t_end + 1 : position < GN_TICK_NEVER ? position : t_end;
    if (position != GN_TICK_NEVER && gn_rt_publish(x, position)) {
        g->n_moved++;
        moved = true;
    }
    return moved;
}
