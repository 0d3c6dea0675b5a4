/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Which bits does a tag cover? Words are kept by satellite and sub-frame; a candidate is one choice of them. */
#include "lib/bits/bits.h"
#include "lib/nav/inav_words.h"
#include "lib/osnma/internal.h"

#include <string.h>

#define WORD_BITS 128u

/* parts of the words that ADKD 0 and 12 (first five rows) and ADKD 4 (last two) cover */
static const struct {
    uint8_t i_word, first, n_bits;
} parts[N_WORDS] = {
        {0, 6, 120}, {1, 6, 120}, {2, 6, 122}, {3, 6, 120}, {4, 6, 67}, {5, 6, 99}, {6, 86, 42}};

static int word_index(unsigned type)
{
    return type >= 1 && type <= 6 ? (int)type - 1 : type == 10 ? 6 : -1;
}

static unsigned iod_of(const uint8_t *w)
{
    return (unsigned)gn_bits_get(w, WORD_BITS, 6, 10);
}

/* the record of sub-frame sf, made at the end of the ring when it is newer than all */
static struct words *record(struct sat *s, int64_t sf)
{
    struct words *r = &s->ring[s->newest];
    if (r->sf < sf) {
        if (r->sf >= 0)
            s->newest = (s->newest + 1) % GN_OSNMA_WORDS;
        r = &s->ring[s->newest];
        *r = (struct words){.sf = sf};
        return r;
    }
    for (int i = 0; i < GN_OSNMA_WORDS; i++) {
        r = &s->ring[(s->newest - i + GN_OSNMA_WORDS) % GN_OSNMA_WORDS];
        if (r->sf == sf)
            return r;
    }
    return NULL;
}

/* What no tag covers (time of week, almanac pieces) must not make equal words differ. Words 1 to 4 stay whole:
 * the Reed-Solomon code covers all of them. */
static void mask_word(unsigned i_word, uint8_t w[GN_OSNMA_WORD_BYTES])
{
    unsigned first = parts[i_word].first, end = first + parts[i_word].n_bits;
    for (unsigned b = 0; i_word >= 4 && b < WORD_BITS; b++)
        if (b < first || b >= end)
            w[b / 8] &= (uint8_t)~(0x80u >> b % 8);
}

static void keep_word(struct sat *s, int64_t sf, unsigned i_word, unsigned at, const uint8_t *w)
{
    struct words *r = record(s, sf);
    if (r == NULL)
        return;
    for (unsigned v = 0; v < r->n[i_word]; v++) {
        if (memcmp(r->w[i_word][v], w, GN_OSNMA_WORD_BYTES) == 0) {
            if ((at & WORD_SLOW) == 0)
                r->at[i_word][v] &= (uint8_t)~WORD_SLOW;
            return;
        }
    }
    unsigned v = r->n[i_word];
    if (v == N_VARIANTS)
        return;
    r->n[i_word]++;
    r->at[i_word][v] = (uint8_t)at;
    memcpy(r->w[i_word][v], w, GN_OSNMA_WORD_BYTES);
}

/* the newest word i_word of that IODnav as it was received, not older than first */
static const uint8_t *heard(const struct sat *s, unsigned i_word, unsigned iod, int64_t first, bool or_repaired)
{
    for (int i = 0; i < GN_OSNMA_WORDS; i++) {
        const struct words *r = &s->ring[(s->newest - i + GN_OSNMA_WORDS) % GN_OSNMA_WORDS];
        if (r->sf < first)
            return NULL;
        for (unsigned v = 0; v < r->n[i_word]; v++)
            if ((or_repaired || (r->at[i_word][v] & WORD_REPAIRED) == 0) && iod_of(r->w[i_word][v]) == iod)
                return r->w[i_word][v];
    }
    return NULL;
}

/* Words 17 to 20 (bits 14, 15: the low bits of IODnav) repair words 1 to 4. What comes out is a guess until a tag
 * fits: four words leave nothing to check them by. */
