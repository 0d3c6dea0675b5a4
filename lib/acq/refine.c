/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/acq/refine.h"

#include "lib/gnss/signal.h"

#include <math.h>

#define TWO_PI 6.283185307179586

void gn_acq_sampled_init(
        struct gn_acq_sampled *s, const struct gn_acq_band *band, const struct gn_acq_replica *r)
{
    for (uint32_t c = 0; c < band->n_codes; c++) {
        gn_acq_replica_sample(r + c, 0, s->on[c]);
        gn_acq_replica_sample(r + c, 0.5, s->late[c]);
    }
}

static void dot(const float (*x)[2], const float *c, size_t n, float ret[2])
{
    float re[8] = {0}, im[8] = {0};

    for (size_t i = 0; i + 8 <= n; i += 8)
        for (size_t k = 0; k < 8; k++) {
            re[k] += c[i + k] * x[i + k][0];
            im[k] += c[i + k] * x[i + k][1];
        }
    ret[0] = ((re[0] + re[1]) + (re[2] + re[3])) + ((re[4] + re[5]) + (re[6] + re[7]));
    ret[1] = ((im[0] + im[1]) + (im[2] + im[3])) + ((im[4] + im[5]) + (im[6] + im[7]));
}

/* delays of a look, in half samples before or after, and one far from the code's peak: what noise
 * (or a tone) gives there */
enum { TAP_EARLY, TAP_ON, TAP_LATE, TAP_AWAY, N_TAPS };
#define AWAY 150u /* samples: 37 chips */

/* One group's millisecond sums; the window's samples are mixed once. */
static void group_sums(const struct gn_acq_band *band, const struct gn_acq_sampled *s,
        const struct gn_acq_window *w, double start, double hz, float ret[2][N_TAPS][4][2])
{
    float y[GN_ACQ_MS + 1][2];
    const float(*at_0)[2] = (const float(*)[2])(y + 1);

    for (uint32_t ms = 0; ms < band->group_ms; ms++) {
        size_t at = (size_t)lround(start + ms * (double)GN_ACQ_MS / (1 + hz / GN_F_L1_HZ));
        uint32_t off = ms % band->period_ms * GN_ACQ_MS;
        gn_acq_mix(w->iq + at - 1, GN_ACQ_MS + 1, hz, (double)at, y);
        for (uint32_t c = 0; c < band->n_codes; c++) {
            dot((const float(*)[2])y, s->late[c] + off, GN_ACQ_MS, ret[c][TAP_EARLY][ms]);
            dot(at_0, s->on[c] + off, GN_ACQ_MS, ret[c][TAP_ON][ms]);
            dot(at_0, s->late[c] + off, GN_ACQ_MS, ret[c][TAP_LATE][ms]);
            dot(at_0, s->on[c] + off + AWAY, GN_ACQ_MS - AWAY, ret[c][TAP_AWAY][ms]);
        }
    }
}

/* |sum of n milliseconds turned by hz|^2 */
static double power_at(float p[4][2], uint32_t n, double hz)
{
    double re = 0, im = 0;

    for (uint32_t k = 0; k < n; k++) {
        double a = -TWO_PI * hz * 1e-3 * k, c = cos(a), s = sin(a);
        re += (double)p[k][0] * c - (double)p[k][1] * s;
        im += (double)p[k][0] * s + (double)p[k][1] * c;
    }
    return re * re + im * im;
}

/* Dopplers to try: the grid's bin is 500 Hz wide for C/A and 125 Hz for E1, the look resolves 250
 * Hz */
static uint32_t offsets(const struct gn_acq_band *band, double ret[5])
{
    uint32_t n = band->group_ms == 1 ? 1 : band->period_ms == 1 ? 5 : 3;
    double step = band->bin_hz / 4 * (band->period_ms == 1 ? 1 : 2);

    for (uint32_t i = 0; i < n; i++)
        ret[i] = ((double)i - (n - 1) / 2) * step;
    return n;
}

struct look {
    double sum[N_TAPS][5]; /* by delay and Doppler */
    double offset[5];
    uint32_t n_offsets, n_groups;
};

static void look_through(struct look *l, const struct gn_acq_band *band,
        const struct gn_acq_sampled *s, const struct gn_acq_window *w, size_t first, size_t last,
        const struct gn_acq_spot *spot)
{
    double rate = 1 + spot->doppler_hz / GN_F_L1_HZ,
           period = band->period_ms * (double)GN_ACQ_MS / rate;
    uint32_t ms = band->group_ms > band->period_ms ? band->group_ms : band->period_ms;
    double hop = ms * (double)GN_ACQ_MS / rate;
    double start = spot->delay_samples;

    start += ceil(((double)first + 1 - start) / period) * period;
    for (; start + hop + 2 < (double)last && l->n_groups < GN_ACQ_LOOK_MS / ms; start += hop) {
        float p[2][N_TAPS][4][2];
        group_sums(band, s, w, start, spot->doppler_hz, p);
        for (uint32_t c = 0; c < band->n_codes; c++)
            for (uint32_t t = 0; t < N_TAPS; t++)
                for (uint32_t o = 0; o < l->n_offsets; o++)
                    l->sum[t][o] += power_at(p[c][t], band->group_ms, l->offset[o]);
        l->n_groups++;
    }
}

