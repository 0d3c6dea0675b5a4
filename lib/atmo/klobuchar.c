/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/atmo/atmo.h"
#include "lib/gnss/signal.h"

#include <math.h>

#define LAT_MAX_SC 0.416

/* The ICD reckons angles in semicircles (sc). */
double gn_iono_klobuchar_m(const double params[8], const struct gn_geo *rx, double azimuth_rad,
        double elevation_rad, double tow_s)
{
    const double *alpha = params, *beta = params + 4;
    double el_sc = elevation_rad > 0 ? elevation_rad / GN_PI : 0;
    double psi_sc = 0.0137 / (el_sc + 0.11) - 0.022;
    double lat_sc = rx->lat_rad / GN_PI + psi_sc * cos(azimuth_rad);
    lat_sc = fmin(fmax(lat_sc, -LAT_MAX_SC), LAT_MAX_SC);
    double lon_sc = rx->lon_rad / GN_PI + psi_sc * sin(azimuth_rad) / cos(lat_sc * GN_PI);
    double mag_sc = lat_sc + 0.064 * cos((lon_sc - 1.617) * GN_PI);
    double local_s = 43200 * lon_sc + tow_s;
    local_s -= 86400 * floor(local_s / 86400);

    double slant = 1 + 16 * (0.53 - el_sc) * (0.53 - el_sc) * (0.53 - el_sc);
    double amp_s = alpha[0] + mag_sc * (alpha[1] + mag_sc * (alpha[2] + mag_sc * alpha[3]));
    double per_s = beta[0] + mag_sc * (beta[1] + mag_sc * (beta[2] + mag_sc * beta[3]));
    amp_s = fmax(amp_s, 0);
    per_s = fmax(per_s, 72000);
    double x = 2 * GN_PI * (local_s - 50400) / per_s;
    double wave = fabs(x) < 1.57 ? amp_s * (1 - x * x / 2 + x * x * x * x / 24) : 0;
    return GN_C_MPS * slant * (5e-9 + wave);
}
