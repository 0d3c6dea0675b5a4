/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Galileo I/NAV page pairs: 240 bits <-> 128-bit word and OSNMA field <-> 500 symbols of E1-B.
 *
 *   page  even part 0..119: 0 | type | word 112 | tail 6     odd part 120..239: 1 | type | word 16
 * | OSNMA 40 | SAR 22 | spare 2 | CRC 24 | SSP 8 | tail 6 sent  each part: synchronisation
 * 0101100000, then 240 symbols (rate 1/2, interleaved 30 columns x 8 rows)
 *
 * Source: Galileo OS SIS ICD 2.1 sections 4.1.4, 4.3.2, 5.1.9.4. All functions: [any thread] */
#ifndef GN_NAV_INAV_H
#define GN_NAV_INAV_H

#include <stdbool.h>
#include <stdint.h>

#define GN_INAV_PAGE_BYTES   30u
#define GN_INAV_WORD_BYTES   16u
#define GN_INAV_SYNC_SYMBOLS 10u
#define GN_INAV_PART_SYMBOLS 250u /* one second */
#define GN_INAV_PAGE_SYMBOLS 500u
#define GN_INAV_WORD_DUMMY   63u
#define GN_INAV_WORD_ALERT   64u /* no word type: what gn_inav_word() says of an alert page */

extern const uint8_t gn_inav_sync[GN_INAV_SYNC_SYMBOLS];

/* The odd part's fields that are not the word. */
struct gn_inav_extra {
    uint8_t osnma[5]; /* HKROOT 8, MACK 32 */
    uint32_t sar;     /* 22 bits */
    uint8_t spare;    /* 2 bits */
    uint8_t ssp;      /* 8 bits, not covered by the CRC */
};

/* Even part first, both of one page type, CRC-24Q good. */
bool gn_inav_page_is_good(const uint8_t page[GN_INAV_PAGE_BYTES]);

/* The word of a good page. Returns its type 0..63, GN_INAV_WORD_ALERT for an alert page (word
 * zeroed). */
unsigned gn_inav_word(const uint8_t page[GN_INAV_PAGE_BYTES], uint8_t word[GN_INAV_WORD_BYTES]);
void gn_inav_extra(const uint8_t page[GN_INAV_PAGE_BYTES], struct gn_inav_extra *ret);

/* A nominal page with its CRC; extra may be NULL (zeros). */
void gn_inav_page_build(const uint8_t word[GN_INAV_WORD_BYTES], const struct gn_inav_extra *extra,
        uint8_t page[GN_INAV_PAGE_BYTES]);

/* The 500 symbols (0 or 1) of a page, synchronisation included. */
void gn_inav_page_encode(
        const uint8_t page[GN_INAV_PAGE_BYTES], uint8_t symbols[GN_INAV_PAGE_SYMBOLS]);

/* 240 soft symbols after the synchronisation (positive = 0; 0 = erased) into 120 bits.
 * Returns the fit as gn_viterbi_decode(). */
float gn_inav_part_decode(const float soft[240], uint8_t part[15]);

#endif
