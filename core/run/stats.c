/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Counters. All single-writer and relaxed: watching costs the watched nothing. */
#include "core/run/inst.h"

#include <sys/resource.h>
#include <time.h>

#define OFTEN_HZ 10000u

uint64_t gn_rt_clock_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

double gn_rt_cpu_s(void)
{
    struct rusage r;
    (void)getrusage(RUSAGE_SELF, &r);
    return (double)r.ru_utime.tv_sec + (double)r.ru_stime.tv_sec +
           1e-6 * ((double)r.ru_utime.tv_usec + (double)r.ru_stime.tv_usec);
}

/* Four buckets an octave from 16 ns: bucket 4 k + q holds (4 + q) / 4 * 2^(k + 4) ns and up. */
static uint32_t bucket(uint64_t ns)
{
    uint32_t k = 0;
    while ((ns >> (k + 1)) >= 16 && k < GN_RT_HIST / 4 - 1)
        k++;
    uint64_t q = ns < 16 ? 0 : (ns >> (k + 2)) - 4;
    return 4 * k + (uint32_t)(q > 3 ? 3 : q);
}

static uint64_t bucket_top_ns(uint32_t i)
{
    return (uint64_t)(4 + i % 4 + 1) << (i / 4 + 2);
}

/* A call of an instance was timed. Above OFTEN_HZ only each 64th is. */
void gn_rt_count_call(struct gn_rt_inst *x, uint64_t ns)
{
    struct gn_rt_stats *s = &x->stats;
    gn_rt_add(&s->n_timed, 1);
    gn_rt_add(&s->timed_ns, ns);
    gn_rt_add(&s->hist[bucket(ns)], 1);
    if (ns > atomic_load_explicit(&s->call_max_ns, memory_order_relaxed))
        atomic_store_explicit(&s->call_max_ns, ns, memory_order_relaxed);
    uint64_t n = atomic_load_explicit(&s->n_calls, memory_order_relaxed);
    uint64_t wall_ns = x->t_call_ns - x->run->t_start_ns;
    x->time_mask = n > 1000 && n > wall_ns / (1000000000u / OFTEN_HZ) ? 63 : 0;
    if (x->in0 == NULL || x->in0->reader == NULL)
        return;
    uint64_t head = atomic_load_explicit(&x->in0->ring->head, memory_order_relaxed);
    uint64_t fill = head > x->in0->reader->here ? (head - x->in0->reader->here) * 1000u / x->in0->ring->n_cap : 0;
    if (fill > atomic_load_explicit(&s->full_max_permille, memory_order_relaxed))
        atomic_store_explicit(&s->full_max_permille, fill, memory_order_relaxed);
}

static uint64_t get(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static uint64_t percentile(const struct gn_rt_stats *s, double p)
{
    uint64_t n = 0, sum = 0;
    for (uint32_t i = 0; i < GN_RT_HIST; i++)
        n += get(&s->hist[i]);
    for (uint32_t i = 0; i < GN_RT_HIST; i++) {
        sum += get(&s->hist[i]);
        if (n > 0 && (double)sum >= p * (double)n)
            return bucket_top_ns(i);
    }
    return 0;
}

static double occupancy(const struct gn_rt_inst *x)
{
    double most = 0;
    for (uint32_t i = 0; i < x->n_in; i++) {
        const struct gn_ring *ring = x->in[i].ring;
        if (ring == NULL)
            continue;
        uint64_t pos = get(&ring->readers[x->in[i].i_reader].pos), head = get(&ring->head);
        double o = pos < head ? (double)(head - pos) / (double)ring->n_cap : 0;
        most = o > most ? o : most;
    }
    return most;
}

static uint64_t scaled(uint64_t ns, uint64_t n_calls, uint64_t n_timed)
{
    return n_timed == 0 ? 0 : (uint64_t)((double)ns * (double)n_calls / (double)n_timed);
}

void gn_run_block_stats(const struct gn_run *run, uint32_t i, struct gn_run_block_stats *ret)
{
    const struct gn_rt_inst *x = &run->insts[i];
    const struct gn_rt_stats *s = &x->stats;
    uint64_t n_calls = get(&s->n_calls), n_timed = get(&s->n_timed);
    *ret = (struct gn_run_block_stats){.name = x->name, .use = x->block->name, .i_node = x->i_node,
            .instance = x->instance, .n_calls = n_calls, .n_items = get(&s->n_items),
            .n_msgs_in = get(&s->n_msgs_in), .n_msgs_out = get(&s->n_msgs_out),
            .cpu_ns = scaled(get(&s->timed_ns), n_calls, n_timed), .job_ns = get(&s->job_ns),
            .n_jobs = get(&s->n_jobs), .call_p99_ns = percentile(s, 0.99), .call_max_ns = get(&s->call_max_ns),
            .occupancy = occupancy(x), .occupancy_max = (double)get(&s->full_max_permille) / 1000.0,
            .n_lost = get(&s->n_lost), .n_late = get(&s->n_late), .position = get(&s->position),
            .is_ended = atomic_load_explicit(&x->is_ended, memory_order_relaxed), .stage_names = x->block->stages};
    const char *const *names = x->block->stages;
    for (uint32_t k = 0; names != NULL && k < GN_RUN_STAGES_MAX && names[k] != NULL; k++) {
        ret->stage_ns[k] = scaled(get(&s->stage_ns[k]), n_calls, n_timed) + get(&s->job_stage_ns[k]);
        ret->n_stages = k + 1;
    }
}

static void add_source(const struct gn_rt_inst *x, struct gn_run_progress *p)
{
    uint64_t position = get(&x->stats.position);
    if (x->kind != GN_RT_SOURCE || (p->rate_sps > 0 && position >= p->n_ticks))
        return;
    p->n_ticks = position;
    p->n_ticks_total = x->host->anchor->n_ticks;
    p->rate_sps = x->host->anchor->rate_sps;
}

void gn_run_progress(const struct gn_run *run, struct gn_run_progress *ret)
{
    struct gn_run_progress p = {.state = run->state, .n_workers = run->n_workers, .n_events = get(&run->n_events)};
    for (uint32_t i = 0; i < run->n_insts; i++) {
        const struct gn_rt_inst *x = &run->insts[i];
        p.n_lost += get(&x->stats.n_lost);
        p.n_repeated += get(&x->stats.n_repeated);
        p.n_late += get(&x->stats.n_late);
        add_source(x, &p);
    }
    if (run->state != GN_RUN_READY) {
        bool is_over = run->state == GN_RUN_ENDED;
        p.wall_s = 1e-9 * (double)((is_over ? run->t_end_ns : gn_rt_clock_ns()) - run->t_start_ns);
        p.cpu_s = (is_over ? run->cpu_end_s : gn_rt_cpu_s()) - run->cpu_start_s;
    }
    if (p.rate_sps > 0 && p.wall_s > 0)
        p.real_time_factor = (double)p.n_ticks / p.rate_sps / p.wall_s;
    *ret = p;
}

uint32_t gn_run_n_blocks(const struct gn_run *run)
{
    return run->n_insts - (run->tap != NULL ? 1 : 0);
}
