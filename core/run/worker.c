/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Workers run groups to completion, sleep when none can move, and notice when all stand still.
 *
 * Sleep: announce (n_sleeping++), look once more, then wait for the epoch to change. Whoever moved something
 * over a group's border fences and looks at n_sleeping, so one of the two always sees the other. With one
 * thread nobody is ever woken and none of it runs. */
#include "core/run/inst.h"

#include <string.h>
#include <time.h>

#define LOOPS_MAX       64u      /* steps of one instance in a pass */
#define NOTICE_BYTES    262144u  /* file run: wake others after a quarter of a ring */
#define POLL_NS         1000000u /* a source that had nothing is asked again after this */
#define NAP_NS          100000000u /* interrupts come without a wake: look at least so often */

/* Lock held. */
static void wake_all(struct gn_run *run)
{
    run->epoch++;
    run->n_idle = 0;
    (void)pthread_cond_broadcast(&run->wake);
}

void gn_rt_notify(struct gn_run *run)
{
    atomic_thread_fence(memory_order_seq_cst); /* partner: doze() */
    if (atomic_load_explicit(&run->n_sleeping, memory_order_relaxed) == 0)
        return;
    (void)pthread_mutex_lock(&run->lock);
    wake_all(run);
    (void)pthread_mutex_unlock(&run->lock);
}

static void stop_all(struct gn_run *run)
{
    atomic_store_explicit(&run->stop, 1, memory_order_release);
    (void)pthread_mutex_lock(&run->lock);
    wake_all(run);
    (void)pthread_mutex_unlock(&run->lock);
}

/* A block failed: the run ends and names it. The first failure counts. */
void gn_rt_fail(struct gn_rt_inst *x, gn_status st, const char *what)
{
    struct gn_run *run = x->run;
    (void)pthread_mutex_lock(&run->lock);
    if (run->result.status == GN_OK) {
        run->result.status = st < 0 ? st : GN_E_PLUGIN;
        (void)snprintf(run->result.block, sizeof run->result.block, "%s", x->name);
        if (what != NULL)
            (void)x->host->fail(x->host, run->result.status, NULL, "%s", what);
        gn_rt_words(x, run->result.text, sizeof run->result.text);
    }
    (void)pthread_mutex_unlock(&run->lock);
    stop_all(run);
}

static bool is_stopped(const struct gn_run *run)
{
    return atomic_load_explicit(&run->stop, memory_order_relaxed) != 0;
}

static void shuffle(struct gn_rt_group *g)
{
    for (uint32_t i = g->n_insts; i > 1; i--) {
        uint32_t k = gn_rt_random(&g->rng) % i;
        struct gn_rt_inst *x = g->insts[k];
        g->insts[k] = g->insts[i - 1];
        g->insts[i - 1] = x;
    }
}

/* Readers of scratch edges and of messages work off what is there; readers of rings and sources take one tile a
 * pass, so that all blocks of the group stay in the same stretch of samples. */
static uint32_t n_loops(const struct gn_rt_inst *x)
{
    if (x->kind == GN_RT_MESSAGE)
        return LOOPS_MAX;
    return x->kind == GN_RT_STREAM && x->in0->ring->is_scratch ? LOOPS_MAX / 4 : 1;
}

static bool pass(struct gn_run *run, struct gn_rt_group *g)
{
    bool moved = false;
    uint32_t n_ended = 0;
    g->is_polling = false;
    if (run->is_shuffled)
        shuffle(g);
    for (uint32_t i = 0; i < g->n_insts && !is_stopped(run); i++) {
        struct gn_rt_inst *x = g->insts[i];
        for (uint32_t k = n_loops(x); k > 0; k--) {
            if (atomic_load_explicit(&x->is_ended, memory_order_relaxed) != 0 || !gn_rt_step(x, g))
                break;
            moved = true;
            if (x->is_plain && !x->has_more)
                break;
        }
        n_ended += atomic_load_explicit(&x->is_ended, memory_order_relaxed);
    }
    if (n_ended == g->n_insts)
        atomic_store_explicit(&g->is_ended, 1, memory_order_relaxed);
    return moved;
}

/* Run a group unless another worker has it. */
static bool try_group(struct gn_rt_worker *w, struct gn_rt_group *g, bool *is_polling)
{
    struct gn_run *run = w->run;
    if (atomic_load_explicit(&g->is_ended, memory_order_relaxed) != 0)
        return false;
    if (run->n_threads > 1) { /* acquire and release hand the group's memory from worker to worker */
        if (atomic_load_explicit(&g->is_claimed, memory_order_relaxed) != 0 ||
                atomic_exchange_explicit(&g->is_claimed, 1, memory_order_acquire) != 0)
            return false;
    }
    bool moved = pass(run, g);
    *is_polling |= g->is_polling;
    bool is_due = g->n_moved >= NOTICE_BYTES || (g->n_moved > 0 && (run->is_live || g->is_blocking)) ||
                  atomic_load_explicit(&g->is_ended, memory_order_relaxed) != 0;
    if (is_due)
        g->n_moved = 0;
    if (run->n_threads > 1) {
        atomic_store_explicit(&g->is_claimed, 0, memory_order_release);
        if (is_due)
            gn_rt_notify(run);
    }
    return moved;
}

static bool round_of(struct gn_rt_worker *w, bool *is_polling)
{
    struct gn_run *run = w->run;
    bool moved = false;
    if (w->own != NULL)
        return try_group(w, w->own, is_polling);
    uint32_t from = run->is_shuffled && run->n_groups > 0 ? gn_rt_random(&w->rng) % run->n_groups : 0;
    for (uint32_t k = 0; k < run->n_groups; k++) {
        struct gn_rt_group *g = &run->groups[(from + k) % run->n_groups];
        if (!g->is_blocking && (g->home == w->i || run->is_shuffled))
            moved |= try_group(w, g, is_polling);
    }
    for (uint32_t k = 0; k < run->n_groups && !moved; k++) /* nothing at home: help the others */
        if (!run->groups[k].is_blocking && run->groups[k].home != w->i)
            moved = try_group(w, &run->groups[k], is_polling);
    return moved;
}