static void repair(struct sat *s, int64_t sf, unsigned at, unsigned iod)
{
    uint8_t w[8][GN_OSNMA_WORD_BYTES];
    bool has[8] = {false};
    unsigned n = 0, n_real = 0, n_known = 0, mask = 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint8_t *c = heard(s, i, iod, sf - RS_AGE_SF, false);
        n_known += heard(s, i, iod, sf - RS_AGE_SF, true) != NULL;
        bool has_rs = s->rs_sf[i] >= 0 && s->rs_sf[i] >= sf - RS_AGE_SF && (s->rs[i][1] & 3u) == (iod & 3u);
        has[i] = c != NULL;
        if (c != NULL)
            memcpy(w[i], c, sizeof w[i]);
        has[4 + i] = has_rs;
        if (has_rs)
            memcpy(w[4 + i], s->rs[i], sizeof w[i]);
        n_real += has[i];
        n += has[i] + (unsigned)has_rs;
        mask |= (unsigned)has[i] << i | (unsigned)has_rs << (4 + i);
    }
    bool is_tried = s->rs_iod == iod && (mask & ~(unsigned)s->rs_tried) == 0;
    if (n_real == 0 || n_known == 4 || n < 4 || is_tried)
        return;
    s->rs_iod = (uint16_t)iod;
    s->rs_tried = (uint8_t)mask;
    if (!gn_inav_rs_fill(w, has))
        return;
    for (unsigned i = 0; i < 4; i++)
        if (!has[i] && iod_of(w[i]) == iod)
            keep_word(s, sf, i, at | WORD_REPAIRED, w[i]);
}

static void keep_parity(struct sat *s, int64_t sf, unsigned i, const uint8_t *w)
{
    s->rs_sf[i] = sf;
    memcpy(s->rs[i], w, GN_OSNMA_WORD_BYTES);
}

/* IODnav of the newest of words 1 to 4 */
static int newest_iod(const struct sat *s, int64_t sf)
{
    for (int i = 0; i < GN_OSNMA_WORDS; i++) {
        const struct words *r = &s->ring[(s->newest - i + GN_OSNMA_WORDS) % GN_OSNMA_WORDS];
        if (r->sf < sf - RS_AGE_SF)
            return -1;
        for (unsigned k = 0; k < 4; k++)
            if (r->n[k] > 0 && (r->at[k][0] & WORD_REPAIRED) == 0)
                return (int)iod_of(r->w[k][0]);
    }
    return -1;
}

void osnma_words_put(struct gn_osnma *o, const struct gn_osnma_page *page, bool is_slow)
{
    uint8_t w[GN_OSNMA_WORD_BYTES] = {0};
    struct gn_bit_writer out = gn_bit_writer_of(w, WORD_BITS);
    for (unsigned half = 0; half < 2; half++) {
        struct gn_bit_reader in = gn_bit_reader_of(page->bits, 240);
        gn_bits_skip(&in, half == 0 ? 2 : 122);
        gn_bits_copy(&out, &in, half == 0 ? 112 : 16);
    }
    unsigned type = w[0] >> 2;
    int i_word = word_index(type);
    struct sat *s = &o->sats[page->prn - 1];
    int64_t sf = gn_osnma_sf(page->wn, page->tow_s);
    unsigned at = page->tow_s % GN_OSNMA_SUBFRAME_S | (is_slow ? WORD_SLOW : 0u);
    if (type >= 17 && type <= 20)
        keep_parity(s, sf, type - 17, w);
    else if (i_word < 0 || (type == 10 && page->is_e5b))
        return; /* E5b may still carry the old word 10 */
    else {
        mask_word((unsigned)i_word, w);
        keep_word(s, sf, (unsigned)i_word, at, w);
    }
    int iod = type >= 17 ? newest_iod(s, sf) : i_word < 4 ? (int)iod_of(w) : -1;
    if (iod >= 0 && !o->config.no_reed_solomon)
        repair(s, sf, at, (unsigned)iod);
}

/* ---- choosing -------------------------------------------------------------------------------------------- */
struct window {
    const struct sat *sat;
    int64_t first, last;   /* sub-frames the cut-off point names */
    int64_t oldest, limit; /* how far one may guess: back to, and up to (key not yet public) */
    bool is_slow;          /* late words may serve */
};

/* Walk the records from newest to oldest: the n-th differing content of a word within first..last, by time
 * within a sub-frame; iod < 0: any. NULL when there are fewer. */
static const uint8_t *find(const struct window *w, unsigned i_word, int iod, int64_t first, int64_t last, unsigned nth,
        bool *is_repaired)
{
    const uint8_t *seen = NULL;
    for (int i = 0; i < GN_OSNMA_WORDS; i++) {
        const struct words *r = &w->sat->ring[(w->sat->newest - i + GN_OSNMA_WORDS) % GN_OSNMA_WORDS];
        if (r->sf < first)
            break;
        if (r->sf > last)
            continue;
        for (unsigned k = 0; k < r->n[i_word]; k++) {
            /* of two variants the later one comes first */
            bool swap = r->n[i_word] == 2 && (r->at[i_word][1] & 31u) > (r->at[i_word][0] & 31u);
            unsigned v = swap ? 1 - k : k;
            const uint8_t *c = r->w[i_word][v];
            bool late = (r->at[i_word][v] & WORD_SLOW) != 0 && !w->is_slow;
            if (late || (iod >= 0 && iod_of(c) != (unsigned)iod) ||
                    (seen != NULL && memcmp(seen, c, GN_OSNMA_WORD_BYTES) == 0))
                continue;
            *is_repaired = (r->at[i_word][v] & WORD_REPAIRED) != 0;
            if (nth == 0)
                return c;
            nth--;
            seen = c;
        }
    }
    return NULL;
}

