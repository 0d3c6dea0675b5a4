/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Tones of known frequency and phase go in; what comes out is compared with the same tone computed
 * in double. */
#include "tests/support/fake_host.h"

#define TAU 6.283185307179586

static struct fake open_condition(const char *const *settings, uint32_t format, double rate_sps)
{
    struct fake f;
    fake_open(&f, "frontend", "frontend.condition", settings);
    f.in = (struct gn_plan_stream){.format = format, .tick_num = 1, .tick_den = 1};
    f.plan.n_in = 1;
    f.plan.anchor = (struct gn_anchor){.rate_sps = rate_sps};
    return f;
}

/* the callbacks and the plan point into the struct, so a moved one must be pointed at itself again
 */
static gn_status start_here(struct fake *f)
{
    f->plan.in = &f->in;
    f->plan.out = f->out;
    f->host.anchor = &f->plan.anchor;
    return fake_start(f);
}

static double gauss(uint32_t *seed)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += fake_random(seed) / 16777216.0;
    return sum - 6;
}

static int8_t clip8(double x)
{
    return (int8_t)lrint(fmin(fmax(x, -127), 127));
}

/* coherent sum of y against a tone of f turns an item, as gain and phase (turns) */
static void correlate(const int8_t *y, size_t n, double turns, double *amplitude, double *phase)
{
    double re = 0, im = 0;
    for (size_t i = 0; i < n; i++) {
        double c = cos(TAU * turns * (double)i), s = sin(TAU * turns * (double)i);
        re += y[2 * i] * c + y[2 * i + 1] * s;
        im += y[2 * i + 1] * c - y[2 * i] * s;
    }
    *amplitude = hypot(re, im) / (double)n;
    *phase = atan2(im, re) / TAU;
}

/* fs/4 real at an IF, image, inverted: amplitude and phase of a tone 0.01 turns off the carrier */
static void test_real_if(void **state)
{
    (void)state;
    enum { N = 65536 };
    static int8_t x[N], y[2 * N];
    static const struct {
        const char *name;
        double if_turns;
        const char *spectrum;
    } rows[] = {{"12 Msps at 3 MHz", 0.25, "normal"},
            {"16.3676 at 4.1304", 4.1304 / 16.3676, "normal"},
            {"20.48 at 5.5", 5.5 / 20.48, "normal"}, {"low IF", 0.1, "normal"},
            {"inverted", 0.25, "inverted"}};
    for (size_t r = 0; r < GN_COUNT(rows); r++) {
        char text[2][64];
        (void)snprintf(text[0], sizeof text[0], "if=%.6f", rows[r].if_turns * 16e6);
        (void)snprintf(text[1], sizeof text[1], "spectrum=%s", rows[r].spectrum);
        const char *s[] = {text[0], text[1], NULL};
        double sign = rows[r].spectrum[0] == 'i' ? -1 : 1;
        uint32_t seed = 3;
        for (size_t i = 0; i < N; i++)
            x[i] = clip8(
                    20 * cos(TAU * ((rows[r].if_turns + sign * 0.01) * (double)i + sign * 0.2)) +
                    12 * gauss(&seed) + 8);
        struct fake f = open_condition(s, GN_FMT_S8, 16e6);
        GN_CHECK(rows[r].name, start_here(&f) == GN_OK);
        GN_CHECK(rows[r].name, fake_push(&f, x, 1, N, 0, y, 2, 8192, 0) == N);
        double level = 0, phase = 0, image = 0, unused = 0, dc = 0;
        correlate(y, N, 0.01, &level, &phase);
        correlate(y, N, -2 * rows[r].if_turns - 0.01, &image, &unused);
        correlate(y, N, -rows[r].if_turns, &dc, &unused);
        GN_NEAR(rows[r].name, phase, 0.2, 0.002);
        GN_CHECK(rows[r].name, level > 2 && image < level / 150 && dc < level / 30);
        fake_close(&f);
    }
}

