/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "tests/support/gn_test.h"

#include "lib/acq/gamma.h"
#include "lib/acq/resample.h"
#include "lib/acq/search.h"
#include "lib/gnss/codes.h"
#include "lib/gnss/signal.h"

#include <math.h>
#include <string.h>

#define TWO_PI 6.283185307179586

/* ---- noise and signals
 * ------------------------------------------------------------------------------- */

static uint64_t next(uint64_t *s)
{
    uint64_t z = (*s += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double gauss(uint64_t *s)
{
    double u = ((double)(next(s) >> 11) + 0.5) / 9007199254740992.0,
           v = (double)(next(s) >> 11) / 9007199254740992.0;
    return sqrt(-2 * log(u)) * cos(TWO_PI * v);
}

struct sky {
    double (*iq)[2];
    size_t n;
    double rate_sps;
};

static struct sky sky_new(double rate_sps, double seconds, uint64_t seed)
{
    struct sky s = {.n = (size_t)(rate_sps * seconds), .rate_sps = rate_sps};
    s.iq = calloc(s.n, sizeof *s.iq);
    for (size_t i = 0; i < s.n; i++) {
        s.iq[i][0] = gauss(&seed);
        s.iq[i][1] = gauss(&seed);
    }
    return s;
}

/* Sampled at instants (no band limit): the code starts delay_s after the first sample, carrier and
 * code run at the same Doppler; data change sign at random every symbol. cn0: E1 total. */
static void sky_add(const struct sky *s, unsigned signal, unsigned prn, double delay_s,
        double doppler_hz, double cn0_dbhz, uint64_t seed)
{
    static int8_t code[2][4092];
    uint32_t n_chips = gn_signal_table[signal].code_chips, is_e1 = signal == GN_SIG_GAL_E1;
    double amp = sqrt(2 * pow(10, cn0_dbhz / 10) / s->rate_sps / (is_e1 ? 2 : 1)),
           rate = 1 + doppler_hz / GN_F_L1_HZ;
    double periods_per_symbol = gn_signal_table[signal].symbol_s * 1.023e6 / n_chips;

    for (unsigned c = 0; c <= is_e1; c++)
        assert_int_equal(gn_code_chips(signal, c, prn, code[c], n_chips), GN_OK);
    for (size_t i = 0; i < s->n; i++) {
        double t = (double)i / s->rate_sps, chips = (t - delay_s) * 1.023e6 * rate + 50.0 * n_chips;
        uint64_t period = (uint64_t)(chips / n_chips), k = (uint64_t)chips % n_chips;
        uint64_t bit = seed + (uint64_t)((double)period / periods_per_symbol);
        double a = amp * code[0][k] * ((next(&bit) & 1) != 0 ? 1 : -1),
               phi = TWO_PI * doppler_hz * t;
        if (is_e1) {
            a -= amp * code[1][k] * gn_code_cs25[period % 25];
            a *= chips - floor(chips) < 0.5 ? 1 : -1;
        }
        s->iq[i][0] += a * cos(phi);
        s->iq[i][1] += a * sin(phi);
    }
}

static uint32_t sky_search(const struct sky *s, const struct gn_acq_order *order,
        struct gn_acq_found found[GN_ACQ_HITS_MAX])
{
    struct gn_acq *a = NULL;
    struct gn_acq_resample r;
    size_t room = gn_acq_window_samples(order->effort) + 32, taken;
    int16_t *x = malloc(s->n * 4);
    float(*w)[2] = malloc(room * sizeof *w);

    for (size_t i = 0; i < 2 * s->n; i++)
        x[i] = (int16_t)lrint(s->iq[i / 2][i % 2] * 100);
    gn_acq_resample_init(&r, s->rate_sps);
    struct gn_acq_window window = {
            (const float(*)[2])w, gn_acq_resample_ci16(&r, x, s->n, w, room, &taken)};
    assert_int_equal(gn_acq_new(order->effort, &a), GN_OK);
    uint32_t n = gn_acq_search(a, &window, order, NULL, found);
    gn_acq_free(a);
    free(x);
    free(w);
    free(s->iq);
    return n;
}

/* ---- tests
 * ------------------------------------------------------------------------------------------- */

/* Abramowitz and Stegun 26.4: chi-square with 2 n degrees of freedom, upper quantiles halved */
static void test_gamma(void **state)
{
    static const struct {
        const char *name;
        double p, x;
        uint32_t n;
    } rows[] = {{"chi2 2, 0.05", 0.05, 5.99146 / 2, 1}, {"chi2 20, 0.01", 0.01, 37.5662 / 2, 10},
            {"chi2 100, 0.001", 0.001, 149.449 / 2, 50}, {"exponential", 1.388794386496402e-11, 25, 1}};
    (void)state;
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        GN_NEAR(rows[i].name, gn_acq_gamma_isf(rows[i].p, rows[i].n), rows[i].x, 1e-3);
        GN_NEAR(rows[i].name, gn_acq_gamma_tail(rows[i].x, rows[i].n) / rows[i].p, 1, 1e-3);
    }
}

/* Cut anywhere, the same output; a constant stays a constant; a ramp keeps its mean. */
static void test_resample(void **state)
{
    static const double rates[] = {2e6, 4e6, 4.092e6, 12e6, 25e6};
    (void)state;
    for (size_t k = 0; k < GN_COUNT(rates); k++) {
        static int8_t in[20000];
        static float whole[60000][2], parts[60000][2];
        struct gn_acq_resample a, b;
        size_t taken, n_parts = 0, room = 60000;
        for (int i = 0; i < 10000; i++) {
            in[2 * i] = 5;
            in[2 * i + 1] = (int8_t)(i % 100 - 50);
        }
        gn_acq_resample_init(&a, rates[k]);
        gn_acq_resample_init(&b, rates[k]);
        size_t n = gn_acq_resample_ci8(&a, in, 10000, whole, room, &taken);
        assert_int_equal(taken, 10000);
        GN_NEAR("count", n, 10000 * GN_ACQ_RATE_SPS / rates[k], 1);
        for (size_t i = 0; i < 10000; i += taken) {
            size_t step = 1 + i % 37 < 10000 - i ? 1 + i % 37 : 10000 - i;
            n_parts += gn_acq_resample_ci8(
                    &b, in + 2 * i, step, parts + n_parts, room - n_parts, &taken);
        }
        assert_int_equal(n_parts, n);
        assert_memory_equal(whole, parts, n * sizeof whole[0]);
        for (size_t i = 0; i < n; i++)
            GN_NEAR("constant", whole[i][0], 5, 1e-4);
    }
}

static const struct gn_acq_order usual = {
        .half_hz = 5000, .reach_hz = 36500, .pfa = 1e-4, .effort = 1};

/* Delay without bias at every rate, Doppler and C/N0 right, E1 total 3 dB above what is said of a
 * component */
static void test_places(void **state)
{
    static const struct {
        const char *name;
        double rate_sps, delay_s, doppler_hz, cn0_dbhz;
        unsigned signal, prn;
    } rows[] = {
            {"C/A 4 Msps", 4e6, 0.1234567e-3, 1234, 45, GN_SIG_GPS_L1CA, 7},
            {"C/A 2.046 Msps", 2.046e6, 0.7234567e-3, -4321, 45, GN_SIG_GPS_L1CA, 30},
            {"C/A 16.368 Msps", 16.368e6, 0.9991e-3, -10, 45, GN_SIG_GPS_L1CA, 1},
            {"C/A 20 ppm", 4e6, 0.3210e-3, 31508 + 2000, 45, GN_SIG_GPS_L1CA, 12},
            {"E1 4 Msps", 4e6, 3.1234567e-3, 2345, 46, GN_SIG_GAL_E1, 11},
            {"E1 12 Msps", 12e6, 0.0021e-3, -3456, 46, GN_SIG_GAL_E1, 36},
            {"SBAS 4 Msps", 4e6, 0.5e-3, 300, 45, GN_SIG_SBAS_L1, 123},
    };
    (void)state;
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        struct gn_acq_found found[GN_ACQ_HITS_MAX];
        struct gn_acq_order order = usual;
        uint32_t base = rows[i].signal == GN_SIG_SBAS_L1 ? 120 : 1;
        struct sky s = sky_new(rows[i].rate_sps, 0.07, 40 + i);
        sky_add(&s, rows[i].signal, rows[i].prn, rows[i].delay_s, rows[i].doppler_hz,
                rows[i].cn0_dbhz, 99);
        order.prn_mask[rows[i].signal] = UINT64_C(1) << (rows[i].prn - base);
        uint32_t n = sky_search(&s, &order, found);
        GN_CHECK(rows[i].name, n == 1);
        double delay_s = gn_acq_delay_s(found[0].spot.delay_samples, rows[i].rate_sps);
        double period_s = gn_signal_table[rows[i].signal].code_chips / 1.023e6;
        GN_NEAR(rows[i].name, remainder(delay_s - rows[i].delay_s, period_s) * 1.023e6, 0, 0.1);
        GN_NEAR(rows[i].name, found[0].spot.doppler_hz, rows[i].doppler_hz, 15);
        GN_NEAR(rows[i].name, found[0].cn0_dbhz + (rows[i].signal == GN_SIG_GAL_E1 ? 3 : 0),
                rows[i].cn0_dbhz, 1.8);
    }
}

