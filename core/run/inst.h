/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The runtime's own view of one block instance. Private to core/run.
 *
 * Who touches what: an instance belongs to one group, a group is run by one worker at a time (claimed by an
 * atomic flag, which also carries the memory from worker to worker). Only rings, message logs, job states and
 * counters are shared, each by its own atomics. */
#ifndef GN_RUN_INST_H
#define GN_RUN_INST_H

#include "core/run/run.h"
#include "core/stream/msglog.h"
#include "core/stream/ring.h"

#include <pthread.h>

#define GN_RT_TAGS_MAX 64u /* tags of one span; more and the span is cut */
#define GN_RT_HIST     64u /* buckets of call times: 4 per octave from 16 ns */

struct gn_rt_in {
    struct gn_ring *ring; /* NULL: not connected */
    struct gn_ring_reader *reader;
    uint32_t i_reader, n_min, n_need, format;
    uint32_t flags;            /* GN_IN_GAP_BEFORE waits for its call */
    bool is_latest, is_at_end;
    uint64_t seg_item, seg_index; /* item seg_item is tick seg_index; a gap starts a new segment */
    uint64_t num, den;
    uint64_t n_marks;          /* marks of the ring that are behind us */
    uint64_t n_gaps_applied;   /* marks up to here have advanced the index */
    struct gn_tag *tags;       /* [GN_RT_TAGS_MAX] */
};

struct gn_rt_out {
    struct gn_ring *ring;
    uint32_t n_min, n_need, format;
    uint64_t seg_item, seg_index, num, den;
};

/* One producer port that one message input hears. */
struct gn_rt_source {
    struct gn_msglog *log;
    struct gn_msg_reader *reader;
    const struct gn_schema *schema;
    uint32_t producer, producer_port, port;
    bool is_cyclic; /* both ends hear each other through message-driven blocks */
};

enum gn_job_state { GN_JOB_NONE = 0, GN_JOB_QUEUED, GN_JOB_RUNNING, GN_JOB_DONE };

struct gn_rt_job {
    struct gn_job pub; /* what fn sees; first, so that it leads back here */
    void (*fn)(const struct gn_job *job);
    uint64_t due;      /* tick */
    _Atomic uint32_t state, is_cancelled;
    struct gn_rt_inst *inst;
    struct gn_rt_job *next; /* in the pool's queue */
    pthread_t thread;  /* valid while RUNNING */
    uint64_t t_stage_ns;
    uint32_t i_stage;
    bool is_late;      /* live: it was due before it ended */
};

/* Written by the instance's worker alone, read by the control thread: relaxed, never read-modify-write. */
struct gn_rt_stats {
    _Atomic uint64_t n_calls, n_items, n_msgs_in, n_msgs_out, n_timed, timed_ns, call_max_ns, position, n_lost,
            n_repeated, n_late, n_jobs, job_ns, full_max_permille;
    _Atomic uint64_t hist[GN_RT_HIST];
    _Atomic uint64_t stage_ns[GN_RUN_STAGES_MAX];     /* in timed calls */
    _Atomic uint64_t job_stage_ns[GN_RUN_STAGES_MAX];
};

enum gn_rt_kind { GN_RT_SOURCE = 0, GN_RT_STREAM, GN_RT_MESSAGE };

