/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* From a value as written to a field of a block's state, with type, unit, choices and range checked. */
#ifndef GN_GRAPH_PARAM_H
#define GN_GRAPH_PARAM_H

#include "core/graph/yaml.h"
#include "gnomon/block.h"

struct gn_param_ctx {
    struct gn_arena *arena;
    struct gn_diag *diag;
    const char *block; /* name in the flowgraph, for messages */
};

/* Store value (never GN_YAML_NULL but for TEXT and PATH) at state + p->offset. False after a mistake,
 * which diag has then. Texts live in the arena. [control] */
bool gn_param_set(const struct gn_param_ctx *ctx, const struct gn_param *p,
        const struct gn_yaml *value, void *state);

/* "number (Hz)", "one of a, b" for help. Into the arena. */
const char *gn_param_type_words(struct gn_arena *arena, const struct gn_param *p);
/* "0 to 50000", "" without limits. */
const char *gn_param_range_words(struct gn_arena *arena, const struct gn_param *p);

#endif
