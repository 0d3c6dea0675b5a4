/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The simulated sky against itself read another way: orbits against Kepler's third law and the
 * week's edge, pages against CRC and parity, samples against a correlation with codes and phases
 * computed here from truth. */
#include "lib/gnss/codes.h"
#include "lib/gnss/signal.h"
#include "lib/nav/lnav.h"
#include "lib/nav/orbit.h"
#include "lib/sim/sky.h"

#include "tests/support/gn_test.h"

#include <math.h>
#include <string.h>

#define DEG 0.017453292519943295
#define TAU 6.283185307179586

static struct gn_sim_scene scene_at(double lat_deg, double lon_deg, int32_t week, double tow_s)
{
    struct gn_sim_scene s = {.start = {week, tow_s},
            .rate_sps = 4e6,
            .cn0_dbhz = 45,
            .fade_cn0_dbhz = (double)NAN,
            .mask_rad = 5 * DEG,
            .level = 12,
            .noise = 1,
            .seed = 1,
            .n_gps = 8,
            .n_galileo = 8,
            .seconds_s = 60,
            .osnma_seed = 1,
            .has_osnma = true};
    gn_sim_ecef(lat_deg * DEG, lon_deg * DEG, 100, s.ecef_m);
    return s;
}

static double norm(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* heights, speeds, and a sky that changes smoothly over toe changes and the week's edge */
static void test_orbits(void **state)
{
    (void)state;
    for (unsigned signal = GN_SIG_GPS_L1CA; signal <= GN_SIG_GAL_E1; signal++) {
        unsigned n = signal == GN_SIG_GAL_E1 ? GN_SIM_GAL_SATS : GN_SIM_GPS_SATS;
        double a_m = signal == GN_SIG_GAL_E1 ? 29600318 : 26560000;
        for (unsigned i = 0; i < n; i++) {
            struct gn_ephemeris old = {0}, e;
            for (int k = 0; k < 40; k++) {
                struct gn_sim_time t = {
                        k < 20 ? 2420 : 2421, k < 20 ? 604800 - 1800 * (20 - k) : 1800 * (k - 20)};
                struct gn_sat_state now, before;
                gn_sim_ephemeris(signal, i, t, &e);
                gn_orbit_at(&e, t.week, t.tow_s, &now);
                GN_NEAR("radius", norm(now.pos_ecef_m), a_m, a_m * 0.013);
                GN_CHECK("age", fabs(gn_orbit_age_s(&e, t.week, t.tow_s)) <= 3600);
                if (k > 0) { /* the ephemeris of half an hour ago says nearly the same */
                    gn_orbit_at(&old, t.week, t.tow_s, &before);
                    for (int x = 0; x < 3; x++)
                        GN_NEAR("step", now.pos_ecef_m[x], before.pos_ecef_m[x], 4000);
                }
                old = e;
            }
        }
    }
}

static void test_sky_is_full(void **state)
{
    (void)state;
    static const double places[][2] = {
            {48.86, 2.29}, {0, 0}, {-33.9, 151.2}, {64.1, -21.9}, {35.7, 139.7}};
    struct gn_ephemeris e[GN_SIM_SATS_MAX];
    for (size_t p = 0; p < GN_COUNT(places); p++) {
        size_t n_total = 0;
        for (int h = 0; h < 24; h++) {
            struct gn_sim_scene s = scene_at(places[p][0], places[p][1], 2421, 3600.0 * h);
            n_total +=
                    gn_sim_visible(GN_SIG_GPS_L1CA, s.start, s.ecef_m, 5 * DEG, GN_SIM_SATS_MAX, e);
            n_total +=
                    gn_sim_visible(GN_SIG_GAL_E1, s.start, s.ecef_m, 5 * DEG, GN_SIM_SATS_MAX, e);
        }
        GN_CHECK("16 at the mean", n_total >= 16 * 24);
    }
}

/* what is sent over the week's edge decodes, parity and CRC good, in the right order */
static void test_messages(void **state)
{
    (void)state;
    struct gn_ephemeris eph;
    struct gn_sim_message m;
    const struct gn_sim_time t = {2420, 604770};
    gn_sim_ephemeris(GN_SIG_GPS_L1CA, 4, t, &eph);
    gn_sim_message_init(&m, &eph, t.week, 604770);
    uint32_t raw = 0;
    for (int64_t bit = -600; bit < 6000;
            bit++) { /* words begin at multiples of 30 bits of the week */
        raw = raw << 1 | (gn_sim_message_symbol(&m, bit) < 0);
        uint32_t data = 0;
        if (bit % 30 == 29 || bit % 30 == -1)
            GN_CHECK("parity", bit < -568 || gn_lnav_word_check(raw, &data));
        if (bit == 29)
            GN_CHECK("preamble", data >> 16 == GN_LNAV_PREAMBLE);
    }
    gn_sim_ephemeris(GN_SIG_GAL_E1, 7, t, &eph);
    gn_sim_message_init(&m, &eph, t.week, 604770);
    int n_time = 0;
    for (int page = -2; page < 40; page++) {
        uint8_t bits[30], word[16];
        float soft[240];
        for (int part = 0; part < 2; part++) {
            int64_t at = 250 + 500 * page + 250 * part;
            for (int k = 0; k < 10; k++)
                GN_CHECK("sync", (gn_sim_message_symbol(&m, at + k) < 0) == gn_inav_sync[k]);
            for (int k = 0; k < 240; k++)
                soft[k] = gn_sim_message_symbol(&m, at + 10 + k);
            (void)gn_inav_part_decode(soft, bits + 15 * part);
        }
        GN_CHECK("crc", gn_inav_page_is_good(bits));
        (void)gn_inav_word(bits, word);
        int32_t wn = -1;
        uint32_t tow_s = 0;
        if (gn_inav_time_read(word, &wn, &tow_s)) {
            int64_t t_s = 604771 + 2 * page;
            GN_CHECK("time", tow_s == t_s % 604800 && (wn < 0 || wn == 2420 - 1024 + t_s / 604800));
            n_time++;
        }
    }
    assert_true(n_time > 10);
}

static struct gn_sim_sky sky;

static void test_tiles(void **state)
{
    (void)state;
    static int8_t a[8][2 * GN_SIM_TILE], b[2 * GN_SIM_TILE];
    struct gn_sim_scene s = scene_at(48.86, 2.29, 2421, 158400.1);
    assert_int_equal(gn_sim_sky_init(&sky, &s, NULL), GN_OK);
    assert_int_equal(sky.n_channels, 16);
    for (uint64_t i = 0; i < 8; i++)
        gn_sim_sky_tile(&sky, 1950 + i, a[i]);
    for (uint64_t i = 8; i-- > 0;) { /* backwards, over the edge of a second */
        gn_sim_sky_tile(&sky, 1950 + i, b);
        GN_CHECK("order", memcmp(a[i], b, sizeof b) == 0);
    }
    double square = 0;
    for (size_t i = 0; i < sizeof a; i++)
        square += ((int8_t *)a)[i] * ((int8_t *)a)[i];
    GN_NEAR("level", sqrt(square / sizeof a), 12.8, 0.3); /* noise 12, 16 signals of -24 dB each */
    gn_sim_sky_done(&sky);
}

/* Code delay, Doppler, phase and amplitude of each satellite, alone and without noise, over 20 ms.
 */
static void test_samples(void **state)
{
    (void)state;
    static int8_t x[2 * 40 * GN_SIM_TILE];
    struct gn_sim_scene s = scene_at(48.86, 2.29, 2421, 158400.1);
    s.noise = 0;
    s.is_sine_boc = true;
    s.cn0_dbhz = 80; /* amplitude 12 sqrt(2 1e8 / 4e6) = 85 */
    for (int is_gal = 0; is_gal < 2; is_gal++) {
        s.n_gps = is_gal ? 0 : 1;
        s.n_galileo = is_gal ? 1 : 0;
        s.clock_ppm = is_gal ? -20 : 5;
        assert_int_equal(gn_sim_sky_init(&sky, &s, NULL), GN_OK);
        uint64_t first = 30000; /* tile: 15.36 s */
        for (uint64_t i = 0; i < 40; i++)
            gn_sim_sky_tile(&sky, first + i, x + 2 * GN_SIM_TILE * i);
        int8_t chips[4092];
        size_t n_chips = is_gal ? 4092 : 1023, n_good = 0;
        assert_int_equal(gn_code_chips(is_gal ? GN_SIG_GAL_E1 : GN_SIG_GPS_L1CA,
                                 is_gal ? GN_CODE_PILOT : GN_CODE_DATA,
                                 sky.channels[0].message.eph.prn, chips, n_chips),
                GN_OK);
        double sum[2] = {0};
        double period_before = -1, amplitude = is_gal ? 85 / sqrt(2) : 85, n_sum = 0;
        for (size_t i = 0; i < 40 * GN_SIM_TILE; i++) {
            double n = (double)(first * GN_SIM_TILE + i), u = gn_sim_sky_signal_time_s(&sky, 0, n);
            double chip = fmod((0.1 + u) * 1.023e6, (double)n_chips),
                   period = floor((0.1 + u) * 1.023e6 / (double)n_chips);
            if (period != period_before && n_sum > 0.9 * (double)n_chips / 1.023e6 * 4e6) {
                /* a whole period: right amplitude, and phase 0 or half a turn by data or secondary
                 * code */
                GN_NEAR("amplitude", hypot(sum[0], sum[1]) / n_sum, amplitude, amplitude * 0.03);
                double turns = (atan2(sum[1], sum[0]) / TAU - sky.channels[0].phase_turns) * 2;
                GN_NEAR("phase", turns - floor(turns + 0.5), 0, 0.02);
                n_good++;
            }
            if (period != period_before)
                n_sum = sum[0] = sum[1] = 0;
            period_before = period;
            double code = chips[(size_t)chip] * (is_gal && fmod(chip, 1) >= 0.5 ? -1.0 : 1.0);
            double turns = fmod(GN_F_L1_HZ * (u - n / 4e6), 1);
            double c = cos(TAU * turns), w = sin(TAU * turns), re = x[2 * i] * code,
                   im = x[2 * i + 1] * code;
            sum[0] += re * c + im * w;
            sum[1] += im * c - re * w;
            n_sum++;
        }
        assert_true(n_good > (is_gal ? 3 : 15));
        gn_sim_sky_done(&sky);
    }
}

/* Offset from the light time worked out here another way, in the inertial frame. */
static void test_light_time(void **state)
{
    (void)state;
    struct gn_sim_scene s = scene_at(-33.9, 151.2, 2421, 100000);
    assert_int_equal(gn_sim_sky_init(&sky, &s, NULL), GN_OK);
    for (uint32_t i = 0; i < sky.n_channels; i++) {
        const struct gn_ephemeris *e = &sky.channels[i].message.eph;
        double t = 7.3, tau = 0.08;
        for (int k = 0; k < 20; k++) {
            struct gn_sat_state sat;
            gn_orbit_at(e, 2421, 100000 + t - tau, &sat);
            double turn = GN_OMEGA_E_RPS * tau, d[3];
            /* antenna of the reception instant, in the Earth-fixed axes of transmission */
            d[0] = sat.pos_ecef_m[0] - (cos(turn) * s.ecef_m[0] - sin(turn) * s.ecef_m[1]);
            d[1] = sat.pos_ecef_m[1] - (sin(turn) * s.ecef_m[0] + cos(turn) * s.ecef_m[1]);
            d[2] = sat.pos_ecef_m[2] - s.ecef_m[2];
            tau = norm(d) / 299792458.0;
        }
        struct gn_sat_state sat;
        gn_orbit_at(e, 2421, 100000 + t - tau, &sat);
        double want = t - tau + sat.clock_s - e->tgd_s;
        GN_NEAR("signal time", gn_sim_sky_signal_time_s(&sky, i, t * 4e6), want, 3e-12);
    }
    gn_sim_sky_done(&sky);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_orbits),
            cmocka_unit_test(test_sky_is_full),
            cmocka_unit_test(test_messages),
            cmocka_unit_test(test_tiles),
            cmocka_unit_test(test_samples),
            cmocka_unit_test(test_light_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
