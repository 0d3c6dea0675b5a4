/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Arithmetic that all kernel rows share, private to lib/corr.
 *
 * An edge at position n + f (0 <= f < 1) reads V = S[n] + f (S[n+1] - S[n]). The rows hold -2^15 V
 * modulo 2^32 for 16-bit sums (one multiply-add of the pair S[n] - S[n+1], S[n] with f * 2^15,
 * -2^15), so that a bin is 2 * (held[j] - held[j+1]), exact in 2^-16 as long as it is smaller than
 * 2^15. Sums of 32 bits take f * 2^10. */
#ifndef GN_CORR_TILE_H
#define GN_CORR_TILE_H

#include "lib/corr/grid.h"

#define GN_TILE_FRAC32 10

static inline uint32_t gn_tile_edge16(
        const int16_t *sums, uint32_t i_component, uint64_t n, uint32_t frac_q16)
{
    uint16_t s0 = (uint16_t)sums[2 * n + i_component], s1 = (uint16_t)sums[2 * n + 2 + i_component];
    int32_t step_back = (int16_t)(uint16_t)(s0 - s1);
    return (uint32_t)((int32_t)(frac_q16 >> 1) * step_back) - ((uint32_t)s0 << 15);
}

static inline uint32_t gn_tile_edge32(
        const int32_t *sums, uint32_t i_component, uint64_t n, uint32_t frac_q16)
{
    uint32_t s0 = (uint32_t)sums[2 * n + i_component], s1 = (uint32_t)sums[2 * n + 2 + i_component];
    return (0u - (s0 << GN_TILE_FRAC32)) - (s1 - s0) * ((frac_q16 + 32) >> (16 - GN_TILE_FRAC32));
}

/* Where the 16 edges behind position pos lie: 16.16 fixed point after sample floor(pos). */
static inline void gn_tile_lanes(uint64_t step_q32, uint32_t lane[GN_CORR_LANES])
{
    for (uint32_t i = 0; i < GN_CORR_LANES; i++)
        lane[i] = (uint32_t)((i * step_q32 + 0x8000u) >> 16);
}

/* Held values of the tile's edge 0 */
static inline void gn_tile_first16(const struct gn_corr_tile *tile, uint32_t before[2])
{
    for (uint32_t c = 0; c < 2; c++)
        before[c] =
                gn_tile_edge16(tile->sums, c, tile->pos_q32 >> 32, (uint32_t)tile->pos_q32 >> 16);
}

static inline void gn_tile_first32(const struct gn_corr_tile *tile, uint32_t before[2])
{
    for (uint32_t c = 0; c < 2; c++)
        before[c] =
                gn_tile_edge32(tile->sums, c, tile->pos_q32 >> 32, (uint32_t)tile->pos_q32 >> 16);
}

/* Bins j.. of a tile whose trailing edges start at pos; before[2]: held values of the edge in front
 * of bin j. */
void gn_corr_rest16_portable(
        struct gn_corr_tile *tile, uint64_t pos, uint32_t j, uint32_t before[2]);
void gn_corr_rest32_portable(
        struct gn_corr_tile *tile, uint64_t pos, uint32_t j, uint32_t before[2]);
void gn_corr_run16_portable(struct gn_corr_tile *tile);
void gn_corr_run32_portable(struct gn_corr_tile *tile);
void gn_corr_extend_portable(struct gn_sum *sum, const void *iq, uint32_t n);

extern const struct gn_corr_kernel gn_corr_kernel_portable;
#if defined(__x86_64__)
extern const struct gn_corr_kernel gn_corr_kernel_avx2, gn_corr_kernel_avx512;
#endif

#endif
