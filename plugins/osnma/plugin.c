/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/osnma/blocks.h"

static const struct gn_block *const blocks[] = {&gn_osnma_verify, &gn_osnma_pages, &gn_osnma_generate};

GN_PLUGIN("osnma", "0.1.0", "GPL-3.0-or-later", blocks);
