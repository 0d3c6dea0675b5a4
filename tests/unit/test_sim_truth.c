/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The samples against theory and other people's programs: delay and Doppler against the way worked
 * out afresh for every instant, C/N0 and bit errors against their formulas, pseudoranges through
 * RTKLIB's rnx2rtkp. */
#include "lib/gnss/signal.h"
#include "lib/nav/orbit.h"
#include "lib/nav/rinex.h"
#include "lib/sim/truth.h"
#include "lib/time/time.h"

#include "tests/support/gn_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEG 0.017453292519943295

static struct gn_sim_sky sky, clean;

static struct gn_sim_scene scene(int32_t week, double tow_s, const struct gn_sim_motion *motion)
{
    return (struct gn_sim_scene){.start = {week, tow_s}, .motion = motion, .rate_sps = 4e6,
            .cn0_dbhz = 45, .fade_cn0_dbhz = (double)NAN, .mask_rad = 5 * DEG, .level = 12,
            .noise = 1, .seed = 3, .n_gps = 8, .n_galileo = 8, .seconds_s = 60, .osnma_seed = 1};
}

/* 1 mm and 1 mHz between nodes too, at rest, in motion, with a bad clock, through the week's end */
static void test_precision(void **unused)
{
    (void)unused;
    for (int kind = GN_SIM_STATIC; kind <= GN_SIM_ROCKET; kind++) {
        struct gn_sim_motion m;
        gn_sim_motion_init(&m, 48.84 * DEG, 2.43 * DEG, 60);
        m.kind = (uint32_t)kind;
        m.speed_mps = kind == GN_SIM_STRAIGHT ? 7500 : 40;
        m.radius_m = 80; /* 2 g */
        m.pitch_rad = kind == GN_SIM_ROCKET ? 80 * DEG : 0;
        m.accel_mps2 = kind == GN_SIM_ROCKET ? 50 : 0;
        m.burn_s = 40;
        struct gn_sim_scene s = scene(2420, 604790.1, &m);
        s.clock_ppm = kind;
        s.clock_ppm_per_s = 0.001 * kind;
        s.clock_adev = kind == GN_SIM_CIRCLE ? 1e-10 : 0;
        s.has_ionosphere = s.has_troposphere = kind != GN_SIM_ROCKET;
        assert_int_equal(gn_sim_sky_init(&sky, &s, NULL), GN_OK);
        for (uint32_t i = 0; i < sky.n_channels; i++)
            for (int k = 0; k < 40; k++) {
                double t = 0.37 + 0.7531 * k, d = 1e-3, code[3], ahead[3], h = 1e-3;
                struct gn_sim_way way, before, after;
                const struct gn_ephemeris *e = &sky.channels[i].message.eph;
                for (int j = 0; j < 3; j++)
                    gn_sim_sky_offsets(&sky, i, t + d * (j - 1), &code[j], &ahead[j]);
                gn_sim_way(&s, e, t, &way);
                gn_sim_way(&s, e, t - h, &before);
                gn_sim_way(&s, e, t + h, &after);
                GN_NEAR("delay, m", code[1] * GN_C_MPS, way.code_s * GN_C_MPS, 1e-3);
                GN_NEAR("carrier, m", (code[1] + ahead[1]) * GN_C_MPS,
                        (way.code_s + way.advance_s) * GN_C_MPS, 1e-3);
                GN_NEAR("Doppler", GN_F_L1_HZ * (code[2] + ahead[2] - code[0] - ahead[0]) / (2 * d),
                        GN_F_L1_HZ * (after.code_s + after.advance_s - before.code_s - before.advance_s) / (2 * h),
                        1e-3);
            }
        gn_sim_sky_done(&sky);
    }
}

