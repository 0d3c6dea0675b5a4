/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/nav/inav_words.h"

#include "gnomon/status.h"
#include "lib/bits/bits.h"
#include "lib/gnss/signal.h"
#include "lib/nav/field.h"
#include "lib/nav/rs.h"

#include <math.h>
#include <string.h>

#define WORD_BITS 128u
#define EPH(member_, word_, at_, n_, kind_, step_)                                                 \
    GN_NAV_FIELD(struct gn_ephemeris, member_, word_, at_, n_, kind_, step_)

static const struct gn_nav_field ced_rows[] = {
        EPH(toe_s, 1, 16, 14, UNSIGNED, 60),
        EPH(m0_rad, 1, 30, 32, CIRCLE, 0x1p-31),
        EPH(e, 1, 62, 32, UNSIGNED, 0x1p-33),
        EPH(sqrt_a, 1, 94, 32, UNSIGNED, 0x1p-19),
        EPH(omega0_rad, 2, 16, 32, CIRCLE, 0x1p-31),
        EPH(i0_rad, 2, 48, 32, CIRCLE, 0x1p-31),
        EPH(omega_rad, 2, 80, 32, CIRCLE, 0x1p-31),
        EPH(idot_rps, 2, 112, 14, CIRCLE, 0x1p-43),
        EPH(omegadot_rps, 3, 16, 24, CIRCLE, 0x1p-43),
        EPH(delta_n_rps, 3, 40, 16, CIRCLE, 0x1p-43),
        EPH(cuc_rad, 3, 56, 16, SIGNED, 0x1p-29),
        EPH(cus_rad, 3, 72, 16, SIGNED, 0x1p-29),
        EPH(crc_m, 3, 88, 16, SIGNED, 0x1p-5),
        EPH(crs_m, 3, 104, 16, SIGNED, 0x1p-5),
        EPH(cic_rad, 4, 22, 16, SIGNED, 0x1p-29),
        EPH(cis_rad, 4, 38, 16, SIGNED, 0x1p-29),
        EPH(toc_s, 4, 54, 14, UNSIGNED, 60),
        EPH(af0_s, 4, 68, 31, SIGNED, 0x1p-34),
        EPH(af1, 4, 99, 21, SIGNED, 0x1p-46),
        EPH(af2, 4, 120, 6, SIGNED, 0x1p-59),
        EPH(bgd_e5a_s, 5, 47, 10, SIGNED, 0x1p-32),
        EPH(tgd_s, 5, 57, 10, SIGNED, 0x1p-32),
};

#define V(i_, word_, at_, n_, kind_, step_)                                                        \
    GN_NAV_FIELD(struct gn_nav_values, v[i_], word_, at_, n_, kind_, step_)

static const struct gn_nav_field model_rows[] = {
        V(0, 5, 6, 11, UNSIGNED, 0x1p-2),
        V(1, 5, 17, 11, SIGNED, 0x1p-8),
        V(2, 5, 28, 14, SIGNED, 0x1p-15),
        V(3, 5, 42, 1, UNSIGNED, 1),
        V(4, 5, 43, 1, UNSIGNED, 1),
        V(5, 5, 44, 1, UNSIGNED, 1),
        V(6, 5, 45, 1, UNSIGNED, 1),
        V(7, 5, 46, 1, UNSIGNED, 1),
        V(0, 6, 6, 32, SIGNED, 0x1p-30),
        V(1, 6, 38, 24, SIGNED, 0x1p-50),
        V(2, 6, 62, 8, SIGNED, 1),
        V(3, 6, 70, 8, UNSIGNED, 3600),
        V(4, 6, 78, 8, UNSIGNED, 1),
        V(5, 6, 86, 8, UNSIGNED, 1),
        V(6, 6, 94, 3, UNSIGNED, 1),
        V(7, 6, 97, 8, SIGNED, 1),
        V(0, 10, 86, 16, SIGNED, 0x1p-35),
        V(1, 10, 102, 12, SIGNED, 0x1p-51),
        V(2, 10, 114, 8, UNSIGNED, 3600),
        V(3, 10, 122, 6, UNSIGNED, 1),
};

