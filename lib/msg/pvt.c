/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/msg/pvt.h"

#include "gnomon/status.h"
#include "lib/gnss/signal.h"

const char *const gn_trust_names[GN_TRUST_COUNT] = {NULL, "authenticated", "partly",
        "time-unverified", "spoofing-suspected", "unauthenticated"};
const char *const gn_solution_names[GN_SOLUTION_COUNT] = {NULL, "all", "authenticated"};

#define SIGNAL(struct_)                                                                            \
    GN_FIELD_X(struct_, signal, GN_F_ENUM, "", .names = gn_signal_names, .n_names = GN_SIG_COUNT)

static const struct gn_field fix_sat_fields[] = {
        SIGNAL(struct gn_pvt_sat),
        GN_FIELD(struct gn_pvt_sat, prn, GN_F_U8, ""),
        GN_FIELD_X(struct gn_pvt_sat, residual_m, GN_F_F32, "m", .decimals = 2),
        GN_FIELD_X(struct gn_pvt_sat, elevation_rad, GN_F_F32, "rad", .decimals = 4),
        GN_FIELD_X(struct gn_pvt_sat, azimuth_rad, GN_F_F32, "rad", .decimals = 4),
};

static const struct gn_field dop_fields[] = {
        GN_FIELD_X(struct gn_pvt_dop, g, GN_F_F32, "", .decimals = 2),
        GN_FIELD_X(struct gn_pvt_dop, p, GN_F_F32, "", .decimals = 2),
        GN_FIELD_X(struct gn_pvt_dop, h, GN_F_F32, "", .decimals = 2),
        GN_FIELD_X(struct gn_pvt_dop, v, GN_F_F32, "", .decimals = 2),
};

static const struct gn_field fix_fields[] = {
        GN_FIELD_X(struct gn_msg_pvt_fix, solution, GN_F_ENUM, "", .names = gn_solution_names,
                .n_names = GN_SOLUTION_COUNT),
        GN_FIELD_X(struct gn_msg_pvt_fix, trust, GN_F_ENUM, "", .names = gn_trust_names,
                .n_names = GN_TRUST_COUNT),
        {.name = "week", .unit = "", .type = GN_F_I32,
                .offset = (uint32_t)offsetof(struct gn_msg_pvt_fix, week), .flags = GN_F_NONE_IS_MAX},
        GN_FIELD_X(struct gn_msg_pvt_fix, tow_s, GN_F_F64, "s", .decimals = 3),
        GN_FIELD_X(struct gn_msg_pvt_fix, utc, GN_F_TEXT, "", .count = 32),
        GN_FIELD_X(struct gn_msg_pvt_fix, lat_deg, GN_F_F64, "deg", .decimals = 9),
        GN_FIELD_X(struct gn_msg_pvt_fix, lon_deg, GN_F_F64, "deg", .decimals = 9),
        GN_FIELD_X(struct gn_msg_pvt_fix, height_m, GN_F_F64, "m", .decimals = 3),
        GN_FIELD_X(struct gn_msg_pvt_fix, ecef_m, GN_F_F64, "m", .count = 3, .decimals = 3),
        GN_FIELD_X(
                struct gn_msg_pvt_fix, vel_ecef_mps, GN_F_F64, "m/s", .count = 3, .decimals = 4),
        GN_FIELD_X(struct gn_msg_pvt_fix, clock_bias_s, GN_F_F64, "s", .decimals = 12),
        GN_FIELD_X(struct gn_msg_pvt_fix, clock_drift, GN_F_F64, "s/s", .decimals = 14),
        GN_FIELD_X(struct gn_msg_pvt_fix, ggto_m, GN_F_F64, "m", .decimals = 3),
        GN_FIELD(struct gn_msg_pvt_fix, n_used, GN_F_U32, ""),
        GN_FIELD_X(struct gn_msg_pvt_fix, sats, GN_F_LIST, "", .count = GN_PVT_SATS_MAX,
                .n_offset_plus1 = 1 + (uint32_t)offsetof(struct gn_msg_pvt_fix, n_used),
                .sub = fix_sat_fields, .n_sub = GN_COUNT(fix_sat_fields),
                .sub_size = sizeof(struct gn_pvt_sat)),
        GN_FIELD_X(struct gn_msg_pvt_fix, dop, GN_F_GROUP, "", .sub = dop_fields,
                .n_sub = GN_COUNT(dop_fields), .sub_size = sizeof(struct gn_pvt_dop)),
        GN_FIELD_X(struct gn_msg_pvt_fix, sigma_h_m, GN_F_F64, "m", .decimals = 2),
        GN_FIELD_X(struct gn_msg_pvt_fix, sigma_v_m, GN_F_F64, "m", .decimals = 2),
        GN_FIELD(struct gn_msg_pvt_fix, is_filtered, GN_F_BOOL, ""),
        GN_FIELD(struct gn_msg_pvt_fix, raim_excluded, GN_F_U8, ""),
};
const struct gn_schema gn_schema_pvt_fix = {.name = "pvt.fix/1", .event = "pvt.fix",
        .doc = "position, velocity and clock of one epoch and solution", .fields = fix_fields,
        .n_fields = GN_COUNT(fix_fields), .size = sizeof(struct gn_msg_pvt_fix)};
