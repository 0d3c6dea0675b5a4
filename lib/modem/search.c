/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/modem/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAG        GN_OQPSK_CHIPS
#define SPAN       (7u * LAG)     /* products summed: all that an aligned preamble has */
#define HISTORY    (SPAN + LAG)   /* values before those of a step */
#define STEP       64u            /* chips a step: short, for an acknowledgement must be known soon */
#define LIKENESS_2 0.04           /* square of the likeness that is worth a closer look; noise: 1 in 2000 */
#define SILENCE    1e-9           /* of the strongest so far: rounding, not signal */
#define PATIENCE   (9u * LAG)     /* chips in which the likeness may still grow */
#define PI         3.14159265358979323846

/* Chip j of this search starts at sample first + j spc. y of chips done - HISTORY ... done - 1 is kept. */
struct gn_oqpsk_search {
    unsigned spc;
    uint64_t first;           /* sample of chip 0 */
    uint64_t n_done;          /* chips filtered */
    float y[HISTORY + STEP][2];
    double re, im, early, late, strongest; /* running sums */
    bool is_rising;
    uint64_t since, best_at;  /* chips */
    double best, best_re, best_im;
};

struct gn_oqpsk_search *gn_oqpsk_search_new(unsigned spc)
{
    struct gn_oqpsk_search *s = calloc(1, sizeof *s);
    if (s != NULL)
        s->spc = spc;
    return s;
}

void gn_oqpsk_search_free(struct gn_oqpsk_search *s)
{
    free(s);
}

void gn_oqpsk_search_from(struct gn_oqpsk_search *s, uint64_t index)
{
    *s = (struct gn_oqpsk_search){.spc = s->spc, .first = index};
}

uint64_t gn_oqpsk_search_first(const struct gn_oqpsk_search *s)
{
    uint64_t back = s->n_done > HISTORY ? s->n_done - HISTORY : 0;
    back = s->is_rising && s->best_at < back ? s->best_at : back;
    return s->first + back * s->spc;
}

uint64_t gn_oqpsk_search_next(const struct gn_oqpsk_search *s)
{
    return s->first + s->n_done * s->spc;
}

uint64_t gn_oqpsk_search_need(const struct gn_oqpsk_search *s)
{
    return s->first + (s->n_done + STEP + 2) * s->spc;
}

double gn_oqpsk_search_cfo_hz(const struct gn_oqpsk_search *s)
{
    return atan2(s->best_im, s->best_re) / (2 * PI * GN_OQPSK_CHIPS / GN_OQPSK_CHIP_SPS);
}

static void filter(struct gn_oqpsk_search *s, const float *iq)
{
    float pulse[2 * GN_OQPSK_SPC_MAX];
    for (unsigned i = 0; i < 2 * s->spc; i++)
        pulse[i] = (float)sin(PI * i / (2.0 * s->spc));
    for (unsigned j = 0; j < STEP; j++) {
        const float *x = iq + 2 * (size_t)j * s->spc;
        float re = 0, im = 0;
        for (unsigned i = 1; i < 2 * s->spc; i++) {
            re += pulse[i] * x[2 * i];
            im += pulse[i] * x[2 * i + 1];
        }
        s->y[HISTORY + j][0] = re;
        s->y[HISTORY + j][1] = im;
    }
}

static float power(const float *y)
{
    return y[0] * y[0] + y[1] * y[1];
}

/* The sums end with chip j of y and begin HISTORY - 1 before. */
static void slide(struct gn_oqpsk_search *s, unsigned j)
{
    const float *in = s->y[j], *in_lag = s->y[j - LAG], *out = s->y[j - HISTORY + LAG], *out_lag = s->y[j - HISTORY];
    s->re += (double)(in[0] * in_lag[0] + in[1] * in_lag[1]) - (double)(out[0] * out_lag[0] + out[1] * out_lag[1]);
    s->im += (double)(in[1] * in_lag[0] - in[0] * in_lag[1]) - (double)(out[1] * out_lag[0] - out[0] * out_lag[1]);
    s->late += (double)power(in) - (double)power(out);
    s->early += (double)power(in_lag) - (double)power(out_lag);
    s->strongest = s->late > s->strongest ? s->late : s->strongest;
}

/* True when the preamble's place is settled. begin: chip the sums begin with. */
static bool watch(struct gn_oqpsk_search *s, uint64_t begin)
{
    double a = s->re * s->re + s->im * s->im;
    bool is_silent = s->late <= SILENCE * s->strongest || s->early <= SILENCE * s->strongest;
    if (!s->is_rising && (is_silent || a <= LIKENESS_2 * s->early * s->late))
        return false;
    if (!s->is_rising || a > s->best) {
        s->since = s->is_rising ? s->since : begin;
        s->is_rising = true;
        s->best = a;
        s->best_at = begin;
        s->best_re = s->re;
        s->best_im = s->im;
    }
    return begin >= s->since + PATIENCE;
}

