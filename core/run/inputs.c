/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Message inputs of an instance: frontier, merge of the producers, and the one job that may be under way. */
#include "core/run/inst.h"

#include <stdlib.h>

/* Nothing with a smaller `at` will come any more. */
uint64_t gn_rt_msg_limit(struct gn_rt_inst *x)
{
    uint64_t limit = GN_TICK_NEVER;
    for (uint32_t i = 0; i < x->n_sources; i++) {
        uint64_t f = gn_msglog_frontier(x->sources[i].log);
        limit = f < limit ? f : limit;
    }
    return limit;
}

/* `at` of the next message, GN_TICK_NEVER: none is there. Call after gn_rt_msg_limit. */
uint64_t gn_rt_msg_next(struct gn_rt_inst *x)
{
    uint64_t at = GN_TICK_NEVER;
    for (uint32_t i = 0; i < x->n_sources; i++) {
        const struct gn_record *r = gn_msglog_peek(x->sources[i].log, x->sources[i].reader);
        if (r != NULL && r->at < at)
            at = r->at;
    }
    return at;
}

static bool grow(struct gn_rt_inst *x)
{
    uint32_t n_room = x->n_msgs_room == 0 ? 64 : x->n_msgs_room * 2;
    struct gn_msg *msgs = realloc(x->msgs, sizeof *msgs * n_room);
    if (msgs == NULL)
        return false;
    x->msgs = msgs;
    x->n_msgs_room = n_room;
    return true;
}

/* First source in merge order among those with the smallest `at` <= until; NULL: none. */
static struct gn_rt_source *earliest(struct gn_rt_inst *x, uint64_t until, const struct gn_record **ret)
{
    struct gn_rt_source *best = NULL;
    uint64_t at = until;
    for (uint32_t i = 0; i < x->n_sources; i++) {
        const struct gn_record *r = gn_msglog_peek(x->sources[i].log, x->sources[i].reader);
        if (r != NULL && (r->at < at || (r->at == at && best == NULL))) {
            best = &x->sources[i];
            at = r->at;
            *ret = r;
        }
    }
    return best;
}

/* Take all messages with at <= until, in the order (at, producer, its port, sequence). False: no memory. */
bool gn_rt_gather(struct gn_rt_inst *x, uint64_t until)
{
    const struct gn_record *r = NULL;
    struct gn_rt_source *s;
    x->n_msgs = 0;
    while ((s = earliest(x, until, &r)) != NULL) {
        if (x->n_msgs == x->n_msgs_room && !grow(x))
            return false;
        x->msgs[x->n_msgs++] = (struct gn_msg){.data = r + 1, .schema = s->schema, .index = r->index,
                .at = r->at, .port = s->port, .producer = s->producer};
        gn_msglog_take(s->reader);
    }
    if (x->n_msgs > 0)
        gn_rt_add(&x->stats.n_msgs_in, x->n_msgs);
    x->w.msgs = x->msgs;
    x->w.n_msgs = x->n_msgs;
    return true;
}

void gn_rt_release(struct gn_rt_inst *x)
{
    for (uint32_t i = 0; i < x->n_sources; i++)
        gn_msglog_release(x->sources[i].reader);
    x->n_msgs = 0;
    x->w.n_msgs = 0;
}

bool gn_rt_job_is_void(const struct gn_rt_inst *x)
{
    return atomic_load_explicit(&x->job.is_cancelled, memory_order_relaxed) != 0 ||
           atomic_load_explicit(&x->run->interrupts, memory_order_relaxed) != 0;
}

static void deliver_job(struct gn_rt_inst *x)
{
    if (x->job.is_late) {
        gn_rt_add(&x->stats.n_late, 1);
        x->job.is_late = false;
    }
    x->w.job_done = x->job.pub.arg;
    x->has_job = false;
    atomic_store_explicit(&x->job.state, GN_JOB_NONE, memory_order_relaxed);
}

/* A job behaves like a message at its due tick. False: now has come and the result has not, so wait (file run).
 * Lowers *limit to a due tick that lies ahead. */
bool gn_rt_job_gate(struct gn_rt_inst *x, uint64_t now, uint64_t *limit)
{
    x->w.job_done = NULL;
    if (!x->has_job)
        return true;
    if (gn_rt_job_is_void(x))
        return true; /* an interrupted run does not wait, and does not use half a result */
    if (x->job.due > now) {
        *limit = x->job.due < *limit ? x->job.due : *limit;
        return true;
    }
    if (atomic_load_explicit(&x->job.state, memory_order_acquire) == GN_JOB_DONE) {
        deliver_job(x);
        return true;
    }
    x->job.is_late = x->is_live;
    return x->is_live;
}
