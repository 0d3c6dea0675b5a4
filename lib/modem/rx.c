/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/modem/rx.h"

#include "lib/base/error.h"
#include "lib/modem/search.h"
#include "lib/modem/track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_SYMBOLS  17u /* from a found preamble on, so that SFD and length are inside */
#define SEEN_MAX      13u
#define FRAME_SYMBOLS (2u * (GN_OQPSK_HEAD + GN_OQPSK_BYTES_MAX) + 8u)
#define SFO_SYMBOLS   64u
#define CFO_STEP_HZ   62500.0 /* one turn in a symbol: the search cannot tell these apart */
#define CFO_MAX_HZ    230e3
#define FOLD          6u
#define ABSURD        1e6F /* no receiver gives such samples */

enum stage { SEARCHING = 0, HEAD, BODY };

struct gn_oqpsk_rx {
    double rate_sps;
    unsigned spc, period;
    uint32_t stage;
    float *iq;             /* [n_room][2] */
    size_t n_room, n_have;
    uint64_t base, need;   /* index of iq[0]; samples that had to be there so far */
    uint64_t t0;           /* where the search saw a preamble begin */
    struct gn_oqpsk_search *search;
    struct gn_oqpsk_signs signs;
    struct gn_oqpsk_track track;
    struct gn_oqpsk_frame frame;
    double t_body;         /* start of the first symbol after the length, from base */
    float head_quality;
    struct gn_oqpsk_counts counts;
};

gn_status gn_oqpsk_rx_new(double rate_sps, struct gn_oqpsk_rx **ret, struct gn_error *err)
{
    unsigned spc = gn_oqpsk_spc(rate_sps);
    if (spc == 0)
        return gn_fail(err, GN_E_ARG, "rate %.0f Hz is no multiple of 2 MHz from 4 to 32 MHz", rate_sps);
    struct gn_oqpsk_rx *rx = calloc(1, sizeof *rx);
    if (rx == NULL)
        return gn_fail(err, GN_E_NOMEM, "no memory");
    rx->rate_sps = rate_sps;
    rx->spc = spc;
    rx->period = GN_OQPSK_CHIPS * spc;
    rx->n_room = 2 * (size_t)FRAME_SYMBOLS * rx->period;
    rx->iq = calloc(rx->n_room, 2 * sizeof *rx->iq);
    rx->search = gn_oqpsk_search_new(spc);
    if (rx->iq == NULL || rx->search == NULL) {
        gn_oqpsk_rx_free(rx);
        return gn_fail(err, GN_E_NOMEM, "no memory");
    }
    gn_oqpsk_signs_fill(&rx->signs);
    gn_oqpsk_rx_reset(rx, 0);
    *ret = rx;
    return GN_OK;
}

void gn_oqpsk_rx_free(struct gn_oqpsk_rx *rx)
{
    if (rx == NULL)
        return;
    gn_oqpsk_search_free(rx->search);
    free(rx->iq);
    free(rx);
}

void gn_oqpsk_rx_reset(struct gn_oqpsk_rx *rx, uint64_t index)
{
    rx->base = index;
    rx->n_have = 0;
    rx->need = index;
    rx->stage = SEARCHING;
    gn_oqpsk_search_from(rx->search, index);
}

size_t gn_oqpsk_rx_tail(const struct gn_oqpsk_rx *rx)
{
    return (size_t)FRAME_SYMBOLS * rx->period;
}

struct gn_oqpsk_counts gn_oqpsk_rx_counts(const struct gn_oqpsk_rx *rx)
{
    return rx->counts;
}

/* What lies two symbols before the place of interest is of no use any more. */
static void make_room(struct gn_oqpsk_rx *rx)
{
    uint64_t keep = rx->stage == SEARCHING ? gn_oqpsk_search_first(rx->search) : rx->t0;
    uint64_t back = 2 * (uint64_t)rx->period;
    keep = keep > rx->base + back ? keep - back : rx->base;
    size_t n_drop = (size_t)(keep - rx->base);
    if (n_drop < rx->n_room / 2)
        return;
    rx->n_have -= n_drop;
    memmove(rx->iq, rx->iq + 2 * n_drop, rx->n_have * 2 * sizeof *rx->iq);
    rx->base = keep;
    rx->track.t -= (double)n_drop;
    rx->t_body -= (double)n_drop;
}

size_t gn_oqpsk_rx_push(struct gn_oqpsk_rx *rx, const float *iq, size_t n)
{
    make_room(rx);
    size_t room = rx->n_room - rx->n_have;
    n = n < room ? n : room;
    float *to = rx->iq + 2 * rx->n_have;
    for (size_t i = 0; i < 2 * n; i++) /* one NaN would stay in the running sums for ever */
        to[i] = fabsf(iq[i]) < ABSURD ? iq[i] : 0;
    rx->n_have += n;
    return n;
}

