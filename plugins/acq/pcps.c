/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/acq/pcps.h"

#include "lib/gnss/signal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EFFORT_MAX  (GN_ACQ_EFFORTS - 1)
#define LIST_EFFORT 1u      /* windows of 68 ms: a slip of the recorder spoils one of them */
#define HALF_HZ     5000.0  /* satellites' own Doppler */
#define DIRECT_HZ   20000.0 /* up to here doppler_max is searched in one piece */
#define LEAST       (4 * GN_ACQ_MS) /* a shorter window says nothing */
#define RESULT_S    0.4 /* a search ordered at tick i counts this long after its window */
#define MARGIN      32u /* of the window, what one input sample may still add */

static const struct gn_port ports[] = {
        [PORT_IQ] = {.name = "iq", .dir = GN_IN, .formats = "ci8 ci16", .doc = "baseband samples"},
        [PORT_REQUESTS] = {.name = "requests",
                .dir = GN_IN,
                .schema = &gn_schema_acq_request,
                .flags = GN_PORT_OPTIONAL,
                .doc = "what to look for (mode: requests)"},
        [PORT_HITS] = {.name = "hits",
                .dir = GN_OUT,
                .schema = &gn_schema_acq_hit,
                .n_msgs_max = GN_ACQ_HITS_MAX,
                .doc = "signals found"},
};

static const char *const modes[] = {"requests", "list", NULL};

static const struct gn_param params[] = {
        GN_PARAM_X("signals", struct pcps, signals, GN_P_SET, "", "[GPS_L1CA, GAL_E1]", 0, 0,
                "signals that may be searched", .choices = gn_signal_choices),
        GN_PARAM_X("doppler_max", struct pcps, doppler_max_hz, GN_P_F64, "Hz", "auto", 100, 200e3,
                "half-width of the search; auto: 5 kHz, and as far as clock_ppm reaches when that "
                "finds nothing",
                .flags = GN_PARAM_AUTO),
        GN_PARAM(struct pcps, clock_ppm, GN_P_F64, "", "20", 0, 100,
                "largest offset of the sample clock, parts per million"),
        GN_PARAM(struct pcps, pfa, GN_P_F64, "", "1e-4", 1e-9, 0.1,
                "chance that noise looks like a satellite, for each satellite searched"),
        GN_PARAM_X("mode", struct pcps, mode, GN_P_ENUM, "", "requests", 0, 0,
                "requests: search what is asked; list: search all of the stream and list each "
                "satellite once",
                .choices = modes),
};

static const char *const stages[] = {"collect", "search", NULL};

static gn_status plan(void *state, const struct gn_host *h, struct gn_plan *p)
{
    struct pcps *s = state;

    if (p->in[0].tick_num != p->in[0].tick_den)
        return h->fail(h, GN_E_ARG, "iq", "needs samples at the source's own rate");
    if (p->anchor.rate_sps > 0 && p->anchor.rate_sps < 2e6)
        return h->fail(h, GN_E_ARG, "iq",
                "%.0f samples a second are too few: a code of 1.023 Mcps needs 2 MHz",
                p->anchor.rate_sps);
    if (s->signals == 0)
        return h->fail(
                h, GN_E_ARG, "signals", "names no signal: write for example [GPS_L1CA, GAL_E1]");
    return GN_OK;
}

static gn_status start(void *state, const struct gn_host *h)
{
    struct pcps *s = state;
    uint32_t effort = s->mode == MODE_LIST ? LIST_EFFORT : EFFORT_MAX;

    s->rate_sps = h->anchor->rate_sps;
    if (!(s->rate_sps > 0))
        return h->fail(h, GN_E_ARG, "iq", "the source has no sample rate");
    s->room = gn_acq_window_samples(effort) + MARGIN;
    s->window = malloc(s->room * sizeof *s->window);
    if (s->window == NULL || gn_acq_new(effort, &s->search) != GN_OK)
        return h->fail(
                h, GN_E_NOMEM, NULL, "no memory for %u samples and their transforms", s->room);
    return GN_OK;
}

static void stop(void *state, const struct gn_host *h)
{
    struct pcps *s = state;

    (void)h;
    gn_acq_free(s->search);
    free(s->window);
}

/* ---- orders -------------------------------------------------------------------------------------
 */

static uint64_t all_of(uint32_t signal)
{
    const struct gn_signal_info *info = &gn_signal_table[signal];

    return (UINT64_C(1) << (info->prn_max - info->prn_min + 1)) - 1;
}

