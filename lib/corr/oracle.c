/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/corr/oracle.h"

#include <math.h>

#define TURN 6.283185307179586

struct oracle {
    const struct gn_corr_grid *grid;
    double start, step; /* samples */
    double re[GN_CORR_TAPS_MAX], im[GN_CORR_TAPS_MAX];
};

static void sample_at(const void *iq, uint32_t format, uint64_t n, double *re, double *im)
{
    if (format == GN_FMT_CI8) {
        *re = ((const int8_t *)iq)[2 * n];
        *im = ((const int8_t *)iq)[2 * n + 1];
    } else {
        *re = ((const int16_t *)iq)[2 * n];
        *im = ((const int16_t *)iq)[2 * n + 1];
    }
}

/* `share` of sample (re, im) belongs to bin j */
static void add(struct oracle *o, double j, double share, double re, double im)
{
    if (j < 0 || j >= o->grid->n_bins)
        return;
    for (uint32_t k = 0; k < o->grid->n_taps; k++) {
        double weight = share * (double)o->grid->code[k][(uint32_t)j];
        o->re[k] += weight * re;
        o->im[k] += weight * im;
    }
}

static void add_sample(struct oracle *o, enum gn_corr_edges edges, double n, double re, double im)
{
    double middle = (n + 0.5 - o->start) / o->step; /* in bins */
    double turns = o->grid->phase_q32 / 4294967296.0 +
                   (middle - 0.5) * (o->grid->phase_step_q32 / 4294967296.0);
    double c = cos(TURN * turns), s = -sin(TURN * turns);
    double x = re * c - im * s, y = re * s + im * c;

    if (edges == GN_EDGES_NEAREST) {
        add(o, floor(middle), 1, x, y);
        return;
    }
    double from = (n - o->start) / o->step, to = (n + 1 - o->start) / o->step;
    for (double j = floor(from); j < to; j++) {
        double a = from > j ? from : j, b = to < j + 1 ? to : j + 1;
        add(o, j, (b - a) * o->step, x, y);
    }
}

void gn_corr_oracle_run(const void *iq, uint32_t format, enum gn_corr_edges edges,
        const struct gn_corr_grid *grid, struct gn_cplx *tap)
{
    struct oracle o = {.grid = grid,
            .start = (double)grid->start_q32 / 4294967296.0,
            .step = (double)grid->step_q32 / 4294967296.0};
    double end = o.start + grid->n_bins * o.step;

    for (uint64_t n = (uint64_t)o.start; (double)n < end; n++) {
        double re, im;
        sample_at(iq, format, n, &re, &im);
        add_sample(&o, edges, (double)n, re, im);
    }
    for (uint32_t k = 0; k < grid->n_taps; k++)
        tap[k] = (struct gn_cplx){(float)o.re[k], (float)o.im[k]};
}