static bool has(struct gn_oqpsk_rx *rx, uint64_t until)
{
    if (rx->base + rx->n_have < until)
        return false;
    rx->need = until > rx->need ? until : rx->need;
    return true;
}

static void search_again(struct gn_oqpsk_rx *rx, double from)
{
    rx->stage = SEARCHING;
    uint64_t at = rx->base + (uint64_t)(from > 0 ? from : 0);
    gn_oqpsk_search_from(rx->search, at);
}

/* Turn by turn finer: the lag of three symbols is ambiguous in 20.8 kHz, the search is good to 2 kHz. */
static void refine_offset(struct gn_oqpsk_rx *rx, struct gn_oqpsk_track *k, double t)
{
    float c[FOLD][16][2], re = 0, im = 0;
    struct gn_oqpsk_track probe = *k;
    for (unsigned i = 0; i < FOLD; i++) {
        probe.t = t + (double)i * rx->period;
        probe.phase_rad = k->step_rad_per_hz * k->cfo_hz * (floor(probe.t) - floor(t));
        gn_oqpsk_correlate(&probe, c[i]);
    }
    for (unsigned i = 0; i + 3 < FOLD; i++) {
        re += c[i + 3][0][0] * c[i][0][0] + c[i + 3][0][1] * c[i][0][1];
        im += c[i + 3][0][1] * c[i][0][0] - c[i + 3][0][0] * c[i][0][1];
    }
    if (re != 0 || im != 0)
        k->cfo_hz += (double)atan2f(im, re) / (k->step_rad_per_hz * 3 * rx->period);
}

/* Offset and timing from the preamble that was seen at t0. */
static void synchronise(struct gn_oqpsk_rx *rx, double cfo_hz)
{
    double from = (double)(rx->t0 - rx->base) + rx->period / 2.0, at = 0, best = -1;
    struct gn_oqpsk_fold fold;
    struct gn_oqpsk_track *k = &rx->track;
    *k = (struct gn_oqpsk_track){.iq = rx->iq, .signs = &rx->signs, .spc = rx->spc,
            .step_rad_per_hz = 2 * M_PI / rx->rate_sps};
    gn_oqpsk_fold(rx->iq + 2 * (size_t)from, rx->spc, FOLD, k->step_rad_per_hz * cfo_hz, &fold);
    for (int i = -4; i <= 4; i++) {
        double hz = cfo_hz + i * CFO_STEP_HZ, place = 0;
        if (fabs(hz) > CFO_MAX_HZ)
            continue;
        double height = gn_oqpsk_fold_peak(&fold, &rx->signs, i, &place);
        if (height > best) {
            best = height;
            at = place;
            k->cfo_hz = hz;
        }
    }
    k->t = floor(from) + at;
    refine_offset(rx, k, k->t);
    double wanted = (double)(rx->t0 - rx->base) + rx->period;
    k->t += round((wanted - k->t) / rx->period) * rx->period;
    if (k->t < 2 * rx->spc + 2)
        k->t += rx->period;
}

static float quality(const struct gn_oqpsk_track *k)
{
    float n = (float)(GN_OQPSK_CHIPS * k->spc);
    return k->energy > 0 ? (k->corr[0] * k->corr[0] + k->corr[1] * k->corr[1]) / (n * k->energy) : 0;
}

/* Four preamble symbols (one may be wrong), then 7 and 10. */
static bool is_sfd(const uint8_t *seen, unsigned n)
{
    if (n < 6 || seen[n - 2] != 7 || seen[n - 1] != 10)
        return false;
    unsigned n_zero = 0;
    for (unsigned i = n - 6; i < n - 2; i++)
        n_zero += seen[i] == 0;
    return n_zero >= 3;
}

static bool find_sfd(struct gn_oqpsk_rx *rx)
{
    uint8_t seen[SEEN_MAX];
    for (unsigned n = 0; n < SEEN_MAX;) {
        seen[n++] = (uint8_t)gn_oqpsk_step(&rx->track);
        rx->head_quality = quality(&rx->track);
        if (is_sfd(seen, n))
            return true;
    }
    return false;
}

static bool take_head(struct gn_oqpsk_rx *rx)
{
    struct gn_oqpsk_track *k = &rx->track;
    if (!has(rx, rx->t0 + (uint64_t)HEAD_SYMBOLS * rx->period + GN_OQPSK_MARGIN))
        return false;
    rx->counts.n_preambles++;
    synchronise(rx, gn_oqpsk_search_cfo_hz(rx->search));
    double again = (double)(rx->t0 - rx->base) + rx->period;
    if (!find_sfd(rx)) {
        search_again(rx, again);
        return true;
    }
    double start = k->t - 10.0 * rx->period;
    unsigned low = gn_oqpsk_step(k), high = gn_oqpsk_step(k), n = (low | high << 4) & 0x7fU;
    if (n < 3) {
        search_again(rx, again);
        return true;
    }
    rx->counts.n_headers++;
    rx->frame = (struct gn_oqpsk_frame){.n = (uint8_t)n};
    rx->frame.start = rx->base + (uint64_t)(start > 0 ? start + 0.5 : 0);
    rx->t_body = k->t;
    rx->stage = BODY;
    return true;
}

