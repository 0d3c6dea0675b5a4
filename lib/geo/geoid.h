/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Mean sea level over the WGS-84 ellipsoid (EGM96 on a 5 degree grid, bilinear: right to a metre or two over
 * most of the Earth, to 10 m beside deep trenches). height above sea level = ellipsoidal height - undulation. */
#ifndef GN_GEO_GEOID_H
#define GN_GEO_GEOID_H

double gn_geoid_m(double lat_rad, double lon_rad);

#endif
