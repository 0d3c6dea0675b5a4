/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Delays of L1/E1 in the ionosphere and troposphere, in metres (positive: the code arrives late).
 * All functions: [any thread], no state. */
#ifndef GN_ATMO_ATMO_H
#define GN_ATMO_ATMO_H

#include "lib/geo/geo.h"

/* Klobuchar model, as broadcast by GPS: alpha0..3 then beta0..3 in the ICD's units (s, s/semicircle, ...).
 * Source: IS-GPS-200N 20.3.3.5.2.5. */
double gn_iono_klobuchar_m(const double params[8], const struct gn_geo *rx, double azimuth_rad,
        double elevation_rad, double tow_s);

/* NTCM-G: a closed-form model driven by the same effective ionisation level that Galileo broadcasts for
 * NeQuick-G. ai: Ai0..Ai2 as broadcast. day: day of the year with fraction (1 January 00:00 UT = 1.0); the
 * hour of day is taken from its fraction. Source: NTCM-G Ionospheric Model Description 1.0 (European
 * Commission, 2022). */
double gn_iono_ntcm_m(const double ai[3], const struct gn_geo *rx, double azimuth_rad,
        double elevation_rad, double day);

/* Vertical total electron content in TECU by the same model, at the pierce point (for tests). */
double gn_iono_ntcm_vtec_tecu(const double ai[3], double lat_rad, double lon_rad, double day);

/* Saastamoinen zenith delays in a standard atmosphere (15 C, 1013.25 hPa, humidity 50 % at sea level) with the
 * mapping 1.001 / sqrt(0.002001 + sin^2 E). Sources: Saastamoinen 1973; RTCA DO-229D A.4.2.4. */
double gn_tropo_m(const struct gn_geo *rx, double elevation_rad);

#endif
