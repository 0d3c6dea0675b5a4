/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What the files, -p and the one-line form say, put together but not yet understood: names and values
 * with their places, before any plugin is asked. */
#ifndef GN_GRAPH_SPEC_H
#define GN_GRAPH_SPEC_H

#include "core/graph/link.h"
#include "core/graph/yaml.h"

struct gn_spec_var {
    const char *name;
    struct gn_mark mark;          /* of the name */
    const struct gn_yaml *value;
    struct gn_spec_var *next;
    bool is_used, is_from_command; /* said by -p */
    bool is_spare; /* declared as ~: may stay unused, so that one set of -p serves several flowgraphs */
};

struct gn_spec_value {
    const char *name;
    struct gn_mark mark;          /* of the name */
    const struct gn_yaml *value;
    uint32_t i_file;              /* which file said it: for overlays that replace the block */
    struct gn_spec_value *next;
};

struct gn_spec_block {
    const char *name;
    struct gn_mark mark;          /* of the name */
    const struct gn_yaml *use, *base_use; /* base_use: of a lower file, when this one replaced it */
    const struct gn_yaml *many, *policy;
    struct gn_spec_value *values;
    uint32_t i_file_use;          /* file that said `use` */
    struct gn_spec_block *next;
};

struct gn_spec {
    struct gn_arena *arena;
    struct gn_diag *diag;
    const char *name;
    const struct gn_source *command; /* all -p, one a line */
    struct gn_spec_var *vars;
    struct gn_spec_block *blocks;
    struct gn_link *links;
    const struct gn_yaml *workers, *hold;
    uint32_t n_files;
};

/* Add one file's tree; later calls override blocks and vars by name. [control] */
void gn_spec_add_tree(struct gn_spec *spec, const struct gn_yaml *root);
/* Add the one-line form; blocks are named by the last part of their type ("file", "file2"). */
void gn_spec_add_line(struct gn_spec *spec, const struct gn_source *source);
/* Add "-p name=value" (a var) or "-p block.name=value" (a parameter). texts[n] */
void gn_spec_add_settings(struct gn_spec *spec, const char *const *texts, uint32_t n);

struct gn_spec_block *gn_spec_find_block(const struct gn_spec *spec, const char *name);
struct gn_spec_var *gn_spec_find_var(const struct gn_spec *spec, const char *name);

/* Put vars in: "$name" gives the var's value (whatever it is), "a/${name}.ci8" a text. Marks vars as
 * used. NULL after a mistake (said in diag). */
const struct gn_yaml *gn_spec_expand(struct gn_spec *spec, const struct gn_yaml *value);

/* Vars and -p that nothing uses. */
void gn_spec_report_unused(struct gn_spec *spec);

#endif
