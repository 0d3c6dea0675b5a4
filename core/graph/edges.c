/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Links -> edges: which ports a link means, whether they fit, who reads how. */
#include "core/graph/build.h"

#include "core/text/suggest.h"

#include <string.h>

#define PORT_BARE UINT32_MAX

/* One end of a link, looked up. */
struct end {
    const struct gn_link_end *said;
    struct gn_node *node; /* NULL: unknown, said in diag */
    uint32_t i_node, i_port; /* PORT_BARE: only the block was named */
};

struct pair {
    uint32_t from, to; /* ports */
};

#define PAIRS_MAX 64u

struct pairs {
    struct pair list[PAIRS_MAX];
    uint32_t n;
};

static void unknown_name(struct gn_builder *b, const struct gn_mark *m, const char *name)
{
    struct gn_suggest s = {.word = name};

    for (uint32_t i = 0; i < b->graph->n_nodes; i++)
        gn_suggest_offer(&s, b->graph->nodes[i].name);
    gn_diag_error(b->diag, GN_E_PARSE, m, "no block '%s' in this flowgraph", name);
    gn_diag_suggest(b->diag, s.best);
}

static void unknown_port(struct gn_builder *b, const struct end *e, const struct gn_mark *m, const char *port)
{
    const struct gn_block *block = e->node->block;
    const char *all = "";
    struct gn_suggest s = {.word = port};

    for (uint32_t i = 0; i < block->n_ports; i++) {
        gn_suggest_offer(&s, block->ports[i].name);
        all = gn_arena_printf(b->arena, "%s%s%s (%s)", all, i > 0 ? ", " : "", block->ports[i].name,
                block->ports[i].dir == GN_IN ? "in" : "out");
    }
    gn_diag_error(b->diag, GN_E_PARSE, m, "%s has no port '%s'", block->name, port);
    gn_diag_suggest(b->diag, s.best);
    gn_diag_help(b->diag, "ports: %s", all[0] != '\0' ? all : "none");
}

static uint32_t find_port(const struct gn_block *block, const char *name)
{
    for (uint32_t i = 0; i < block->n_ports; i++) {
        if (strcmp(block->ports[i].name, name) == 0)
            return i;
    }
    return PORT_BARE;
}

static struct end look_up(struct gn_builder *b, const struct gn_link_end *said)
{
    struct end e = {.said = said, .i_port = PORT_BARE};
    size_t n = strcspn(said->word, ".");
    const char *name = gn_arena_text(b->arena, said->word, n);
    struct gn_mark m = said->mark;

    m.length = n > 0 ? (uint32_t)n : 1;
    while (e.i_node < b->graph->n_nodes && strcmp(b->graph->nodes[e.i_node].name, name) != 0)
        e.i_node++;
    if (e.i_node == b->graph->n_nodes) {
        unknown_name(b, &m, name);
        return e;
    }
    e.node = &b->graph->nodes[e.i_node];
    if (said->word[n] == '\0' || e.node->block == NULL)
        return e;
    e.i_port = find_port(e.node->block, said->word + n + 1);
    if (e.i_port != PORT_BARE)
        return e;
    m.column += (uint32_t)n + 1;
    m.length = said->word[n + 1] != '\0' ? (uint32_t)strlen(said->word + n + 1) : 1;
    unknown_port(b, &e, &m, said->word + n + 1);
    e.node = NULL;
    return e;
}

static bool fits(const struct gn_port *out, const struct gn_port *in)
{
    if (gn_port_is_stream(out) || gn_port_is_stream(in))
        return (gn_formats_parse(out->formats) & gn_formats_parse(in->formats)) != 0;
    return in->schema != NULL && strcmp(out->schema->name, in->schema->name) == 0;
}

/* Is port i of this end meant, as the side `dir`? A named port of the other side leaves the end bare,
 * so that the middle of a > b.in > c can name one of its two. */
static bool is_meant(const struct end *e, uint32_t i, uint32_t dir)
{
    const struct gn_block *block = e->node->block;

    if (block->ports[i].dir != dir)
        return false;
    return e->i_port == PORT_BARE || e->i_port == i || block->ports[e->i_port].dir != dir;
}

static bool is_bare(const struct end *e, uint32_t dir)
{
    return e->i_port == PORT_BARE || e->node->block->ports[e->i_port].dir != dir;
}

static void add_pair(struct pairs *p, uint32_t from, uint32_t to)
{
    if (p->n < PAIRS_MAX)
        p->list[p->n++] = (struct pair){from, to};
}

static void collect_typed(const struct end *from, const struct end *to, struct pairs *p)
{
    const struct gn_block *a = from->node->block, *z = to->node->block;

    for (uint32_t i = 0; i < a->n_ports; i++) {
        for (uint32_t k = 0; k < z->n_ports; k++) {
            if (is_meant(from, i, GN_OUT) && is_meant(to, k, GN_IN) && fits(&a->ports[i], &z->ports[k]))
                add_pair(p, i, k);
        }
    }
}

