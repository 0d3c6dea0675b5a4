/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/nav/inav_set.h"

#include "gnomon/status.h"
#include "lib/bits/bits.h"
#include "lib/gnss/signal.h"
#include "lib/time/time.h"

#include <string.h>

#define N_SLOTS    (GN_INAV_CED_WORDS + GN_INAV_RS_WORDS)
#define SQRT_A_MIN 5000.0 /* 25,000 km: also satellites in wrong orbits are above */
#define SQRT_A_MAX 6000.0

/* the IODnav a slot belongs to; parity words know its two last bits only */
static unsigned iod_of(const struct gn_inav_slot *slot, unsigned i)
{
    return i < GN_INAV_CED_WORDS ? gn_inav_iod(slot->word)
                                 : (unsigned)gn_bits_get(slot->word, 128, 14, 2);
}

static bool is_near(int64_t a_s, int64_t b_s, int64_t most_s)
{
    return a_s - b_s <= most_s && b_s - a_s <= most_s;
}

/* Full IODnav of the group that slot `newest` belongs to: its own, else that of the newest word 1
 * to 4 with the same last bits. */
static bool group_iod(const struct gn_inav_set *set, unsigned newest, unsigned *iod)
{
    int64_t t_best_s = INT64_MIN;
    if (newest < GN_INAV_CED_WORDS) {
        *iod = iod_of(&set->slots[newest], newest);
        return true;
    }
    unsigned low = iod_of(&set->slots[newest], newest);
    for (unsigned i = 0; i < GN_INAV_CED_WORDS; i++) {
        const struct gn_inav_slot *slot = &set->slots[i];
        if (slot->has && (gn_inav_iod(slot->word) & 3u) == low && slot->t_s > t_best_s) {
            t_best_s = slot->t_s;
            *iod = gn_inav_iod(slot->word);
        }
    }
    return t_best_s != INT64_MIN;
}

/* The words of the group of slot `newest`; those not received rebuilt. */
static bool whole_group(const struct gn_inav_set *set, unsigned newest,
        uint8_t words[N_SLOTS][GN_INAV_WORD_BYTES], bool *is_rebuilt)
{
    bool has[N_SLOTS];
    unsigned iod = iod_of(&set->slots[newest], newest);
    bool is_full = group_iod(set, newest, &iod);
    for (unsigned i = 0; i < N_SLOTS; i++) {
        const struct gn_inav_slot *slot = &set->slots[i];
        unsigned mine = is_full && i < GN_INAV_CED_WORDS ? iod : iod & 3u;
        has[i] = slot->has && iod_of(slot, i) == mine && (is_full || i >= GN_INAV_CED_WORDS) &&
                 is_near(slot->t_s, set->slots[newest].t_s, GN_INAV_WORD_LIFE_S);
        memcpy(words[i], slot->word, GN_INAV_WORD_BYTES);
    }
    *is_rebuilt = !(has[0] && has[1] && has[2] && has[3]);
    return !*is_rebuilt || gn_inav_rs_fill(words, has);
}

static bool is_sane(const struct gn_ephemeris *eph)
{
    return eph->toe_s < GN_WEEK_S && eph->toc_s < GN_WEEK_S && eph->sqrt_a > SQRT_A_MIN &&
           eph->sqrt_a < SQRT_A_MAX;
}

static void set_times(struct gn_ephemeris *eph, int32_t wn, uint32_t tow_s)
{
    int32_t week = wn < 0 ? GN_WEEK_UNKNOWN : wn + GN_GST_WEEK_0;
    eph->t_tx_s = tow_s;
    eph->week = gn_week_of_reference(week, tow_s, eph->toe_s);
    eph->week_toc = gn_week_of_reference(week, tow_s, eph->toc_s);
}

