/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Collects the words of one Galileo satellite until they make a whole ephemeris: words 1 to 4 of
 * one IODnav and the newest word 5, with lost words rebuilt from words 17 to 20. All or nothing;
 * words may come from several channels and from E5b. */
#ifndef GN_NAV_INAV_SET_H
#define GN_NAV_INAV_SET_H

#include "lib/nav/ephemeris.h"
#include "lib/nav/inav_words.h"

#include <stdbool.h>
#include <stdint.h>

#define GN_INAV_WORD_LIFE_S  14400 /* an IODnav may come back after days with other content */
#define GN_INAV_WORD5_LIFE_S 600   /* word 5 has no IODnav: it must be of about the same time */

struct gn_inav_slot {
    uint8_t word[GN_INAV_WORD_BYTES];
    bool has;
    int64_t t_s; /* start of its page, GST seconds since week 0 */
};

struct gn_inav_set {
    struct gn_inav_slot slots[GN_INAV_CED_WORDS + GN_INAV_RS_WORDS]; /* words 1..4, 17..20 */
    struct gn_inav_slot word5;
    uint8_t told[GN_EPH_CED_BYTES]; /* content of the last ephemeris given out */
    int64_t t_told_s;
    int32_t week_told;
    bool has_told;
};

enum gn_inav_news { GN_INAV_NO_NEWS = 0, GN_INAV_EPHEMERIS, GN_INAV_REDUCED };

/* A word whose page began at second tow_s of full GST week wn (-1: not known; weeks of the
 * ephemeris are then -1 too). When it completes an ephemeris with new content, *eph is it;
 * GN_INAV_REDUCED: a reduced one, given only while there is no whole one. [stream] */
enum gn_inav_news gn_inav_set_add(struct gn_inav_set *set, uint8_t prn,
        const uint8_t word[GN_INAV_WORD_BYTES], int32_t wn, uint32_t tow_s,
        struct gn_ephemeris *eph);

#endif
