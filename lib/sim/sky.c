/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/sim/sky.h"

#include "lib/base/error.h"
#include "lib/gnss/signal.h"
#include "lib/sim/convert.h"
#include "lib/sim/spread.h"
#include "lib/sim/visible.h"

#include <math.h>
#include <string.h>

#define NODE_S        1.0
#define NODE_MOVING_S 0.02

/* ---- set-up -------------------------------------------------------------------------------------
 */

/* What satellite prn sends in the OSNMA fields of a sub-frame: the words never change within a run.
 */
static void sign_fields(void *arg, uint8_t prn, int32_t wn, uint32_t tow_s, uint8_t ret[15][5])
{
    struct gn_sim_sky *sky = arg;
    for (uint32_t i = 0; i < sky->n_signers; i++)
        if (sky->signers[i].prn == prn && gn_osnma_gen_bits(sky->gen, wn, tow_s, sky->signers,
                                                  sky->n_signers, i, ret) != GN_OK)
            memset(ret, 0, 15 * sizeof ret[0]);
}

static void add_signer(struct gn_sim_sky *sky, const struct gn_ephemeris *true_eph)
{
    struct gn_ephemeris said = *true_eph, *eph = &said;
    if (sky->scene.disturb.forge.is_signed && gn_sim_is_forged(&sky->scene.disturb.forge, eph))
        gn_sim_forge_eph(&sky->scene.disturb.forge, eph);
    static const uint8_t types[GN_OSNMA_GEN_WORDS] = {1, 2, 3, 4, 5, 6, 10};
    struct gn_osnma_gen_sat *sat = &sky->signers[sky->n_signers++];
    *sat = (struct gn_osnma_gen_sat){
            .prn = eph->prn, .has_osnma = 1, .cop_ced = 15, .cop_timing = 15};
    for (size_t i = 0; i < GN_OSNMA_GEN_WORDS; i++)
        gn_sim_inav_word_of(eph, types[i], sky->scene.start.week - GN_GST_WEEK_0, 0, sat->words[i]);
}

/* A chain from two sub-frames before the start, for signals on their way, to one after the end. */
static gn_status make_chain(struct gn_sim_sky *sky, struct gn_error *err)
{
    const struct gn_sim_scene *s = &sky->scene;
    int32_t wn = s->start.week - GN_GST_WEEK_0;
    int64_t tow_s = ((int64_t)s->start.tow_s / 30 - 2) * 30;
    if (tow_s < 0) {
        tow_s += GN_WEEK_S;
        wn--;
    }
    double n = ceil(s->seconds_s / 30) + 4;
    if (!(n >= 0 && n <= GN_OSNMA_GEN_SUBFRAMES_MAX) || wn < 0)
        return gn_fail(err, GN_E_ARG, "no OSNMA chain is that long");
    struct gn_osnma_gen_config config = {.seed = s->osnma_seed, .wn = wn, .tow_s = (uint32_t)tow_s,
            .n_subframes = (uint32_t)n};
    if (s->osnma_event != GN_GEN_NOMINAL &&
            !gn_osnma_gen_event(&config, (enum gn_osnma_gen_event)s->osnma_event, s->osnma_at))
        return gn_fail(err, GN_E_ARG, "the times of the OSNMA event must rise");
    gn_status st = gn_osnma_gen_make(&config, &sky->gen);
    return st == GN_OK ? st : gn_fail(err, st, "cannot make the OSNMA test chain");
}

static gn_status make_channel(struct gn_sim_sky *sky, const struct gn_ephemeris *eph)
{
    struct gn_sim_channel *c = &sky->channels[sky->n_channels++];
    const struct gn_sim_scene *scene = &sky->scene;
    bool is_gal = eph->signal == GN_SIG_GAL_E1;
    gn_sim_message_init(&c->message, eph, scene->start.week, (uint32_t)floor(scene->start.tow_s));
    c->message.almanac = &sky->almanac;
    gn_sim_klobuchar(scene, c->message.klobuchar);
    c->message.has_klobuchar = scene->has_ionosphere;
    if (is_gal && scene->has_osnma)
        c->message.osnma = (struct gn_sim_osnma){.arg = sky, .fields = sign_fields};
    if (gn_sim_is_forged(&scene->disturb.forge, eph)) {
        c->message.has_forged = true;
        c->message.forged_from_s = scene->disturb.forge.from_s;
        c->message.forged = *eph;
        gn_sim_forge_eph(&scene->disturb.forge, &c->message.forged);
    }
    c->i_node = -1;
    c->phase_turns = fmod(0.61803398875 * (double)(scene->seed % 1000 + 37U * sky->n_channels), 1);
    return gn_sim_code_init(&c->code, eph->signal, eph->prn, scene->is_sine_boc);
}

static gn_status add_system(
        struct gn_sim_sky *sky, unsigned signal, uint32_t n_wanted, struct gn_error *err)
{
    struct gn_ephemeris eph[GN_SIM_SATS_MAX];
    if (n_wanted > GN_SIM_SATS_MAX)
        return gn_fail(err, GN_E_ARG, "at most %u satellites of a system", GN_SIM_SATS_MAX);
    size_t n = gn_sim_choose(&sky->scene, signal, n_wanted, eph);
    for (size_t i = 0; i < n; i++) {
        gn_status st = make_channel(sky, &eph[i]);
        if (signal == GN_SIG_GAL_E1)
            add_signer(sky, &eph[i]);
        if (st != GN_OK)
            return gn_fail(err, st, "no code for %s %u", gn_signal_names[signal], eph[i].prn);
    }
    return GN_OK;
}

