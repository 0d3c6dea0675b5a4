/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The writing side of lib/pagein, for tests: one page as SBF, UBX or navmon bytes. RTKLIB reads what the first two
 * write (tests/cli/peer_pages.py). Each returns the bytes written; out needs 128. */
#ifndef GN_TEST_PAGE_FRAMES_H
#define GN_TEST_PAGE_FRAMES_H

#include "lib/osnma/engine.h"

#include <string.h>

#define GN_FRAME_MAX 128u

static inline size_t gn_put_le(uint8_t *p, uint64_t v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (uint8_t)(v >> (8 * i));
    return n;
}

static inline int gn_page_bit(const struct gn_osnma_page *page, size_t i)
{
    return page->bits[i / 8] >> (7 - i % 8) & 1;
}

/* bits from..from+n-1 of the page to bit `at` of out (zeroed before) */
static inline void gn_put_bits(uint8_t *out, size_t at, const struct gn_osnma_page *page, size_t from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (gn_page_bit(page, from + i))
            out[(at + i) / 8] = (uint8_t)(out[(at + i) / 8] | 0x80u >> (at + i) % 8);
}

/* eight big-endian words stored little-endian */
static inline void gn_put_words(uint8_t *out, const uint8_t raw[32])
{
    for (size_t i = 0; i < 32; i++)
        out[i] = raw[i / 4 * 4 + 3 - i % 4];
}

static inline size_t gn_frame_sbf(const struct gn_osnma_page *page, uint8_t *out)
{
    uint8_t raw[32] = {0};
    uint64_t end_s = (uint64_t)page->wn * 604800u + page->tow_s + 2u;
    unsigned crc = 0;
    memset(out, 0, 52);
    memcpy(out, "$@", 2);
    (void)gn_put_le(out + 4, 4023, 2);
    (void)gn_put_le(out + 6, 52, 2);
    (void)gn_put_le(out + 8, end_s % 604800u * 1000u, 4);
    (void)gn_put_le(out + 12, end_s / 604800u + 1024u, 2);
    out[14] = (uint8_t)(page->prn + 70);
    out[15] = 1;
    out[17] = page->is_e5b ? 21 : 17;
    gn_put_bits(raw, 0, page, 0, 114);
    gn_put_bits(raw, 114, page, 120, 120);
    gn_put_words(out + 20, raw);
    for (size_t i = 4; i < 52; i++)
        for (unsigned k = 0; k < 8; k++) {
            unsigned top = (crc >> 15 ^ (unsigned)(out[i] >> (7 - k))) & 1u;
            crc = (crc << 1 ^ (top ? 0x1021u : 0)) & 0xffffu;
        }
    (void)gn_put_le(out + 2, crc, 2);
    return 52;
}

static inline size_t gn_frame_ubx_of(unsigned class_id, const uint8_t *payload, size_t n, uint8_t *out)
{
    uint8_t a = 0, b = 0;
    out[0] = 0xb5;
    out[1] = 0x62;
    out[2] = (uint8_t)(class_id >> 8);
    out[3] = (uint8_t)class_id;
    (void)gn_put_le(out + 4, n, 2);
    memcpy(out + 6, payload, n);
    for (size_t i = 2; i < n + 6; i++) {
        a = (uint8_t)(a + out[i]);
        b = (uint8_t)(b + a);
    }
    out[n + 6] = a;
    out[n + 7] = b;
    return n + 8;
}

/* n_words: 8, or 9 with one more of no meaning: receivers send both, RTKLIB takes 9 only */
static inline size_t gn_frame_ubx_words(const struct gn_osnma_page *page, uint8_t n_words, uint8_t *out)
{
    uint8_t raw[32] = {0}, payload[44] = {2, page->prn, page->is_e5b ? 5 : 1, 0, n_words, 1, 2, 0};
    gn_put_bits(raw, 0, page, 0, 120);
    gn_put_bits(raw, 128, page, 120, 120);
    gn_put_words(payload + 8, raw);
    return gn_frame_ubx_of(0x0213, payload, 8u + 4u * n_words, out);
}

static inline size_t gn_frame_ubx(const struct gn_osnma_page *page, uint8_t *out)
{
    return gn_frame_ubx_words(page, 8, out);
}

