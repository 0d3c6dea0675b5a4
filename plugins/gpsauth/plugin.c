/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/gpsauth/blocks.h"

static const struct gn_block *const blocks[] = {&gn_gpsauth_prover, &gn_gpsauth_verifier};

GN_PLUGIN("gpsauth", "0.1.0", "GPL-3.0-or-later", blocks);
