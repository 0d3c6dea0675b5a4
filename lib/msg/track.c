/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/msg/track.h"

#include "gnomon/status.h"
#include "lib/gnss/signal.h"

#define SIGNAL(struct_)                                                                            \
    GN_FIELD_X(struct_, signal, GN_F_ENUM, "", .names = gn_signal_names, .n_names = GN_SIG_COUNT)

static const struct gn_field request_fields[] = {
        GN_FIELD(struct gn_msg_acq_request, effort, GN_F_U32, ""),
};
const struct gn_schema gn_schema_acq_request = {.name = "acq.request/1",
        .doc = "what acquisition shall look for", .fields = request_fields,
        .n_fields = GN_COUNT(request_fields), .size = sizeof(struct gn_msg_acq_request)};

static const struct gn_field hit_fields[] = {
        SIGNAL(struct gn_msg_acq_hit),
        GN_FIELD(struct gn_msg_acq_hit, prn, GN_F_U8, ""),
        GN_FIELD_X(struct gn_msg_acq_hit, doppler_hz, GN_F_F64, "Hz", .decimals = 1),
        GN_FIELD_X(struct gn_msg_acq_hit, code_phase_chips, GN_F_F64, "chip", .decimals = 3),
        GN_FIELD_X(struct gn_msg_acq_hit, cn0_dbhz, GN_F_F64, "dB-Hz", .decimals = 1),
};
const struct gn_schema gn_schema_acq_hit = {.name = "acq.hit/1", .event = "acq.hit",
        .doc = "a signal was found", .fields = hit_fields, .n_fields = GN_COUNT(hit_fields),
        .size = sizeof(struct gn_msg_acq_hit)};

static const struct gn_field assign_fields[] = {
        SIGNAL(struct gn_msg_track_assign),
        GN_FIELD(struct gn_msg_track_assign, prn, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_track_assign, channel, GN_F_U8, ""),
};
const struct gn_schema gn_schema_track_assign = {.name = "track.assign/1",
        .doc = "a channel takes a satellite", .fields = assign_fields,
        .n_fields = GN_COUNT(assign_fields), .size = sizeof(struct gn_msg_track_assign)};

static const char *const phase_names[GN_TRACK_PHASE_COUNT] = {
        "idle", "doppler_refinement", "code_refinement", "confirmation", "tracking", "lost"};

static const struct gn_field state_fields[] = {
        SIGNAL(struct gn_msg_track_state),
        GN_FIELD(struct gn_msg_track_state, prn, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_track_state, channel, GN_F_U8, ""),
        GN_FIELD_X(struct gn_msg_track_state, state, GN_F_ENUM, "", .names = phase_names,
                .n_names = GN_TRACK_PHASE_COUNT),
        GN_FIELD_X(struct gn_msg_track_state, cn0_dbhz, GN_F_F64, "dB-Hz", .decimals = 1),
        GN_FIELD_X(struct gn_msg_track_state, doppler_hz, GN_F_F64, "Hz", .decimals = 1),
};
const struct gn_schema gn_schema_track_state = {.name = "track.state/1", .event = "track.state",
        .doc = "a channel changed its state", .fields = state_fields,
        .n_fields = GN_COUNT(state_fields), .size = sizeof(struct gn_msg_track_state)};

static const struct gn_field symbols_fields[] = {
        SIGNAL(struct gn_msg_symbols),
        GN_FIELD(struct gn_msg_symbols, prn, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_symbols, channel, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_symbols, life, GN_F_U32, ""),
        GN_FIELD(struct gn_msg_symbols, first, GN_F_U64, ""),
        GN_FIELD_X(struct gn_msg_symbols, soft, GN_F_F32, "", .count = GN_SYMBOLS_MAX,
                .n_offset_plus1 = 1 + offsetof(struct gn_msg_symbols, n), .decimals = 2),
};
const struct gn_schema gn_schema_symbols = {.name = "track.symbols/1",
        .doc = "soft symbols of a channel", .fields = symbols_fields,
        .n_fields = GN_COUNT(symbols_fields), .size = sizeof(struct gn_msg_symbols)};

static const struct gn_field obs_fields[] = {
        SIGNAL(struct gn_msg_track_obs),
        GN_FIELD(struct gn_msg_track_obs, prn, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_track_obs, channel, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_track_obs, life, GN_F_U32, ""),
        GN_FIELD(struct gn_msg_track_obs, symbol, GN_F_U64, ""),
        GN_FIELD_X(struct gn_msg_track_obs, symbol_phase_s, GN_F_F64, "s", .decimals = 12),
        GN_FIELD_X(struct gn_msg_track_obs, carrier_cycles, GN_F_F64, "", .decimals = 4),
        GN_FIELD_X(struct gn_msg_track_obs, doppler_hz, GN_F_F64, "Hz", .decimals = 3),
        GN_FIELD_X(struct gn_msg_track_obs, cn0_dbhz, GN_F_F64, "dB-Hz", .decimals = 1),
        GN_FIELD_X(struct gn_msg_track_obs, lock_s, GN_F_F64, "s", .decimals = 1),
        GN_FIELD(struct gn_msg_track_obs, flags, GN_F_U32, ""),
};
const struct gn_schema gn_schema_track_obs = {.name = "track.obs/1",
        .doc = "code and carrier of a channel at a tick", .fields = obs_fields,
        .n_fields = GN_COUNT(obs_fields), .size = sizeof(struct gn_msg_track_obs)};
