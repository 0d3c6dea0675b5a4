/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/modem/mac.h"

#include "lib/base/error.h"
#include "lib/modem/oqpsk.h"

#include <string.h>

static uint64_t little(const uint8_t *b, size_t n)
{
    uint64_t x = 0;
    while (n-- > 0)
        x = x << 8 | b[n];
    return x;
}

static size_t put(uint8_t *to, uint64_t x, size_t n)
{
    for (size_t i = 0; i < n; i++, x >>= 8)
        to[i] = (uint8_t)x;
    return n;
}

static size_t address_bytes(unsigned mode)
{
    return mode == GN_MAC_SHORT ? 2 : mode == GN_MAC_LONG ? 8 : 0;
}

static size_t header_bytes(const struct gn_mac_frame *f)
{
    size_t n = 3 + address_bytes(f->dst_mode) + address_bytes(f->src_mode);
    n += f->dst_mode != GN_MAC_NONE ? 2 : 0;
    return n + (f->src_mode != GN_MAC_NONE && !f->is_one_pan ? 2 : 0);
}

gn_status gn_mac_parse(const uint8_t *psdu, size_t n, struct gn_mac_frame *ret, struct gn_error *err)
{
    if (n < 5 || n > GN_OQPSK_BYTES_MAX)
        return gn_fail(err, GN_E_DATA, "a frame has 5 to 127 bytes, not %zu", n);
    if (gn_fcs(psdu, n) != 0)
        return gn_fail(err, GN_E_DATA, "wrong frame check sequence");
    unsigned fcf = (unsigned)little(psdu, 2);
    struct gn_mac_frame f = {.type = fcf & 7U, .seq = psdu[2], .is_secured = (fcf & 8U) != 0,
            .has_more = (fcf & 16U) != 0, .wants_ack = (fcf & 32U) != 0, .is_one_pan = (fcf & 64U) != 0,
            .dst_mode = fcf >> 10 & 3U, .src_mode = fcf >> 14 & 3U};
    if (f.type > GN_MAC_COMMAND || f.dst_mode == 1 || f.src_mode == 1)
        return gn_fail(err, GN_E_DATA, "reserved frame type or addressing mode in 0x%04x", fcf);
    if (f.is_one_pan && (f.dst_mode == GN_MAC_NONE || f.src_mode == GN_MAC_NONE))
        return gn_fail(err, GN_E_DATA, "one PAN is said for fewer than two addresses");
    size_t n_header = header_bytes(&f);
    if (n_header + 2 > n)
        return gn_fail(err, GN_E_DATA, "the addresses need %zu bytes, the frame has %zu", n_header, n - 2);
    const uint8_t *at = psdu + 3;
    if (f.dst_mode != GN_MAC_NONE) {
        f.dst_pan = (uint16_t)little(at, 2);
        f.dst = little(at + 2, address_bytes(f.dst_mode));
        at += 2 + address_bytes(f.dst_mode);
    }
    f.src_pan = f.dst_pan;
    if (f.src_mode != GN_MAC_NONE && !f.is_one_pan) {
        f.src_pan = (uint16_t)little(at, 2);
        at += 2;
    }
    f.src = little(at, address_bytes(f.src_mode));
    f.payload = psdu + n_header;
    f.n_payload = n - n_header - 2;
    *ret = f;
    return GN_OK;
}

size_t gn_mac_build(const struct gn_mac_frame *f, uint8_t *psdu)
{
    size_t n_header = header_bytes(f), at = 3;
    if (f->dst_mode == 1 || f->dst_mode > 3 || f->src_mode == 1 || f->src_mode > 3 ||
            n_header + f->n_payload + 2 > GN_OQPSK_BYTES_MAX)
        return 0;
    unsigned version = f->is_secured ? 1 : 0;
    unsigned fcf = (f->type & 7U) | (f->is_secured ? 8U : 0) | (f->has_more ? 16U : 0) | (f->wants_ack ? 32U : 0) |
                   (f->is_one_pan ? 64U : 0) | (unsigned)f->dst_mode << 10 | version << 12 |
                   (unsigned)f->src_mode << 14;
    (void)put(psdu, fcf, 2);
    psdu[2] = f->seq;
    if (f->dst_mode != GN_MAC_NONE) {
        at += put(psdu + at, f->dst_pan, 2);
        at += put(psdu + at, f->dst, address_bytes(f->dst_mode));
    }
    if (f->src_mode != GN_MAC_NONE && !f->is_one_pan)
        at += put(psdu + at, f->src_pan, 2);
    at += put(psdu + at, f->src, address_bytes(f->src_mode));
    if (f->n_payload > 0)
        memcpy(psdu + at, f->payload, f->n_payload);
    at += f->n_payload;
    return at + put(psdu + at, gn_fcs(psdu, at), 2);
}

bool gn_mac_piece_parse(const uint8_t *payload, size_t n, struct gn_mac_piece *ret, bool *is_broken)
{
    *is_broken = false;
    unsigned kind = n > 0 ? payload[0] >> 3 : 0;
    if (kind != 0x18 && kind != 0x1c)
        return false;
    size_t n_header = kind == 0x18 ? 4 : 5;
    *is_broken = true;
    if (n <= n_header)
        return false;
    struct gn_mac_piece p = {.size = (uint16_t)((payload[0] & 7U) << 8 | payload[1]),
            .tag = (uint16_t)(payload[2] << 8 | payload[3]), .bytes = payload + n_header, .n = n - n_header};
    p.offset = n_header == 5 ? (uint16_t)(payload[4] * 8U) : 0;
    if ((n_header == 5 && p.offset == 0) || p.offset + p.n > p.size)
        return false;
    *is_broken = false;
    *ret = p;
    return true;
}

size_t gn_mac_piece_header(const struct gn_mac_piece *p, uint8_t header[GN_PIECE_HEADER_MAX])
{
    header[0] = (uint8_t)((p->offset == 0 ? 0xc0U : 0xe0U) | (unsigned)p->size >> 8);
    header[1] = (uint8_t)p->size;
    header[2] = (uint8_t)(p->tag >> 8);
    header[3] = (uint8_t)p->tag;
    header[4] = (uint8_t)(p->offset / 8);
    return p->offset == 0 ? 4 : 5;
}
