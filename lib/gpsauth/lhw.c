/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/gpsauth/lhw.h"

#include <string.h>

/* n over k, 0 when it needs more than 64 bits (or k > n). */
static uint64_t choose(uint64_t n, uint32_t k)
{
    uint64_t product = 1;

    if (k > n)
        return 0;
    for (uint32_t i = 1; i <= k; i++) {
        /* product * (n - k + i) / i is exact; by quotient and rest of i so that only the result must fit */
        const uint64_t m = n - k + i, quotient = product / i, rest = product % i;
        uint64_t carry = 0;
        product = gn_ga_mul_add(quotient, m, rest * m / i, &carry);
        if (carry != 0)
            return 0;
    }
    return product;
}

static bool is_sane(const struct gn_ga_lhw *p)
{
    return p->s_bits >= 1 && p->s_bits <= GN_GA_S_BITS_MAX && p->weight >= 1 && p->weight <= GN_GA_WEIGHT_MAX
            && p->length <= GN_GA_C_BITS_MAX && p->length >= (p->weight - 1) * (p->s_bits - 1) + p->weight;
}

uint64_t gn_ga_lhw_space(const struct gn_ga_lhw *p)
{
    return is_sane(p) ? choose(p->length - (p->weight - 1) * (p->s_bits - 1), p->weight) : 0;
}

gn_status gn_ga_lhw_positions(const struct gn_ga_lhw *p, uint64_t index, uint32_t *positions)
{
    const uint64_t space = gn_ga_lhw_space(p);

    if (space == 0 || index >= space)
        return GN_E_DATA;
    uint64_t q = p->length - (p->weight - 1) * (p->s_bits - 1);
    for (uint32_t k = p->weight; k-- > 0;) {
        do
            q--;
        while (choose(q, k + 1) > index);
        index -= choose(q, k + 1);
        positions[k] = (uint32_t)q + k * (p->s_bits - 1);
    }
    return GN_OK;
}

gn_status gn_ga_lhw_index(const struct gn_ga_lhw *p, const uint32_t *positions, uint32_t n, uint64_t *ret)
{
    uint64_t index = 0;

    if (gn_ga_lhw_space(p) == 0 || n != p->weight || positions[n - 1] >= p->length)
        return GN_E_DATA;
    for (uint32_t k = 0; k < n; k++) {
        if (k > 0 && (positions[k] <= positions[k - 1] || positions[k] - positions[k - 1] < p->s_bits))
            return GN_E_DATA;
        index += choose(positions[k] - k * (p->s_bits - 1), k + 1);
    }
    *ret = index;
    return GN_OK;
}

void gn_ga_lhw_challenge(const uint32_t *positions, uint32_t n, struct gn_ga_wide *ret)
{
    memset(ret, 0, sizeof *ret);
    for (uint32_t k = 0; k < n; k++)
        ret->limb[positions[k] / 64] |= (uint64_t)1 << (positions[k] % 64);
}

