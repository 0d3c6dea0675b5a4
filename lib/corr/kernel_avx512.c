/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The running-sum kernel for AVX-512 (F, BW, DQ). Where 16 edges span at most 32 samples (half
 * chips up to 4.2 Msps) two permutations of loaded sums replace the gathers, a fifth of the time.
 * Bits equal the portable row: products of a bin and the carrier are not fused, those with the code
 * are exact either way. */
#if defined(__x86_64__)

#include "lib/corr/tile.h"

#include <immintrin.h>
#include <string.h>

#define AVX512     __attribute__((target("avx512f,avx512bw,avx512dq,avx2,fma")))
#define INLINE512  AVX512 static inline __attribute__((always_inline))
#define WEIGHT_S0  0x80000000u /* high half: -2^15 */
#define HIGH_WORDS 0xaaaaaaaau

static int works_here(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq");
}

enum mode { NEAR16, FAR16, FAR32 }; /* how edges are read */

struct pair16 {
    __m512i a, b;
};

struct rotor {
    __m512 re, im;
};

/* S[n] and S[n + 1] as dwords (I low, Q high) for 16 edges. Masked broadcasts from memory: 16 plain
 * loads, twice as fast as gathers here. */
INLINE512 struct pair16 fetch_far(const int16_t *at, const uint32_t *lane, uint32_t frac)
{
    const __m512i even =
            _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const char *base = (const char *)at;
    __m512i lo = _mm512_setzero_si512(), hi = lo;
#define TAKE(i)                                                                                    \
    do {                                                                                           \
        int64_t x_, y_;                                                                            \
        memcpy(&x_, base + 4 * (size_t)((frac + lane[i]) >> 16), 8);                               \
        memcpy(&y_, base + 4 * (size_t)((frac + lane[(i) + 8]) >> 16), 8);                         \
        lo = _mm512_mask_set1_epi64(lo, (__mmask8)(1u << (i)), x_);                                \
        hi = _mm512_mask_set1_epi64(hi, (__mmask8)(1u << (i)), y_);                                \
    } while (0)
    TAKE(0);
    TAKE(1);
    TAKE(2);
    TAKE(3);
    TAKE(4);
    TAKE(5);
    TAKE(6);
    TAKE(7);
#undef TAKE
    return (struct pair16){_mm512_permutex2var_epi32(lo, even, hi),
            _mm512_permutex2var_epi32(lo, _mm512_add_epi32(even, _mm512_set1_epi32(1)), hi)};
}

/* The same when all 16 edges lie within 32 samples */
INLINE512 struct pair16 fetch_near(const int16_t *at, __m512i edge)
{
    __m512i n = _mm512_srli_epi32(edge, 16);
    __m512i s0 = _mm512_permutex2var_epi32(_mm512_loadu_si512(at), n, _mm512_loadu_si512(at + 32));
    __m512i s1 =
            _mm512_permutex2var_epi32(_mm512_loadu_si512(at + 2), n, _mm512_loadu_si512(at + 34));
    return (struct pair16){s0, s1};
}

/* -> held values (tile.h) of I (a) and Q (b) */
INLINE512 struct pair16 hold(struct pair16 s, __m512i edge)
{
    __m512i back = _mm512_sub_epi16(s.a, s.b);
    /* (edge & 0xffff) >> 1 | WEIGHT_S0 */
    __m512i weight = _mm512_ternarylogic_epi32(_mm512_srli_epi32(edge, 1),
            _mm512_set1_epi32(0x7fff), _mm512_set1_epi32((int)WEIGHT_S0), 0xea);
    __m512i re = _mm512_mask_blend_epi16(HIGH_WORDS, back, _mm512_slli_epi32(s.a, 16));
    __m512i im = _mm512_mask_blend_epi16(HIGH_WORDS, _mm512_srli_epi32(back, 16), s.a);
    return (struct pair16){_mm512_madd_epi16(re, weight), _mm512_madd_epi16(im, weight)};
}

