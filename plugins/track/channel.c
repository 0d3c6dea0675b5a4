/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/track/channel.h"

#include <math.h>
#include <string.h>

#define Q32        4294967296.0
#define CHUNK_S    0.008 /* a call works through so much, so that all channels read the same sums */
#define KEEP_S     0.006 /* longest integration with margins */
#define GAP_LOST_S 2.0   /* longer gaps end the life */

static const struct gn_port ports[] = {
        [PORT_IQ] = {.name = "iq", .dir = GN_IN, .formats = "ci8 ci16", .doc = "baseband samples"},
        [PORT_ASSIGN] = {.name = "assign",
                .dir = GN_IN,
                .schema = &gn_schema_track_assign,
                .doc = "which satellite to take"},
        [PORT_STATE] = {.name = "state",
                .dir = GN_OUT,
                .schema = &gn_schema_track_state,
                .n_msgs_max = 16,
                .doc = "changes of state"},
        [PORT_SYMBOLS] = {.name = "symbols",
                .dir = GN_OUT,
                .schema = &gn_schema_symbols,
                .n_msgs_max = 32,
                .doc = "soft data symbols"},
        [PORT_OBSERVATIONS] = {.name = "observations",
                .dir = GN_OUT,
                .schema = &gn_schema_track_obs,
                .n_msgs_max = 16,
                .doc = "code and carrier every 100 ms"},
};

static const char *const correlators[] = {"auto", "sum", "volk", "plain", NULL};

static const struct gn_param params[] = {
        GN_PARAM_X("correlator", struct channel, correlator, GN_P_ENUM, "", "auto", 0, 0,
                "running sum (auto, sum), VOLK dot products, or plain C", .choices = correlators),
        GN_PARAM_X("pll_band", struct channel, pll_band_hz, GN_P_F64, "Hz", "10", 1, 15,
                "noise bandwidth of the carrier loop; half of it for weak signals", .flags = 0),
        GN_PARAM_X("dll_band", struct channel, dll_band_hz, GN_P_F64, "Hz", "0.25", 0.05, 2,
                "noise bandwidth of the code loop once settled", .flags = 0),
};

static const char *const stages[] = {
        "doppler_refinement", "code_refinement", "confirmation", "tracking", "idle", NULL};

static const uint32_t stage_of_phase[GN_TRACK_PHASE_COUNT] = {[GN_TRACK_IDLE] = STAGE_IDLE,
        [GN_TRACK_DOPPLER_REFINEMENT] = STAGE_DOPPLER,
        [GN_TRACK_CODE_REFINEMENT] = STAGE_CODE,
        [GN_TRACK_CONFIRMATION] = STAGE_CONFIRM,
        [GN_TRACK_TRACKING] = STAGE_TRACK,
        [GN_TRACK_LOST] = STAGE_IDLE};

static gn_status plan(void *state, const struct gn_host *h, struct gn_plan *p)
{
    struct channel *ch = state;

    if (p->in[0].tick_num != p->in[0].tick_den)
        return h->fail(
                h, GN_E_ARG, "iq", "needs samples at the source's own rate, not resampled ones");
    ch->format = p->in[0].format;
    return GN_OK;
}

static void *share_cleared(const struct gn_host *h, const char *key, size_t size)
{
    char *memory = h->share(h, key, size + 64);
    return memory == NULL ? NULL : memory + (64 - (uintptr_t)memory % 64) % 64;
}

static gn_status start(void *state, const struct gn_host *h)
{
    struct channel *ch = state;
    const char *kernels = h->ext(h, "gn.kernels/1");

    ch->rate_sps = h->anchor->rate_sps;
    ch->i_channel = h->instance;
    if (!(ch->rate_sps >= 1.1e6 && ch->rate_sps <= 400e6))
        return h->fail(h, GN_E_ARG, "iq", "needs a sample rate between 1.1 and 400 MHz, has %g Hz",
                ch->rate_sps);
    ch->kernel = gn_corr_kernel_choose(kernels != NULL && strcmp(kernels, "portable") == 0);
    ch->chunk = (uint64_t)(CHUNK_S * ch->rate_sps);
    uint32_t tile = (uint32_t)(0.001 * ch->rate_sps) + 1, keep = (uint32_t)(KEEP_S * ch->rate_sps);
    uint32_t capacity = 2 * keep + (uint32_t)ch->chunk + tile;
    ch->sum = share_cleared(
            h, "running sum", sizeof *ch->sum + 64 + gn_sum_bytes(ch->format, capacity));
    ch->volk = ch->correlator == CORR_VOLK ? share_cleared(h, "volk", sizeof *ch->volk) : NULL;
    if (ch->sum == NULL || (ch->correlator == CORR_VOLK && ch->volk == NULL))
        return GN_E_NOMEM;
    if (ch->sum->capacity == 0)
        gn_sum_init(ch->sum, ch->format, capacity, tile, keep,
                (char *)ch->sum + (sizeof *ch->sum + 63) / 64 * 64);
    return GN_OK;
}

/* First start of a code period at or after `tick`, from where acquisition saw one */
static void set_clock(struct channel *ch, const struct gn_msg_track_assign *a, uint64_t tick)
{
    struct clockwork *c = &ch->clock;

    *c = (struct clockwork){.carrier_hz = a->doppler_hz};
    ch->pll = (struct gn_pll){.freq_hz = a->doppler_hz, .nco_hz = a->doppler_hz};
    double chip = ch_chip_ticks(ch), period = chip * gn_signal_table[a->signal].code_chips;
    double first = a->code_phase_chips * chip; /* after hit_index */
    double since = (double)(int64_t)(tick - a->hit_index) - first;
    double start = first + ceil(since / period) * period;
    c->code_tick = a->hit_index + (uint64_t)(int64_t)floor(start);
    c->code_frac_q32 = (uint32_t)((start - floor(start)) * Q32);
}

