/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/modem/track.h"

#include <math.h>
#include <string.h>

#define PI         3.14159265358979323846
#define GAIN_TIME  0.05  /* of a symbol's timing error */
#define GAIN_DRIFT 0.001
#define GAIN_FREQ  0.02
/* Slope of (late - early) / (late + early) at half a chip either side, from the autocorrelation of the half-sine,
 * R(x) = (1 - x/2) cos(pi x/2) + sin(pi x/2) / pi: 2 * 0.833 / (2 * 0.755), x in chips. */
#define SLOPE 1.103

struct window {
    float x[GN_OQPSK_PERIOD_MAX + 2 * GN_OQPSK_MARGIN][2]; /* turned back by the carrier offset */
    int first; /* x[0] is this sample from the symbol's whole part */
};

void gn_oqpsk_signs_fill(struct gn_oqpsk_signs *s)
{
    for (unsigned c = 0; c < GN_OQPSK_CHIPS; c++)
        for (unsigned m = 0; m < 8; m++)
            s->of[c][m] = (gn_oqpsk_chips[m] >> (31 - c) & 1U) != 0 ? 1.0F : -1.0F;
}

static void turn(const struct gn_oqpsk_track *k, struct window *w)
{
    int before = (int)k->spc + 1, n = (int)(GN_OQPSK_CHIPS * k->spc) + 4 * (int)k->spc + 4;
    const float *from = k->iq + 2 * ((ptrdiff_t)floor(k->t) - before);
    double step = -k->step_rad_per_hz * k->cfo_hz, at = -k->phase_rad - step * before;
    float c = (float)cos(at), s = (float)sin(at), dc = (float)cos(step), ds = (float)sin(step);
    w->first = -before;
    for (int i = 0; i < n; i++) {
        float re = from[2 * i], im = from[2 * i + 1], next = c * dc - s * ds;
        w->x[i][0] = re * c - im * s;
        w->x[i][1] = re * s + im * c;
        s = c * ds + s * dc;
        c = next;
    }
}

/* One value a chip: the pulse, moved by the fraction of a sample, times the samples. The odd chips (Q) are turned by
 * a quarter so that every chip is real. */
static void chips_at(const struct gn_oqpsk_track *k, const struct window *w, double offset, float z[GN_OQPSK_CHIPS][2])
{
    double at = k->t - floor(k->t) + offset, whole = floor(at);
    unsigned n_taps = 2 * k->spc;
    float taps[2 * GN_OQPSK_SPC_MAX];
    for (unsigned j = 0; j < n_taps; j++)
        taps[j] = (float)sin(PI * (j + 1 - (at - whole)) / (2.0 * k->spc));
    for (unsigned c = 0; c < GN_OQPSK_CHIPS; c++) {
        const float(*x)[2] = w->x + ((int)whole + 1 - w->first) + (int)(c * k->spc);
        float re = 0, im = 0;
        for (unsigned j = 0; j < n_taps; j++) {
            re += taps[j] * x[j][0];
            im += taps[j] * x[j][1];
        }
        z[c][0] = c % 2 == 0 ? re : im;
        z[c][1] = c % 2 == 0 ? im : -re;
    }
}

static void correlate(const struct gn_oqpsk_signs *s, float z[GN_OQPSK_CHIPS][2], float corr[16][2])
{
    float even[2][8] = {{0}}, odd[2][8] = {{0}};
    for (unsigned c = 0; c < GN_OQPSK_CHIPS; c += 2)
        for (unsigned m = 0; m < 8; m++) {
            even[0][m] += s->of[c][m] * z[c][0];
            even[1][m] += s->of[c][m] * z[c][1];
            odd[0][m] += s->of[c + 1][m] * z[c + 1][0];
            odd[1][m] += s->of[c + 1][m] * z[c + 1][1];
        }
    for (unsigned m = 0; m < 8; m++)
        for (unsigned r = 0; r < 2; r++) {
            corr[m][r] = even[r][m] + odd[r][m];
            corr[m + 8][r] = even[r][m] - odd[r][m];
        }
}

void gn_oqpsk_correlate(struct gn_oqpsk_track *k, float c[16][2])
{
    struct window w;
    float z[GN_OQPSK_CHIPS][2];
    turn(k, &w);
    chips_at(k, &w, 0, z);
    correlate(k->signs, z, c);
}

static float size_of(const struct gn_oqpsk_track *k, const struct window *w, double offset, unsigned symbol)
{
    float z[GN_OQPSK_CHIPS][2], sum[2] = {0, 0};
    chips_at(k, w, offset, z);
    for (unsigned c = 0; c < GN_OQPSK_CHIPS; c++) {
        float s = k->signs->of[c][symbol % 8] * (symbol >= 8 && c % 2 == 1 ? -1.0F : 1.0F);
        sum[0] += s * z[c][0];
        sum[1] += s * z[c][1];
    }
    return sqrtf(sum[0] * sum[0] + sum[1] * sum[1]);
}

static void steer(struct gn_oqpsk_track *k, float early, float late)
{
    double period = GN_OQPSK_CHIPS * k->spc, sum = (double)(early + late), whole = floor(k->t);
    double error = sum > 0 ? (double)(late - early) / sum / SLOPE * k->spc : 0;
    if (k->has_last) {
        float re = k->corr[0] * k->last[0] + k->corr[1] * k->last[1];
        float im = k->corr[1] * k->last[0] - k->corr[0] * k->last[1];
        double turned_rad = re != 0 || im != 0 ? (double)atan2f(im, re) : 0;
        k->cfo_hz += GAIN_FREQ * turned_rad / (k->step_rad_per_hz * period);
    }
    memcpy(k->last, k->corr, sizeof k->last);
    k->has_last = true;
    k->drift += GAIN_DRIFT * error;
    k->t += period + k->drift + GAIN_TIME * error;
    k->phase_rad = fmod(k->phase_rad + k->step_rad_per_hz * k->cfo_hz * (floor(k->t) - whole), 2 * PI);
}

unsigned gn_oqpsk_step(struct gn_oqpsk_track *k)
{
    struct window w;
    float z[GN_OQPSK_CHIPS][2], c[16][2], best = -1;
    unsigned symbol = 0;
    turn(k, &w);
    chips_at(k, &w, 0, z);
    correlate(k->signs, z, c);
    for (unsigned m = 0; m < 16; m++) {
        float power = c[m][0] * c[m][0] + c[m][1] * c[m][1];
        if (power > best) {
            best = power;
            symbol = m;
        }
    }
    memcpy(k->corr, c[symbol], sizeof k->corr);
    k->energy = 0;
    for (unsigned i = 0; i < GN_OQPSK_CHIPS * k->spc; i++) {
        const float *x = w.x[(int)i - w.first];
        k->energy += x[0] * x[0] + x[1] * x[1];
    }
    double half = k->spc / 2.0;
    steer(k, size_of(k, &w, -half, symbol), size_of(k, &w, half, symbol));
    return symbol;
}