/* The same from 32-bit sums: -(S[n] + f (S[n+1] - S[n])) with f in 2^-10 */
INLINE512 struct pair16 hold32(const int32_t *at, __m512i edge)
{
    const __m512i even =
            _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    __m512i n = _mm512_srli_epi32(edge, 16);
    __m256i n_lo = _mm512_castsi512_si256(n), n_hi = _mm512_extracti64x4_epi64(n, 1);
    __m512i s0_lo = _mm512_i32gather_epi64(n_lo, at, 8),
            s0_hi = _mm512_i32gather_epi64(n_hi, at, 8);
    __m512i s1_lo = _mm512_i32gather_epi64(n_lo, at + 2, 8),
            s1_hi = _mm512_i32gather_epi64(n_hi, at + 2, 8);
    __m512i frac =
            _mm512_srli_epi32(_mm512_add_epi32(_mm512_and_si512(edge, _mm512_set1_epi32(0xffff)),
                                      _mm512_set1_epi32(32)),
                    16 - GN_TILE_FRAC32);
    __m512i re0 = _mm512_permutex2var_epi32(s0_lo, even, s0_hi),
            im0 = _mm512_permutex2var_epi32(s0_lo, odd, s0_hi);
    __m512i re1 = _mm512_permutex2var_epi32(s1_lo, even, s1_hi),
            im1 = _mm512_permutex2var_epi32(s1_lo, odd, s1_hi);
    __m512i re = _mm512_mullo_epi32(_mm512_sub_epi32(re0, re1), frac);
    __m512i im = _mm512_mullo_epi32(_mm512_sub_epi32(im0, im1), frac);
    return (struct pair16){_mm512_sub_epi32(re, _mm512_slli_epi32(re0, GN_TILE_FRAC32)),
            _mm512_sub_epi32(im, _mm512_slli_epi32(im0, GN_TILE_FRAC32))};
}

INLINE512 struct pair16 hold_edges(
        const struct gn_corr_tile *tile, enum mode mode, uint64_t pos, const uint32_t *lane)
{
    uint32_t frac = (uint32_t)pos >> 16;
    __m512i edge = _mm512_add_epi32(_mm512_loadu_si512(lane), _mm512_set1_epi32((int)frac));
    if (mode == FAR32)
        return hold32((const int32_t *)tile->sums + 2 * (pos >> 32), edge);
    const int16_t *at = (const int16_t *)tile->sums + 2 * (pos >> 32);
    return hold(mode == NEAR16 ? fetch_near(at, edge) : fetch_far(at, lane, frac), edge);
}

INLINE512 __m512 bins_of(enum mode mode, __m512i before, __m512i now)
{
    __m512i bin = _mm512_sub_epi32(_mm512_alignr_epi32(now, before, 15), now);
    return _mm512_cvtepi32_ps(mode == FAR32 ? bin : _mm512_slli_epi32(bin, 1));
}

INLINE512 struct rotor times(__m512 re, __m512 im, struct rotor r)
{
    return (struct rotor){_mm512_sub_ps(_mm512_mul_ps(re, r.re), _mm512_mul_ps(im, r.im)),
            _mm512_add_ps(_mm512_mul_ps(re, r.im), _mm512_mul_ps(im, r.re))};
}

/* What lives in registers from block to block */
struct run512 {
    struct rotor rot, turn;
    struct pair16 last;
    __m512 acc_re[GN_CORR_TAPS_MAX], acc_im[GN_CORR_TAPS_MAX];
};

/* Bins j..j+15 whose trailing edges start at pos; lanes outside the mask count nothing. */
INLINE512 void run_block(struct run512 *r, const struct gn_corr_tile *tile, enum mode mode,
        uint32_t n_taps, uint64_t pos, uint32_t j, const uint32_t *lane, __mmask16 mask)
{
    struct pair16 now = hold_edges(tile, mode, pos, lane);
    struct rotor bin =
            times(bins_of(mode, r->last.a, now.a), bins_of(mode, r->last.b, now.b), r->rot);

    bin.re = _mm512_maskz_mov_ps(mask, bin.re);
    bin.im = _mm512_maskz_mov_ps(mask, bin.im);
    for (uint32_t k = 0; k < n_taps; k++) {
        __m512 code = _mm512_loadu_ps(tile->code[k] + j);
        r->acc_re[k] = _mm512_fmadd_ps(bin.re, code, r->acc_re[k]);
        r->acc_im[k] = _mm512_fmadd_ps(bin.im, code, r->acc_im[k]);
    }
    r->rot = times(r->rot.re, r->rot.im, r->turn);
    r->last = now;
}

