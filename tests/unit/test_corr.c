/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Every correlator against the plain C oracle; every kernel row against the portable one, bit by
 * bit. */
#include "lib/corr/grid.h"
#include "lib/corr/oracle.h"
#include "lib/corr/sum.h"
#include "lib/corr/volkcorr.h"
#include "tests/support/gn_test.h"

#include <math.h>
#include <string.h>

#define N_SAMPLES 20000u
#define N_CODE    9000u

static int8_t iq8[2 * N_SAMPLES];
static int16_t iq16[2 * N_SAMPLES];
static float code[2][N_CODE];

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static int make_input(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (uint32_t i = 0; i < 2 * N_SAMPLES; i++) {
        iq8[i] = (int8_t)((int)(next(&seed) % 255) - 127);
        iq16[i] = (int16_t)((int)(next(&seed) % 60001) - 30000);
    }
    for (uint32_t i = 0; i < N_CODE; i++) {
        code[0][i] = next(&seed) & 64u ? 1.0f : -1.0f;
        code[1][i] = next(&seed) & 64u ? 1.0f : -1.0f;
    }
    return 0;
}

static const struct {
    const char *name;
    double step, start, carrier_turns; /* samples, samples, turns in a bin */
    uint32_t n_bins, n_taps;
} rows[] = {
        {"half chips at 4.092 Msps", 2.0, 0.25, 1e-3, 2046, 3},
        {"half chips at 4 Msps", 4.0 / 2.046, 3.4, -2e-3, 2046, 3},
        {"quarter chips at 4 Msps", 4.0 / 4.092, 1.9, 5e-4, 4092, 6},
        {"half chips at 16.368 Msps", 8.00003, 0.999, 2.5e-3, 2046, 3},
        {"half chips at 2.6 Msps", 2.6 / 2.046, 7.0, 0, 2046, 8},
        {"longer than a tile", 1.9551, 0.1, 1e-4, 8184, 5},
        {"one bin", 1.9551, 0.1, 1e-4, 1, 1},
        {"odd", 2.0666, 0.99, 1e-3, 47, 2},
        {"wide bins", 97.3, 0.5, 1e-2, 200, 4},
};

static struct gn_corr_grid grid_of(size_t i, double start)
{
    const double q32 = 4294967296.0;
    struct gn_corr_grid g = {.start_q32 = (uint64_t)(start * q32),
            .step_q32 = (uint64_t)(rows[i].step * q32),
            .n_bins = rows[i].n_bins,
            .n_taps = rows[i].n_taps,
            .phase_q32 = 123456789u,
            .phase_step_q32 = (int32_t)(rows[i].carrier_turns * q32)};
    for (uint32_t k = 0; k < g.n_taps; k++)
        g.code[k] = code[k & 1u] + k * 3;
    return g;
}

static struct gn_sum sum_of(uint32_t format)
{
    struct gn_sum sum;
    void *memory = aligned_alloc(64, (gn_sum_bytes(format, N_SAMPLES) + 63) / 64 * 64);
    gn_sum_init(&sum, format, N_SAMPLES, 1000, N_SAMPLES - 1000, memory);
    return sum;
}

static void compare_rows(
        const struct gn_corr_kernel *fast, uint32_t format, const void *iq, uint32_t item_bytes)
{
    const struct gn_corr_kernel *plain = gn_corr_kernels[0];
    struct gn_sum a = sum_of(format), b = sum_of(format);

    for (uint32_t n = 0; n < N_SAMPLES; n += 997) { /* odd lengths, all alignments */
        uint32_t add = N_SAMPLES - n < 997 ? N_SAMPLES - n : 997;
        plain->extend(&a, (const char *)iq + (size_t)n * item_bytes, add);
        fast->extend(&b, (const char *)iq + (size_t)n * item_bytes, add);
        a.n += add;
        b.n += add;
    }
    assert_memory_equal(a.sums, b.sums, (N_SAMPLES + 1) * 2 * item_bytes);
    for (size_t i = 0; i < GN_COUNT(rows); i++)
        for (uint32_t offset = 0; offset < 17; offset++) {
            struct gn_corr_grid g = grid_of(i, rows[i].start + offset * 0.137);
            struct gn_cplx x[GN_CORR_TAPS_MAX], y[GN_CORR_TAPS_MAX];
            g.n_bins -= offset < g.n_bins ? offset : 0;
            gn_corr_grid_run(plain, &a, offset, &g, x);
            gn_corr_grid_run(fast, &b, offset, &g, y);
            GN_CHECK(rows[i].name, memcmp(x, y, g.n_taps * sizeof x[0]) == 0);
        }
    free(a.sums);
    free(b.sums);
}

