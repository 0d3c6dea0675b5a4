/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/corr/grid.h"

#include "lib/corr/tile.h"

#include <assert.h>
#include <string.h>

const struct gn_corr_kernel *const gn_corr_kernels[] = {
        &gn_corr_kernel_portable,
#if defined(__x86_64__)
        &gn_corr_kernel_avx2,
        &gn_corr_kernel_avx512,
#endif
        NULL,
};

const struct gn_corr_kernel *gn_corr_kernel_choose(int portable_only)
{
    const struct gn_corr_kernel *best = gn_corr_kernels[0];

    for (uint32_t i = 0; !portable_only && gn_corr_kernels[i] != NULL; i++)
        if (gn_corr_kernels[i]->works_here())
            best = gn_corr_kernels[i];
    return best;
}

/* Carrier of the first 16 bins by doubling, and of a stride of 16 bins. */
static void seed_carrier(struct gn_corr_tile *tile, uint32_t phase_q32, int32_t step_q32)
{
    double re, im;

    gn_phasor(0u - phase_q32, &re, &im);
    tile->rot_re[0] = (float)re;
    tile->rot_im[0] = (float)im;
    for (uint32_t have = 1; have < GN_CORR_LANES; have *= 2) {
        gn_phasor(0u - (uint32_t)step_q32 * have, &re, &im);
        float c = (float)re, s = (float)im;
        for (uint32_t i = 0; i < have; i++) {
            tile->rot_re[have + i] = tile->rot_re[i] * c - tile->rot_im[i] * s;
            tile->rot_im[have + i] = tile->rot_im[i] * c + tile->rot_re[i] * s;
        }
    }
    gn_phasor(0u - (uint32_t)step_q32 * GN_CORR_LANES, &re, &im);
    tile->turn_re = (float)re;
    tile->turn_im = (float)im;
}

/* Fixed order of addition: the same bits whatever the row. */
static float lanes_sum(const float *lane)
{
    float part[GN_CORR_LANES];

    memcpy(part, lane, sizeof part);
    for (uint32_t width = GN_CORR_LANES / 2; width > 0; width /= 2)
        for (uint32_t i = 0; i < width; i++)
            part[i] += part[i + width];
    return part[0];
}

void gn_corr_grid_run(const struct gn_corr_kernel *kernel, const struct gn_sum *sum,
        uint32_t offset, const struct gn_corr_grid *grid, struct gn_cplx *tap)
{
    int is16 = sum->format == GN_FMT_CI8;
    float scale = is16 ? 1.0f / 65536.0f : 1.0f / (float)(1u << GN_TILE_FRAC32);
    struct gn_corr_tile tile = {
            .sums = sum->sums, .step_q32 = grid->step_q32, .n_taps = grid->n_taps};

    assert(grid->n_taps <= GN_CORR_TAPS_MAX);
    assert(offset + ((grid->start_q32 + grid->n_bins * grid->step_q32) >> 32) <= sum->n);
    for (uint32_t done = 0; done < grid->n_bins; done += tile.n_bins) {
        uint32_t left = grid->n_bins - done;
        tile.n_bins = left < GN_CORR_TILE ? left : GN_CORR_TILE;
        tile.pos_q32 = ((uint64_t)offset << 32) + grid->start_q32 + done * grid->step_q32;
        for (uint32_t k = 0; k < grid->n_taps; k++)
            tile.code[k] = grid->code[k] + done;
        seed_carrier(&tile, grid->phase_q32 + done * (uint32_t)grid->phase_step_q32,
                grid->phase_step_q32);
        if (is16)
            kernel->run16(&tile);
        else
            kernel->run32(&tile);
    }
    for (uint32_t k = 0; k < grid->n_taps; k++)
        tap[k] = (struct gn_cplx){
                lanes_sum(tile.acc_re[k]) * scale, lanes_sum(tile.acc_im[k]) * scale};
}
