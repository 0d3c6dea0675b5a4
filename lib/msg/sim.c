/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/msg/sim.h"

#include "gnomon/status.h"
#include "lib/gnss/signal.h"

#define SAT struct gn_msg_sim_sat
#define ALL struct gn_msg_sim_truth

static const struct gn_field sat_fields[] = {
        GN_FIELD_X(SAT, signal, GN_F_ENUM, "", .names = gn_signal_names, .n_names = GN_SIG_COUNT),
        GN_FIELD(SAT, prn, GN_F_U8, ""),
        GN_FIELD_X(SAT, pseudorange_m, GN_F_F64, "m", .decimals = 4),
        GN_FIELD_X(SAT, carrier_cycles, GN_F_F64, "", .decimals = 4),
        GN_FIELD_X(SAT, doppler_hz, GN_F_F64, "Hz", .decimals = 4),
        GN_FIELD_X(SAT, code_chips, GN_F_F64, "chip", .decimals = 5),
        GN_FIELD_X(SAT, cn0_dbhz, GN_F_F32, "dB-Hz", .decimals = 2),
        GN_FIELD_X(SAT, elevation_deg, GN_F_F32, "deg", .decimals = 2),
        GN_FIELD_X(SAT, azimuth_deg, GN_F_F32, "deg", .decimals = 2),
};

static const struct gn_field fields[] = {
        GN_FIELD(ALL, week, GN_F_I32, ""),
        GN_FIELD_X(ALL, tow_s, GN_F_F64, "s", .decimals = 9),
        GN_FIELD_X(ALL, lat_deg, GN_F_F64, "deg", .decimals = 9),
        GN_FIELD_X(ALL, lon_deg, GN_F_F64, "deg", .decimals = 9),
        GN_FIELD_X(ALL, height_m, GN_F_F64, "m", .decimals = 4),
        GN_FIELD_X(ALL, ecef_m, GN_F_F64, "m", .decimals = 4, .count = 3),
        GN_FIELD_X(ALL, vel_ecef_mps, GN_F_F64, "m/s", .decimals = 4, .count = 3),
        GN_FIELD_X(ALL, clock_bias_s, GN_F_F64, "s", .decimals = 12),
        {.name = "sats", .unit = "", .sub = sat_fields, .type = GN_F_LIST,
                .offset = offsetof(ALL, sats), .count = GN_MSG_SIM_SATS_MAX,
                .n_offset_plus1 = 1 + offsetof(ALL, n_sats), .n_sub = GN_COUNT(sat_fields),
                .sub_size = sizeof(SAT)},
};

const struct gn_schema gn_schema_sim_truth = {.name = "sim.truth/1", .event = "sim.truth",
        .doc = "what a simulated recording holds in truth", .fields = fields,
        .n_fields = GN_COUNT(fields), .size = sizeof(ALL)};
