/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What a simulated recording holds in truth. */
#ifndef GN_MSG_SIM_H
#define GN_MSG_SIM_H

#include "gnomon/schema.h"

#include <stdint.h>

#define GN_MSG_SIM_SATS_MAX 72U

struct gn_msg_sim_sat {
    uint8_t signal, prn;
    float cn0_dbhz, elevation_deg, azimuth_deg;
    double pseudorange_m;  /* c (oscillator's time - time shown by the code) */
    double carrier_cycles; /* grows with range; 0 at sample 0 but for a fraction */
    double doppler_hz;
    double code_chips; /* of the code period that the sample falls into */
};

struct gn_msg_sim_truth {
    int32_t week; /* true GPS time of the sample */
    double tow_s;
    double lat_deg, lon_deg, height_m;
    double ecef_m[3], vel_ecef_mps[3];
    double clock_bias_s; /* oscillator ahead of true time */
    uint32_t n_sats;
    struct gn_msg_sim_sat sats[GN_MSG_SIM_SATS_MAX];
};

extern const struct gn_schema gn_schema_sim_truth;

#endif
