/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon check: everything run does before the first sample, and what the edges would cost. */
#include "cli/graphs.h"
#include "core/run/run.h"
#include "core/text/json.h"

#include <string.h>

static const struct cli_option options[] = {CLI_GRAPH_OPTIONS, {NULL, NULL, NULL, 0, false}};

static void ports(const struct gn_graph *g, const struct gn_edge *e, char *from, char *to, size_t room)
{
    (void)snprintf(from, room, "%s.%s", g->nodes[e->from].name, g->nodes[e->from].block->ports[e->from_port].name);
    (void)snprintf(to, room, "%s.%s", g->nodes[e->to].name, g->nodes[e->to].block->ports[e->to_port].name);
}

/* The stream of an edge as its producer settled it, NULL for messages. */
static const struct gn_plan_stream *stream_of(const struct gn_graph *g, const struct gn_edge *e)
{
    const struct gn_node *from = &g->nodes[e->from];
    uint32_t k = 0;

    if (from->block->ports[e->from_port].formats == NULL)
        return NULL;
    for (uint32_t i = 0; i < e->from_port; i++)
        k += from->block->ports[i].dir == GN_OUT && from->block->ports[i].formats != NULL ? 1 : 0;
    return &from->instances[0].plan.out[k];
}

static double rate_of(const struct gn_graph *g, const struct gn_edge *e, const struct gn_plan_stream *s)
{
    const struct gn_anchor *a = g->nodes[e->from].instances[0].host.anchor;
    return a->rate_sps * (double)s->tick_den / (double)s->tick_num;
}

static void print_text(const struct gn_graph *g)
{
    char from[160], to[160], what[80];
    uint32_t n_instances = 0;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        n_instances += g->nodes[i].n_instances;
    (void)printf("%s: %u blocks, %u running copies, %u edges\n", g->name, g->n_nodes, n_instances, g->n_edges);
    for (uint32_t i = 0; i < g->n_edges; i++) {
        const struct gn_edge *e = &g->edges[i];
        const struct gn_plan_stream *s = stream_of(g, e);
        ports(g, e, from, to, sizeof from);
        if (s != NULL)
            (void)snprintf(what, sizeof what, "%s %.6g Msps", gn_graph_format_name(s->format), rate_of(g, e, s) / 1e6);
        else
            (void)snprintf(what, sizeof what, "%s", g->nodes[e->from].block->ports[e->from_port].schema->name);
        (void)printf("  %-24s > %-24s %-22s %-9s %9.1f KiB\n", from, to, what,
                e->policy == GN_POLICY_LATEST ? "latest" : "lossless",
                (double)gn_run_edge_bytes(g, NULL, i) / 1024);
    }
    (void)printf("rings: %.1f KiB\n", (double)gn_run_ring_bytes(g, NULL) / 1024);
}

static void print_json(const struct gn_graph *g)
{
    char from[160], to[160];

    (void)printf("{\"name\": ");
    gn_json_text(stdout, g->name);
    (void)printf(", \"ring_bytes\": %zu, \"edges\": [", gn_run_ring_bytes(g, NULL));
    for (uint32_t i = 0; i < g->n_edges; i++) {
        const struct gn_edge *e = &g->edges[i];
        const struct gn_plan_stream *s = stream_of(g, e);
        ports(g, e, from, to, sizeof from);
        (void)fputs(i > 0 ? ",\n {" : "\n {", stdout);
        gn_json_pair(stdout, "from", from);
        (void)fputs(", ", stdout);
        gn_json_pair(stdout, "to", to);
        (void)fputs(", ", stdout);
        if (s != NULL)
            gn_json_pair(stdout, "format", gn_graph_format_name(s->format));
        else
            gn_json_pair(stdout, "schema", g->nodes[e->from].block->ports[e->from_port].schema->name);
        if (s != NULL) {
            (void)fputs(", \"rate_sps\": ", stdout);
            gn_json_number(stdout, rate_of(g, e, s));
        }
        (void)fputs(", ", stdout);
        gn_json_pair(stdout, "policy", e->policy == GN_POLICY_LATEST ? "latest" : "lossless");
        (void)printf(", \"bytes\": %zu}", gn_run_edge_bytes(g, NULL, i));
    }
    (void)puts("]}");
}

static int check(const struct cli_args *args)
{
    struct cli_graph g;
    int code = cli_graph_load(args, &g);

    if (code == CLI_OK && args->is_json)
        print_json(g.graph);
    else if (code == CLI_OK && !args->is_quiet)
        print_text(g.graph);
    cli_graph_done(&g);
    return code;
}

const struct cli_command cli_check = {
        .name = "check",
        .usage = "check FLOWGRAPH... [-p NAME=VALUE]...",
        .summary = "say all mistakes of a flowgraph, or what its edges cost",
        .options = options,
        .n_words_min = 1,
        .n_words_max = 16,
        .run = check,
};
