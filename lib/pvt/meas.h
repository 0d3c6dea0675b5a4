/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* One measurement of one satellite, and what a position predicts for it. All functions: [any thread]. */
#ifndef GN_PVT_MEAS_H
#define GN_PVT_MEAS_H

#include "lib/atmo/atmo.h"
#include "lib/nav/orbit.h"

#include <stdbool.h>
#include <stdint.h>

#define GN_PVT_MEAS_MAX 64

enum gn_iono_mode { GN_IONO_OFF = 0, GN_IONO_AUTO, GN_IONO_KLOBUCHAR, GN_IONO_NTCM };

/* What is switched on and known of the air at an epoch. */
struct gn_pvt_air {
    enum gn_iono_mode iono;
    bool tropo, has_klobuchar, has_ai;
    double klobuchar[8], ai[3];
    double tow_s, day; /* GPS second of week; day of year with fraction */
};

struct gn_pvt_meas {
    uint8_t signal, prn;
    bool is_galileo;       /* its clock is offset by the inter-system bias */
    bool use;              /* in: may be used; out: was used */
    bool has_rate;
    const struct gn_ephemeris *eph; /* borrowed */
    double pr_m;           /* c (receiver clock - transmit time), satellite clock and group delay taken off */
    double rate_mps;       /* minus wavelength times Doppler, in seconds of the receiver's clock */
    double sigma_m, sigma_rate_mps;
    struct gn_sat_state sat; /* at transmission, frame of transmission */
    double residual_m, azimuth_rad, elevation_rad; /* results */
};

struct gn_pvt_predicted {
    double range_m;        /* geometry, Sagnac, air */
    double rate_mps;       /* geometric range rate minus c times satellite clock drift */
    double variance_m2;    /* what the air adds to sigma_m squared */
    double e[3];           /* unit vector from receiver to satellite, frame of reception */
    double azimuth_rad, elevation_rad;
};

/* sigma of a code pseudorange: 0.5 m and thermal noise, 4 m at 35 dB-Hz. */
double gn_pvt_sigma_m(double cn0_dbhz);

/* Complete m from its ephemeris: t_tx_s = second of week of transmission by the satellite's clock,
 * raw_m = c (receiver clock - t_tx). sigma_m grows by the satellite's own accuracy. */
void gn_pvt_meas_set(struct gn_pvt_meas *m, const struct gn_ephemeris *eph, int32_t week, double t_tx_s,
        double raw_m, double cn0_dbhz);

/* air may be NULL: vacuum. near_earth is not assumed: the air fades out with height. */
void gn_pvt_predict(const struct gn_pvt_meas *m, const double pos_m[3], const double vel_mps[3],
        const struct gn_pvt_air *air, struct gn_pvt_predicted *ret);

#endif
