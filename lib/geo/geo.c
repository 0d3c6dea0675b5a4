/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/geo/geo.h"

#include <math.h>

#define F         (1 / GN_WGS84_INV_F)
#define E2        (F * (2 - F))
#define STEPS_MAX 20

struct gn_geo gn_geo_from_ecef(const double ecef_m[3])
{
    double x = ecef_m[0], y = ecef_m[1], z = ecef_m[2];
    double p = sqrt(x * x + y * y);
    /* Bowring: beta is the reduced latitude; two steps do near the ground, high orbits converge faster */
    double b = GN_WGS84_A_M * (1 - F), ep2 = E2 / (1 - E2);
    double beta = atan2(GN_WGS84_A_M * z, b * p), lat = 0;
    for (int i = 0; i < STEPS_MAX; i++) {
        double s = sin(beta), c = cos(beta), before = lat;
        lat = atan2(z + ep2 * b * s * s * s, p - E2 * GN_WGS84_A_M * c * c * c);
        beta = atan2((1 - F) * sin(lat), cos(lat));
        if (fabs(lat - before) < 1e-15)
            break;
    }
    double s = sin(lat), c = cos(lat), w = sqrt(1 - E2 * s * s);
    /* a w = N (1 - e2 s^2): valid at the poles too, where p / cos(lat) is not */
    double height = p * c + z * s - GN_WGS84_A_M * w;
    return (struct gn_geo){.lat_rad = lat, .lon_rad = atan2(y, x), .height_m = height};
}

void gn_ecef_from_geo(const struct gn_geo *geo, double ecef_m[3])
{
    double s = sin(geo->lat_rad), c = cos(geo->lat_rad);
    double n = GN_WGS84_A_M / sqrt(1 - E2 * s * s);
    ecef_m[0] = (n + geo->height_m) * c * cos(geo->lon_rad);
    ecef_m[1] = (n + geo->height_m) * c * sin(geo->lon_rad);
    ecef_m[2] = (n * (1 - E2) + geo->height_m) * s;
}

void gn_enu_rotation(const struct gn_geo *geo, double r[3][3])
{
    double sp = sin(geo->lat_rad), cp = cos(geo->lat_rad);
    double sl = sin(geo->lon_rad), cl = cos(geo->lon_rad);
    const double rows[3][3] = {{-sl, cl, 0}, {-sp * cl, -sp * sl, cp}, {cp * cl, cp * sl, sp}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r[i][j] = rows[i][j];
}

void gn_azel(const double rx_ecef_m[3], const double sat_ecef_m[3], double *azimuth_rad,
        double *elevation_rad)
{
    double r[3][3], enu[3] = {0};
    struct gn_geo geo = gn_geo_from_ecef(rx_ecef_m);
    gn_enu_rotation(&geo, r);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            enu[i] += r[i][j] * (sat_ecef_m[j] - rx_ecef_m[j]);
    double az = atan2(enu[0], enu[1]);
    *azimuth_rad = az < 0 ? az + 2 * 3.14159265358979323846 : az;
    *elevation_rad = atan2(enu[2], hypot(enu[0], enu[1]));
}
