/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/osnma/timing.h"

#include "lib/bits/bits.h"

#include <math.h>
#include <string.h>

#define BITS 141u

static uint32_t get(const struct gn_msg_osnma_data *d, uint32_t at, uint32_t n)
{
    return (uint32_t)gn_bits_get(d->content, 8 * sizeof d->content, at, n);
}

static int32_t get_signed(const struct gn_msg_osnma_data *d, uint32_t at, uint32_t n)
{
    uint32_t v = get(d, at, n), sign = 1u << (n - 1);
    return (int32_t)((int64_t)(v ^ sign) - (int64_t)sign);
}

/* A0 32 | A1 24 | dtLS 8 | t0t 8 | WN0t 8 | WN_LSF 8 | DN 3 | dtLSF 8 || A0G 16 | A1G 12 | t0G 8 | WN0G 6 */
bool gn_osnma_timing(const struct gn_msg_osnma_data *d, struct gn_msg_osnma_time *ret)
{
    if (d->adkd != 4 || !d->authentic || d->content_bits != BITS)
        return false;
    struct gn_msg_osnma_time t = {.wn = d->wn, .tow = d->tow, .prn = d->prn,
            .utc_a0_s = ldexp(get_signed(d, 0, 32), -30), .utc_a1_sps = ldexp(get_signed(d, 32, 24), -50),
            .leap_s = get_signed(d, 56, 8), .utc_t0_s = 3600u * get(d, 64, 8), .utc_wn8 = (uint8_t)get(d, 72, 8),
            .leap_wn8 = (uint8_t)get(d, 80, 8), .leap_dn = (uint8_t)get(d, 88, 3), .leap_next_s = get_signed(d, 91, 8)};
    /* all ones: GGTO not available */
    t.has_ggto = !(get(d, 99, 16) == 0xffffu && get(d, 115, 12) == 0xfffu && get(d, 127, 8) == 0xffu && get(d, 135, 6) == 0x3fu);
    if (t.has_ggto) {
        t.ggto_a0_s = ldexp(get_signed(d, 99, 16), -35);
        t.ggto_a1_sps = ldexp(get_signed(d, 115, 12), -51);
        t.ggto_t0_s = 3600u * get(d, 127, 8);
        t.ggto_wn6 = (uint8_t)get(d, 135, 6);
    }
    memcpy(t.data, d->data, sizeof t.data);
    *ret = t;
    return true;
}
