/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/track/schedule.h"

#include <math.h>
#include <stdlib.h>

#define ANSWER_S 0.5 /* acquisition answers 0.4 s after its window; with the ways there and back   \
                      */
#define RELOOKS   3u
#define RELOOK_HZ 500.0
#define FAR_HZ    2500.0 /* an offset below this is inside the usual +-5 kHz */
#define AROUND_HZ 6000.0
#define MANY      8u /* tracked of one signal: enough for any use */
#define SOME      4u

/* length of the window of an effort (lib/acq), for knowing when the answer is there */
static const double window_s[4] = {0.042, 0.068, 0.108, 0.204};

/* rhythm by number of tracked satellites of the signal */
static const struct rhythm {
    uint32_t below; /* holds for fewer than so many */
    uint32_t effort_max;
    double pause_s, pause_max_s; /* doubles with each search that found nothing new */
} rhythms[] = {{SOME, 3, 0.5, 8}, {MANY, 2, 2, 30}, {UINT32_MAX, 0, 30, 60}};

static const struct rhythm *rhythm_of(const struct signal_plan *p)
{
    const struct rhythm *r = rhythms;

    while (p->n_tracked >= r->below)
        r++;
    return r;
}

static uint32_t n_prns(uint32_t signal)
{
    return gn_signal_table[signal].prn_max - gn_signal_table[signal].prn_min + 1;
}

/* A satellite that was tracked until a moment ago: a narrow, deep look. */
static bool relook(struct schedule *s, double now_s, struct gn_msg_acq_request *ret)
{
    for (uint32_t signal = 1; signal < GN_SIG_COUNT; signal++)
        for (uint32_t i = 0; i < n_prns(signal); i++) {
            struct sat *sat = &s->plans[signal].sats[i];
            if (sat->state != SAT_UNKNOWN || sat->n_relook == 0 || now_s < sat->not_before_s)
                continue;
            *ret = (struct gn_msg_acq_request){.doppler_center_hz = sat->doppler_hz,
                    .doppler_half_hz = RELOOK_HZ,
                    .effort = RELOOKS - sat->n_relook < 1 ? 1 : 2};
            ret->prn_mask[signal] = UINT64_C(1) << i;
            sat->n_relook--;
            sat->not_before_s = now_s + 2 * (RELOOKS - sat->n_relook);
            return true;
        }
    return false;
}

static uint64_t missing(const struct schedule *s, uint32_t signal, double now_s)
{
    uint64_t mask = 0;

    for (uint32_t i = 0; i < n_prns(signal); i++) {
        const struct sat *sat = &s->plans[signal].sats[i];
        if (sat->state == SAT_UNKNOWN && now_s >= sat->not_before_s)
            mask |= UINT64_C(1) << i;
    }
    return mask;
}

static uint32_t effort_of(const struct signal_plan *p)
{
    uint32_t most = rhythm_of(p)->effort_max, grown = p->n_searches;

    /* the deepest only every fourth time: it costs ten times the first */
    if (grown > 2)
        grown = grown % 4 == 3 ? 3 : 2;
    return grown < most ? grown : most;
}

/* By the rhythm of now: a satellite lost or won counts at once. */
static bool is_due_again(const struct signal_plan *p, double now_s)
{
    const struct rhythm *r = rhythm_of(p);
    uint32_t doublings = p->n_searches > 1 ? p->n_searches - 1 : 0;

    if (p->n_searches == 0)
        return true;
    return now_s >= p->last_s + fmin(r->pause_s * (double)(1u << (doublings < 10 ? doublings : 10)),
                                        r->pause_max_s);
}

/* All signals that are due and want the same effort share one search (and one window). */
static bool sweep(struct schedule *s, double now_s, struct gn_msg_acq_request *ret)
{
    bool is_due = false;

    *ret = (struct gn_msg_acq_request){.doppler_center_hz = 0, .doppler_half_hz = NAN};
    for (uint32_t signal = 1; signal < GN_SIG_COUNT; signal++) {
        struct signal_plan *p = &s->plans[signal];
        if ((s->signals >> (signal - 1) & 1u) == 0 || !is_due_again(p, now_s))
            continue;
        if (is_due && effort_of(p) != ret->effort)
            continue;
        ret->prn_mask[signal] = missing(s, signal, now_s);
        ret->effort = effort_of(p);
        is_due = true;
        p->last_s = now_s;
        p->n_searches++;
    }
    return is_due;
}

bool schedule_next(struct schedule *s, double now_s, struct gn_msg_acq_request *ret)
{
    if (now_s < s->busy_until_s)
        return false;
    bool is_due = relook(s, now_s, ret);
    if (!is_due && sweep(s, now_s, ret)) {
        is_due = true;
        /* unknown offset: every other search may widen to what the clock allows */
        if (!s->is_known && s->n_blind++ % 2 == 0)
            ret->doppler_center_hz = NAN;
        else if (s->has_offset && fabs(s->offset_hz) > FAR_HZ) {
            ret->doppler_center_hz = s->offset_hz;
            ret->doppler_half_hz = AROUND_HZ;
        }
    }
    if (is_due)
        s->busy_until_s = now_s + ANSWER_S + window_s[ret->effort & 3u];
    return is_due && (ret->prn_mask[1] | ret->prn_mask[2] | ret->prn_mask[3]) != 0;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void schedule_learn(struct schedule *s)
{
    double v[GN_SIG_COUNT * SCHEDULE_PRNS];
    uint32_t n = 0;

    for (uint32_t signal = 1; signal < GN_SIG_COUNT; signal++)
        for (uint32_t i = 0; i < n_prns(signal); i++)
            if (s->plans[signal].sats[i].state == SAT_TRACKED)
                v[n++] = s->plans[signal].sats[i].doppler_hz;
    if (n == 0)
        return;
    qsort(v, n, sizeof v[0], by_value);
    s->offset_hz = v[n / 2];
    s->has_offset = true;
}

void schedule_taken(
        struct schedule *s, uint32_t signal, uint32_t i_sat, uint8_t channel, double doppler_hz)
{
    struct signal_plan *p = &s->plans[signal];
    struct sat *sat = &p->sats[i_sat];

    p->n_tracked += sat->state == SAT_UNKNOWN;
    sat->state = SAT_PULL_IN;
    sat->channel = channel;
    sat->doppler_hz = doppler_hz;
}

void schedule_tracked(struct schedule *s, uint32_t signal, uint32_t i_sat, double doppler_hz)
{
    struct signal_plan *p = &s->plans[signal];
    struct sat *sat = &p->sats[i_sat];

    sat->doppler_hz = doppler_hz;
    if (sat->state != SAT_TRACKED)
        p->n_searches = 1; /* something came: no need to dig deeper at once */
    sat->state = SAT_TRACKED;
    sat->n_false = 0;
    s->is_known = true;
    schedule_learn(s);
}

void schedule_lost(struct schedule *s, uint32_t signal, uint32_t i_sat, double now_s)
{
    struct signal_plan *p = &s->plans[signal];
    struct sat *sat = &p->sats[i_sat];

    p->n_tracked -= sat->state != SAT_UNKNOWN && p->n_tracked > 0;
    if (sat->state == SAT_TRACKED) {
        sat->n_relook = RELOOKS;
        sat->not_before_s = now_s + 0.1;
    } else {
        sat->n_false = sat->n_false < 5 ? (uint8_t)(sat->n_false + 1) : 5;
        sat->not_before_s = now_s + (double)(1u << sat->n_false);
    }
    sat->state = SAT_UNKNOWN;
}
