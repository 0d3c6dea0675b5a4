/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* How fast the sky is made, on one core: times real time, and as a share of the time a copy of the
 * same bytes through memory would take (the limit of any generator that writes its samples).
 * usage: bench_sim [SECONDS]      gps-sdr-sim, the usual peer, is not in Debian 12. */
#include "lib/gnss/signal.h"
#include "lib/sim/sky.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COPY_BYTES (64U << 20)

static double now_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* bytes a second of memcpy between two blocks no cache holds */
static double copy_rate(void)
{
    char *a = malloc(COPY_BYTES), *b = malloc(COPY_BYTES);
    double best_s = HUGE_VAL;
    if (a == NULL || b == NULL)
        exit(1);
    memset(a, 1, COPY_BYTES);
    memset(b, 2, COPY_BYTES);
    for (int i = 0; i < 5; i++) {
        double t = now_s();
        memcpy(i % 2 == 0 ? a : b, i % 2 == 0 ? b : a, COPY_BYTES);
        best_s = fmin(best_s, now_s() - t);
    }
    free(a);
    free(b);
    return COPY_BYTES / best_s;
}

static struct gn_sim_sky sky;
static int8_t out[2 * GN_SIM_TILE];

static void run(double rate_sps, double seconds, double copy_bps)
{
    struct gn_sim_scene s = {.start = {2421, 158400.1}, .rate_sps = rate_sps, .cn0_dbhz = 45,
            .fade_cn0_dbhz = (double)NAN, .mask_rad = 0, .level = 12, .noise = 1, .seed = 1,
            .n_gps = 10, .n_galileo = 6, .seconds_s = seconds, .osnma_seed = 1, .has_osnma = true};
    gn_sim_ecef(0.8527, 0.04, 100, s.ecef_m);
    if (gn_sim_sky_init(&sky, &s, NULL) != GN_OK)
        exit(1);
    uint64_t n = (uint64_t)(seconds * rate_sps / GN_SIM_TILE);
    double best = 0;
    for (int round = 0; round < 3; round++) {
        double t = now_s();
        for (uint64_t i = 0; i < n; i++)
            gn_sim_sky_tile(&sky, i, out);
        best = fmax(best, seconds / (now_s() - t));
    }
    printf("%u satellites at %.3f Msps: %.1f times real time on one core, %.4f of the copy limit\n",
            sky.n_channels, rate_sps / 1e6, best, best * rate_sps * 2 / copy_bps);
    gn_sim_sky_done(&sky);
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 2, copy_bps = copy_rate();
    printf("memcpy: %.1f GB/s\n", copy_bps / 1e9);
    run(4.092e6, seconds, copy_bps);
    run(16.368e6, seconds / 4, copy_bps);
    return 0;
}