static bool is_news(struct gn_inav_set *set, const struct gn_ephemeris *eph, int64_t t_s)
{
    bool same = set->has_told && set->week_told == eph->week &&
                memcmp(set->told, eph->ced, sizeof set->told) == 0;
    if (!same)
        memcpy(set->told, eph->ced, sizeof set->told);
    set->has_told = true;
    set->t_told_s = t_s;
    set->week_told = eph->week;
    return !same;
}

static enum gn_inav_news complete(struct gn_inav_set *set, unsigned newest, uint8_t prn, int32_t wn,
        uint32_t tow_s, struct gn_ephemeris *eph)
{
    uint8_t words[N_SLOTS][GN_INAV_WORD_BYTES];
    bool is_rebuilt;
    int64_t t_s = set->slots[newest].t_s;
    if (!set->word5.has || !is_near(set->word5.t_s, t_s, GN_INAV_WORD5_LIFE_S) ||
            !whole_group(set, newest, words, &is_rebuilt) || gn_inav_svid(words[3]) != prn)
        return GN_INAV_NO_NEWS;
    memset(eph, 0, sizeof *eph);
    gn_inav_ced_read((const uint8_t(*)[GN_INAV_WORD_BYTES])words, set->word5.word, eph);
    eph->prn = prn;
    eph->source = is_rebuilt ? GN_EPH_SRC_INAV_RS : GN_EPH_SRC_INAV;
    set_times(eph, wn, tow_s);
    return is_sane(eph) && is_news(set, eph, t_s) ? GN_INAV_EPHEMERIS : GN_INAV_NO_NEWS;
}

static unsigned newest_slot(const struct gn_inav_set *set)
{
    unsigned best = 0;
    for (unsigned i = 1; i < N_SLOTS; i++)
        if (set->slots[i].has &&
                (!set->slots[best].has || set->slots[i].t_s > set->slots[best].t_s))
            best = i;
    return best;
}

static enum gn_inav_news reduced(const struct gn_inav_set *set, uint8_t prn, const uint8_t *word,
        int32_t wn, uint32_t tow_s, struct gn_ephemeris *eph)
{
    int64_t t_s = (int64_t)wn * GN_WEEK_S + tow_s;
    if (set->has_told && is_near(set->t_told_s, t_s, GN_INAV_WORD_LIFE_S))
        return GN_INAV_NO_NEWS;
    gn_inav_reduced_read(word, tow_s, eph);
    eph->prn = prn;
    if (set->word5.has && is_near(set->word5.t_s, t_s, GN_INAV_WORD5_LIFE_S)) {
        const uint8_t *w5 = set->word5.word;
        eph->health = (uint8_t)(gn_bits_get(w5, 128, 69, 2) << 1 | gn_bits_get(w5, 128, 72, 1));
    }
    set_times(eph, wn, tow_s);
    return GN_INAV_REDUCED;
}

enum gn_inav_news gn_inav_set_add(struct gn_inav_set *set, uint8_t prn,
        const uint8_t word[GN_INAV_WORD_BYTES], int32_t wn, uint32_t tow_s,
        struct gn_ephemeris *eph)
{
    unsigned type = word[0] >> 2;
    if (type == 16)
        return reduced(set, prn, word, wn, tow_s, eph);
    bool is_ced = type >= 1 && type <= 4, is_rs = type >= 17 && type <= 20;
    if (!is_ced && !is_rs && type != 5)
        return GN_INAV_NO_NEWS;
    unsigned i = is_ced ? type - 1 : type - 13;
    struct gn_inav_slot *slot = type == 5 ? &set->word5 : &set->slots[i];
    memcpy(slot->word, word, GN_INAV_WORD_BYTES);
    slot->has = true;
    slot->t_s = (int64_t)wn * GN_WEEK_S + tow_s;
    unsigned newest = type == 5 ? newest_slot(set) : i;
    if (!set->slots[newest].has)
        return GN_INAV_NO_NEWS;
    return complete(set, newest, prn, wn, tow_s, eph);
}
