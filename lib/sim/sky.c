/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/sim/sky.h"

#include "lib/base/error.h"
#include "lib/frontend/mix.h"
#include "lib/frontend/quantise.h"
#include "lib/gnss/codes.h"
#include "lib/gnss/signal.h"
#include "lib/nav/orbit.h"

#include <math.h>
#include <string.h>

#define LANES 16U

/* ---- set-up -------------------------------------------------------------------------------------
 */

static gn_status make_gps_code(struct gn_sim_channel *c)
{
    int8_t chips[1023];
    gn_status st =
            gn_code_chips(GN_SIG_GPS_L1CA, GN_CODE_DATA, c->message.eph.prn, chips, sizeof chips);
    for (size_t i = 0; st == GN_OK && i < sizeof chips; i++)
        c->code[0][i] = chips[i];
    return st;
}

/* half-chips: + - of the subcarrier; with data and secondary code +1 E1 is (B - C) / sqrt 2 */
static gn_status make_gal_code(struct gn_sim_channel *c)
{
    int8_t b[4092], p[4092];
    gn_status st = gn_code_chips(GN_SIG_GAL_E1, GN_CODE_DATA, c->message.eph.prn, b, sizeof b);
    if (st == GN_OK)
        st = gn_code_chips(GN_SIG_GAL_E1, GN_CODE_PILOT, c->message.eph.prn, p, sizeof p);
    for (size_t i = 0; st == GN_OK && i < GN_SIM_SUBCHIPS; i++) {
        float half = (i & 1) != 0 ? -0.70710678f : 0.70710678f;
        c->code[0][i] = half * (float)(b[i / 2] - p[i / 2]);
        c->code[1][i] = half * (float)(b[i / 2] + p[i / 2]);
    }
    return st;
}

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

static void add_signer(struct gn_sim_sky *sky, const struct gn_ephemeris *eph)
{
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
    gn_status st = gn_osnma_gen_new(s->osnma_seed, wn, (uint32_t)tow_s, (uint32_t)n, &sky->gen);
    return st == GN_OK ? st : gn_fail(err, st, "cannot make the OSNMA test chain");
}

static gn_status make_channel(struct gn_sim_sky *sky, const struct gn_ephemeris *eph)
{
    struct gn_sim_channel *c = &sky->channels[sky->n_channels++];
    const struct gn_sim_scene *scene = &sky->scene;
    bool is_gal = eph->signal == GN_SIG_GAL_E1;
    gn_sim_message_init(&c->message, eph, scene->start.week, (uint32_t)floor(scene->start.tow_s));
    if (is_gal && scene->has_osnma)
        c->message.osnma = (struct gn_sim_osnma){.arg = sky, .fields = sign_fields};
    c->subchip_rate = is_gal ? 2.046e6 : 1.023e6;
    c->n_subchips = is_gal ? GN_SIM_SUBCHIPS : 1023;
    c->periods_per_symbol = is_gal ? 1 : 20;
    c->i_second = -1;
    c->phase_turns = fmod(0.61803398875 * (double)(scene->seed % 1000 + 37U * sky->n_channels), 1);
    return is_gal ? make_gal_code(c) : make_gps_code(c);
}

static gn_status add_system(
        struct gn_sim_sky *sky, unsigned signal, uint32_t n_wanted, struct gn_error *err)
{
    struct gn_ephemeris eph[GN_SIM_SATS_MAX];
    const struct gn_sim_scene *s = &sky->scene;
    if (n_wanted > GN_SIM_SATS_MAX)
        return gn_fail(err, GN_E_ARG, "at most %u satellites of a system", GN_SIM_SATS_MAX);
    size_t n = gn_sim_visible(signal, s->start, s->ecef_m, s->mask_rad, n_wanted, eph);
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
    if (!(scene->rate_sps >= GN_SIM_RATE_MIN && scene->rate_sps <= GN_SIM_RATE_MAX))
        return gn_fail(err, GN_E_ARG, "the rate must lie within %g and %g", GN_SIM_RATE_MIN,
                GN_SIM_RATE_MAX);
    memset(sky, 0, sizeof *sky);
    sky->scene = *scene;
    gn_noise_init(&sky->noise, scene->seed, scene->level * scene->noise);
    gn_status st = add_system(sky, GN_SIG_GPS_L1CA, scene->n_gps, err);
    if (st == GN_OK)
        st = add_system(sky, GN_SIG_GAL_E1, scene->n_galileo, err);
    return st == GN_OK && scene->has_osnma ? make_chain(sky, err) : st;
}

