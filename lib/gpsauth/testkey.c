/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/gpsauth/testkey.h"

#include "lib/base/error.h"

#include <stdio.h>
#include <string.h>

/* a group needs some valid key to be opened before it can make one */
static const char base_point[] = "036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296";

gn_status gn_ga_test_key(
        uint64_t number, uint32_t s_bits, uint32_t c_bits, struct gn_ga_key *ret, struct gn_error *err)
{
    static const uint8_t label[GN_GA_SEED_BYTES] = "gnomon TEST key";
    const struct gn_ga_public any = {.kind = GN_GA_P256, .public_key = base_point};
    struct gn_ga_group *g = NULL;
    struct gn_ga_wide seed;
    uint8_t point[33];

    memset(ret, 0, sizeof *ret);
    if (s_bits < 64 || s_bits > 256 || c_bits < 1 || c_bits > 64)
        return gn_fail(err, GN_E_ARG, "a test key has 64 to 256 bits and challenges of 1 to 64");
    ret->kind = GN_GA_P256;
    ret->shape = (struct gn_ga_shape){s_bits, c_bits, s_bits + c_bits + GN_GA_MARGIN_BITS};
    ret->x_bits = 64;
    ret->has_secret = true;
    gn_status st = gn_ga_coupon_exponent(label, 2 * number, s_bits, &ret->s);
    ret->s.limb[(s_bits - 1) / 64] |= (uint64_t)1 << ((s_bits - 1) % 64);
    if (st == GN_OK)
        st = gn_ga_coupon_exponent(label, 2 * number + 1, 8 * GN_GA_SEED_BYTES, &seed);
    if (st == GN_OK)
        st = gn_ga_group_open(&any, &g, err);
    if (st == GN_OK)
        st = gn_ga_group_public(g, &ret->s, s_bits, point);
    gn_ga_group_close(g);
    if (st != GN_OK)
        return st;
    gn_ga_wide_to_bytes(&seed, ret->seed, sizeof ret->seed);
    for (size_t i = 0; i < sizeof point; i++)
        (void)snprintf(ret->public_key + 2 * i, 3, "%02x", point[i]);
    return GN_OK;
}
