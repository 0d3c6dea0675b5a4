/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* NTCM-G: vertical TEC = F1 (local time) F2 (season) F3 (field) F4 (equatorial crests) F5 (sun). */
#include "lib/atmo/atmo.h"
#include "lib/gnss/signal.h"

#include <math.h>

#define RAD           (GN_PI / 180)
#define EARTH_KM      6371.0
#define SHELL_KM      450.0
#define POLE_LAT_RAD  (79.74 * RAD)
#define POLE_LON_RAD  (-71.78 * RAD)
#define TECU_TO_M     (40.3e16 / (GN_F_L1_HZ * GN_F_L1_HZ))

/* k[1..12] of table 1 */
static const double k[13] = {0, 0.92519, 0.16951, 0.00443, 0.06626, 0.00899, 0.21289, -0.15414,
        -0.38439, 1.14023, 1.20556, 1.41808, 0.13985};

static double local_time_factor(double lat, double declination, double hour)
{
    double d = 2 * GN_PI * (hour - 14) / 24, sd = 2 * GN_PI * hour / 12, td = 2 * GN_PI * hour / 8;
    double sun3 = cos(lat - declination) + 0.4;
    double sun2 = cos(lat - declination) - 2 * lat / GN_PI * sin(declination);
    return sun3 + sun2 * (k[1] * cos(d) + k[2] * cos(sd) + k[3] * sin(sd) + k[4] * cos(td) +
            k[5] * sin(td));
}

static double crest(double mag_lat, double centre_deg, double width_deg)
{
    double x = (mag_lat / RAD - centre_deg) / width_deg;
    return exp(-x * x / 2);
}

/* Effective ionisation level: its root mean square over modified dip latitude stands for the sun. */
static double ionisation(const double ai[3])
{
    double square = ai[0] * ai[0] + 1633.33 * ai[1] * ai[1] + 4802000 * ai[2] * ai[2] +
            3266.67 * ai[0] * ai[2];
    return square > 0 ? sqrt(square) : 0;
}

double gn_iono_ntcm_vtec_tecu(const double ai[3], double lat_rad, double lon_rad, double day)
{
    double doy = floor(day), hour = 24 * (day - doy) + lon_rad / RAD / 15;
    double declination = 23.44 * sin(0.9856 * (doy - 80.7) * RAD) * RAD;
    double mag = asin(sin(lat_rad) * sin(POLE_LAT_RAD) +
            cos(lat_rad) * cos(POLE_LAT_RAD) * cos(lon_rad - POLE_LON_RAD));

    double f1 = local_time_factor(lat_rad, declination, hour);
    double f2 = 1 + k[6] * cos(2 * GN_PI * (doy - 18) / 365.25) +
            k[7] * cos(4 * GN_PI * (doy - 6) / 365.25);
    double f3 = 1 + k[8] * cos(mag);
    double f4 = 1 + k[9] * crest(mag, 16, 12) + k[10] * crest(mag, -10, 13);
    double f5 = k[11] + k[12] * ionisation(ai);
    return f1 * f2 * f3 * f4 * f5;
}

double gn_iono_ntcm_m(const double ai[3], const struct gn_geo *rx, double azimuth_rad,
        double elevation_rad, double day)
{
    double el = elevation_rad > 0 ? elevation_rad : 0;
    double psi = GN_PI / 2 - el - asin(EARTH_KM / (EARTH_KM + SHELL_KM) * cos(el));
    double lat = asin(sin(rx->lat_rad) * cos(psi) + cos(rx->lat_rad) * sin(psi) * cos(azimuth_rad));
    double lon = rx->lon_rad + asin(sin(psi) * sin(azimuth_rad) / cos(lat));
    double z = EARTH_KM / (EARTH_KM + SHELL_KM) * sin(0.9782 * (GN_PI / 2 - el));
    return gn_iono_ntcm_vtec_tecu(ai, lat, lon, day) / sqrt(1 - z * z) * TECU_TO_M;
}