static bool is_over(const struct gn_run *run)
{
    return is_stopped(run) || atomic_load_explicit(&run->n_alive, memory_order_acquire) == 0;
}

/* Nothing can ever move again: say who is left, and where. Lock held. */
static void note_stall(struct gn_run *run)
{
    struct gn_run_result *r = &run->result;
    if (r->status != GN_OK || is_over(run))
        return;
    r->status = GN_E_INTERNAL;
    size_t n = (size_t)snprintf(r->text, sizeof r->text, "the graph stands still");
    for (uint32_t i = 0; i < run->n_insts && n + 90 < sizeof r->text; i++) {
        const struct gn_rt_inst *x = &run->insts[i];
        if (atomic_load_explicit(&x->is_ended, memory_order_relaxed) != 0 || x->is_tap)
            continue;
        if (r->block[0] == 0)
            (void)snprintf(r->block, sizeof r->block, "%s", x->name);
        uint64_t at = atomic_load_explicit(&x->stats.position, memory_order_relaxed);
        n += (size_t)snprintf(r->text + n, sizeof r->text - n, ", %s at %llu", x->name, (unsigned long long)at);
    }
    atomic_store_explicit(&run->stop, 1, memory_order_release);
    wake_all(run);
}

static void nap(struct gn_run *run, uint64_t ns)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    ns += (uint64_t)t.tv_nsec;
    t.tv_sec += (time_t)(ns / 1000000000u);
    t.tv_nsec = (long)(ns % 1000000000u);
    (void)pthread_cond_timedwait(&run->wake, &run->lock, &t);
}

/* Every worker has looked since the last interrupt, sees nothing to do, and no job can change that. Lock held. */
static bool is_stalled(const struct gn_run *run)
{
    uint32_t n = atomic_load_explicit(&run->interrupts, memory_order_relaxed);
    if (run->n_idle + run->n_left != run->n_threads ||
            atomic_load_explicit(&run->n_jobs_open, memory_order_acquire) != 0)
        return false;
    for (uint32_t i = 0; i < run->n_threads; i++)
        if (!run->workers[i].has_left && run->workers[i].n_interrupts_seen != n)
            return false;
    return true;
}

/* Lock held. n_idle starts again at 0 with each epoch, so a worker that was woken but does not run yet is not
 * taken for idle. */
static void sleep_here(struct gn_rt_worker *w, uint32_t epoch, uint32_t n_interrupts, bool is_polling)
{
    struct gn_run *run = w->run;
    if (run->epoch != epoch || is_over(run))
        return;
    if (is_polling) { /* will look again by itself: not idle */
        nap(run, POLL_NS);
        return;
    }
    w->n_interrupts_seen = n_interrupts;
    run->n_idle++;
    if (is_stalled(run))
        note_stall(run);
    else
        nap(run, NAP_NS);
    if (run->epoch == epoch)
        run->n_idle--;
}

/* Nothing moved in a round. Announce, look again, sleep. */
static void doze(struct gn_rt_worker *w)
{
    struct gn_run *run = w->run;
    bool is_polling = false;
    uint32_t n_interrupts = atomic_load_explicit(&run->interrupts, memory_order_relaxed);
    (void)pthread_mutex_lock(&run->lock);
    uint32_t epoch = run->epoch;
    (void)pthread_mutex_unlock(&run->lock);
    atomic_fetch_add_explicit(&run->n_sleeping, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst); /* partner: gn_rt_notify */
    if (round_of(w, &is_polling)) {
        gn_rt_notify(run);
    } else {
        (void)pthread_mutex_lock(&run->lock);
        sleep_here(w, epoch, n_interrupts, is_polling);
        (void)pthread_mutex_unlock(&run->lock);
    }
    atomic_fetch_sub_explicit(&run->n_sleeping, 1, memory_order_relaxed);
}

static void *worker_main(void *arg)
{
    struct gn_rt_worker *w = arg;
    struct gn_run *run = w->run;
    while (!is_over(run)) {
        bool is_polling = false;
        if (w->own != NULL && atomic_load_explicit(&w->own->is_ended, memory_order_relaxed) != 0)
            break;
        if (round_of(w, &is_polling))
            continue;
        if (run->n_threads > 1)
            gn_rt_notify(run); /* what was moved but not yet worth a notice */
        doze(w);
    }
    (void)pthread_mutex_lock(&run->lock);
    run->n_left++;
    w->has_left = true;
    wake_all(run);
    (void)pthread_cond_broadcast(&run->ended);
    (void)pthread_mutex_unlock(&run->lock);
    return NULL;
}

gn_status gn_rt_workers_start(struct gn_run *run)
{
    for (uint32_t i = 0; i < run->n_threads; i++) {
        struct gn_rt_worker *w = &run->workers[i];
        if (pthread_create(&w->thread, NULL, worker_main, w) != 0) {
            (void)pthread_mutex_lock(&run->lock);
            run->n_left += run->n_threads - i;
            (void)pthread_mutex_unlock(&run->lock);
            stop_all(run);
            return GN_E_NOMEM;
        }
        w->is_made = true;
    }
    return GN_OK;
}

void gn_rt_workers_join(struct gn_run *run)
{
    for (uint32_t i = 0; i < run->n_threads; i++) {
        if (run->workers[i].is_made)
            (void)pthread_join(run->workers[i].thread, NULL);
        run->workers[i].is_made = false;
    }
}
