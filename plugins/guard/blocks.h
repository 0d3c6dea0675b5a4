/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#ifndef GN_PLUGINS_GUARD_BLOCKS_H
#define GN_PLUGINS_GUARD_BLOCKS_H

#include "gnomon/block.h"

extern const struct gn_block gn_guard_watch, gn_guard_peaks;

#endif
