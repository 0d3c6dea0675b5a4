/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/atmo/atmo.h"

#include <math.h>

#define TOP_M      40000.0 /* the remaining air delays less than a centimetre */
#define BOTTOM_M   (-1000.0)
#define HUMIDITY   0.5
#define SINE_FLOOR 0.05 /* the mapping is meant for elevations above 3 deg */

double gn_tropo_m(const struct gn_geo *rx, double elevation_rad)
{
    if (!(rx->height_m < TOP_M))
        return 0;
    double h = rx->height_m > BOTTOM_M ? rx->height_m : BOTTOM_M;
    double pressure_hpa = 1013.25 * pow(1 - 2.2557e-5 * h, 5.2568);
    double temp_k = 288.15 - 6.5e-3 * h;
    double e_hpa = h < 11000 ? 6.108 * HUMIDITY * exp((17.15 * temp_k - 4684) / (temp_k - 38.45)) : 0;
    double dry = 0.0022768 * pressure_hpa /
            (1 - 0.00266 * cos(2 * rx->lat_rad) - 0.00028 * h / 1e3);
    double wet = 0.002277 * (1255 / temp_k + 0.05) * e_hpa;
    double s = sin(elevation_rad) > SINE_FLOOR ? sin(elevation_rad) : SINE_FLOOR;
    return (dry + wet) * 1.001 / sqrt(0.002001 + s * s);
}
