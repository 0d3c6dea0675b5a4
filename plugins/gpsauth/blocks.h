/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#ifndef GN_PLUGINS_GPSAUTH_BLOCKS_H
#define GN_PLUGINS_GPSAUTH_BLOCKS_H

#include "gnomon/block.h"

extern const struct gn_block gn_gpsauth_prover, gn_gpsauth_verifier;

#endif
