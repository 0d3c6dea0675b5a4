/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/track/pullin.h"

#include "lib/track/loop.h"

#include <math.h>

#define GRID_PER_BIN 2.5 /* frequencies tried per 1/(n period): at most 0.25 dB between two */

struct line {
    double turns; /* frequency, turns per prompt */
    double re, im, power;
};

static struct line line_at(const struct gn_cplx *x, uint32_t n, double turns)
{
    struct line line = {.turns = turns};
    double c, s, step_c, step_s;

    gn_phasor(0, &c, &s);
    gn_phasor(0u - gn_turns_q32(turns), &step_c, &step_s);
    for (uint32_t k = 0; k < n; k++) {
        line.re += (double)x[k].re * c - (double)x[k].im * s;
        line.im += (double)x[k].re * s + (double)x[k].im * c;
        double next = c * step_c - s * step_s;
        s = c * step_s + s * step_c;
        c = next;
    }
    line.power = line.re * line.re + line.im * line.im;
    return line;
}

/* Strongest line within +-half a turn per prompt */
static struct line strongest(const struct gn_cplx *x, uint32_t n)
{
    int half = (int)ceil(n * GRID_PER_BIN / 2);
    struct line best = {.power = -1};

    for (int i = -half; i < half; i++) {
        struct line line = line_at(x, n, i / (2.0 * half));
        if (line.power > best.power)
            best = line;
    }
    return best;
}

static struct line refine(const struct gn_cplx *x, uint32_t n, struct line best)
{
    for (double step = 0.5 / (n * GRID_PER_BIN); step > 1e-7; step /= 2)
        for (int side = -1; side <= 1; side += 2) {
            struct line line = line_at(x, n, best.turns + side * step);
            if (line.power > best.power)
                best = line;
        }
    return best;
}

static double power_sum(const struct gn_cplx *x, uint32_t n)
{
    double sum = 1e-30;
    for (uint32_t k = 0; k < n; k++)
        sum += (double)x[k].re * (double)x[k].re + (double)x[k].im * (double)x[k].im;
    return sum;
}

struct gn_pullin gn_pullin_squared(const struct gn_cplx *prompt, uint32_t n, double period_s)
{
    struct gn_cplx x[GN_PULLIN_MAX];

    n = n < GN_PULLIN_MAX ? n : GN_PULLIN_MAX;
    for (uint32_t k = 0; k < n;
            k++) { /* twice the phase, once the amplitude: strong noise counts less */
        float re = prompt[k].re, im = prompt[k].im, size = hypotf(re, im) + 1e-20f;
        x[k] = (struct gn_cplx){(re * re - im * im) / size, 2 * re * im / size};
    }
    struct line line = refine(x, n, strongest(x, n));
    return (struct gn_pullin){.freq_hz = line.turns / period_s / 2,
            .phase_turns = gn_phase_turns(line.re, line.im) / 2,
            .score = line.power / power_sum(x, n)};
}

struct gn_pullin gn_pullin_pilot(const struct gn_cplx *prompt, uint32_t n, double period_s,
        const int8_t *code, uint32_t n_code)
{
    struct gn_cplx x[GN_PULLIN_MAX];
    struct gn_pullin ret = {.score = -1};
    struct line best = {0};

    n = n < GN_PULLIN_MAX ? n : GN_PULLIN_MAX;
    double total = power_sum(prompt, n);
    for (uint32_t lag = 0; lag < n_code; lag++) {
        for (uint32_t k = 0; k < n; k++) {
            float sign = (float)code[(k + lag) % n_code];
            x[k] = (struct gn_cplx){prompt[k].re * sign, prompt[k].im * sign};
        }
        struct line line = strongest(x, n);
        double score = line.power / total;
        if (score > ret.score) {
            ret = (struct gn_pullin){.score = score, .second = ret.score, .lag = lag};
            best = line;
        } else if (score > ret.second)
            ret.second = score;
    }
    for (uint32_t k = 0; k < n; k++) {
        float sign = (float)code[(k + ret.lag) % n_code];
        x[k] = (struct gn_cplx){prompt[k].re * sign, prompt[k].im * sign};
    }
    best = refine(x, n, best);
    ret.freq_hz = best.turns / period_s;
    ret.phase_turns = gn_phase_turns(best.re, best.im);
    return ret;
}

void gn_pullin_derotate(
        struct gn_cplx *prompt, uint32_t n, double period_s, double freq_hz, double phase_turns)
{
    for (uint32_t k = 0; k < n; k++) {
        double c, s;
        gn_phasor(0u - gn_turns_q32(phase_turns + freq_hz * period_s * k), &c, &s);
        double re = (double)prompt[k].re, im = (double)prompt[k].im;
        prompt[k] = (struct gn_cplx){(float)(re * c - im * s), (float)(re * s + im * c)};
    }
}
