/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* One satellite in white noise at a stated C/N0, with everything known: made for tests of tracking.
 *
 * t = n / rate. Carrier phase (turns) p(t) = phase0 + doppler t + rate t^2 / 2; signal time s(t) =
 * s0 + t + p / f_L1, code chip = 1.023e6 s, symbol = s / symbol_s. E1: (data - pilot * CS25) / sqrt
 * 2, C/N0 is the total of both. */
#ifndef SIGNAL_GEN_H
#define SIGNAL_GEN_H

#include "lib/gnss/codes.h"
#include "lib/gnss/signal.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define GEN_SIGMA 20.0 /* of noise, per component */
#define GEN_GAUSS 16384u

struct gen {
    unsigned signal, prn;
    double rate_sps, doppler_hz, doppler_rate_hzps, phase0, s0_s;
    double cn0_dbhz;
    int is_one_bit;
    uint64_t seed;
    /* made by gen_init() */
    int8_t code[2][GN_CODE_CHIPS_MAX];
    float gauss[GEN_GAUSS];
    uint64_t state;
};

static inline uint64_t gen_hash(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Value of data symbol i, counted from signal time 0 */
static inline int gen_symbol(const struct gen *g, uint64_t i)
{
    return gen_hash(g->seed * 1000003u + i) & 1u ? 1 : -1;
}

static inline int gen_init(struct gen *g)
{
    uint32_t n = gn_signal_table[g->signal].code_chips;
    g->state = gen_hash(g->seed) | 1u;
    for (uint32_t i = 0; i < GEN_GAUSS;
            i++) { /* quantiles of the normal distribution, by Box and Muller */
        double u = (double)(gen_hash(i + 99) >> 11) / 9007199254740992.0 + 1e-12;
        double v = (double)(gen_hash(i + 7777777) >> 11) / 9007199254740992.0;
        g->gauss[i] = (float)(GEN_SIGMA * sqrt(-2 * log(u)) * cos(6.283185307179586 * v));
    }
    if (gn_code_chips(g->signal, 0, g->prn, g->code[0], n) != GN_OK)
        return -1;
    return g->signal == GN_SIG_GAL_E1 && gn_code_chips(g->signal, 1, g->prn, g->code[1], n) != GN_OK
                   ? -1
                   : 0;
}

static inline double gen_turns(const struct gen *g, double t)
{
    return g->phase0 + g->doppler_hz * t + g->doppler_rate_hzps * t * t / 2;
}

/* Signal time at t */
static inline double gen_signal_time(const struct gen *g, double t)
{
    return g->s0_s + t + (gen_turns(g, t) - g->phase0) / GN_F_L1_HZ;
}

static inline double gen_amplitude(const struct gen *g, double cn0_dbhz)
{
    return sqrt(2 * GEN_SIGMA * GEN_SIGMA * pow(10, cn0_dbhz / 10) / g->rate_sps);
}

static inline double gen_value(const struct gen *g, double s)
{
    const struct gn_signal_info *info = &gn_signal_table[g->signal];
    double chips = s * info->chip_rate_cps;
    uint64_t chip = (uint64_t)chips;
    uint32_t i = (uint32_t)(chip % info->code_chips);
    uint64_t symbol = chip / (uint64_t)lrint(info->symbol_s * info->chip_rate_cps);
    double data = gen_symbol(g, symbol) * g->code[0][i];
    if (g->signal != GN_SIG_GAL_E1)
        return data;
    double pilot = gn_code_cs25[chip / info->code_chips % GN_CS25_CHIPS] * g->code[1][i];
    return (data - pilot) * (chips - (double)chip < 0.5 ? 1 : -1) * 0.70710678;
}

static inline int8_t gen_quantise(const struct gen *g, double x)
{
    if (g->is_one_bit)
        return x < 0 ? -1 : 1;
    x = x < -127 ? -127 : x > 127 ? 127 : x;
    return (int8_t)lrint(x);
}

static inline float gen_noise(struct gen *g)
{
    g->state ^= g->state << 13;
    g->state ^= g->state >> 7;
    g->state ^= g->state << 17;
    float a = g->gauss[g->state >> 50], b = g->gauss[(g->state >> 36) & (GEN_GAUSS - 1)];
    return (a + b) * 0.70710678f;
}

/* Samples n0 .. n0 + n - 1 into iq[2 n]; amplitude may change with each call (cn0_dbhz) */
static inline void gen_run(struct gen *g, uint64_t n0, uint32_t n, int8_t *iq)
{
    const uint32_t step = 64; /* carrier recurrence */
    double a = gen_amplitude(g, g->cn0_dbhz), c = 0, s = 0, turn_c = 1, turn_s = 0;

    for (uint32_t i = 0; i < n; i++) {
        double t = (double)(n0 + i) / g->rate_sps;
        if (i % step == 0) {
            double p = 6.283185307179586 * fmod(gen_turns(g, t), 1.0);
            double w = 6.283185307179586 * (g->doppler_hz + g->doppler_rate_hzps * t) / g->rate_sps;
            c = cos(p);
            s = sin(p);
            turn_c = cos(w);
            turn_s = sin(w);
        }
        double v = a * gen_value(g, gen_signal_time(g, t));
        iq[2 * i] = gen_quantise(g, v * c + (double)gen_noise(g));
        iq[2 * i + 1] = gen_quantise(g, v * s + (double)gen_noise(g));
        double next = c * turn_c - s * turn_s;
        s = c * turn_s + s * turn_c;
        c = next;
    }
}

#endif