bool gn_oqpsk_search_step(struct gn_oqpsk_search *s, const float *iq, uint64_t *t0)
{
    filter(s, iq);
    for (unsigned j = 0; j < STEP; j++) {
        uint64_t chip = s->n_done + j;
        slide(s, HISTORY + j);
        /* sums that reach before chip 0 count too: a stream may begin inside a preamble */
        uint64_t begin = chip + 1 > HISTORY ? chip + 1 - HISTORY : 0;
        if (chip + 1 < HISTORY || !watch(s, begin))
            continue;
        *t0 = s->first + s->best_at * s->spc;
        return true; /* the caller starts a new search behind it */
    }
    memmove(s->y[0], s->y[STEP], HISTORY * sizeof s->y[0]);
    s->n_done += STEP;
    return false;
}

void gn_oqpsk_fold(const float *iq, unsigned spc, unsigned n, double step_rad, struct gn_oqpsk_fold *f)
{
    unsigned period = GN_OQPSK_CHIPS * spc;
    *f = (struct gn_oqpsk_fold){.spc = spc};
    for (unsigned p = 0; p < n; p++) {
        double at = -step_rad * (double)(p * period);
        float c = (float)cos(at), s = (float)sin(at), dc = (float)cos(step_rad), ds = (float)-sin(step_rad);
        const float *x = iq + 2 * (size_t)p * period;
        for (unsigned i = 0; i < period; i++) {
            float next = c * dc - s * ds;
            f->x[i][0] += x[2 * i] * c - x[2 * i + 1] * s;
            f->x[i][1] += x[2 * i] * s + x[2 * i + 1] * c;
            s = c * ds + s * dc;
            c = next;
        }
    }
}

/* Filtered period twice over, so that no index wraps. */
static void fold_filter(const struct gn_oqpsk_fold *f, int turns, float re[2 * GN_OQPSK_PERIOD_MAX],
        float im[2 * GN_OQPSK_PERIOD_MAX])
{
    unsigned period = GN_OQPSK_CHIPS * f->spc;
    float x[GN_OQPSK_PERIOD_MAX + 2 * GN_OQPSK_SPC_MAX][2], pulse[2 * GN_OQPSK_SPC_MAX];
    for (unsigned i = 0; i < 2 * f->spc; i++)
        pulse[i] = (float)sin(PI * i / (2.0 * f->spc));
    double step = -2 * PI * turns / period;
    float c = 1, s = 0, dc = (float)cos(step), ds = (float)sin(step);
    for (unsigned i = 0; i < period; i++) {
        float next = c * dc - s * ds;
        x[i][0] = f->x[i][0] * c - f->x[i][1] * s;
        x[i][1] = f->x[i][0] * s + f->x[i][1] * c;
        s = c * ds + s * dc;
        c = next;
    }
    memcpy(x + period, x, 2 * f->spc * sizeof x[0]);
    for (unsigned o = 0; o < period; o++) {
        re[o] = im[o] = 0;
        for (unsigned i = 1; i < 2 * f->spc; i++) {
            re[o] += pulse[i] * x[o + i][0];
            im[o] += pulse[i] * x[o + i][1];
        }
    }
    memcpy(re + period, re, period * sizeof *re);
    memcpy(im + period, im, period * sizeof *im);
}

static double between(const float *p, unsigned period, unsigned best)
{
    double before = sqrt((double)p[(best + period - 1) % period]), here = sqrt((double)p[best]),
           after = sqrt((double)p[(best + 1) % period]), bend = before - 2 * here + after;
    return bend < 0 ? 0.5 * (before - after) / bend : 0;
}

double gn_oqpsk_fold_peak(const struct gn_oqpsk_fold *f, const struct gn_oqpsk_signs *signs, int turns, double *place)
{
    unsigned period = GN_OQPSK_CHIPS * f->spc, best = 0;
    float re[2 * GN_OQPSK_PERIOD_MAX], im[2 * GN_OQPSK_PERIOD_MAX], cr[GN_OQPSK_PERIOD_MAX] = {0},
            ci[GN_OQPSK_PERIOD_MAX] = {0};
    fold_filter(f, turns, re, im);
    for (unsigned c = 0; c < GN_OQPSK_CHIPS; c++) {
        /* odd chips lie on Q: a quarter turn back */
        const float *a = (c % 2 == 0 ? re : im) + c * f->spc, *b = (c % 2 == 0 ? im : re) + c * f->spc;
        float s = signs->of[c][0], t = c % 2 == 0 ? s : -s;
        for (unsigned o = 0; o < period; o++) {
            cr[o] += s * a[o];
            ci[o] += t * b[o];
        }
    }
    for (unsigned o = 0; o < period; o++) {
        cr[o] = cr[o] * cr[o] + ci[o] * ci[o];
        best = cr[o] > cr[best] ? o : best;
    }
    *place = best + between(cr, period, best);
    return (double)cr[best];
}
