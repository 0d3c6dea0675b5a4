/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What a correlation costs: 12 channels with differing code phases read the same milliseconds,
 * correlation only. The running sum against VOLK's rotator and dot products, with one code replica
 * made per tap and with replicas given; Galileo E1 beside it; then the code bias that edges between
 * samples leave. Best of several rounds. */
#include "lib/corr/grid.h"
#include "lib/corr/oracle.h"
#include "lib/corr/sum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <volk/volk.h>

#define N_CHANNELS 12u
#define N_MS       60u
#define N_ROUNDS   7u
#define GPS_BINS   2046u
#define E1_BINS    8184u
#define MAX_BINS   (E1_BINS + 128u)

static const double q32 = 4294967296.0;

struct setup {
    double rate_sps;
    uint32_t n_ms_samples;
    int8_t *iq; /* N_MS + 5 ms */
    lv_32fc_t *cf;
    float gps[3 * GPS_BINS], e1[2][2 * E1_BINS];
    struct gn_sum sum;
    lv_32fc_t *mixed;
    float *replica;
    float *given[N_CHANNELS][3]; /* ready replicas, 32-byte aligned */
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double code_start(const struct setup *s, uint32_t channel) /* samples */
{
    return 20.0 + channel * 0.083 * s->n_ms_samples + 0.37;
}

static double doppler_hz(uint32_t channel)
{
    return -4000 + 700.0 * channel;
}

static void fill(struct setup *s, double rate_sps)
{
    memset(s, 0, sizeof *s);
    s->rate_sps = rate_sps;
    s->n_ms_samples = (uint32_t)lrint(rate_sps * 1e-3);
    size_t n = (size_t)s->n_ms_samples * (N_MS + 6);
    s->iq = aligned_alloc(64, (2 * n + 127) / 64 * 64);
    s->cf = aligned_alloc(64, (8 * n + 127) / 64 * 64);
    s->mixed = aligned_alloc(64, (size_t)s->n_ms_samples * 8 + 4096);
    s->replica = aligned_alloc(64, ((size_t)s->n_ms_samples * 4 + 4096) / 64 * 64);
    srand(1);
    for (size_t i = 0; i < 2 * n; i++)
        s->iq[i] = (int8_t)(rand() % 41 - 20);
    volk_8i_s32f_convert_32f((float *)(void *)s->cf, s->iq, 1.0f, (unsigned)(2 * n));
    for (uint32_t i = 0; i < GPS_BINS; i += 2)
        s->gps[i] = s->gps[i + 1] = rand() & 64 ? 1.0f : -1.0f;
    for (uint32_t i = GPS_BINS; i < 3 * GPS_BINS; i++)
        s->gps[i] = s->gps[i - GPS_BINS];
    for (uint32_t c = 0; c < 2; c++)
        for (uint32_t i = 0; i < 2 * E1_BINS; i++)
            s->e1[c][i] = i < E1_BINS ? (rand() & 64 ? 1.0f : -1.0f) : s->e1[c][i - E1_BINS];
    uint32_t keep = s->n_ms_samples * 6, capacity = keep + s->n_ms_samples;
    gn_sum_init(&s->sum, GN_FMT_CI8, capacity, s->n_ms_samples, keep,
            aligned_alloc(64, (gn_sum_bytes(GN_FMT_CI8, capacity) + 63) / 64 * 64));
}

static struct gn_corr_grid gps_grid(const struct setup *s, uint32_t channel)
{
    double step = s->rate_sps / 2.046e6, fd = doppler_hz(channel);
    return (struct gn_corr_grid){.start_q32 = (uint64_t)(code_start(s, channel) * q32),
            .step_q32 = (uint64_t)(step * q32),
            .n_bins = GPS_BINS,
            .n_taps = 3,
            .phase_q32 = 0,
            .phase_step_q32 = (int32_t)(fd / 2.046e6 * q32),
            .code = {s->gps + GPS_BINS + 1, s->gps + GPS_BINS, s->gps + GPS_BINS - 1}};
}

static double bench_sum(struct setup *s, const struct gn_corr_kernel *kernel, double *shared_us)
{
    double best = 1e9, best_shared = 1e9;
    volatile float sink = 0;

    for (uint32_t r = 0; r < N_ROUNDS; r++) {
        double used = 0, shared = 0;
        gn_sum_reset(&s->sum);
        for (uint32_t ms = 0; ms < N_MS; ms++) {
            uint64_t at = (uint64_t)ms * s->n_ms_samples;
            double t0 = now_s();
            uint32_t offset = gn_sum_cover(&s->sum, kernel, s->iq, 0, s->n_ms_samples * (N_MS + 6),
                    at, at + 3 * s->n_ms_samples);
            double t1 = now_s();
            for (uint32_t c = 0; c < N_CHANNELS; c++) {
                struct gn_corr_grid g = gps_grid(s, c);
                struct gn_cplx tap[GN_CORR_TAPS_MAX];
                gn_corr_grid_run(kernel, &s->sum, offset, &g, tap);
                sink = sink + tap[0].re;
            }
            used += now_s() - t1;
            shared += t1 - t0;
        }
        best = fmin(best, used / (N_MS * N_CHANNELS));
        best_shared = fmin(best_shared, shared / (N_MS + 2));
    }
    *shared_us = best_shared * 1e6;
    return best * 1e6;
}

/* us per channel and millisecond; two half-chip grids: prompt, +-0.5 and data, then +-0.25 */
static double bench_e1(struct setup *s, const struct gn_corr_kernel *kernel)
{
    double best = 1e9;
    volatile float sink = 0;
    uint32_t offset = gn_sum_cover(
            &s->sum, kernel, s->iq, 0, s->n_ms_samples * (N_MS + 6), 0, s->n_ms_samples * 6);

    for (uint32_t r = 0; r < N_ROUNDS; r++) {
        double t0 = now_s();
        for (uint32_t rep = 0; rep < 10; rep++)
            for (uint32_t c = 0; c < N_CHANNELS; c++) {
                struct gn_corr_grid g = gps_grid(s, c);
                struct gn_cplx tap[GN_CORR_TAPS_MAX];
                const float *pilot = s->e1[0] + 64, *data = s->e1[1] + 64;
                g.n_bins = E1_BINS;
                g.n_taps = 4;
                g.code[0] = pilot;
                g.code[1] = pilot + 1;
                g.code[2] = pilot - 1;
                g.code[3] = data;
                gn_corr_grid_run(kernel, &s->sum, offset, &g, tap);
                g.start_q32 -= g.step_q32 / 2;
                g.n_taps = 2;
                g.code[1] = pilot - 1;
                gn_corr_grid_run(kernel, &s->sum, offset, &g, tap + 4);
                sink = sink + tap[0].re;
            }
        best = fmin(best, (now_s() - t0) / (10 * N_CHANNELS * 4));
    }
    return best * 1e6;
}

static void make_replica(
        const float *code, double start_bins, double bins_per_sample, uint32_t n, float *ret)
{
    uint64_t acc = (uint64_t)(start_bins * q32), step = (uint64_t)(bins_per_sample * q32);
    for (uint32_t i = 0; i < n; i++, acc += step)
        ret[i] = code[acc >> 32];
}

/* VOLK: rotator over a millisecond, then one dot product a tap with its replica, made here or given
 */
static double bench_volk(struct setup *s, int is_given)
{
    double best = 1e9, bins_per_sample = 2.046e6 / s->rate_sps;
    uint32_t n = s->n_ms_samples;
    volatile float sink = 0;

    for (uint32_t c = 0; c < N_CHANNELS; c++)
        for (uint32_t k = 0; k < 3; k++) {
            s->given[c][k] = aligned_alloc(64, ((size_t)n * 4 + 4096) / 64 * 64);
            make_replica(s->gps + GPS_BINS, 1.0 - k + 1, bins_per_sample, n, s->given[c][k]);
        }
    for (uint32_t r = 0; r < N_ROUNDS; r++) {
        double t0 = now_s();
        for (uint32_t ms = 0; ms < N_MS; ms++)
            for (uint32_t c = 0; c < N_CHANNELS; c++) {
                double w = 6.283185307179586 * doppler_hz(c) / s->rate_sps;
                lv_32fc_t phase = lv_cmake(1.0f, 0.0f),
                          turn = lv_cmake((float)cos(w), -(float)sin(w)), tap;
                const lv_32fc_t *in = s->cf + (size_t)ms * n + (size_t)code_start(s, c);
                volk_32fc_s32fc_x2_rotator_32fc(s->mixed, in, turn, &phase, n);
                for (uint32_t k = 0; k < 3; k++) {
                    const float *replica = s->given[c][k];
                    if (!is_given) {
                        make_replica(
                                s->gps + GPS_BINS, 1.0 - k + 1, bins_per_sample, n, s->replica);
                        replica = s->replica;
                    }
                    volk_32fc_32f_dot_prod_32fc(&tap, s->mixed, replica, n);
                    sink = sink + lv_creal(tap);
                }
            }
        best = fmin(best, (now_s() - t0) / (N_MS * N_CHANNELS));
    }
    for (uint32_t c = 0; c < N_CHANNELS; c++)
        for (uint32_t k = 0; k < 3; k++)
            free(s->given[c][k]);
    return best * 1e6;
}

static double oracle_error(struct setup *s, const struct gn_corr_kernel *kernel)
{
    double worst = 0;
    uint32_t offset = gn_sum_cover(
            &s->sum, kernel, s->iq, 0, s->n_ms_samples * (N_MS + 6), 0, s->n_ms_samples * 3);
    for (uint32_t c = 0; c < N_CHANNELS; c++) {
        struct gn_corr_grid g = gps_grid(s, c);
        struct gn_cplx got[GN_CORR_TAPS_MAX], want[GN_CORR_TAPS_MAX];
        gn_corr_grid_run(kernel, &s->sum, offset, &g, got);
        gn_corr_oracle_run(s->iq, GN_FMT_CI8, GN_EDGES_SHARED, &g, want);
        for (uint32_t k = 0; k < 3; k++)
            worst = fmax(worst,
                    hypot((double)(got[k].re - want[k].re), (double)(got[k].im - want[k].im)));
    }
    return worst / (17.0 * sqrt(s->n_ms_samples)); /* in noise sigmas */
}

/* A unit step through the band of a front end (cut at 0.4 of the rate, Hann window), t in samples
 */
#define STEP_HALF  8.0
#define STEP_GRAIN 256.0
static float step_response[4097];

static void make_step(void)
{
    double sum = 0;
    for (int i = 0; i <= 4096; i++) {
        double t = (i + 0.5) / STEP_GRAIN - STEP_HALF, x = 0.8 * 3.141592653589793 * t;
        sum += sin(x) / x * (1 + cos(3.141592653589793 * t / STEP_HALF));
        step_response[i] = (float)sum;
    }
    for (int i = 0; i <= 4096; i++)
        step_response[i] /= step_response[4096];
}

/* Band-limited code at time t (samples after the code start) */
static double code_at(const float *code, double t, double step)
{
    long first = lrint(floor((t - STEP_HALF) / step)), last = lrint(floor((t + STEP_HALF) / step));
    double v = (double)code[first + GPS_BINS];
    for (long j = first + 1; j <= last; j++) {
        double change = (double)(code[j + GPS_BINS] - code[j - 1 + GPS_BINS]);
        double at = (t - (double)j * step + STEP_HALF) * STEP_GRAIN;
        if (change != 0.0)
            v += change * (double)step_response[at < 0 ? 0 : at > 4096 ? 4096 : (int)at];
    }
    return v;
}

/* Where a half-chip early-late loop settles as the true delay moves over two samples: without
 * noise, zero Doppler */
static double bias_m(double rate_sps, int use_sum)
{
    uint32_t n = (uint32_t)lrint(rate_sps * 1.1e-3);
    static float code[3 * GPS_BINS];
    int8_t *iq = calloc(n, 2);
    double lo = 1e9, hi = -1e9, step = rate_sps / 2.046e6;
    srand(3);
    for (uint32_t i = 0; i < GPS_BINS; i += 2)
        code[i] = code[i + 1] = rand() & 64 ? 1.0f : -1.0f;
    for (uint32_t i = GPS_BINS; i < 3 * GPS_BINS; i++)
        code[i] = code[i - GPS_BINS];
    struct gn_sum sum;
    gn_sum_init(&sum, GN_FMT_CI8, n, 1, n - 1,
            aligned_alloc(64, (gn_sum_bytes(GN_FMT_CI8, n) + 63) / 64 * 64));
    for (uint32_t i_phase = 0; i_phase < 32; i_phase++) {
        double delay = 20 + i_phase / 16.0, x = delay;
        for (uint32_t i = 0; i < n; i++)
            iq[2 * i] = (int8_t)lrint(90 * code_at(code, i - delay, step));
        gn_sum_reset(&sum);
        uint32_t offset = gn_sum_cover(&sum, gn_corr_kernels[0], iq, 0, n, 0, n - 1);
        for (uint32_t i = 0; i < 60; i++) {
            struct gn_corr_grid g = {.start_q32 = (uint64_t)((x + 0.5) * q32),
                    .step_q32 = (uint64_t)(step * q32),
                    .n_bins = GPS_BINS,
                    .n_taps = 3,
                    .code = {code + GPS_BINS + 1, code + GPS_BINS, code + GPS_BINS - 1}};
            struct gn_cplx t[GN_CORR_TAPS_MAX];
            if (use_sum)
                gn_corr_grid_run(gn_corr_kernels[0], &sum, offset, &g, t);
            else
                gn_corr_oracle_run(iq, GN_FMT_CI8, GN_EDGES_NEAREST, &g, t);
            x += 0.3 * (double)((t[2].re - t[0].re) / t[1].re) * step;
        }
        lo = fmin(lo, x - delay);
        hi = fmax(hi, x - delay);
    }
    free(sum.sums);
    free(iq);
    return (hi - lo) / rate_sps * 299792458.0;
}

int main(void)
{
    static const double rates_sps[] = {4.0e6, 4.092e6, 16.368e6, 25e6};
    static struct setup s;
    const struct gn_corr_kernel *best = gn_corr_kernel_choose(0);

    for (size_t i = 0; i < GN_COUNT(rates_sps); i++) {
        double shared;
        fill(&s, rates_sps[i]);
        double made = bench_volk(&s, 0), given = bench_volk(&s, 1);
        printf("%.3f Msps, 12 channels, us per channel and ms\n", rates_sps[i] / 1e6);
        printf("  VOLK rotator + 3 dots: replicas made %.2f, given %.2f\n", made, given);
        for (uint32_t k = 0; gn_corr_kernels[k] != NULL; k++) {
            if (!gn_corr_kernels[k]->works_here())
                continue;
            double us = bench_sum(&s, gn_corr_kernels[k], &shared);
            printf("  running sum %-8s: GPS 3 taps %.3f (%.1fx, %.1fx given), shared %.2f, E1 5 + "
                   "1 taps %.3f; "
                   "off the oracle %.1e sigma\n",
                    gn_corr_kernels[k]->name, us, made / us, given / us, shared,
                    bench_e1(&s, gn_corr_kernels[k]), oracle_error(&s, gn_corr_kernels[k]));
        }
        free(s.iq);
        free(s.cf);
        free(s.mixed);
        free(s.replica);
        free(s.sum.sums);
    }
    make_step();
    printf("chosen: %s\ncode bias over a sample, zero Doppler, peak to peak, m:\n", best->name);
    for (size_t i = 0; i < 3; i++)
        printf("  %.3f Msps: running sum %.2f, nearest sample %.2f\n", rates_sps[i] / 1e6,
                bias_m(rates_sps[i], 1), bias_m(rates_sps[i], 0));
    return 0;
}
