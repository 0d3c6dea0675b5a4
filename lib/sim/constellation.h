/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A made-up but sensible sky: 32 GPS and 30 Galileo satellites on nominal orbits with small
 * excentricities, harmonic corrections, clock errors and group delays, as the ephemerides they
 * broadcast at a given time.
 *
 * GPS: six planes at 55 degrees, 26,560 km, the 24 slots of the GPS SPS Performance Standard (2020,
 * table 3.2-1) and eight between them. Galileo: Walker 24/3/1 at 56 degrees, 29,600 km (Galileo OS
 * SDD 1.3), and two more in each plane. What differs between satellites comes from a fixed hash of
 * system and PRN: the same in every run. */
#ifndef GN_SIM_CONSTELLATION_H
#define GN_SIM_CONSTELLATION_H

#include "lib/nav/ephemeris.h"

#include <stddef.h>

#define GN_SIM_GPS_SATS 32U
#define GN_SIM_GAL_SATS 30U
#define GN_SIM_GAL_ALL  36U /* with six more that only a sky of all satellites holds */
#define GN_SIM_SATS_MAX 36U /* heard at once, of one system */

struct gn_sim_time {
    int32_t week; /* full GPS week */
    double tow_s;
};

/* What satellite i (0 .. GN_SIM_GPS_SATS - 1 or GN_SIM_GAL_ALL - 1) broadcasts at t: toe at the
 * nearest even hour (GPS) or the last ten minutes (Galileo), values as they come out of the
 * broadcast bits. signal: GN_SIG_GPS_L1CA or GN_SIG_GAL_E1. [any thread] */
void gn_sim_ephemeris(unsigned signal, unsigned i, struct gn_sim_time t, struct gn_ephemeris *ret);

/* Through the broadcast bits and back: what a receiver will read. [any thread] */
void gn_sim_quantise(struct gn_ephemeris *e);

/* Ephemerides of the n_max highest satellites above mask_rad at ecef_m, highest first. Returns how
 * many. [any thread] */
size_t gn_sim_visible(unsigned signal, struct gn_sim_time t, const double ecef_m[3],
        double mask_rad, size_t n_max, struct gn_ephemeris ret[]);

/* WGS-84 geodetic to Earth-fixed, radians and metres; and the elevation of sat seen from there.
 * [any thread] */
void gn_sim_ecef(double lat_rad, double lon_rad, double height_m, double ecef_m[3]);
double gn_sim_elevation(const double rx_ecef_m[3], const double sat_ecef_m[3]);

#endif
