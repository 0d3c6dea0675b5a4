/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* galmon's stream: "bert", length (16 bits, big-endian), a protobuf NavMonMessage. Source: the galmon project's
 * message definition and architecture notes; Protocol Buffers, "Encoding".
 *
 *   NavMonMessage: 2 type (3 = GalileoInav)   5 gi
 *   gi: 1 gnssWN (GST)   2 gnssTOW (start of the page)   3 gnssID (2)   4 gnssSV   5 contents (16 bytes: the word)
 *       6 sigid (1 E1-B, 5 E5b-I; absent: E1-B)   7 reserved1 (5 bytes: OSNMA)   9 sar (22 bits and 2 of filler)
 *       10 spare (2 low bits)   11 crc (3 bytes)   12 ssp
 *
 * The page is put together again from these. Its CRC holds only where the stream has all of them; the senders hand on
 * checked pages alone, so where fields are missing the CRC is made anew, and counted. */
#include "lib/bits/bits.h"
#include "lib/pagein/frames.h"

#include <string.h>

#define HEADER_BYTES 6u
#define MESSAGE_MAX  8192u
#define TYPE_GALILEO_INAV 3u

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

struct field {
    uint32_t number, wire;
    uint64_t value;        /* WIRE_VARINT */
    const uint8_t *bytes;  /* WIRE_BYTES */
    size_t n_bytes;
};

/* seven bits a byte, the lowest first; ten bytes at most */
static bool take_varint(struct gn_byte_reader *in, uint64_t *ret)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < 10; i++) {
        uint64_t b = gn_bytes_le(in, 1);
        if (in->is_past_end)
            return false;
        v |= (b & 0x7f) << (7 * i);
        if ((b & 0x80) == 0) {
            *ret = v;
            return true;
        }
    }
    return false;
}

/* The next field. False: the end when in->at == in->n_bytes and nothing is past the end, else damaged. */
static bool take_field(struct gn_byte_reader *in, struct field *ret)
{
    uint64_t key = 0;
    *ret = (struct field){0};
    if (in->at >= in->n_bytes || !take_varint(in, &key) || key > UINT32_MAX || key >> 3 == 0)
        return false;
    ret->number = (uint32_t)key >> 3;
    ret->wire = (uint32_t)key & 7;
    if (ret->wire == WIRE_VARINT)
        return take_varint(in, &ret->value);
    uint64_t n = ret->wire == WIRE_64 ? 8 : 4;
    if (ret->wire == WIRE_BYTES && !take_varint(in, &n))
        return false;
    if ((ret->wire != WIRE_64 && ret->wire != WIRE_32 && ret->wire != WIRE_BYTES) || n > in->n_bytes - in->at)
        return false;
    ret->bytes = gn_bytes_take(in, (size_t)n);
    ret->n_bytes = (size_t)n;
    return ret->bytes != NULL;
}

struct inav { /* fields of gi by number */
    uint64_t v[13];
    const uint8_t *bytes[13];
    size_t n[13];
    bool has[13];
};

static bool take_inav(const struct field *gi, struct inav *ret)
{
    struct gn_byte_reader in = gn_byte_reader_of(gi->bytes, gi->n_bytes);
    struct field f;
    *ret = (struct inav){0};
    while (take_field(&in, &f)) {
        if (f.number > 12)
            continue;
        ret->has[f.number] = true;
        ret->v[f.number] = f.value;
        ret->bytes[f.number] = f.wire == WIRE_BYTES ? f.bytes : NULL;
        ret->n[f.number] = f.wire == WIRE_BYTES ? f.n_bytes : 0;
    }
    return in.at == in.n_bytes && !in.is_past_end;
}

static uint64_t first_bits(const struct inav *g, unsigned i, unsigned n)
{
    return gn_bits_get(g->bytes[i], 8 * g->n[i], 0, n);
}