/* Into a port for any message: what was named, else each output that has a word in the event log,
 * else the only message output there is. */
static void collect_any(const struct end *from, const struct end *to, struct pairs *p)
{
    const struct gn_block *a = from->node->block, *z = to->node->block;
    bool is_open = is_bare(from, GN_OUT);

    for (uint32_t k = 0; k < z->n_ports; k++) {
        if (!is_meant(to, k, GN_IN) || !gn_port_is_any_message(&z->ports[k]))
            continue;
        uint32_t n_before = p->n;
        for (uint32_t i = 0; i < a->n_ports; i++) {
            if (is_meant(from, i, GN_OUT) && a->ports[i].schema != NULL
                    && (!is_open || a->ports[i].schema->event != NULL))
                add_pair(p, i, k);
        }
        for (uint32_t i = 0; p->n == n_before && i < a->n_ports; i++) {
            if (is_meant(from, i, GN_OUT) && a->ports[i].schema != NULL)
                add_pair(p, i, k);
        }
    }
}

static const char *kind_words(struct gn_builder *b, const struct gn_port *p)
{
    if (gn_port_is_stream(p))
        return gn_arena_printf(b->arena, "stream %s", p->formats);
    return p->schema != NULL ? gn_arena_printf(b->arena, "message %s", p->schema->name) : "any message";
}

static const char *list_ports(struct gn_builder *b, const struct end *e, uint32_t dir)
{
    const char *all = "";

    for (uint32_t i = 0; i < e->node->block->n_ports; i++) {
        const struct gn_port *p = &e->node->block->ports[i];
        if (is_meant(e, i, dir))
            all = gn_arena_printf(b->arena, "%s%s%s.%s (%s)", all, all[0] != '\0' ? ", " : "",
                    e->node->name, p->name, kind_words(b, p));
    }
    return all[0] != '\0' ? all : "nothing";
}

/* The only meant port of a side, NULL when there are none or several. */
static const struct gn_port *only_port(const struct end *e, uint32_t dir)
{
    const struct gn_port *only = NULL;

    for (uint32_t i = 0; i < e->node->block->n_ports; i++) {
        if (!is_meant(e, i, dir))
            continue;
        if (only != NULL)
            return NULL;
        only = &e->node->block->ports[i];
    }
    return only;
}

static void no_fit(struct gn_builder *b, const struct end *from, const struct end *to)
{
    const struct gn_port *out = only_port(from, GN_OUT), *in = only_port(to, GN_IN);
    const struct gn_mark *m = &to->said->mark;

    if (out != NULL && in != NULL && gn_port_is_stream(out) && gn_port_is_stream(in))
        gn_diag_error(b->diag, GN_E_PARSE, m, "format mismatch: %s.%s gives %s, %s.%s takes %s",
                from->node->name, out->name, out->formats, to->node->name, in->name, in->formats);
    else if (out != NULL && in != NULL)
        gn_diag_error(b->diag, GN_E_PARSE, m, "%s.%s (%s) does not fit %s.%s (%s)", from->node->name,
                out->name, kind_words(b, out), to->node->name, in->name, kind_words(b, in));
    else
        gn_diag_error(b->diag, GN_E_PARSE, m, "no output of '%s' fits an input of '%s'", from->node->name,
                to->node->name);
    gn_diag_help(b->diag, "%s gives %s; %s takes %s", from->node->name, list_ports(b, from, GN_OUT),
            to->node->name, list_ports(b, to, GN_IN));
}

static void ambiguous(struct gn_builder *b, const struct end *from, const struct end *to, const struct pairs *p)
{
    const struct gn_block *a = from->node->block, *z = to->node->block;
    const char *all = "";
    bool is_from = false;

    for (uint32_t i = 0; i < p->n; i++) {
        is_from = is_from || p->list[i].from != p->list[0].from;
        all = gn_arena_printf(b->arena, "%s%s%s.%s > %s.%s", all, i > 0 ? ", " : "", from->node->name,
                a->ports[p->list[i].from].name, to->node->name, z->ports[p->list[i].to].name);
    }
    const struct end *e = is_from ? from : to;
    gn_diag_error(b->diag, GN_E_PARSE, &e->said->mark, "'%s' may mean several ports: %s", e->said->word, all);
    gn_diag_suggest(b->diag, gn_arena_printf(b->arena, "%s.%s", e->node->name,
            is_from ? a->ports[p->list[0].from].name : z->ports[p->list[0].to].name));
}