static void assign(struct channel *ch, const struct gn_host *h, const struct gn_msg_track_assign *a,
        uint64_t now)
{
    struct gn_replica *pilot = &ch->pilot;
    int is_boc = a->signal == GN_SIG_GAL_E1;

    if (ch->phase != GN_TRACK_IDLE)
        ch_enter(ch, h, GN_TRACK_LOST);
    if (gn_replica_init(&ch->data, a->signal, 0, a->prn) != GN_OK ||
            (is_boc && gn_replica_init(pilot, a->signal, 1, a->prn) != GN_OK) ||
            !isfinite(a->doppler_hz) || !isfinite(a->code_phase_chips)) {
        h->log(h, GN_LOG_WARN, "cannot take signal %u PRN %u", a->signal, a->prn);
        return;
    }
    memset((char *)ch + offsetof(struct channel, signal), 0,
            sizeof *ch - offsetof(struct channel, signal));
    ch->life++;
    ch->signal = a->signal;
    ch->prn = a->prn;
    ch->is_boc = (uint8_t)is_boc;
    ch->period_s = gn_signal_table[a->signal].code_chips / gn_signal_table[a->signal].chip_rate_cps;
    ch->n_per_symbol = (uint32_t)lrint(gn_signal_table[a->signal].symbol_s / ch->period_s);
    uint64_t margin = (uint64_t)(2 * ch_chip_ticks(ch)) + 4;
    set_clock(ch, a, now + margin);
    ch->obs_k = (uint64_t)((double)ch->clock.code_tick / ch->rate_sps * 10);
    ch_enter(ch, h, GN_TRACK_DOPPLER_REFINEMENT);
}

static void take_messages(struct channel *ch, const struct gn_host *h, const struct gn_work *w)
{
    for (uint32_t i = 0; i < w->n_msgs; i++) {
        const struct gn_msg_track_assign *a = w->msgs[i].data;
        if (w->msgs[i].port == PORT_ASSIGN && a->channel == h->instance)
            assign(ch, h, a, w->now);
    }
}

/* Samples before `first` are not there: let code and carrier run on until they are. */
static void coast(struct channel *ch, const struct gn_host *h, uint64_t first)
{
    uint64_t n = 0, limit = (uint64_t)(GAP_LOST_S / ch->period_s);

    while (ch->clock.code_tick < first && n < limit) {
        ch_observe(ch, h);
        ch_advance(ch);
        n++;
    }
    if (n == 0)
        return;
    ch_skip_periods(ch, h, n);
    if (ch->clock.code_tick < first)
        ch_enter(ch, h, GN_TRACK_LOST);
}

static void run_periods(struct channel *ch, const struct gn_host *h, const struct gn_in *in)
{
    uint64_t margin = (uint64_t)(2 * ch_chip_ticks(ch)) + 4;
    uint64_t end = in->index + in->n_items;

    coast(ch, h, in->index + margin);
    uint64_t stop = (ch->clock.code_tick / ch->chunk + 1) * ch->chunk;
    uint32_t stage = GN_STAGE_NONE;
    while (ch->phase != GN_TRACK_IDLE && ch->clock.code_tick < stop) {
        struct taps taps;
        if (ch->clock.code_tick + (ch_period_q32(ch) >> 32) + margin > end)
            return;
        if (stage != stage_of_phase[ch->phase])
            h->stage(h, stage = stage_of_phase[ch->phase]);
        ch_observe(ch, h);
        ch_correlate(ch, in->items, in->index, in->n_items, &taps);
        ch_advance(ch);
        ch_use_taps(ch, h, taps);
    }
}

static gn_status work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct channel *ch = state;
    struct gn_in *in = &w->in[0];

    take_messages(ch, h, w);
    in->n_used = in->n_items;
    in->n_need = 0;
    if (ch->phase == GN_TRACK_IDLE)
        return GN_OK;
    run_periods(ch, h, in);
    h->stage(h, GN_STAGE_NONE);
    if (ch->phase == GN_TRACK_IDLE)
        return GN_OK;
    uint64_t margin = (uint64_t)(2 * ch_chip_ticks(ch)) + 4;
    uint64_t next = ch->clock.code_tick - margin, end = in->index + in->n_items;
    uint64_t wanted = ch->clock.code_tick + (ch_period_q32(ch) >> 32) + margin;
    if (next >= end)
        return GN_OK;
    if (wanted > end && (in->flags & (GN_IN_LAST | GN_IN_GAP_AFTER)) != 0)
        return GN_OK;
    in->n_used = (uint32_t)(next - in->index);
    in->n_need = wanted > end ? (uint32_t)(wanted - next) : 0;
    return GN_OK;
}

static gn_status finish(void *state, const struct gn_host *h)
{
    struct channel *ch = state;
    if (ch->phase != GN_TRACK_IDLE)
        ch_flush_symbols(ch, h);
    return GN_OK;
}

extern const struct gn_block gn_track_channel;
const struct gn_block gn_track_channel = {
        .name = "track.channel",
        .summary = "follows one satellite: carrier, code, symbols, observations",
        .doc = "Takes the satellite that `assign` names for this instance (channel = instance), "
               "refines Doppler and "
               "code, confirms, then tracks with an FLL-assisted PLL and a carrier-aided DLL until "
               "the signal is "
               "lost. Galileo E1 is tracked on the pilot. Soft symbols start with the first "
               "samples of a life.",
        .ports = ports,
        .n_ports = GN_COUNT(ports),
        .params = params,
        .n_params = GN_COUNT(params),
        .stages = stages,
        .state_size = sizeof(struct channel),
        .plan = plan,
        .start = start,
        .work = work,
        .finish = finish,
};