static uint64_t get(const uint8_t *word, size_t at, unsigned n)
{
    return gn_bits_get(word, WORD_BITS, at, n);
}

static void put(uint8_t *word, size_t at, unsigned n, uint64_t v)
{
    (void)gn_bits_set(word, WORD_BITS, at, n, v);
}

static void begin(unsigned type, uint8_t word[GN_INAV_WORD_BYTES])
{
    memset(word, 0, GN_INAV_WORD_BYTES);
    put(word, 0, 6, type);
}

unsigned gn_inav_iod(const uint8_t word[GN_INAV_WORD_BYTES])
{
    return (unsigned)get(word, 6, 10);
}

unsigned gn_inav_svid(const uint8_t word4[GN_INAV_WORD_BYTES])
{
    return (unsigned)get(word4, 16, 6);
}

/* The 549 bits that OSNMA covers: words 1 to 5, bits 6 to 125, 125, 127, 125, 72. */
static void collect_ced(const uint8_t ced[GN_INAV_CED_WORDS][GN_INAV_WORD_BYTES],
        const uint8_t *word5, struct gn_ephemeris *eph)
{
    static const uint8_t n_bits[5] = {120, 120, 122, 120, 67};
    struct gn_bit_writer w = gn_bit_writer_of(eph->ced, sizeof eph->ced * 8);
    memset(eph->ced, 0, sizeof eph->ced);
    for (size_t i = 0; i < 5; i++) {
        struct gn_bit_reader r = {.p = i < 4 ? ced[i] : word5, .n_bits = WORD_BITS, .at = 6};
        gn_bits_copy(&w, &r, n_bits[i]);
    }
    eph->has_ced = 1;
}

void gn_inav_ced_read(const uint8_t ced[GN_INAV_CED_WORDS][GN_INAV_WORD_BYTES],
        const uint8_t word5[GN_INAV_WORD_BYTES], struct gn_ephemeris *eph)
{
    for (unsigned i = 0; i < GN_INAV_CED_WORDS; i++)
        gn_nav_fields_read(ced_rows, GN_COUNT(ced_rows), i + 1, ced[i], WORD_BITS, eph);
    gn_nav_fields_read(ced_rows, GN_COUNT(ced_rows), 5, word5, WORD_BITS, eph);
    eph->signal = GN_SIG_GAL_E1;
    eph->iode = eph->iodc = (uint16_t)gn_inav_iod(ced[0]);
    eph->ura_sisa = (uint8_t)get(ced[2], 120, 8);
    eph->health = (uint8_t)(get(word5, 69, 2) << 1 | get(word5, 72, 1));
    collect_ced(ced, word5, eph);
}

bool gn_inav_ced_write(
        const struct gn_ephemeris *eph, uint8_t ced[GN_INAV_CED_WORDS][GN_INAV_WORD_BYTES])
{
    bool fits = true;
    for (unsigned i = 0; i < GN_INAV_CED_WORDS; i++) {
        begin(i + 1, ced[i]);
        put(ced[i], 6, 10, eph->iode);
        fits = gn_nav_fields_write(ced_rows, GN_COUNT(ced_rows), i + 1, eph, ced[i], WORD_BITS) &&
               fits;
    }
    put(ced[2], 120, 8, eph->ura_sisa);
    put(ced[3], 16, 6, eph->prn);
    return fits;
}

/* First octet of each word in the code: words 1 to 4 give 16 + 14 + 14 + 14 information octets,
 * words 17 to 20 15 parity octets each. Word 1 starts with its type and the IOD's two last bits,
 * then the IOD's eight first ones; words 2 to 4 leave out type and IOD; a parity word has two IOD
 * bits after its first octet. */
