/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The plugins of this program: where they are, which could be used, which not and why.
 *
 * Search order: folders of GNOMON_PLUGIN_PATH (':' between them), plugins/ beside the program (build
 * tree), XDG_DATA_HOME/gnomon/plugins (~/.local/share), PREFIX/lib/gnomon/plugins. The first block of
 * a name wins; the others are reported. A bad plugin is a row with a reason and hides nobody. Plugins
 * are never unloaded. [control] throughout. */
#ifndef GN_PLUGIN_REGISTRY_H
#define GN_PLUGIN_REGISTRY_H

#include "core/text/arena.h"
#include "core/text/suggest.h"
#include "gnomon/block.h"

#include <stdbool.h>

#define GN_PLUGIN_BLOCKS_MAX 1024u /* of one plugin; beyond it the record is taken for garbage */

/* One file that was tried. */
struct gn_plugin_file {
    const char *path;
    const char *reason;              /* why it cannot be used, NULL: it is in use */
    const char *name, *version, *license;
    const struct gn_block *const *blocks; /* [n_blocks] as this program knows the records */
    uint32_t n_blocks;
    uint32_t abi_major, abi_minor;
    uint64_t device, inode;
    struct gn_plugin_file *next;
};

/* A block name that a later plugin says again. */
struct gn_plugin_clash {
    const char *block;
    const struct gn_plugin_file *used, *hidden;
    struct gn_plugin_clash *next;
};

struct gn_registry; /* opaque */

/* program: path of the program's file, NULL: /proc/self/exe. NULL when out of memory. */
struct gn_registry *gn_registry_new(const char *program);
void gn_registry_free(struct gn_registry *reg);

/* Load one file (check-plugin, inspect x.so); what it has may be found afterwards. */
const struct gn_plugin_file *gn_registry_load(struct gn_registry *reg, const char *path);
/* Take a plugin that is linked into the program (tests, fuzzing); label stands for its path. */
const struct gn_plugin_file *gn_registry_add(struct gn_registry *reg, const char *label, const struct gn_plugin *plugin);
/* Load every plugin of the search path. */
void gn_registry_load_all(struct gn_registry *reg);

/* The block of that name, NULL when no plugin has it. "frontend.file" looks into frontend.so of each
 * folder first and loads all the others only when it is not there. */
const struct gn_block *gn_registry_find(struct gn_registry *reg, const char *name);
const struct gn_plugin_file *gn_registry_owner(const struct gn_registry *reg, const struct gn_block *block);

const struct gn_plugin_file *gn_registry_files(const struct gn_registry *reg);
const struct gn_plugin_clash *gn_registry_clashes(const struct gn_registry *reg);
/* The folders in their order, NULL-ended. */
const char *const *gn_registry_folders(const struct gn_registry *reg);
/* Offer every loaded block's name. */
void gn_registry_suggest(const struct gn_registry *reg, struct gn_suggest *s);

#endif
