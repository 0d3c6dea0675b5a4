/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "gnomon/block.h"

extern const struct gn_block gn_acq_pcps;

static const struct gn_block *const blocks[] = {&gn_acq_pcps};

GN_PLUGIN("acq", "0.1.0", "GPL-3.0-or-later", blocks);
