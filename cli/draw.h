/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Pictures of a loaded graph. */
#ifndef GN_CLI_DRAW_H
#define GN_CLI_DRAW_H

#include "cli/graphs.h"

/* Layers from sources on the left to sinks on the right; messages dashed, those that go back curved. */
void cli_draw_svg(const struct gn_graph *g, FILE *to);

bool cli_edge_is_stream(const struct gn_graph *g, const struct gn_edge *e);

#endif
