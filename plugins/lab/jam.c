/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* lab.jam: interference on top of a stream. */
#include "lib/lab/jam.h"
#include "lib/frontend/quantise.h"
#include "lib/lab/gate.h"
#include "plugins/lab/blocks.h"

#include <stdlib.h>

struct jam {
    int32_t kind;
    uint8_t agc;
    double js_db, cn0_dbhz, level, offset_hz, span_hz, period_s, duty;
    int64_t seed;
    struct gn_gate gate;          /* gain_db is set from js_db */
    double rate_sps, amplitude_1; /* of the interference at 0 dB of gain */
    struct gn_jam *jam;           /* owned */
    float re[GN_JAM_TILE], im[GN_JAM_TILE];
};

static const char *const kinds[] = {"cw", "chirp", "pulse", "band", NULL};

static const struct gn_port ports[] = {
        {.name = "in", .doc = "samples", .dir = GN_IN, .formats = "ci8"},
        {.name = "out", .doc = "samples and interference", .dir = GN_OUT, .formats = "ci8"},
};

static const struct gn_param params[] = {
        GN_PARAM_X("kind", struct jam, kind, GN_P_ENUM, "", "cw", 0, 0,
                "one tone, a saw-tooth sweep, a pulsed tone, or noise in a band", .choices = kinds),
        GN_PARAM_X("js", struct jam, js_db, GN_P_F64, "dB", "30", -60, 90,
                "interference (pulse: while on) to one satellite's signal, in power", .flags = 0),
        GN_PARAM_X("cn0", struct jam, cn0_dbhz, GN_P_F64, "dB-Hz", "45", 0, 80,
                "C/N0 of that satellite", .flags = 0),
        GN_PARAM(struct jam, level, GN_P_F64, "", "12", 0.1, 60,
                "rms of the noise in the input, per component, in steps"),
        GN_PARAM_X("offset", struct jam, offset_hz, GN_P_F64, "Hz", "0", -50e6, 50e6,
                "of the middle from the carrier", .flags = 0),
        GN_PARAM_X("span", struct jam, span_hz, GN_P_F64, "Hz", "2 MHz", 1e3, 100e6,
                "width of the sweep or the band", .flags = 0),
        GN_PARAM_X("period", struct jam, period_s, GN_P_F64, "s", "20e-6", 1e-6, 10,
                "of sweep or pulse", .flags = 0),
        GN_PARAM(struct jam, duty, GN_P_F64, "", "0.1", 0, 1, "part of the period a pulse is on"),
        GN_PARAM_X("from", struct jam, gate.from_s, GN_P_F64, "s", "0", 0, 1e6, "when it begins",
                .flags = 0),
        GN_PARAM_X("until", struct jam, gate.until_s, GN_P_F64, "s", "auto", 0, 1e6,
                "when it ends; auto: never", .flags = GN_PARAM_AUTO),
        GN_PARAM(struct jam, agc, GN_P_BOOL, "", "true", 0, 0,
                "the front end turns its gain down so that nothing saturates"),
        GN_PARAM(struct jam, seed, GN_P_I64, "", "1", 0, 1e15, "of the noise in a band"),
};

static gn_status start(void *state, const struct gn_host *h)
{
    struct jam *s = state;
    s->rate_sps = h->anchor->rate_sps;
    if (!(s->rate_sps > 0))
        return h->fail(h, GN_E_ARG, "in", "interference needs a source with a sample clock");
    if (s->kind == GN_JAM_BAND && s->span_hz > s->rate_sps)
        return h->fail(h, GN_E_ARG, "span", "a band cannot be wider than the sample rate");
    s->jam = malloc(sizeof *s->jam);
    if (s->jam == NULL)
        return h->fail(h, GN_E_NOMEM, NULL, "no memory");
    const struct gn_jam_shape shape = {.kind = (enum gn_jam_kind)s->kind,
            .rate_sps = s->rate_sps,
            .offset_hz = s->offset_hz,
            .span_hz = s->span_hz,
            .period_s = s->period_s,
            .duty = s->duty,
            .seed = (uint64_t)s->seed};
    gn_jam_init(s->jam, &shape);
    s->gate.gain_db = s->js_db;
    s->amplitude_1 = s->level * sqrt(2 * pow(10, s->cn0_dbhz / 10) / s->rate_sps);
    return GN_OK;
}

static void stop(void *state, const struct gn_host *h)
{
    struct jam *s = state;
    (void)h;
    free(s->jam);
    s->jam = NULL;
}

/* Gain that keeps the total power at that of the noise alone. */
static float agc_gain(const struct jam *s, double amplitude)
{
    double noise = 2 * s->level * s->level, duty = s->kind == GN_JAM_PULSE ? s->duty : 1;
    return s->agc ? (float)sqrt(noise / (noise + duty * amplitude * amplitude)) : 1;
}

static void run(struct jam *s, double gain, uint64_t index, size_t n, const int8_t *in, int8_t *out)
{
    if (!(gain > 0)) {
        for (size_t i = 0; i < 2 * n; i++)
            out[i] = in[i];
        return;
    }
    float a = (float)(gain * s->amplitude_1);
    gn_jam_fill(s->jam, index, n, s->re, s->im);
    for (size_t i = 0; i < n; i++) {
        s->re[i] = a * s->re[i] + in[2 * i];
        s->im[i] = a * s->im[i] + in[2 * i + 1];
    }
    gn_quantise_ci8(s->re, s->im, n, agc_gain(s, (double)a), out);
}

/* Pieces end on multiples of the tile: gain steps there, however the stream is cut. */
static gn_status work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct jam *s = state;
    struct gn_in *in = &w->in[0];
    struct gn_out *out = &w->out[0];
    uint32_t n = in->n_items < out->n_room ? in->n_items : out->n_room;
    (void)h;
    for (uint32_t i = 0; i < n;) {
        uint64_t index = in->index + i, tile = index - index % GN_JAM_TILE;
        uint64_t left = tile + GN_JAM_TILE - index;
        uint32_t k = n - i < left ? n - i : (uint32_t)left;
        double gain = gn_gate_amplitude(&s->gate, (double)tile / s->rate_sps);
        run(s, gain, index, k, (const int8_t *)in->items + 2 * (size_t)i,
                (int8_t *)out->items + 2 * (size_t)i);
        i += k;
    }
    in->n_used = n;
    out->n_made = n;
    return GN_OK;
}

const struct gn_block gn_lab_jam = {
        .name = "lab.jam",
        .summary = "adds interference: a tone, a sweep, pulses or noise in a band",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct jam),
        .start = start,
        .work = work,
        .stop = stop,
};
