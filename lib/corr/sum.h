/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The running sum of complex samples over a sliding window, built once and read by many channels.
 *
 * sums[2 k], sums[2 k + 1]: I and Q of all samples before sample first + k, modulo 2^16 or 2^32.
 * Only differences mean anything. 16 bits hold any bin of fewer than 256 samples of ci8; ci16 takes
 * 32 bits. */
#ifndef GN_CORR_SUM_H
#define GN_CORR_SUM_H

#include "gnomon/block.h"

#include <stdint.h>

#define GN_SUM_PAD 64u /* sums beyond the last that kernels may read (never use) */

struct gn_corr_kernel;

struct gn_sum {
    uint64_t first;    /* tick of sample 0 of the window */
    uint32_t n;        /* samples in the window: sums[0 .. 2 n + 1] are valid */
    uint32_t capacity; /* most samples; 0: not set up */
    uint32_t format;   /* GN_FMT_CI8 (16-bit sums) or GN_FMT_CI16 (32-bit sums) */
    uint32_t tile;     /* samples added at once */
    uint32_t keep;     /* samples kept behind the end when the window slides */
    uint32_t reserved;
    void *sums; /* borrowed: gn_sum_bytes() bytes, 64-byte aligned */
};

/* Memory for a window of `capacity` samples. [any thread] */
size_t gn_sum_bytes(uint32_t format, uint32_t capacity);

/* Set up an empty window in `memory`. `keep` is the longest integration: capacity >= keep + tile.
 * [control] */
void gn_sum_init(struct gn_sum *sum, uint32_t format, uint32_t capacity, uint32_t tile,
        uint32_t keep, void *memory);

/* Make the window hold ticks lo..hi - 1 (hi - lo <= keep). `iq` holds n samples from tick `index`
 * on, without a gap, index <= lo and hi <= index + n. Samples already summed are used as they are,
 * unless they are not contiguous with these. Returns the offset of `lo` in the window. [stream] */
uint32_t gn_sum_cover(struct gn_sum *sum, const struct gn_corr_kernel *kernel, const void *iq,
        uint64_t index, uint32_t n, uint64_t lo, uint64_t hi);

/* Forget all samples: the stream has a gap here. [stream] */
void gn_sum_reset(struct gn_sum *sum);

#endif
