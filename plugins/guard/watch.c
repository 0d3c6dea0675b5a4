/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* guard.watch: samples and messages past lib/guard/watch.h; alarms out. */
#include "lib/guard/watch.h"
#include "gnomon/verdict.h"
#include "lib/msg/nav.h"
#include "lib/msg/osnma.h"
#include "plugins/guard/blocks.h"

#include <string.h>

enum { IN_SAMPLES, IN_OBS, IN_EPH, IN_FIX, IN_KEYS, OUT_ALARMS };

struct watch {
    double slot_ticks;
    double rate_sps;
    int64_t slot;  /* being measured */
    uint64_t next; /* tick of the sample expected */
    uint32_t n_window;
    int16_t window[GN_SHAPE_WINDOW][2];
    struct gn_shape_sums sums;
    struct gn_watch watch;
};

static const struct gn_port ports[] = {
        [IN_SAMPLES] = {.name = "samples",
                .dir = GN_IN,
                .formats = "ci8 ci16 s8 s16",
                .doc = "the input as the front end gives it, before any gain is changed"},
        [IN_OBS] = {.name = "observations",
                .dir = GN_IN,
                .schema = &gn_schema_track_obs,
                .flags = GN_PORT_OPTIONAL,
                .doc = "code, carrier and C/N0 of the channels"},
        [IN_EPH] = {.name = "ephemerides",
                .dir = GN_IN,
                .schema = &gn_schema_ephemeris,
                .flags = GN_PORT_OPTIONAL,
                .doc = "orbits and clocks as heard"},
        [IN_FIX] = {.name = "fix",
                .dir = GN_IN,
                .schema = &gn_schema_pvt_fix,
                .flags = GN_PORT_OPTIONAL,
                .doc = "positions and clock"},
        [IN_KEYS] = {.name = "kroots",
                .dir = GN_IN,
                .schema = &gn_schema_osnma_kroot,
                .flags = GN_PORT_OPTIONAL,
                .doc = "root keys as checked"},
        [OUT_ALARMS] = {.name = "alarms",
                .dir = GN_OUT,
                .schema = &gn_schema_guard,
                .n_msgs_max = 64,
                .delay_s = 0.1,
                .doc = "what is not as it should be, when it begins and when it is over"},
};

static gn_status start(void *state, const struct gn_host *h)
{
    struct watch *s = state;
    s->rate_sps = h->anchor->rate_sps;
    if (!(s->rate_sps > 0))
        return h->fail(h, GN_E_ARG, "samples", "the source has no sample rate");
    s->slot_ticks = s->rate_sps / GN_WATCH_SLOTS_PER_S;
    gn_watch_init(&s->watch);
    return GN_OK;
}

static void take_sample(struct watch *s, uint32_t format, const void *items, size_t i)
{
    int16_t *x = s->window[s->n_window++];
    x[1] = 0;
    switch (format) {
    case GN_FMT_CI8:
        x[0] = ((const int8_t *)items)[2 * i];
        x[1] = ((const int8_t *)items)[2 * i + 1];
        break;
    case GN_FMT_CI16:
        x[0] = ((const int16_t *)items)[2 * i];
        x[1] = ((const int16_t *)items)[2 * i + 1];
        break;
    case GN_FMT_S8:
        x[0] = ((const int8_t *)items)[i];
        break;
    default:
        x[0] = ((const int16_t *)items)[i];
        break;
    }
}

/* Sent at a tick that does not depend on how the stream is cut. */
static void flush(struct watch *s, const struct gn_host *h, uint64_t tick)
{
    for (uint32_t i = 0; i < s->watch.n_out; i++) {
        struct gn_msg_guard *m = h->msg_new(h, OUT_ALARMS);
        *m = s->watch.out[i];
        h->msg_send(h, OUT_ALARMS, tick, tick);
    }
    s->watch.n_out = 0;
}

static void end_slot(struct watch *s)
{
    struct gn_shape shape = gn_shape_of(&s->sums);
    if (s->sums.n > 0)
        gn_watch_shape(&s->watch, s->slot, &shape);
    memset(&s->sums, 0, sizeof s->sums);
}

/* Windows lie on a grid of ticks; one that a gap or the end cuts is dropped. */
static void take_span(struct watch *s, const struct gn_host *h, const struct gn_in *in)
{
    if (in->index != s->next) {
        s->n_window = 0;
        if (s->next != 0)
            gn_watch_gap(&s->watch);
    }
    for (uint32_t i = 0; i < in->n_items;) {
        uint64_t tick = in->index + i, at = tick % GN_SHAPE_PERIOD;
        if (at >= GN_SHAPE_WINDOW) {
            uint64_t skip = GN_SHAPE_PERIOD - at;
            i = in->n_items - i > skip ? i + (uint32_t)skip : in->n_items;
            continue;
        }
        if (at != s->n_window) { /* began in the middle */
            i++;
            continue;
        }
        take_sample(s, in->format, in->items, i++);
        if (s->n_window < GN_SHAPE_WINDOW)
            continue;
        int64_t slot = (int64_t)((double)tick / s->slot_ticks);
        if (slot != s->slot)
            end_slot(s);
        flush(s, h, tick);
        s->slot = slot;
        gn_shape_add(&s->sums, (const int16_t(*)[2])s->window);
        s->n_window = 0;
    }
    s->next = in->index + in->n_items;
}

static void take(struct watch *s, const struct gn_msg *m)
{
    double t_s = (double)m->index / s->rate_sps;
    if (m->port == IN_OBS)
        gn_watch_obs(&s->watch, (int64_t)((double)m->index / s->slot_ticks), m->data);
    else if (m->port == IN_EPH)
        gn_watch_ephemeris(&s->watch, &((const struct gn_msg_ephemeris *)m->data)->eph);
    else if (m->port == IN_KEYS && ((const struct gn_msg_osnma_key *)m->data)->verdict == GN_FORGED)
        gn_watch_forged(&s->watch);
    else if (m->port == IN_FIX)
        gn_watch_fix(&s->watch, t_s, m->data);
}

static gn_status work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct watch *s = state;
    struct gn_in *in = &w->in[0];
    for (uint32_t i = 0; i < w->n_msgs; i++)
        take(s, &w->msgs[i]);
    flush(s, h, w->now);
    take_span(s, h, in);
    in->n_used = in->n_items;
    return GN_OK;
}

const struct gn_block gn_guard_watch = {
        .name = "guard.watch",
        .summary = "raises alarms when signals do not behave as satellites do",
        .doc = "Watches power, kurtosis and colour of the input, C/N0 of the satellites, the "
               "receiver clock, "
               "the content of ephemerides and the distance of the two solutions. docs/lab.md "
               "tells what "
               "raises which alarm and how it was tested.",
        .ports = ports,
        .n_ports = GN_COUNT(ports),
        .state_size = sizeof(struct watch),
        .start = start,
        .work = work,
};
