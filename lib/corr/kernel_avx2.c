/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The running-sum kernel for AVX2: one 64-bit gather fetches S[n] and S[n+1] of I and Q. Products
 * of a bin and the carrier are not fused, so that the bits equal the portable row; those with the
 * code are exact either way. */
#if defined(__x86_64__)

#include "lib/corr/tile.h"

#include <immintrin.h>

#define AVX2      __attribute__((target("avx2,fma")))
#define WEIGHT_S0 0x80000000u /* high half: -2^15 */

static int works_here(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

struct held8 {
    __m256i re, im;
};

/* Edges 16.16 fixed point after `at` -> held values (tile.h) of I and Q */
AVX2 static inline struct held8 read_edges(const int16_t *at, __m256i edge)
{
    const __m256i low = _mm256_set1_epi32(0xffff);
    __m256i n = _mm256_srli_epi32(edge, 16);
    __m128i lo = _mm256_castsi256_si128(n), hi = _mm256_extracti128_si256(n, 1);
    /* shuffle_ps works within 128-bit halves: fetch edges 0 1 4 5 and 2 3 6 7 */
    __m256i a = _mm256_i32gather_epi64(
            (const long long *)(const void *)at, _mm_unpacklo_epi64(lo, hi), 4);
    __m256i b = _mm256_i32gather_epi64(
            (const long long *)(const void *)at, _mm_unpackhi_epi64(lo, hi), 4);
    __m256 af = _mm256_castsi256_ps(a), bf = _mm256_castsi256_ps(b);
    __m256i s0 = _mm256_castps_si256(_mm256_shuffle_ps(af, bf, 0x88));
    __m256i s1 = _mm256_castps_si256(_mm256_shuffle_ps(af, bf, 0xdd));
    __m256i back = _mm256_sub_epi16(s0, s1);
    __m256i weight = _mm256_or_si256(
            _mm256_srli_epi32(_mm256_and_si256(edge, low), 1), _mm256_set1_epi32((int)WEIGHT_S0));
    __m256i re = _mm256_blend_epi16(back, _mm256_slli_epi32(s0, 16), 0xaa);
    __m256i im = _mm256_blend_epi16(_mm256_srli_epi32(back, 16), s0, 0xaa);

    return (struct held8){_mm256_madd_epi16(re, weight), _mm256_madd_epi16(im, weight)};
}

/* now[-1..6]: the lane before each, its first taken from the end of `before` */
AVX2 static inline __m256i lane_before(__m256i before, __m256i now)
{
    return _mm256_alignr_epi8(now, _mm256_permute2x128_si256(before, now, 0x21), 12);
}

AVX2 static inline __m256 bins_of(__m256i before, __m256i now)
{
    return _mm256_cvtepi32_ps(
            _mm256_slli_epi32(_mm256_sub_epi32(lane_before(before, now), now), 1));
}

AVX2 static inline void dot8(
        struct gn_corr_tile *tile, uint32_t j, uint32_t half, __m256 re, __m256 im)
{
    for (uint32_t k = 0; k < tile->n_taps; k++) {
        __m256 code = _mm256_loadu_ps(tile->code[k] + j + half);
        _mm256_storeu_ps(tile->acc_re[k] + half,
                _mm256_fmadd_ps(re, code, _mm256_loadu_ps(tile->acc_re[k] + half)));
        _mm256_storeu_ps(tile->acc_im[k] + half,
                _mm256_fmadd_ps(im, code, _mm256_loadu_ps(tile->acc_im[k] + half)));
    }
}

struct run8 {
    struct gn_corr_tile *tile;
    const int16_t *at;
    __m256i edge;
    struct held8 before;
};

/* Bins j + half .. j + half + 7 */
AVX2 static inline void use8(struct run8 *run, uint32_t j, uint32_t half)
{
    struct gn_corr_tile *tile = run->tile;
    struct held8 now = read_edges(run->at, run->edge);
    __m256 rot_re = _mm256_loadu_ps(tile->rot_re + half),
           rot_im = _mm256_loadu_ps(tile->rot_im + half);
    __m256 d_re = bins_of(run->before.re, now.re), d_im = bins_of(run->before.im, now.im);
    __m256 re = _mm256_sub_ps(_mm256_mul_ps(d_re, rot_re), _mm256_mul_ps(d_im, rot_im));
    __m256 im = _mm256_add_ps(_mm256_mul_ps(d_re, rot_im), _mm256_mul_ps(d_im, rot_re));
    __m256 turn_re = _mm256_set1_ps(tile->turn_re), turn_im = _mm256_set1_ps(tile->turn_im);

    dot8(tile, j, half, re, im);
    _mm256_storeu_ps(tile->rot_re + half,
            _mm256_sub_ps(_mm256_mul_ps(rot_re, turn_re), _mm256_mul_ps(rot_im, turn_im)));
    _mm256_storeu_ps(tile->rot_im + half,
            _mm256_add_ps(_mm256_mul_ps(rot_im, turn_re), _mm256_mul_ps(rot_re, turn_im)));
    run->before = now;
}

AVX2 static void run16(struct gn_corr_tile *tile)
{
    uint64_t pos = tile->pos_q32 + tile->step_q32;
    uint32_t lane[GN_CORR_LANES], before[2], j = 0;
    struct run8 run = {.tile = tile};

    gn_tile_lanes(tile->step_q32, lane);
    __m256i lane0 = _mm256_loadu_si256((const __m256i *)(const void *)lane);
    __m256i lane1 = _mm256_loadu_si256((const __m256i *)(const void *)(lane + 8));
    gn_tile_first16(tile, before);
    run.before.re = _mm256_set1_epi32((int)before[0]);
    run.before.im = _mm256_set1_epi32((int)before[1]);
    for (; j + GN_CORR_LANES <= tile->n_bins;
            j += GN_CORR_LANES, pos += GN_CORR_LANES * tile->step_q32) {
        __m256i frac = _mm256_set1_epi32((int)((uint32_t)pos >> 16));
        run.at = (const int16_t *)tile->sums + 2 * (pos >> 32);
        run.edge = _mm256_add_epi32(lane0, frac);
        use8(&run, j, 0);
        run.edge = _mm256_add_epi32(lane1, frac);
        use8(&run, j, 8);
    }
    before[0] = (uint32_t)_mm256_extract_epi32(run.before.re, 7);
    before[1] = (uint32_t)_mm256_extract_epi32(run.before.im, 7);
    gn_corr_rest16_portable(tile, pos, j, before);
}

AVX2 static void extend(struct gn_sum *sum, const void *iq, uint32_t n)
{
    if (sum->format != GN_FMT_CI8) {
        gn_corr_extend_portable(sum, iq, n);
        return;
    }
    const int8_t *in = iq;
    int16_t *sums = (int16_t *)sum->sums + 2 * (size_t)sum->n;
    __m256i carry = _mm256_set1_epi32(
            (int)((uint32_t)(uint16_t)sums[0] | (uint32_t)(uint16_t)sums[1] << 16));
    uint32_t i = 0;

    for (; i + 8 <= n; i += 8) {
        __m256i x = _mm256_cvtepi8_epi16(
                _mm_loadu_si128((const __m128i *)(const void *)(in + 2 * (size_t)i)));
        x = _mm256_add_epi16(x, _mm256_slli_si256(x, 4));
        x = _mm256_add_epi16(x, _mm256_slli_si256(x, 8));
        __m256i low = _mm256_permutevar8x32_epi32(x, _mm256_set1_epi32(3));
        x = _mm256_add_epi16(x, _mm256_blend_epi32(_mm256_setzero_si256(), low, 0xf0));
        x = _mm256_add_epi16(x, carry);
        _mm256_storeu_si256((__m256i *)(void *)(sums + 2 * (size_t)i + 2), x);
        carry = _mm256_permutevar8x32_epi32(x, _mm256_set1_epi32(7));
    }
    struct gn_sum rest = *sum;
    rest.n += i;
    gn_corr_extend_portable(&rest, in + 2 * (size_t)i, n - i);
}

const struct gn_corr_kernel gn_corr_kernel_avx2 = {
        "avx2", works_here, run16, gn_corr_run32_portable, extend};

#endif
