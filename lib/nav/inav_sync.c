/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/nav/inav_sync.h"

#include <math.h>

#define PAGE     ((int64_t)GN_INAV_PAGE_SYMBOLS)
#define PART     ((int64_t)GN_INAV_PART_SYMBOLS)
#define SYNC     ((int64_t)GN_INAV_SYNC_SYMBOLS)
#define LOST_MAX 100  /* symbols a page may have lost at its start and still be tried */
#define BAD_MAX  3    /* wrong pages in a row before searching beside the grid */
#define SYNC_FIT 0.5f /* least agreement of two synchronisation patterns, of 1 */

/* Correlation with the pattern: + when upright, and what a perfect one would give. */
static float pattern_at(const struct gn_soft *soft, int64_t at, float *whole)
{
    float x[GN_INAV_SYNC_SYMBOLS], sum = 0;
    gn_soft_copy(soft, at, GN_INAV_SYNC_SYMBOLS, x);
    for (unsigned i = 0; i < GN_INAV_SYNC_SYMBOLS; i++) {
        sum += gn_inav_sync[i] != 0 ? -x[i] : x[i];
        *whole += fabsf(x[i]);
    }
    return sum;
}

static void decode_part(const struct gn_soft *soft, int64_t at, float sign, uint8_t *part)
{
    float x[2 * 120];
    gn_soft_copy(soft, at + SYNC, 240, x);
    for (unsigned i = 0; i < 240; i++)
        x[i] *= sign;
    (void)gn_inav_part_decode(x, part);
}

static bool decode_page(const struct gn_soft *soft, int64_t at, float sign, uint8_t *page)
{
    decode_part(soft, at, sign, page);
    decode_part(soft, at + PART, sign, page + 15);
    return gn_inav_page_is_good(page);
}

/* A page on the known grid: first as the patterns say, then upside down, then with a half-cycle
 * slip between the parts. */
static bool decode_on_grid(const struct gn_soft *soft, int64_t at, uint8_t *page)
{
    float whole = 0, one = pattern_at(soft, at, &whole), two = pattern_at(soft, at + PART, &whole);
    float sign = one + two < 0 ? -1.0f : 1.0f;
    if (decode_page(soft, at, sign, page) || decode_page(soft, at, -sign, page))
        return true;
    if (one * two >= 0)
        return false;
    decode_part(soft, at, copysignf(1, one), page);
    decode_part(soft, at + PART, copysignf(1, two), page + 15);
    return gn_inav_page_is_good(page);
}

/* Tries each start once: two patterns of one polarity, then the CRC. */
static bool search(struct gn_inav_sync *sync, const struct gn_soft *soft, int64_t *start)
{
    uint8_t page[GN_INAV_PAGE_BYTES];
    if (sync->probe < soft->first)
        sync->probe = soft->first;
    for (; sync->probe + (uint64_t)PAGE <= soft->end; sync->probe++) {
        int64_t at = (int64_t)sync->probe;
        float whole = 0, one = pattern_at(soft, at, &whole),
              two = pattern_at(soft, at + PART, &whole);
        if (fabsf(one + two) < SYNC_FIT * whole || whole <= 0)
            continue;
        if (!decode_page(soft, at, copysignf(1, one + two), page))
            continue;
        *start = at;
        sync->probe++;
        return true;
    }
    return false;
}

/* Begin with the oldest page that has lost few enough symbols. */
static void lock(struct gn_inav_sync *sync, const struct gn_soft *soft, int64_t start)
{
    sync->is_locked = true;
    sync->n_bad = 0;
    sync->next = start - (start - (int64_t)soft->first + LOST_MAX) / PAGE * PAGE;
}

static enum gn_sync_event look_around(struct gn_inav_sync *sync, const struct gn_soft *soft)
{
    int64_t start;
    if (!search(sync, soft, &start))
        return sync->is_locked ? GN_SYNC_UNIT : GN_SYNC_NOTHING;
    if (sync->is_locked && (start - sync->next) % PAGE != 0) {
        sync->is_locked = false;
        sync->probe = (uint64_t)start; /* is found again at once */
        return GN_SYNC_LOST;
    }
    if (!sync->is_locked)
        lock(sync, soft, start);
    sync->n_bad = 0;
    return GN_SYNC_UNIT;
}

enum gn_sync_event gn_inav_sync_next(
        struct gn_inav_sync *sync, const struct gn_soft *soft, struct gn_inav_heard *ret)
{
    if (!sync->is_locked || sync->n_bad >= BAD_MAX) {
        enum gn_sync_event event = look_around(sync, soft);
        if (event != GN_SYNC_UNIT)
            return event;
    }
    if (sync->next + PAGE <= (int64_t)soft->first)
        sync->next += ((int64_t)soft->first - sync->next) / PAGE * PAGE;
    while (sync->next + PAGE <= (int64_t)soft->end) {
        int64_t at = sync->next;
        sync->next += PAGE;
        if (decode_on_grid(soft, at, ret->page)) {
            ret->symbol = at;
            sync->n_bad = 0;
            if (sync->next >
                    (int64_t)sync->probe) /* only grows: each start is tried once, so this ends */
                sync->probe = (uint64_t)sync->next;
            return GN_SYNC_UNIT;
        }
        sync->n_bad = (uint8_t)(sync->n_bad < UINT8_MAX ? sync->n_bad + 1 : UINT8_MAX);
    }
    return GN_SYNC_NOTHING;
}
