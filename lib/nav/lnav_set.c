/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/nav/lnav_set.h"

#include "lib/bits/bits.h"
#include "lib/gnss/signal.h"
#include "lib/time/time.h"

#include <math.h>
#include <string.h>

#define SQRT_A_MIN 5000.0
#define SQRT_A_MAX 5400.0

static const uint16_t needed[3] = {GN_LNAV_NEEDED_1, GN_LNAV_NEEDED_23, GN_LNAV_NEEDED_23};

static uint64_t word(const struct gn_lnav_piece *p, unsigned i)
{
    return gn_bits_get(p->data, GN_LNAV_DATA_BITS, (size_t)24 * i, 24);
}

/* Words 3 to 10 of one issue never change: a word that differs means that the old ones belong to
 * another. */
static bool is_same_issue(const struct gn_lnav_piece *a, const struct gn_lnav_piece *b)
{
    unsigned both = a->word_mask & b->word_mask & GN_LNAV_NEEDED_23;
    for (unsigned i = 2; i < GN_LNAV_WORDS; i++)
        if ((both >> i & 1u) != 0 && word(a, i) != word(b, i))
            return false;
    return both != 0 && fabs(gn_tow_difference_s(a->tow_s, b->tow_s)) <= GN_LNAV_WORD_LIFE_S;
}

static void merge(struct gn_lnav_piece *old, const struct gn_lnav_piece *piece, uint16_t needs)
{
    if ((piece->word_mask & needs) == needs || !is_same_issue(old, piece)) {
        *old = *piece;
        return;
    }
    for (unsigned i = 0; i < GN_LNAV_WORDS; i++)
        if ((piece->word_mask >> i & 1u) != 0)
            (void)gn_bits_set(old->data, GN_LNAV_DATA_BITS, (size_t)24 * i, 24, word(piece, i));
    old->word_mask |= piece->word_mask;
    old->tow_s = piece->tow_s;
}

static bool is_complete(const struct gn_lnav_set *set)
{
    for (unsigned i = 0; i < 3; i++) {
        const struct gn_lnav_piece *p = &set->pieces[i];
        if ((p->word_mask & needed[i]) != needed[i] ||
                fabs(gn_tow_difference_s(p->tow_s, set->pieces[0].tow_s)) > GN_LNAV_WORD_LIFE_S)
            return false;
    }
    return true;
}

static bool is_sane(const struct gn_ephemeris *eph)
{
    return eph->toe_s < GN_WEEK_S && eph->toc_s < GN_WEEK_S && eph->sqrt_a > SQRT_A_MIN &&
           eph->sqrt_a < SQRT_A_MAX;
}

static bool is_news(struct gn_lnav_set *set, const struct gn_ephemeris *eph)
{
    struct gn_ephemeris now = *eph;
    now.t_tx_s = 0;
    bool same = memcmp(&now, &set->told, sizeof now) == 0;
    set->told = now;
    return !same;
}

static bool assemble(const struct gn_lnav_set *set, int32_t week_pivot, struct gn_ephemeris *eph)
{
    uint8_t sf[3][GN_LNAV_DATA_BYTES];
    for (unsigned i = 0; i < 3; i++)
        memcpy(sf[i], set->pieces[i].data, GN_LNAV_DATA_BYTES);
    memset(eph, 0, sizeof *eph);
    if (!gn_lnav_ephemeris_read((const uint8_t(*)[GN_LNAV_DATA_BYTES])sf, eph) || !is_sane(eph))
        return false;
    int32_t week = gn_week_expand(gn_lnav_week10(sf[0]), 10, week_pivot);
    eph->week = gn_week_of_reference(week, set->pieces[0].tow_s, eph->toe_s);
    eph->week_toc = gn_week_of_reference(week, set->pieces[0].tow_s, eph->toc_s);
    return true;
}

bool gn_lnav_set_add(struct gn_lnav_set *set, uint8_t prn, unsigned id,
        const struct gn_lnav_piece *piece, uint8_t alert, int32_t week_pivot,
        struct gn_ephemeris *eph)
{
    if (id >= 1 && id <= 3)
        merge(&set->pieces[id - 1], piece, needed[id - 1]);
    if ((piece->word_mask & 2u) != 0)
        set->alert = alert;
    if (!is_complete(set) || !assemble(set, week_pivot, eph))
        return false;
    eph->prn = prn;
    eph->alert = set->alert;
    eph->t_tx_s = piece->tow_s;
    return is_news(set, eph);
}