/* One satellite in noise against the same without: mean and spread of the sums over a bit. */
static void measure(double cn0_dbhz, unsigned signal, int n_bits, double *measured_dbhz, int *n_wrong)
{
    static float re[GN_SIM_TILE], im[GN_SIM_TILE], cr[GN_SIM_TILE], ci[GN_SIM_TILE];
    struct gn_sim_motion m;
    gn_sim_motion_init(&m, 48.84 * DEG, 2.43 * DEG, 60);
    struct gn_sim_scene s = scene(2421, 1000, &m);
    s.rate_sps = GN_SIM_TILE * 1000 / 2.0; /* a bit is ten tiles */
    s.cn0_dbhz = cn0_dbhz;
    s.n_gps = signal == GN_SIG_GPS_L1CA;
    s.n_galileo = signal == GN_SIG_GAL_E1;
    assert_int_equal(gn_sim_sky_init(&sky, &s, NULL), GN_OK);
    s.noise = 0;
    assert_int_equal(gn_sim_sky_init(&clean, &s, NULL), GN_OK);
    double sum = 0, square = 0;
    *n_wrong = 0;
    for (int bit = 0; bit < n_bits; bit++) {
        double x = 0;
        for (int k = 0; k < 10; k++) {
            gn_sim_sky_antenna(&sky, (uint64_t)(10 * bit + k), re, im);
            gn_sim_sky_antenna(&clean, (uint64_t)(10 * bit + k), cr, ci);
            for (size_t i = 0; i < GN_SIM_TILE; i++)
                x += (double)(re[i] * cr[i] + im[i] * ci[i]);
        }
        sum += x;
        square += x * x;
        *n_wrong += x < 0;
    }
    double mean = sum / n_bits, var = square / n_bits - mean * mean;
    *measured_dbhz = 10 * log10(mean * mean / (2 * var * 0.020));
    gn_sim_sky_done(&sky);
    gn_sim_sky_done(&clean);
}

static void test_statistics(void **unused)
{
    (void)unused;
    for (unsigned signal = GN_SIG_GPS_L1CA; signal <= GN_SIG_GAL_E1; signal++) {
        double got = 0;
        int n_wrong = 0;
        measure(45, signal, 400, &got, &n_wrong);
        print_message("%s: 45 dB-Hz measured as %.2f\n", gn_signal_names[signal], got);
        GN_NEAR("C/N0", got, 45, 0.6); /* spread of a variance of 400: 0.31 dB */
        measure(20, signal, 1000, &got, &n_wrong);
        double want = 1000 * 0.5 * erfc(sqrt(100 * 0.020)); /* Q(sqrt(2 C/N0 T)) = 2.28 % */
        print_message("at 20 dB-Hz %d of 1000 bits wrong, theory %.1f\n", n_wrong, want);
        GN_NEAR("bit errors", n_wrong, want, 4 * sqrt(want));
    }
}

/* ---- RTKLIB -------------------------------------------------------------------------------------
 */

static void put_time(FILE *f, int32_t week, double tow_s, bool is_obs)
{
    struct gn_civil c;
    double whole = floor(tow_s);
    assert_int_equal(gn_civil_from_tai(GN_TIME_GPST, gn_tai_from_gps(week, (int64_t)whole), &c), GN_OK);
    (void)fprintf(f, "%s%04d %02d %02d %02d %02d", is_obs ? "> " : " ", c.year, c.month, c.day, c.hour, c.minute);
    if (is_obs)
        (void)fprintf(f, "%11.7f", c.second + tow_s - whole);
    else
        (void)fprintf(f, " %02d", c.second);
}

static void nav_line(FILE *f, double a, double b, double c, double d)
{
    (void)fprintf(f, "    %19.12E%19.12E%19.12E%19.12E\n", a, b, c, d);
}

static void write_nav(const char *path, const double k[8])
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    (void)fprintf(f, "%9.2f%11s%-20s%-20s%-20s\n", 3.04, "", "N: GNSS NAV DATA", "M: MIXED", "RINEX VERSION / TYPE");
    (void)fprintf(f, "GPSA %12.4E%12.4E%12.4E%12.4E%7sIONOSPHERIC CORR\n", k[0], k[1], k[2], k[3], "");
    (void)fprintf(f, "GPSB %12.4E%12.4E%12.4E%12.4E%7sIONOSPHERIC CORR\n%60sEND OF HEADER\n", k[4], k[5], k[6], k[7], "", "");
    for (uint32_t i = 0; i < sky.n_channels; i++) {
        const struct gn_ephemeris *e = &sky.channels[i].message.eph;
        bool gal = e->signal == GN_SIG_GAL_E1;
        (void)fprintf(f, "%c%02d", gal ? 'E' : 'G', e->prn);
        put_time(f, e->week_toc, e->toc_s, false);
        (void)fprintf(f, "%19.12E%19.12E%19.12E\n", e->af0_s, e->af1, e->af2);
        nav_line(f, e->iode, e->crs_m, e->delta_n_rps, e->m0_rad);
        nav_line(f, e->cuc_rad, e->e, e->cus_rad, e->sqrt_a);
        nav_line(f, e->toe_s, e->cic_rad, e->omega0_rad, e->cis_rad);
        nav_line(f, e->i0_rad, e->crc_m, e->omega_rad, e->omegadot_rps);
        nav_line(f, e->idot_rps, gal ? 517 : 0, e->week, 0);
        nav_line(f, gal ? 3.12 : 2.0, 0, e->tgd_s, gal ? e->tgd_s : e->iodc);
        nav_line(f, e->toe_s, 4, 0, 0);
    }
    (void)fclose(f);
}

