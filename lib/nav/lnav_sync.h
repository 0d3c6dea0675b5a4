/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Finds the sub-frames in the soft bits of one GPS channel and yields them in time order, those
 * received before synchronisation included.
 *
 * Trust needs two sub-frames in a row: preamble, parity of TLM and HOW, sub-frame number, and a
 * time of week that goes on by one. A preamble pattern inside the data with a plausible HOW does
 * not do that. */
#ifndef GN_NAV_LNAV_SYNC_H
#define GN_NAV_LNAV_SYNC_H

#include "lib/nav/lnav.h"
#include "lib/nav/soft.h"

#include <stdbool.h>
#include <stdint.h>

struct gn_lnav_sync {
    bool is_locked;
    uint8_t n_bad;     /* sub-frames in a row without a good HOW */
    uint8_t n_against; /* good HOWs in a row that contradict `count` */
    int64_t trusted;   /* locked: the first of the two sub-frames that gave the lock */
    int64_t next;   /* locked: first bit of the next sub-frame (below 0: it began before bit 0) */
    uint32_t count; /* locked: its start / 6 s */
    uint64_t probe; /* not locked, or bad: next bit to be tried as a start */
};

struct gn_lnav_subframe {
    uint8_t data[GN_LNAV_DATA_BYTES]; /* words without their bit in the mask are 0 */
    uint8_t sent[GN_LNAV_SENT_BYTES]; /* 300 bits: d1..d24 in true polarity, D25..D30 as received */
    uint16_t word_mask;               /* bit w - 1: word w passed parity */
    uint16_t received_mask;           /* word w was received at all */
    uint8_t id, alert;                /* alert: 0 when the HOW was lost */
    uint32_t count;                   /* its start / 6 s */
    int64_t symbol;                   /* its first bit */
};

enum gn_sync_event {
    GN_SYNC_NOTHING = 0, /* needs more symbols */
    GN_SYNC_UNIT,        /* *ret was filled */
    GN_SYNC_LOST,        /* what was said about times is withdrawn */
};

/* Call until GN_SYNC_NOTHING after each gn_soft_push(). A zeroed struct is at its start. [stream]
 */
enum gn_sync_event gn_lnav_sync_next(
        struct gn_lnav_sync *sync, const struct gn_soft *soft, struct gn_lnav_subframe *ret);

#endif
