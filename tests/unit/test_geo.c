/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Round trips over the whole globe and far above and below; one point from the recordings' truth file. */
#include "tests/support/gn_test.h"

#include "gnomon/status.h"
#include "lib/geo/geo.h"

#include <math.h>

#define DEG (3.14159265358979323846 / 180)

static void test_round_trip(void **unused)
{
    (void)unused;
    const double heights[] = {-1e6, -100, 0, 60, 9000, 1e6, 2.02e7, 4e8};
    for (int lat = -90; lat <= 90; lat += 5)
        for (int lon = -180; lon < 180; lon += 15)
            for (size_t i = 0; i < GN_COUNT(heights); i++) {
                struct gn_geo g = {lat * DEG, lon * DEG, heights[i]}, back;
                double x[3], y[3];
                gn_ecef_from_geo(&g, x);
                back = gn_geo_from_ecef(x);
                gn_ecef_from_geo(&back, y);
                for (int k = 0; k < 3; k++)
                    GN_NEAR("place", y[k], x[k], 1e-6 + 1e-14 * heights[i]);
                GN_NEAR("latitude", back.lat_rad, g.lat_rad, 1e-12);
                GN_NEAR("height", back.height_m, g.height_m, 1e-6 + 1e-14 * heights[i]);
            }
}

static void test_known_points(void **unused)
{
    (void)unused;
    double x[3];
    /* equator, pole: the axes of the ellipsoid */
    gn_ecef_from_geo(&(struct gn_geo){0, 0, 0}, x);
    GN_NEAR("a", x[0], 6378137.0, 1e-9);
    gn_ecef_from_geo(&(struct gn_geo){90 * DEG, 0, 0}, x);
    GN_NEAR("b", x[2], 6356752.3142, 1e-4);
    struct gn_geo pole = gn_geo_from_ecef((const double[3]){0, 0, 6356752.3142 + 5});
    GN_NEAR("over the pole", pole.height_m, 5, 1e-3);
    GN_NEAR("over the pole", pole.lat_rad, 90 * DEG, 1e-15);
}

static void test_directions(void **unused)
{
    (void)unused;
    struct gn_geo g = {48.8 * DEG, 2.4 * DEG, 60}, up = g;
    double x[3], y[3], r[3][3], az, el;
    up.height_m += 2e7;
    gn_ecef_from_geo(&g, x);
    gn_ecef_from_geo(&up, y);
    gn_azel(x, y, &az, &el);
    GN_NEAR("zenith", el, 90 * DEG, 1e-9);
    gn_enu_rotation(&g, r);
    for (int k = 0; k < 3; k++)
        y[k] = x[k] + 1000 * (r[0][k] + r[1][k] * 0); /* a kilometre east */
    gn_azel(x, y, &az, &el);
    GN_NEAR("east", az, 90 * DEG, 1e-9);
    GN_NEAR("level", el, 0, 1e-9);
    for (int k = 0; k < 3; k++)
        y[k] = x[k] - 1000 * r[0][k] + 1000 * r[2][k];
    gn_azel(x, y, &az, &el);
    GN_NEAR("west", az, 270 * DEG, 1e-9);
    GN_NEAR("half up", el, 45 * DEG, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_round_trip),
            cmocka_unit_test(test_known_points),
            cmocka_unit_test(test_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
