/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Runs a planned flowgraph: starts the blocks, moves samples and messages, ends in order, counts everything.
 *
 *   gn_run_new --> gn_run_start --> gn_run_wait ... (gn_run_progress, gn_run_interrupt) --> gn_run_result --> gn_run_free
 *
 * The graph must outlive the run. One run per graph: states are not reset. */
#ifndef GN_RUN_RUN_H
#define GN_RUN_RUN_H

#include "core/graph/graph.h"

#include <stdio.h>

struct gn_run; /* opaque */

struct gn_run_config {
    uint32_t n_workers;    /* 0: the graph's `run: workers`, and if that is 0 too min(cores, 2) */
    uint32_t shuffle_seed; /* not 0: random cuts, order and chunks from this seed; events must not change */
    bool is_strict;        /* remembered for the caller: a warning counts as bad data */
    FILE *jsonl;           /* every event of the graph goes here, in order; NULL: nowhere. Stays the caller's */
    const char *version;   /* for run.start; NULL: left out */
    const char *kernels;   /* for run.start: "portable", "avx2 ..."; NULL: left out */
    /* Words of the blocks for people (host->log), also `gap` losses. NULL: to stderr up to GN_LOG_WARN. [any thread] */
    void (*log)(void *user, uint32_t level, const char *block, const char *text);
    void *user;
    /* Sees every message with an event word, in the order of the log; must be quick; NULL: nobody. One call at a
     * time, msg good for the call. `block`: name of the sender's instance. [a worker] */
    void (*tap)(void *user, const struct gn_msg *msg, const char *block);
    void *tap_user;
};

enum gn_run_state { GN_RUN_READY = 0, GN_RUN_RUNNING, GN_RUN_ENDED };

/* Totals at one moment. */
struct gn_run_progress {
    uint32_t state;          /* enum gn_run_state */
    uint32_t n_workers;      /* threads that run groups, without those of blocking blocks */
    uint64_t n_ticks;        /* done by the source that is furthest behind (where it is reading) */
    uint64_t n_ticks_total;  /* 0: unknown */
    uint64_t n_lost, n_repeated; /* ticks, all sources and dropping readers */
    uint64_t n_late;         /* job results that came after they were due (live) */
    uint64_t n_events;       /* lines in jsonl */
    double rate_sps;         /* nominal rate of that source, 0 unknown */
    double wall_s, cpu_s;    /* since gn_run_start; cpu of the whole process */
    double real_time_factor; /* stream seconds per wall second, 0 unknown */
};

#define GN_RUN_STAGES_MAX 16u

/* What one instance has cost so far. */
struct gn_run_block_stats {
    const char *name;        /* "trk[3]" */
    const char *use;         /* "track.channel" */
    uint32_t i_node, instance;
    uint64_t n_calls, n_items; /* items: taken from the first stream input, a source's made; messages else */
    uint64_t n_msgs_in, n_msgs_out;
    uint64_t cpu_ns;         /* wall time inside work calls (each 64th timed above 10 kHz, then scaled) */
    uint64_t job_ns, n_jobs; /* time inside batch jobs */
    uint64_t call_p99_ns, call_max_ns;
    double occupancy;        /* of the fullest input ring: 0..1 now */
    double occupancy_max;
    uint64_t n_lost, n_late;
    uint64_t position;       /* tick it has reached */
    uint32_t n_stages;
    uint32_t is_ended;
    const char *const *stage_names;
    uint64_t stage_ns[GN_RUN_STAGES_MAX]; /* work and jobs together */
};

/* The end: status, the block that failed and its own words. */
struct gn_run_result {
    gn_status status;        /* GN_OK; GN_E_CANCELLED after an interrupt; else what the block returned */
    char block[64];          /* "" when no block is to blame */
    char text[240];          /* words for people, "" on GN_OK */
    bool was_interrupted, was_forced;
};

/* Allocate all memory, then start() every block in file order. On a refusal everything is stopped and freed
 * again, err says "block: words" and *ret is untouched. config may be NULL. [control] */
GN_NODISCARD gn_status gn_run_new(struct gn_graph *graph, const struct gn_run_config *config, struct gn_run **ret,
        struct gn_error *err);

/* Let the workers go; writes run.start. [control] */
GN_NODISCARD gn_status gn_run_start(struct gn_run *run, struct gn_error *err);

/* Wait up to timeout_s (negative: for ever) for the end. True when the run has ended: then all stop() have run,
 * run.end is written and gn_run_result is final. [control] */
bool gn_run_wait(struct gn_run *run, double timeout_s);

/* End of stream at the current index with jobs cancelled (for 2 s, then forced); a second call forces at once.
 * Safe in a signal handler. [any thread] */
void gn_run_interrupt(struct gn_run *run);

void gn_run_progress(const struct gn_run *run, struct gn_run_progress *ret); /* [control] while it runs */
uint32_t gn_run_n_blocks(const struct gn_run *run);                          /* instances, [control] */
void gn_run_block_stats(const struct gn_run *run, uint32_t i, struct gn_run_block_stats *ret); /* [control] */
const struct gn_run_result *gn_run_result(const struct gn_run *run);         /* [control] after the end */

/* Memory of the rings in bytes that a run of this graph would map; for `check`. [control] */
size_t gn_run_ring_bytes(const struct gn_graph *graph, const struct gn_run_config *config);
/* The same for one edge: 0 when it is inside a group (scratch) or shares the ring of an earlier edge. [control] */
size_t gn_run_edge_bytes(const struct gn_graph *graph, const struct gn_run_config *config, uint32_t i_edge);

/* Interrupts, waits and stops when that has not happened yet. NULL is fine. [control] */
void gn_run_free(struct gn_run *run);

#endif