/* complex at an IF; conjugation comes first; the index sets the phase */
static void test_complex_if(void **state)
{
    (void)state;
    enum { N = 30000 };
    static int16_t x[2 * N];
    static int8_t y[2 * N];
    for (int inverted = 0; inverted < 2; inverted++) {
        const uint64_t index = 123456789012345ULL;
        const double turns = 0.17;
        double sign = inverted ? -1 : 1;
        const char *s[] = {"if=170000", inverted ? "spectrum=inverted" : "spectrum=normal", NULL};
        uint32_t seed = 5;
        for (size_t i = 0; i < N; i++) {
            double p = TAU * (fmod(turns * (double)index, 1) + (turns + 0.01) * (double)i + 0.3);
            x[2 * i] = (int16_t)lrint(3000 * cos(p) + 1000 * gauss(&seed));
            x[2 * i + 1] = (int16_t)lrint(sign * 3000 * sin(p) + 1000 * gauss(&seed));
        }
        struct fake f = open_condition(s, GN_FMT_CI16, 1e6);
        assert_int_equal(start_here(&f), GN_OK);
        assert_int_equal(fake_push(&f, x, 4, N, index, y, 2, 8192, 0), N);
        double level = 0, phase = 0;
        correlate(y, N, 0.01, &level, &phase);
        GN_CHECK("level", level > 5);
        /* the doubles of this test know the phase of so large an index to 1 % of a turn only */
        GN_NEAR("phase", phase, 0.3, 0.02);
        fake_close(&f);
    }
}

/* R10: any level ends in the same range, offsets vanish, and no sample is clipped more than noise
 * is */
static void test_levels(void **state)
{
    (void)state;
    enum { N = 1 << 20 };
    static int8_t x[2 * N], y[2 * N];
    static const double rms[] = {0.5, 2, 12, 60}, dc[] = {0, 8};
    const char *s[] = {"if=0", NULL};
    for (size_t r = 0; r < 8; r++) {
        uint32_t seed = 11;
        for (size_t i = 0; i < 2 * N; i++)
            x[i] = clip8(rms[r / 2] * gauss(&seed) + dc[r % 2]);
        struct fake f = open_condition(s, GN_FMT_CI8, 4e6);
        assert_int_equal(start_here(&f), GN_OK);
        assert_int_equal(fake_push(&f, x, 2, N, 0, y, 2, 50000, 0), N);
        double sum = 0, square = 0;
        for (size_t i = 0; i < 2 * N; i++) {
            sum += y[i];
            square += y[i] * y[i];
        }
        double out = sqrt(square / (2 * N));
        GN_CHECK("level", out > 1.9 && out < 30);
        GN_CHECK("offset", fabs(sum / (2 * N)) < 0.04 * out);
        fake_close(&f);
    }
}

/* one bit, and a good level without offset, pass as they are; inverted one bit only flips Q */
static void test_one_bit(void **state)
{
    (void)state;
    enum { N = 500000 };
    static int8_t x[2 * N], y[2 * N];
    uint32_t seed = 1;
    for (size_t i = 0; i < 2 * N; i++)
        x[i] = (fake_random(&seed) & 1) != 0 ? 1 : -1;
    const char *normal[] = {"if=0", NULL}, *inverted[] = {"if=0", "spectrum=inverted", NULL};
    struct fake f = open_condition(normal, GN_FMT_CI8, 4e6);
    assert_int_equal(start_here(&f), GN_OK);
    assert_int_equal(fake_push(&f, x, 2, N, 0, y, 2, 50000, 0), N);
    assert_memory_equal(x, y, sizeof x);
    fake_close(&f);
    f = open_condition(inverted, GN_FMT_CI8, 4e6);
    assert_int_equal(start_here(&f), GN_OK);
    assert_int_equal(fake_push(&f, x, 2, N, 0, y, 2, 50000, 0), N);
    for (size_t i = 0; i < N; i++)
        assert_true(y[2 * i] == x[2 * i] && y[2 * i + 1] == -x[2 * i + 1]);
    fake_close(&f);
}