struct sums {
    double energy, signal, quality, k, kk, t, kt;
    unsigned n;
};

static void add(struct sums *s, const struct gn_oqpsk_rx *rx, double t)
{
    const struct gn_oqpsk_track *k = &rx->track;
    double i = s->n++, late = t - rx->t_body - i * rx->period;
    s->energy += (double)k->energy;
    s->signal += (double)(k->corr[0] * k->corr[0] + k->corr[1] * k->corr[1]) / rx->period;
    s->quality += (double)quality(k);
    s->k += i;
    s->kk += i * i;
    s->t += late;
    s->kt += i * late;
}

/* The part of each symbol that lies along its waveform is signal and one share of the noise in `period`. */
static void judge(struct gn_oqpsk_rx *rx, const struct sums *s)
{
    struct gn_oqpsk_frame *f = &rx->frame;
    double n = s->n, noise = (s->energy - s->signal) / (n * (rx->period - 1.0));
    double power = (s->signal / n - noise) / rx->period;
    noise = noise > 1e-9 * power ? noise : 1e-9 * power;
    power = power > 1e-30 ? power : 1e-30;
    double snr_db = noise > 0 ? 10 * log10(power / (noise * GN_OQPSK_CHIP_SPS / rx->rate_sps)) : 0;
    double lqi = 8 * (snr_db + 5);
    f->snr_db = (float)snr_db;
    f->power_dbfs = (float)(10 * log10(power));
    f->lqi = (uint8_t)(lqi < 0 ? 0 : lqi > 255 ? 255 : lqi);
    f->cfo_hz = (float)rx->track.cfo_hz;
    f->sfo_ppm = NAN;
    if (s->n >= SFO_SYMBOLS)
        f->sfo_ppm = (float)(-1e6 * (n * s->kt - s->k * s->t) / (n * s->kk - s->k * s->k) / rx->period);
}

/* True when a frame is to be handed out. */
static bool take_body(struct gn_oqpsk_rx *rx, bool bad_too, bool *is_waiting)
{
    struct gn_oqpsk_track *k = &rx->track;
    struct gn_oqpsk_frame *f = &rx->frame;
    struct sums s = {0};
    uint64_t end = rx->base + (uint64_t)(rx->t_body + 2.0 * f->n * rx->period + 1);
    *is_waiting = !has(rx, end + 2 * (uint64_t)rx->spc * 2 + 4);
    if (*is_waiting)
        return false;
    for (unsigned i = 0; i < f->n; i++) {
        double t = k->t;
        unsigned low = gn_oqpsk_step(k);
        add(&s, rx, t);
        t = k->t;
        f->psdu[i] = (uint8_t)(low | gn_oqpsk_step(k) << 4);
        add(&s, rx, t);
    }
    judge(rx, &s);
    f->fcs_ok = gn_fcs(f->psdu, f->n) == 0;
    f->end = rx->base + (uint64_t)(k->t + rx->spc + 0.5);
    f->known_at = rx->need;
    /* a frame that was heard to its end hides what its payload says; one that faded may hide another frame */
    bool is_heard = s.quality / s.n > 0.5 * (double)rx->head_quality;
    search_again(rx, f->fcs_ok || is_heard ? k->t - rx->spc : rx->t_body);
    rx->counts.n_frames += f->fcs_ok;
    rx->counts.n_bad_fcs += !f->fcs_ok;
    return f->fcs_ok || bad_too;
}

bool gn_oqpsk_rx_next(struct gn_oqpsk_rx *rx, bool bad_too, struct gn_oqpsk_frame *ret)
{
    for (;;) {
        bool is_waiting = false;
        if (rx->stage == SEARCHING) {
            uint64_t until = gn_oqpsk_search_need(rx->search);
            if (!has(rx, until))
                return false;
            uint64_t first = gn_oqpsk_search_next(rx->search) - rx->base;
            if (gn_oqpsk_search_step(rx->search, rx->iq + 2 * first, &rx->t0))
                rx->stage = HEAD;
        } else if (rx->stage == HEAD) {
            if (!take_head(rx))
                return false;
        } else if (take_body(rx, bad_too, &is_waiting)) {
            *ret = rx->frame;
            return true;
        } else if (is_waiting) {
            return false;
        }
    }
}

void gn_oqpsk_symbols(const struct gn_oqpsk_rx *rx, const float *iq, double start, double cfo_hz, size_t n,
        uint8_t *symbols)
{
    struct gn_oqpsk_track k = {.iq = iq, .signs = &rx->signs, .spc = rx->spc, .t = start, .cfo_hz = cfo_hz,
            .step_rad_per_hz = 2 * M_PI / rx->rate_sps};
    for (size_t i = 0; i < n; i++)
        symbols[i] = (uint8_t)gn_oqpsk_step(&k);
}