#define EPOCHS 30

static void write_obs(const char *path, double truth_m[EPOCHS][3])
{
    FILE *f = fopen(path, "w");
    static struct gn_msg_sim_truth t;
    assert_non_null(f);
    (void)fprintf(f, "%9.2f%11s%-20s%-20s%-20s\n%-60s%-20s\n%-60s%-20s\n%60s%-20s\n", 3.03, "", "OBSERVATION DATA",
            "M: MIXED", "RINEX VERSION / TYPE", "G    2 C1C L1C", "SYS / # / OBS TYPES", "E    2 C1C L1C",
            "SYS / # / OBS TYPES", "", "END OF HEADER");
    for (int k = 0; k < EPOCHS; k++) {
        gn_sim_truth(&sky, (uint64_t)(k * sky.scene.rate_sps), &t);
        memcpy(truth_m[k], t.ecef_m, sizeof t.ecef_m);
        put_time(f, sky.scene.start.week, sky.scene.start.tow_s + k, true);
        (void)fprintf(f, "  0%3u\n", t.n_sats);
        for (uint32_t i = 0; i < t.n_sats; i++)
            (void)fprintf(f, "%c%02d%14.3f  %14.3f  \n", t.sats[i].signal == GN_SIG_GAL_E1 ? 'E' : 'G', t.sats[i].prn,
                    t.sats[i].pseudorange_m, fmod(t.sats[i].carrier_cycles, 1e9));
    }
    (void)fclose(f);
}

static int judge(const char *dir, const char *atmosphere, double truth_m[EPOCHS][3])
{
    char command[900], line[400];
    int n = 0;
    (void)snprintf(command, sizeof command,
            "cd %s && printf 'pos1-posmode=single\\npos1-frequency=l1\\n%spos1-navsys=9\\npos1-elmask=5\\n"
            "out-solformat=xyz\\nout-timesys=gpst\\nout-timeform=tow\\n' > c.conf && rnx2rtkp -k c.conf -o c.pos a.obs "
            "a.nav 2>/dev/null", dir, atmosphere);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): a fixed command in our own folder */
    (void)snprintf(command, sizeof command, "%s/c.pos", dir);
    FILE *f = fopen(command, "r");
    double worst_m = 0;
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        double v[5];
        if (line[0] == '%' || sscanf(line, "%lf %lf %lf %lf %lf", &v[0], &v[1], &v[2], &v[3], &v[4]) != 5)
            continue;
        int k = (int)lround((v[0] - sky.scene.start.week) * GN_WEEK_S + v[1] - sky.scene.start.tow_s);
        assert_true(k >= 0 && k < EPOCHS);
        worst_m = fmax(worst_m, hypot(hypot(v[2] - truth_m[k][0], v[3] - truth_m[k][1]), v[4] - truth_m[k][2]));
        n++;
    }
    (void)fclose(f);
    print_message("RTKLIB: %d positions, at most %.3f m from the truth\n", n, worst_m);
    GN_NEAR("distance", worst_m, 0, 1);
    return n;
}

