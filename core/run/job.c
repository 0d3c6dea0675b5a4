/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The batch pool: a few low-priority threads, made when the first job comes. */
#include "core/run/inst.h"

#include "core/platform/thread.h"

#include <stdlib.h>

static int is_cancelled(const struct gn_job *pub)
{
    const struct gn_rt_job *job = (const struct gn_rt_job *)(const void *)pub;
    return gn_rt_job_is_void(job->inst);
}

static void run_job(struct gn_rt_job *job)
{
    struct gn_rt_inst *x = job->inst;
    uint64_t t_ns = gn_rt_clock_ns();
    job->thread = pthread_self();
    job->i_stage = GN_STAGE_NONE;
    job->t_stage_ns = t_ns;
    atomic_store_explicit(&job->state, GN_JOB_RUNNING, memory_order_release);
    if (!is_cancelled(&job->pub))
        job->fn(&job->pub);
    uint64_t t_end_ns = gn_rt_clock_ns();
    if (job->i_stage < GN_RUN_STAGES_MAX)
        gn_rt_add(&x->stats.job_stage_ns[job->i_stage], t_end_ns - job->t_stage_ns);
    gn_rt_add(&x->stats.job_ns, t_end_ns - t_ns);
    gn_rt_add(&x->stats.n_jobs, 1);
    atomic_store_explicit(&job->state, GN_JOB_DONE, memory_order_release); /* partner: gn_rt_job_gate */
    atomic_fetch_sub_explicit(&x->run->n_jobs_open, 1, memory_order_acq_rel);
    gn_rt_notify(x->run);
}

static struct gn_rt_job *pop(struct gn_run *run)
{
    struct gn_rt_job *job = run->job_first;
    if (job != NULL)
        run->job_first = job->next;
    if (run->job_first == NULL)
        run->job_last = NULL;
    return job;
}

static void *pool_main(void *arg)
{
    struct gn_run *run = arg;
    gn_thread_lower_priority();
    (void)pthread_mutex_lock(&run->job_lock);
    for (;;) {
        struct gn_rt_job *job = pop(run);
        if (job != NULL) {
            (void)pthread_mutex_unlock(&run->job_lock);
            run_job(job);
            (void)pthread_mutex_lock(&run->job_lock);
        } else if (run->job_stop) {
            break;
        } else {
            run->n_job_idle++;
            (void)pthread_cond_wait(&run->job_wake, &run->job_lock);
            run->n_job_idle--;
        }
    }
    (void)pthread_mutex_unlock(&run->job_lock);
    return NULL;
}

static void push(struct gn_run *run, struct gn_rt_job *job)
{
    job->next = NULL;
    if (run->job_last != NULL)
        run->job_last->next = job;
    else
        run->job_first = job;
    run->job_last = job;
}

gn_status gn_rt_job_submit(struct gn_rt_inst *x, void (*fn)(const struct gn_job *job), void *arg, uint64_t due)
{
    struct gn_run *run = x->run;
    struct gn_rt_job *job = &x->job;
    job->pub = (struct gn_job){.arg = arg, .is_cancelled = is_cancelled};
    job->fn = fn;
    job->due = due;
    job->inst = x;
    job->is_late = false;
    gn_status st = GN_OK;
    (void)pthread_mutex_lock(&run->job_lock);
    bool needs_thread = run->n_job_idle == 0 && run->n_job_threads < run->n_job_threads_max;
    if (needs_thread && pthread_create(&run->job_threads[run->n_job_threads], NULL, pool_main, run) == 0)
        run->n_job_threads++;
    if (run->n_job_threads == 0)
        st = GN_E_NOMEM;
    if (st == GN_OK) {
        atomic_fetch_add_explicit(&run->n_jobs_open, 1, memory_order_acq_rel);
        atomic_store_explicit(&job->state, GN_JOB_QUEUED, memory_order_relaxed);
        push(run, job);
        x->has_job = true;
        (void)pthread_cond_signal(&run->job_wake);
    }
    (void)pthread_mutex_unlock(&run->job_lock);
    return st;
}

/* Its result will not be asked for: ask it to return early. */
void gn_rt_job_forget(struct gn_rt_inst *x)
{
    if (x->has_job)
        atomic_store_explicit(&x->job.is_cancelled, 1, memory_order_relaxed);
}

/* Wait until every job has returned; then no fn touches a state any more and stop() may run. [control] */
void gn_rt_jobs_end(struct gn_run *run)
{
    for (uint32_t i = 0; i < run->n_insts; i++)
        gn_rt_job_forget(&run->insts[i]);
    (void)pthread_mutex_lock(&run->job_lock);
    run->job_stop = true;
    (void)pthread_cond_broadcast(&run->job_wake);
    (void)pthread_mutex_unlock(&run->job_lock);
    for (uint32_t i = 0; i < run->n_job_threads; i++)
        (void)pthread_join(run->job_threads[i], NULL);
    run->n_job_threads = 0;
}
