/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The running-sum kernel in plain C: the row every machine has. Reading edges is scalar, the rest
 * is written in rows of 16 that compilers turn into vectors of any width without changing a bit. */
#include "lib/corr/tile.h"

#define LANES GN_CORR_LANES

static int works_everywhere(void)
{
    return 1;
}

/* held[0..16] -> 16 bins, turned by the carrier; lanes at and beyond n are 0. */
static void turn_bins(const struct gn_corr_tile *tile, const uint32_t held[2][LANES + 1],
        uint32_t shift, uint32_t n, float *re, float *im)
{
    float d_re[LANES], d_im[LANES];

    for (uint32_t i = 0; i < LANES; i++) {
        d_re[i] = (float)(int32_t)((held[0][i] - held[0][i + 1]) << shift);
        d_im[i] = (float)(int32_t)((held[1][i] - held[1][i + 1]) << shift);
    }
    for (uint32_t i = n; i < LANES; i++)
        d_re[i] = d_im[i] = 0;
    for (uint32_t i = 0; i < LANES; i++) {
        re[i] = d_re[i] * tile->rot_re[i] - d_im[i] * tile->rot_im[i];
        im[i] = d_re[i] * tile->rot_im[i] + d_im[i] * tile->rot_re[i];
    }
}

static void turn_carrier(struct gn_corr_tile *tile)
{
    for (uint32_t i = 0; i < LANES; i++) {
        float re = tile->rot_re[i] * tile->turn_re - tile->rot_im[i] * tile->turn_im;
        tile->rot_im[i] = tile->rot_im[i] * tile->turn_re + tile->rot_re[i] * tile->turn_im;
        tile->rot_re[i] = re;
    }
}

/* What both widths do with the edges of bins j..j+15. */
static void use_block(
        struct gn_corr_tile *tile, const uint32_t held[2][LANES + 1], uint32_t shift, uint32_t j)
{
    uint32_t left = tile->n_bins - j;
    float re[LANES], im[LANES];

    turn_bins(tile, held, shift, left < LANES ? left : LANES, re, im);
    for (uint32_t k = 0; k < tile->n_taps; k++) {
        const float *code = tile->code[k] + j;
        for (uint32_t i = 0; i < LANES; i++) {
            tile->acc_re[k][i] += re[i] * code[i];
            tile->acc_im[k][i] += im[i] * code[i];
        }
    }
    turn_carrier(tile);
}

/* Bins j..j+15 from the edges behind position pos on. before[2]: held values of the edge in front.
 */
static void block16(struct gn_corr_tile *tile, const uint32_t *lane, uint64_t pos, uint32_t j,
        uint32_t before[2])
{
    const int16_t *at = (const int16_t *)tile->sums + 2 * (pos >> 32);
    uint32_t held[2][LANES + 1] = {{before[0]}, {before[1]}}, left = tile->n_bins - j;

    for (uint32_t i = 0; i < LANES && i < left; i++) {
        uint32_t edge = ((uint32_t)pos >> 16) + lane[i];
        held[0][i + 1] = gn_tile_edge16(at, 0, edge >> 16, edge & 0xffffu);
        held[1][i + 1] = gn_tile_edge16(at, 1, edge >> 16, edge & 0xffffu);
    }
    before[0] = held[0][LANES];
    before[1] = held[1][LANES];
    use_block(tile, (const uint32_t(*)[LANES + 1]) held, 1, j);
}

static void block32(struct gn_corr_tile *tile, const uint32_t *lane, uint64_t pos, uint32_t j,
        uint32_t before[2])
{
    const int32_t *at = (const int32_t *)tile->sums + 2 * (pos >> 32);
    uint32_t held[2][LANES + 1] = {{before[0]}, {before[1]}}, left = tile->n_bins - j;

    for (uint32_t i = 0; i < LANES && i < left; i++) {
        uint32_t edge = ((uint32_t)pos >> 16) + lane[i];
        held[0][i + 1] = gn_tile_edge32(at, 0, edge >> 16, edge & 0xffffu);
        held[1][i + 1] = gn_tile_edge32(at, 1, edge >> 16, edge & 0xffffu);
    }
    before[0] = held[0][LANES];
    before[1] = held[1][LANES];
    use_block(tile, (const uint32_t(*)[LANES + 1]) held, 0, j);
}

void gn_corr_rest16_portable(
        struct gn_corr_tile *tile, uint64_t pos, uint32_t j, uint32_t before[2])
{
    uint32_t lane[LANES];

    gn_tile_lanes(tile->step_q32, lane);
    for (; j < tile->n_bins; j += LANES, pos += LANES * tile->step_q32)
        block16(tile, lane, pos, j, before);
}

void gn_corr_rest32_portable(
        struct gn_corr_tile *tile, uint64_t pos, uint32_t j, uint32_t before[2])
{
    uint32_t lane[LANES];

    gn_tile_lanes(tile->step_q32, lane);
    for (; j < tile->n_bins; j += LANES, pos += LANES * tile->step_q32)
        block32(tile, lane, pos, j, before);
}

void gn_corr_run16_portable(struct gn_corr_tile *tile)
{
    uint32_t before[2];

    gn_tile_first16(tile, before);
    gn_corr_rest16_portable(tile, tile->pos_q32 + tile->step_q32, 0, before);
}

void gn_corr_run32_portable(struct gn_corr_tile *tile)
{
    uint32_t before[2];

    gn_tile_first32(tile, before);
    gn_corr_rest32_portable(tile, tile->pos_q32 + tile->step_q32, 0, before);
}

static void extend8(int16_t *sums, const int8_t *iq, uint32_t n)
{
    uint16_t re = (uint16_t)sums[0], im = (uint16_t)sums[1];

    for (uint32_t i = 0; i < n; i++) {
        re = (uint16_t)(re + iq[2 * i]);
        im = (uint16_t)(im + iq[2 * i + 1]);
        sums[2 * i + 2] = (int16_t)re;
        sums[2 * i + 3] = (int16_t)im;
    }
}

static void extend16(int32_t *sums, const int16_t *iq, uint32_t n)
{
    uint32_t re = (uint32_t)sums[0], im = (uint32_t)sums[1];

    for (uint32_t i = 0; i < n; i++) {
        int32_t x = iq[2 * i], y = iq[2 * i + 1];
        re += (uint32_t)x;
        im += (uint32_t)y;
        sums[2 * i + 2] = (int32_t)re;
        sums[2 * i + 3] = (int32_t)im;
    }
}

void gn_corr_extend_portable(struct gn_sum *sum, const void *iq, uint32_t n)
{
    if (sum->format == GN_FMT_CI8)
        extend8((int16_t *)sum->sums + 2 * (size_t)sum->n, iq, n);
    else
        extend16((int32_t *)sum->sums + 2 * (size_t)sum->n, iq, n);
}

const struct gn_corr_kernel gn_corr_kernel_portable = {"portable", works_everywhere,
        gn_corr_run16_portable, gn_corr_run32_portable, gn_corr_extend_portable};
