/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The guard against made-up histories; shapes against the laws of Gaussian noise and of a tone. */
#include "lib/gnss/signal.h"
#include "lib/guard/peaks.h"
#include "lib/guard/watch.h"
#include "lib/sim/noise.h"
#include "tests/support/gn_test.h"

#include <math.h>
#include <string.h>

static struct gn_shape shape_of(double sigma, double tone, uint64_t index)
{
    static float re[GN_SHAPE_WINDOW], im[GN_SHAPE_WINDOW];
    static int16_t x[GN_SHAPE_WINDOW][2];
    struct gn_noise noise;
    struct gn_shape_sums sums = {0};
    gn_noise_init(&noise, 5, sigma);
    for (int w = 0; w < 64; w++) {
        memset(re, 0, sizeof re);
        memset(im, 0, sizeof im);
        if (sigma > 0)
            gn_noise_fill(&noise, index + (uint64_t)w * GN_SHAPE_WINDOW, GN_SHAPE_WINDOW, re, im);
        for (uint32_t i = 0; i < GN_SHAPE_WINDOW; i++) {
            double phase = 0.3 * (double)i;
            x[i][0] = (int16_t)lrint((double)re[i] + tone * cos(phase));
            x[i][1] = (int16_t)lrint((double)im[i] + tone * sin(phase));
        }
        gn_shape_add(&sums, (const int16_t(*)[2])x);
    }
    return gn_shape_of(&sums);
}

/* 65536 samples: 1 sigma of the kurtosis is 0.008, of a correlation 0.004, of the power 0.017 dB */
static void test_shapes(void **state)
{
    struct gn_shape noise = shape_of(300, 0, 0), loud = shape_of(600, 0, 0),
                    tone = shape_of(0, 1000, 0);
    (void)state;
    GN_NEAR("power", noise.power_db, 10 * log10(2 * 300.0 * 300), 0.1);
    GN_NEAR("kurtosis", noise.kurtosis, 2, 0.05);
    GN_NEAR("white", hypot(noise.rho[0][0], noise.rho[0][1]), 0, 0.02);
    GN_NEAR("louder", loud.power_db - noise.power_db, 6.02, 0.05);
    assert_true(gn_shape_colour(&noise, &loud) < gn_watch_limits.colour);
    GN_NEAR("tone", tone.kurtosis, 1, 0.01);
    GN_NEAR("tone", hypot(tone.rho[0][0], tone.rho[0][1]), 1, 0.01);
}

static void feed(
        struct gn_watch *w, int64_t from, int64_t to, const struct gn_shape *shape, double cn0)
{
    for (int64_t slot = from; slot < to; slot++) {
        for (uint8_t k = 0; k < 8 && cn0 > 0; k++) {
            struct gn_msg_track_obs obs = {.signal = GN_SIG_GPS_L1CA,
                    .prn = (uint8_t)(k + 1),
                    .channel = k,
                    .cn0_dbhz = cn0,
                    .flags = GN_OBS_CODE_VALID,
                    .lock_s = 10};
            gn_watch_obs(w, slot, &obs);
        }
        gn_watch_shape(w, slot, shape);
    }
}

static const struct gn_msg_guard *find(const struct gn_watch *w, unsigned kind)
{
    for (uint32_t i = 0; i < w->n_out; i++)
        if (w->out[i].kind == kind && w->out[i].is_on)
            return &w->out[i];
    return NULL;
}

