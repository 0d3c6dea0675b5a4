/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What the 128-bit words of Galileo I/NAV say, read and written by the same tables.
 * Source: Galileo OS SIS ICD 2.1 section 4.3.5 and 5.1. All functions: [any thread] */
#ifndef GN_NAV_INAV_WORDS_H
#define GN_NAV_INAV_WORDS_H

#include "lib/nav/ephemeris.h"
#include "lib/nav/inav.h"

#include <stdbool.h>
#include <stdint.h>

#define GN_INAV_CED_WORDS 4u /* word types 1 to 4 */
#define GN_INAV_RS_WORDS  4u /* word types 17 to 20 */

/* Words 1 to 5 as one ephemeris. Leaves to the caller: week, week_toc, t_tx_s, prn, source. */
void gn_inav_ced_read(const uint8_t ced[GN_INAV_CED_WORDS][GN_INAV_WORD_BYTES],
        const uint8_t word5[GN_INAV_WORD_BYTES], struct gn_ephemeris *eph);
/* Words 1 to 4 of an ephemeris (IODnav = iode, SVID = prn). False when a value did not fit. */
bool gn_inav_ced_write(
        const struct gn_ephemeris *eph, uint8_t ced[GN_INAV_CED_WORDS][GN_INAV_WORD_BYTES]);

unsigned gn_inav_iod(const uint8_t word[GN_INAV_WORD_BYTES]); /* words 1 to 4 */
unsigned gn_inav_svid(const uint8_t word4[GN_INAV_WORD_BYTES]);

/* Words 17 to 20 of words 1 to 4, and back: the words with has[] set (0..3: words 1 to 4, 4..7:
 * words 17 to 20) give the missing ones of 1 to 4. At least four are needed. False: too few, or
 * they contradict each other. */
void gn_inav_rs_write(const uint8_t ced[GN_INAV_CED_WORDS][GN_INAV_WORD_BYTES],
        uint8_t rs[GN_INAV_RS_WORDS][GN_INAV_WORD_BYTES]);
bool gn_inav_rs_fill(uint8_t words[GN_INAV_CED_WORDS + GN_INAV_RS_WORDS][GN_INAV_WORD_BYTES],
        const bool has[GN_INAV_CED_WORDS + GN_INAV_RS_WORDS]);

/* Time words 0, 5 and 6. wn: 12-bit GST week or -1 (word 6 has none); tow_s of the page's start.
 * False: this word carries no (valid) time. */
bool gn_inav_time_read(const uint8_t word[GN_INAV_WORD_BYTES], int32_t *wn, uint32_t *tow_s);
void gn_inav_word0_write(int32_t wn, uint32_t tow_s, uint8_t word[GN_INAV_WORD_BYTES]);

/* Word 5: NeQuick ai0..2 and five storm flags in nequick[8], BGDs, health of eph (health = HS << 1
 * | DVS of E1-B; E5b gets the same). */
void gn_inav_nequick_read(const uint8_t word5[GN_INAV_WORD_BYTES], double nequick[8]);
bool gn_inav_word5_write(const struct gn_ephemeris *eph, const double nequick[8], int32_t wn,
        uint32_t tow_s, uint8_t word[GN_INAV_WORD_BYTES]);

/* Word 6, GST to UTC: A0, A1, dt_LS, t_ot, WN_ot, WN_LSF (low 8 bits), DN, dt_LSF. */
void gn_inav_utc_read(const uint8_t word6[GN_INAV_WORD_BYTES], double utc[8]);
bool gn_inav_word6_write(const double utc[8], uint32_t tow_s, uint8_t word[GN_INAV_WORD_BYTES]);

/* Word 10, GPS to Galileo time offset: A0G, A1G, t0G, WN0G (low 6 bits). False: not available.
 * Writing leaves the almanac bits alone. */
bool gn_inav_ggto_read(const uint8_t word10[GN_INAV_WORD_BYTES], double ggto[4]);
bool gn_inav_word10_write(const double ggto[4], uint8_t word[GN_INAV_WORD_BYTES]);

/* Word 16, reduced clock and ephemeris sent at tow_s: a whole ephemeris with toe = toc = 1 + 30
 * floor(tow / 30), no perturbations, no group delay. Writing wants an ephemeris referred to that
 * very time: mean elements, see gn_inav_reduce(). */
void gn_inav_reduced_read(
        const uint8_t word16[GN_INAV_WORD_BYTES], uint32_t tow_s, struct gn_ephemeris *eph);
bool gn_inav_reduced_write(const struct gn_ephemeris *eph, uint8_t word[GN_INAV_WORD_BYTES]);
/* full, moved to the reference time of a word 16 sent at tow_s, with what that word cannot say left
 * out. */
void gn_inav_reduce(const struct gn_ephemeris *full, uint32_t tow_s, struct gn_ephemeris *ret);

/* A spare word (type 0 without time) or, with type 63, a dummy. */
void gn_inav_filler_write(unsigned type, uint8_t word[GN_INAV_WORD_BYTES]);

#endif
