/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Second opinions: RTKLIB's ionmodel and tropmodel where installed; the test values printed in the NTCM-G
 * description 1.0 (European Commission, 2022), annex. */
#include "tests/support/gn_test.h"

#include "gnomon/status.h"
#include "lib/atmo/atmo.h"
#include "lib/gnss/signal.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>
#include <time.h>

#define DEG (3.14159265358979323846 / 180)

struct rtk_time {
    time_t time;
    double sec;
};

static void *rtk(const char *name)
{
    void *lib = dlopen("libRTKLib.so.1.0.0", RTLD_LAZY); /* it leaves showmsg() to its user */
    return lib != NULL ? dlsym(lib, name) : NULL;
}

static void test_klobuchar_against_rtklib(void **unused)
{
    (void)unused;
    struct rtk_time (*to_time)(int, double);
    double (*ionmodel)(struct rtk_time, const double *, const double *, const double *);
    void *f[2] = {rtk("gpst2time"), rtk("ionmodel")};
    if (f[0] == NULL || f[1] == NULL) {
        print_message("not run: libRTKLib is not installed\n");
        return;
    }
    memcpy(&to_time, &f[0], sizeof f[0]);
    memcpy(&ionmodel, &f[1], sizeof f[1]);
    const double ion[8] = {0.177e-7, -0.7451e-8, -0.596e-7, 0.1192e-6, 0.1311e6, -0.1311e6,
            0.6554e5, -0.2621e6};
    for (int lat = -80; lat <= 80; lat += 40)
        for (int az = 0; az < 360; az += 45)
            for (int el = 5; el <= 85; el += 20)
                for (int tow = 0; tow < 604800; tow += 30011) {
                    struct gn_geo rx = {lat * DEG, 2.4 * lat * DEG, 60};
                    double pos[3] = {rx.lat_rad, rx.lon_rad, rx.height_m};
                    double azel[2] = {az * DEG, el * DEG};
                    double want = ionmodel(to_time(1672, tow), ion, pos, azel);
                    GN_NEAR("delay", gn_iono_klobuchar_m(ion, &rx, azel[0], azel[1], tow), want,
                            1e-6);
                }
}

static void test_tropo_against_rtklib(void **unused)
{
    (void)unused;
    double (*tropmodel)(struct rtk_time, const double *, const double *, double);
    void *f = rtk("tropmodel");
    if (f == NULL) {
        print_message("not run: libRTKLib is not installed\n");
        return;
    }
    memcpy(&tropmodel, &f, sizeof f);
    for (int h = 0; h <= 8000; h += 1000)
        for (int el = 15; el <= 90; el += 5) { /* 1/cos z, as there, is off below */
            struct gn_geo rx = {48.8 * DEG, 2.4 * DEG, h};
            double pos[3] = {rx.lat_rad, rx.lon_rad, rx.height_m}, azel[2] = {0, el * DEG};
            double want = tropmodel((struct rtk_time){0, 0}, pos, azel, 0.5);
            GN_NEAR("delay", gn_tropo_m(&rx, azel[1]), want, 0.02 * want);
        }
}

static void test_tropo_has_no_edges(void **unused)
{
    (void)unused;
    struct gn_geo rx = {0.8, 0, 0};
    double last = 1e9;
    for (rx.height_m = -2000; rx.height_m < 60000; rx.height_m += 10) {
        double d = gn_tropo_m(&rx, 90 * DEG);
        GN_CHECK("falls with height", d <= last + 1e-12 && d >= 0 && isfinite(d));
        GN_CHECK("without a step", last > 1e8 || last - d < 0.02);
        last = d;
    }
    GN_NEAR("space", last, 0, 0);
    GN_CHECK("below the horizon", isfinite(gn_tropo_m(&(struct gn_geo){0}, -1)));
}

/* day 105; hour, receiver lon, lat, height, satellite lon, lat, height, slant TEC */
static const double high_sun[][8] = {
        {0, -62.34, 82.49, 78.11, 8.23, 54.29, 20281546.18, 33.7567},
        {12, -62.34, 82.49, 78.11, 81.09, 35.20, 20278071.03, 65.0500},
        {12, -52.81, 5.25, -25.76, -102.83, -40.74, 20153844.84, 194.4159},
        {20, -52.81, 5.25, -25.76, 10.94, 44.72, 20450566.19, 252.0204},
};
static const double medium_sun[][8] = {
        {4, 40.19, -3.00, -23.32, 107.19, -10.65, 19943686.06, 108.8940},
        {20, 115.89, -31.80, 12.78, 50.87, -50.69, 20186511.77, 12.4908},
};
static const double low_sun[][8] = {
        {0, 141.13, 39.14, 117.00, 165.14, -13.93, 20181976.50, 51.5270},
        {4, -155.46, 19.80, 3754.69, -85.72, 53.69, 20544786.60, 41.9149},
};

static void check_ntcm(const double (*rows)[8], size_t n, const double ai[3])
{
    for (size_t i = 0; i < n; i++) {
        const double *v = rows[i];
        struct gn_geo rx = {v[2] * DEG, v[1] * DEG, v[3]}, sat = {v[5] * DEG, v[4] * DEG, v[6]};
        double a[3], b[3], az, el;
        gn_ecef_from_geo(&rx, a);
        gn_ecef_from_geo(&sat, b);
        gn_azel(a, b, &az, &el);
        double m = gn_iono_ntcm_m(ai, &rx, az, el, 105 + v[0] / 24);
        GN_NEAR("slant TEC", m * GN_F_L1_HZ * GN_F_L1_HZ / 40.3e16, v[7], 0.002 + 2e-4 * v[7]);
    }
}

static void test_ntcm_vectors(void **unused)
{
    (void)unused;
    check_ntcm(high_sun, GN_COUNT(high_sun),
            (const double[3]){236.831641, -0.39362878, 0.00402826613});
    check_ntcm(medium_sun, GN_COUNT(medium_sun),
            (const double[3]){121.129893, 0.351254133, 0.0134635348});
    check_ntcm(low_sun, GN_COUNT(low_sun),
            (const double[3]){2.580271, 0.127628236, 0.0252748384});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_klobuchar_against_rtklib),
            cmocka_unit_test(test_tropo_against_rtklib),
            cmocka_unit_test(test_tropo_has_no_edges),
            cmocka_unit_test(test_ntcm_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