static void order_defaults(struct pcps *s)
{
    bool is_auto = isnan(s->doppler_max_hz) || s->doppler_max_hz > DIRECT_HZ;
    double reach = isnan(s->doppler_max_hz) ? HALF_HZ + s->clock_ppm * 1e-6 * GN_F_L1_HZ
                                            : s->doppler_max_hz;

    s->order = (struct gn_acq_order){
            .pfa = s->pfa, .reach_hz = reach, .half_hz = is_auto ? HALF_HZ : s->doppler_max_hz};
}

static void order_from_request(struct pcps *s)
{
    const struct gn_msg_acq_request *r = &s->request;

    order_defaults(s);
    for (uint32_t i = 1; i < GN_SIG_COUNT; i++)
        if (s->signals >> (i - 1) & 1u)
            s->order.prn_mask[i] = r->prn_mask[i] & all_of(i);
    s->order.has_center = isfinite(r->doppler_center_hz);
    s->order.center_hz = r->doppler_center_hz;
    if (isfinite(r->doppler_half_hz) && r->doppler_half_hz > 0)
        s->order.half_hz = fmin(r->doppler_half_hz, DIRECT_HZ);
    s->order.effort = r->effort < EFFORT_MAX ? r->effort : EFFORT_MAX;
}

static void order_rest_of_list(struct pcps *s)
{
    order_defaults(s);
    for (uint32_t i = 1; i < GN_SIG_COUNT; i++)
        if (s->signals >> (i - 1) & 1u)
            s->order.prn_mask[i] = all_of(i);
    gn_acq_listing_unmask(&s->listing, s->order.prn_mask);
    s->order.effort = LIST_EFFORT;
    if (isnan(s->doppler_max_hz) && gn_acq_listing_center(&s->listing, &s->order.center_hz))
        s->order.has_center = 1;
}

static bool order_is_empty(const struct pcps *s)
{
    return (s->order.prn_mask[1] | s->order.prn_mask[2] | s->order.prn_mask[3]) == 0;
}

/* Begin a window at tick index if there is something to look for. */
static void begin(struct pcps *s, uint64_t index)
{
    if (s->mode == MODE_LIST && index >= s->next_start) {
        order_rest_of_list(s);
    } else if (s->has_request) {
        order_from_request(s);
        s->has_request = false;
    } else {
        return;
    }
    if (order_is_empty(s)) {
        s->next_start = s->mode == MODE_LIST ? UINT64_MAX : 0;
        return;
    }
    s->phase = PHASE_COLLECT;
    s->window_index = index;
    s->n = 0;
    s->want = gn_acq_window_samples(s->order.effort);
    gn_acq_resample_init(&s->resample, s->rate_sps);
}

/* ---- the search
 * ----------------------------------------------------------------------------------- */

static int job_is_cancelled(void *arg)
{
    const struct gn_job *job = arg;

    return job->is_cancelled(job);
}

static void run_job(const struct gn_job *job)
{
    struct pcps *s = job->arg;
    struct gn_acq_window w = {(const float(*)[2])s->window, s->n};
    struct gn_acq_stop poll = {job_is_cancelled, (void *)(uintptr_t)job};

    s->n_found = gn_acq_search(s->search, &w, &s->order, &poll, s->found);
}

/* The window ends at tick `end`: hand it to the pool, or keep it for finish(). */
static gn_status search(struct pcps *s, const struct gn_host *h, uint64_t end)
{
    s->phase = PHASE_SEARCH;
    return h->job(h, run_job, s, end, s->mode == MODE_LIST ? 0 : RESULT_S);
}

static void list_found(struct pcps *s)
{
    double window_s = (double)s->window_index / s->rate_sps;

    gn_acq_listing_add(&s->listing, s->found, s->n_found, s->rate_sps, window_s, s->n);
}

static void send_hits(struct pcps *s, const struct gn_host *h, uint64_t now)
{
    for (uint32_t i = 0; i < s->n_found; i++) {
        const struct gn_acq_found *f = &s->found[i];
        struct gn_msg_acq_hit *hit = h->msg_new(h, PORT_HITS);
        *hit = (struct gn_msg_acq_hit){.signal = f->signal,
                .prn = f->prn,
                .doppler_hz = f->spot.doppler_hz,
                .cn0_dbhz = f->cn0_dbhz,
                .peak_to_mean = f->ratio,
                .code_phase_chips = gn_acq_code_phase_chips(f, s->rate_sps, 0)};
        h->msg_send(h, PORT_HITS, s->window_index, now);
    }
}

/* Windows follow each other through the first half second, then thin out: twice as late each time.
 */
static void take_result(struct pcps *s, const struct gn_host *h, uint64_t now)
{
    s->phase = PHASE_IDLE;
    if (s->mode != MODE_LIST) {
        send_hits(s, h, now);
        return;
    }
    list_found(s);
    s->next_start = (double)now < 0.5 * s->rate_sps ? now : 2 * now;
}

/* ---- samples
 * ---------------------------------------------------------------------------------------- */

