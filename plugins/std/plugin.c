/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/std/std.h"

static const struct gn_block *const blocks[] = {
        &gn_std_null_source, &gn_std_null_sink, &gn_std_copy, &gn_std_head, &gn_std_gain};

GN_PLUGIN("std", "0.1.0", "GPL-3.0-or-later", blocks);