static bool may_add(struct gn_builder *b, const struct gn_edge *n)
{
    const struct gn_graph *g = b->graph;
    const struct gn_node *from = &g->nodes[n->from], *to = &g->nodes[n->to];
    const struct gn_port *in = &to->block->ports[n->to_port], *out = &from->block->ports[n->from_port];

    for (uint32_t i = 0; i < g->n_edges; i++) {
        const struct gn_edge *e = &g->edges[i];
        if (e->to != n->to || e->to_port != n->to_port)
            continue;
        bool is_same = e->from == n->from && e->from_port == n->from_port;
        if (!is_same && !gn_port_is_stream(in))
            continue;
        if (is_same)
            gn_diag_error(b->diag, GN_E_PARSE, &n->mark, "%s.%s > %s.%s is linked twice", from->name,
                    out->name, to->name, in->name);
        else
            gn_diag_error(b->diag, GN_E_PARSE, &n->mark,
                    "two writers to stream input %s.%s: %s.%s and %s.%s", to->name, in->name,
                    g->nodes[e->from].name, g->nodes[e->from].block->ports[e->from_port].name,
                    from->name, out->name);
        gn_diag_help(b->diag, "first link: %s:%u:%u", e->mark.file, e->mark.line, e->mark.column);
        return false;
    }
    if (gn_port_is_stream(in) && from->n_instances > 1) {
        gn_diag_error(b->diag, GN_E_PARSE, &n->mark, "two writers to stream input %s.%s: '%s' runs %u times",
                to->name, in->name, from->name, from->n_instances);
        return false;
    }
    return true;
}

static void add_edge(struct gn_builder *b, const struct end *from, const struct end *to, struct pair p)
{
    struct gn_graph *g = b->graph;
    struct gn_edge e = {.from = from->i_node, .from_port = p.from, .to = to->i_node, .to_port = p.to,
            .mark = to->said->mark};

    if (!may_add(b, &e))
        return;
    if (g->n_edges >= GN_EDGES_MAX) {
        gn_diag_error(b->diag, GN_E_PARSE, &e.mark, "more than %u links", GN_EDGES_MAX);
        return;
    }
    if (g->n_edges == b->n_edges_room) {
        b->n_edges_room = b->n_edges_room > 0 ? 2 * b->n_edges_room : 64;
        struct gn_edge *more = gn_arena_alloc(b->arena, b->n_edges_room * sizeof *more);
        if (g->n_edges > 0)
            memcpy(more, g->edges, g->n_edges * sizeof *more);
        g->edges = more;
    }
    g->edges[g->n_edges++] = e;
}

/* A named port of the wrong side at the very end of a link. */
static bool has_side(struct gn_builder *b, const struct end *e, uint32_t dir, bool is_outermost)
{
    if (e->i_port == PORT_BARE || !is_outermost || e->node->block->ports[e->i_port].dir == dir)
        return true;
    gn_diag_error(b->diag, GN_E_PARSE, &e->said->mark, "'%s' is an %s: it cannot stand %s '>'", e->said->word,
            dir == GN_IN ? "output" : "input", dir == GN_IN ? "after the last" : "before the first");
    gn_diag_help(b->diag, "%s %s %s", e->node->name, dir == GN_IN ? "takes" : "gives",
            list_ports(b, &(struct end){e->said, e->node, e->i_node, PORT_BARE}, dir));
    return false;
}

static void connect_ends(struct gn_builder *b, const struct end *from, const struct end *to, bool *is_suspect)
{
    struct pairs p = {.n = 0};

    if (from->node == NULL || to->node == NULL || from->node->block == NULL || to->node->block == NULL) {
        is_suspect[from->node != NULL ? from->i_node : b->graph->n_nodes] = true;
        is_suspect[to->node != NULL ? to->i_node : b->graph->n_nodes] = true;
        return;
    }
    collect_typed(from, to, &p);
    bool is_any = p.n == 0;
    if (is_any)
        collect_any(from, to, &p);
    if (p.n == 0 || (p.n > 1 && !is_any)) {
        is_suspect[to->i_node] = true;
        if (p.n == 0)
            no_fit(b, from, to);
        else
            ambiguous(b, from, to, &p);
        return;
    }
    for (uint32_t i = 0; i < p.n; i++)
        add_edge(b, from, to, p.list[i]);
}

static uint32_t count_ends(const struct gn_link_group *g)
{
    uint32_t n = 0;
    for (const struct gn_link_end *e = g->ends; e != NULL; e = e->next)
        n++;
    return n;
}

static struct end *look_up_group(struct gn_builder *b, const struct gn_link_group *g)
{
    struct end *list = gn_arena_alloc(b->arena, count_ends(g) * sizeof *list), *at = list;
    for (const struct gn_link_end *e = g->ends; e != NULL; e = e->next)
        *at++ = look_up(b, e);
    return list;
}

