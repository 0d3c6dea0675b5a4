/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* lab.echo: the stream and a copy of it that came over a longer way. A repeater (meaconing), a
 * reflection, a replay seconds later, a spoofer's slow push of time, an oscillator that runs away.
 */
#include "lib/frontend/mix.h"
#include "lib/frontend/quantise.h"
#include "lib/gnss/signal.h"
#include "lib/lab/gate.h"
#include "lib/lab/shift.h"
#include "plugins/lab/blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TILE      1024U
#define MARGIN    64U /* samples kept beyond the longest delay */
#define BYTES_MAX (1024.0 * 1024 * 1024)

struct echo {
    double delay_s, push_mps, push_from_s, direct_db, reach_s; /* parameters */
    struct gn_gate gate;
    double rate_sps;
    uint64_t n_past;   /* samples of memory */
    int8_t (*past)[2]; /* owned, ring by index */
    struct gn_shift shift;
    float x[TILE + 2 * MARGIN][2], y[TILE][2], re[TILE], im[TILE];
};

static const struct gn_port ports[] = {
        {.name = "in", .doc = "samples", .dir = GN_IN, .formats = "ci8"},
        {.name = "out", .doc = "samples and their copy", .dir = GN_OUT, .formats = "ci8"},
};

static const struct gn_param params[] = {
        GN_PARAM_X("delay", struct echo, delay_s, GN_P_F64, "s", "0", 0, 120, "of the copy",
                .flags = 0),
        GN_PARAM_X("push", struct echo, push_mps, GN_P_F64, "m/s", "0", -1e5, 1e5,
                "how fast the copy's way grows, from push_from on", .flags = 0),
        GN_PARAM_X("push_from", struct echo, push_from_s, GN_P_F64, "s", "0", 0, 1e6,
                "when the way begins to grow", .flags = 0),
        GN_PARAM_X("reach", struct echo, reach_s, GN_P_F64, "s", "1e-3", 0, 120,
                "the most the delay may grow by pushing", .flags = 0),
        GN_PARAM_X("direct", struct echo, direct_db, GN_P_F64, "dB", "0", -200, 60,
                "of the stream itself while the copy is on (-200: none of it)", .flags = 0),
        GN_PARAM_X("gain", struct echo, gate.gain_db, GN_P_F64, "dB", "0", -120, 60, "of the copy",
                .flags = 0),
        GN_PARAM_X("start_gain", struct echo, gate.start_gain_db, GN_P_F64, "dB", "-40", -120, 60,
                "of the copy where a ramp begins", .flags = 0),
        GN_PARAM_X("ramp", struct echo, gate.ramp_s, GN_P_F64, "s", "0", 0, 1e6,
                "how long the copy's gain climbs, in dB", .flags = 0),
        GN_PARAM_X("from", struct echo, gate.from_s, GN_P_F64, "s", "0", 0, 1e6,
                "when the copy begins", .flags = 0),
        GN_PARAM_X("until", struct echo, gate.until_s, GN_P_F64, "s", "auto", 0, 1e6,
                "when the copy ends; auto: never", .flags = GN_PARAM_AUTO),
};

static gn_status start(void *state, const struct gn_host *h)
{
    struct echo *s = state;
    s->rate_sps = h->anchor->rate_sps;
    if (!(s->rate_sps > 0))
        return h->fail(h, GN_E_ARG, "in", "needs a source with a sample clock");
    double n = (s->delay_s + s->reach_s) * s->rate_sps + 2 * TILE + 2 * MARGIN;
    if (2 * n > BYTES_MAX)
        return h->fail(h, GN_E_ARG, "delay", "a copy of %.0f samples does not fit 1 GiB", n);
    s->n_past = (uint64_t)n;
    s->past = calloc(s->n_past, sizeof *s->past);
    if (s->past == NULL)
        return h->fail(h, GN_E_NOMEM, "delay", "no memory for the delay");
    gn_shift_init(&s->shift);
    return GN_OK;
}

static void stop(void *state, const struct gn_host *h)
{
    struct echo *s = state;
    (void)h;
    free(s->past);
    s->past = NULL;
}

/* A way that shrinks below the direct one would need samples that have not come: it ends there. */
static double delay_at(const struct echo *s, double t_s)
{
    double pushed_s = t_s > s->push_from_s ? s->push_mps * (t_s - s->push_from_s) / GN_C_MPS : 0;
    pushed_s = pushed_s > s->reach_s ? s->reach_s : pushed_s < -s->reach_s ? -s->reach_s : pushed_s;
    return s->delay_s + pushed_s > 0 ? s->delay_s + pushed_s : 0;
}

