/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/acq/replica.h"

#include "lib/acq/resample.h"
#include "lib/gnss/codes.h"
#include "lib/gnss/signal.h"

#include <math.h>

#define TWO_PI   6.283185307179586
#define LANES    8u
#define MS_BLOCK (GN_ACQ_MS + 8u)

gn_status gn_acq_replica_init(
        struct gn_acq_replica *r, unsigned signal, unsigned component, unsigned prn)
{
    int8_t chips[GN_CODE_CHIPS_MAX];
    uint32_t n_chips = signal < GN_SIG_COUNT ? gn_signal_table[signal].code_chips : 0;
    uint32_t per_chip = signal == GN_SIG_GAL_E1 ? 2 : 1;

    gn_status st = gn_code_chips(signal, component, prn, chips, n_chips);
    if (st != GN_OK)
        return st;
    r->n_sub = n_chips * per_chip;
    r->n_sub_ms = 1023 * per_chip;
    r->n_ms = n_chips / 1023;
    for (uint32_t i = 0; i < r->n_sub + 2 * GN_ACQ_PAD; i++) {
        uint32_t sub = (i + r->n_sub - GN_ACQ_PAD) % r->n_sub;
        /* BOC(1,1): + in the first half of a chip, - in the second */
        r->sub[i] = (float)(chips[sub / per_chip] * (per_chip == 2 && sub % 2 == 1 ? -1 : 1));
    }
    return GN_OK;
}

void gn_acq_replica_sample(const struct gn_acq_replica *r, double shift, float *ret)
{
    uint32_t n = r->n_ms * GN_ACQ_MS;
    double sub_per_sample = (double)r->n_sub_ms / GN_ACQ_MS;

    for (uint32_t i = 0; i < n; i++)
        ret[i] = r->sub[(uint32_t)(GN_ACQ_PAD + (i + 0.5 - shift) * sub_per_sample)];
}

static double code_rate(const struct gn_acq_spot *spot)
{
    return 1 + spot->doppler_hz / GN_F_L1_HZ;
}

uint32_t gn_acq_ms_available(const struct gn_acq_window *w, const struct gn_acq_spot *spot)
{
    double left = ((double)w->n - 2 - spot->delay_samples) * code_rate(spot) / GN_ACQ_MS;

    return left > 0 ? (uint32_t)left : 0;
}

void gn_acq_mix(const float (*x)[2], size_t n, double hz, double i0, float (*ret)[2])
{
    double turn = -TWO_PI * hz / GN_ACQ_RATE_SPS;
    float re[LANES], im[LANES];
    float step_re = (float)cos(turn * LANES), step_im = (float)sin(turn * LANES);
    double phase = turn * fmod(i0, GN_ACQ_RATE_SPS);
    size_t i = 0;

    for (uint32_t k = 0; k < LANES; k++) {
        re[k] = (float)cos(phase + turn * k);
        im[k] = (float)sin(phase + turn * k);
    }
    for (; i + LANES <= n; i += LANES)
        for (uint32_t k = 0; k < LANES; k++) {
            ret[i + k][0] = x[i + k][0] * re[k] - x[i + k][1] * im[k];
            ret[i + k][1] = x[i + k][0] * im[k] + x[i + k][1] * re[k];
            float next = re[k] * step_re - im[k] * step_im;
            im[k] = re[k] * step_im + im[k] * step_re;
            re[k] = next;
        }
    for (uint32_t k = 0; i + k < n; k++) {
        ret[i + k][0] = x[i + k][0] * re[k] - x[i + k][1] * im[k];
        ret[i + k][1] = x[i + k][0] * im[k] + x[i + k][1] * re[k];
    }
}

/* phase: sub-chips at the first sample's middle, 32.32 fixed point, pad included */
static void dot(const float (*y)[2], size_t n, const float *sub, uint64_t phase, uint64_t step,
        float ret[2])
{
    float re = 0, im = 0;

    for (size_t i = 0; i < n; i++, phase += step) {
        float c = sub[phase >> 32];
        re += c * y[i][0];
        im += c * y[i][1];
    }
    ret[0] = re;
    ret[1] = im;
}

void gn_acq_partials(const struct gn_acq_replica *r, const struct gn_acq_window *w,
        const struct gn_acq_spot *spot, uint32_t i_ms, uint32_t n_ms, const double *tap,
        uint32_t n_taps, float (*ret)[GN_ACQ_TAPS_MAX][2])
{
    float y[MS_BLOCK][2];
    double rate = code_rate(spot), sub_per_sample = rate * r->n_sub_ms / GN_ACQ_MS;
    uint64_t step = (uint64_t)(sub_per_sample * 4294967296.0);

    for (uint32_t k = 0; k < n_ms; k++) {
        uint32_t ms = i_ms + k;
        double start =
                spot->delay_samples + (double)ms * GN_ACQ_MS / rate; /* of this millisecond */
        size_t first = (size_t)ceil(start - 0.5),
               last = (size_t)ceil(start + GN_ACQ_MS / rate - 0.5);
        size_t n = last - first < MS_BLOCK ? last - first : MS_BLOCK;
        double base = GN_ACQ_PAD + (double)(ms % r->n_ms) * r->n_sub_ms;
        if (first + n > w->n)
            n = first < w->n ? w->n - first : 0;
        gn_acq_mix(w->iq + first, n, spot->doppler_hz, (double)first, y);
        for (uint32_t t = 0; t < n_taps; t++) {
            double at = base + ((double)first + 0.5 - start - tap[t]) * sub_per_sample;
            dot((const float(*)[2])y, n, r->sub, (uint64_t)(at * 4294967296.0), step, ret[k][t]);
        }
    }
}