/* The window ends with the input sample that fills it, however the stream is cut. */
static size_t collect(struct pcps *s, const struct gn_in *in)
{
    size_t taken, room = s->want + gn_acq_resample_burst(&s->resample) - 1;

    if (in->format == GN_FMT_CI16)
        s->n += (uint32_t)gn_acq_resample_ci16(
                &s->resample, in->items, in->n_items, s->window + s->n, room - s->n, &taken);
    else
        s->n += (uint32_t)gn_acq_resample_ci8(
                &s->resample, in->items, in->n_items, s->window + s->n, room - s->n, &taken);
    return taken;
}

static gn_status take_samples(struct pcps *s, const struct gn_host *h, struct gn_in *in)
{
    size_t n = collect(s, in);
    bool is_broken = n == in->n_items && (in->flags & (GN_IN_GAP_AFTER | GN_IN_LAST)) != 0;

    in->n_used = (uint32_t)n;
    if (s->n >= s->want && !(is_broken && s->mode == MODE_LIST))
        return search(s, h, in->index + n);
    if (!is_broken || (in->flags & GN_IN_LAST) != 0)
        return GN_OK; /* finish() looks at the end of a list */
    if (s->n >= LEAST)
        return search(s, h, in->index + n);
    s->phase = PHASE_IDLE; /* too little before the gap: ask again after it */
    s->has_request = s->mode != MODE_LIST;
    return GN_OK;
}

static void take_requests(struct pcps *s, const struct gn_work *w)
{
    for (uint32_t i = 0; i < w->n_msgs; i++)
        if (w->msgs[i].port == PORT_REQUESTS) {
            s->request = *(const struct gn_msg_acq_request *)w->msgs[i].data;
            s->has_request = true;
        }
}

static gn_status work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct pcps *s = state;
    struct gn_in *in = &w->in[0];

    s->is_cancelled = s->is_cancelled || (w->flags & GN_WORK_CANCEL) != 0;
    if (s->mode == MODE_REQUESTS)
        take_requests(s, w);
    if (w->job_done != NULL)
        take_result(s, h, w->now);
    if (s->phase == PHASE_IDLE)
        begin(s, in->index);
    if (s->phase == PHASE_COLLECT) {
        h->stage(h, 0);
        gn_status st = take_samples(s, h, in);
        h->stage(h, GN_STAGE_NONE);
        return st;
    }
    in->n_used = in->n_items;
    if (s->mode == MODE_LIST && s->next_start > in->index &&
            s->next_start - in->index < in->n_items)
        in->n_used =
                (uint32_t)(s->next_start - in->index); /* begin there, however the stream is cut */
    return GN_OK;
}

static int never(void *arg)
{
    (void)arg;
    return 0;
}

static int by_signal_and_prn(const void *a, const void *b)
{
    const struct gn_msg_acq_hit *x = a, *y = b;

    return x->signal != y->signal ? x->signal - y->signal : x->prn - y->prn;
}

/* List mode: the last window may be short; then say what the whole stream holds. */
static gn_status finish(void *state, const struct gn_host *h)
{
    struct pcps *s = state;

    if (s->mode != MODE_LIST)
        return GN_OK;
    if (s->phase == PHASE_COLLECT && s->n >= LEAST && !s->is_cancelled) {
        struct gn_acq_window w = {(const float(*)[2])s->window, s->n};
        struct gn_acq_stop no = {never, NULL};
        h->stage(h, 1);
        s->n_found = gn_acq_search(s->search, &w, &s->order, &no, s->found);
        h->stage(h, GN_STAGE_NONE);
        list_found(s);
    }
    qsort(s->listing.list, s->listing.n, sizeof s->listing.list[0], by_signal_and_prn);
    for (uint32_t i = 0; i < s->listing.n; i++) {
        if (!gn_acq_listing_is_sure(&s->listing, i))
            continue;
        struct gn_msg_acq_hit *hit = h->msg_new(h, PORT_HITS);
        *hit = s->listing.list[i].hit;
        h->msg_send(h, PORT_HITS, 0, 0);
    }
    return GN_OK;
}

const struct gn_block gn_acq_pcps = {
        .name = "acq.pcps",
        .summary = "finds satellites by FFT: all code phases at once, every Doppler bin",
        .doc = "Copies a window of samples and searches it on the batch pool; the samples never "
               "wait. An order at "
               "tick i counts 0.4 s after its window. Galileo E1 is accepted only when data and "
               "pilot "
               "component peak in the same place; its C/N0 is that of one component (both "
               "together: 3 dB more).",
        .ports = ports,
        .params = params,
        .stages = stages,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct pcps),
        .plan = plan,
        .start = start,
        .work = work,
        .finish = finish,
        .stop = stop,
};
