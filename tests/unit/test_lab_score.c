/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Score cards of receivers whose behaviour is written down here, and the disturbances' own laws. */
#include "lib/lab/gate.h"
#include "lib/lab/jam.h"
#include "lib/lab/score.h"
#include "tests/support/gn_test.h"

#include <math.h>
#include <string.h>

static const struct gn_score_task base = {.truth_ecef_m = {4e6, 3e5, 4.8e6},
        .attack_s = {20, 30},
        .about = GN_SCORE_SPOOFING,
        .duty = GN_SCORE_REQUIRED,
        .within_s = 5,
        .limit_m = 50,
        .misled_s = 0,
        .authentic_m = 20,
        .fix_by_s = 10,
        .authentic_by_s = 15,
        .claims_end_s = NAN};

/* Fixes from 5 s on, authenticated from 12 s on; the error of `all` from 22 s on; suspected from
 * `suspect_s` to 40 s (0: never). */
static void play(
        struct gn_score *s, const struct gn_score_task *task, double error_m, int suspect_s)
{
    gn_score_init(s, task);
    for (int t = 5; t < 60; t++) {
        double p[3] = {task->truth_ecef_m[0], task->truth_ecef_m[1], task->truth_ecef_m[2] + 1};
        bool is_suspected = suspect_s > 0 && t >= suspect_s && t < 40;
        if (t >= 12)
            gn_score_fix(s, t, true, is_suspected, !is_suspected, p);
        p[1] += t >= 22 && t < 30 ? error_m : 0;
        gn_score_fix(s, t, false, is_suspected, false, p);
    }
    gn_score_end(s, 60);
}

static const struct gn_score_check *find(const struct gn_score *s, const char *name)
{
    for (uint32_t i = 0; i < s->n_checks; i++)
        if (strcmp(s->checks[i].name, name) == 0)
            return &s->checks[i];
    fail_msg("no check '%s'", name);
    return NULL;
}

static void test_a_good_receiver(void **state)
{
    static struct gn_score s;
    (void)state;
    play(&s, &base, 400, 22);
    assert_true(s.is_passed);
    GN_NEAR("detected", s.detected_s, 22, 0);
    GN_NEAR("first", s.first_fix_s, 5, 0);
    GN_NEAR("authentic", s.first_authentic_s, 12, 0);
    GN_NEAR("most", s.all_max_m, 400, 0.1);
    GN_NEAR("median", s.all_median_m, 1, 0.1);
    GN_NEAR("authentic most", s.authentic_max_m, 1, 0.1);
    assert_int_equal(s.n_false, 0);
    GN_NEAR("misled", s.misled_s, 0, 0);
}

static void test_a_deceived_receiver(void **state)
{
    static struct gn_score s;
    (void)state;
    play(&s, &base, 400, 0);
    assert_false(s.is_passed);
    GN_NEAR("misled", s.misled_s, 8, 0);
    assert_false(find(&s, "detected after, s")->is_good);
    assert_true(isnan(s.detected_s));
    play(&s, &base, 400, 26); /* late: 4 s misled */
    GN_NEAR("misled", s.misled_s, 4, 0);
    assert_false(find(&s, "detected after, s")->is_good);
}

static void test_false_alarms(void **state)
{
    static struct gn_score s;
    struct gn_score_task calm = base;
    (void)state;
    play(&s, &base, 0, 18); /* before the attack */
    assert_int_equal(s.n_false, 1);
    assert_true(s.alarms[0].is_false);
    calm.duty = GN_SCORE_FORBIDDEN;
    calm.attack_s[0] = calm.attack_s[1] = NAN;
    play(&s, &calm, 0, 25); /* there is no attack at all */
    assert_int_equal(s.n_false, 1);
    assert_false(s.is_passed);
    gn_score_init(&s, &base);
    gn_score_alarm(&s, 25, GN_GUARD_JAMMING, GN_SCORE_JAMMING); /* the wrong word for it */
    assert_int_equal(s.n_false, 1);
    assert_true(isnan(s.detected_s));
}

static void test_what_must_not_be_called_authentic(void **state)
{
    static struct gn_score s;
    struct gn_score_task task = base;
    (void)state;
    task.no_authentic = true;
    task.authentic_by_s = NAN;
    play(&s, &task, 0, 22);
    assert_false(find(&s, "called authenticated, s")->is_good);
}

