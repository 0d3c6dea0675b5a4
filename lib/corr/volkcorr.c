/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/corr/volkcorr.h"

#include <volk/volk.h>

struct volk_run {
    struct gn_volk_scratch *scratch;
    const struct gn_corr_grid *grid;
    double turns0, turns_step; /* carrier at sample 0 and in a sample */
    double re[GN_CORR_TAPS_MAX], im[GN_CORR_TAPS_MAX];
};

static void make_pattern(struct volk_run *run, uint32_t n)
{
    float *p = run->scratch->pattern;

    for (uint32_t i = 0; i < n; i++) {
        double re, im;
        gn_phasor(0u - gn_turns_q32(run->turns_step * i), &re, &im);
        p[2 * i] = (float)re;
        p[2 * i + 1] = (float)im;
    }
}

static void load_tile(
        struct gn_volk_scratch *s, const void *iq, uint32_t format, uint64_t n0, uint32_t n)
{
    if (format == GN_FMT_CI8)
        volk_8i_s32f_convert_32f(s->in, (const int8_t *)iq + 2 * n0, 1.0f, 2 * n);
    else
        volk_16i_s32f_convert_32f(s->in, (const int16_t *)iq + 2 * n0, 1.0f, 2 * n);
}

/* Code of the bins in which the middles of samples n0..n0 + n - 1 lie, run by run */
static void make_replica(
        const struct gn_corr_grid *grid, const float *code, uint64_t n0, uint32_t n, float *ret)
{
    uint64_t half = 1ull << 31, first = (n0 << 32) + half;
    uint64_t j = first < grid->start_q32 ? 0 : (first - grid->start_q32) / grid->step_q32;

    for (uint32_t i = 0; i < n; j++) {
        uint64_t edge = grid->start_q32 + (j + 1) * grid->step_q32;
        uint64_t end =
                (edge + half - 1) >> 32; /* first sample whose middle is at or after the edge */
        uint32_t stop = end - n0 < n ? (uint32_t)(end - n0) : n;
        float value = j < grid->n_bins ? code[j] : 0.0f;
        while (i < stop)
            ret[i++] = value;
    }
}

static void use_tile(struct volk_run *run, uint64_t n0, uint32_t n)
{
    struct gn_volk_scratch *s = run->scratch;
    double c, d;

    volk_32fc_x2_multiply_32fc((lv_32fc_t *)(void *)s->mixed,
            (const lv_32fc_t *)(const void *)s->in, (const lv_32fc_t *)(const void *)s->pattern, n);
    volk_32fc_deinterleave_32f_x2(s->re, s->im, (const lv_32fc_t *)(const void *)s->mixed, n);
    gn_phasor(0u - gn_turns_q32(run->turns0 + run->turns_step * (double)n0), &c, &d);
    for (uint32_t k = 0; k < run->grid->n_taps; k++) {
        float re, im;
        make_replica(run->grid, run->grid->code[k], n0, n, s->replica);
        volk_32f_x2_dot_prod_32f(&re, s->re, s->replica, n);
        volk_32f_x2_dot_prod_32f(&im, s->im, s->replica, n);
        run->re[k] += (double)re * c - (double)im * d;
        run->im[k] += (double)re * d + (double)im * c;
    }
}

void gn_corr_volk_run(struct gn_volk_scratch *scratch, const void *iq, uint32_t format,
        const struct gn_corr_grid *grid, struct gn_cplx *tap)
{
    const double q32 = 4294967296.0;
    double step = (double)grid->step_q32 / q32, start = (double)grid->start_q32 / q32;
    struct volk_run run = {.scratch = scratch, .grid = grid};
    uint64_t half = 1ull << 31, n0 = (grid->start_q32 + half - 1) >> 32;
    uint64_t end = (grid->start_q32 + grid->n_bins * grid->step_q32 + half - 1) >> 32;

    run.turns_step = grid->phase_step_q32 / q32 / step;
    run.turns0 = grid->phase_q32 / q32 + (0.5 - start - step / 2) * run.turns_step;
    make_pattern(&run, end - n0 < GN_VOLK_TILE ? (uint32_t)(end - n0) : GN_VOLK_TILE);
    while (n0 < end) {
        uint32_t n = end - n0 < GN_VOLK_TILE ? (uint32_t)(end - n0) : GN_VOLK_TILE;
        load_tile(scratch, iq, format, n0, n);
        use_tile(&run, n0, n);
        n0 += n;
    }
    for (uint32_t k = 0; k < grid->n_taps; k++)
        tap[k] = (struct gn_cplx){(float)run.re[k], (float)run.im[k]};
}