_Static_assert(sizeof(struct gn_msg_pvt_fix) <= GN_MSG_MAX_BYTES, "fits a message");

static const struct gn_field obs_sat_fields[] = {
        SIGNAL(struct gn_obs_sat),
        GN_FIELD(struct gn_obs_sat, prn, GN_F_U8, ""),
        GN_FIELD_X(struct gn_obs_sat, pseudorange_m, GN_F_F64, "m", .decimals = 3),
        GN_FIELD_X(struct gn_obs_sat, carrier_cycles, GN_F_F64, "", .decimals = 4),
        GN_FIELD_X(struct gn_obs_sat, doppler_hz, GN_F_F64, "Hz", .decimals = 3),
        GN_FIELD_X(struct gn_obs_sat, cn0_dbhz, GN_F_F64, "dB-Hz", .decimals = 1),
        GN_FIELD_X(struct gn_obs_sat, lock_s, GN_F_F64, "s", .decimals = 1),
        GN_FIELD(struct gn_obs_sat, flags, GN_F_U32, ""),
};

static const struct gn_field obs_fields[] = {
        {.name = "week", .unit = "", .type = GN_F_I32,
                .offset = (uint32_t)offsetof(struct gn_msg_obs, week), .flags = GN_F_NONE_IS_MAX},
        GN_FIELD_X(struct gn_msg_obs, tow_s, GN_F_F64, "s", .decimals = 3),
        GN_FIELD_X(struct gn_msg_obs, sats, GN_F_LIST, "", .count = GN_PVT_SATS_MAX,
                .n_offset_plus1 = 1 + (uint32_t)offsetof(struct gn_msg_obs, n_sats),
                .sub = obs_sat_fields, .n_sub = GN_COUNT(obs_sat_fields),
                .sub_size = sizeof(struct gn_obs_sat)),
};
const struct gn_schema gn_schema_obs = {.name = "obs/1", .event = "obs",
        .doc = "observations of one receive time", .fields = obs_fields,
        .n_fields = GN_COUNT(obs_fields), .size = sizeof(struct gn_msg_obs)};

static const struct gn_field state_fields[] = {
        GN_FIELD(struct gn_msg_fix_state, has_fix, GN_F_BOOL, ""),
        GN_FIELD_X(struct gn_msg_fix_state, ecef_m, GN_F_F64, "m", .count = 3, .decimals = 3),
        GN_FIELD_X(struct gn_msg_fix_state, tow_s, GN_F_F64, "s", .decimals = 3),
        {.name = "week", .unit = "", .type = GN_F_I32,
                .offset = (uint32_t)offsetof(struct gn_msg_fix_state, week),
                .flags = GN_F_NONE_IS_MAX},
        GN_FIELD_X(struct gn_msg_fix_state, clock_drift, GN_F_F64, "s/s", .decimals = 14),
};
const struct gn_schema gn_schema_fix_state = {.name = "pvt.state/1",
        .doc = "where and when the receiver is, for whoever plans the search",
        .fields = state_fields, .n_fields = GN_COUNT(state_fields),
        .size = sizeof(struct gn_msg_fix_state)};
