/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Flowgraphs made by hand for tests and benches: nodes from block tables, links by name, no files read.
 *
 *   struct tg *t = tg_new("test");
 *   struct src *s = tg_node(t, "src", &src_block, 1);   returns the first state, to fill parameters
 *   tg_link(t, "src.out", "sink.in");
 *   tg_plan(t, &anchor);                                formats: first of the port; 1 tick an item
 */
#ifndef GN_GRAPH_TEST_H
#define GN_GRAPH_TEST_H

#include "core/graph/graph.h"
#include "core/run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TG_MAX 256

struct tg {
    struct gn_graph graph;
    struct gn_node nodes[TG_MAX];
    struct gn_edge edges[TG_MAX];
    char names[TG_MAX][48];
    struct gn_anchor anchor;
};

static inline struct tg *tg_new(const char *name)
{
    struct tg *t = calloc(1, sizeof *t);
    if (t == NULL)
        abort();
    t->graph.name = name;
    t->graph.nodes = t->nodes;
    t->graph.edges = t->edges;
    return t;
}

static inline void *tg_state(struct tg *t, uint32_t i_node, uint32_t i)
{
    return t->nodes[i_node].instances[i].state;
}

static inline void *tg_node(struct tg *t, const char *name, const struct gn_block *block, uint32_t many)
{
    uint32_t k = t->graph.n_nodes++;
    struct gn_node *n = &t->nodes[k];
    (void)snprintf(t->names[k], sizeof t->names[k], "%s", name);
    *n = (struct gn_node){.name = t->names[k], .block = block, .n_instances = many, .position = k};
    n->instances = calloc(many, sizeof *n->instances);
    for (uint32_t i = 0; i < many; i++) {
        size_t size = (block->state_size + 127u) / 64u * 64u;
        n->instances[i].state = aligned_alloc(64, size);
        memset(n->instances[i].state, 0, size);
    }
    return n->instances[0].state;
}

static inline uint32_t tg_find(struct tg *t, const char *what, uint32_t *port)
{
    for (uint32_t i = 0; i < t->graph.n_nodes; i++) {
        size_t n = strlen(t->nodes[i].name);
        if (strncmp(t->nodes[i].name, what, n) != 0 || what[n] != '.')
            continue;
        for (*port = 0; *port < t->nodes[i].block->n_ports; ++*port)
            if (strcmp(t->nodes[i].block->ports[*port].name, what + n + 1) == 0)
                return i;
    }
    (void)fprintf(stderr, "no port %s\n", what);
    abort();
}

static inline struct gn_edge *tg_link(struct tg *t, const char *from, const char *to)
{
    struct gn_edge *e = &t->edges[t->graph.n_edges++];
    e->from = tg_find(t, from, &e->from_port);
    e->to = tg_find(t, to, &e->to_port);
    e->policy = GN_POLICY_LOSSLESS;
    return e;
}

static inline uint32_t tg_format(const char *list)
{
    static const char *const names[] = {"", "ci8", "ci16", "cf32", "s8", "s16", "f32", "u8"};
    for (uint32_t i = 1; i < GN_COUNT(names); i++)
        if (strncmp(list, names[i], strlen(names[i])) == 0)
            return i;
    return GN_FMT_CF32;
}

static inline void tg_plan(struct tg *t, const struct gn_anchor *anchor)
{
    t->anchor = *anchor;
    for (uint32_t i = 0; i < t->graph.n_nodes; i++) {
        struct gn_node *n = &t->nodes[i];
        for (uint32_t j = 0; j < n->n_instances; j++) {
            struct gn_plan_stream *out = calloc(n->block->n_ports + 1u, sizeof *out);
            uint32_t n_out = 0;
            for (uint32_t p = 0; p < n->block->n_ports; p++)
                if (n->block->ports[p].dir == GN_OUT && n->block->ports[p].formats != NULL)
                    out[n_out++] = (struct gn_plan_stream){.format = tg_format(n->block->ports[p].formats),
                            .tick_num = 1, .tick_den = 1};
            n->instances[j].plan.out = out;
            n->instances[j].plan.n_out = n_out;
            n->instances[j].host.anchor = &t->anchor;
            n->instances[j].i_source = 0; /* the first node is the source */
        }
    }
}

static inline void tg_free(struct tg *t)
{
    for (uint32_t i = 0; i < t->graph.n_nodes; i++) {
        for (uint32_t j = 0; j < t->nodes[i].n_instances; j++) {
            free(t->nodes[i].instances[j].state);
            free(t->nodes[i].instances[j].plan.out);
        }
        free(t->nodes[i].instances);
    }
    free(t);
}

#endif
