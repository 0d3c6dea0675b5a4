/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Septentrio Binary Format. Source: Septentrio SBF Reference Guide, sections "SBF block header" and "GALRawINAV".
 *
 *   0 '$' '@'   2 CRC-16-CCITT of 4..end   4 id (13 bits) and revision   6 length, a multiple of 4
 *   8 TOW ms    12 WNc   14 SVID   15 CRCPassed   16 ViterbiCnt   17 Source   18 FreqNr   19 RxChannel
 *   20 NAVBits: 8 words of 32 bits, most significant first; 114 bits of the even part, 120 of the odd one
 *
 * WNc counts weeks like GPS, never wrapped: GST week + 1024. The time is that of the end of the page. */
#include "lib/bits/bits.h"
#include "lib/pagein/frames.h"

#include <string.h>

#define HEADER_BYTES   8u
#define FRAME_MAX      16384u /* longer is not believed: no block of the guide comes near */
#define BLOCK_GAL_INAV 4023u
#define INAV_BYTES     52u
#define EVEN_BITS      114u /* without its tail */
#define ODD_BITS       120u
#define TAIL_BITS      6u
#define SOURCE_E1B     17u
#define SOURCE_E5B     21u
#define SVID_GALILEO   70u
#define WEEKS_GPS_GST  1024

static uint16_t crc16(const uint8_t *p, size_t n)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < n; i++) {
        crc ^= (uint32_t)p[i] << 8;
        for (unsigned k = 0; k < 8; k++)
            crc = (crc & 0x8000u) != 0 ? (crc << 1 ^ 0x1021u) & 0xffffu : crc << 1 & 0xffffu;
    }
    return (uint16_t)crc;
}

static void take_bits(struct gn_byte_reader *in, uint8_t bits[GN_OSNMA_PAGE_BYTES])
{
    uint8_t raw[32];
    struct gn_bit_writer words = gn_bit_writer_of(raw, 8 * sizeof raw);
    for (unsigned i = 0; i < 8; i++)
        gn_bits_put(&words, gn_bytes_le(in, 4), 32);
    struct gn_bit_reader from = gn_bit_reader_of(raw, 8 * sizeof raw);
    struct gn_bit_writer to = gn_bit_writer_of(bits, 8u * GN_OSNMA_PAGE_BYTES);
    gn_bits_copy(&to, &from, EVEN_BITS);
    gn_bits_put(&to, 0, TAIL_BITS);
    gn_bits_copy(&to, &from, ODD_BITS);
}

static bool take_page(const uint8_t *p, size_t n, struct gn_osnma_page *ret)
{
    struct gn_byte_reader in = gn_byte_reader_of(p + HEADER_BYTES, n - HEADER_BYTES);
    struct gn_osnma_page page = {0};
    uint64_t tow_ms = gn_bytes_le(&in, 4), wnc = gn_bytes_le(&in, 2), svid = gn_bytes_le(&in, 1);
    (void)gn_bytes_take(&in, 2); /* CRCPassed: the page is checked by its own CRC later on; ViterbiCnt */
    uint64_t source = gn_bytes_le(&in, 1) & 0x1f;
    (void)gn_bytes_take(&in, 2);
    take_bits(&in, page.bits);
    if (in.is_past_end || tow_ms >= 604800000u || wnc == 0xffff || wnc < WEEKS_GPS_GST || svid <= SVID_GALILEO ||
            svid > SVID_GALILEO + GN_OSNMA_PRNS || (source != SOURCE_E1B && source != SOURCE_E5B))
        return false;
    page.prn = (uint8_t)(svid - SVID_GALILEO);
    page.is_e5b = source == SOURCE_E5B;
    *ret = page;
    return page_time(ret, ((int64_t)wnc - WEEKS_GPS_GST) * 604800 + (int64_t)(tow_ms + 500) / 1000 - 2);
}

struct frame frame_sbf(const uint8_t *p, size_t n, struct gn_osnma_page *page)
{
    if (p[0] != '$')
        return (struct frame){FRAME_NONE, frame_gap(p, n, '$')};
    if (n >= 2 && p[1] != '@')
        return (struct frame){FRAME_NONE, 1};
    if (n < HEADER_BYTES)
        return (struct frame){FRAME_MORE, 0};
    struct gn_byte_reader in = gn_byte_reader_of(p + 2, HEADER_BYTES - 2);
    uint64_t crc = gn_bytes_le(&in, 2), id = gn_bytes_le(&in, 2), length = gn_bytes_le(&in, 2);
    if (length % 4 != 0 || length < HEADER_BYTES || length > FRAME_MAX)
        return (struct frame){FRAME_DAMAGED, 2};
    if (n < length)
        return (struct frame){FRAME_MORE, 0};
    if (crc16(p + 4, length - 4) != crc)
        return (struct frame){FRAME_DAMAGED, 2};
    if ((id & 0x1fff) != BLOCK_GAL_INAV)
        return (struct frame){FRAME_OTHER, length};
    bool ok = length >= INAV_BYTES && take_page(p, length, page);
    return (struct frame){ok ? FRAME_PAGE : FRAME_BAD_PAGE, length};
}
