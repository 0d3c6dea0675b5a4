/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The 802.15.4 receiver: times real time at 4 Msps on one core, in silence with noise and in dense traffic. */
#include "lib/modem/rx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RATE   4e6
#define N      2000000u
#define ROUNDS 5

static double now_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint32_t draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(*seed >> 32);
}

static void noise(float *iq, uint64_t *seed)
{
    for (size_t i = 0; i < 2 * (size_t)N; i++) {
        float sum = 0;
        for (int k = 0; k < 4; k++)
            sum += (float)draw(seed) / 4294967296.0F - 0.5F;
        iq[i] = 0.5F * sum;
    }
}

static void traffic(float *iq, size_t n_bytes, uint64_t *seed)
{
    float *one = calloc(20000, 2 * sizeof *one);
    size_t n = gn_oqpsk_samples(n_bytes, 2);
    for (size_t at = 1000; one != NULL && at + n + 1000 < N; at += n + 800) { /* 200 us apart */
        uint8_t psdu[127] = {0};
        for (size_t i = 0; i + 2 < n_bytes; i++)
            psdu[i] = (uint8_t)draw(seed);
        uint16_t fcs = gn_fcs(psdu, n_bytes - 2);
        psdu[n_bytes - 2] = (uint8_t)fcs;
        psdu[n_bytes - 1] = (uint8_t)(fcs >> 8);
        gn_oqpsk_modulate(psdu, n_bytes, 2, one);
        for (size_t i = 0; i < 2 * n; i++)
            iq[2 * at + i] += one[i];
    }
    free(one);
}

static void measure(const char *what, const float *iq)
{
    double best_s = INFINITY;
    uint64_t n_frames = 0;
    for (int r = 0; r < ROUNDS; r++) {
        struct gn_oqpsk_rx *rx = NULL;
        struct gn_oqpsk_frame f;
        if (gn_oqpsk_rx_new(RATE, &rx, NULL) != GN_OK)
            return;
        double t = now_s();
        for (size_t at = 0; at < N;) {
            at += gn_oqpsk_rx_push(rx, iq + 2 * at, N - at < 4000 ? N - at : 4000);
            while (gn_oqpsk_rx_next(rx, false, &f))
                continue;
        }
        t = now_s() - t;
        best_s = t < best_s ? t : best_s;
        n_frames = gn_oqpsk_rx_counts(rx).n_frames;
        gn_oqpsk_rx_free(rx);
    }
    (void)printf("%-28s %6.1f times real time, %llu frames\n", what, N / RATE / best_s, (unsigned long long)n_frames);
}

int main(void)
{
    uint64_t seed = 1;
    float *iq = calloc(N, 2 * sizeof *iq);
    if (iq == NULL)
        return 1;
    noise(iq, &seed);
    measure("noise alone", iq);
    traffic(iq, 127, &seed);
    measure("frames of 127 bytes", iq);
    noise(iq, &seed);
    traffic(iq, 12, &seed);
    measure("frames of 12 bytes", iq);
    free(iq);
    return 0;
}