struct gn_rt_inst {
    struct gn_run *run;
    struct gn_instance *pub;
    const struct gn_host *host;
    const struct gn_block *block;
    char name[64];
    uint32_t i_node, instance, n_instances, rank; /* rank: position in the file, counted in instances */
    uint32_t kind;
    uint32_t i_group, component;  /* component: cycle among message-driven blocks; own number when in none */
    bool is_started, is_live, is_blocking, is_tap, has_samples;
    uint32_t n_in, n_out, n_sources, n_ports, n_logs;
    struct gn_rt_in *in;
    struct gn_rt_out *out;
    int32_t *port_in, *port_out;  /* port -> stream input / output number, -1 */
    struct gn_msglog **log_of_port; /* [n_ports + 1], the last is the ledger; NULL: nobody listens */
    struct gn_msglog **logs;      /* [n_logs] those that are not NULL */
    struct gn_rt_source *sources; /* in merge order */
    struct gn_msglog **ext;       /* [n_ext] what its cycle (or it alone) hears from outside */
    uint32_t n_ext, n_own_logs;   /* own: without the ledger */
    unsigned char *scratch;       /* a record for ports nobody hears */
    struct gn_rt_in *in0;         /* first connected stream input */
    struct gn_work w;
    struct gn_msg *msgs;
    uint32_t n_msgs_room;
    uint64_t now;                 /* tick of the call under way, or last */
    uint64_t at_max;              /* largest `at` it sent, before delays */
    uint32_t n_sent;              /* in the call under way */
    uint32_t n_msgs;              /* messages taken for the call under way */
    uint64_t tile;                /* items of in[0] or out[0] a pass */
    uint32_t n_steps;
    bool has_more;                /* plain: another call could find enough items */
    bool is_plain;                /* one stream in, at most one out, no messages: step_plain */
    bool is_again;                /* message-driven: it was making items, ask once more */
    _Atomic uint32_t is_ended;
    struct gn_rt_job job;
    bool has_job;                 /* a job is on its way (own copy of job.state != NONE) */
    bool is_timed;                /* the call under way is */
    uint32_t time_mask;           /* 0 or 63 */
    uint32_t i_stage;
    uint64_t t_stage_ns, t_call_ns;
    struct gn_rt_stats stats;
    pthread_mutex_t words_lock;   /* host->fail may be called from a job */
};

struct gn_rt_shared { /* host->share */
    struct gn_rt_shared *next;
    const struct gn_block *block;
    struct gn_ring *ring;
    uint32_t i_group;
    char key[64];
    size_t size;
    void *memory;
};

struct gn_rt_group {
    _Alignas(GN_CACHE_LINE) _Atomic uint32_t is_claimed;
    _Atomic uint32_t is_ended;
    uint32_t n_insts, home;
    struct gn_rt_inst **insts; /* upstream first */
    uint64_t n_moved;          /* bytes and messages over its borders since the last notice */
    uint32_t rng;
    bool is_blocking, is_polling;
};

struct gn_rt_worker {
    struct gn_run *run;
    pthread_t thread;
    uint32_t i, rng, n_interrupts_seen;
    bool is_made, has_left;
    struct gn_rt_group *own; /* a blocking block's; NULL: any */
};

struct gn_run {
    struct gn_graph *graph;
    struct gn_run_config config;
    uint32_t n_insts, n_groups, n_workers, n_threads, n_rings, n_logs;
    bool is_live, is_shuffled;
    struct gn_rt_inst *insts;     /* file order; the event log's is the last when there is one */
    struct gn_rt_inst *tap;
    struct gn_rt_inst **by_rank;
    struct gn_rt_group *groups;
    struct gn_rt_worker *workers;
    struct gn_ring *rings;
    struct gn_msglog *msglogs;
    struct gn_rt_shared *shared;
    struct gn_instance tap_pub;
    char *line;                   /* the event log's */
    _Atomic uint64_t n_events;
    _Atomic uint32_t stop, interrupts, n_alive, n_jobs_open;
    pthread_mutex_t lock;         /* sleep, failure, share */
    pthread_cond_t wake, ended;
    uint32_t epoch;
    _Atomic uint32_t n_sleeping;
    uint32_t n_idle;              /* in doze() with nothing to poll, or returned */
    uint32_t n_left;              /* workers that have returned */
    /* batch pool */
    pthread_mutex_t job_lock;
    pthread_cond_t job_wake;
    struct gn_rt_job *job_first, *job_last;
    pthread_t *job_threads;
    uint32_t n_job_threads, n_job_threads_max, n_job_idle;
    bool job_stop;
    uint32_t state;
    uint64_t t_start_ns, t_end_ns, t_interrupt_ns;
    double cpu_start_s, cpu_end_s;
    struct gn_run_result result;
};

