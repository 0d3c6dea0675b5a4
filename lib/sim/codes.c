/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/sim/codes.h"

#include "lib/gnss/codes.h"
#include "lib/gnss/signal.h"

#include <math.h>
#include <stdlib.h>

#define CHIP_RATE  1023000
#define CBOC_STEPS 12U
#define CBOC_1     117
#define CBOC_6     37

static void fill_e1(struct gn_sim_code *c, const int8_t *b, const int8_t *p, bool is_sine_boc)
{
    uint32_t steps = is_sine_boc ? 2 : CBOC_STEPS;
    int c1 = is_sine_boc ? 1 : CBOC_1, c6 = is_sine_boc ? 0 : CBOC_6;
    for (uint32_t i = 0; i < c->n_steps; i++) {
        int s1 = i % steps < steps / 2 ? c1 : -c1, s6 = i % 2 == 0 ? c6 : -c6;
        int data = b[i / steps] * (s1 + s6), pilot = p[i / steps] * (s1 - s6);
        c->table[0][i] = (int8_t)((data - pilot) / 2);
        c->table[1][i] = (int8_t)((data + pilot) / 2);
    }
    c->unit = (float)(sqrt(2) / sqrt(c1 * c1 + c6 * c6));
}

gn_status gn_sim_code_init(
        struct gn_sim_code *c, unsigned signal, unsigned prn, bool is_sine_boc)
{
    bool is_gal = signal == GN_SIG_GAL_E1;
    uint32_t n_chips = is_gal ? 4092 : 1023, steps = !is_gal ? 1 : is_sine_boc ? 2 : CBOC_STEPS;
    int8_t b[GN_CODE_CHIPS_MAX], p[GN_CODE_CHIPS_MAX] = {0};
    gn_status st = gn_code_chips(signal, GN_CODE_DATA, prn, b, n_chips);
    if (st == GN_OK && is_gal)
        st = gn_code_chips(signal, GN_CODE_PILOT, prn, p, n_chips);
    if (st != GN_OK)
        return st;
    *c = (struct gn_sim_code){.unit = 1, .step_rate = (int64_t)CHIP_RATE * steps,
            .n_steps = n_chips * steps, .periods_per_symbol = signal == GN_SIG_GPS_L1CA ? 20 : is_gal ? 1 : 2};
    for (int i = 0; i < (is_gal ? 2 : 1); i++) {
        c->table[i] = calloc(c->n_steps, 1);
        if (c->table[i] == NULL)
            return GN_E_NOMEM;
    }
    if (is_gal)
        fill_e1(c, b, p, is_sine_boc);
    for (uint32_t i = 0; i < c->n_steps && !is_gal; i++)
        c->table[0][i] = b[i];
    return GN_OK;
}

void gn_sim_code_done(struct gn_sim_code *c)
{
    free(c->table[0]);
    free(c->table[1]);
    c->table[0] = c->table[1] = NULL;
}