static const uint8_t rs_first[8] = {0, 16, 30, 44, 58, 73, 88, 103};

static void octets_from_word(unsigned i, const uint8_t *word, uint8_t *octets)
{
    if (i == 0) {
        octets[0] = (uint8_t)(1u << 2 | get(word, 14, 2));
        octets[1] = (uint8_t)get(word, 6, 8);
        memcpy(octets + 2, word + 2, 14);
    } else if (i < 4) {
        memcpy(octets, word + 2, 14);
    } else {
        octets[0] = (uint8_t)get(word, 6, 8);
        memcpy(octets + 1, word + 2, 14);
    }
}

static void word_from_octets(unsigned i, const uint8_t code[GN_RS_OCTETS], uint8_t *word)
{
    const uint8_t *octets = code + rs_first[i];
    unsigned iod = (unsigned)code[1] << 2 | (code[0] & 3u);
    begin(i < 4 ? i + 1 : i + 13, word);
    if (i < 4) {
        put(word, 6, 10, iod);
        memcpy(word + 2, i == 0 ? octets + 2 : octets, 14);
    } else {
        put(word, 6, 8, octets[0]);
        put(word, 14, 2, iod & 3u);
        memcpy(word + 2, octets + 1, 14);
    }
}

void gn_inav_rs_write(const uint8_t ced[GN_INAV_CED_WORDS][GN_INAV_WORD_BYTES],
        uint8_t rs[GN_INAV_RS_WORDS][GN_INAV_WORD_BYTES])
{
    uint8_t code[GN_RS_OCTETS];
    for (unsigned i = 0; i < GN_INAV_CED_WORDS; i++)
        octets_from_word(i, ced[i], code + rs_first[i]);
    gn_rs_encode(code);
    for (unsigned i = 0; i < GN_INAV_RS_WORDS; i++)
        word_from_octets(i + 4, code, rs[i]);
}

/* Type and IOD of word 1 are known from any other word 1 to 4, or half of them from a parity word.
 */
static void fill_word1_head(uint8_t words[8][GN_INAV_WORD_BYTES], const bool has[8],
        uint8_t code[GN_RS_OCTETS], uint8_t is_lost[GN_RS_OCTETS])
{
    for (unsigned i = 1; i < 8; i++) {
        if (!has[i])
            continue;
        code[0] = (uint8_t)(1u << 2 | get(words[i], 14, 2));
        is_lost[0] = 0;
        if (i < 4) {
            code[1] = (uint8_t)get(words[i], 6, 8);
            is_lost[1] = 0;
            return;
        }
    }
}

bool gn_inav_rs_fill(uint8_t words[GN_INAV_CED_WORDS + GN_INAV_RS_WORDS][GN_INAV_WORD_BYTES],
        const bool has[GN_INAV_CED_WORDS + GN_INAV_RS_WORDS])
{
    uint8_t code[GN_RS_OCTETS] = {0}, is_lost[GN_RS_OCTETS];
    memset(is_lost, 1, sizeof is_lost);
    for (unsigned i = 0; i < 8; i++) {
        size_t n = i < 7 ? (size_t)(rs_first[i + 1] - rs_first[i]) : 15;
        if (!has[i])
            continue;
        octets_from_word(i, words[i], code + rs_first[i]);
        memset(is_lost + rs_first[i], 0, n);
    }
    if (!has[0])
        fill_word1_head(words, has, code, is_lost);
    if (!gn_rs_fill(code, is_lost) || code[0] >> 2 != 1)
        return false;
    for (unsigned i = 0; i < GN_INAV_CED_WORDS; i++)
        if (!has[i])
            word_from_octets(i, code, words[i]);
    return true;
}