/* build.c */
gn_status gn_rt_build(struct gn_run *run, struct gn_error *err);
void gn_rt_unbuild(struct gn_run *run);
/* groups.c */
gn_status gn_rt_make_groups(struct gn_run *run);
/* host.c */
void gn_rt_host_fill(struct gn_rt_inst *x);
struct gn_rt_inst *gn_rt_of(const struct gn_host *h);
void gn_rt_words(struct gn_rt_inst *x, char *text, size_t room);
void gn_rt_lost(struct gn_rt_inst *x, uint64_t index, uint64_t n_lost, uint64_t n_repeated, const char *cause);
/* step.c, step_msg.c, call.c: true when something moved */
bool gn_rt_step(struct gn_rt_inst *x, struct gn_rt_group *g);
bool gn_rt_step_msg(struct gn_rt_inst *x, struct gn_rt_group *g);
gn_status gn_rt_call(struct gn_rt_inst *x);
void gn_rt_finish(struct gn_rt_inst *x, uint64_t now);
bool gn_rt_publish(struct gn_rt_inst *x, uint64_t position);
bool gn_rt_begin(struct gn_rt_inst *x);
bool gn_rt_outs_ready(struct gn_rt_inst *x, struct gn_rt_group *g);
bool gn_rt_commit_outs(struct gn_rt_inst *x, struct gn_rt_group *g);
bool gn_rt_is_forsaken(const struct gn_rt_inst *x);
/* inputs.c */
uint64_t gn_rt_msg_limit(struct gn_rt_inst *x);
uint64_t gn_rt_msg_next(struct gn_rt_inst *x);
bool gn_rt_gather(struct gn_rt_inst *x, uint64_t until);
void gn_rt_release(struct gn_rt_inst *x);
bool gn_rt_job_is_void(const struct gn_rt_inst *x);
bool gn_rt_job_gate(struct gn_rt_inst *x, uint64_t now, uint64_t *limit);
/* job.c */
gn_status gn_rt_job_submit(struct gn_rt_inst *x, void (*fn)(const struct gn_job *job), void *arg, uint64_t due);
void gn_rt_job_forget(struct gn_rt_inst *x);
void gn_rt_jobs_end(struct gn_run *run);
/* worker.c */
gn_status gn_rt_workers_start(struct gn_run *run);
void gn_rt_workers_join(struct gn_run *run);
void gn_rt_notify(struct gn_run *run);
void gn_rt_fail(struct gn_rt_inst *x, gn_status st, const char *what);
/* tap.c */
extern const struct gn_block gn_rt_tap_block;
size_t gn_rt_event_line(struct gn_run *run, const struct gn_msg *msg, char *buf, size_t room);
void gn_rt_write_start(struct gn_run *run);
void gn_rt_write_end(struct gn_run *run);
/* run.c */
uint32_t gn_rt_choose_workers(const struct gn_graph *graph, const struct gn_run_config *config);
/* stats.c */
uint64_t gn_rt_clock_ns(void);
double gn_rt_cpu_s(void);
void gn_rt_count_call(struct gn_rt_inst *x, uint64_t ns);

static inline void gn_rt_add(_Atomic uint64_t *counter, uint64_t n)
{
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + n, memory_order_relaxed);
}

static inline uint32_t gn_rt_random(uint32_t *rng) /* xorshift; never 0 */
{
    uint32_t x = *rng;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *rng = x;
    return x;
}

/* floor(k num / den) and ceil(k den / num) without leaving 64 bits: num, den < 2^32 */
static inline uint64_t gn_rt_ticks(uint64_t k, uint64_t num, uint64_t den)
{
    return den == 1 ? k * num : k / den * num + k % den * num / den;
}

static inline uint64_t gn_rt_items(uint64_t ticks, uint64_t num, uint64_t den)
{
    if (num == 1 && den == 1)
        return ticks;
    return ticks / num * den + (ticks % num * den + num - 1) / num;
}

static inline uint64_t gn_rt_in_index(const struct gn_rt_in *in)
{
    return in->seg_index + gn_rt_ticks(in->reader->here - in->seg_item, in->num, in->den);
}

static inline uint64_t gn_rt_out_index(const struct gn_rt_out *out)
{
    return out->seg_index + gn_rt_ticks(out->ring->head_here - out->seg_item, out->num, out->den);
}

#endif
