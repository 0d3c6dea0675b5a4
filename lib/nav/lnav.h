/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* GPS LNAV words and sub-frames: parity, and what the sub-frames say, read and written by the same
 * tables.
 *
 * A sub-frame's data are kept as 240 bits, the 24 data bits of its ten words one after the other
 * (d1..d24, polarity resolved): numbers split over two words are then in one piece. Word w (1..10)
 * starts at 24 (w - 1). Source: IS-GPS-200N sections 20.3.3, 20.3.5. All functions: [any thread] */
#ifndef GN_NAV_LNAV_H
#define GN_NAV_LNAV_H

#include "lib/nav/ephemeris.h"

#include <stdbool.h>
#include <stdint.h>

#define GN_LNAV_WORDS         10u
#define GN_LNAV_SUBFRAME_BITS 300u
#define GN_LNAV_DATA_BITS     240u
#define GN_LNAV_DATA_BYTES    30u
#define GN_LNAV_SENT_BYTES    38u
#define GN_LNAV_COUNTS_A_WEEK 100800u /* sub-frames: 6 s each */
#define GN_LNAV_PREAMBLE      0x8Bu

/* raw: D29* D30* of the word before, then D1..D30, as received in either polarity. True when the
 * six parity bits fit; *data gets d1..d24, which the polarity cannot change. */
bool gn_lnav_word_check(uint32_t raw, uint32_t *data);
/* D1..D30 of d1..d24 after a word that ended in D29* D30* (two bits). */
uint32_t gn_lnav_word_encode(uint32_t data, unsigned last_two);

/* data into 300 bits as sent, after a word that ended in 00, with bits 23 and 24 of words 2 and 10
 * chosen so that these end in 00. */
void gn_lnav_encode(const uint8_t data[GN_LNAV_DATA_BYTES], uint8_t sent[GN_LNAV_SENT_BYTES]);

struct gn_lnav_how {
    uint32_t next_count; /* start of the next sub-frame / 6 s, 0..100799 */
    uint8_t id;          /* 1..5 */
    uint8_t alert, antispoof;
};

/* False: no such sub-frame number or time of week, or number and time that do not go together
 * (sub-frame 1 starts at multiples of 30 s). */
bool gn_lnav_how_read(const uint8_t data[GN_LNAV_DATA_BYTES], struct gn_lnav_how *ret);

/* The words of sub-frames 1 to 3 that an ephemeris is made of: bit w - 1 for word w. */
#define GN_LNAV_NEEDED_1  0x3C4u /* 3, 7..10 */
#define GN_LNAV_NEEDED_23 0x3FCu /* 3..10 */

/* Sub-frames 1 to 3. Leaves to the caller: week, week_toc, t_tx_s, prn. False: IODE of sub-frames 2
 * and 3 and the low bits of IODC are not the same, so these are pieces of two different sets (ret
 * is undefined). */
bool gn_lnav_ephemeris_read(const uint8_t sf[3][GN_LNAV_DATA_BYTES], struct gn_ephemeris *ret);
unsigned gn_lnav_week10(const uint8_t sf1[GN_LNAV_DATA_BYTES]);

/* Sub-frame 4 page 18 (SV ID 56): alpha0..3, beta0..3 in the ICD's semicircles; A0, A1, dt_LS,
 * t_ot, WN_ot, WN_LSF (low 8 bits), DN, dt_LSF. False: another page. */
bool gn_lnav_page18_read(const uint8_t sf4[GN_LNAV_DATA_BYTES], double klobuchar[8], double utc[8]);

/* What a satellite would send. */
struct gn_lnav_source {
    const struct gn_ephemeris *eph;
    const double *klobuchar, *utc; /* [8] each, may be NULL */
    uint8_t alert;                 /* HOW flag */
};

/* The 240 data bits of the sub-frame that starts 6 * count s into GPS week `week`: its number is
 * count % 5 + 1. Sub-frames 4 and 5 are dummy pages except page 18. False when a value did not fit.
 */
bool gn_lnav_build(const struct gn_lnav_source *src, int32_t week, uint32_t count,
        uint8_t data[GN_LNAV_DATA_BYTES]);

#endif
