/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* First frequency and phase of a signal from a row of prompts taken with a fixed oscillator, and
 * the alignment of data bits or of the secondary code. All open loop: works at signals far too weak
 * for a loop to pull in. */
#ifndef GN_TRACK_PULLIN_H
#define GN_TRACK_PULLIN_H

#include "lib/corr/phasor.h"

#include <stdint.h>

#define GN_PULLIN_MAX 512u /* prompts looked at */

struct gn_pullin {
    double freq_hz;     /* against the oscillator */
    double phase_turns; /* of prompt 0 (its middle) */
    double score;  /* |sum|^2 / sum of |x|^2: exponential with mean 1 when there is noise only */
    double second; /* best score of any other lag (pilot) */
    uint32_t lag;  /* pilot: place in the secondary code of prompt 0 */
};

/* Data-blind: squares the prompts, so the phase is open by half a turn. Frequencies within +-1/(4
 * period_s). n <= GN_PULLIN_MAX. [any thread] */
struct gn_pullin gn_pullin_squared(const struct gn_cplx *prompt, uint32_t n, double period_s);

/* Pilot with a secondary code of n_code values: all lags and frequencies within +-1/(2 period_s).
 * [any thread] */
struct gn_pullin gn_pullin_pilot(const struct gn_cplx *prompt, uint32_t n, double period_s,
        const int8_t *code, uint32_t n_code);

/* Turn n prompts by -(phase + freq * k * period). [any thread] */
void gn_pullin_derotate(
        struct gn_cplx *prompt, uint32_t n, double period_s, double freq_hz, double phase_turns);

#endif
