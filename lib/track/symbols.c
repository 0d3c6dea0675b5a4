/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/track/symbols.h"

#include "lib/track/loop.h"

#include <stddef.h>

#define GAIN_PHASE 0.35
#define GAIN_FREQ  0.05

static void turn(struct gn_cplx *x, double c, double s)
{
    double re = (double)x->re, im = (double)x->im;
    *x = (struct gn_cplx){(float)(re * c - im * s), (float)(re * s + im * c)};
}

void gn_symbols_settle(struct gn_cplx *prompt, struct gn_cplx *data, uint32_t n_blocks,
        uint32_t n_per, int is_data)
{
    double phase = 0, step = 0; /* turns, turns per block, both backwards in time */

    for (uint32_t b = n_blocks; b-- > 0;) {
        double re = 0, im = 0;
        phase += step;
        for (uint32_t i = n_per; i-- > 0;) {
            double c, s, at = phase + step * ((n_per - 1) / 2.0 - i) / n_per;
            uint32_t k = b * n_per + i;
            gn_phasor(0u - gn_turns_q32(at), &c, &s);
            turn(&prompt[k], c, s);
            if (data != NULL)
                turn(&data[k], c, s);
            re += (double)prompt[k].re;
            im += (double)prompt[k].im;
        }
        double error = is_data ? gn_phase_costas_turns(re, im) : gn_phase_turns(re, im);
        phase += GAIN_PHASE * error;
        step += GAIN_FREQ * error;
    }
}
