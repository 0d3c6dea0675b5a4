/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Flowgraphs, and after a first '!' the one-line form, through reading, checking and planning. Oracles: a
 * refusal has an error and words, acceptance has none and a graph whose edges lie inside its tables, and
 * printing either never breaks. */
#include "core/graph/load.h"

#include "tests/cli/blocks/blocks.c"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(bool is_true)
{
    if (!is_true)
        abort();
}

static void check_graph(const struct gn_graph *g)
{
    require(g->n_nodes > 0);
    for (uint32_t i = 0; i < g->n_edges; i++) {
        const struct gn_edge *e = &g->edges[i];
        require(e->from < g->n_nodes && e->to < g->n_nodes);
        require(e->from_port < g->nodes[e->from].block->n_ports && e->to_port < g->nodes[e->to].block->n_ports);
        require(e->policy != GN_POLICY_DEFAULT && e->mark.line > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const settings[] = {"file=a", "src.gain=3", "signals=[GAL_E1]"};
    struct gn_registry *reg = gn_registry_new("/nonexistent/gnomon");
    struct gn_diag *diag = gn_diag_new();
    struct gn_graph *graph = NULL;
    char *text = malloc(n + 1);
    FILE *null = fopen("/dev/null", "w");

    require(reg != NULL && diag != NULL && text != NULL && null != NULL);
    if (n > 0)
        memcpy(text, data, n);
    text[n] = '\0';
    struct gn_graph_request rq = {.text = text};
    if (text[0] == '!')
        rq = (struct gn_graph_request){.line = text + 1};
    if (text[0] == '-') {
        rq.settings = settings;
        rq.n_settings = 3;
        text[0] = '\n';
    }
    require(gn_registry_add(reg, "test", &gn_plugin) != NULL);
    gn_status st = gn_graph_load(&rq, reg, diag, &graph);
    require((st == GN_OK) == (gn_diag_n_errors(diag) == 0) && (st == GN_OK) == (graph != NULL));
    gn_diag_print(diag, null, true);
    gn_diag_print_json(diag, null);
    if (graph != NULL)
        check_graph(graph);
    gn_graph_free(graph);
    gn_diag_free(diag);
    gn_registry_free(reg);
    free(text);
    (void)fclose(null);
    return 0;
}
