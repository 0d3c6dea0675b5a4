/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/pvt/blocks.h"

static const struct gn_block *const blocks[] = {&gn_pvt_ekf};

GN_PLUGIN("pvt", "0.1.0", "GPL-3.0-or-later", blocks);