static void test_histories(void **state)
{
    static struct gn_watch w;
    struct gn_shape calm = shape_of(300, 0, 0), odd = shape_of(300, 400, 0),
                    loud = shape_of(600, 0, 0);
    struct gn_shape coloured = calm;
    (void)state;
    coloured.power_db += 3;
    coloured.rho[0][0] += 0.3;
    gn_watch_init(&w);
    feed(&w, 0, 100, &calm, 45);
    assert_int_equal(w.n_out, 0);
    feed(&w, 100, 130, &loud, 45); /* the front end turns its gain: told, but nobody is suspected */
    assert_null(find(&w, GN_GUARD_JAMMING));
    assert_non_null(find(&w, GN_GUARD_LEVEL_JUMP));
    assert_int_equal(find(&w, GN_GUARD_LEVEL_JUMP)->is_spoofing, 0);
    gn_watch_init(&w);
    feed(&w, 0, 100, &calm, 45);
    feed(&w, 100, 104, &odd, 45); /* a tone */
    assert_non_null(find(&w, GN_GUARD_JAMMING));
    gn_watch_init(&w);
    feed(&w, 0, 100, &calm, 45);
    feed(&w, 100, 120, &coloured, 0); /* coloured power, and the satellites are gone */
    assert_non_null(find(&w, GN_GUARD_JAMMING));
    gn_watch_init(&w);
    feed(&w, 0, 100, &calm, 45);
    feed(&w, 100, 120, &coloured,
            45); /* coloured power, and the satellites are as strong as ever */
    assert_null(find(&w, GN_GUARD_JAMMING));
    assert_int_equal(find(&w, GN_GUARD_LEVEL_JUMP)->is_spoofing, 1);
    gn_watch_init(&w);
    feed(&w, 0, 100, &calm, 40);
    feed(&w, 100, 115, &calm, 47); /* all stronger at once */
    assert_non_null(find(&w, GN_GUARD_CN0_JUMP));
}

static void test_content(void **state)
{
    static struct gn_watch w;
    struct gn_ephemeris eph = {.signal = GN_SIG_GAL_E1,
            .prn = 11,
            .source = GN_EPH_SRC_INAV,
            .iode = 7,
            .iodc = 7,
            .toe_s = 600,
            .sqrt_a = 5440,
            .omega0_rad = 1};
    (void)state;
    gn_watch_init(&w);
    gn_watch_ephemeris(&w, &eph);
    gn_watch_ephemeris(&w, &eph);
    eph.source = GN_EPH_SRC_INAV_RED;
    eph.omega0_rad = 1.1;
    gn_watch_ephemeris(&w, &eph); /* reduced data differ by their nature */
    assert_int_equal(w.n_out, 0);
    eph.source = GN_EPH_SRC_INAV;
    eph.iode = eph.iodc = 8;
    gn_watch_ephemeris(&w, &eph); /* an update */
    assert_int_equal(w.n_out, 0);
    eph.omega0_rad = 1.2;
    gn_watch_ephemeris(&w, &eph); /* other data, same issue */
    assert_non_null(find(&w, GN_GUARD_DATA_CHANGE));
    assert_int_equal(w.out[0].prn, 11);
}

static void test_clock(void **state)
{
    static struct gn_watch w;
    struct gn_msg_pvt_fix fix = {.solution = GN_SOLUTION_ALL, .is_filtered = 1};
    (void)state;
    gn_watch_init(&w);
    for (int t = 0; t < 30; t++) {
        fix.clock_drift = 1e-7; /* a poor but steady oscillator */
        fix.clock_bias_s = 1e-3 + 1e-7 * t;
        gn_watch_fix(&w, t, &fix);
    }
    assert_int_equal(w.n_out, 0);
    fix.clock_bias_s += 1e-7 + 1e-6;
    gn_watch_fix(&w, 30, &fix);
    assert_non_null(find(&w, GN_GUARD_CLOCK_JUMP));
}

static void test_second_peaks(void **state)
{
    struct gn_peaks_memory m = {0};
    struct gn_peaks_found f[2] = {
            {GN_SIG_GPS_L1CA, 5, true, 20, 45}, {GN_SIG_GPS_L1CA, 7, false, 0, 0}};
    (void)state;
    assert_int_equal(gn_peaks_judge(&m, f, 2), -1);
    assert_int_equal(gn_peaks_judge(&m, f, 2), -1);
    assert_int_equal(gn_peaks_judge(&m, f, 2), 0); /* one satellite: three looks */
    f[0].offset_chips = 400;                       /* elsewhere: begins anew */
    assert_int_equal(gn_peaks_judge(&m, f, 2), -1);
    f[1] = (struct gn_peaks_found){GN_SIG_GPS_L1CA, 7, true, -9, 45};
    assert_int_equal(gn_peaks_judge(&m, f, 2), -1);
    assert_true(gn_peaks_judge(&m, f, 2) >= 0); /* two of them: two looks */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_shapes),
            cmocka_unit_test(test_histories),
            cmocka_unit_test(test_content),
            cmocka_unit_test(test_clock),
            cmocka_unit_test(test_second_peaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
