/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/sim/noise.h"

#include "lib/sim/clones.h"

#include <math.h>
#include <string.h>

#define LOG2_RUN 16 /* samples that share a key */

void gn_noise_init(struct gn_noise *noise, uint64_t seed, double sigma)
{
    noise->seed = seed * 0xD1342543DE82EF95ULL + 1;
    noise->sigma = (float)sigma;
}

/* splitmix64 (G. L. Steele, D. Lea, C. H. Flood, 2014) with the run's number as its state */
static uint64_t key_of(uint64_t seed, uint64_t i_run)
{
    uint64_t x = seed + i_run * 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

static inline uint32_t stir(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x85EBCA6BU;
    x = (x ^ (x >> 13)) * 0xC2B2AE35U;
    return x ^ (x >> 16);
}

/* -2 ln((h + 0.5) 2^-24) of a 24-bit h; polynomial by least squares, error below 1e-7 */
static inline float minus_2_log(uint32_t h)
{
    float u = ((float)(int32_t)h + 0.5f) * 0x1p-24f;
    uint32_t bits;
    memcpy(&bits, &u, sizeof bits);
    uint32_t shifted = bits - 0x3F3504F3U; /* sqrt 1/2 */
    int32_t exponent = (int32_t)shifted >> 23;
    bits = (shifted & 0x007FFFFFU) + 0x3F3504F3U;
    float m;
    memcpy(&m, &bits, sizeof m);
    float x = m - 1;
    float p = 0.333334103f +
              x * (-0.250009217f +
                          x * (0.199851278f +
                                      x * (-0.165928563f +
                                                  x * (0.146763966f +
                                                              x * (-0.141184249f +
                                                                          x * 0.0927221431f)))));
    float ln = x - 0.5f * x * x + x * x * x * p + 0.693147181f * (float)exponent;
    return -2 * ln;
}

/* cos and sin of h / 2^32 turns */
static inline void turn(uint32_t h, float *c, float *s)
{
    uint32_t shifted = h + 0x20000000U;
    float y = (float)((int32_t)(shifted & 0x3FFFFFFFU) - 0x20000000) * 0x1p-30f; /* quarters */
    float y2 = y * y;
    float sine = y * (1.57079632f + y2 * (-0.645963478f + y2 * (0.0796802229f - y2 * 0.00460216311f)));
    float cosine =
            1 + y2 * (-1.23370054f + y2 * (0.253669204f + y2 * (-0.0208600704f + y2 * 0.00090362989f)));
    uint32_t swap = 0U - (shifted >> 30 & 1U), a, b;
    memcpy(&a, &cosine, sizeof a);
    memcpy(&b, &sine, sizeof b);
    uint32_t x = (a & ~swap) | (b & swap), z = (b & ~swap) | (a & swap);
    x ^= (shifted + 0x40000000U) & 0x80000000U; /* second and third quarter */
    z ^= shifted & 0x80000000U;                 /* third and fourth */
    memcpy(c, &x, sizeof *c);
    memcpy(s, &z, sizeof *s);
}

GN_CLONES static void fill_run(
        uint64_t key, float sigma, uint32_t first, size_t n, float *restrict re, float *restrict im)
{
    uint32_t key_a = (uint32_t)key, key_b = (uint32_t)(key >> 32);
    for (size_t i = 0; i < n; i++) {
        uint32_t a = stir((first + (uint32_t)i) * 0x9E3779B9U + key_a);
        uint32_t b = stir(a + key_b);
        float r = sigma * sqrtf(minus_2_log(a >> 8)), c, s;
        turn(b, &c, &s);
        re[i] = r * c;
        im[i] = r * s;
    }
}

void gn_noise_fill(const struct gn_noise *noise, uint64_t index, size_t n, float *re, float *im)
{
    for (size_t i = 0; i < n;) {
        uint64_t at = index + i, left = (1ULL << LOG2_RUN) - (at & ((1ULL << LOG2_RUN) - 1));
        size_t now = n - i < left ? n - i : (size_t)left;
        fill_run(key_of(noise->seed, at >> LOG2_RUN), noise->sigma,
                (uint32_t)(at & ((1ULL << LOG2_RUN) - 1)), now, re + i, im + i);
        i += now;
    }
}