static void build_link(struct gn_builder *b, const struct gn_link *link, bool *is_suspect)
{
    const struct gn_link_group *g = link->groups;
    struct end *from = look_up_group(b, g);
    bool is_first = true;

    for (; g->next != NULL; g = g->next, is_first = false) {
        bool is_last = g->next->next == NULL;
        struct end *to = look_up_group(b, g->next);
        uint32_t n = count_ends(g), m = count_ends(g->next);
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t k = 0; k < m; k++) {
                bool is_good = (from[i].node == NULL || from[i].node->block == NULL
                                       || k > 0 || has_side(b, &from[i], GN_OUT, is_first));
                is_good = (to[k].node == NULL || to[k].node->block == NULL || i > 0
                                  || has_side(b, &to[k], GN_IN, is_last)) && is_good;
                if (is_good)
                    connect_ends(b, &from[i], &to[k], is_suspect);
            }
        }
        from = to;
    }
}

static void check_connected(struct gn_builder *b, uint32_t i_node)
{
    const struct gn_node *node = &b->graph->nodes[i_node];

    for (uint32_t p = 0; p < node->block->n_ports; p++) {
        const struct gn_port *port = &node->block->ports[p];
        bool is_linked = port->dir == GN_OUT || (port->flags & GN_PORT_OPTIONAL) != 0;
        for (uint32_t i = 0; i < b->graph->n_edges && !is_linked; i++)
            is_linked = b->graph->edges[i].to == i_node && b->graph->edges[i].to_port == p;
        if (is_linked)
            continue;
        gn_diag_error(b->diag, GN_E_PARSE, &node->mark, "input '%s.%s' is not connected", node->name, port->name);
        gn_diag_help(b->diag, "it takes %s; add a link: ... > %s.%s", kind_words(b, port), node->name, port->name);
    }
}

static uint32_t read_policy(struct gn_builder *b, const struct gn_yaml *y)
{
    struct gn_suggest s = {.word = y->text};

    if (y->kind == GN_YAML_SCALAR && strcmp(y->text, "lossless") == 0)
        return GN_POLICY_LOSSLESS;
    if (y->kind == GN_YAML_SCALAR && strcmp(y->text, "latest") == 0)
        return GN_POLICY_LATEST;
    gn_suggest_offer(&s, "lossless");
    gn_suggest_offer(&s, "latest");
    gn_diag_error(b->diag, GN_E_PARSE, &y->mark, "a policy is lossless or latest");
    gn_diag_suggest(b->diag, s.best);
    return GN_POLICY_DEFAULT;
}

static void set_policy(struct gn_builder *b, uint32_t i_node, uint32_t i_port, uint32_t policy)
{
    for (uint32_t i = 0; i < b->graph->n_edges; i++) {
        struct gn_edge *e = &b->graph->edges[i];
        if (e->to == i_node && (i_port == PORT_BARE || e->to_port == i_port))
            e->policy = policy;
    }
}

static void apply_policy(struct gn_builder *b, const struct gn_spec_block *sb, uint32_t i_node)
{
    const struct gn_node *node = &b->graph->nodes[i_node];
    const struct gn_yaml *y = gn_spec_expand(b->spec, sb->policy);

    if (y == NULL || node->block == NULL)
        return;
    if (y->kind != GN_YAML_MAP) {
        set_policy(b, i_node, PORT_BARE, read_policy(b, y));
        return;
    }
    for (const struct gn_yaml *c = y->child; c != NULL; c = c->next) {
        struct end e = {.node = &b->graph->nodes[i_node], .i_node = i_node};
        uint32_t port = find_port(node->block, c->key), policy = read_policy(b, c);
        if (port == PORT_BARE)
            unknown_port(b, &e, &c->key_mark, c->key);
        else
            set_policy(b, i_node, port, policy);
    }
}

void gn_build_edges(struct gn_builder *b)
{
    struct gn_graph *g = b->graph;
    bool *is_suspect = gn_arena_alloc(b->arena, (g->n_nodes + 1) * sizeof *is_suspect);
    uint32_t i_node = 0;

    for (const struct gn_link *l = b->spec->links; l != NULL; l = l->next)
        build_link(b, l, is_suspect);
    for (const struct gn_spec_block *sb = b->spec->blocks; sb != NULL && i_node < g->n_nodes; sb = sb->next, i_node++) {
        if (sb->policy != NULL)
            apply_policy(b, sb, i_node);
    }
    for (uint32_t i = 0; i < g->n_edges; i++) {
        struct gn_edge *e = &g->edges[i];
        uint32_t flags = g->nodes[e->to].block->ports[e->to_port].flags;
        if (e->policy == GN_POLICY_DEFAULT)
            e->policy = (flags & GN_PORT_LATEST) != 0 ? GN_POLICY_LATEST : GN_POLICY_LOSSLESS;
    }
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        if (g->nodes[i].block != NULL && !is_suspect[i])
            check_connected(b, i);
    }
}
