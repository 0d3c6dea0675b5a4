/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/frontend/blocks.h"

static const struct gn_block *const blocks[] = {
        &gn_frontend_file, &gn_frontend_condition, &gn_frontend_sim};

GN_PLUGIN("frontend", "0.1.0", "GPL-3.0-or-later", blocks);
