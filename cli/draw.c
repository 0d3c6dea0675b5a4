/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon draw: the graph as DOT or as an SVG of its own making. */
#include "cli/draw.h"

#include <string.h>

static const struct cli_option options[] = {
        CLI_GRAPH_OPTIONS,
        {"format", "svg|dot", "what to write (default svg)", 0, false},
        {NULL, NULL, NULL, 0, false},
};

bool cli_edge_is_stream(const struct gn_graph *g, const struct gn_edge *e)
{
    return g->nodes[e->from].block->ports[e->from_port].formats != NULL;
}

static void dot_text(const char *s)
{
    (void)fputc('"', stdout);
    for (; *s != '\0'; s++) {
        if (*s == '"' || *s == '\\')
            (void)fputc('\\', stdout);
        (void)fputc(*s, stdout);
    }
    (void)fputc('"', stdout);
}

static void print_dot(const struct gn_graph *g)
{
    (void)fputs("digraph ", stdout);
    dot_text(g->name);
    (void)puts(" {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];");
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        (void)fputs("  ", stdout);
        dot_text(g->nodes[i].name);
        (void)printf(" [label=\"%s\\n%s", g->nodes[i].name, g->nodes[i].block->name);
        if (g->nodes[i].n_instances > 1)
            (void)printf(" x %u", g->nodes[i].n_instances);
        (void)puts("\"];");
    }
    for (uint32_t i = 0; i < g->n_edges; i++) {
        const struct gn_edge *e = &g->edges[i];
        (void)fputs("  ", stdout);
        dot_text(g->nodes[e->from].name);
        (void)fputs(" -> ", stdout);
        dot_text(g->nodes[e->to].name);
        (void)printf(" [label=\"%s\"%s];\n", g->nodes[e->from].block->ports[e->from_port].name,
                cli_edge_is_stream(g, e) ? ", penwidth=2" : ", style=dashed");
    }
    (void)puts("}");
}

static int draw(const struct cli_args *args)
{
    const char *format = cli_value(args, "format");
    struct cli_graph g;

    if (format != NULL && strcmp(format, "svg") != 0 && strcmp(format, "dot") != 0)
        return cli_fail(CLI_USAGE, "--format takes svg or dot, not '%s'", format);
    int code = cli_graph_load(args, &g);
    if (code == CLI_OK && format != NULL && strcmp(format, "dot") == 0)
        print_dot(g.graph);
    else if (code == CLI_OK)
        cli_draw_svg(g.graph, stdout);
    cli_graph_done(&g);
    return code;
}

const struct cli_command cli_draw = {
        .name = "draw",
        .usage = "draw FLOWGRAPH... [-p NAME=VALUE]... [--format svg|dot]",
        .summary = "draw a flowgraph as SVG or DOT on standard output",
        .options = options,
        .n_words_min = 1,
        .n_words_max = 16,
        .run = draw,
};
