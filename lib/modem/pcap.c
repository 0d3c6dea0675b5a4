/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/modem/pcap.h"

#include "lib/base/error.h"
#include "lib/modem/oqpsk.h"

#define MAGIC_US      0xa1b2c3d4U
#define MAGIC_NS      0xa1b23c4dU
#define LINK_WITH_FCS 195U
#define LINK_NO_FCS   230U
#define RECORD_MAX    262144U /* what capture programs allow */

static uint32_t word(const uint8_t *b, bool is_big)
{
    return is_big ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
                  : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

static void put(uint8_t *b, uint32_t x)
{
    for (int i = 0; i < 4; i++, x >>= 8)
        b[i] = (uint8_t)x;
}

gn_status gn_pcap_open(const uint8_t *bytes, size_t n, struct gn_pcap *ret, struct gn_error *err)
{
    if (n < GN_PCAP_HEAD)
        return gn_fail_byte(err, GN_E_DATA, n, "no pcap file: it ends inside the header");
    uint32_t magic = word(bytes, false);
    bool is_big = magic != MAGIC_US && magic != MAGIC_NS;
    magic = word(bytes, is_big);
    if (magic != MAGIC_US && magic != MAGIC_NS)
        return gn_fail_byte(err, GN_E_DATA, 0, "no pcap file: it begins with %02x%02x%02x%02x", bytes[0], bytes[1], bytes[2], bytes[3]);
    uint32_t link = word(bytes + 20, is_big) & 0x0fffffffU;
    if (link != LINK_WITH_FCS && link != LINK_NO_FCS)
        return gn_fail_byte(err, GN_E_DATA, 20, "link type %u is not IEEE 802.15.4 (195 or 230)", link);
    *ret = (struct gn_pcap){.bytes = bytes, .n = n, .at = GN_PCAP_HEAD, .is_swapped = is_big,
            .is_nano = magic == MAGIC_NS, .has_fcs = link == LINK_WITH_FCS};
    return GN_OK;
}

gn_status gn_pcap_next(struct gn_pcap *p, struct gn_pcap_frame *ret, bool *is_end, struct gn_error *err)
{
    *is_end = p->at == p->n;
    if (*is_end)
        return GN_OK;
    if (p->n - p->at < GN_PCAP_RECORD)
        return gn_fail_byte(err, GN_E_DATA, p->at, "the file ends inside a record header");
    const uint8_t *r = p->bytes + p->at;
    uint32_t fraction = word(r + 4, p->is_swapped), n = word(r + 8, p->is_swapped), n_air = word(r + 12, p->is_swapped);
    if (n > RECORD_MAX || n > p->n - p->at - GN_PCAP_RECORD)
        return gn_fail_byte(err, GN_E_DATA, p->at, "a record of %u bytes reaches past the end of the file", n);
    if (n > GN_OQPSK_BYTES_MAX)
        return gn_fail_byte(err, GN_E_DATA, p->at, "a frame has at most 127 bytes, not %u", n);
    if (fraction >= (p->is_nano ? 1000000000U : 1000000U))
        return gn_fail_byte(err, GN_E_DATA, p->at + 4, "a fraction of a second of %u", fraction);
    *ret = (struct gn_pcap_frame){.t_unix_s = word(r, p->is_swapped), .t_ns = p->is_nano ? fraction : fraction * 1000U,
            .psdu = r + GN_PCAP_RECORD, .n = n, .is_cut = n_air != n};
    p->at += GN_PCAP_RECORD + n;
    return GN_OK;
}

void gn_pcap_head(uint8_t head[GN_PCAP_HEAD])
{
    put(head, MAGIC_US);
    put(head + 4, 4U << 16 | 2U); /* version 2.4 */
    put(head + 8, 0);
    put(head + 12, 0);
    put(head + 16, RECORD_MAX);
    put(head + 20, LINK_WITH_FCS);
}

void gn_pcap_record(int64_t t_unix_s, uint32_t t_us, size_t n, uint8_t record[GN_PCAP_RECORD])
{
    put(record, (uint32_t)t_unix_s);
    put(record + 4, t_us);
    put(record + 8, (uint32_t)n);
    put(record + 12, (uint32_t)n);
}