/* Samples first .. first + n - 1 out of the memory; before the first there was silence. */
static void load(struct echo *s, int64_t first, size_t n)
{
    size_t i = 0;
    for (; i < n && first + (int64_t)i < 0; i++)
        s->x[i][0] = s->x[i][1] = 0;
    for (uint64_t k = (uint64_t)(first + (int64_t)i) % s->n_past; i < n; i++) {
        s->x[i][0] = s->past[k][0];
        s->x[i][1] = s->past[k][1];
        k = k + 1 < s->n_past ? k + 1 : 0;
    }
}

static void keep(struct echo *s, uint64_t index, const int8_t *x, size_t n)
{
    for (uint64_t i = 0, k = index % s->n_past; i < n; i++) {
        memcpy(s->past[k], x + 2 * i, 2);
        k = k + 1 < s->n_past ? k + 1 : 0;
    }
}

/* The copy of a whole tile that begins at sample `index`: s->y. Delay and phase are linear within
 * it. */
static void copy_tile(struct echo *s, uint64_t index)
{
    double t0 = (double)index / s->rate_sps, t1 = (double)(index + TILE) / s->rate_sps;
    double d0 = delay_at(s, t0), d1 = delay_at(s, t1);
    double step = 1 - (d1 - d0) * s->rate_sps / TILE;
    double from = (double)index - d0 * s->rate_sps;
    int64_t first = (int64_t)floor(from) - MARGIN / 2;
    load(s, first, TILE + MARGIN);
    gn_shift_run(&s->shift, (const float(*)[2])s->x, from - (double)first, step, TILE, s->y);
    uint64_t phase = gn_phase_step(-GN_F_L1_HZ * d0),
             turn = gn_phase_step(-GN_F_L1_HZ * (d1 - d0) / TILE);
    for (uint32_t i = 0; i < TILE; i++) {
        float c, q, x = s->y[i][0], y = s->y[i][1];
        gn_phasor(phase + turn * i, &c, &q);
        s->y[i][0] = x * c - y * q;
        s->y[i][1] = x * q + y * c;
    }
}

/* The tile from `index` on, x[TILE][2]; it and MARGIN samples more are in the memory. */
static void run(struct echo *s, uint64_t index, const int8_t *x, int8_t *out)
{
    float gain = (float)gn_gate_amplitude(&s->gate, (double)index / s->rate_sps);
    float direct = s->direct_db > -200 ? (float)pow(10, s->direct_db / 20) : 0;
    if (!(gain > 0)) {
        memcpy(out, x, 2 * (size_t)TILE);
        return;
    }
    copy_tile(s, index);
    for (uint32_t i = 0; i < TILE; i++) {
        s->re[i] = direct * x[2 * i] + gain * s->y[i][0];
        s->im[i] = direct * x[2 * i + 1] + gain * s->y[i][1];
    }
    gn_quantise_ci8(s->re, s->im, TILE, 1, out);
}

/* Whole tiles; the MARGIN samples after a tile must be here before it goes out. The last, cut tile
 * of a stream is dropped: less than a third of a millisecond. */
static gn_status work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct echo *s = state;
    struct gn_in *in = &w->in[0];
    struct gn_out *out = &w->out[0];
    (void)h;
    while (in->n_items - in->n_used >= TILE + MARGIN && out->n_room - out->n_made >= TILE) {
        const int8_t *x = (const int8_t *)in->items + 2 * (size_t)in->n_used;
        uint64_t index = in->index + in->n_used;
        keep(s, index, x, TILE + MARGIN);
        run(s, index, x, (int8_t *)out->items + 2 * (size_t)out->n_made);
        in->n_used += TILE;
        out->n_made += TILE;
    }
    in->n_need = TILE + MARGIN;
    out->n_need = TILE;
    w->is_done = (in->flags & GN_IN_LAST) != 0 && in->n_items - in->n_used < TILE + MARGIN;
    return GN_OK;
}

const struct gn_block gn_lab_echo = {
        .name = "lab.echo",
        .summary = "adds a delayed copy of a stream: repeater, reflection, replay, drifting clock",
        .doc = "Code and carrier of the copy move together: a way that grows by push m/s lowers "
               "the Doppler "
               "of all satellites by push / wavelength. With direct -200 only the copy is left.",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct echo),
        .start = start,
        .work = work,
        .stop = stop,
};
