/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Finds the pages in the soft symbols of one E1-B channel and yields them in time order, those
 * received before synchronisation included. The CRC decides where pages begin; the polarity of the
 * symbols does not matter. */
#ifndef GN_NAV_INAV_SYNC_H
#define GN_NAV_INAV_SYNC_H

#include "lib/nav/inav.h"
#include "lib/nav/lnav_sync.h" /* enum gn_sync_event */
#include "lib/nav/soft.h"

#include <stdbool.h>
#include <stdint.h>

struct gn_inav_sync {
    bool is_locked;
    uint8_t n_bad;  /* pages in a row with a wrong CRC */
    int64_t next;   /* locked: first symbol of the next page (below 0: it began before symbol 0) */
    uint64_t probe; /* not locked, or bad: next symbol to be tried as a start */
};

struct gn_inav_heard {
    uint8_t page[GN_INAV_PAGE_BYTES]; /* CRC good */
    int64_t symbol;                   /* first one of the page */
};

/* Call until GN_SYNC_NOTHING after each gn_soft_push(). A zeroed struct is at its start. Pages with
 * a wrong CRC are passed over. [stream] */
enum gn_sync_event gn_inav_sync_next(
        struct gn_inav_sync *sync, const struct gn_soft *soft, struct gn_inav_heard *ret);

#endif
