/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Exact text, line form by our own pattern, and the numbers read back by gpsdecode where it is installed. */
#include "tests/support/gn_test.h"

#include "gnomon/status.h"
#include "lib/geo/geo.h"
#include "lib/geo/geoid.h"
#include "lib/gnss/signal.h"
#include "lib/nmea/nmea.h"

#include <math.h>
#include <regex.h>
#include <string.h>
#include <unistd.h>

#define DEG (3.14159265358979323846 / 180)

static void test_angles(void **unused)
{
    (void)unused;
    static const struct {
        double deg;
        int n_digits, n_decimals;
        const char *want;
        int is_negative;
    } rows[] = {
            {38.024680, 2, 4, "3801.4808", 0},
            {40.9999999999, 2, 4, "4100.0000", 0},
            {59.99999999999, 2, 7, "6000.0000000", 0},
            {29.99999999999, 3, 5, "03000.00000", 0},
            {2.01, 3, 5, "00200.60000", 0},
            {-1e-8, 2, 4, "0000.0000", 0},
            {-0.5, 2, 4, "0030.0000", 1},
            {179.9999999999, 3, 5, "18000.00000", 0},
            {-180, 3, 5, "18000.00000", 1},
            {-33.0000000083, 2, 5, "3300.00000", 1},
            {90, 2, 5, "9000.00000", 0},
    };
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        char text[20];
        int is_negative;
        gn_nmea_angle(rows[i].deg, rows[i].n_digits, rows[i].n_decimals, text, &is_negative);
        GN_CHECK(rows[i].want, strcmp(text, rows[i].want) == 0);
        GN_CHECK(rows[i].want, is_negative == rows[i].is_negative);
    }
}

static void test_checksum(void **unused)
{
    (void)unused;
    assert_int_equal(gn_nmea_checksum("GNRMC,203857.00,A,3801.4808,N,02350.6841,E,0.00,0.00,280317,,,A,V"),
            0x3f);
}

static struct gn_msg_pvt_fix sample(double lat_deg, double lon_deg, double height_m)
{
    struct gn_msg_pvt_fix f = {.week = 1942, .tow_s = 246757 - 18, .solution = GN_SOLUTION_ALL,
            .trust = GN_TRUST_UNAUTHENTICATED, .lat_deg = lat_deg, .lon_deg = lon_deg,
            .height_m = height_m, .dop = {2.1F, 1.8F, 1.0F, 1.5F}, .sigma_h_m = 1.4142,
            .sigma_v_m = 2.5, .utc = "2017-03-28T20:38:57.000Z"};
    struct gn_geo g = {lat_deg * DEG, lon_deg * DEG, height_m};
    gn_ecef_from_geo(&g, f.ecef_m);
    for (uint8_t i = 0; i < 14; i++)
        f.sats[f.n_used++] = (struct gn_pvt_sat){.signal = GN_SIG_GPS_L1CA, .prn = (uint8_t)(i + 1),
                .residual_m = 1, .elevation_rad = 0.5F, .azimuth_rad = 6.2827F};
    f.sats[f.n_used++] = (struct gn_pvt_sat){.signal = GN_SIG_GAL_E1, .prn = 36, .residual_m = 1,
            .elevation_rad = 1.0F, .azimuth_rad = 1.0F};
    return f;
}

static const char *line_of(const struct gn_nmea_text *t, const char *start)
{
    const char *at = strstr(t->s, start);
    assert_non_null(at);
    return at;
}