/* every path: random cuts and rooms give the same bytes as large ones, at a large odd index too */
static void test_chunks(void **state)
{
    (void)state;
    enum { N = 300000 };
    static union {
        int8_t s8[2 * N];
        int16_t s16[2 * N];
        float f32[2 * N];
    } x;
    static int8_t whole[2 * N], cut[2 * N];
    static const struct {
        const char *name, *if_hz;
        uint32_t format, bytes;
    } rows[] = {{"integer", "if=0", GN_FMT_CI8, 2}, {"ci16", "if=0", GN_FMT_CI16, 4},
            {"cf32", "if=-7e4", GN_FMT_CF32, 8}, {"mixed", "if=123456.7", GN_FMT_CI8, 2},
            {"real", "if=250e3", GN_FMT_S8, 1}, {"real 16", "if=1e5", GN_FMT_S16, 2}};
    for (size_t r = 0; r < GN_COUNT(rows); r++) {
        const char *s[] = {rows[r].if_hz, NULL};
        uint32_t seed = 17;
        for (size_t i = 0; i < 2 * N; i++) {
            double level = i > N ? 300 : 9; /* a jump of level, to make the gain move */
            if (rows[r].format == GN_FMT_CF32)
                x.f32[i] = (float)(level * gauss(&seed)) / 1000;
            else if (rows[r].format == GN_FMT_CI16 || rows[r].format == GN_FMT_S16)
                x.s16[i] = (int16_t)(level * gauss(&seed));
            else
                x.s8[i] = clip8(level / 10 * gauss(&seed) + 3);
        }
        for (uint32_t seed2 = 0; seed2 < 3; seed2++) {
            struct fake f = open_condition(s, rows[r].format, 1e6);
            GN_CHECK(rows[r].name, start_here(&f) == GN_OK);
            size_t n = fake_push(&f, &x, rows[r].bytes, N, 999999937, seed2 == 0 ? whole : cut, 2,
                    seed2 == 0   ? 100000
                    : seed2 == 1 ? 7000
                                 : 40,
                    seed2);
            GN_CHECK(rows[r].name, n == N);
            fake_close(&f);
            GN_CHECK(rows[r].name, seed2 == 0 || memcmp(whole, cut, sizeof whole) == 0);
        }
    }
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *name, *setting, *words;
        uint32_t format;
        double rate_sps;
    } rows[] = {
            {"nobody says", NULL, "must be given", GN_FMT_CI8, 4e6},
            {"outside", "if=2.1e6", "outside the band", GN_FMT_CI8, 4e6},
            {"no rate", "if=1e6", "no sample rate", GN_FMT_CI8, 0},
            {"real at zero", "if=0", "mirror image", GN_FMT_S8, 4e6},
            {"real at half", "if=2e6", "mirror image", GN_FMT_S8, 4e6},
    };
    for (size_t r = 0; r < GN_COUNT(rows); r++) {
        const char *s[] = {rows[r].setting, NULL};
        struct fake f = open_condition(s, rows[r].format, rows[r].rate_sps);
        GN_CHECK(rows[r].name, start_here(&f) == GN_E_ARG);
        GN_CHECK(f.words, strcmp(f.what, "if") == 0 && strstr(f.words, rows[r].words) != NULL);
        fake_close(&f);
    }
    /* what the source knows is used */
    struct fake f = open_condition(NULL, GN_FMT_CI8, 4e6);
    f.plan.anchor.has_if = 1;
    f.plan.anchor.if_hz = 1e6;
    assert_int_equal(start_here(&f), GN_OK);
    fake_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_real_if),
            cmocka_unit_test(test_complex_if),
            cmocka_unit_test(test_levels),
            cmocka_unit_test(test_one_bit),
            cmocka_unit_test(test_chunks),
            cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
