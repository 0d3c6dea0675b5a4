/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Formats, ticks per item and clocks, settled from the sources to the sinks before anything starts. */
#include "core/graph/build.h"

#include "core/text/status.h"

#include <math.h>
#include <string.h>

enum stage { WAITING = 0, PLANNED, FAILED };

struct planner {
    struct gn_builder *b;
    uint8_t *stage;       /* [n_nodes] enum stage */
    uint32_t *order;      /* [n_nodes] stream nodes in topological order, then the others */
    uint32_t **wanted;    /* [n_nodes][n_ports] formats that suit everything behind an input */
};

static const struct gn_anchor no_anchor = {.rate_sps = 0};

static bool has_stream(const struct gn_node *node)
{
    for (uint32_t i = 0; i < node->block->n_ports; i++) {
        if (gn_port_is_stream(&node->block->ports[i]))
            return true;
    }
    return false;
}

static uint32_t count_streams(const struct gn_block *block, uint32_t dir)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < block->n_ports; i++)
        n += block->ports[i].dir == dir && gn_port_is_stream(&block->ports[i]) ? 1 : 0;
    return n;
}

static const struct gn_edge *edge_into(const struct gn_graph *g, uint32_t i_node, uint32_t i_port)
{
    for (uint32_t i = 0; i < g->n_edges; i++) {
        if (g->edges[i].to == i_node && g->edges[i].to_port == i_port)
            return &g->edges[i];
    }
    return NULL;
}

static bool edge_is_stream(const struct gn_graph *g, const struct gn_edge *e)
{
    return gn_port_is_stream(&g->nodes[e->to].block->ports[e->to_port]);
}

/* Kahn's order over stream links, ties by position in the file; nodes without streams come last. */
static void sort_nodes(struct planner *p)
{
    const struct gn_graph *g = p->b->graph;
    uint32_t *n_open = gn_arena_alloc(p->b->arena, (g->n_nodes + 1) * sizeof *n_open), n = 0;
    bool *is_done = gn_arena_alloc(p->b->arena, (g->n_nodes + 1) * sizeof *is_done);

    for (uint32_t i = 0; i < g->n_edges; i++)
        n_open[g->edges[i].to] += edge_is_stream(g, &g->edges[i]) ? 1 : 0;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        if (is_done[i] || n_open[i] > 0 || g->nodes[i].block == NULL || !has_stream(&g->nodes[i]))
            continue;
        is_done[i] = true;
        p->order[n++] = i;
        for (uint32_t k = 0; k < g->n_edges; k++)
            n_open[g->edges[k].to] -= g->edges[k].from == i && edge_is_stream(g, &g->edges[k]) ? 1 : 0;
        i = UINT32_MAX; /* from the start again: the first in the file that can go */
    }
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        if (!is_done[i])
            p->order[n++] = i;
    }
}

static uint32_t wanted_from(const struct planner *p, uint32_t i_node, uint32_t i_port)
{
    const struct gn_graph *g = p->b->graph;
    uint32_t set = gn_formats_parse(g->nodes[i_node].block->ports[i_port].formats);

    for (uint32_t i = 0; i < g->n_edges; i++) {
        const struct gn_edge *e = &g->edges[i];
        if (e->from == i_node && e->from_port == i_port)
            set &= p->wanted[e->to][e->to_port];
    }
    return set;
}

/* An "any" input in front of an "any" output most likely hands the format on, so it wants what suits
 * those behind it. Only a preference: what plan() says is checked afterwards. */
static void find_wanted(struct planner *p)
{
    const struct gn_graph *g = p->b->graph;

    for (uint32_t n = g->n_nodes; n-- > 0;) {
        uint32_t i_node = p->order[n], through = GN_FORMATS_ALL;
        const struct gn_block *block = g->nodes[i_node].block;
        if (block == NULL)
            continue;
        p->wanted[i_node] = gn_arena_alloc(p->b->arena, (block->n_ports + 1) * sizeof **p->wanted);
        for (uint32_t i = 0; i < block->n_ports; i++) {
            if (block->ports[i].dir == GN_OUT && gn_formats_parse(block->ports[i].formats) == GN_FORMATS_ALL)
                through &= wanted_from(p, i_node, i);
        }
        for (uint32_t i = 0; i < block->n_ports; i++) {
            uint32_t own = gn_formats_parse(block->ports[i].formats);
            p->wanted[i_node][i] = own == GN_FORMATS_ALL && through != 0 ? through : own;
        }
    }
}