void gn_sim_sky_done(struct gn_sim_sky *sky)
{
    gn_osnma_gen_free(sky->gen);
    sky->gen = NULL;
}

/* ---- signal time
 * ---------------------------------------------------------------------------------- */

/* t_sv - start - t at receiver time t, straight from the orbit */
static double offset_at(const struct gn_sim_sky *sky, const struct gn_ephemeris *eph, double t_s)
{
    const struct gn_sim_scene *s = &sky->scene;
    struct gn_sat_state state;
    double clock_s = t_s * (1 / (1 + s->clock_ppm * 1e-6) - 1);
    double tow_s = s->start.tow_s + t_s + clock_s;
    double range_m = gn_orbit_heard(eph, s->start.week, tow_s, s->ecef_m, &state);
    return clock_s - range_m / GN_C_MPS + gn_orbit_clock_l1_s(eph, &state);
}

/* Cubic through four seconds around; the fourth derivative of a range is below 2e-8 m/s^4. */
static void enter_second(const struct gn_sim_sky *sky, struct gn_sim_channel *c, int64_t i_second)
{
    double y[4];
    for (int k = 0; k < 4; k++)
        y[k] = offset_at(sky, &c->message.eph, (double)(i_second + k - 1));
    c->poly[0] = y[1];
    c->poly[1] = -y[0] / 3 - y[1] / 2 + y[2] - y[3] / 6;
    c->poly[2] = (y[0] + y[2]) / 2 - y[1];
    c->poly[3] = (y[3] - y[0]) / 6 + (y[1] - y[2]) / 2;
    c->i_second = i_second;
}

static double offset_s(const struct gn_sim_sky *sky, struct gn_sim_channel *c, double t_s)
{
    int64_t i_second = (int64_t)t_s;
    if (i_second != c->i_second)
        enter_second(sky, c, i_second);
    double x = t_s - (double)i_second;
    return c->poly[0] + x * (c->poly[1] + x * (c->poly[2] + x * c->poly[3]));
}

double gn_sim_sky_signal_time_s(struct gn_sim_sky *sky, uint32_t i, double n)
{
    double t_s = n / sky->scene.rate_sps;
    return t_s + offset_s(sky, &sky->channels[i], t_s);
}

/* ---- one tile of one satellite
 * ---------------------------------------------------------------------- */

/* Code of one period from subchip `phase` (2^32 a subchip) on, until its end or n samples; returns
 * how many. */
static size_t run_period(const float *code, float amplitude, uint32_t n_subchips, uint64_t *phase,
        uint64_t step, float *out, size_t n)
{
    uint64_t end = (uint64_t)n_subchips << 32, p = *phase;
    uint64_t left = (end - p + step - 1) / step;
    if (left < n)
        n = (size_t)left;
    for (size_t i = 0; i < n; i++) {
        out[i] = amplitude * code[p >> 32];
        p += step;
    }
    *phase = p;
    return n;
}

/* What data and secondary code make of the code table in period i_period. */
static const float *choose_code(struct gn_sim_channel *c, int64_t i_period, float *sign)
{
    int64_t i_symbol = i_period / c->periods_per_symbol - (i_period % c->periods_per_symbol < 0);
    int8_t data = gn_sim_message_symbol(&c->message, i_symbol);
    *sign = data;
    if (c->n_subchips != GN_SIM_SUBCHIPS)
        return c->code[0];
    int8_t secondary = gn_code_cs25[(i_period % GN_CS25_CHIPS + GN_CS25_CHIPS) % GN_CS25_CHIPS];
    return c->code[data == secondary ? 0 : 1]; /* d B - s C = d (B - s/d C) */
}

