/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The other side: a TEST chain that signs I/NAV words, for simulators and tests. KS 128, TS 40, MACLT 34,
 * SHA-256, HMAC-SHA-256, one P-256 key as PKID 1 of a 16-leaf Merkle tree, all from a seed: equal seeds and times
 * give equal bits. The private key is wiped as soon as the root key is signed.
 * Source: OSNMA SIS ICD 1.1 sections 3, 6. */
#ifndef GN_OSNMA_GENERATE_H
#define GN_OSNMA_GENERATE_H

#include "gnomon/status.h"
#include "lib/osnma/format.h"

struct gn_osnma_gen; /* opaque */

#define GN_OSNMA_GEN_WORDS 7 /* word types 1 to 6 and 10, in this order */
#define GN_OSNMA_GEN_SUBFRAMES_MAX (28 * 2880)

struct gn_osnma_gen_sat {
    uint8_t prn;       /* 1..36 */
    uint8_t has_osnma; /* sends OSNMA itself; any satellite's data may be covered */
    uint8_t cop_ced, cop_timing; /* 1..15: the words were the same for so many sub-frames; 0: not at all yet */
    /* 128-bit words as sent in the sub-frame BEFORE the one asked for (words, not pages: type in the first 6 bits).
     * Time-of-week fields and reserved bits do not matter; word 10 is sent every other sub-frame. */
    uint8_t words[GN_OSNMA_GEN_WORDS][16];
};

/* A chain for n_subframes from (wn, tow_s), tow_s a multiple of 30. Errors: GN_E_ARG, GN_E_NOMEM, GN_E_INTERNAL. [control] */
GN_NODISCARD gn_status gn_osnma_gen_new(uint64_t seed, int32_t wn, uint32_t tow_s, uint32_t n_subframes,
        struct gn_osnma_gen **ret);
void gn_osnma_gen_free(struct gn_osnma_gen *g); /* wipes */

/* The 40 bits (HKROOT 8, MACK 32) of each page 0..14 of satellite sats[i] in the sub-frame that starts at
 * (wn, tow_s); zeros when it has no OSNMA. sats[n_sats], n_sats <= 36, lists the whole sky in one order.
 * Errors: GN_E_ARG (off the grid or outside the chain). Neither allocates nor locks. [one thread at a time] */
GN_NODISCARD gn_status gn_osnma_gen_bits(struct gn_osnma_gen *g, int32_t wn, uint32_t tow_s,
        const struct gn_osnma_gen_sat *sats, unsigned n_sats, unsigned i, uint8_t bits[GN_OSNMA_PAGES][5]);

/* The trust anchors as JSON, marked "test": true. Returns the length, 0 when it does not fit in room. */
size_t gn_osnma_gen_keys_json(const struct gn_osnma_gen *g, char *text, size_t room);

#endif
