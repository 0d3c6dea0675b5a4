/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "gnomon/block.h"

extern const struct gn_block gn_track_channel, gn_track_manager;

static const struct gn_block *const blocks[] = {&gn_track_channel, &gn_track_manager};

GN_PLUGIN("track", "0.1.0", "GPL-3.0-or-later", blocks);
