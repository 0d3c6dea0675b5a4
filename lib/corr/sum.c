/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/corr/sum.h"

#include "lib/corr/grid.h"

#include <assert.h>
#include <string.h>

static size_t sum_bytes(uint32_t format)
{
    return format == GN_FMT_CI8 ? 2 * sizeof(int16_t) : 2 * sizeof(int32_t);
}

static size_t item_bytes(uint32_t format)
{
    return format == GN_FMT_CI8 ? 2 * sizeof(int8_t) : 2 * sizeof(int16_t);
}

size_t gn_sum_bytes(uint32_t format, uint32_t capacity)
{
    return ((size_t)capacity + 1 + GN_SUM_PAD) * sum_bytes(format);
}

void gn_sum_init(struct gn_sum *sum, uint32_t format, uint32_t capacity, uint32_t tile,
        uint32_t keep, void *memory)
{
    assert(capacity >= keep + tile);
    *sum = (struct gn_sum){
            .capacity = capacity, .format = format, .tile = tile, .keep = keep, .sums = memory};
    memset(memory, 0, gn_sum_bytes(format, capacity));
}

void gn_sum_reset(struct gn_sum *sum)
{
    sum->n = 0;
}

/* Make room at the end by moving the youngest `keep` samples to the front. */
static void slide(struct gn_sum *sum)
{
    uint32_t drop = sum->n - sum->keep;
    size_t bytes = sum_bytes(sum->format);
    char *sums = sum->sums;

    memmove(sums, sums + drop * bytes, (sum->keep + 1) * bytes);
    sum->first += drop;
    sum->n = sum->keep;
}

static void restart(struct gn_sum *sum, uint64_t at)
{
    sum->first = at;
    sum->n = 0;
    memset(sum->sums, 0, sum_bytes(sum->format));
}

uint32_t gn_sum_cover(struct gn_sum *sum, const struct gn_corr_kernel *kernel, const void *iq,
        uint64_t index, uint32_t n, uint64_t lo, uint64_t hi)
{
    uint64_t end = sum->first + sum->n;

    assert(index <= lo && lo <= hi && hi <= index + n && hi - lo <= sum->keep);
    if (lo < sum->first || lo > end || (end < index && end < hi))
        restart(sum, lo);
    while ((end = sum->first + sum->n) < hi) {
        uint64_t left = index + n - end;
        uint32_t add = left < sum->tile ? (uint32_t)left : sum->tile;
        if (sum->n + add > sum->capacity) {
            slide(sum);
            if (lo < sum->first)
                restart(sum, lo); /* a reader far behind the others */
            continue;
        }
        kernel->extend(sum, (const char *)iq + (end - index) * item_bytes(sum->format), add);
        sum->n += add;
    }
    return (uint32_t)(lo - sum->first);
}
