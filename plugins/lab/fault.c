/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* lab.fault: a front end that loses samples or turns its gain. */
#include "lib/frontend/quantise.h"
#include "plugins/lab/blocks.h"

#include <math.h>
#include <string.h>

#define TILE 1024U

struct fault {
    double at_s, lose_s, gain_db; /* parameters */
    uint8_t silent;
    int64_t n_times;
    double every_s;
    double rate_sps;
    uint64_t next_loss, n_left; /* of the loss under way */
    int64_t n_done;
};

static const struct gn_port ports[] = {
        {.name = "in", .doc = "samples", .dir = GN_IN, .formats = "ci8"},
        {.name = "out", .doc = "what is left of them", .dir = GN_OUT, .formats = "ci8"},
};

static const struct gn_param params[] = {
        GN_PARAM_X("at", struct fault, at_s, GN_P_F64, "s", "30", 0, 1e6, "when it happens first",
                .flags = 0),
        GN_PARAM_X("lose", struct fault, lose_s, GN_P_F64, "s", "0", 0, 100,
                "samples lost each time", .flags = 0),
        GN_PARAM_X("times", struct fault, n_times, GN_P_I64, "", "1", 0, 1000000,
                "how often samples are lost", .flags = 0),
        GN_PARAM_X("every", struct fault, every_s, GN_P_F64, "s", "5", 1e-3, 1e6,
                "time between losses", .flags = 0),
        GN_PARAM(struct fault, silent, GN_P_BOOL, "", "false", 0, 0,
                "the driver does not say so: what follows moves up, and time with it"),
        GN_PARAM_X("gain", struct fault, gain_db, GN_P_F64, "dB", "0", -40, 40,
                "the gain changes by so much at `at`", .flags = 0),
};

static gn_status start(void *state, const struct gn_host *h)
{
    struct fault *s = state;
    s->rate_sps = h->anchor->rate_sps;
    if (!(s->rate_sps > 0))
        return h->fail(h, GN_E_ARG, "in", "needs a source with a sample clock");
    s->next_loss = s->lose_s > 0 && s->n_times > 0 ? (uint64_t)(s->at_s * s->rate_sps) : UINT64_MAX;
    return GN_OK;
}

static void turn(const struct fault *s, uint64_t index, const int8_t *x, uint32_t n, int8_t *y)
{
    float re[TILE], im[TILE], gain = (float)pow(10, s->gain_db / 20);
    if (s->gain_db == 0 || (double)index < s->at_s * s->rate_sps) {
        memcpy(y, x, 2 * (size_t)n);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        re[i] = x[2 * i];
        im[i] = x[2 * i + 1];
    }
    gn_quantise_ci8(re, im, n, gain, y);
}

static void lose(struct fault *s, const struct gn_host *h, struct gn_in *in)
{
    uint64_t n = in->n_items - in->n_used;
    n = n < s->n_left ? n : s->n_left;
    in->n_used += (uint32_t)n;
    s->n_left -= n;
    if (!s->silent)
        h->gap(h, 0, n, "lab.fault");
}

/* A call either loses or copies: a gap lies between two calls. */
static gn_status work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct fault *s = state;
    struct gn_in *in = &w->in[0];
    struct gn_out *out = &w->out[0];
    if (s->n_left == 0 && in->index >= s->next_loss) {
        s->n_left = (uint64_t)(s->lose_s * s->rate_sps);
        s->next_loss = ++s->n_done < s->n_times
                               ? s->next_loss + (uint64_t)(s->every_s * s->rate_sps)
                               : UINT64_MAX;
    }
    if (s->n_left > 0) {
        lose(s, h, in);
        return GN_OK;
    }
    uint64_t n = in->n_items < out->n_room ? in->n_items : out->n_room;
    n = s->next_loss - in->index < n ? s->next_loss - in->index : n;
    for (uint32_t i = 0; i < n;) {
        uint32_t k = n - i < TILE ? (uint32_t)(n - i) : TILE;
        turn(s, in->index + i, (const int8_t *)in->items + 2 * (size_t)i, k,
                (int8_t *)out->items + 2 * (size_t)i);
        i += k;
    }
    in->n_used = (uint32_t)n;
    out->n_made = (uint32_t)n;
    return GN_OK;
}

const struct gn_block gn_lab_fault = {
        .name = "lab.fault",
        .summary = "loses samples or turns the gain",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct fault),
        .start = start,
        .work = work,
};
