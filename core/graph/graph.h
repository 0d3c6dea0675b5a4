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

/* One running copy of a block: `many: 16` has 16. */
struct gn_instance {
    void *state;          /* state_size bytes, 64-byte aligned, parameters filled in */
    struct gn_host host;  /* during planning: fail, log, ext work; the runtime fills the rest before start() */
    struct gn_plan plan;  /* settled */
    uint32_t i_source;    /* node index of the source whose clock it hears; UINT32_MAX: none */
    uint32_t reserved;
    void *runtime;        /* the runtime's own */
};

struct gn_node {
    const char *name;     /* "trk" */
    const struct gn_block *block;
    struct gn_mark mark;
    uint32_t n_instances;
    uint32_t position;    /* in the files' order: ties of equal `at` */
    struct gn_instance *instances; /* made by planning */
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

struct gn_graph {
    const char *name;
    struct gn_node *nodes;
    struct gn_edge *edges;
    uint32_t n_nodes, n_edges;
    struct gn_run_options run;
    void *arena;          /* owns everything above */
};

#endif
