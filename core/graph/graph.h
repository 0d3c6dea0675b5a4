/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A flowgraph after reading, checking and planning: what the runtime takes over.
 *
 *   files, -p, one-line form --read--> nodes, edges --check--> --plan--> instances with settled streams --run-->
 *
 * All memory belongs to the graph; gn_graph_free gives it back. [control] throughout. */
#ifndef GN_GRAPH_GRAPH_H
#define GN_GRAPH_GRAPH_H

#include "gnomon/block.h"

#include <stdbool.h>

enum gn_policy { GN_POLICY_DEFAULT = 0, GN_POLICY_LOSSLESS, GN_POLICY_LATEST };

/* Where something was said, for messages. */
struct gn_mark {
    const char *file; /* "receiver.yaml", "-p", "command line" */
    uint32_t line, column; /* 1-based */
    uint32_t length;  /* columns to underline, at least 1 */
};

/* Words of the last host.fail() of an instance: what was refused and why. */
struct gn_failure {
    gn_status status;     /* GN_OK: it never refused */
    char what[32];        /* parameter or port, "" for none */
    char text[240];
};

struct gn_graph;
struct gn_node;

/* One running copy of a block: `many: 16` has 16. */
struct gn_instance {
    void *state;          /* state_size bytes, 64-byte aligned, parameters filled in */
    struct gn_host host;  /* during planning: fail, log, ext work; the runtime fills the rest before start() */
    struct gn_plan plan;  /* settled */
    uint32_t i_source;    /* node index of the source whose clock it hears; UINT32_MAX: none */
    uint32_t reserved;
    void *runtime;        /* the runtime's own */
    const struct gn_graph *graph; /* so that host functions find their way from the instance */
    const struct gn_node *node;
    struct gn_failure failure; /* filled by host.fail() in every phase */
};

/* The instance a host struct lives in. */
static inline struct gn_instance *gn_instance_of(const struct gn_host *h)
{
    return (struct gn_instance *)(uintptr_t)((const char *)h - offsetof(struct gn_instance, host));
}

struct gn_node {
    const char *name;     /* "trk" */
    const struct gn_block *block;
    struct gn_mark mark;
    uint32_t n_instances;
    uint32_t position;    /* in the files' order: ties of equal `at` */
    struct gn_instance *instances; /* made by planning */
    const struct gn_mark *param_marks; /* [block->n_params] where each was said; line 0: default */
    const struct gn_mark *use_mark;
};

/* For `many` nodes an edge stands for all instances: a stream or message output reaches each of them,
 * and their outputs all arrive at the one input. */
struct gn_edge {
    uint32_t from, from_port, to, to_port; /* node indexes and indexes into the port tables */
    uint32_t policy;      /* enum gn_policy, resolved: never DEFAULT after checking */
    struct gn_mark mark;
};

struct gn_run_options {
    uint32_t n_workers;   /* 0: auto */
    double hold_s;        /* ring time under live sources */
};

/* What the command line asks of all blocks and where their words go; copied by gn_graph_load(). */
struct gn_graph_options {
    const char *kernels;  /* host ext "gn.kernels/1" (const char *): "auto" or "portable" */
    const uint32_t *strict; /* host ext "gn.strict/1" (const uint32_t *): 1 = warnings about data are errors */
    void (*log)(void *user, uint32_t level, const char *who, const char *text); /* NULL: silence. [any thread] */
    void *log_user;
};

struct gn_graph {
    const char *name;
    struct gn_node *nodes;
    struct gn_edge *edges;
    uint32_t n_nodes, n_edges;
    struct gn_run_options run;
    struct gn_graph_options options;
    void *arena;          /* owns everything above */
};

/* The host functions that work in every phase; planning sets them, the runtime may keep them. */
gn_status gn_graph_host_fail(const struct gn_host *h, gn_status st, const char *what, const char *fmt, ...)
        GN_PRINTF(4, 5);
void gn_graph_host_log(const struct gn_host *h, uint32_t level, const char *fmt, ...) GN_PRINTF(3, 4);
const void *gn_graph_host_ext(const struct gn_host *h, const char *id);

void gn_graph_free(struct gn_graph *graph);

#endif
