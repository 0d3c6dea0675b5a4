/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* One tile of one satellite: a phase accumulator of 2^-32 code steps reads the table, sixteen phasors
 * side by side turn the carrier. */
#include "lib/sim/spread.h"

#include "lib/frontend/mix.h"
#include "lib/gnss/codes.h"
#include "lib/gnss/signal.h"
#include "lib/sim/clones.h"

#include <math.h>

#define LANES 16U

/* Code of one period from *phase on (2^32 a step), until its end or n samples; returns how many. */
static size_t run_period(const struct gn_sim_code *code, const int8_t *table, uint64_t *phase,
        uint64_t step, int8_t *out, size_t n)
{
    uint64_t end = (uint64_t)code->n_steps << 32, p = *phase;
    uint64_t left = (end - p + step - 1) / step;
    if (left < n)
        n = (size_t)left;
    for (size_t i = 0; i < n; i++) {
        out[i] = table[p >> 32];
        p += step;
    }
    *phase = p;
    return n;
}

static void negate(int8_t *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (int8_t)-x[i];
}

/* What data and secondary code make of the tables in period i_period. */
static const int8_t *choose_table(struct gn_sim_channel *c, int64_t i_period, bool *is_negative)
{
    int64_t per = c->code.periods_per_symbol, i_symbol = i_period / per - (i_period % per < 0);
    int8_t data = gn_sim_message_symbol(&c->message, i_symbol);
    *is_negative = data < 0;
    if (c->code.table[1] == NULL)
        return c->code.table[0];
    int8_t secondary = gn_code_cs25[(i_period % GN_CS25_CHIPS + GN_CS25_CHIPS) % GN_CS25_CHIPS];
    return c->code.table[data == secondary ? 0 : 1];
}

/* Whole seconds are whole numbers of steps: only the rest is left to floating point. */
static void place(const struct gn_sim_sky *sky, const struct gn_sim_code *code, uint64_t n,
        double code_s, int64_t *i_period, uint64_t *phase)
{
    double rate = sky->scene.rate_sps, whole_s = floor((double)n / rate);
    double rest_s = fma(-whole_s, rate, (double)n) / rate;
    double start_s = sky->scene.start.tow_s - floor(sky->scene.start.tow_s);
    double steps = (double)code->step_rate * (start_s + rest_s) + (double)code->step_rate * code_s;
    double low = floor(steps);
    int64_t i_step = (int64_t)whole_s * code->step_rate + (int64_t)low, per = code->n_steps;
    *i_period = i_step / per - (i_step % per < 0);
    *phase = (uint64_t)(i_step - *i_period * per) << 32 | (uint64_t)((steps - low) * 0x1p32);
}

static void fill_chips(
        struct gn_sim_sky *sky, struct gn_sim_channel *c, uint64_t n, double code_s, double slope)
{
    int64_t i_period = 0;
    uint64_t phase = 0;
    double per_sample = (double)c->code.step_rate * (1 / sky->scene.rate_sps + slope);
    uint64_t step = (uint64_t)llround(per_sample * 0x1p32);
    place(sky, &c->code, n, code_s, &i_period, &phase);
    for (size_t i = 0; i < GN_SIM_TILE; i_period++) {
        bool is_negative = false;
        const int8_t *table = choose_table(c, i_period, &is_negative);
        size_t now = run_period(&c->code, table, &phase, step, sky->chips + i, GN_SIM_TILE - i);
        if (is_negative)
            negate(sky->chips + i, now);
        i += now;
        phase -= (uint64_t)c->code.n_steps << 32; /* of no meaning when the tile is full */
    }
}

/* re, im += amplitude chips e^(2 pi j (phase + i step)): all phasors are turned on by LANES steps */
GN_CLONES static void modulate(const int8_t *restrict chips, const float w_re0[LANES],
        const float w_im0[LANES], float s_re, float s_im, float *restrict re, float *restrict im)
{
    float w_re[LANES], w_im[LANES];
    for (size_t k = 0; k < LANES; k++) {
        w_re[k] = w_re0[k];
        w_im[k] = w_im0[k];
    }
    for (size_t i = 0; i < GN_SIM_TILE; i += LANES) {
        for (size_t k = 0; k < LANES; k++) {
            float chip = chips[i + k];
            re[i + k] += chip * w_re[k];
            im[i + k] += chip * w_im[k];
            float turned = w_re[k] * s_re - w_im[k] * s_im;
            w_im[k] = w_re[k] * s_im + w_im[k] * s_re;
            w_re[k] = turned;
        }
    }
}

