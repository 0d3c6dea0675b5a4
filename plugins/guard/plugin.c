/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/guard/blocks.h"

static const struct gn_block *const blocks[] = {&gn_guard_watch, &gn_guard_peaks};

GN_PLUGIN("guard", "0.1.0", "GPL-3.0-or-later", blocks);
