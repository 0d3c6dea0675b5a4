/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#ifndef GN_SIM_SPREAD_H
#define GN_SIM_SPREAD_H

#include "lib/sim/sky.h"

/* Add the samples of channel i to re, im of a tile. [stream] */
void gn_sim_spread(struct gn_sim_sky *sky, uint32_t i, uint64_t i_tile, float re[GN_SIM_TILE],
        float im[GN_SIM_TILE]);

#endif
