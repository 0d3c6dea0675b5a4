/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* YAML as a small tree in which every node knows where it was said. One document; no anchors, aliases
 * or tags (a flowgraph needs none, and what is not understood cannot be misread). */
#ifndef GN_GRAPH_YAML_H
#define GN_GRAPH_YAML_H

#include "core/text/arena.h"
#include "core/text/diag.h"

#include <stdbool.h>

#define GN_YAML_BYTES_MAX (1u << 20) /* of one file */
#define GN_YAML_NODES_MAX 20000u
#define GN_YAML_DEPTH_MAX 16u
#define GN_YAML_KEYS_MAX  2000u /* of one mapping */

enum gn_yaml_kind { GN_YAML_NULL = 0, GN_YAML_SCALAR, GN_YAML_LIST, GN_YAML_MAP };

struct gn_yaml {
    enum gn_yaml_kind kind;
    bool is_quoted;
    const char *text;              /* SCALAR; "" for others */
    const struct gn_source *source;
    struct gn_mark mark;
    const char *key;               /* of an entry of a MAP */
    struct gn_mark key_mark;
    struct gn_yaml *child, *next;  /* children in their order */
};

/* Parse a source. Mistakes go to diag; NULL when there is no tree to work with (syntax). [control] */
struct gn_yaml *gn_yaml_parse(
        struct gn_arena *arena, struct gn_diag *diag, const struct gn_source *source);

/* A scalar that was said somewhere (or, mark line 0, nowhere: a default). */
struct gn_yaml *gn_yaml_scalar(struct gn_arena *arena, const struct gn_source *source,
        struct gn_mark mark, const char *text);

/* "a number", "a list", for "... is expected, not a list" */
const char *gn_yaml_kind_words(const struct gn_yaml *y);

const struct gn_yaml *gn_yaml_find(const struct gn_yaml *map, const char *key);

#endif