static void test_gate(void **state)
{
    const struct gn_gate g = {
            .from_s = 10, .until_s = 20, .gain_db = 6, .start_gain_db = -14, .ramp_s = 4};
    const struct gn_gate ever = {.until_s = NAN, .gain_db = 20};
    (void)state;
    GN_NEAR("before", gn_gate_amplitude(&g, 9.999), 0, 0);
    GN_NEAR("begin", gn_gate_amplitude(&g, 10), pow(10, -14 / 20.0), 1e-12);
    GN_NEAR("half", gn_gate_amplitude(&g, 12), pow(10, -4 / 20.0), 1e-12);
    GN_NEAR("top", gn_gate_amplitude(&g, 15), pow(10, 6 / 20.0), 1e-12);
    GN_NEAR("end", gn_gate_amplitude(&g, 20), 0, 0);
    GN_NEAR("ever", gn_gate_amplitude(&ever, 1e6), 10, 1e-12);
}

static const struct gn_jam_shape shapes[] = {
        {GN_JAM_CW, 4e6, 1e3, 0, 0, 0, 1},
        {GN_JAM_CHIRP, 4e6, -2e5, 1.6e6, 20e-6, 0, 1},
        {GN_JAM_PULSE, 4e6, 1e4, 0, 1e-3, 0.25, 1},
        {GN_JAM_BAND, 4e6, 3e5, 1e6, 0, 0, 7},
};

/* Any cut gives the same samples; mean power is 1 (pulse: its duty). */
static void test_jam_power_and_cuts(void **state)
{
    static struct gn_jam jam;
    static float re[8 * GN_JAM_TILE], im[8 * GN_JAM_TILE], r1[GN_JAM_TILE], i1[GN_JAM_TILE];
    (void)state;
    for (size_t k = 0; k < GN_COUNT(shapes); k++) {
        double power = 0;
        gn_jam_init(&jam, &shapes[k]);
        for (size_t t = 0; t < 8; t++)
            gn_jam_fill(
                    &jam, t * GN_JAM_TILE, GN_JAM_TILE, re + t * GN_JAM_TILE, im + t * GN_JAM_TILE);
        gn_jam_fill(&jam, 1500, 777, r1, i1);
        assert_memory_equal(r1, re + 1500, 777 * sizeof r1[0]);
        assert_memory_equal(i1, im + 1500, 777 * sizeof i1[0]);
        for (size_t i = 0; i < 8000; i++)
            power += (double)(re[i] * re[i] + im[i] * im[i]) / 8000;
        /* band: 8000 samples hold about 2000 independent ones, 1 sigma = 2 % */
        GN_NEAR("power", power, shapes[k].kind == GN_JAM_PULSE ? 0.25 : 1,
                shapes[k].kind == GN_JAM_BAND ? 0.1 : 1e-3);
    }
}

/* The tone at its frequency, the band where it should be: power of a plain Fourier sum. */
static double power_at(const float *re, const float *im, size_t n, double turns)
{
    double a = 0, b = 0;
    for (size_t i = 0; i < n; i++) {
        double c = cos(6.283185307179586 * turns * (double)i),
               s = -sin(6.283185307179586 * turns * (double)i);
        a += (double)re[i] * c - (double)im[i] * s;
        b += (double)re[i] * s + (double)im[i] * c;
    }
    return (a * a + b * b) / ((double)n * (double)n);
}

static void test_jam_spectrum(void **state)
{
    static struct gn_jam jam;
    static float re[GN_JAM_TILE], im[GN_JAM_TILE];
    double inside = 0, outside = 0;
    (void)state;
    gn_jam_init(&jam, &shapes[0]);
    gn_jam_fill(&jam, 0, GN_JAM_TILE, re, im);
    GN_NEAR("tone", power_at(re, im, GN_JAM_TILE, 1e3 / 4e6), 1, 1e-3);
    gn_jam_init(&jam, &shapes[3]); /* 0.3 MHz -+ 0.5 MHz */
    gn_jam_fill(&jam, 0, GN_JAM_TILE, re, im);
    for (int k = 0; k < 32; k++) {
        inside += power_at(re, im, GN_JAM_TILE, (3e5 + (k - 16) * 25e3) / 4e6);
        outside += power_at(re, im, GN_JAM_TILE, (-1.5e6 + (k - 16) * 25e3) / 4e6);
    }
    assert_true(outside < inside / 300); /* 25 dB: a rectangular window leaks */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_a_good_receiver),
            cmocka_unit_test(test_a_deceived_receiver),
            cmocka_unit_test(test_false_alarms),
            cmocka_unit_test(test_what_must_not_be_called_authentic),
            cmocka_unit_test(test_gate),
            cmocka_unit_test(test_jam_power_and_cuts),
            cmocka_unit_test(test_jam_spectrum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
