/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Messages of positioning. */
#ifndef GN_MSG_PVT_H
#define GN_MSG_PVT_H

#include "gnomon/schema.h"

#include <stdint.h>

#define GN_PVT_SATS_MAX     64
#define GN_FIX_WEEK_UNKNOWN INT32_MAX

enum gn_trust {
    GN_TRUST_NONE = 0,
    GN_TRUST_AUTHENTICATED,
    GN_TRUST_PARTLY,
    GN_TRUST_TIME_UNVERIFIED,
    GN_TRUST_SPOOFING_SUSPECTED,
    GN_TRUST_UNAUTHENTICATED,
    GN_TRUST_COUNT,
};

enum gn_solution { GN_SOLUTION_NONE = 0, GN_SOLUTION_ALL, GN_SOLUTION_AUTHENTICATED, GN_SOLUTION_COUNT };

struct gn_pvt_sat {
    uint8_t signal, prn, reserved[2];
    float residual_m, elevation_rad, azimuth_rad;
};

struct gn_pvt_dop {
    float g, p, h, v;
};

/* Event pvt.fix */
struct gn_msg_pvt_fix {
    int32_t week;              /* full GPS week; GN_FIX_WEEK_UNKNOWN (left out of the log) without an era */
    uint8_t solution, trust;   /* enum gn_solution, enum gn_trust */
    uint8_t is_filtered;       /* from the Kalman filter, not a first least-squares fix */
    uint8_t raim_excluded;     /* satellites left out by RAIM */
    double tow_s;              /* GPS time of the epoch */
    char utc[32];              /* ISO 8601 with Z; empty while leap seconds are not known */
    double lat_deg, lon_deg, height_m; /* WGS-84, ellipsoidal height */
    double ecef_m[3], vel_ecef_mps[3];
    double clock_bias_s;       /* receiver clock minus GPS time */
    double clock_drift;        /* s/s; positive: receiver clock runs fast */
    double ggto_m;             /* Galileo minus GPS inter-system offset as estimated; NaN unknown */
    uint32_t n_used;
    uint32_t reserved;
    struct gn_pvt_sat sats[GN_PVT_SATS_MAX];
    struct gn_pvt_dop dop;
    double sigma_h_m, sigma_v_m; /* formal */
};

struct gn_obs_sat {
    uint8_t signal, prn, reserved[2];
    uint32_t flags;            /* GN_OBS_* */
    double pseudorange_m, carrier_cycles, doppler_hz, cn0_dbhz, lock_s;
};

/* Event obs */
struct gn_msg_obs {
    int32_t week;
    uint32_t n_sats;
    double tow_s;              /* receive time, GPS time as the receiver reckons it */
    struct gn_obs_sat sats[GN_PVT_SATS_MAX];
};

/* positioning -> manager. Event: none. */
struct gn_msg_fix_state {
    uint8_t has_fix, reserved[7];
    double ecef_m[3];
    double tow_s;
    int32_t week;
    uint32_t reserved2;
    double clock_drift;
    uint64_t reject_mask[4];   /* by enum gn_signal, bit prn - 1: RAIM or residuals keep throwing it out (false lock?) */
};

extern const char *const gn_trust_names[], *const gn_solution_names[];
extern const struct gn_schema gn_schema_pvt_fix, gn_schema_obs, gn_schema_fix_state;

#endif
