/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Finds the 250-bit messages in the soft symbols (500 a second) of one SBAS channel. The CRC
 * decides where a message begins, which symbols form a pair and which way up they are. Source: RTCA
 * DO-229 appendix A.4.3. */
#ifndef GN_NAV_SBAS_SYNC_H
#define GN_NAV_SBAS_SYNC_H

#include "lib/nav/lnav_sync.h" /* enum gn_sync_event */
#include "lib/nav/soft.h"

#include <stdbool.h>
#include <stdint.h>

#define GN_SBAS_BITS    250u
#define GN_SBAS_BYTES   32u
#define GN_SBAS_SYMBOLS 500u /* one second */

struct gn_sbas_sync {
    bool is_locked;
    uint8_t n_bad;  /* messages in a row with a wrong CRC */
    int64_t next;   /* locked: first symbol of the next message */
    uint64_t probe; /* not locked: first symbol of the window to be searched next */
};

struct gn_sbas_heard {
    uint8_t bits[GN_SBAS_BYTES]; /* preamble, type, data, CRC; the last six bits 0 */
    uint8_t type;                /* 0..63 */
    int64_t symbol;
};

/* One of the three preambles and a good CRC-24Q over 226 bits. [any thread] */
bool gn_sbas_is_good(const uint8_t bits[GN_SBAS_BYTES]);
/* Put the CRC behind 226 bits. [any thread] */
void gn_sbas_close(uint8_t bits[GN_SBAS_BYTES]);

/* Call until GN_SYNC_NOTHING after each gn_soft_push(). A zeroed struct is at its start. Messages
 * with a wrong CRC are passed over. [stream] */
enum gn_sync_event gn_sbas_sync_next(
        struct gn_sbas_sync *sync, const struct gn_soft *soft, struct gn_sbas_heard *ret);

#endif
