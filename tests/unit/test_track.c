/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Parts of tracking against theory: pull-in, bit alignment, code fit, loop noise. Fixed seed. */
#include "lib/gnss/codes.h"
#include "lib/gnss/signal.h"
#include "lib/track/bitsync.h"
#include "lib/track/loop.h"
#include "lib/track/pullin.h"
#include "lib/track/replica.h"
#include "lib/track/symbols.h"
#include "tests/support/gn_test.h"

#include <math.h>

#define TURN 6.283185307179586

static uint32_t seed;

static double uniform(void)
{
    seed = seed * 1664525u + 1013904223u;
    return ((seed >> 8) + 0.5) / 16777216.0;
}

/* Prompt of amplitude a and phase `turns` in complex noise of power 1 */
static struct gn_cplx noisy(double a, double turns)
{
    double r = sqrt(-log(uniform())), v = uniform();
    return (struct gn_cplx){(float)(a * cos(TURN * turns) + r * cos(TURN * v)),
            (float)(a * sin(TURN * turns) + r * sin(TURN * v))};
}

static double amplitude(double cn0_dbhz, double period_s)
{
    return sqrt(pow(10, cn0_dbhz / 10) * period_s);
}

/* 33 dB-Hz, 0.2 s of 1 ms prompts with data: within 3 Hz in 99 of 100 */
static void test_squared_pull_in(void **state)
{
    (void)state;
    struct gn_cplx p[400];
    int good = 0;
    seed = 1;
    for (int run = 0; run < 100; run++) {
        double f = (uniform() * 2 - 1) * 240, phase = uniform();
        int bit = 1;
        for (uint32_t k = 0; k < 400; k++) {
            if (k % 20 == 7)
                bit = uniform() < 0.5 ? -1 : 1;
            p[k] = noisy(bit * amplitude(33, 1e-3), phase + f * 1e-3 * k);
        }
        struct gn_pullin found = gn_pullin_squared(p, 200, 1e-3);
        good += fabs(found.freq_hz - f) < 3 && found.score > 16;
    }
    assert_in_range(good, 97, 100);
}

/* 27 dB-Hz in the pilot, 0.2 s: lag, frequency within 2 Hz, phase within a tenth of a turn */
static void test_pilot_pull_in(void **state)
{
    (void)state;
    struct gn_cplx p[50];
    int good = 0;
    seed = 2;
    for (int run = 0; run < 60; run++) {
        double f = (uniform() * 2 - 1) * 110, phase = uniform();
        uint32_t lag = (uint32_t)(uniform() * 25);
        for (uint32_t k = 0; k < 50; k++)
            p[k] = noisy(amplitude(27, 4e-3) * gn_code_cs25[(k + lag) % 25], phase + f * 4e-3 * k);
        struct gn_pullin found = gn_pullin_pilot(p, 50, 4e-3, gn_code_cs25, 25);
        double off = found.phase_turns - phase;
        good += found.lag == lag && fabs(found.freq_hz - f) < 2 && fabs(off - round(off)) < 0.15;
    }
    assert_in_range(good, 58, 60);
}

static void test_noise_scores_low(void **state)
{
    (void)state;
    struct gn_cplx p[400];
    int high = 0;
    seed = 3;
    for (int run = 0; run < 100; run++) {
        for (uint32_t k = 0; k < 400; k++)
            p[k] = noisy(0, 0);
        high += gn_pullin_squared(p, 400, 1e-3).score > 16.5;
        high += gn_pullin_pilot(p, 50, 4e-3, gn_code_cs25, 25).score > 16.5;
    }
    assert_in_range(high, 0, 1);
}

/* 30 dB-Hz, carrier 2 Hz off: never wrong, decided within 2 s in 9 of 10 */
static void test_bit_alignment(void **state)
{
    (void)state;
    int decided = 0;
    seed = 4;
    for (int run = 0; run < 100; run++) {
        struct gn_bitsync sync;
        int start = (int)(uniform() * 20), got = -1, bit = 1;
        gn_bitsync_init(&sync, 20);
        for (int k = 0; k < 2000 && got < 0; k++) {
            if (k % 20 == start)
                bit = uniform() < 0.5 ? -1 : 1;
            gn_bitsync_push(&sync, noisy(bit * amplitude(30, 1e-3), 2e-3 * k));
            if (k % 20 == 19)
                got = gn_bitsync_phase(&sync, 1, 5);
        }
        assert_true(got < 0 || got == start);
        decided += got >= 0;
    }
    assert_in_range(decided, 90, 100);
}

