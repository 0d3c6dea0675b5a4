/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/nav/lnav_sync.h"

#include "lib/bits/bits.h"

#include <string.h>

#define WORD_BITS     30
#define BITS          ((int64_t)GN_LNAV_SUBFRAME_BITS)
#define HEAD_BITS     60 /* TLM and HOW */
#define BAD_MAX       3  /* sub-frames without a good HOW before searching again */
#define WORDS_BAD_MAX 2  /* more wrong words than this: none of the sub-frame is believed */

/* n bits from number `from`, 1 where the soft value is negative. False when some were not received.
 */
static bool hard_bits(const struct gn_soft *soft, int64_t from, unsigned n, uint32_t *ret)
{
    uint32_t v = 0;
    bool all = from >= 0;
    for (unsigned i = 0; i < n; i++) {
        float x = from + i >= 0 ? gn_soft_at(soft, (uint64_t)(from + i)) : 0;
        all = all && x != 0;
        v = v << 1 | (x < 0);
    }
    *ret = v;
    return all;
}

/* Word at `at` with the two bits before it. A start without these two is taken as a TLM after 00;
 * with `flip` as one after 11. */
static bool word_at(
        const struct gn_soft *soft, int64_t at, bool flip, uint32_t *data, bool *received)
{
    uint32_t before, word;
    if (!hard_bits(soft, at - 2, 2, &before))
        before = flip ? 3 : 0;
    *received = hard_bits(soft, at, WORD_BITS, &word);
    return gn_lnav_word_check(before << 30 | word, data) && *received;
}

static bool head_at(const struct gn_soft *soft, int64_t at, struct gn_lnav_how *how)
{
    uint8_t head[GN_LNAV_DATA_BYTES] = {0};
    uint32_t tlm = 0, word = 0;
    bool received;
    bool ok = (word_at(soft, at, false, &tlm, &received) && tlm >> 16 == GN_LNAV_PREAMBLE) ||
              (word_at(soft, at, true, &tlm, &received) && tlm >> 16 == GN_LNAV_PREAMBLE);
    if (!ok || !word_at(soft, at + WORD_BITS, false, &word, &received))
        return false;
    (void)gn_bits_set(head, GN_LNAV_DATA_BITS, 24, 24, word);
    return gn_lnav_how_read(head, how);
}

/* Words 3 to 10 between two heads: most must pass parity, or this is not the grid of words. */
static bool words_fit(const struct gn_soft *soft, int64_t start)
{
    int n_bad = 0;
    for (int w = 2; w < (int)GN_LNAV_WORDS; w++) {
        uint32_t data;
        bool received;
        n_bad += !word_at(soft, start + w * WORD_BITS, false, &data, &received);
    }
    return n_bad <= WORDS_BAD_MAX;
}

static uint32_t count_before(uint32_t next_count)
{
    return (next_count + GN_LNAV_COUNTS_A_WEEK - 1) % GN_LNAV_COUNTS_A_WEEK;
}

/* Tries each start once. True: two sub-frames in a row begin at *start. */
static bool search(
        struct gn_lnav_sync *sync, const struct gn_soft *soft, int64_t *start, uint32_t *count)
{
    if (sync->probe < soft->first)
        sync->probe = soft->first;
    for (; sync->probe + (uint64_t)(BITS + HEAD_BITS) <= soft->end; sync->probe++) {
        struct gn_lnav_how one, two;
        int64_t at = (int64_t)sync->probe;
        if (!head_at(soft, at, &one) || !head_at(soft, at + BITS, &two) ||
                count_before(two.next_count) != one.next_count || !words_fit(soft, at))
            continue;
        *start = at;
        *count = count_before(one.next_count);
        sync->probe++;
        return true;
    }
    return false;
}

static uint32_t count_after(uint32_t count, int64_t n)
{
    int64_t week = GN_LNAV_COUNTS_A_WEEK;
    return (uint32_t)((((int64_t)count + n) % week + week) % week);
}

/* Begin with the oldest sub-frame of which a whole word may still be here. */
static void lock(
        struct gn_lnav_sync *sync, const struct gn_soft *soft, int64_t start, uint32_t count)
{
    int64_t back = (start - (int64_t)soft->first + BITS - 1) / BITS;
    sync->is_locked = true;
    sync->n_bad = sync->n_against = 0;
    sync->trusted = start;
    sync->next = start - back * BITS;
    sync->count = count_after(count, -back);
}

