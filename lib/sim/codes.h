/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A satellite's code and subcarrier as a table of small steps.
 *
 * E1 sends d B (a s1 + b s6) - c C (a s1 - b s6), over sqrt 2, with a^2 = 10/11, b^2 = 1/11: the
 * components at the ratio sqrt 10 = 117/37 within 4e-5. As d and c are signs, two tables do:
 * [0] for d c = +1, [1] for -1, both times d. Steps: 12 in a chip (s6 turns over twelve times a
 * chip), 2 for the sine BOC. Source: Galileo OS SIS ICD 2.1 section 2.3.3. */
#ifndef GN_SIM_CODES_H
#define GN_SIM_CODES_H

#include "gnomon/status.h"

#include <stdbool.h>
#include <stdint.h>

struct gn_sim_code {
    int8_t *table[2]; /* owned; [1] is NULL where there is no pilot */
    float unit;       /* the table times this has power 1 */
    int64_t step_rate; /* 1.023e6 times the steps of a chip */
    uint32_t n_steps; /* in a period */
    uint32_t periods_per_symbol;
};

/* GN_E_ARG: no such satellite; GN_E_NOMEM. [control] */
GN_NODISCARD gn_status gn_sim_code_init(
        struct gn_sim_code *c, unsigned signal, unsigned prn, bool is_sine_boc);
void gn_sim_code_done(struct gn_sim_code *c);

#endif
