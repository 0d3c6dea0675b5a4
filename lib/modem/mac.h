/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* MAC frames of IEEE 802.15.4-2006 (section 7.2): frame control, sequence number, addresses, payload, FCS; and pieces
 * of packets too long for a frame (RFC 4944, section 5.3). */
#ifndef GN_MODEM_MAC_H
#define GN_MODEM_MAC_H

#include "gnomon/status.h"

#include <stdbool.h>

enum gn_mac_type { GN_MAC_BEACON = 0, GN_MAC_DATA, GN_MAC_ACK, GN_MAC_COMMAND };
enum gn_mac_mode { GN_MAC_NONE = 0, GN_MAC_SHORT = 2, GN_MAC_LONG = 3 };

struct gn_mac_frame {
    uint8_t type, seq;           /* enum gn_mac_type */
    uint8_t dst_mode, src_mode;  /* enum gn_mac_mode */
    bool wants_ack, is_secured, has_more, is_one_pan; /* one pan: src_pan is left out and equals dst_pan */
    uint16_t dst_pan, src_pan;
    uint64_t dst, src;
    const uint8_t *payload;      /* into the PSDU; a secured frame's starts with the security header */
    size_t n_payload;
};

/* psdu[n] with its FCS. Errors: GN_E_DATA with words (too short, wrong FCS, reserved type or addressing mode). */
GN_NODISCARD gn_status gn_mac_parse(const uint8_t *psdu, size_t n, struct gn_mac_frame *ret, struct gn_error *err);

/* Bytes written to psdu[127] with FCS; 0: it does not fit or a mode is wrong. */
size_t gn_mac_build(const struct gn_mac_frame *f, uint8_t *psdu);

#define GN_PIECE_HEADER_MAX 5u

/* A piece of a packet: FRAG1 (offset 0) or FRAGN. */
struct gn_mac_piece {
    uint16_t size, tag, offset; /* of the packet, bytes; offset is a multiple of 8 */
    const uint8_t *bytes;
    size_t n;
};

/* False: the payload is no piece, or a broken one (*is_broken). */
bool gn_mac_piece_parse(const uint8_t *payload, size_t n, struct gn_mac_piece *ret, bool *is_broken);
size_t gn_mac_piece_header(const struct gn_mac_piece *p, uint8_t header[GN_PIECE_HEADER_MAX]);

#endif
