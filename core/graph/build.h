/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The steps from words to a graph; each says all its mistakes and lets the next one go on with what is
 * known. Internal to core/graph. */
#ifndef GN_GRAPH_BUILD_H
#define GN_GRAPH_BUILD_H

#include "core/graph/graph.h"
#include "core/graph/spec.h"
#include "core/plugin/registry.h"

#define GN_MANY_MAX  1024u
#define GN_NODES_MAX 2000u
#define GN_EDGES_MAX 8000u

#define GN_FORMATS_ALL 0xfeu /* bit f of a format set: enum gn_format f */

struct gn_builder {
    struct gn_arena *arena;
    struct gn_diag *diag;
    struct gn_registry *registry;
    struct gn_spec *spec;
    struct gn_graph *graph;
    uint32_t n_edges_room;
};

/* Blocks -> nodes with instances whose parameters are filled. */
void gn_build_nodes(struct gn_builder *b);
/* Links -> edges; ports that must be connected. */
void gn_build_edges(struct gn_builder *b);
/* Stream cycles, message cycles without delay. False when planning has no order to go by. */
bool gn_build_check_cycles(struct gn_builder *b);
/* plan() of each block in topological order: formats, rates, anchors. */
void gn_build_plan(struct gn_builder *b);

/* "ci8 cf32" -> set; "any" -> all. Unknown words are left out. NULL -> 0. */
uint32_t gn_formats_parse(const char *words);
const char *gn_format_name(uint32_t format);

/* Index of stream port i_port among the node's stream ports of its direction. */
uint32_t gn_stream_index(const struct gn_block *block, uint32_t i_port);
bool gn_port_is_stream(const struct gn_port *p);
/* An input that takes any message. */
bool gn_port_is_any_message(const struct gn_port *p);

/* Put an instance's failure into diag, at the parameter it names. what: "plan", "start". */
void gn_build_report(struct gn_diag *diag, const struct gn_node *node, const struct gn_instance *in,
        gn_status status, const char *when);

#endif
