/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/nav/inav.h"

#include "lib/bits/bits.h"
#include "lib/bits/crc24q.h"
#include "lib/nav/viterbi.h"

#include <string.h>

#define PAGE_BITS 240u
#define PART_BITS 120u
#define EVEN_BITS 114u /* without the tail */
#define ODD_BITS  82u  /* up to the CRC */
#define COLUMNS   30u
#define ROWS      8u

const uint8_t gn_inav_sync[GN_INAV_SYNC_SYMBOLS] = {0, 1, 0, 1, 1, 0, 0, 0, 0, 0};

static uint32_t page_crc(const uint8_t page[GN_INAV_PAGE_BYTES])
{
    struct gn_bit_reader r = gn_bit_reader_of(page, PAGE_BITS);
    uint32_t crc = gn_crc24q(0, &r, EVEN_BITS);
    r.at = PART_BITS;
    return gn_crc24q(crc, &r, ODD_BITS);
}

bool gn_inav_page_is_good(const uint8_t page[GN_INAV_PAGE_BYTES])
{
    unsigned even = (unsigned)gn_bits_get(page, PAGE_BITS, 0, 2);
    unsigned odd = (unsigned)gn_bits_get(page, PAGE_BITS, PART_BITS, 2);
    return even < 2 && odd == even + 2 && page_crc(page) == gn_bits_get(page, PAGE_BITS, 202, 24);
}

unsigned gn_inav_word(const uint8_t page[GN_INAV_PAGE_BYTES], uint8_t word[GN_INAV_WORD_BYTES])
{
    struct gn_bit_reader r = {.p = page, .n_bits = PAGE_BITS, .at = 2};
    struct gn_bit_writer w = gn_bit_writer_of(word, 128);
    if (gn_bits_get(page, PAGE_BITS, 1, 1) != 0) {
        memset(word, 0, GN_INAV_WORD_BYTES);
        return GN_INAV_WORD_ALERT;
    }
    gn_bits_copy(&w, &r, 112);
    r.at = PART_BITS + 2;
    gn_bits_copy(&w, &r, 16);
    return word[0] >> 2;
}

void gn_inav_extra(const uint8_t page[GN_INAV_PAGE_BYTES], struct gn_inav_extra *ret)
{
    struct gn_bit_reader r = {.p = page, .n_bits = PAGE_BITS, .at = PART_BITS + 18};
    for (unsigned i = 0; i < 5; i++)
        ret->osnma[i] = (uint8_t)gn_bits_u(&r, 8);
    ret->sar = (uint32_t)gn_bits_u(&r, 22);
    ret->spare = (uint8_t)gn_bits_u(&r, 2);
    gn_bits_skip(&r, 24);
    ret->ssp = (uint8_t)gn_bits_u(&r, 8);
}

void gn_inav_page_build(const uint8_t word[GN_INAV_WORD_BYTES], const struct gn_inav_extra *extra,
        uint8_t page[GN_INAV_PAGE_BYTES])
{
    static const struct gn_inav_extra none;
    struct gn_bit_reader r = gn_bit_reader_of(word, 128);
    struct gn_bit_writer w = gn_bit_writer_of(page, PAGE_BITS);
    if (extra == NULL)
        extra = &none;
    gn_bits_put(&w, 0, 2);
    gn_bits_copy(&w, &r, 112);
    gn_bits_put(&w, 0, 6);
    gn_bits_put(&w, 2, 2);
    gn_bits_copy(&w, &r, 16);
    for (unsigned i = 0; i < 5; i++)
        gn_bits_put(&w, extra->osnma[i], 8);
    gn_bits_put(&w, extra->sar, 22);
    gn_bits_put(&w, extra->spare, 2);
    gn_bits_put(&w, page_crc(page), 24);
    gn_bits_put(&w, extra->ssp, 8);
    gn_bits_put(&w, 0, 6);
}

/* Symbol k is written down column k / 8, row k % 8; rows are sent one after the other. */
static unsigned sent_place(unsigned k)
{
    return k % ROWS * COLUMNS + k / ROWS;
}

void gn_inav_page_encode(
        const uint8_t page[GN_INAV_PAGE_BYTES], uint8_t symbols[GN_INAV_PAGE_SYMBOLS])
{
    for (unsigned part = 0; part < 2; part++) {
        uint8_t coded[2 * PART_BITS];
        uint8_t *out = symbols + part * GN_INAV_PART_SYMBOLS;
        unsigned memory = 0;
        gn_conv_encode(GN_CONV_INVERTED_G2, page + part * 15, PART_BITS, &memory, coded);
        memcpy(out, gn_inav_sync, GN_INAV_SYNC_SYMBOLS);
        for (unsigned k = 0; k < 2 * PART_BITS; k++)
            out[GN_INAV_SYNC_SYMBOLS + sent_place(k)] = coded[k];
    }
}

float gn_inav_part_decode(const float soft[240], uint8_t part[15])
{
    float in_order[2 * PART_BITS];
    for (unsigned k = 0; k < 2 * PART_BITS; k++)
        in_order[k] = soft[sent_place(k)];
    return gn_viterbi_decode(GN_CONV_INVERTED_G2, GN_VITERBI_STARTS_AT_0 | GN_VITERBI_ENDS_AT_0,
            in_order, PART_BITS, part);
}
