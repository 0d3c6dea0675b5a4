/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What run, check and draw share: flowgraph words of the command line to a loaded graph. */
#ifndef GN_CLI_GRAPHS_H
#define GN_CLI_GRAPHS_H

#include "cli/command.h"
#include "core/graph/load.h"

#define CLI_GRAPH_OPTIONS                                                                                  \
    {"param", "NAME=VALUE", "set a variable of the flowgraph, or BLOCK.PARAMETER", 'p', false},            \
    {"strict", NULL, "warnings about input data are errors (exit 3)", 0, false},                           \
    {"kernels", "auto|portable", "portable: plain C and integer kernels, equal on every CPU", 0, false}

struct cli_graph {
    struct gn_registry *registry;
    struct gn_diag *diag;
    struct gn_graph *graph; /* NULL after a mistake */
    uint32_t strict;
};

/* Load; print warnings and mistakes (stderr, or stdout as JSON with --json when is_json_errors).
 * CLI_OK or an exit code. cli_graph_done in both cases. */
int cli_graph_load(const struct cli_args *args, struct cli_graph *ret);
void cli_graph_done(struct cli_graph *g);

/* Words of blocks: "gnomon: warning: src: ..." by level. user is the const struct cli_args. */
void cli_log(void *user, uint32_t level, const char *who, const char *text);

#endif
