/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/track/channel.h"

#include <math.h>
#include <string.h>

#define Q32       4294967296.0
#define OBS_PER_S 10u

/* Soft symbols leave every 100 ms */
static uint32_t batch_size(const struct channel *ch)
{
    double symbol_s = ch->period_s * ch->n_per_symbol;
    return (uint32_t)lrint(0.1 / symbol_s);
}

void ch_report_state(struct channel *ch, const struct gn_host *h)
{
    struct gn_msg_track_state *msg = h->msg_new(h, PORT_STATE);

    msg->signal = ch->signal;
    msg->prn = ch->prn;
    msg->channel = (uint8_t)ch->i_channel;
    msg->state = ch->phase;
    msg->cn0_dbhz = ch_cn0_dbhz(ch);
    msg->doppler_hz = ch->pll.freq_hz;
    h->msg_send(h, PORT_STATE, ch->clock.code_tick, ch->clock.code_tick);
}

void ch_flush_symbols(struct channel *ch, const struct gn_host *h)
{
    for (uint32_t done = 0; done < ch->n_soft;) {
        struct gn_msg_symbols *msg = h->msg_new(h, PORT_SYMBOLS);
        uint32_t left = ch->n_soft - done;

        msg->signal = ch->signal;
        msg->prn = ch->prn;
        msg->channel = (uint8_t)ch->i_channel;
        msg->life = ch->life;
        msg->first = ch->soft_first + done;
        msg->n = left < GN_SYMBOLS_MAX ? left : GN_SYMBOLS_MAX;
        memcpy(msg->soft, ch->soft + done, msg->n * sizeof ch->soft[0]);
        done += msg->n;
        h->msg_send(h, PORT_SYMBOLS, ch->clock.code_tick, ch->clock.code_tick);
    }
    ch->n_soft = 0;
}

void ch_push_symbol(struct channel *ch, const struct gn_host *h, uint64_t number, double soft)
{
    if (ch->n_soft > 0 && number != ch->soft_first + ch->n_soft)
        ch_flush_symbols(ch, h);
    if (ch->n_soft == 0)
        ch->soft_first = number;
    ch->soft[ch->n_soft++] = (float)soft;
    if (ch->n_soft == CH_SYMBOLS_MAX || (number + 1) % batch_size(ch) == 0)
        ch_flush_symbols(ch, h);
}

static uint32_t obs_flags(const struct channel *ch)
{
    uint32_t flags = ch->tracked_s > 0.5 ? GN_OBS_CODE_VALID : 0;

    if (ch->has_carrier)
        flags |= GN_OBS_CARRIER_VALID;
    if (!ch->is_boc)
        flags |= GN_OBS_HALF_CYCLE; /* the sign of data is left to the decoder */
    if (ch->has_slipped)
        flags |= GN_OBS_SLIP;
    return flags;
}

/* Code and carrier at `tick`, `ahead` ticks after the start of the coming code period */
static void observe_at(
        struct channel *ch, const struct gn_host *h, uint64_t tick, double ahead, double period)
{
    struct gn_msg_track_obs *msg = h->msg_new(h, PORT_OBSERVATIONS);
    uint64_t periods = ch->period - ch->symbol_period0;
    double turns = (double)ch->clock.turns_q32 / Q32 + ch->clock.carrier_hz * ahead / ch->rate_sps;

    msg->signal = ch->signal;
    msg->prn = ch->prn;
    msg->channel = (uint8_t)ch->i_channel;
    msg->life = ch->life;
    msg->symbol = periods / ch->n_per_symbol;
    msg->symbol_phase_s =
            (double)(periods % ch->n_per_symbol) * ch->period_s + ahead / period * ch->period_s;
    msg->carrier_cycles = -turns;
    msg->doppler_hz = ch->pll.freq_hz;
    msg->doppler_rate_hzps = ch->pll.rate_hzps;
    msg->cn0_dbhz = ch_cn0_dbhz(ch);
    msg->lock_s = ch->lock_s;
    msg->flags = obs_flags(ch);
    msg->lock_metric = (float)ch_lock_metric(ch);
    ch->has_slipped = 0;
    h->msg_send(h, PORT_OBSERVATIONS, tick, ch->clock.code_tick + (uint64_t)period + 1);
}

void ch_observe(struct channel *ch, const struct gn_host *h)
{
    double period = (double)ch_period_q32(ch) / Q32;

    for (;; ch->obs_k++) {
        uint64_t tick = (uint64_t)llround((double)ch->obs_k * ch->rate_sps / OBS_PER_S);
        double ahead =
                (double)(int64_t)(tick - ch->clock.code_tick) - ch->clock.code_frac_q32 / Q32;
        if (ahead >= period)
            return;
        if (ahead >= 0 && ch->is_aligned && ch->phase == GN_TRACK_TRACKING &&
                ch->period >= ch->symbol_period0)
            observe_at(ch, h, tick, ahead, period);
    }
}
