/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* guard.peaks: once a second a few milliseconds of samples are searched for second peaks of the
 * tracked satellites, on the batch pool; tracking never waits. */
#include "lib/guard/peaks.h"

#include "lib/acq/resample.h"
#include "lib/gnss/signal.h"
#include "lib/msg/guard.h"
#include "lib/msg/track.h"
#include "plugins/guard/blocks.h"

#include <stdlib.h>
#include <string.h>

enum { IN_SAMPLES, IN_OBS, OUT_ALARMS };
enum phase { IDLE, COLLECT, SEARCH };

#define CHANNELS  256u
#define WANT      (GN_PEAKS_WINDOW_MS * GN_ACQ_MS)
#define RESULT_S  0.4
#define SETTLED_S 3.0  /* younger tracks may still be moving */
#define FRESH_S   0.25 /* older observations are history */

struct channel {
    bool is_set;
    uint64_t index;
    struct gn_msg_track_obs obs;
};

struct peaks {
    double every_s, hold_s; /* parameters */
    double rate_sps;
    enum phase phase;
    uint64_t window_index, next_start, last_seen;
    bool is_on;
    struct gn_acq_resample resample;
    uint32_t n;
    float (*window)[2];      /* owned, [WANT + burst] */
    struct gn_peaks *search; /* owned */
    struct channel channels[CHANNELS];
    uint32_t n_sats;
    struct gn_peaks_sat sats[GN_PEAKS_SATS];
    struct gn_peaks_found found[GN_PEAKS_SATS];
    struct gn_peaks_memory memory;
};

static const struct gn_port ports[] = {
        [IN_SAMPLES] = {.name = "samples",
                .dir = GN_IN,
                .formats = "ci8 ci16",
                .doc = "baseband samples"},
        [IN_OBS] = {.name = "observations",
                .dir = GN_IN,
                .schema = &gn_schema_track_obs,
                .doc = "where the codes are tracked"},
        [OUT_ALARMS] = {.name = "alarms",
                .dir = GN_OUT,
                .schema = &gn_schema_guard,
                .n_msgs_max = 4,
                .doc = "a second peak appears or is gone"},
};

static const struct gn_param params[] = {
        GN_PARAM_X("every", struct peaks, every_s, GN_P_F64, "s", "1", 0.5, 3600,
                "time between two looks", .flags = 0),
        GN_PARAM_X("hold", struct peaks, hold_s, GN_P_F64, "s", "10", 1, 3600,
                "how long an alarm stays on after the last second peak", .flags = 0),
};

static gn_status start(void *state, const struct gn_host *h)
{
    struct peaks *s = state;
    s->rate_sps = h->anchor->rate_sps;
    if (!(s->rate_sps >= 2e6))
        return h->fail(h, GN_E_ARG, "samples", "needs a source of 2 MHz or more");
    gn_acq_resample_init(&s->resample, s->rate_sps);
    s->window = malloc((WANT + gn_acq_resample_burst(&s->resample)) * sizeof *s->window);
    if (s->window == NULL || gn_peaks_new(&s->search) != GN_OK)
        return h->fail(h, GN_E_NOMEM, NULL, "no memory for a window and its transforms");
    s->next_start = (uint64_t)(s->every_s * s->rate_sps);
    return GN_OK;
}

static void stop(void *state, const struct gn_host *h)
{
    struct peaks *s = state;
    (void)h;
    gn_peaks_free(s->search);
    free(s->window);
}

/* Where the code of a channel starts after the window does. */
static double delay_s(const struct peaks *s, const struct channel *c)
{
    double ahead_s = ((double)s->window_index - (double)c->index) / s->rate_sps;
    return -(c->obs.symbol_phase_s + ahead_s * (1 + c->obs.doppler_hz / GN_F_L1_HZ));
}

static void list_sats(struct peaks *s, uint64_t now)
{
    s->n_sats = 0;
    for (uint32_t i = 0; i < CHANNELS && s->n_sats < GN_PEAKS_SATS; i++) {
        const struct channel *c = &s->channels[i];
        if (!c->is_set || (double)(now - c->index) > FRESH_S * s->rate_sps ||
                c->obs.lock_s < SETTLED_S || (c->obs.flags & GN_OBS_CODE_VALID) == 0)
            continue;
        s->sats[s->n_sats++] = (struct gn_peaks_sat){.signal = c->obs.signal,
                .prn = c->obs.prn,
                .delay_s = delay_s(s, c),
                .doppler_hz = c->obs.doppler_hz,
                .cn0_dbhz = c->obs.cn0_dbhz};
    }
}