static int starts(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

static void test_sentences(void **unused)
{
    (void)unused;
    struct gn_msg_pvt_fix f = sample(38.024680, 23.844735, 100);
    struct gn_msg_obs o = {.tow_s = f.tow_s, .n_sats = 2,
            .sats = {{.signal = GN_SIG_GAL_E1, .prn = 36, .cn0_dbhz = 41.6},
                    {.signal = GN_SIG_GAL_E1, .prn = 11, .cn0_dbhz = 30}}};
    static struct gn_nmea_text t;
    t.n = 0;
    gn_nmea_fix(&f, &o, ~0ULL, 4, &t);
    assert_true(starts(line_of(&t, "$GNRMC"),
            "$GNRMC,203857.00,A,3801.4808,N,02350.6841,E,0.00,,280317,,,A,V*"));
    assert_true(starts(line_of(&t, "$GNGGA"), "$GNGGA,203857.00,3801.4808,N,02350.6841,E,1,15,1.00,"));
    assert_true(starts(line_of(&t, "$GNGSA"),
            "$GNGSA,A,3,01,02,03,04,05,06,07,08,09,10,11,12,1.80,1.00,1.50,1*"));
    assert_non_null(strstr(t.s, "$GNGSA,A,3,13,14,,,,,,,,,,,1.80,1.00,1.50,1*"));
    assert_non_null(strstr(t.s, "$GNGSA,A,3,36,,,,,,,,,,,,1.80,1.00,1.50,3*"));
    assert_non_null(strstr(t.s, "$GPGSV,4,1,14,01,29,000,,02,"));
    assert_non_null(strstr(t.s, "$GAGSV,1,1,02,36,57,057,42,11,,,30,7*"));
    assert_non_null(strstr(t.s, "$GNGST,203857.00,1.00,,,,1.00,1.00,2.50*"));
    assert_non_null(strstr(t.s, "$GNZDA,203857.00,28,03,2017,00,00*"));
    f.trust = GN_TRUST_SPOOFING_SUSPECTED;
    t.n = 0;
    gn_nmea_fix(&f, NULL, 1u << GN_NMEA_RMC, 4, &t);
    assert_non_null(strstr(t.s, ",A,U*"));
}

static void test_leap_second_and_no_time(void **unused)
{
    (void)unused;
    struct gn_msg_pvt_fix f = sample(-1e-8, 179.9999999999, 0);
    static struct gn_nmea_text t;
    (void)snprintf(f.utc, sizeof f.utc, "2016-12-31T23:59:60.000Z");
    t.n = 0;
    gn_nmea_fix(&f, NULL, 3, 5, &t);
    assert_non_null(strstr(t.s, "$GNGGA,235960.00,0000.00000,N,18000.00000,E,1,"));
    assert_non_null(strstr(t.s, ",311216,"));
    f.utc[0] = 0;
    t.n = 0;
    gn_nmea_fix(&f, NULL, ~0ULL, 5, &t);
    assert_non_null(strstr(t.s, "$GNGGA,,0000.00000,N,"));
    assert_non_null(strstr(t.s, ",E,0.00,,,,,A,V*"));
    assert_null(strstr(t.s, "ZDA"));
}

/* each line over the whole Earth: form, length, checksum */
static void test_form(void **unused)
{
    (void)unused;
    static struct gn_nmea_text t;
    regex_t form;
    assert_int_equal(regcomp(&form,
                             "^[$]G[NPA][A-Z]{3}(,([0-9A-Z]*|-?[0-9]+[.][0-9]+))*[*][0-9A-F]{2}\r$",
                             REG_EXTENDED | REG_NOSUB),
            0);
    const double heights[] = {-400, 0, 8848, 5e5};
    for (double lat = -90; lat <= 90; lat += 7.49999)
        for (double lon = -180; lon <= 180; lon += 29.99999)
            for (size_t i = 0; i < GN_COUNT(heights); i++) {
                struct gn_msg_pvt_fix f = sample(lat, lon, heights[i]);
                f.vel_ecef_mps[0] = 7000;
                t.n = 0;
                gn_nmea_fix(&f, NULL, ~0ULL, 5, &t);
                for (char *line = t.s, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
                    *end = 0;
                    GN_CHECK(line, strlen(line) + 1 <= GN_NMEA_LINE_MAX);
                    GN_CHECK(line, regexec(&form, line, 0, NULL, 0) == 0);
                    char *star = strchr(line, '*');
                    unsigned sum = (unsigned)strtoul(star + 1, NULL, 16);
                    *star = 0;
                    GN_CHECK(line, gn_nmea_checksum(line + 1) == sum);
                }
            }
    regfree(&form);
}

static double json_number(const char *json, const char *key)
{
    const char *at = strstr(json, key);
    return at != NULL ? strtod(at + strlen(key), NULL) : (double)NAN;
}

static void test_gpsdecode_reads_the_same(void **unused)
{
    (void)unused;
    if (access("/usr/bin/gpsdecode", X_OK) != 0) {
        print_message("not run: gpsdecode is not installed\n");
        return;
    }
    static const double places[][3] = {
            {38.02468, 23.844735, 100}, {-33.9, -151.2, 20}, {59.99999999999, -0.001, 3}, {-0.3, 179.99, 0}};
    for (size_t i = 0; i < GN_COUNT(places); i++) {
        struct gn_msg_pvt_fix f = sample(places[i][0], places[i][1], places[i][2]);
        static struct gn_nmea_text t;
        char path[] = "/tmp/gn_nmea_XXXXXX", command[200], json[65536];
        f.vel_ecef_mps[2] = 12;
        t.n = 0;
        for (int k = 0; k < 4; k++) { /* it learns the cycle from the first two epochs */
            f.utc[18] = (char)('4' + k);
            gn_nmea_fix(&f, NULL, 7, 5, &t);
        }
        int fd = mkstemp(path);
        assert_true(fd >= 0 && write(fd, t.s, t.n) == (ssize_t)t.n);
        (void)close(fd);
        (void)snprintf(command, sizeof command, "gpsdecode -j < %s", path);
        FILE *p = popen(command, "r"); /* NOLINT(cert-env33-c): a fixed command on our own file */
        assert_non_null(p);
        json[fread(json, 1, sizeof json - 1, p)] = 0;
        (void)pclose(p);
        (void)unlink(path);
        const char *tpv = strstr(json, "\"TPV\"");
        assert_non_null(tpv);
        GN_NEAR("lat", json_number(tpv, "\"lat\":"), places[i][0], 1e-7);
        GN_NEAR("lon", json_number(tpv, "\"lon\":"), places[i][1], 1e-7);
        assert_non_null(strstr(json, "2017-03-28T20:38:57"));
        const char *alt = strstr(json, "\"altHAE\":") ? strstr(json, "\"altHAE\":") : json;
        if (alt != json)
            GN_NEAR("height", json_number(alt, "\"altHAE\":"), places[i][2], 0.2);
    }
}

/* undulations of well-known places, EGM96 */
static void test_geoid(void **unused)
{
    (void)unused;
    static const double rows[][3] = {
            {48.84, 2.43, 44.9}, {0, 0, 17.2}, {4, 79, -106}, {60, -30, 63.8}, {90, 0, 13.6}, {-90, 77, -29.5}};
    for (size_t i = 0; i < GN_COUNT(rows); i++)
        GN_NEAR("undulation", gn_geoid_m(rows[i][0] * DEG, rows[i][1] * DEG), rows[i][2], 2.5);
    GN_NEAR("date line", gn_geoid_m(0.3, 3.1415926), gn_geoid_m(0.3, -3.1415926), 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_angles),
            cmocka_unit_test(test_checksum),
            cmocka_unit_test(test_sentences),
            cmocka_unit_test(test_leap_second_and_no_time),
            cmocka_unit_test(test_form),
            cmocka_unit_test(test_gpsdecode_reads_the_same),
            cmocka_unit_test(test_geoid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