/* Pfa on noise: 0.02 asked of each of 6 x 68 searches. Expected 8.2 alarms at most: the cells of
 * neighbouring delays and Dopplers are not independent, and E1's rule of two components stops
 * nearly all of its own. 99.9 % of Poisson(8.2) is at most 18; less than 1 of 192 C/A searches
 * would mean a threshold far too high. */
static void test_false_alarms(void **state)
{
    uint32_t n_ca = 0, n_e1 = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct gn_acq_found found[GN_ACQ_HITS_MAX];
        struct gn_acq_order order = usual;
        order.pfa = 0.02;
        order.effort = 0;
        order.reach_hz = 0;
        order.prn_mask[GN_SIG_GPS_L1CA] = 0xffffffff;
        order.prn_mask[GN_SIG_GAL_E1] = seed <= 2 ? 0xfffffffff : 0;
        struct sky s = sky_new(4e6, 0.042, seed);
        uint32_t n = sky_search(&s, &order, found);
        for (uint32_t i = 0; i < n; i++) {
            n_ca += found[i].signal == GN_SIG_GPS_L1CA;
            n_e1 += found[i].signal == GN_SIG_GAL_E1;
        }
    }
    printf("false alarms: C/A %u of 192, E1 %u of 72, asked 0.02 each\n", n_ca, n_e1);
    assert_in_range(n_ca, 1, 12);
    assert_in_range(n_e1, 0, 5);
}

