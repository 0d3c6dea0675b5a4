/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Correlation of a grid of equal bins with several code replicas.
 *
 *   samples   |  |  |  |  |  |  |  |  |          position p: sample n fills n <= p < n + 1,
 *   bins        |-----|-----|-----|              so a signal time of t ticks is position t + 0.5
 *              edge0 edge1 ...
 *
 *   tap k = sum over bins j of  code[k][j] * bin_j * exp(-j 2 pi (phase + j * phase_step))
 *
 * Three ways with one meaning: the plain C oracle (oracle.h), VOLK (volkcorr.h), and the running
 * sum below, which reads the sum only at bin edges. The carrier turns inside a bin, so the running
 * sum loses (pi f T_bin)^2 / 6 of amplitude against the oracle. */
#ifndef GN_CORR_GRID_H
#define GN_CORR_GRID_H

#include "lib/corr/phasor.h"
#include "lib/corr/sum.h"

#include <stdint.h>

#define GN_CORR_TAPS_MAX 8u
#define GN_CORR_LANES    16u
#define GN_CORR_TILE     2048u /* bins between two exact carrier phases */

struct gn_corr_grid {
    uint64_t start_q32; /* position of edge 0 after the first sample given, 32 bits of fraction */
    uint64_t step_q32;  /* samples in a bin; at most 4095 */
    uint32_t n_bins;
    uint32_t n_taps;        /* at most GN_CORR_TAPS_MAX */
    uint32_t phase_q32;     /* carrier at the middle of bin 0, turns */
    int32_t phase_step_q32; /* carrier turns in a bin */
    const float
            *code[GN_CORR_TAPS_MAX]; /* +-1, n_bins values, readable to the next multiple of 16 */
};

/* One tile of at most GN_CORR_TILE bins; what a kernel row works on. */
struct gn_corr_tile {
    const void *sums; /* the running sum of the grid's first sample, I and Q interleaved */
    uint64_t pos_q32, step_q32;
    uint32_t n_bins, n_taps;
    const float *code[GN_CORR_TAPS_MAX];
    float rot_re[GN_CORR_LANES], rot_im[GN_CORR_LANES]; /* carrier of bins 0..15 */
    float turn_re, turn_im;                             /* carrier of 16 bins */
    float acc_re[GN_CORR_TAPS_MAX][GN_CORR_LANES], acc_im[GN_CORR_TAPS_MAX][GN_CORR_LANES];
};

struct gn_corr_kernel {
    const char *name;                         /* "portable", "avx2", "avx512" */
    int (*works_here)(void);                  /* has the CPU what it needs? */
    void (*run16)(struct gn_corr_tile *tile); /* 16-bit sums */
    void (*run32)(struct gn_corr_tile *tile); /* 32-bit sums */
    void (*extend)(struct gn_sum *sum, const void *iq,
            uint32_t n); /* append n samples; room was checked */
};

/* All rows give the same bits: they differ in speed alone. NULL-ended, slowest first. */
extern const struct gn_corr_kernel *const gn_corr_kernels[];

/* The fastest row this CPU has; with `portable_only` the first. [any thread] */
const struct gn_corr_kernel *gn_corr_kernel_choose(int portable_only);

/* Taps of a grid from a running sum. The grid's first sample is sum->first + `offset`; the caller
 * has made sure that all bins lie in the sum. tap[n_taps]. [any thread] */
void gn_corr_grid_run(const struct gn_corr_kernel *kernel, const struct gn_sum *sum,
        uint32_t offset, const struct gn_corr_grid *grid, struct gn_cplx *tap);

#endif
