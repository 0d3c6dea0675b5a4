/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/lab/gate.h"

#include <math.h>

bool gn_gate_is_on(const struct gn_gate *g, double t_s)
{
    return t_s >= g->from_s && !(t_s >= g->until_s);
}

double gn_gate_amplitude(const struct gn_gate *g, double t_s)
{
    if (!gn_gate_is_on(g, t_s))
        return 0;
    double x = g->ramp_s > 0 ? fmin((t_s - g->from_s) / g->ramp_s, 1) : 1;
    return pow(10, (g->gain_db - (1 - x) * (g->gain_db - g->start_gain_db)) / 20);
}