static void test_rows_give_the_same_bits(void **state)
{
    (void)state;
    for (uint32_t r = 1; gn_corr_kernels[r] != NULL; r++) {
        if (!gn_corr_kernels[r]->works_here()) {
            print_message("%s: not run, this CPU lacks it\n", gn_corr_kernels[r]->name);
            continue;
        }
        compare_rows(gn_corr_kernels[r], GN_FMT_CI8, iq8, 2);
        compare_rows(gn_corr_kernels[r], GN_FMT_CI16, iq16, 4);
    }
}

/* Root of the power that went into a tap: what errors are measured against */
static double scale_of(uint32_t format, const struct gn_corr_grid *g)
{
    return (format == GN_FMT_CI8 ? 74.0 : 17320.0) *
           sqrt(2 * g->n_bins * (double)g->step_q32 / 4294967296.0);
}

/* The carrier is held for a bin: each bin is off by up to pi * turns in a bin, at random, while the
 * mean of the amplitude falls by (pi turns)^2 / 6. */
static void test_running_sum_equals_the_oracle(void **state)
{
    (void)state;
    for (uint32_t f = GN_FMT_CI8; f <= GN_FMT_CI16; f++) {
        struct gn_sum sum = sum_of(f);
        const void *iq = f == GN_FMT_CI8 ? (const void *)iq8 : (const void *)iq16;
        gn_corr_kernels[0]->extend(&sum, iq, N_SAMPLES);
        sum.n = N_SAMPLES;
        for (size_t i = 0; i < GN_COUNT(rows); i++) {
            struct gn_corr_grid g = grid_of(i, rows[i].start);
            struct gn_cplx got[GN_CORR_TAPS_MAX], want[GN_CORR_TAPS_MAX];
            gn_corr_grid_run(gn_corr_kernels[0], &sum, 0, &g, got);
            gn_corr_oracle_run(iq, f, GN_EDGES_SHARED, &g, want);
            double tol = scale_of(f, &g) * (6 * fabs(rows[i].carrier_turns) + 1e-3);
            for (uint32_t k = 0; k < g.n_taps; k++) {
                GN_NEAR(rows[i].name, got[k].re, want[k].re, tol);
                GN_NEAR(rows[i].name, got[k].im, want[k].im, tol);
            }
        }
        free(sum.sums);
    }
}

/* A clean signal, 16.368 Msps, 5 kHz: amplitude within the bound of (pi f T_bin)^2 / 6, 1e-5, and
 * rounding to 8 bits */