static int job_is_cancelled(void *arg)
{
    const struct gn_job *job = arg;
    return job->is_cancelled(job);
}

static void run_job(const struct gn_job *job)
{
    struct peaks *s = job->arg;
    struct gn_acq_window w = {(const float(*)[2])s->window, s->n};
    struct gn_acq_stop poll = {job_is_cancelled, (void *)(uintptr_t)job};
    gn_peaks_look(s->search, &w, s->rate_sps, s->sats, s->n_sats, &poll, s->found);
}

static void say(const struct gn_host *h, uint64_t now, const struct gn_peaks_found *f)
{
    struct gn_msg_guard *m = h->msg_new(h, OUT_ALARMS);
    *m = (struct gn_msg_guard){.kind = GN_GUARD_SECOND_PEAK, .value = NAN, .limit = NAN};
    if (f != NULL) {
        m->is_on = m->is_spoofing = 1;
        m->signal = f->signal;
        m->prn = f->prn;
        m->value = f->offset_chips;
    }
    h->msg_send(h, OUT_ALARMS, now, now);
}

static void take_result(struct peaks *s, const struct gn_host *h, uint64_t now)
{
    int i = gn_peaks_judge(&s->memory, s->found, s->n_sats);
    s->phase = IDLE;
    if (i >= 0) {
        s->last_seen = now;
        if (!s->is_on)
            say(h, now, &s->found[i]);
        s->is_on = true;
    } else if (s->is_on && (double)(now - s->last_seen) > s->hold_s * s->rate_sps) {
        s->is_on = false;
        say(h, now, NULL);
    }
}

static void begin(struct peaks *s, uint64_t index)
{
    s->phase = COLLECT;
    s->window_index = index;
    s->next_start = index + (uint64_t)(s->every_s * s->rate_sps);
    s->n = 0;
    gn_acq_resample_init(&s->resample, s->rate_sps);
}

static gn_status collect(struct peaks *s, const struct gn_host *h, struct gn_in *in)
{
    size_t taken, room = WANT + gn_acq_resample_burst(&s->resample) - 1 - s->n;
    if (in->format == GN_FMT_CI16)
        s->n += (uint32_t)gn_acq_resample_ci16(
                &s->resample, in->items, in->n_items, s->window + s->n, room, &taken);
    else
        s->n += (uint32_t)gn_acq_resample_ci8(
                &s->resample, in->items, in->n_items, s->window + s->n, room, &taken);
    in->n_used = (uint32_t)taken;
    if (s->n >= WANT) {
        list_sats(s, in->index + taken);
        s->phase = s->n_sats > 0 ? SEARCH : IDLE;
        return s->n_sats > 0 ? h->job(h, run_job, s, in->index + taken, RESULT_S) : GN_OK;
    }
    if (taken == in->n_items && (in->flags & GN_IN_GAP_AFTER) != 0)
        s->phase = IDLE; /* a window has no hole */
    return GN_OK;
}

static gn_status work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct peaks *s = state;
    struct gn_in *in = &w->in[0];
    for (uint32_t i = 0; i < w->n_msgs; i++) {
        const struct gn_msg_track_obs *obs = w->msgs[i].data;
        s->channels[obs->channel] = (struct channel){true, w->msgs[i].index, *obs};
    }
    if (w->job_done != NULL)
        take_result(s, h, w->now);
    if (s->phase == IDLE && in->index >= s->next_start)
        begin(s, in->index);
    if (s->phase == COLLECT)
        return collect(s, h, in);
    in->n_used = in->n_items;
    if (s->phase == IDLE && s->next_start - in->index < in->n_items)
        in->n_used =
                (uint32_t)(s->next_start - in->index); /* begin there, however the stream is cut */
    return GN_OK;
}

const struct gn_block gn_guard_peaks = {
        .name = "guard.peaks",
        .summary = "looks for a second correlation peak of each tracked satellite",
        .doc = "A code that is there twice is a repeater's, a spoofer's, or after a take-over the "
               "true "
               "one. Peaks nearer than 2.2 chips, as reflections are, and peaks 12 dB below the "
               "tracked one "
               "do not count.",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct peaks),
        .start = start,
        .work = work,
        .stop = stop,
};
