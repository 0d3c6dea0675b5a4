/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A run from its first allocation to its last line. */
#include "core/run/run.h"

#include "core/platform/thread.h"
#include "core/run/inst.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define N_WORKERS_MAX     64u
#define N_WORKERS_DEFAULT 2u
#define FORCE_AFTER_NS    2000000000u
#define WAIT_SLICE_NS     50000000u

uint32_t gn_rt_choose_workers(const struct gn_graph *graph, const struct gn_run_config *config)
{
    uint32_t n = config->n_workers != 0 ? config->n_workers : graph->run.n_workers;
    uint32_t n_cores = gn_thread_n_cores();
    if (n == 0)
        n = n_cores < N_WORKERS_DEFAULT ? n_cores : N_WORKERS_DEFAULT;
    return n > N_WORKERS_MAX ? N_WORKERS_MAX : n;
}

static void stop_blocks(struct gn_run *run)
{
    for (uint32_t i = run->n_insts; i-- > 0;) {
        struct gn_rt_inst *x = &run->insts[i];
        if (x->is_started && x->block->stop != NULL)
            x->block->stop(x->pub->state, x->host);
        x->is_started = false;
    }
}

static gn_status start_blocks(struct gn_run *run, struct gn_error *err)
{
    for (uint32_t i = 0; i < run->n_insts; i++) {
        struct gn_rt_inst *x = &run->insts[i];
        gn_status st = x->block->start != NULL ? x->block->start(x->pub->state, x->host) : GN_OK;
        x->is_started = true; /* stop() also after a failed start() */
        if (st == GN_OK)
            continue;
        char words[240];
        gn_rt_words(x, words, sizeof words);
        if (err != NULL) {
            err->status = st;
            (void)snprintf(err->text, sizeof err->text, "%.60s: %.170s", x->name, words);
        }
        return st;
    }
    return GN_OK;
}

static void init_sync(struct gn_run *run)
{
    pthread_condattr_t attr; /* timed waits on the clock nobody sets */
    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_mutex_init(&run->lock, NULL);
    (void)pthread_mutex_init(&run->job_lock, NULL);
    (void)pthread_cond_init(&run->wake, &attr);
    (void)pthread_cond_init(&run->ended, &attr);
    (void)pthread_cond_init(&run->job_wake, NULL);
    (void)pthread_condattr_destroy(&attr);
}

static void free_all(struct gn_run *run)
{
    gn_rt_jobs_end(run);
    stop_blocks(run);
    gn_rt_unbuild(run);
    (void)pthread_cond_destroy(&run->wake);
    (void)pthread_cond_destroy(&run->ended);
    (void)pthread_cond_destroy(&run->job_wake);
    (void)pthread_mutex_destroy(&run->lock);
    (void)pthread_mutex_destroy(&run->job_lock);
    free(run);
}

gn_status gn_run_new(struct gn_graph *graph, const struct gn_run_config *config, struct gn_run **ret,
        struct gn_error *err)
{
    struct gn_run *run = calloc(1, sizeof *run);
    if (run == NULL)
        return GN_E_NOMEM;
    run->graph = graph;
    if (config != NULL)
        run->config = *config;
    run->n_workers = gn_rt_choose_workers(graph, &run->config);
    run->is_shuffled = run->config.shuffle_seed != 0;
    run->t_start_ns = gn_rt_clock_ns();
    init_sync(run);
    gn_status st = gn_rt_build(run, err);
    if (st == GN_OK)
        st = start_blocks(run, err);
    if (st != GN_OK) {
        free_all(run);
        return st;
    }
    *ret = run;
    return GN_OK;
}

gn_status gn_run_start(struct gn_run *run, struct gn_error *err)
{
    if (run->state != GN_RUN_READY)
        return GN_E_ARG;
    run->state = GN_RUN_RUNNING;
    run->t_start_ns = gn_rt_clock_ns();
    run->cpu_start_s = gn_rt_cpu_s();
    gn_rt_write_start(run);
    gn_status st = gn_rt_workers_start(run);
    if (st != GN_OK && err != NULL) {
        err->status = st;
        (void)snprintf(err->text, sizeof err->text, "cannot start a worker thread");
    }
    return st;
}

static void force(struct gn_run *run)
{
    run->result.was_forced = true;
    atomic_store_explicit(&run->stop, 1, memory_order_release);
}

/* Interrupts arrive as a counter: from a signal handler nothing more is allowed. */
static void look_at_interrupts(struct gn_run *run)
{
    uint32_t n = atomic_load_explicit(&run->interrupts, memory_order_acquire);
    if (n == 0)
        return;
    uint64_t t_ns = gn_rt_clock_ns();
    if (run->t_interrupt_ns == 0)
        run->t_interrupt_ns = t_ns;
    run->result.was_interrupted = true;
    if (n > 1 || t_ns - run->t_interrupt_ns > FORCE_AFTER_NS)
        force(run);
}

static void end(struct gn_run *run)
{
    gn_rt_workers_join(run);
    gn_rt_jobs_end(run);
    if (run->result.status == GN_OK && run->result.was_interrupted) {
        run->result.status = GN_E_CANCELLED;
        (void)snprintf(run->result.text, sizeof run->result.text, "interrupted");
    }
    stop_blocks(run);
    run->t_end_ns = gn_rt_clock_ns();
    run->cpu_end_s = gn_rt_cpu_s();
    run->state = GN_RUN_ENDED;
    gn_rt_write_end(run);
}

static void wait_slice(struct gn_run *run, uint64_t ns)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    ns += (uint64_t)t.tv_nsec;
    t.tv_sec += (time_t)(ns / 1000000000u);
    t.tv_nsec = (long)(ns % 1000000000u);
    (void)pthread_cond_timedwait(&run->ended, &run->lock, &t);
}

bool gn_run_wait(struct gn_run *run, double timeout_s)
{
    if (run->state != GN_RUN_RUNNING)
        return run->state == GN_RUN_ENDED;
    uint64_t t0_ns = gn_rt_clock_ns();
    bool is_over = false;
    for (;;) {
        (void)pthread_mutex_lock(&run->lock);
        is_over = run->n_left >= run->n_threads;
        look_at_interrupts(run);
        double left_s = timeout_s < 0 ? 1e9 : timeout_s - 1e-9 * (double)(gn_rt_clock_ns() - t0_ns);
        bool is_late = left_s <= 0;
        if (!is_over && !is_late)
            wait_slice(run, left_s * 1e9 < WAIT_SLICE_NS ? (uint64_t)(left_s * 1e9) : WAIT_SLICE_NS);
        (void)pthread_mutex_unlock(&run->lock);
        if (is_over || is_late)
            break;
    }
    if (is_over)
        end(run);
    return is_over;
}

void gn_run_interrupt(struct gn_run *run)
{
    atomic_fetch_add_explicit(&run->interrupts, 1, memory_order_release);
}

const struct gn_run_result *gn_run_result(const struct gn_run *run)
{
    return &run->result;
}

void gn_run_free(struct gn_run *run)
{
    if (run == NULL)
        return;
    if (run->state == GN_RUN_RUNNING) {
        gn_run_interrupt(run);
        gn_run_interrupt(run);
        (void)gn_run_wait(run, -1);
    }
    free_all(run);
}