double gn_acq_look(const struct gn_acq_band *band, const struct gn_acq_sampled *s,
        const struct gn_acq_window *w, double noise, size_t first, size_t last,
        struct gn_acq_spot *spot, uint32_t *n_sums)
{
    struct look l = {0};
    uint32_t tap = 0, off = 0;

    l.n_offsets = offsets(band, l.offset);
    look_through(&l, band, s, w, first, last, spot);
    *n_sums = l.n_groups * band->n_codes;
    if (l.n_groups == 0)
        return 0;
    for (uint32_t t = 0; t < TAP_AWAY; t++)
        for (uint32_t o = 0; o < l.n_offsets; o++)
            if (l.sum[t][o] > l.sum[tap][off]) {
                tap = t;
                off = o;
            }
    /* a tone gives as much at any delay */
    if (l.sum[TAP_AWAY][off] > 0.6 * l.sum[tap][off])
        return 0;
    spot->delay_samples += ((double)tap - TAP_ON) / 2;
    spot->doppler_hz += l.offset[off];
    return l.sum[tap][off] / (noise * band->group_ms / band->period_ms);
}

struct sums {
    double power[3]; /* early, prompt, late, of groups of a code period */
    double turn[2];  /* sum of p[k+1] conj p[k] between milliseconds of the same period or bit */
    uint32_t n;      /* periods */
};

static void add_code(const struct gn_acq_band *band, const float (*p)[GN_ACQ_TAPS_MAX][2],
        uint32_t n_ms, struct sums *s)
{
    for (uint32_t k = 0; k + 1 < n_ms; k++) {
        if (band->period_ms > 1 && k % band->period_ms == band->period_ms - 1)
            continue; /* a symbol may turn between periods */
        const float *a = p[k][1], *b = p[k + 1][1];
        s->turn[0] += (double)b[0] * (double)a[0] + (double)b[1] * (double)a[1];
        s->turn[1] += (double)b[1] * (double)a[0] - (double)b[0] * (double)a[1];
    }
    for (uint32_t k = 0; k + band->period_ms <= n_ms; k += band->period_ms) {
        for (uint32_t t = 0; t < 3; t++) {
            double re = 0, im = 0;
            for (uint32_t i = 0; i < band->period_ms; i++) {
                re += (double)p[k + i][t][0];
                im += (double)p[k + i][t][1];
            }
            s->power[t] += re * re + im * im;
        }
        s->n++;
    }
}

/* Peak of the triangle through three amplitudes one sample apart: early, prompt, late. */
static double triangle(const double power[3], double floor_power)
{
    double a[3];
    for (uint32_t t = 0; t < 3; t++)
        a[t] = sqrt(fmax(power[t] - floor_power, 0));
    double rise = a[1] - fmin(a[0], a[2]);
    if (rise <= 0)
        return a[2] > a[0] ? 0.5 : -0.5;
    return fmax(-1, fmin(1, (a[2] - a[0]) / (2 * rise)));
}

double gn_acq_refine(const struct gn_acq_band *band, const struct gn_acq_replica *r,
        const struct gn_acq_window *w, double noise, struct gn_acq_spot *spot)
{
    static const double tap[3] = {-1, 0, 1};
    float p[GN_ACQ_LOOK_MS][GN_ACQ_TAPS_MAX][2];
    struct sums s = {0};

    for (int round = 0; round < 3; round++) {
        uint32_t n_ms = gn_acq_ms_available(w, spot);
        n_ms = n_ms < GN_ACQ_LOOK_MS ? n_ms : GN_ACQ_LOOK_MS;
        s = (struct sums){0};
        for (uint32_t c = 0; c < band->n_codes; c++) {
            gn_acq_partials(r + c, w, spot, 0, n_ms, tap, 3, p);
            add_code(band, (const float(*)[GN_ACQ_TAPS_MAX][2])p, n_ms, &s);
        }
        if (s.n == 0)
            return 0;
        spot->delay_samples += triangle(s.power, noise * s.n);
        spot->doppler_hz += atan2(s.turn[1], s.turn[0]) / (TWO_PI * 1e-3);
        if (spot->delay_samples < 0)
            spot->delay_samples += band->n_fft;
    }
    double snr = s.power[1] / (noise * s.n) - 1;
    return 10 * log10(fmax(snr, 1e-3) / (band->period_ms * 1e-3));
}
