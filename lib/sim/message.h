/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The data symbols a simulated satellite sends: GPS LNAV bits (20 ms) or E1-B I/NAV symbols (4 ms).
 */
#ifndef GN_SIM_MESSAGE_H
#define GN_SIM_MESSAGE_H

#include "lib/nav/ephemeris.h"
#include "lib/nav/inav_words.h"
#include "lib/sim/almanac.h"

#include <stdbool.h>
#include <stdint.h>

/* What goes into the OSNMA field of E1-B pages; zeroed: 40 zero bits, a satellite without OSNMA. */
struct gn_sim_osnma {
    void *arg;
    /* The 15 fields of the sub-frame that begins at GST (wn, tow_s) as satellite prn sends them.
     * Called once per satellite and sub-frame, in any order of satellites, sub-frames ascending. */
    void (*fields)(void *arg, uint8_t prn, int32_t wn, uint32_t tow_s, uint8_t ret[15][5]);
};

struct gn_sim_message {
    struct gn_ephemeris eph;
    int32_t week; /* GPS week and second that symbol 0 belongs to */
    uint32_t tow_s;
    double klobuchar[8]; /* GPS: sent in page 18 when has_klobuchar, else zeros */
    bool has_klobuchar;
    const struct gn_sim_almanac *almanac; /* borrowed; NULL: dummy pages and spare words */
    struct gn_sim_osnma osnma;
    bool has_forged; /* frames that begin forged_from_s after (week, tow_s) or later say this instead */
    double forged_from_s;
    struct gn_ephemeris forged;
    int64_t i_frame;    /* cached sub-frame (GPS) or page (Galileo) */
    int64_t i_subframe; /* cached OSNMA fields */
    bool has_frame, has_subframe;
    uint8_t fields[15][5];
    int8_t symbols[500]; /* +1 for 0, -1 for 1 */
};

void gn_sim_message_init(
        struct gn_sim_message *m, const struct gn_ephemeris *eph, int32_t week, uint32_t tow_s);

/* Symbol number `index`, counted from (week, tow_s) in the satellite's time, also negative.
 * [stream] */
int8_t gn_sim_message_symbol(struct gn_sim_message *m, int64_t index);

/* The 128-bit word of that type as sent at second tow_s of GST week wn. Type GN_SIM_WORD_SPARE: a
 * spare word. */
#define GN_SIM_WORD_SPARE 255U
void gn_sim_inav_word_of(const struct gn_ephemeris *eph, unsigned type, int32_t wn, uint32_t tow_s,
        uint8_t word[GN_INAV_WORD_BYTES]);

/* The 128-bit word of the E1-B page that starts at second of GST week wn. Source: Galileo OS SIS
 * ICD 2.1, table 36 (sequence of words in a sub-frame of E1-B). Words 7 to 10 tell of three
 * satellites a minute; almanac NULL: spare words in their place. */
void gn_sim_inav_word(const struct gn_ephemeris *eph, const struct gn_sim_almanac *almanac,
        int32_t wn, uint32_t tow_s, uint8_t word[GN_INAV_WORD_BYTES]);

#endif