/* One satellite at 62 dB-Hz and one ordinary one: no others (R17). */
static void test_near_far(void **state)
{
    struct gn_acq_found found[GN_ACQ_HITS_MAX];
    struct gn_acq_order order = usual;
    (void)state;
    order.prn_mask[GN_SIG_GPS_L1CA] = 0xffffffff;
    order.prn_mask[GN_SIG_GAL_E1] = 0xf;
    struct sky s = sky_new(4e6, 0.07, 5);
    sky_add(&s, GN_SIG_GPS_L1CA, 1, 0.2e-3, 777, 62, 3);
    uint32_t n = sky_search(&s, &order, found);
    for (uint32_t i = 0; i < n; i++)
        printf("near-far: signal %u PRN %u %.0f Hz %.1f dB-Hz\n", found[i].signal, found[i].prn,
                found[i].spot.doppler_hz, found[i].cn0_dbhz);
    assert_int_equal(n, 1);
    assert_int_equal(found[0].prn, 1);
}

/* A tone is not a satellite. */
static void test_tone(void **state)
{
    struct gn_acq_found found[GN_ACQ_HITS_MAX];
    struct gn_acq_order order = usual;
    (void)state;
    order.reach_hz = 0;
    order.prn_mask[GN_SIG_GPS_L1CA] = 0xffffffff;
    struct sky s = sky_new(4e6, 0.07, 6);
    for (size_t i = 0; i < s.n; i++) {
        s.iq[i][0] += 0.5 * cos(TWO_PI * 50123.0 * (double)i / 4e6);
        s.iq[i][1] += 0.5 * sin(TWO_PI * 50123.0 * (double)i / 4e6);
    }
    uint32_t n = sky_search(&s, &order, found);
    for (uint32_t i = 0; i < n; i++)
        printf("tone: PRN %u %.0f Hz %.1f dB-Hz %.2f\n", found[i].prn, found[i].spot.doppler_hz,
                found[i].cn0_dbhz, found[i].ratio);
    assert_int_equal(n, 0);
}

