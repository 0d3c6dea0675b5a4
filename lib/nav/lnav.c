/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/nav/lnav.h"

#include "gnomon/status.h"
#include "lib/bits/bits.h"
#include "lib/gnss/signal.h"
#include "lib/nav/field.h"

#include <math.h>
#include <string.h>

#define DATA_MASK  0xFFFFFFu
#define TOW_WORD   24u /* start of the HOW */
#define PAGE_18_ID 56u

#define EPH(member_, sf_, at_, n_, kind_, step_)                                                   \
    GN_NAV_FIELD(struct gn_ephemeris, member_, sf_, at_, n_, kind_, step_)

static const struct gn_nav_field eph_rows[] = {
        EPH(tgd_s, 1, 160, 8, SIGNED, 0x1p-31),
        EPH(toc_s, 1, 176, 16, UNSIGNED, 16),
        EPH(af2, 1, 192, 8, SIGNED, 0x1p-55),
        EPH(af1, 1, 200, 16, SIGNED, 0x1p-43),
        EPH(af0_s, 1, 216, 22, SIGNED, 0x1p-31),
        EPH(crs_m, 2, 56, 16, SIGNED, 0x1p-5),
        EPH(delta_n_rps, 2, 72, 16, CIRCLE, 0x1p-43),
        EPH(m0_rad, 2, 88, 32, CIRCLE, 0x1p-31),
        EPH(cuc_rad, 2, 120, 16, SIGNED, 0x1p-29),
        EPH(e, 2, 136, 32, UNSIGNED, 0x1p-33),
        EPH(cus_rad, 2, 168, 16, SIGNED, 0x1p-29),
        EPH(sqrt_a, 2, 184, 32, UNSIGNED, 0x1p-19),
        EPH(toe_s, 2, 216, 16, UNSIGNED, 16),
        EPH(cic_rad, 3, 48, 16, SIGNED, 0x1p-29),
        EPH(omega0_rad, 3, 64, 32, CIRCLE, 0x1p-31),
        EPH(cis_rad, 3, 96, 16, SIGNED, 0x1p-29),
        EPH(i0_rad, 3, 112, 32, CIRCLE, 0x1p-31),
        EPH(crc_m, 3, 144, 16, SIGNED, 0x1p-5),
        EPH(omega_rad, 3, 160, 32, CIRCLE, 0x1p-31),
        EPH(omegadot_rps, 3, 192, 24, CIRCLE, 0x1p-43),
        EPH(idot_rps, 3, 224, 14, CIRCLE, 0x1p-43),
};