static void test_code_fit(void **state)
{
    (void)state;
    static const double tau[5] = {-0.5, -0.25, 0, 0.25, 0.5}, tau3[3] = {-0.5, 0, 0.5};
    for (double delay = -0.6; delay < 0.61; delay += 0.1)
        for (int sign = -1; sign <= 1; sign += 2) {
            double tap[5];
            int got_sign;
            for (int i = 0; i < 5; i++)
                tap[i] = sign * 3 * gn_replica_peak(1, tau[i] - delay);
            GN_NEAR("boc", gn_code_fit(1, tau, tap, 5, 0.75, &got_sign), delay, 0.02);
            assert_int_equal(got_sign, sign);
        }
    for (double delay = -0.4; delay < 0.41; delay += 0.1) {
        double tap[3];
        int sign;
        for (int i = 0; i < 3; i++)
            tap[i] = gn_replica_peak(0, tau3[i] - delay);
        GN_NEAR("bpsk", gn_code_fit(0, tau3, tap, 3, 0.6, &sign), delay, 0.02);
    }
}

/* A 10 Hz loop, 20 ms, 36 dB-Hz: jitter by theory sqrt(B / (C/N0) (1 + 1/(2 T C/N0))) = 2.9
 * degrees; the discrete loop is a little wider. Pulls in from 2 Hz. */
static void test_pll_jitter(void **state)
{
    (void)state;
    struct gn_pll pll = {.freq_hz = 2, .nco_hz = 2};
    double phase = 0, sum2 = 0, t_s = 0.02, a = amplitude(36, t_s);
    int n = 0;
    seed = 5;
    for (int k = 0; k < 20000; k++) {
        double middle = phase + pll.nco_hz * t_s / 2; /* the signal stands still */
        struct gn_cplx p = noisy(a, -middle);
        phase += pll.nco_hz * t_s;
        gn_pll_step(&pll, gn_phase_costas_turns((double)p.re, (double)p.im), 0, t_s, 10, 0);
        if (k > 200) {
            double off = phase - round(2 * phase) / 2;
            sum2 += off * off;
            n++;
        }
    }
    double theory = sqrt(10 / pow(10, 3.6) * (1 + 1 / (2 * t_s * pow(10, 3.6)))) / TURN;
    GN_NEAR("jitter", sqrt(sum2 / n) / theory, 1.3, 0.35);
    GN_NEAR("doppler", pll.freq_hz, 0, 1);
}

/* Prompts with a residual carrier and a start that was never locked: all bits right when read
 * backwards */
static void test_symbols_settle(void **state)
{
    (void)state;
    static struct gn_cplx p[1000];
    int bit[50], wrong = 0;
    seed = 6;
    for (int k = 0; k < 1000; k++) {
        if (k % 20 == 0)
            bit[k / 20] = uniform() < 0.5 ? -1 : 1;
        double back_s = (1000 - k) * 1e-3;
        p[k] = noisy(
                bit[k / 20] * amplitude(35, 1e-3), 0.02 + 0.6 * back_s + 0.5 * back_s * back_s);
    }
    gn_symbols_settle(p, NULL, 50, 20, 1);
    for (int i = 0; i < 50; i++) {
        double sum = 0;
        for (int k = 0; k < 20; k++)
            sum += (double)p[20 * i + k].re;
        wrong += sum * bit[i] < 0;
    }
    assert_int_equal(wrong, 0);
}

static void test_replicas(void **state)
{
    (void)state;
    static struct gn_replica r;
    assert_int_equal(gn_replica_init(&r, GN_SIG_GPS_L1CA, 0, 33), GN_E_ARG);
    assert_int_equal(gn_replica_init(&r, GN_SIG_GAL_E1, 1, 11), GN_OK);
    assert_int_equal(r.n_bins, 8184);
    for (uint32_t i = 0; i < r.n_bins; i += 2)
        assert_true(gn_replica_at(&r, 0)[i] == -gn_replica_at(&r, 0)[i + 1]);
    assert_true(gn_replica_at(&r, -3)[0] == gn_replica_at(&r, 0)[8184 - 3]);
    assert_int_equal(gn_replica_init(&r, GN_SIG_GPS_L1CA, 0, 7), GN_OK);
    int sum = 0;
    for (uint32_t i = 0; i < r.n_bins; i++)
        sum += (int)(gn_replica_at(&r, 0)[i] * gn_replica_at(&r, 0)[(i + r.noise_lag) % r.n_bins]);
    assert_in_range(abs(sum), 0, 4); /* C/A: -1 in 1023 is the best there is */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_squared_pull_in),
            cmocka_unit_test(test_pilot_pull_in),
            cmocka_unit_test(test_noise_scores_low),
            cmocka_unit_test(test_bit_alignment),
            cmocka_unit_test(test_code_fit),
            cmocka_unit_test(test_pll_jitter),
            cmocka_unit_test(test_symbols_settle),
            cmocka_unit_test(test_replicas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