bool gn_inav_time_read(const uint8_t word[GN_INAV_WORD_BYTES], int32_t *wn, uint32_t *tow_s)
{
    unsigned type = word[0] >> 2;
    if (type == 0 && get(word, 6, 2) == 2) {
        *wn = (int32_t)get(word, 96, 12);
        *tow_s = (uint32_t)get(word, 108, 20);
    } else if (type == 5) {
        *wn = (int32_t)get(word, 73, 12);
        *tow_s = (uint32_t)get(word, 85, 20);
    } else if (type == 6) {
        *wn = -1;
        *tow_s = (uint32_t)get(word, 105, 20);
    } else {
        return false;
    }
    return *tow_s < GN_WEEK_S;
}

/* Spare bits alternate, beginning with 1: no long runs of equal symbols. */
static void put_filler(uint8_t *word, size_t at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(word, at + i, 1, i % 2 == 0);
}

void gn_inav_filler_write(unsigned type, uint8_t word[GN_INAV_WORD_BYTES])
{
    begin(type, word);
    if (type == 0)
        put_filler(word, 8, 88);
    else
        put_filler(word, 6, 122);
}

void gn_inav_word0_write(int32_t wn, uint32_t tow_s, uint8_t word[GN_INAV_WORD_BYTES])
{
    gn_inav_filler_write(0, word);
    put(word, 6, 2, 2);
    put(word, 96, 12, (uint64_t)wn);
    put(word, 108, 20, tow_s);
}

static void models_read(unsigned type, const uint8_t *word, double *v, size_t n)
{
    struct gn_nav_values m = {{0}};
    gn_nav_fields_read(model_rows, GN_COUNT(model_rows), type, word, WORD_BITS, &m);
    memcpy(v, m.v, n * sizeof *v);
}

static bool models_write(unsigned type, const double *v, size_t n, uint8_t *word)
{
    struct gn_nav_values m = {{0}};
    memcpy(m.v, v, n * sizeof *v);
    return gn_nav_fields_write(model_rows, GN_COUNT(model_rows), type, &m, word, WORD_BITS);
}

void gn_inav_nequick_read(const uint8_t word5[GN_INAV_WORD_BYTES], double nequick[8])
{
    models_read(5, word5, nequick, 8);
}

bool gn_inav_word5_write(const struct gn_ephemeris *eph, const double nequick[8], int32_t wn,
        uint32_t tow_s, uint8_t word[GN_INAV_WORD_BYTES])
{
    begin(5, word);
    bool fits = models_write(5, nequick, 8, word);
    fits = gn_nav_fields_write(ced_rows, GN_COUNT(ced_rows), 5, eph, word, WORD_BITS) && fits;
    put(word, 67, 2, eph->health >> 1);
    put(word, 69, 2, eph->health >> 1);
    put(word, 71, 1, eph->health);
    put(word, 72, 1, eph->health);
    put(word, 73, 12, (uint64_t)wn);
    put(word, 85, 20, tow_s);
    put_filler(word, 105, 23);
    return fits;
}

void gn_inav_utc_read(const uint8_t word6[GN_INAV_WORD_BYTES], double utc[8])
{
    models_read(6, word6, utc, 8);
}

bool gn_inav_word6_write(const double utc[8], uint32_t tow_s, uint8_t word[GN_INAV_WORD_BYTES])
{
    double low[8];
    memcpy(low, utc, sizeof low);
    low[4] = fmod(low[4], 256);
    low[5] = fmod(low[5], 256);
    begin(6, word);
    put(word, 105, 20, tow_s);
    return models_write(6, low, 8, word);
}

bool gn_inav_ggto_read(const uint8_t word10[GN_INAV_WORD_BYTES], double ggto[4])
{
    models_read(10, word10, ggto, 4);
    return get(word10, 86, 42) != (1ULL << 42) - 1;
}

bool gn_inav_word10_write(const double ggto[4], uint8_t word[GN_INAV_WORD_BYTES])
{
    double low[4] = {ggto[0], ggto[1], ggto[2], fmod(ggto[3], 64)};
    put(word, 0, 6, 10);
    return models_write(10, low, 4, word);
}
