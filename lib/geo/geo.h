/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* WGS-84: Earth-fixed coordinates, latitude, longitude, height, the local horizon.
 * Source: NGA.STND.0036 (a, 1/f). All functions: [any thread], no state. */
#ifndef GN_GEO_GEO_H
#define GN_GEO_GEO_H

#define GN_WGS84_A_M   6378137.0
#define GN_WGS84_INV_F 298.257223563

/* Height above the ellipsoid. */
struct gn_geo {
    double lat_rad, lon_rad, height_m;
};

/* Any point but the centre of the Earth (which reads as latitude 90 deg, height -b). Good to below a
 * micrometre from 1000 km under the ground to beyond the Moon. lon_rad in -pi..pi. */
struct gn_geo gn_geo_from_ecef(const double ecef_m[3]);
void gn_ecef_from_geo(const struct gn_geo *geo, double ecef_m[3]);

/* rows east, north, up: enu = r * (ecef difference) */
void gn_enu_rotation(const struct gn_geo *geo, double r[3][3]);

/* Direction from rx to sat. azimuth_rad 0..2 pi, from north over east. */
void gn_azel(const double rx_ecef_m[3], const double sat_ecef_m[3], double *azimuth_rad,
        double *elevation_rad);

#endif
