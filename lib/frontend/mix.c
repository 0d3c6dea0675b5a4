/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/frontend/mix.h"

#include <math.h>

/* sin and cos of a quarter turn or less by their Taylor series; the next term is below 3e-9 */
static void quarter(double x, double *c, double *s)
{
    double x2 = x * x;
    *s = x * (1 - x2 / 6 * (1 - x2 / 20 * (1 - x2 / 42 * (1 - x2 / 72 * (1 - x2 / 110)))));
    *c = 1 - x2 / 2 * (1 - x2 / 12 * (1 - x2 / 30 * (1 - x2 / 56 * (1 - x2 / 90))));
}

void gn_phasor(uint64_t phase, float *re, float *im)
{
    /* nearest quarter turn and the rest of at most an eighth */
    uint64_t shifted = phase + (1ULL << 61);
    double rest = ((double)((int64_t)(shifted & ((1ULL << 62) - 1)) - (1LL << 61))) *
                  (6.283185307179586 * 0x1p-64);
    double c = 0, s = 0;
    quarter(rest, &c, &s);
    switch (shifted >> 62) {
    case 0:
        *re = (float)c;
        *im = (float)s;
        return;
    case 1:
        *re = (float)-s;
        *im = (float)c;
        return;
    case 2:
        *re = (float)-c;
        *im = (float)-s;
        return;
    default:
        *re = (float)s;
        *im = (float)-c;
        return;
    }
}

uint64_t gn_phase_step(double turns)
{
    double frac = turns - floor(turns);
    return frac >= 1 ? 0 : (uint64_t)(frac * 0x1p53) << 11;
}

void gn_mixer_init(struct gn_mixer *m, double turns)
{
    m->step = gn_phase_step(turns);
    for (uint32_t i = 0; i < GN_MIX_BLOCK; i++)
        gn_phasor(m->step * i, &m->re[i], &m->im[i]);
}

/* Items until the next multiple of the block; from there the phasor starts afresh. */
static size_t block_rest(uint64_t index, size_t n)
{
    size_t rest = GN_MIX_BLOCK - (size_t)(index % GN_MIX_BLOCK);
    return rest < n ? rest : n;
}

void gn_mixer_run(const struct gn_mixer *m, uint64_t index, size_t n, float *re, float *im)
{
    while (n > 0) {
        size_t i0 = index % GN_MIX_BLOCK, n_now = block_rest(index, n);
        const float *w_re = m->re + i0, *w_im = m->im + i0;
        float b_re = 0, b_im = 0;
        gn_phasor(m->step * (index - i0), &b_re, &b_im);
        for (size_t i = 0; i < n_now; i++) {
            float p_re = b_re * w_re[i] - b_im * w_im[i], p_im = b_re * w_im[i] + b_im * w_re[i];
            float x_re = re[i], x_im = im[i];
            re[i] = x_re * p_re - x_im * p_im;
            im[i] = x_re * p_im + x_im * p_re;
        }
        index += n_now;
        n -= n_now;
        re += n_now;
        im += n_now;
    }
}

void gn_mixer_run_real(const struct gn_mixer *m, uint64_t index, size_t n, float *re, float *im)
{
    while (n > 0) {
        size_t i0 = index % GN_MIX_BLOCK, n_now = block_rest(index, n);
        const float *w_re = m->re + i0, *w_im = m->im + i0;
        float b_re = 0, b_im = 0;
        gn_phasor(m->step * (index - i0), &b_re, &b_im);
        for (size_t i = 0; i < n_now; i++) {
            float x = re[i];
            re[i] = x * (b_re * w_re[i] - b_im * w_im[i]);
            im[i] = x * (b_re * w_im[i] + b_im * w_re[i]);
        }
        index += n_now;
        n -= n_now;
        re += n_now;
        im += n_now;
    }
}