/* the nth newest IODnav among words 1 to 4 of the window, -1 when there is none */
static int find_iod(const struct window *w, int64_t first, int64_t last, int other_than)
{
    for (int i = 0; i < GN_OSNMA_WORDS; i++) {
        const struct words *r = &w->sat->ring[(w->sat->newest - i + GN_OSNMA_WORDS) % GN_OSNMA_WORDS];
        int best = -1;
        unsigned best_at = 0;
        if (r->sf < first)
            break;
        for (unsigned k = 0; r->sf <= last && k < 4 * N_VARIANTS; k++) {
            unsigned i_word = k / N_VARIANTS, v = k % N_VARIANTS;
            unsigned at = (r->at[i_word][v] & 31u) + 1;
            bool usable = v < r->n[i_word] && ((r->at[i_word][v] & WORD_SLOW) == 0 || w->is_slow);
            if (!usable || at <= best_at || (int)iod_of(r->w[i_word][v]) == other_than)
                continue;
            best = (int)iod_of(r->w[i_word][v]);
            best_at = at;
        }
        if (best >= 0)
            return best;
    }
    return -1;
}

/* one word: strictly inside the window, else guessed from before or after it */
static const uint8_t *choose(const struct window *w, unsigned i_word, int iod, unsigned nth, bool *strict)
{
    bool repaired = false;
    const uint8_t *c = find(w, i_word, iod, w->first, w->last, nth, &repaired);
    if (c == NULL && nth > 0)
        c = find(w, i_word, iod, w->first, w->last, 0, &repaired);
    *strict = *strict && c != NULL && !repaired;
    if (c == NULL)
        c = find(w, i_word, iod, w->oldest, w->first - 1, 0, &repaired);
    return c != NULL ? c : find(w, i_word, iod, w->last + 1, w->limit, 0, &repaired);
}

static bool build(const struct window *w, unsigned adkd, int iod, unsigned nth, struct candidate *ret)
{
    unsigned from = adkd == 4 ? 5 : 0, to = adkd == 4 ? 7 : 5;
    bool strict = true;
    *ret = (struct candidate){.iod = iod >= 0 ? (uint16_t)iod : 0};
    struct gn_bit_writer out = gn_bit_writer_of(ret->content, 8 * sizeof ret->content);
    for (unsigned i = from; i < to; i++) {
        const uint8_t *c = choose(w, i, i < 4 ? iod : -1, nth, &strict);
        if (c == NULL)
            return false;
        struct gn_bit_reader in = gn_bit_reader_of(c, WORD_BITS);
        gn_bits_skip(&in, parts[i].first);
        gn_bits_copy(&out, &in, parts[i].n_bits);
    }
    ret->is_strict = strict;
    return !out.is_past_end;
}

static unsigned add(struct candidate *list, unsigned n, const struct window *w, unsigned adkd, int iod, unsigned nth)
{
    if (n == CANDIDATES_MAX || !build(w, adkd, iod, nth, &list[n]))
        return n;
    for (unsigned i = 0; i < n; i++)
        if (memcmp(list[i].content, list[n].content, sizeof list[i].content) == 0)
            return n;
    return n + 1;
}

/* COP c: constant in the c sub-frames before the tag's; 15: or longer. The newest set comes first, then one
 * with the previous contents (a change in mid-sub-frame), then the previous IODnav. */
unsigned osnma_candidates(const struct sat *sat, unsigned adkd, unsigned cop, int64_t sf,
        struct candidate ret[CANDIDATES_MAX])
{
    struct window w = {.sat = sat, .first = sf - (int64_t)cop, .last = sf - 1, .is_slow = adkd == 12};
    w.oldest = cop == 15 ? sf - WORD_AGE_SF : w.first;
    w.limit = sf + (adkd == 12 ? SLOW_SF : 1) - 1;
    unsigned n = 0;
    int iod = -1, other = -1;
    if (adkd != 4) {
        iod = find_iod(&w, w.first, w.last, -1);
        if (iod < 0)
            iod = find_iod(&w, w.oldest, w.last, -1);
        if (iod < 0)
            return 0;
        other = find_iod(&w, w.first, w.last, iod);
    }
    n = add(ret, n, &w, adkd, iod, 0);
    n = add(ret, n, &w, adkd, iod, 1);
    if (other >= 0)
        n = add(ret, n, &w, adkd, other, 1);
    return n;
}
