/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Streams may not run in a circle; messages may when a port on the way declares a delay. */
#include "core/graph/build.h"

enum colour { WHITE = 0, GREY, BLACK };

struct walk {
    struct gn_builder *b;
    uint8_t *colour;   /* [n_nodes] */
    uint32_t *path;    /* edges from the start to here */
    uint32_t n_path;
    bool is_streams;   /* look at stream edges only */
    uint32_t n_found;
};

static const struct gn_port *from_port(const struct gn_graph *g, const struct gn_edge *e)
{
    return &g->nodes[e->from].block->ports[e->from_port];
}

static bool is_walked(const struct walk *w, const struct gn_edge *e)
{
    const struct gn_port *p = from_port(w->b->graph, e);

    if (w->is_streams)
        return gn_port_is_stream(p);
    return gn_port_is_stream(p) || !(p->delay_s > 0);
}

static void report(struct walk *w, uint32_t i_first)
{
    const struct gn_graph *g = w->b->graph;
    const struct gn_edge *last = &g->edges[w->path[w->n_path - 1]];
    const char *names = g->nodes[last->to].name, *ports = "";
    bool is_all_streams = true;

    for (uint32_t i = i_first; i < w->n_path; i++) {
        const struct gn_edge *e = &g->edges[w->path[i]];
        const struct gn_port *p = from_port(g, e);
        is_all_streams = is_all_streams && gn_port_is_stream(p);
        names = gn_arena_printf(w->b->arena, "%s > %s", names, g->nodes[e->to].name);
        ports = gn_arena_printf(w->b->arena, "%s%s%s.%s", ports, i > i_first ? ", " : "",
                g->nodes[e->from].name, p->name);
    }
    if (is_all_streams && !w->is_streams)
        return; /* said by the walk over streams */
    w->n_found++;
    if (w->is_streams) {
        gn_diag_error(w->b->diag, GN_E_PARSE, &last->mark, "stream cycle: %s", names);
        gn_diag_help(w->b->diag, "streams may not run in a circle: remove one of these links");
        return;
    }
    gn_diag_error(w->b->diag, GN_E_PARSE, &last->mark, "cycle without delay: %s", names);
    gn_diag_help(w->b->diag, "none of %s declares a delay; one of them must", ports);
}

static void visit(struct walk *w, uint32_t i_node)
{
    const struct gn_graph *g = w->b->graph;

    w->colour[i_node] = GREY;
    for (uint32_t i = 0; i < g->n_edges; i++) {
        const struct gn_edge *e = &g->edges[i];
        if (e->from != i_node || !is_walked(w, e))
            continue;
        w->path[w->n_path++] = i;
        if (w->colour[e->to] == WHITE) {
            visit(w, e->to);
        } else if (w->colour[e->to] == GREY) {
            uint32_t first = w->n_path - 1;
            while (first > 0 && g->edges[w->path[first]].from != e->to)
                first--;
            report(w, first);
        }
        w->n_path--;
    }
    w->colour[i_node] = BLACK;
}

static uint32_t search(struct gn_builder *b, bool is_streams)
{
    const struct gn_graph *g = b->graph;
    struct walk w = {.b = b, .is_streams = is_streams};

    w.colour = gn_arena_alloc(b->arena, g->n_nodes + 1);
    w.path = gn_arena_alloc(b->arena, (g->n_nodes + 2) * sizeof *w.path);
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        if (w.colour[i] == WHITE)
            visit(&w, i);
    }
    return w.n_found;
}

bool gn_build_check_cycles(struct gn_builder *b)
{
    uint32_t n_streams = search(b, true);

    (void)search(b, false);
    return n_streams == 0;
}
