/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* From files, settings and the one-line form to a graph that can run. */
#ifndef GN_GRAPH_LOAD_H
#define GN_GRAPH_LOAD_H

#include "core/graph/graph.h"
#include "core/plugin/registry.h"
#include "core/text/diag.h"

struct gn_graph_request {
    const char *const *files;    /* [n_files] later override earlier */
    const char *const *settings; /* [n_settings] "name=value" as after -p */
    const char *line;            /* one-line form instead of files, or NULL */
    const char *text;            /* a flowgraph in memory instead of files (tests, fuzzing), or NULL */
    uint32_t n_files, n_settings;
    struct gn_graph_options options;
};

/* Reads, checks, plans. Every mistake found goes to diag with its place; *ret is set only when there is
 * none. diag must outlive the graph (marks point into it), registry too. Returns the status of the first
 * error: GN_E_PARSE for the flowgraph itself, else what a block's plan() said (GN_E_DATA, GN_E_IO,
 * GN_E_DEVICE, ...). [control] */
GN_NODISCARD gn_status gn_graph_load(const struct gn_graph_request *request, struct gn_registry *registry,
        struct gn_diag *diag, struct gn_graph **ret);

/* A block refused after planning (start, work): its words at the place of the parameter it named. [control] */
void gn_graph_report_failure(struct gn_diag *diag, const struct gn_node *node, const struct gn_instance *instance,
        gn_status status, const char *when);

const char *gn_graph_format_name(uint32_t format);

#endif
