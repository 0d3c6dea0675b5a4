/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Reads the constant records of a plugin: refuses what cannot be right, and brings records of another
 * size (an older or newer minor version) into the shape this program was built with. */
#ifndef GN_PLUGIN_RECORDS_H
#define GN_PLUGIN_RECORDS_H

#include "core/plugin/registry.h"

/* Fill blocks, n_blocks, name... of file, or its reason. plugin: what `gn_plugin` points to. */
void gn_plugin_take(struct gn_arena *arena, struct gn_plugin_file *file, const struct gn_plugin *plugin);

#endif