/* 36 dB-Hz, E1 total: the deeper efforts find it whatever the phase of the symbols against the
 * blocks. */
static void test_weak(void **state)
{
    uint32_t n_found[2] = {0, 0};
    (void)state;
    for (uint32_t k = 0; k < 8; k++) {
        struct gn_acq_found found[GN_ACQ_HITS_MAX];
        struct gn_acq_order order = usual;
        order.effort = 2;
        order.reach_hz = 0;
        order.prn_mask[GN_SIG_GPS_L1CA] = 1u << k;
        order.prn_mask[GN_SIG_GAL_E1] = 1u << k;
        struct sky s = sky_new(4e6, 0.11, 70 + k);
        sky_add(&s, GN_SIG_GPS_L1CA, k + 1, 0.111e-3 * k, 500.0 * k - 1700, 36, k);
        sky_add(&s, GN_SIG_GAL_E1, k + 1, 0.5e-3 * k, 520.0 * k - 1800, 36, k);
        uint32_t n = sky_search(&s, &order, found);
        for (uint32_t i = 0; i < n; i++)
            n_found[found[i].signal == GN_SIG_GAL_E1]++;
    }
    printf("36 dB-Hz, effort 2: C/A %u of 8, E1 %u of 8\n", n_found[0], n_found[1]);
    assert_in_range(n_found[0], 7, 8);
    assert_in_range(n_found[1], 7, 8);
}

/* Shorter than anything: no hits, no reading past the end. */
static void test_short(void **state)
{
    struct gn_acq_found found[GN_ACQ_HITS_MAX];
    static float iq[8 * GN_ACQ_MS][2];
    struct gn_acq *a = NULL;
    (void)state;
    assert_int_equal(gn_acq_new(GN_ACQ_EFFORTS, &a), GN_E_ARG);
    assert_int_equal(gn_acq_new(0, &a), GN_OK);
    for (size_t n = 0; n <= 8 * GN_ACQ_MS; n += GN_ACQ_MS / 2) {
        struct gn_acq_order order = usual;
        struct gn_acq_window w = {(const float(*)[2])iq, n};
        order.prn_mask[GN_SIG_GPS_L1CA] = 3;
        order.prn_mask[GN_SIG_GAL_E1] = 1;
        order.reach_hz = 0;
        assert_int_equal(gn_acq_search(a, &w, &order, NULL, found), 0);
    }
    gn_acq_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_gamma),
            cmocka_unit_test(test_resample),
            cmocka_unit_test(test_places),
            cmocka_unit_test(test_false_alarms),
            cmocka_unit_test(test_near_far),
            cmocka_unit_test(test_tone),
            cmocka_unit_test(test_weak),
            cmocka_unit_test(test_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