/* Every bound is a constant after inlining, so the accumulators stay in registers. */
INLINE512 void run_tile(struct gn_corr_tile *tile, enum mode mode, uint32_t n_taps)
{
    const uint64_t stride_q32 = GN_CORR_LANES * tile->step_q32;
    uint64_t pos = tile->pos_q32 + tile->step_q32;
    uint32_t lane[GN_CORR_LANES], before[2], j = 0;
    struct run512 r = {.rot = {_mm512_loadu_ps(tile->rot_re), _mm512_loadu_ps(tile->rot_im)},
            .turn = {_mm512_set1_ps(tile->turn_re), _mm512_set1_ps(tile->turn_im)}};

    gn_tile_lanes(tile->step_q32, lane);
    if (mode == FAR32)
        gn_tile_first32(tile, before);
    else
        gn_tile_first16(tile, before);
    r.last = (struct pair16){_mm512_set1_epi32((int)before[0]), _mm512_set1_epi32((int)before[1])};
    for (uint32_t k = 0; k < n_taps; k++) {
        r.acc_re[k] = _mm512_loadu_ps(tile->acc_re[k]);
        r.acc_im[k] = _mm512_loadu_ps(tile->acc_im[k]);
    }
    for (; j + GN_CORR_LANES <= tile->n_bins; j += GN_CORR_LANES, pos += stride_q32)
        run_block(&r, tile, mode, n_taps, pos, j, lane, 0xffff);
    uint32_t left = tile->n_bins - j;
    if (left > 0) {
        for (uint32_t i = left; i < GN_CORR_LANES; i++)
            lane[i] = lane[left - 1]; /* read no sum beyond the last edge */
        run_block(&r, tile, mode, n_taps, pos, j, lane, (__mmask16)((1u << left) - 1));
    }
    for (uint32_t k = 0; k < n_taps; k++) {
        _mm512_storeu_ps(tile->acc_re[k], r.acc_re[k]);
        _mm512_storeu_ps(tile->acc_im[k], r.acc_im[k]);
    }
}

INLINE512 void run_taps(struct gn_corr_tile *tile, enum mode mode)
{
    switch (tile->n_taps) {
    case 1:
        run_tile(tile, mode, 1);
        break;
    case 2:
        run_tile(tile, mode, 2);
        break;
    case 3:
        run_tile(tile, mode, 3);
        break;
    case 4:
        run_tile(tile, mode, 4);
        break;
    case 5:
        run_tile(tile, mode, 5);
        break;
    case 6:
        run_tile(tile, mode, 6);
        break;
    case 7:
        run_tile(tile, mode, 7);
        break;
    default:
        run_tile(tile, mode, 8);
        break;
    }
}

AVX512 static void run_near(struct gn_corr_tile *tile)
{
    run_taps(tile, NEAR16);
}

AVX512 static void run_far(struct gn_corr_tile *tile)
{
    run_taps(tile, FAR16);
}

AVX512 static void run32(struct gn_corr_tile *tile)
{
    if (tile->n_taps > 0 && tile->n_taps <= GN_CORR_TAPS_MAX)
        run_taps(tile, FAR32);
}

/* floor(f + 15 step + rounding) + 1 <= 32 for every f < 1 */
static void run16(struct gn_corr_tile *tile)
{
    const uint64_t step_near_max_q32 = (uint64_t)(30.99 / 15.0 * 4294967296.0);

    if (tile->n_taps == 0 || tile->n_taps > GN_CORR_TAPS_MAX)
        return;
    if (tile->step_q32 <= step_near_max_q32)
        run_near(tile);
    else
        run_far(tile);
}

/* Inclusive sums of 16 I/Q pairs by doubling */
INLINE512 __m512i scan16(__m512i x)
{
    const __m512i zero = _mm512_setzero_si512();
    x = _mm512_add_epi16(x, _mm512_alignr_epi32(x, zero, 15));
    x = _mm512_add_epi16(x, _mm512_alignr_epi32(x, zero, 14));
    x = _mm512_add_epi16(x, _mm512_alignr_epi32(x, zero, 12));
    return _mm512_add_epi16(x, _mm512_alignr_epi32(x, zero, 8));
}

AVX512 static void extend(struct gn_sum *sum, const void *iq, uint32_t n)
{
    if (sum->format != GN_FMT_CI8) {
        gn_corr_extend_portable(sum, iq, n);
        return;
    }
    const int8_t *in = iq;
    int16_t *sums = (int16_t *)sum->sums + 2 * (size_t)sum->n;
    __m512i carry = _mm512_set1_epi32(
            (int)((uint32_t)(uint16_t)sums[0] | (uint32_t)(uint16_t)sums[1] << 16));
    uint32_t i = 0;

    for (; i + 16 <= n; i += 16) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(in + 2 * (size_t)i));
        __m512i x = _mm512_add_epi16(scan16(_mm512_cvtepi8_epi16(bytes)), carry);
        _mm512_storeu_si512(sums + 2 * (size_t)i + 2, x);
        carry = _mm512_permutexvar_epi32(_mm512_set1_epi32(15), x);
    }
    struct gn_sum rest = *sum;
    rest.n += i;
    gn_corr_extend_portable(&rest, in + 2 * (size_t)i, n - i);
}

const struct gn_corr_kernel gn_corr_kernel_avx512 = {"avx512", works_here, run16, run32, extend};

#endif
