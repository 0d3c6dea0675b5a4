/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Captures of IEEE 802.15.4 frames in the classic pcap format, link type 195 (with FCS), 230 (without) read too.
 * Source: draft-ietf-opsawg-pcap; tcpdump.org/linktypes.html. */
#ifndef GN_MODEM_PCAP_H
#define GN_MODEM_PCAP_H

#include "gnomon/status.h"

#include <stdbool.h>

#define GN_PCAP_HEAD   24u
#define GN_PCAP_RECORD 16u

/* Reader over memory; all lengths are checked. */
struct gn_pcap {
    const uint8_t *bytes;
    size_t n, at;
    bool is_swapped, is_nano, has_fcs;
};

struct gn_pcap_frame {
    int64_t t_unix_s;
    uint32_t t_ns;
    const uint8_t *psdu;
    size_t n;          /* at most 127 */
    bool is_cut;       /* the capture kept a part only */
};

/* Errors: GN_E_DATA with words and offset: no pcap file, another link type. */
GN_NODISCARD gn_status gn_pcap_open(const uint8_t *bytes, size_t n, struct gn_pcap *ret, struct gn_error *err);

/* *is_end at the end of the file. Errors: GN_E_DATA, a record that cannot be; reading ends there. */
GN_NODISCARD gn_status gn_pcap_next(struct gn_pcap *p, struct gn_pcap_frame *ret, bool *is_end, struct gn_error *err);

/* For writing: little-endian, microseconds, link type 195. */
void gn_pcap_head(uint8_t head[GN_PCAP_HEAD]);
void gn_pcap_record(int64_t t_unix_s, uint32_t t_us, size_t n, uint8_t record[GN_PCAP_RECORD]);

#endif
