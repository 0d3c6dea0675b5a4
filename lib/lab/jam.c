/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/lab/jam.h"

#include "lib/frontend/mix.h"

#include <math.h>
#include <string.h>

static double fir_power(const struct gn_fir *fir)
{
    double p = (double)fir->middle * (double)fir->middle;
    for (uint32_t i = 0; i < fir->n_used; i++)
        p += 2 * (double)fir->tap[i] * (double)fir->tap[i];
    return p;
}

void gn_jam_init(struct gn_jam *jam, const struct gn_jam_shape *shape)
{
    memset(jam, 0, sizeof *jam);
    jam->shape = *shape;
    jam->step = gn_phase_step(shape->offset_hz / shape->rate_sps);
    double n = shape->period_s * shape->rate_sps;
    jam->n_period = n > 1 ? (uint64_t)llround(n) : 1;
    jam->n_on = (uint64_t)llround(shape->duty * (double)jam->n_period);
    if (shape->kind != GN_JAM_BAND)
        return;
    double half = fmin(fmax(shape->span_hz / 2 / shape->rate_sps, 0.01), 0.5);
    gn_fir_lowpass(&jam->fir, half, 0.05);
    gn_noise_init(&jam->noise, shape->seed, sqrt(0.5 / fir_power(&jam->fir)));
}

static void fill_tone(const struct gn_jam *jam, uint64_t index, size_t n, float *re, float *im)
{
    for (size_t i = 0; i < n; i++)
        gn_phasor(jam->step * (index + i), &re[i], &im[i]);
}

/* Phase within a sweep: integral of -span/2 + span x, x from 0 to 1; each sweep begins anew. */
static void fill_chirp(const struct gn_jam *jam, uint64_t index, size_t n, float *re, float *im)
{
    double period_s = (double)jam->n_period / jam->shape.rate_sps;
    for (size_t i = 0; i < n; i++) {
        double x = (double)((index + i) % jam->n_period) / (double)jam->n_period;
        double turns = jam->shape.span_hz * period_s * (x * x - x) / 2;
        gn_phasor(jam->step * (index + i) + gn_phase_step(turns), &re[i], &im[i]);
    }
}

static void fill_pulse(const struct gn_jam *jam, uint64_t index, size_t n, float *re, float *im)
{
    fill_tone(jam, index, n, re, im);
    for (size_t i = 0; i < n; i++)
        if ((index + i) % jam->n_period >= jam->n_on)
            re[i] = im[i] = 0;
}

/* The noise runs GN_FIR_SIDE_MAX samples ahead so that its index never lies before 0. */
static void fill_band(struct gn_jam *jam, uint64_t index, size_t n, float *re, float *im)
{
    uint32_t side = jam->fir.n_side;
    gn_noise_fill(&jam->noise, index + GN_FIR_SIDE_MAX - side, n + 2 * side, jam->w_re, jam->w_im);
    gn_fir_run(&jam->fir, jam->w_re + side, n, re);
    gn_fir_run(&jam->fir, jam->w_im + side, n, im);
    for (size_t i = 0; i < n && jam->step != 0; i++) {
        float c, s, x = re[i], y = im[i];
        gn_phasor(jam->step * (index + i), &c, &s);
        re[i] = x * c - y * s;
        im[i] = x * s + y * c;
    }
}

void gn_jam_fill(struct gn_jam *jam, uint64_t index, size_t n, float *re, float *im)
{
    switch (jam->shape.kind) {
    case GN_JAM_CW:
        fill_tone(jam, index, n, re, im);
        break;
    case GN_JAM_CHIRP:
        fill_chirp(jam, index, n, re, im);
        break;
    case GN_JAM_PULSE:
        fill_pulse(jam, index, n, re, im);
        break;
    case GN_JAM_BAND:
        fill_band(jam, index, n, re, im);
        break;
    }
}