static void test_amplitude_bound(void **state)
{
    (void)state;
    const double q32 = 4294967296.0, turns = 5000.0 / 2.046e6;
    struct gn_corr_grid g = {.step_q32 = 8ull << 32,
            .n_bins = 2046,
            .n_taps = 1,
            .code = {code[0]},
            .phase_step_q32 = (int32_t)(turns * q32),
            .phase_q32 = (uint32_t)(turns / 2 * q32)};
    int16_t *iq = calloc(2 * 2047 * 8, sizeof *iq);
    for (uint32_t n = 0; n < 2046 * 8; n++) {
        double phi = 6.283185307179586 * turns * (n + 0.5) / 8;
        iq[2 * n] = (int16_t)lrint(20000.0 * (double)code[0][n / 8] * cos(phi));
        iq[2 * n + 1] = (int16_t)lrint(20000.0 * (double)code[0][n / 8] * sin(phi));
    }
    struct gn_sum sum = sum_of(GN_FMT_CI16);
    gn_corr_kernels[0]->extend(&sum, iq, 2046 * 8);
    sum.n = 2046 * 8;
    struct gn_cplx got, want;
    gn_corr_grid_run(gn_corr_kernels[0], &sum, 0, &g, &got);
    gn_corr_oracle_run(iq, GN_FMT_CI16, GN_EDGES_NEAREST, &g, &want);
    double bound = pow(3.14159265 * turns, 2) / 6;
    GN_NEAR("amplitude",
            hypot((double)got.re, (double)got.im) / hypot((double)want.re, (double)want.im),
            1 - bound, 0.2 * bound + 2e-6);
    GN_NEAR("phase", atan2((double)got.im, (double)got.re), 0, 1e-5);
    free(sum.sums);
    free(iq);
}

static void test_volk_equals_the_oracle(void **state)
{
    (void)state;
    static struct gn_volk_scratch scratch;
    for (uint32_t f = GN_FMT_CI8; f <= GN_FMT_CI16; f++)
        for (size_t i = 0; i < GN_COUNT(rows); i++)
            for (uint32_t offset = 0; offset < 5; offset++) {
                const void *iq = f == GN_FMT_CI8 ? (const void *)(iq8 + 2 * offset)
                                                 : (const void *)(iq16 + 2 * offset);
                struct gn_corr_grid g = grid_of(i, rows[i].start);
                struct gn_cplx got[GN_CORR_TAPS_MAX], want[GN_CORR_TAPS_MAX];
                gn_corr_volk_run(&scratch, iq, f, &g, got);
                gn_corr_oracle_run(iq, f, GN_EDGES_NEAREST, &g, want);
                for (uint32_t k = 0; k < g.n_taps; k++) {
                    GN_NEAR(rows[i].name, got[k].re, want[k].re, scale_of(f, &g) * 1e-5 + 1e-3);
                    GN_NEAR(rows[i].name, got[k].im, want[k].im, scale_of(f, &g) * 1e-5 + 1e-3);
                }
            }
}

/* A small window that slides, readers that leapfrog, one far behind, a gap: always the sums of the
 * right samples. */
static void test_window_slides(void **state)
{
    (void)state;
    const struct gn_corr_kernel *kernel = gn_corr_kernel_choose(0);
    struct gn_sum sum;
    void *memory = aligned_alloc(64, 64 * 200);
    gn_sum_init(&sum, GN_FMT_CI8, 1500, 100, 900, memory);
    static const uint32_t reads[][2] = {{0, 500}, {10, 480}, {400, 1300}, {1300, 1400},
            {1299, 1777}, {900, 1500}, {5000, 5900}, {0, 900}, {899, 1799}, {1798, 2600},
            {2600, 3500}, {3490, 4000}};
    for (size_t i = 0; i < GN_COUNT(reads); i++) {
        uint32_t lo = reads[i][0], hi = reads[i][1], at;
        at = gn_sum_cover(&sum, kernel, iq8 + 2 * (lo / 2), 70000 + lo / 2, N_SAMPLES - lo / 2,
                70000 + lo, 70000 + hi);
        assert_true(at + (hi - lo) <= sum.n && sum.n <= sum.capacity);
        uint16_t want = 0;
        for (uint32_t n = lo; n < hi; n++)
            want = (uint16_t)(want + iq8[2 * n]);
        const int16_t *s = sum.sums;
        assert_int_equal((uint16_t)(s[2 * (at + hi - lo)] - s[2 * at]), want);
    }
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_rows_give_the_same_bits),
            cmocka_unit_test(test_running_sum_equals_the_oracle),
            cmocka_unit_test(test_amplitude_bound),
            cmocka_unit_test(test_volk_equals_the_oracle),
            cmocka_unit_test(test_window_slides),
    };
    return cmocka_run_group_tests(tests, make_input, NULL);
}