enum { MODEL_KLOBUCHAR = 0, MODEL_UTC = 1 };
#define V(i_, model_, at_, n_, kind_, step_)                                                       \
    GN_NAV_FIELD(struct gn_nav_values, v[i_], MODEL_##model_, at_, n_, kind_, step_)

static const struct gn_nav_field page18_rows[] = {
        V(0, KLOBUCHAR, 56, 8, SIGNED, 0x1p-30),
        V(1, KLOBUCHAR, 64, 8, SIGNED, 0x1p-27),
        V(2, KLOBUCHAR, 72, 8, SIGNED, 0x1p-24),
        V(3, KLOBUCHAR, 80, 8, SIGNED, 0x1p-24),
        V(4, KLOBUCHAR, 88, 8, SIGNED, 0x1p11),
        V(5, KLOBUCHAR, 96, 8, SIGNED, 0x1p14),
        V(6, KLOBUCHAR, 104, 8, SIGNED, 0x1p16),
        V(7, KLOBUCHAR, 112, 8, SIGNED, 0x1p16),
        V(1, UTC, 120, 24, SIGNED, 0x1p-50),
        V(0, UTC, 144, 32, SIGNED, 0x1p-30),
        V(3, UTC, 176, 8, UNSIGNED, 0x1p12),
        V(4, UTC, 184, 8, UNSIGNED, 1),
        V(2, UTC, 192, 8, SIGNED, 1),
        V(5, UTC, 200, 8, UNSIGNED, 1),
        V(6, UTC, 208, 8, UNSIGNED, 1),
        V(7, UTC, 216, 8, SIGNED, 1),
};

static uint64_t get(const uint8_t *data, size_t at, unsigned n)
{
    return gn_bits_get(data, GN_LNAV_DATA_BITS, at, n);
}

static void put(uint8_t *data, size_t at, unsigned n, uint64_t v)
{
    (void)gn_bits_set(data, GN_LNAV_DATA_BITS, at, n, v);
}

/* IS-GPS-200N table 20-XIV: d1 is the highest of 24 bits; D25, D27 and D30 start from D29*, the
 * others from D30* */
static uint32_t parity_of(uint32_t data, unsigned last_two)
{
    static const uint32_t taps[6] = {0xEC7CD2, 0x763E69, 0xBB1F34, 0x5D8F9A, 0xAEC7CD, 0x2DEA27};
    static const uint8_t from_d29[6] = {1, 0, 1, 0, 0, 1};
    uint32_t parity = 0;
    for (unsigned i = 0; i < 6; i++) {
        unsigned star = from_d29[i] != 0 ? last_two >> 1 : last_two;
        unsigned bit = (unsigned)__builtin_parity(data & taps[i]) ^ (star & 1u);
        parity = parity << 1 | bit;
    }
    return parity;
}

bool gn_lnav_word_check(uint32_t raw, uint32_t *data)
{
    unsigned last_two = raw >> 30;
    *data = (raw >> 6 & DATA_MASK) ^ ((last_two & 1u) != 0 ? DATA_MASK : 0);
    return parity_of(*data, last_two) == (raw & 0x3Fu);
}

uint32_t gn_lnav_word_encode(uint32_t data, unsigned last_two)
{
    uint32_t sent = data ^ ((last_two & 1u) != 0 ? DATA_MASK : 0);
    return (sent & DATA_MASK) << 6 | parity_of(data & DATA_MASK, last_two);
}

/* The word with its last two data bits such that it ends in 00. */
static uint32_t encode_ending_in_00(uint32_t data, unsigned last_two)
{
    uint32_t word = 0;
    for (uint32_t t = 0; t < 4; t++) {
        word = gn_lnav_word_encode((data & ~3u) | t, last_two);
        if ((word & 3u) == 0)
            break;
    }
    return word;
}

void gn_lnav_encode(const uint8_t data[GN_LNAV_DATA_BYTES], uint8_t sent[GN_LNAV_SENT_BYTES])
{
    struct gn_bit_writer w = gn_bit_writer_of(sent, GN_LNAV_SUBFRAME_BITS);
    uint32_t word = 0;
    memset(sent, 0, GN_LNAV_SENT_BYTES);
    for (unsigned i = 0; i < GN_LNAV_WORDS; i++) {
        uint32_t d = (uint32_t)get(data, (size_t)24 * i, 24);
        word = i == 1 || i == 9 ? encode_ending_in_00(d, word & 3u)
                                : gn_lnav_word_encode(d, word & 3u);
        gn_bits_put(&w, word, 30);
    }
}

bool gn_lnav_how_read(const uint8_t data[GN_LNAV_DATA_BYTES], struct gn_lnav_how *ret)
{
    ret->next_count = (uint32_t)get(data, TOW_WORD, 17);
    ret->alert = (uint8_t)get(data, TOW_WORD + 17, 1);
    ret->antispoof = (uint8_t)get(data, TOW_WORD + 18, 1);
    ret->id = (uint8_t)get(data, TOW_WORD + 19, 3);
    return ret->id >= 1 && ret->id <= 5 && ret->next_count < GN_LNAV_COUNTS_A_WEEK &&
           ret->next_count % 5 == ret->id % 5u;
}

unsigned gn_lnav_week10(const uint8_t sf1[GN_LNAV_DATA_BYTES])
{
    return (unsigned)get(sf1, 48, 10);
}

bool gn_lnav_ephemeris_read(const uint8_t sf[3][GN_LNAV_DATA_BYTES], struct gn_ephemeris *ret)
{
    for (unsigned i = 0; i < 3; i++)
        gn_nav_fields_read(eph_rows, GN_COUNT(eph_rows), i + 1, sf[i], GN_LNAV_DATA_BITS, ret);
    if (get(sf[0], 160, 8) == 0x80) /* "not available": 20.3.3.3.3.2 */
        ret->tgd_s = 0;
    ret->signal = GN_SIG_GPS_L1CA;
    ret->source = GN_EPH_SRC_LNAV;
    ret->ura_sisa = (uint8_t)get(sf[0], 60, 4);
    ret->health = (uint8_t)get(sf[0], 64, 6);
    ret->iodc = (uint16_t)(get(sf[0], 70, 2) << 8 | get(sf[0], 168, 8));
    ret->iode = (uint16_t)get(sf[1], 48, 8);
    ret->fit_interval_flag = (uint8_t)get(sf[1], 232, 1);
    return ret->iode == get(sf[2], 216, 8) && ret->iode == (ret->iodc & 0xFF);
}

bool gn_lnav_page18_read(const uint8_t sf4[GN_LNAV_DATA_BYTES], double klobuchar[8], double utc[8])
{
    struct gn_nav_values k = {{0}}, u = {{0}};
    gn_nav_fields_read(
            page18_rows, GN_COUNT(page18_rows), MODEL_KLOBUCHAR, sf4, GN_LNAV_DATA_BITS, &k);
    gn_nav_fields_read(page18_rows, GN_COUNT(page18_rows), MODEL_UTC, sf4, GN_LNAV_DATA_BITS, &u);
    memcpy(klobuchar, k.v, sizeof k.v);
    memcpy(utc, u.v, sizeof u.v);
    return get(sf4, 48, 2) == 1 && get(sf4, 50, 6) == PAGE_18_ID;
}

static void put_head(const struct gn_lnav_source *src, uint32_t count, uint8_t *data)
{
    put(data, 0, 8, GN_LNAV_PREAMBLE);
    put(data, TOW_WORD, 17, (count + 1) % GN_LNAV_COUNTS_A_WEEK);
    put(data, TOW_WORD + 17, 1, src->alert);
    put(data, TOW_WORD + 19, 3, count % 5 + 1);
}

static void put_integers(const struct gn_ephemeris *eph, int32_t week, unsigned id, uint8_t *data)
{
    if (id == 1) {
        put(data, 48, 10, (uint64_t)week);
        put(data, 58, 2, 1); /* P code on L2 */
        put(data, 60, 4, eph->ura_sisa);
        put(data, 64, 6, eph->health);
        put(data, 70, 2, eph->iodc >> 8);
        put(data, 168, 8, eph->iodc);
    } else if (id == 2) {
        put(data, 48, 8, eph->iode);
        put(data, 232, 1, eph->fit_interval_flag);
    } else {
        put(data, 216, 8, eph->iode);
    }
}

/* Data ID 1, SV ID 0: a dummy satellite; the rest alternates. */
static void put_dummy_page(uint8_t *data)
{
    put(data, 48, 8, 0x40);
    for (unsigned i = 56; i < GN_LNAV_DATA_BITS; i += 8)
        put(data, i, 8, 0xAA);
}

static bool put_page18(const struct gn_lnav_source *src, uint8_t *data)
{
    struct gn_nav_values k = {{0}}, u = {{0}};
    put(data, 48, 8, 0x40 | PAGE_18_ID);
    if (src->klobuchar != NULL)
        memcpy(k.v, src->klobuchar, sizeof k.v);
    if (src->utc != NULL)
        memcpy(u.v, src->utc, sizeof u.v);
    u.v[4] = fmod(u.v[4], 256);
    u.v[5] = fmod(u.v[5], 256);
    bool fits = gn_nav_fields_write(
            page18_rows, GN_COUNT(page18_rows), MODEL_KLOBUCHAR, &k, data, GN_LNAV_DATA_BITS);
    return gn_nav_fields_write(
                   page18_rows, GN_COUNT(page18_rows), MODEL_UTC, &u, data, GN_LNAV_DATA_BITS) &&
           fits;
}

bool gn_lnav_build(const struct gn_lnav_source *src, int32_t week, uint32_t count,
        uint8_t data[GN_LNAV_DATA_BYTES])
{
    unsigned id = count % 5 + 1, page = count / 5 % 25 + 1;
    memset(data, 0, GN_LNAV_DATA_BYTES);
    put_head(src, count, data);
    if (id <= 3) {
        put_integers(src->eph, week, id, data);
        return gn_nav_fields_write(
                eph_rows, GN_COUNT(eph_rows), id, src->eph, data, GN_LNAV_DATA_BITS);
    }
    if (id == 4 && page == 18 && (src->klobuchar != NULL || src->utc != NULL))
        return put_page18(src, data);
    put_dummy_page(data);
    return true;
}
