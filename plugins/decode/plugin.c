/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "gnomon/block.h"

extern const struct gn_block gn_decode_nav;

static const struct gn_block *const blocks[] = {&gn_decode_nav};

GN_PLUGIN("decode", "0.1.0", "GPL-3.0-or-later", blocks);
