/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Messages between acquisition, manager, channels, decoder and positioning. "tick" is the source's sample clock. */
#ifndef GN_MSG_TRACK_H
#define GN_MSG_TRACK_H

#include "gnomon/schema.h"

#include <stdint.h>

/* manager -> acquisition: look for these. Event: none. */
struct gn_msg_acq_request {
    uint64_t prn_mask[4];      /* by enum gn_signal: bit prn - 1 (SBAS: prn - 120) */
    double doppler_center_hz;  /* common offset (receiver clock), NaN: unknown */
    double doppler_half_hz;    /* half-width; NaN: the block's doppler_max */
    uint32_t effort;           /* 0 quick (strong signals) .. 3 deepest: more non-coherent sums */
    uint32_t reserved;
};

/* Event acq.hit. index of the message = start of the searched window. */
struct gn_msg_acq_hit {
    uint8_t signal, prn;
    uint8_t reserved[6];
    double doppler_hz;         /* positive: approaching */
    double code_phase_chips;   /* delay of the code start from sample `index`, 0 <= x < code_chips */
    double cn0_dbhz;
    double peak_to_mean;       /* test statistic, hidden */
};

/* manager -> channels: instance `channel` takes this satellite. */
struct gn_msg_track_assign {
    uint8_t signal, prn, channel, reserved[5];
    uint64_t hit_index;        /* tick to which code_phase_chips and doppler refer */
    double doppler_hz, code_phase_chips, cn0_dbhz;
};

enum gn_track_phase {
    GN_TRACK_IDLE = 0,
    GN_TRACK_DOPPLER_REFINEMENT,
    GN_TRACK_CODE_REFINEMENT,
    GN_TRACK_CONFIRMATION,
    GN_TRACK_TRACKING,
    GN_TRACK_LOST,
    GN_TRACK_PHASE_COUNT,
};

/* Event track.state: at each change of state. */
struct gn_msg_track_state {
    uint8_t signal, prn, channel, state;
    uint8_t reserved[4];
    double cn0_dbhz, doppler_hz;
};

#define GN_SYMBOLS_MAX 50

/* Soft symbols of one channel, consecutive. GPS: 20 ms bits after bit sync. E1: 4 ms symbols of E1B once the
 * pilot's secondary code is known. Numbers run from the first symbol of a life of the channel; a jump means lost ones. */
struct gn_msg_symbols {
    uint8_t signal, prn, channel, reserved;
    uint32_t life;             /* counts assignments of this channel: symbol numbers restart with it */
    uint64_t first;            /* number of soft[0] */
    uint32_t n;
    float soft[GN_SYMBOLS_MAX]; /* amplitude, sign = value (+ is bit 0 up to polarity), noise sigma about 1 */
};

#define GN_OBS_CARRIER_VALID 1u /* phase locked, no slip since lock_s ago (half-cycle may be open) */
#define GN_OBS_HALF_CYCLE    2u /* half-cycle ambiguity not resolved */
#define GN_OBS_SLIP          4u /* possible cycle slip since the last observation */
#define GN_OBS_CODE_VALID    8u /* code loop settled, symbol numbers usable */

/* Every 100 ms of ticks (index = k * rate/10 rounded) from each tracking channel: where its code is at that tick. */
struct gn_msg_track_obs {
    uint8_t signal, prn, channel, reserved;
    uint32_t life;
    uint64_t symbol;           /* number of the symbol being received at the tick (as in gn_msg_symbols) */
    double symbol_phase_s;     /* signal time since that symbol's start, 0 <= x < symbol_s: transmit time = t(symbol) + this */
    double carrier_cycles;     /* accumulated Doppler phase, grows with range (minus the integral of doppler_hz) */
    double doppler_hz;         /* positive: approaching */
    double doppler_rate_hzps;
    double cn0_dbhz, lock_s;
    uint32_t flags;            /* GN_OBS_* */
    float lock_metric;         /* cos(2 phi), hidden */
};

extern const struct gn_schema gn_schema_acq_request, gn_schema_acq_hit, gn_schema_track_assign,
        gn_schema_track_state, gn_schema_symbols, gn_schema_track_obs;

#endif
