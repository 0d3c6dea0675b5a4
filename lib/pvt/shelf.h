/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The ephemerides at hand: a few per satellite, so that an authentic one stays while a newer one is still
 * undecided. [stream], state is the caller's. */
#ifndef GN_PVT_SHELF_H
#define GN_PVT_SHELF_H

#include "lib/pvt/trust.h"

#define GN_SHELF_PRNS 64
#define GN_SHELF_KEPT 4

struct gn_shelf_slot {
    uint8_t n, reserved[7];
    struct gn_ephemeris kept[GN_SHELF_KEPT]; /* newest arrival first */
};

struct gn_shelf {
    struct gn_shelf_slot gps[GN_SHELF_PRNS], galileo[GN_SHELF_PRNS];
};

struct gn_shelf_want {
    const struct gn_trust_store *trust;
    bool authentic_only;
    bool allow_reduced;  /* reduced CED where nothing better is at hand */
    int32_t week;
    double tow_s;
};

/* Keep eph; one with the same issue and source class replaces what was there. Elements no orbit could have are dropped. */
void gn_shelf_put(struct gn_shelf *s, const struct gn_ephemeris *eph);

/* The newest usable one: healthy, no alert, an accuracy statement, within its validity, not forged. NULL: none. */
const struct gn_ephemeris *gn_shelf_get(const struct gn_shelf *s, uint8_t signal, uint8_t prn,
        const struct gn_shelf_want *want);

/* Is the newest content of this satellite forged? */
bool gn_shelf_is_forged(const struct gn_shelf *s, uint8_t signal, uint8_t prn,
        const struct gn_trust_store *trust);

#endif
