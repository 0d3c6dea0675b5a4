/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Cost of the pieces of conditioning and unpacking per sample, beside memcpy of the same samples.
 */
#include "lib/frontend/fir.h"
#include "lib/frontend/layout.h"
#include "lib/frontend/mix.h"
#include "lib/frontend/quantise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define N    32768
#define RUNS 400

static int8_t x[2 * N + 256], y[2 * N];
static float re[N + 256], im[N + 256], out[N];
static struct gn_mixer mixer;
static struct gn_fir fir;
static struct gn_unpack_table table;
static const struct gn_layout one_bit = {.format = GN_FILE_PACKED, .bits = 1, .map = {-1, 1}};

static void copy(void)
{
    memcpy(y, x, 2 * N);
}

static void shift(void)
{
    const double dc[2] = {0.3, -0.2};
    gn_shift_ci8(x, N, 3, dc, true, y);
}

static void unpack(void)
{
    gn_layout_convert(&one_bit, &table, (const uint8_t *)x, 0, N, y);
}

static void mix(void)
{
    gn_mixer_run(&mixer, 12345, N, re, im);
}

static void filter(void)
{
    gn_fir_run(&fir, re + 64, N, out);
}

static void quantise(void)
{
    gn_quantise_ci8(re, im, N, 4, y);
}

static double seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(void)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } rows[] = {{"memcpy ci8", copy}, {"integer DC, gain, conjugate", shift},
            {"unpack 1-bit IQ", unpack}, {"mix complex float", mix},
            {"half-band, one component", filter}, {"quantise to ci8", quantise}};
    for (size_t i = 0; i < sizeof x; i++)
        x[i] = (int8_t)(rand() % 31 - 15);
    for (size_t i = 0; i < N + 256; i++)
        re[i] = im[i] = (float)(rand() % 31 - 15);
    gn_mixer_init(&mixer, 0.123);
    gn_fir_lowpass(&fir, 0.25, 0.125);
    gn_layout_table(&one_bit, &table);
    double base = 0;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        double best = 1e9;
        for (int i = 0; i < RUNS; i++) {
            double t0 = seconds();
            rows[r].run();
            double t = seconds() - t0;
            best = t < best ? t : best;
        }
        double ns = best / N * 1e9;
        base = r == 0 ? ns : base;
        printf("%-28s %6.3f ns a sample, %5.1f times memcpy\n", rows[r].name, ns, ns / base);
    }
    return 0;
}