/* One way of the signal: code and carrier offsets at both ends of the tile, seconds. */
static void add_way(struct gn_sim_sky *sky, struct gn_sim_channel *c, uint64_t n, const double code[2],
        const double carrier[2], double turns, float amplitude, float *re, float *im)
{
    fill_chips(sky, c, n, code[0], (code[1] - code[0]) / GN_SIM_TILE);
    uint64_t phase = gn_phase_step(GN_F_L1_HZ * carrier[0] + turns),
             step = gn_phase_step(GN_F_L1_HZ * (carrier[1] - carrier[0]) / GN_SIM_TILE);
    float w_re[LANES], w_im[LANES], s_re = 1, s_im = 0;
    for (uint32_t k = 0; k < LANES; k++) {
        gn_phasor(phase + k * step, &w_re[k], &w_im[k]);
        w_re[k] *= amplitude;
        w_im[k] *= amplitude;
    }
    gn_phasor(LANES * step, &s_re, &s_im);
    modulate(sky->chips, w_re, w_im, s_re, s_im, re, im);
}

/* Reflections: the same signal, later and weaker. */
static void add_rays(struct gn_sim_sky *sky, struct gn_sim_channel *c, uint64_t n, const double code[2],
        const double carrier[2], float *re, float *im)
{
    const struct gn_sim_disturb *d = &sky->scene.disturb;
    uint32_t satellite = (uint32_t)c->message.eph.signal << 8 | c->message.eph.prn;
    double t0_s = (double)n / sky->scene.rate_sps, t1_s = (double)(n + GN_SIM_TILE) / sky->scene.rate_sps;
    for (uint32_t i = 0; i < d->n_rays; i++) {
        double m0 = 0, m1 = 0, elevation = c->ways[1].elevation_rad;
        double share = gn_sim_ray(d, satellite, elevation, i, t0_s, &m0);
        if (!(share > 0) || !(gn_sim_ray(d, satellite, elevation, i, t1_s, &m1) > 0))
            continue;
        const double later[2] = {code[0] - m0 / GN_C_MPS, code[1] - m1 / GN_C_MPS};
        const double turned[2] = {carrier[0] - m0 / GN_C_MPS, carrier[1] - m1 / GN_C_MPS};
        add_way(sky, c, n, later, turned, c->phase_turns, c->amplitude * (float)share, re, im);
    }
}

void gn_sim_spread(struct gn_sim_sky *sky, uint32_t i, uint64_t i_tile, float re[GN_SIM_TILE],
        float im[GN_SIM_TILE])
{
    struct gn_sim_channel *c = &sky->channels[i];
    uint64_t n = i_tile * GN_SIM_TILE;
    double code[2] = {0}, advance[2] = {0}, gain = 1, turns = 0;
    /* the tile's own node last: it stays */
    gn_sim_sky_offsets(sky, i, (double)(n + GN_SIM_TILE) / sky->scene.rate_sps, &code[1], &advance[1]);
    gn_sim_sky_offsets(sky, i, (double)n / sky->scene.rate_sps, &code[0], &advance[0]);
    if (!(c->amplitude > 0))
        return;
    const double carrier[2] = {code[0] + advance[0], code[1] + advance[1]};
    uint32_t satellite = (uint32_t)c->message.eph.signal << 8 | c->message.eph.prn;
    gn_sim_scintillate(&sky->scene.disturb, satellite, (double)n / sky->scene.rate_sps, &gain, &turns);
    add_way(sky, c, n, code, carrier, c->phase_turns + turns, c->amplitude * (float)gain, re, im);
    add_rays(sky, c, n, code, carrier, re, im);
}
