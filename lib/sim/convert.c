/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/sim/convert.h"

#include "lib/base/error.h"
#include "lib/frontend/mix.h"
#include "lib/frontend/quantise.h"

#include <math.h>
#include <string.h>

#define FILTER_EDGE 0.15 /* of the pass band: where it falls off */

/* Step of the uniform converter with least distortion of a normal signal, in sigmas (J. Max, 1960) */
static const double max_step[17] = {0, 1.5958, 0.9957, 0.5860, 0.3352, 0.1881, 0.1041, 0.0569, 0.0308,
        0.0165, 0.0088, 0.0047, 0.0025, 0.00132, 0.00070, 0.00037, 0.00019};

/* rms of a component at the converter: noise within the filter, and the signals */
static double level_of(const struct gn_sim_sky *sky)
{
    const struct gn_sim_scene *s = &sky->scene;
    double square = s->level * s->level * (s->noise > 0), share = 1;
    if (s->filter_hz > 0)
        share = fmin(1, s->filter_hz / s->rate_sps);
    double signals = 0, cn0;
    for (uint32_t i = 0; i < sky->n_channels; i++) {
        struct gn_sim_way way;
        gn_sim_way(s, &sky->channels[i].message.eph, 0, &way);
        cn0 = pow(10, gn_sim_cn0_dbhz(s, &sky->channels[i].message.eph, 0, way.elevation_rad) / 10);
        bool is_folded = s->is_real && !(s->filter_hz > 0);
        signals += s->level * s->level * (is_folded ? 2 : 1) * cn0 / s->rate_sps;
    }
    return sqrt(square * share + signals);
}

gn_status gn_sim_convert_init(struct gn_sim_sky *sky, struct gn_error *err)
{
    const struct gn_sim_scene *s = &sky->scene;
    sky->i_next = UINT64_MAX;
    sky->gain = 1;
    if (s->bits > 16)
        return gn_fail(err, GN_E_ARG, "a converter has at most 16 bits");
    if (s->is_real && !(fabs(s->if_hz) < s->rate_sps / 2))
        return gn_fail(err, GN_E_ARG, "the intermediate frequency %g lies outside half the rate %g",
                s->if_hz, s->rate_sps);
    if (s->bits > 0)
        sky->gain = 1 / (max_step[s->bits] * fmax(level_of(sky), 1e-6));
    if (s->filter_hz > 0 && s->filter_hz < s->rate_sps) {
        double cutoff = s->filter_hz / 2 / s->rate_sps;
        gn_fir_lowpass(&sky->fir, fmin(cutoff, 0.5), FILTER_EDGE * cutoff);
    }
    return GN_OK;
}

/* Tiles i - 1, i, i + 1 into raw[]: going forward only the last one is new. */
static void advance(struct gn_sim_sky *sky, uint64_t i_tile)
{
    bool is_next = sky->i_next == i_tile;
    if (is_next)
        memmove(sky->raw[0], sky->raw[1], 2 * sizeof sky->raw[0]);
    for (uint64_t k = is_next ? 2 : 0; k < 3; k++) {
        if (i_tile + k == 0)
            memset(sky->raw[0], 0, sizeof sky->raw[0]);
        else
            gn_sim_sky_antenna(sky, i_tile + k - 1, sky->raw[k][0], sky->raw[k][1]);
    }
    sky->i_next = i_tile + 1;
}

static void filter(struct gn_sim_sky *sky, int part, float *out)
{
    size_t side = sky->fir.n_side;
    memcpy(sky->line, sky->raw[0][part] + GN_SIM_TILE - side, side * sizeof(float));
    memcpy(sky->line + side, sky->raw[1][part], GN_SIM_TILE * sizeof(float));
    memcpy(sky->line + side + GN_SIM_TILE, sky->raw[2][part], side * sizeof(float));
    gn_fir_run(&sky->fir, sky->line + side, GN_SIM_TILE, out);
}

/* re = Re((re + j im) e^(2 pi j if n / rate)), mixers restarted on a grid of 64 samples */
static void mix_up(const struct gn_sim_sky *sky, uint64_t index, float *re, const float *im)
{
    uint64_t step = gn_phase_step(sky->scene.if_hz / sky->scene.rate_sps);
    float s_re = 1, s_im = 0, w_re = 1, w_im = 0;
    gn_phasor(step, &s_re, &s_im);
    for (size_t i = 0; i < GN_SIM_TILE; i++) {
        if (i % 64 == 0)
            gn_phasor(step * (index + i), &w_re, &w_im);
        re[i] = re[i] * w_re - im[i] * w_im;
        float turned = w_re * s_re - w_im * s_im;
        w_im = w_re * s_im + w_im * s_re;
        w_re = turned;
    }
}

/* x in steps to the converter's value */
static void quantise(float *x, uint32_t bits, float gain)
{
    float top = (float)(1U << (bits - 1));
    for (size_t i = 0; i < GN_SIM_TILE; i++) {
        float v = x[i] * gain;
        v = bits <= 4 ? 2 * floorf(fminf(fmaxf(v, -top), top - 0.5f)) + 1
                      : rintf(fminf(fmaxf(v, 1 - top), top - 1));
        x[i] = v;
    }
}

static void to_reals(const float *x, enum gn_format format, void *ret)
{
    int8_t *s8 = ret;
    int16_t *s16 = ret;
    for (size_t i = 0; i < GN_SIM_TILE; i++) {
        float limit = format == GN_FMT_S8 ? 127 : 32767, v = rintf(fminf(fmaxf(x[i], -limit), limit));
        if (format == GN_FMT_S8)
            s8[i] = (int8_t)v;
        else
            s16[i] = (int16_t)v;
    }
}

void gn_sim_sky_out(struct gn_sim_sky *sky, uint64_t i_tile, enum gn_format format, void *ret)
{
    const struct gn_sim_scene *s = &sky->scene;
    if (sky->fir.n_side > 0) {
        advance(sky, i_tile);
        filter(sky, 0, sky->re);
        filter(sky, 1, sky->im);
    } else {
        gn_sim_sky_antenna(sky, i_tile, sky->re, sky->im);
    }
    if (s->is_real)
        mix_up(sky, i_tile * GN_SIM_TILE, sky->re, sky->im);
    if (s->bits > 0) {
        quantise(sky->re, s->bits, (float)sky->gain);
        quantise(sky->im, s->bits, (float)sky->gain);
    }
    if (format == GN_FMT_CI8) {
        gn_quantise_ci8(sky->re, sky->im, GN_SIM_TILE, 1, ret);
    } else if (format == GN_FMT_CI16) {
        gn_quantise_ci16(sky->re, sky->im, GN_SIM_TILE, 1, ret);
    } else if (format == GN_FMT_CF32) {
        float *out = ret;
        for (size_t i = 0; i < GN_SIM_TILE; i++) {
            out[2 * i] = sky->re[i];
            out[2 * i + 1] = sky->im[i];
        }
    } else {
        to_reals(sky->re, format, ret);
    }
}
