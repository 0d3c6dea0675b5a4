/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/lab/blocks.h"

static const struct gn_block *const blocks[] = {
        &gn_lab_mix, &gn_lab_jam, &gn_lab_echo, &gn_lab_fault};

GN_PLUGIN("lab", "0.1.0", "GPL-3.0-or-later", blocks);