/* NAV-TIMEGPS of a GST second */
static inline size_t gn_frame_ubx_time(int32_t wn, uint32_t tow_s, uint8_t *out)
{
    uint8_t payload[16] = {0};
    (void)gn_put_le(payload, (uint64_t)tow_s * 1000u, 4);
    (void)gn_put_le(payload + 8, (uint64_t)(wn + 1024), 2);
    payload[10] = 18;
    payload[11] = 7;
    return gn_frame_ubx_of(0x0120, payload, sizeof payload, out);
}

/* RXM-RAWX of a GST second with one measurement of a satellite, made up but plausible */
static inline size_t gn_frame_ubx_rawx(int32_t wn, double tow_s, uint8_t prn, uint8_t *out)
{
    uint8_t p[48] = {0};
    const double range_m = 25e6, phase_cycles = 1e8;
    uint64_t raw;
    memcpy(&raw, &tow_s, sizeof raw);
    (void)gn_put_le(p, raw, 8);
    (void)gn_put_le(p + 8, (uint64_t)(wn + 1024), 2);
    p[10] = 18;
    p[11] = 1;
    p[12] = 1;
    memcpy(&raw, &range_m, sizeof raw);
    (void)gn_put_le(p + 16, raw, 8);
    memcpy(&raw, &phase_cycles, sizeof raw);
    (void)gn_put_le(p + 24, raw, 8);
    p[36] = 2;
    p[37] = prn;
    p[38] = 0;
    p[40] = 255;
    p[42] = 45;
    p[46] = 7;
    return gn_frame_ubx_of(0x0215, p, sizeof p, out);
}

static inline size_t gn_put_varint(uint8_t *p, uint64_t v)
{
    size_t n = 0;
    for (; v > 127; v >>= 7)
        p[n++] = (uint8_t)(v | 0x80u);
    p[n++] = (uint8_t)v;
    return n;
}

static inline size_t gn_put_field(uint8_t *p, unsigned number, uint64_t v)
{
    size_t n = gn_put_varint(p, number << 3);
    return n + gn_put_varint(p + n, v);
}

static inline size_t gn_put_bytes(uint8_t *p, unsigned number, const uint8_t *bytes, size_t n_bytes)
{
    size_t n = gn_put_varint(p, number << 3 | 2u);
    n += gn_put_varint(p + n, n_bytes);
    memcpy(p + n, bytes, n_bytes);
    return n + n_bytes;
}

/* with_all: sar, spare, crc and ssp too, as newer streams have them */
static inline size_t gn_frame_navmon(const struct gn_osnma_page *page, bool with_all, uint8_t *out)
{
    uint8_t gi[80], word[16] = {0}, osnma[5] = {0}, sar[3] = {0}, crc[3] = {0}, ssp[1] = {0}, spare[1];
    spare[0] = (uint8_t)(gn_page_bit(page, 200) << 1 | gn_page_bit(page, 201));
    gn_put_bits(word, 0, page, 2, 112);
    gn_put_bits(word, 112, page, 122, 16);
    gn_put_bits(osnma, 0, page, 138, 40);
    gn_put_bits(sar, 0, page, 178, 24);
    gn_put_bits(crc, 0, page, 202, 24);
    gn_put_bits(ssp, 0, page, 226, 8);
    size_t n = gn_put_field(gi, 1, (uint64_t)page->wn);
    n += gn_put_field(gi + n, 2, page->tow_s);
    n += gn_put_field(gi + n, 3, 2);
    n += gn_put_field(gi + n, 4, page->prn);
    n += gn_put_bytes(gi + n, 5, word, sizeof word);
    n += gn_put_field(gi + n, 6, page->is_e5b ? 5 : 1);
    n += gn_put_bytes(gi + n, 7, osnma, sizeof osnma);
    if (with_all) {
        n += gn_put_bytes(gi + n, 9, sar, sizeof sar);
        n += gn_put_bytes(gi + n, 10, spare, sizeof spare);
        n += gn_put_bytes(gi + n, 11, crc, sizeof crc);
        n += gn_put_field(gi + n, 12, ssp[0]);
    }
    memcpy(out, "bert", 4);
    size_t k = 6;
    k += gn_put_field(out + k, 1, 200);
    k += gn_put_field(out + k, 2, 3);
    k += gn_put_field(out + k, 3, 1666666666u);
    k += gn_put_field(out + k, 4, 0);
    k += gn_put_bytes(out + k, 5, gi, n);
    out[4] = (uint8_t)((k - 6) >> 8);
    out[5] = (uint8_t)(k - 6);
    return k;
}

#endif