gn_status gn_sim_sky_init(
        struct gn_sim_sky *sky, const struct gn_sim_scene *scene, struct gn_error *err)
{
    memset(sky, 0, sizeof *sky);
    if (!(scene->rate_sps >= GN_SIM_RATE_MIN && scene->rate_sps <= GN_SIM_RATE_MAX))
        return gn_fail(err, GN_E_ARG, "the rate must lie within %g and %g", GN_SIM_RATE_MIN,
                GN_SIM_RATE_MAX);
    sky->scene = *scene;
    gn_sim_almanac_of(scene, &sky->almanac);
    bool is_smooth = scene->motion == NULL || scene->motion->kind == GN_SIM_STATIC;
    sky->node_s = is_smooth && !(scene->clock_adev > 0) ? NODE_S : NODE_MOVING_S;
    gn_noise_init(&sky->noise, scene->seed, scene->level * scene->noise);
    gn_status st = add_system(sky, GN_SIG_GPS_L1CA, scene->n_gps, err);
    if (st == GN_OK)
        st = add_system(sky, GN_SIG_GAL_E1, scene->n_galileo, err);
    if (st == GN_OK)
        st = gn_sim_convert_init(sky, err);
    return st == GN_OK && scene->has_osnma && scene->n_galileo > 0 ? make_chain(sky, err) : st;
}

void gn_sim_sky_done(struct gn_sim_sky *sky)
{
    for (uint32_t i = 0; i < sky->n_channels; i++)
        gn_sim_code_done(&sky->channels[i].code);
    sky->n_channels = 0;
    gn_osnma_gen_free(sky->gen);
    sky->gen = NULL;
}

/* ---- signal time
 * ---------------------------------------------------------------------------------- */

/* C/N0 = A^2 / (2 sigma^2 / rate); a real output folds the noise of both sides into one. */
static float amplitude_of(const struct gn_sim_sky *sky, const struct gn_sim_channel *c, double t_s)
{
    const struct gn_sim_scene *s = &sky->scene;
    const struct gn_sim_way *way = &c->ways[1];
    if (way->elevation_rad < s->mask_rad && !s->has_all)
        return 0;
    double cn0 = pow(10, gn_sim_cn0_dbhz(s, &c->message.eph, t_s, way->elevation_rad) / 10);
    bool is_folded = s->is_real && !(s->filter_hz > 0);
    return (float)(s->level * sqrt((is_folded ? 4 : 2) * cn0 / s->rate_sps)) * c->code.unit;
}

static void cubic(double a, double b, double c, double d, double poly[4])
{
    poly[0] = b;
    poly[1] = -a / 3 - b / 2 + c - d / 6;
    poly[2] = (a + c) / 2 - b;
    poly[3] = (d - a) / 6 + (b - c) / 2;
}

/* Cubic through four nodes around; the fourth derivative of a range is below 2e-8 m/s^4 at rest. */
static void enter_node(const struct gn_sim_sky *sky, struct gn_sim_channel *c, int64_t i_node)
{
    bool is_next = c->i_node >= 0 && i_node == c->i_node + 1;
    struct gn_sim_way *w = c->ways;
    if (is_next)
        memmove(w, w + 1, 3 * sizeof *w);
    for (int k = is_next ? 3 : 0; k < 4; k++)
        gn_sim_way(&sky->scene, &c->message.eph, (double)(i_node + k - 1) * sky->node_s, &w[k]);
    cubic(w[0].code_s, w[1].code_s, w[2].code_s, w[3].code_s, c->poly[0]);
    cubic(w[0].advance_s, w[1].advance_s, w[2].advance_s, w[3].advance_s, c->poly[1]);
    c->i_node = i_node;
    c->amplitude = amplitude_of(sky, c, (double)i_node * sky->node_s);
}

static double value(const double p[4], double x)
{
    return p[0] + x * (p[1] + x * (p[2] + x * p[3]));
}

void gn_sim_sky_offsets(
        struct gn_sim_sky *sky, uint32_t i, double t_s, double *code_s, double *advance_s)
{
    struct gn_sim_channel *c = &sky->channels[i];
    int64_t i_node = (int64_t)floor(t_s / sky->node_s);
    if (i_node != c->i_node)
        enter_node(sky, c, i_node);
    double x = t_s / sky->node_s - (double)i_node;
    *code_s = value(c->poly[0], x);
    *advance_s = value(c->poly[1], x);
}

double gn_sim_sky_signal_time_s(struct gn_sim_sky *sky, uint32_t i, double n)
{
    double t_s = n / sky->scene.rate_sps, code_s = 0, advance_s = 0;
    gn_sim_sky_offsets(sky, i, t_s, &code_s, &advance_s);
    return t_s + code_s;
}

/* ---- tiles --------------------------------------------------------------------------------------
 */

void gn_sim_sky_antenna(
        struct gn_sim_sky *sky, uint64_t i_tile, float re[GN_SIM_TILE], float im[GN_SIM_TILE])
{
    if (sky->noise.sigma > 0) {
        gn_noise_fill(&sky->noise, i_tile * GN_SIM_TILE, GN_SIM_TILE, re, im);
    } else {
        memset(re, 0, GN_SIM_TILE * sizeof *re);
        memset(im, 0, GN_SIM_TILE * sizeof *im);
    }
    for (uint32_t i = 0; i < sky->n_channels; i++)
        gn_sim_spread(sky, i, i_tile, re, im);
}

void gn_sim_sky_tile(struct gn_sim_sky *sky, uint64_t i_tile, int8_t ret[2 * GN_SIM_TILE])
{
    gn_sim_sky_out(sky, i_tile, GN_FMT_CI8, ret);
}