/* true: the stream carries all the CRC covers, and the CRC */
static bool build_page(const struct inav *g, uint8_t bits[GN_OSNMA_PAGE_BYTES])
{
    struct gn_bit_writer w = gn_bit_writer_of(bits, 8u * GN_OSNMA_PAGE_BYTES);
    struct gn_bit_reader word = gn_bit_reader_of(g->bytes[5], 128);
    bool has_all = g->n[9] == 3 && g->n[11] == 3;
    gn_bits_put(&w, 0, 2);
    gn_bits_copy(&w, &word, 112);
    gn_bits_put(&w, 0, 6);
    gn_bits_put(&w, 2, 2); /* odd, nominal */
    gn_bits_copy(&w, &word, 16);
    gn_bits_put(&w, first_bits(g, 7, 40), 40);
    gn_bits_put(&w, first_bits(g, 9, 22), 22);
    gn_bits_put(&w, g->n[10] == 1 ? g->bytes[10][0] & 3u : gn_bits_get(g->bytes[9], 8 * g->n[9], 22, 2), 2);
    gn_bits_put(&w, has_all ? first_bits(g, 11, 24) : page_crc(bits), 24);
    gn_bits_put(&w, g->v[12] & 0xff, 8);
    gn_bits_put(&w, 0, 6);
    return has_all;
}

static enum frame_kind take_page(const struct field *gi, struct gn_osnma_page *ret, bool *is_checked)
{
    struct inav g;
    struct gn_osnma_page page = {0};
    if (!take_inav(gi, &g))
        return FRAME_BAD_PAGE;
    uint64_t sig = g.has[6] ? g.v[6] : 1;
    if (g.v[3] != 2 || (sig != 1 && sig != 5))
        return FRAME_OTHER;
    bool has_osnma = g.n[7] == 5;
    if (!g.has[1] || !g.has[2] || g.v[1] > INT16_MAX || g.v[2] >= 604800 || g.v[4] < 1 || g.v[4] > GN_OSNMA_PRNS ||
            g.n[5] != 16 || (g.has[7] && !has_osnma && g.n[7] != 0))
        return FRAME_BAD_PAGE;
    page.prn = (uint8_t)g.v[4];
    page.is_e5b = sig == 5;
    page.wn = (int32_t)g.v[1];
    page.tow_s = (uint32_t)g.v[2];
    *is_checked = build_page(&g, page.bits);
    *ret = page;
    return FRAME_PAGE;
}

/* Does it read as a NavMonMessage? Then gi holds its page, if there is one. */
static bool take_message(const uint8_t *p, size_t n, uint64_t *type, struct field *gi)
{
    struct gn_byte_reader in = gn_byte_reader_of(p, n);
    struct field f;
    *type = 0;
    *gi = (struct field){0};
    while (take_field(&in, &f)) {
        if (f.number == 2 && f.wire == WIRE_VARINT)
            *type = f.value;
        if (f.number == 5 && f.wire == WIRE_BYTES)
            *gi = f;
    }
    return in.at == in.n_bytes && !in.is_past_end && *type != 0;
}

struct frame frame_navmon(const uint8_t *p, size_t n, struct gn_osnma_page *page, bool *is_checked)
{
    if (p[0] != 'b')
        return (struct frame){FRAME_NONE, frame_gap(p, n, 'b')};
    if (memcmp(p, "bert", n < 4 ? n : 4) != 0)
        return (struct frame){FRAME_NONE, 1};
    if (n < HEADER_BYTES)
        return (struct frame){FRAME_MORE, 0};
    size_t n_message = (size_t)p[4] << 8 | p[5];
    if (n_message > MESSAGE_MAX)
        return (struct frame){FRAME_DAMAGED, 4};
    if (n < HEADER_BYTES + n_message)
        return (struct frame){FRAME_MORE, 0};
    uint64_t type = 0;
    struct field gi;
    if (!take_message(p + HEADER_BYTES, n_message, &type, &gi))
        return (struct frame){FRAME_DAMAGED, 4}; /* no checksum: the message must read to its end */
    struct frame f = {FRAME_OTHER, HEADER_BYTES + n_message};
    if (type == TYPE_GALILEO_INAV)
        f.kind = gi.bytes != NULL ? take_page(&gi, page, is_checked) : FRAME_BAD_PAGE;
    return f;
}
