/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The grammar of links, shared by the `links` list and the one-line form:
 *
 *   link  = group { ">" group }         a > b > c, d
 *   group = end { "," end }
 *   end   = word { name=value }         words with values only in the one-line form
 *
 * A comma inside name=value that no space follows belongs to the value (signals=A,B). */
#ifndef GN_GRAPH_LINK_H
#define GN_GRAPH_LINK_H

#include "core/text/arena.h"
#include "core/text/diag.h"

struct gn_link_arg {
    const char *name, *value;
    struct gn_mark name_mark, value_mark;
    struct gn_link_arg *next;
};

struct gn_link_end {
    const char *word;
    struct gn_mark mark;
    struct gn_link_arg *args;
    struct gn_link_end *next;
};

struct gn_link_group {
    struct gn_link_end *ends;
    struct gn_link_group *next;
};

struct gn_link {
    struct gn_link_group *groups;
    struct gn_mark mark;
    struct gn_link *next;
};

/* text[n] starts at `mark`. Mistakes go to diag; NULL then. [control] */
struct gn_link *gn_link_parse(struct gn_arena *arena, struct gn_diag *diag,
        const struct gn_mark *mark, const char *text, size_t n);

#endif