static void test_rtklib(void **unused)
{
    (void)unused;
    if (access("/usr/bin/rnx2rtkp", X_OK) != 0) {
        print_message("not run: rnx2rtkp is not installed\n");
        return;
    }
    for (int kind = GN_SIM_STATIC; kind <= GN_SIM_STRAIGHT; kind++) {
        char dir[] = "/tmp/gn_sim_XXXXXX", path[64], command[80];
        double truth_m[EPOCHS][3], klobuchar[8];
        struct gn_sim_motion m;
        gn_sim_motion_init(&m, 48.84 * DEG, 2.43 * DEG, 60);
        m.kind = (uint32_t)kind;
        m.speed_mps = kind == GN_SIM_STRAIGHT ? 250 : 30;
        m.radius_m = 200;
        struct gn_sim_scene s = scene(2420, 604785, &m);
        s.has_ionosphere = s.has_troposphere = kind == GN_SIM_CIRCLE;
        assert_int_equal(gn_sim_sky_init(&sky, &s, NULL), GN_OK);
        gn_sim_klobuchar(&s, klobuchar);
        assert_non_null(mkdtemp(dir));
        (void)snprintf(path, sizeof path, "%s/a.nav", dir);
        write_nav(path, klobuchar);
        struct gn_rinex_nav nav = {0}; /* our own reader takes it, and says the same */
        struct gn_error err = {0};
        if (gn_rinex_nav_read(path, &nav, &err) != GN_OK)
            fail_msg("%s", err.text);
        assert_int_equal(nav.n_eph, sky.n_channels);
        for (uint32_t i = 0; i < nav.n_eph; i++)
            GN_NEAR("read back", nav.eph[i].m0_rad, sky.channels[i].message.eph.m0_rad, 1e-11);
        gn_rinex_nav_done(&nav);
        (void)snprintf(path, sizeof path, "%s/a.obs", dir);
        write_obs(path, truth_m);
        int n = judge(dir, kind == GN_SIM_CIRCLE ? "pos1-ionoopt=brdc\\npos1-tropopt=saas\\n" : "pos1-ionoopt=off\\npos1-tropopt=off\\n", truth_m);
        GN_CHECK("every epoch", n == EPOCHS);
        (void)snprintf(command, sizeof command, "rm -r %s", dir);
        assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
        gn_sim_sky_done(&sky);
    }
}

static gn_status parse(const char *text, struct gn_error *err)
{
    struct gn_sim_motion m = {0};
    gn_status st = gn_sim_motion_parse(&m, text, strlen(text), err);
    gn_sim_motion_done(&m);
    return st;
}

static void test_tracks(void **unused)
{
    (void)unused;
    struct gn_error err = {0};
    struct gn_sim_motion m = {0};
    double p[3], v[3];
    const char *csv = "t,lat,lon,height\n0,48,2,100\n10,48.001,2,100\n20,48.002,2,100\n";
    assert_int_equal(gn_sim_motion_parse(&m, csv, strlen(csv), &err), GN_OK);
    gn_sim_motion_at(&m, 10, p, v);
    GN_NEAR("speed", hypot(hypot(v[0], v[1]), v[2]), 11.12, 0.01); /* a thousandth of a degree in 10 s */
    gn_sim_motion_done(&m);
    const char *nmea = "$GPGGA,235959.00,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,\r\n"
                       "$GPGGA,000000.00,4807.039,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,\r\n";
    assert_int_equal(gn_sim_motion_parse(&m, nmea, strlen(nmea), &err), GN_OK);
    GN_NEAR("over midnight", m.points[1].t_s, 1, 1e-9);
    gn_sim_motion_done(&m);
    const char *gpx = "<?xml version=\"1.0\"?>\n<gpx><trk><trkseg>\n"
                      "<trkpt lat=\"48.1\" lon=\"11.5\"><ele>500</ele><time>2023-08-16T05:00:00Z</time></trkpt>\n"
                      "<trkpt lat=\"48.1001\" lon=\"11.5\"><ele>501</ele><time>2023-08-16T05:00:02Z</time></trkpt>\n"
                      "</trkseg></trk></gpx>\n";
    assert_int_equal(gn_sim_motion_parse(&m, gpx, strlen(gpx), &err), GN_OK);
    GN_NEAR("gpx time", m.points[1].t_s, 2, 1e-6);
    gn_sim_motion_done(&m);
    assert_int_equal(parse("0,48,2,100\n1,48,x,100\n", &err), GN_E_DATA);
    assert_int_equal(err.line, 2);
    assert_int_equal(parse("0,48,2,100\n0,48,2,100\n", &err), GN_E_DATA);
    assert_non_null(strstr(err.text, "time does not go on"));
    assert_int_equal(parse("0,148,2,100\n", &err), GN_E_DATA);
    assert_int_equal(parse("", &err), GN_E_DATA);
    assert_int_equal(parse("$GPGGA,235959.00,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*00\n", &err), GN_E_DATA);
    assert_non_null(strstr(err.text, "checksum"));
}

/* The almanac's pages of GPS, read by the table of IS-GPS-200, give the satellite's place within
 * kilometres, hours from its ephemeris too. */
static double field(const uint8_t *data, unsigned at, unsigned n, bool is_signed, double step)
{
    int64_t v = 0;
    for (unsigned i = at; i < at + n; i++)
        v = v << 1 | (data[i / 8] >> (7 - i % 8) & 1);
    if (is_signed && v >> (n - 1) != 0)
        v -= 1LL << n;
    return (double)v * step;
}

