/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Collects the sub-frames of one GPS satellite until 1, 2 and 3 make a whole ephemeris of one
 * issue. All or nothing; words may come from several cycles and channels. */
#ifndef GN_NAV_LNAV_SET_H
#define GN_NAV_LNAV_SET_H

#include "lib/nav/ephemeris.h"
#include "lib/nav/lnav.h"

#include <stdbool.h>
#include <stdint.h>

#define GN_LNAV_WORD_LIFE_S                                                                        \
    7200 /* an issue is sent for two hours; its number comes back after six at the earliest */

struct gn_lnav_piece {
    uint8_t data[GN_LNAV_DATA_BYTES];
    uint16_t word_mask;
    uint32_t tow_s; /* start of the newest sub-frame in it */
};

struct gn_lnav_set {
    struct gn_lnav_piece pieces[3];
    struct gn_ephemeris told; /* last one given out, t_tx_s 0 */
    uint8_t alert;
};

/* Sub-frame id (1..3; others only tell `alert`) that began at tow_s. week_pivot: about the GPS week
 * now, resolves the ten bits of the broadcast week; -1 leaves the weeks unknown. True: *eph is an
 * ephemeris with new content (orbit, clock, health, accuracy, alert, week). [stream] */
bool gn_lnav_set_add(struct gn_lnav_set *set, uint8_t prn, unsigned id,
        const struct gn_lnav_piece *piece, uint8_t alert, int32_t week_pivot,
        struct gn_ephemeris *eph);

#endif
