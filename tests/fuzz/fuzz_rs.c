/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Reed-Solomon filling: what is accepted is a code word that keeps the octets given; a real code
 * word with few enough octets lost always comes back whole. */
#include "lib/nav/rs.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(int is_true)
{
    if (!is_true)
        abort();
}

/* 118 octets, then a bit map of the lost ones */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    uint8_t code[GN_RS_OCTETS] = {0}, lost[GN_RS_OCTETS] = {0}, filled[GN_RS_OCTETS],
            again[GN_RS_OCTETS];
    unsigned n_lost = 0;
    memcpy(code, data, n < sizeof code ? n : sizeof code);
    for (size_t i = 0; i < GN_RS_OCTETS && GN_RS_OCTETS + i / 8 < n; i++) {
        lost[i] = data[GN_RS_OCTETS + i / 8] >> i % 8 & 1;
        n_lost += lost[i];
    }
    memcpy(filled, code, sizeof filled);
    if (gn_rs_fill(filled, lost)) {
        require(n_lost <= GN_RS_PARITY);
        memcpy(again, filled, sizeof again);
        gn_rs_encode(again);
        require(memcmp(again, filled, sizeof again) == 0);
        for (size_t i = 0; i < GN_RS_OCTETS; i++)
            require(lost[i] != 0 || filled[i] == code[i]);
    }
    gn_rs_encode(code);
    memcpy(filled, code, sizeof filled);
    for (size_t i = 0; i < GN_RS_OCTETS; i++)
        filled[i] = (uint8_t)(lost[i] != 0 ? 0x5A : filled[i]);
    require(gn_rs_fill(filled, lost) == (n_lost <= GN_RS_PARITY));
    require(n_lost > GN_RS_PARITY || memcmp(filled, code, sizeof code) == 0);
    return 0;
}
