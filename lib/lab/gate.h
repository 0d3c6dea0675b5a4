/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* When a disturbance is on and how strong, as a function of time alone.
 *
 *   gain (dB)            _______________  gain
 *                      /                |
 *   start_gain       /                  |
 *   off  __________|_ _ _ramp_ _ _ _ _ _|______
 *                from                 until
 */
#ifndef GN_LAB_GATE_H
#define GN_LAB_GATE_H

#include <stdbool.h>

struct gn_gate {
    double from_s, until_s; /* on while from <= t < until; until not a number: to the end */
    double gain_db;         /* after the ramp */
    double start_gain_db;   /* at from, if ramp_s > 0 */
    double ramp_s;
};

bool gn_gate_is_on(const struct gn_gate *g, double t_s);

/* Amplitude factor, 0 while off. [any thread] */
double gn_gate_amplitude(const struct gn_gate *g, double t_s);

#endif