/* First word of `formats` that is in set; for "any" the input's format, then cf32. 0: none */
static uint32_t first_format(const char *formats, uint32_t set, uint32_t in_format)
{
    if (gn_formats_parse(formats) == GN_FORMATS_ALL) {
        if (in_format != GN_FMT_NONE && (set >> in_format & 1u) != 0)
            return in_format;
        if ((set >> GN_FMT_CF32 & 1u) != 0)
            return GN_FMT_CF32;
        for (uint32_t f = 1; f < 32; f++) {
            if ((set >> f & 1u) != 0)
                return f;
        }
        return 0;
    }
    while (*formats != '\0') {
        size_t n = strcspn(formats, " ");
        char word[8] = "";
        memcpy(word, formats, n < sizeof word ? n : 0);
        uint32_t bit = gn_formats_parse(word) & set;
        for (uint32_t f = 1; bit != 0 && f < 32; f++) {
            if ((bit >> f & 1u) != 0)
                return f;
        }
        formats += n + strspn(formats + n, " ");
    }
    return 0;
}

static uint32_t preset_format(const struct planner *p, uint32_t i_node, uint32_t i_port, uint32_t in_format)
{
    const struct gn_graph *g = p->b->graph;
    const char *formats = g->nodes[i_node].block->ports[i_port].formats;
    uint32_t shallow = gn_formats_parse(formats), f = first_format(formats, wanted_from(p, i_node, i_port), in_format);

    for (uint32_t i = 0; i < g->n_edges; i++) {
        const struct gn_edge *e = &g->edges[i];
        if (e->from == i_node && e->from_port == i_port)
            shallow &= gn_formats_parse(g->nodes[e->to].block->ports[e->to_port].formats);
    }
    if (f == 0)
        f = first_format(formats, shallow, in_format);
    return f != 0 ? f : first_format(formats, gn_formats_parse(formats), in_format);
}

static struct gn_plan_stream *settled_input(const struct planner *p, uint32_t i_node)
{
    const struct gn_graph *g = p->b->graph;
    const struct gn_block *block = g->nodes[i_node].block;
    struct gn_plan_stream *in = gn_arena_alloc(p->b->arena, (block->n_ports + 1) * sizeof *in), *at = in;

    for (uint32_t i = 0; i < block->n_ports; i++) {
        if (block->ports[i].dir != GN_IN || !gn_port_is_stream(&block->ports[i]))
            continue;
        const struct gn_edge *e = edge_into(g, i_node, i);
        if (e != NULL) {
            const struct gn_node *from = &g->nodes[e->from];
            *at = from->instances[0].plan.out[gn_stream_index(from->block, e->from_port)];
        }
        at++;
    }
    return in;
}

static void preset(const struct planner *p, uint32_t i_node, struct gn_instance *in)
{
    const struct gn_node *node = &p->b->graph->nodes[i_node];
    const struct gn_block *block = node->block;
    struct gn_plan_stream *settled = settled_input(p, i_node);
    struct gn_plan_stream base = {.format = GN_FMT_NONE, .tick_num = 1, .tick_den = 1};

    in->plan.n_in = count_streams(block, GN_IN);
    in->plan.n_out = count_streams(block, GN_OUT);
    in->plan.in = settled;
    in->plan.out = gn_arena_alloc(p->b->arena, (in->plan.n_out + 1) * sizeof *in->plan.out);
    for (uint32_t i = in->plan.n_in; i-- > 0;)
        base = settled[i].format != GN_FMT_NONE ? settled[i] : base;
    for (uint32_t i = 0, k = 0; i < block->n_ports; i++) {
        if (block->ports[i].dir != GN_OUT || !gn_port_is_stream(&block->ports[i]))
            continue;
        in->plan.out[k] = base;
        in->plan.out[k++].format = preset_format(p, i_node, i, base.format);
    }
    in->host.anchor = &no_anchor;
    if (in->i_source == i_node)
        in->host.anchor = &node->instances[0].plan.anchor;
    else if (in->i_source != UINT32_MAX)
        in->host.anchor = &p->b->graph->nodes[in->i_source].instances[0].plan.anchor;
    if (in->i_source != i_node)
        in->plan.anchor = *in->host.anchor;
}

