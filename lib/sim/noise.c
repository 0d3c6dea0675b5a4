/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/sim/noise.h"

#include <math.h>

/* x with erfc(-x / sqrt 2) / 2 = p, by halving: done once, so simple beats fast */
static double normal_quantile(double p)
{
    double low = -8, high = 8;
    for (int i = 0; i < 60; i++) {
        double mid = (low + high) / 2;
        if (0.5 * erfc(-mid / sqrt(2)) < p)
            low = mid;
        else
            high = mid;
    }
    return (low + high) / 2;
}

void gn_noise_init(struct gn_noise *noise, uint64_t seed, double sigma)
{
    double square = 0, q[GN_NOISE_STEPS];
    for (uint32_t i = 0; i < GN_NOISE_STEPS; i++) {
        q[i] = normal_quantile((i + 0.5) / GN_NOISE_STEPS);
        square += q[i] * q[i];
    }
    double scale =
            sigma / sqrt(2 * square / GN_NOISE_STEPS); /* the steps lack the outermost tails */
    for (uint32_t i = 0; i < GN_NOISE_STEPS; i++)
        noise->quantile[i] = (float)(q[i] * scale);
    noise->seed = seed * 0xD1342543DE82EF95ULL + 1;
}

/* splitmix64 (G. L. Steele, D. Lea, C. H. Flood, 2014) with the sample index as its state */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

void gn_noise_fill(const struct gn_noise *noise, uint64_t index, size_t n, float *re, float *im)
{
    const float *q = noise->quantile;
    for (size_t i = 0; i < n; i++) {
        uint64_t x = mix(noise->seed + (index + i) * 0x9E3779B97F4A7C15ULL);
        re[i] = q[x & 4095] + q[x >> 12 & 4095];
        im[i] = q[x >> 24 & 4095] + q[x >> 36 & 4095];
    }
}
