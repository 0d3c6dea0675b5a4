/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#ifndef GN_SIM_TRUTH_H
#define GN_SIM_TRUTH_H

#include "lib/msg/sim.h"
#include "lib/sim/sky.h"

/* What sample n of the sky is, as the samples have it. Satellites that are silent are left out.
 * [stream] */
void gn_sim_truth(struct gn_sim_sky *sky, uint64_t n, struct gn_msg_sim_truth *ret);

#endif
