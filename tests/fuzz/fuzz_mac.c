/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* MAC frames, pieces and captures: what is accepted lies inside the input and builds the same bytes again. */
#include "lib/modem/mac.h"
#include "lib/modem/oqpsk.h"
#include "lib/modem/pcap.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
    if (!is_true)
        abort();
}

static void check_frame(const uint8_t *data, size_t size)
{
    uint8_t psdu[127], again[127];
    struct gn_mac_frame f;
    struct gn_mac_piece piece;
    bool is_broken = false;
    size_t n = size < 125 ? size : 125;
    memcpy(psdu, data, n);
    uint16_t fcs = gn_fcs(psdu, n); /* a right FCS, so that the rest is reached */
    psdu[n] = (uint8_t)fcs;
    psdu[n + 1] = (uint8_t)(fcs >> 8);
    if (gn_mac_parse(psdu, n + 2, &f, NULL) != GN_OK)
        return;
    require(f.payload >= psdu + 3 && f.payload + f.n_payload == psdu + n);
    require(gn_mac_build(&f, again) == n + 2 && memcmp(again + 2, psdu + 2, n - 2) == 0);
    if (gn_mac_piece_parse(f.payload, f.n_payload, &piece, &is_broken))
        require(piece.bytes + piece.n == psdu + n && piece.offset + piece.n <= piece.size && piece.size < 2048);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gn_pcap p;
    struct gn_pcap_frame f;
    bool is_end = false;
    check_frame(data, size);
    if (gn_pcap_open(data, size, &p, NULL) != GN_OK)
        return 0;
    while (gn_pcap_next(&p, &f, &is_end, NULL) == GN_OK && !is_end)
        require(f.n <= 127 && f.psdu >= data && f.psdu + f.n <= data + size);
    return 0;
}