static void set_source(const struct planner *p, uint32_t i_node, uint32_t i_source)
{
    const struct gn_node *node = &p->b->graph->nodes[i_node];
    for (uint32_t i = 0; i < node->n_instances; i++)
        node->instances[i].i_source = i_source;
}

static bool is_same_rate(const struct gn_plan_stream *a, const struct gn_plan_stream *b)
{
    return a->tick_num == b->tick_num && a->tick_den == b->tick_den;
}

/* Which source a stream node hears, and that all its inputs agree. */
static bool join_inputs(const struct planner *p, uint32_t i_node)
{
    const struct gn_graph *g = p->b->graph;
    const struct gn_node *node = &g->nodes[i_node];
    const struct gn_edge *first = NULL;

    for (uint32_t i = 0; i < node->block->n_ports; i++) {
        const struct gn_edge *e = node->block->ports[i].dir == GN_IN && gn_port_is_stream(&node->block->ports[i])
                ? edge_into(g, i_node, i) : NULL;
        if (e == NULL)
            continue;
        const struct gn_node *from = &g->nodes[e->from];
        const struct gn_plan_stream *s = &from->instances[0].plan.out[gn_stream_index(from->block, e->from_port)];
        if (first == NULL) {
            first = e;
            set_source(p, i_node, from->instances[0].i_source);
            continue;
        }
        const struct gn_node *other = &g->nodes[first->from];
        const struct gn_plan_stream *t = &other->instances[0].plan.out[gn_stream_index(other->block, first->from_port)];
        bool is_one_clock = from->instances[0].i_source == other->instances[0].i_source;
        if ((node->block->flags & GN_BLOCK_JOINS) != 0 || (is_one_clock && is_same_rate(s, t)))
            continue;
        if (is_one_clock)
            gn_diag_error(p->b->diag, GN_E_PARSE, &e->mark,
                    "rate mismatch at '%s': %s.%s has %llu/%llu ticks per item, %s.%s has %llu/%llu", node->name,
                    other->name, other->block->ports[first->from_port].name, (unsigned long long)t->tick_num,
                    (unsigned long long)t->tick_den, from->name, from->block->ports[e->from_port].name,
                    (unsigned long long)s->tick_num, (unsigned long long)s->tick_den);
        else
            gn_diag_error(p->b->diag, GN_E_PARSE, &e->mark,
                    "rate mismatch at '%s': its inputs come from two clocks, '%s' and '%s'", node->name,
                    g->nodes[other->instances[0].i_source].name, g->nodes[from->instances[0].i_source].name);
        gn_diag_help(p->b->diag, "%s does not say that it joins different rates or clocks", node->block->name);
        return false;
    }
    if (first == NULL)
        set_source(p, i_node, i_node);
    return true;
}

static bool check_output(const struct planner *p, uint32_t i_node, const struct gn_instance *in, uint32_t i_port)
{
    const struct gn_graph *g = p->b->graph;
    const struct gn_node *node = &g->nodes[i_node];
    const struct gn_port *port = &node->block->ports[i_port];
    const struct gn_plan_stream *s = &in->plan.out[gn_stream_index(node->block, i_port)];
    bool is_good = true;

    if (s->format == GN_FMT_NONE || (gn_formats_parse(port->formats) >> s->format & 1u) == 0 || s->format > GN_FMT_U8
            || s->tick_num == 0 || s->tick_den == 0) {
        gn_diag_error(p->b->diag, GN_E_PLUGIN, &node->mark, "%s: plan() leaves output '%s' with a format or rate that cannot be",
                node->block->name, port->name);
        return false;
    }
    for (uint32_t i = 0; i < g->n_edges; i++) {
        const struct gn_edge *e = &g->edges[i];
        if (e->from != i_node || e->from_port != i_port)
            continue;
        const struct gn_port *to = &g->nodes[e->to].block->ports[e->to_port];
        if ((gn_formats_parse(to->formats) >> s->format & 1u) != 0)
            continue;
        gn_diag_error(p->b->diag, GN_E_PARSE, &e->mark, "format mismatch: %s.%s gives %s, %s.%s takes %s", node->name,
                port->name, gn_format_name(s->format), g->nodes[e->to].name, to->name, to->formats);
        gn_diag_help(p->b->diag, "a block between them that converts would do");
        is_good = false;
    }
    return is_good;
}

