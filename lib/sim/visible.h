/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#ifndef GN_SIM_VISIBLE_H
#define GN_SIM_VISIBLE_H

#include "lib/sim/almanac.h"
#include "lib/sim/scene.h"

/* Candidate i (0 .. GN_SIM_SATS_MAX - 1) of a system when the scene begins. False: there is none.
 * [any thread] */
bool gn_sim_candidate(
        const struct gn_sim_scene *s, unsigned signal, unsigned i, struct gn_ephemeris *ret);

/* What all satellites say of all the others. [any thread] */
void gn_sim_almanac_of(const struct gn_sim_scene *s, struct gn_sim_almanac *ret);

/* The n_max highest satellites of a system above the mask when the scene begins, highest first, from
 * the scene's file or the made-up constellation, as their broadcast bits will say them. With has_all
 * every one, wherever it stands. n_max: at most GN_SIM_SATS_MAX. Returns how many. [any thread] */
size_t gn_sim_choose(const struct gn_sim_scene *s, unsigned signal, size_t n_max,
        struct gn_ephemeris ret[GN_SIM_SATS_MAX]);

#endif