static void read_words(const struct gn_soft *soft, int64_t start, struct gn_lnav_subframe *ret)
{
    for (unsigned w = 0; w < GN_LNAV_WORDS; w++) {
        int64_t at = start + WORD_BITS * (int64_t)w;
        uint32_t data, parity;
        bool received, before = at >= 2 && gn_soft_at(soft, (uint64_t)at - 2) != 0 &&
                                gn_soft_at(soft, (uint64_t)at - 1) != 0;
        bool ok = word_at(soft, at, false, &data, &received);
        if (!ok && w == 0 && !before)
            ok = word_at(soft, at, true, &data, &received);
        if (received && (before || w == 0))
            ret->received_mask |= (uint16_t)(1u << w);
        if (!ok || (ret->received_mask >> w & 1) == 0)
            continue;
        (void)hard_bits(soft, at + 24, 6, &parity);
        (void)gn_bits_set(ret->data, GN_LNAV_DATA_BITS, (size_t)24 * w, 24, data);
        (void)gn_bits_set(ret->sent, GN_LNAV_SUBFRAME_BITS, (size_t)30 * w, 24, data);
        (void)gn_bits_set(ret->sent, GN_LNAV_SUBFRAME_BITS, (size_t)30 * w + 24, 6, parity);
        ret->word_mask |= (uint16_t)(1u << w);
    }
    if (__builtin_popcount(ret->received_mask ^ ret->word_mask) > WORDS_BAD_MAX)
        ret->word_mask = 0; /* six parity bits pass noise once in 64 */
}

/* Does the HOW, when it is there, agree with the count of symbols? What came before the two
 * sub-frames that gave the lock cannot speak against it. `probe` only grows: each start is tried
 * once, so this ends. */
static void judge(struct gn_lnav_sync *sync, struct gn_lnav_subframe *ret)
{
    struct gn_lnav_how how;
    bool is_witness = ret->symbol > sync->trusted;
    if ((ret->word_mask & 2u) == 0 || !gn_lnav_how_read(ret->data, &how)) {
        sync->n_bad = (uint8_t)(sync->n_bad + (is_witness && sync->n_bad < BAD_MAX));
        return;
    }
    ret->alert = how.alert;
    if (count_before(how.next_count) != ret->count) {
        ret->word_mask = 0;
        sync->n_against = (uint8_t)(sync->n_against + is_witness);
        return;
    }
    sync->n_bad = sync->n_against = 0;
    if (ret->symbol + BITS > (int64_t)sync->probe)
        sync->probe = (uint64_t)(ret->symbol + BITS);
}

static enum gn_sync_event give_up(struct gn_lnav_sync *sync, uint64_t probe)
{
    sync->is_locked = false;
    sync->probe = probe;
    return GN_SYNC_LOST;
}

static void advance(struct gn_lnav_sync *sync, int64_t n)
{
    sync->next += n * BITS;
    sync->count = count_after(sync->count, n);
}

/* Searching, also beside a grid on which nothing is good any more. */
static enum gn_sync_event look_around(struct gn_lnav_sync *sync, const struct gn_soft *soft)
{
    int64_t start;
    uint32_t count;
    if (!search(sync, soft, &start, &count))
        return sync->is_locked ? GN_SYNC_UNIT : GN_SYNC_NOTHING;
    if (!sync->is_locked) {
        lock(sync, soft, start, count);
        return GN_SYNC_UNIT;
    }
    int64_t n = (start - sync->next) / BITS;
    if ((start - sync->next) % BITS != 0 || count_after(sync->count, n) != count)
        return give_up(sync, (uint64_t)start); /* is found again at once */
    sync->n_bad = 0;
    return GN_SYNC_UNIT;
}

enum gn_sync_event gn_lnav_sync_next(
        struct gn_lnav_sync *sync, const struct gn_soft *soft, struct gn_lnav_subframe *ret)
{
    if (!sync->is_locked || sync->n_bad >= BAD_MAX) {
        enum gn_sync_event event = look_around(sync, soft);
        if (event != GN_SYNC_UNIT)
            return event;
    }
    if (sync->next + BITS <= (int64_t)soft->first)
        advance(sync, ((int64_t)soft->first - sync->next) / BITS);
    if (sync->next + BITS > (int64_t)soft->end)
        return GN_SYNC_NOTHING;
    memset(ret, 0, sizeof *ret);
    ret->symbol = sync->next;
    ret->count = sync->count;
    ret->id = (uint8_t)(sync->count % 5 + 1);
    read_words(soft, sync->next, ret);
    judge(sync, ret);
    advance(sync, 1);
    if (sync->n_against < 2)
        return GN_SYNC_UNIT;
    uint64_t pair = (uint64_t)(sync->next - 2 * BITS); /* after `trusted`: not below 0 */
    return give_up(sync, pair > sync->probe ? pair : sync->probe);
}