void gn_build_report(struct gn_diag *diag, const struct gn_node *node, const struct gn_instance *in,
        gn_status status, const char *when)
{
    const struct gn_failure *f = &in->failure;
    const struct gn_mark *mark = node->use_mark != NULL ? node->use_mark : &node->mark;
    const char *text = f->status != GN_OK && f->text[0] != '\0' ? f->text : gn_status_text(status);

    for (uint32_t i = 0; i < node->block->n_params; i++) {
        if (strcmp(node->block->params[i].name, f->what) == 0 && node->param_marks[i].line > 0)
            mark = &node->param_marks[i];
    }
    if (f->what[0] != '\0')
        gn_diag_error(diag, status, mark, "%s.%s: %s", in->host.name, f->what, text);
    else
        gn_diag_error(diag, status, mark, "%s: %s", in->host.name, text);
    if (f->status == GN_OK)
        gn_diag_help(diag, "%s of %s gave no reason", when, node->block->name);
}

static bool plan_instance(struct planner *p, uint32_t i_node, struct gn_instance *in)
{
    const struct gn_node *node = &p->b->graph->nodes[i_node];
    bool is_good = true;

    preset(p, i_node, in);
    in->failure = (struct gn_failure){.status = GN_OK};
    gn_status st = node->block->plan != NULL ? node->block->plan(in->state, &in->host, &in->plan) : GN_OK;
    if (st != GN_OK) {
        gn_build_report(p->b->diag, node, in, st, "plan()");
        return false;
    }
    for (uint32_t i = 0; i < node->block->n_ports; i++) {
        if (node->block->ports[i].dir == GN_OUT && gn_port_is_stream(&node->block->ports[i]))
            is_good = check_output(p, i_node, in, i) && is_good;
    }
    if (in->i_source == i_node && !(in->plan.anchor.rate_sps >= 0 && isfinite(in->plan.anchor.rate_sps))) {
        gn_diag_error(p->b->diag, GN_E_PLUGIN, &node->mark, "%s: plan() gives a rate that cannot be", node->block->name);
        is_good = false;
    }
    return is_good;
}

static bool is_upstream_planned(const struct planner *p, uint32_t i_node)
{
    const struct gn_graph *g = p->b->graph;

    for (uint32_t i = 0; i < g->n_edges; i++) {
        if (g->edges[i].to == i_node && edge_is_stream(g, &g->edges[i]) && p->stage[g->edges[i].from] != PLANNED)
            return false;
    }
    return true;
}

/* A node of messages only hears the clock of whoever writes to it first in the file. */
static void spread_sources(const struct planner *p)
{
    const struct gn_graph *g = p->b->graph;

    for (bool is_news = true; is_news;) {
        is_news = false;
        for (uint32_t i = 0; i < g->n_edges; i++) {
            const struct gn_node *from = &g->nodes[g->edges[i].from], *to = &g->nodes[g->edges[i].to];
            if (has_stream(to) || to->instances[0].i_source != UINT32_MAX
                    || from->instances[0].i_source == UINT32_MAX)
                continue;
            set_source(p, g->edges[i].to, from->instances[0].i_source);
            is_news = true;
        }
    }
}

void gn_build_plan(struct gn_builder *b)
{
    struct gn_graph *g = b->graph;
    struct planner p = {.b = b};
    bool is_spread = false;

    p.stage = gn_arena_alloc(b->arena, g->n_nodes + 1);
    p.order = gn_arena_alloc(b->arena, (g->n_nodes + 1) * sizeof *p.order);
    p.wanted = gn_arena_alloc(b->arena, (g->n_nodes + 1) * sizeof *p.wanted);
    sort_nodes(&p);
    find_wanted(&p);
    for (uint32_t n = 0; n < g->n_nodes; n++) {
        uint32_t i_node = p.order[n];
        struct gn_node *node = &g->nodes[i_node];
        bool is_stream_node = node->block != NULL && has_stream(node);
        if (node->block == NULL)
            continue;
        if (!is_stream_node && !is_spread) {
            spread_sources(&p);
            is_spread = true;
        }
        bool is_good = !is_stream_node || (is_upstream_planned(&p, i_node) && join_inputs(&p, i_node));
        for (uint32_t i = 0; i < node->n_instances && is_good; i++)
            is_good = plan_instance(&p, i_node, &node->instances[i]);
        p.stage[i_node] = is_good ? PLANNED : FAILED;
    }
}
