/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/sim/message.h"

#include "lib/gnss/signal.h"
#include "lib/nav/lnav.h"
#include "lib/time/time.h"

#include <string.h>

#define LNAV_BITS 300
#define TRIPLES   (GN_SIM_ALMANAC_SATS / 3)
#define SPARE     GN_SIM_WORD_SPARE

void gn_sim_message_init(
        struct gn_sim_message *m, const struct gn_ephemeris *eph, int32_t week, uint32_t tow_s)
{
    *m = (struct gn_sim_message){.eph = *eph, .week = week, .tow_s = tow_s};
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Leap seconds of the day, and no step announced. */
static void utc_of(const struct gn_ephemeris *eph, double utc[8])
{
    int32_t week = eph->week % 256;
    double leap_s = gn_leap_tai_minus_utc(gn_tai_from_gps(eph->week, (int64_t)eph->toe_s)) -
                    GN_TAI_MINUS_GPS_S;
    const double v[8] = {0, 0, leap_s, 147456, week, week, 7, leap_s};
    memcpy(utc, v, sizeof v);
}

/* What a frame says that begins t_s after the message's (week, tow_s). */
static const struct gn_ephemeris *told(const struct gn_sim_message *m, int64_t t_s)
{
    return m->has_forged && (double)t_s >= m->forged_from_s ? &m->forged : &m->eph;
}

/* sub-frame i counted from week 0 of the message's own week */
static void make_lnav(struct gn_sim_message *m, int64_t i)
{
    uint8_t data[GN_LNAV_DATA_BYTES], sent[GN_LNAV_SENT_BYTES];
    double utc[8];
    utc_of(&m->eph, utc);
    const struct gn_lnav_source source = {.eph = told(m, 6 * i - m->tow_s), .utc = utc, .klobuchar = m->has_klobuchar ? m->klobuchar : NULL};
    int64_t weeks = floor_div(i, GN_LNAV_COUNTS_A_WEEK);
    (void)gn_lnav_build(
            &source, m->week + (int32_t)weeks, (uint32_t)(i - weeks * GN_LNAV_COUNTS_A_WEEK), data);
    unsigned count = (unsigned)(i - weeks * GN_LNAV_COUNTS_A_WEEK);
    if (m->almanac != NULL)
        (void)gn_sim_lnav_almanac(m->almanac, count % 5 + 1, count / 5 % 25 + 1, data);
    gn_lnav_encode(data, sent);
    for (int k = 0; k < LNAV_BITS; k++)
        m->symbols[k] = (sent[k / 8] >> (7 - k % 8) & 1) != 0 ? -1 : 1;
}

static void reduced_word(const struct gn_ephemeris *eph, uint32_t tow_s, uint8_t *word)
{
    struct gn_ephemeris reduced;
    gn_inav_reduce(eph, tow_s, &reduced);
    (void)gn_inav_reduced_write(&reduced, word);
}

static void ced_word(const struct gn_ephemeris *eph, unsigned type, uint8_t *word)
{
    uint8_t all[GN_INAV_CED_WORDS + GN_INAV_RS_WORDS][GN_INAV_WORD_BYTES] = {{0}};
    (void)gn_inav_ced_write(eph, all);
    if (type >= 17)
        gn_inav_rs_write((const uint8_t(*)[GN_INAV_WORD_BYTES])all, all + GN_INAV_CED_WORDS);
    memcpy(word, all[type >= 17 ? type - 17 + GN_INAV_CED_WORDS : type - 1], GN_INAV_WORD_BYTES);
}

void gn_sim_inav_word(const struct gn_ephemeris *eph, const struct gn_sim_almanac *almanac,
        int32_t wn, uint32_t tow_s, uint8_t word[GN_INAV_WORD_BYTES])
{
    /* second of the sub-frame:  1  3  5      7      9  11  13  15 17 19 21 23 25 27  29 */
    static const uint8_t first[15] = {2, 4, 6, 7, 8, 17, 19, 16, 0, 0, 1, 3, 5, 0, 16};
    static const uint8_t second[15] = {2, 4, 6, 9, 10, 18, 20, 16, 0, 0, 1, 3, 5, 0, 16};
    unsigned type = (tow_s / 30 % 2 == 0 ? first : second)[tow_s % 30 / 2];
    if (almanac == NULL && type >= 7 && type <= 9)
        type = SPARE;
    gn_sim_inav_word_of(eph, type, wn, tow_s, word);
    if (almanac != NULL && type >= 7 && type <= 10)
        gn_sim_inav_almanac(almanac, type, tow_s / 60 % TRIPLES, word);
}

void gn_sim_inav_word_of(const struct gn_ephemeris *eph, unsigned type, int32_t wn, uint32_t tow_s,
        uint8_t word[GN_INAV_WORD_BYTES])
{
    const double nequick[8] = {0}, ggto[4] = {0, 0, 0, (double)(eph->week % 64)};
    double utc[8];
    utc_of(eph, utc);
    memset(word, 0, GN_INAV_WORD_BYTES);
    switch (type) {
    case 0:
        gn_inav_word0_write(wn, tow_s, word);
        return;
    case 5:
        (void)gn_inav_word5_write(eph, nequick, wn, tow_s, word);
        return;
    case 6:
        (void)gn_inav_word6_write(utc, tow_s, word);
        return;
    case 10:
        gn_inav_filler_write(0, word);
        (void)gn_inav_word10_write(ggto, word);
        return;
    case 16:
        reduced_word(eph, tow_s, word);
        return;
    case 7: /* the almanac is written over it */
    case 8:
    case 9:
    case SPARE:
        gn_inav_filler_write(0, word);
        return;
    default:
        ced_word(eph, type, word);
        return;
    }
}

/* page i starts at odd second 1 + 2 i of the message's own GST week */
static void make_inav(struct gn_sim_message *m, int64_t i)
{
    uint8_t word[GN_INAV_WORD_BYTES], page[GN_INAV_PAGE_BYTES], symbols[GN_INAV_PAGE_SYMBOLS];
    struct gn_inav_extra extra = {.sar = 0};
    int64_t t_s = 1 + 2 * i, weeks = floor_div(t_s, GN_WEEK_S);
    int32_t wn = m->week - GN_GST_WEEK_0 + (int32_t)weeks;
    uint32_t tow_s = (uint32_t)(t_s - weeks * GN_WEEK_S);
    int64_t i_subframe = floor_div(t_s, 30);
    if (m->osnma.fields != NULL && (!m->has_subframe || i_subframe != m->i_subframe)) {
        m->osnma.fields(m->osnma.arg, m->eph.prn, wn, tow_s - tow_s % 30, m->fields);
        m->has_subframe = true;
        m->i_subframe = i_subframe;
    }
    memcpy(extra.osnma, m->fields[tow_s % 30 / 2], sizeof extra.osnma);
    gn_sim_inav_word(told(m, t_s - m->tow_s), m->almanac, wn, tow_s, word);
    gn_inav_page_build(word, &extra, page);
    gn_inav_page_encode(page, symbols);
    for (unsigned k = 0; k < GN_INAV_PAGE_SYMBOLS; k++)
        m->symbols[k] = symbols[k] != 0 ? -1 : 1;
}

int8_t gn_sim_message_symbol(struct gn_sim_message *m, int64_t index)
{
    bool is_gal = m->eph.signal == GN_SIG_GAL_E1;
    int64_t n = is_gal ? (int64_t)GN_INAV_PAGE_SYMBOLS : LNAV_BITS;
    int64_t at = index + (is_gal ? (int64_t)m->tow_s * 250 - 250 : (int64_t)m->tow_s * 50);
    int64_t i_frame = floor_div(at, n);
    if (!m->has_frame || i_frame != m->i_frame) {
        if (is_gal)
            make_inav(m, i_frame);
        else
            make_lnav(m, i_frame);
        m->has_frame = true;
        m->i_frame = i_frame;
    }
    return m->symbols[at - i_frame * n];
}
