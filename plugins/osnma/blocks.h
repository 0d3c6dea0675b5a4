/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The blocks of this plugin. */
#ifndef GN_PLUGINS_OSNMA_BLOCKS_H
#define GN_PLUGINS_OSNMA_BLOCKS_H

#include "gnomon/block.h"

extern const struct gn_block gn_osnma_verify, gn_osnma_pages, gn_osnma_generate;

#endif
