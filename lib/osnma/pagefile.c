/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/osnma/pagefile.h"

#include "lib/bits/hex.h"

/* digits up to `end` character; false when there are none or too many */
static bool take_number(const char **at, const char *end, char stop, uint32_t max, uint32_t *ret)
{
    uint64_t v = 0;
    const char *p = *at;
    while (p < end && *p >= '0' && *p <= '9' && v <= max)
        v = v * 10 + (uint64_t)(*p++ - '0');
    if (p == *at || p >= end || *p != stop || v > max)
        return false;
    *at = p + 1;
    *ret = (uint32_t)v;
    return true;
}

bool gn_osnma_row_parse(const char *row, size_t n_chars, struct gn_osnma_page *ret)
{
    struct gn_osnma_page p = {0};
    const char *at = row, *end = row + n_chars;
    uint32_t wn = 0, tow = 0, prn = 0, sig = 0;
    if (!take_number(&at, end, ',', 1u << 20, &wn) || !take_number(&at, end, ',', 604799, &tow) ||
            !take_number(&at, end, ',', 255, &prn) || !take_number(&at, end, ',', 9, &sig))
        return false;
    if ((sig != 1 && sig != 5) || end - at != (ptrdiff_t)(2 * sizeof p.bits) ||
            !gn_hex_parse(at, (size_t)(end - at), p.bits, sizeof p.bits))
        return false;
    p.wn = (int32_t)wn;
    p.tow_s = tow;
    p.prn = (uint8_t)prn;
    p.is_e5b = sig == 5;
    *ret = p;
    return true;
}