static void spread(struct gn_sim_sky *sky, struct gn_sim_channel *c, double t_s, double u0,
        double u1, float amplitude)
{
    double whole_s = floor(sky->scene.start.tow_s);
    double signal_s = sky->scene.start.tow_s - whole_s + t_s; /* since the message's second */
    double subchips = c->subchip_rate * signal_s + c->subchip_rate * u0;
    double per_sample = c->subchip_rate * (1 / sky->scene.rate_sps + (u1 - u0) / GN_SIM_TILE);
    double period = floor(subchips / c->n_subchips);
    double rest = subchips - period * c->n_subchips;
    int64_t i_period = (int64_t)period;
    if (rest >= c->n_subchips) { /* rounding at the very edge */
        rest -= c->n_subchips;
        i_period++;
    }
    uint64_t phase = (uint64_t)(fmax(rest, 0) * 0x1p32), step = (uint64_t)(per_sample * 0x1p32);
    for (size_t i = 0; i < GN_SIM_TILE;) {
        float sign = 1;
        const float *code = choose_code(c, i_period, &sign);
        i += run_period(code, sign * amplitude, c->n_subchips, &phase, step, sky->chips + i,
                GN_SIM_TILE - i);
        if (phase >> 32 >= c->n_subchips) {
            phase -= (uint64_t)c->n_subchips << 32;
            i_period++;
        }
    }
}

static uint64_t turns_to_phase(double turns)
{
    return gn_phase_step(turns);
}

/* re, im += chips * e^(2 pi j (phase + i step)): LANES phasors side by side, all turned on by LANES
 * steps */
static void modulate(const float *chips, uint64_t phase, uint64_t step, float *re, float *im)
{
    float w_re[LANES], w_im[LANES], s_re = 1, s_im = 0;
    for (uint32_t k = 0; k < LANES; k++)
        gn_phasor(phase + k * step, &w_re[k], &w_im[k]);
    gn_phasor(LANES * step, &s_re, &s_im);
    for (size_t i = 0; i < GN_SIM_TILE; i += LANES) {
        for (size_t k = 0; k < LANES; k++) {
            re[i + k] += chips[i + k] * w_re[k];
            im[i + k] += chips[i + k] * w_im[k];
            float turned = w_re[k] * s_re - w_im[k] * s_im;
            w_im[k] = w_re[k] * s_im + w_im[k] * s_re;
            w_re[k] = turned;
        }
    }
}

static void add_channel(
        struct gn_sim_sky *sky, struct gn_sim_channel *c, uint64_t i_tile, float amplitude)
{
    double t0 = (double)(i_tile * GN_SIM_TILE) / sky->scene.rate_sps;
    double t1 = (double)((i_tile + 1) * GN_SIM_TILE) / sky->scene.rate_sps;
    double u1 = offset_s(sky, c, t1),
           u0 = offset_s(sky, c, t0); /* the tile's own second last: it stays cached */
    spread(sky, c, t0, u0, u1, amplitude);
    uint64_t phase = turns_to_phase(GN_F_L1_HZ * u0 + c->phase_turns);
    modulate(sky->chips, phase, turns_to_phase(GN_F_L1_HZ * (u1 - u0) / GN_SIM_TILE), sky->re,
            sky->im);
}

/* C/N0 = A^2 / (2 sigma^2 / rate) */
static float amplitude_of(const struct gn_sim_scene *s, double t_s)
{
    bool is_faded = !isnan(s->fade_cn0_dbhz) && t_s >= s->fade_at_s;
    double cn0 = pow(10, (is_faded ? s->fade_cn0_dbhz : s->cn0_dbhz) / 10);
    return (float)(s->level * sqrt(2 * cn0 / s->rate_sps));
}

void gn_sim_sky_tile(struct gn_sim_sky *sky, uint64_t i_tile, int8_t ret[2 * GN_SIM_TILE])
{
    double t_s = (double)(i_tile * GN_SIM_TILE) / sky->scene.rate_sps;
    float amplitude = amplitude_of(&sky->scene, t_s);
    gn_noise_fill(&sky->noise, i_tile * GN_SIM_TILE, GN_SIM_TILE, sky->re, sky->im);
    for (uint32_t i = 0; i < sky->n_channels; i++)
        add_channel(sky, &sky->channels[i], i_tile, amplitude);
    gn_quantise_ci8(sky->re, sky->im, GN_SIM_TILE, 1, ret);
}