static void test_almanac(void **unused)
{
    (void)unused;
    struct gn_sim_motion m;
    gn_sim_motion_init(&m, 0, 0, 0);
    struct gn_sim_scene s = scene(2421, 602000, &m); /* toe may lie in the next week */
    assert_int_equal(gn_sim_sky_init(&sky, &s, NULL), GN_OK);
    for (unsigned page = 1; page <= 24; page++) {
        uint8_t data[GN_LNAV_DATA_BYTES] = {0};
        struct gn_sat_state want, got;
        assert_true(gn_sim_lnav_almanac(&sky.almanac, 5, page, data));
        struct gn_ephemeris e = {.signal = GN_SIG_GPS_L1CA, .week = 2421, .week_toc = 2421,
                .e = field(data, 56, 16, false, 0x1p-21), .toe_s = field(data, 72, 8, false, 4096),
                .i0_rad = GN_PI * (0.3 + field(data, 80, 16, true, 0x1p-19)),
                .omegadot_rps = GN_PI * field(data, 96, 16, true, 0x1p-38),
                .sqrt_a = field(data, 120, 24, false, 0x1p-11), .omega0_rad = GN_PI * field(data, 144, 24, true, 0x1p-23),
                .omega_rad = GN_PI * field(data, 168, 24, true, 0x1p-23), .m0_rad = GN_PI * field(data, 192, 24, true, 0x1p-23)};
        assert_int_equal(data[6], 0x40 | page);
        e.af0_s = (field(data, 216, 8, true, 8) + field(data, 235, 3, false, 1)) * 0x1p-20;
        gn_orbit_at(&sky.almanac.gps[page - 1], 2421, 602000, &want);
        gn_orbit_at(&e, 2421, 602000, &got);
        for (int k = 0; k < 3; k++)
            GN_NEAR("almanac place", got.pos_ecef_m[k], want.pos_ecef_m[k], 4000);
        GN_NEAR("almanac clock", sky.almanac.gps[page - 1].af0_s, e.af0_s, 1e-6);
    }
    gn_sim_sky_done(&sky);
}

/* A RINEX 4 file: ephemeris and ionosphere; errors name the line. */
static void test_rinex_4(void **unused)
{
    (void)unused;
    struct gn_rinex_nav nav = {0};
    struct gn_error err = {0};
    assert_int_equal(gn_rinex_nav_read(GN_SOURCE_DIR "/tests/fuzz/corpus/rinex/v4.rnx", &nav, &err), GN_OK);
    assert_int_equal(nav.n_eph, 1);
    GN_NEAR("toe", nav.eph[0].toe_s, 280800, 0);
    GN_CHECK("week", nav.eph[0].week == 2275 && nav.eph[0].prn == 5 && nav.eph[0].iode == 51);
    GN_NEAR("alpha3", nav.klobuchar[3], -1.1921e-7, 1e-15);
    GN_NEAR("beta3", nav.klobuchar[7], -6.5536e4, 1e-6);
    assert_null(gn_rinex_nav_find(&nav, GN_SIG_GPS_L1CA, 5, 2275, 280800 + 7201));
    assert_non_null(gn_rinex_nav_find(&nav, GN_SIG_GPS_L1CA, 5, 2275, 280800 - 7199));
    gn_rinex_nav_done(&nav);
    assert_int_equal(gn_rinex_nav_read(GN_SOURCE_DIR "/tests/fuzz/corpus/rinex/v3.rnx", &nav, &err), GN_OK);
    GN_CHECK("v3", nav.n_eph == 2 && nav.has_klobuchar && nav.has_gal_ai && nav.gps_utc.is_set && nav.leap_s == 18 &&
            nav.eph[1].signal == GN_SIG_GAL_E1 && nav.eph[1].ura_sisa == 107 && nav.gps_utc.week == 2275);
    gn_rinex_nav_done(&nav);
    assert_int_equal(gn_rinex_nav_read(GN_SOURCE_DIR "/tests/fuzz/corpus/rinex/bad.rnx", &nav, &err), GN_E_DATA);
    assert_int_equal(err.line, 3);
    assert_int_equal(gn_rinex_nav_read("/nowhere.rnx", &nav, &err), GN_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_precision), cmocka_unit_test(test_statistics),
            cmocka_unit_test(test_rtklib), cmocka_unit_test(test_tracks),
            cmocka_unit_test(test_almanac),
            cmocka_unit_test(test_rinex_4)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
