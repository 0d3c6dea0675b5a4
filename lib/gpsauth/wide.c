/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/gpsauth/wide.h"

#include <openssl/crypto.h>
#include <string.h>

gn_status gn_ga_wide_from_bytes(const uint8_t *bytes, size_t n_bytes, struct gn_ga_wide *ret)
{
    while (n_bytes > GN_GA_BYTES && bytes[0] == 0) {
        bytes++;
        n_bytes--;
    }
    if (n_bytes > GN_GA_BYTES)
        return GN_E_DATA;
    memset(ret, 0, sizeof *ret);
    for (size_t i = 0; i < n_bytes; i++)
        ret->limb[i / 8] |= (uint64_t)bytes[n_bytes - 1 - i] << (8 * (i % 8));
    return GN_OK;
}

void gn_ga_wide_to_bytes(const struct gn_ga_wide *a, uint8_t *bytes, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++)
        bytes[n_bytes - 1 - i] = i < GN_GA_BYTES ? (uint8_t)(a->limb[i / 8] >> (8 * (i % 8))) : 0;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

gn_status gn_ga_wide_from_hex(const char *text, struct gn_ga_wide *ret)
{
    if (text[0] == '\0')
        return GN_E_PARSE;
    while (text[0] == '0' && text[1] != '\0')
        text++;
    const size_t n = strlen(text);
    if (n > 2u * GN_GA_BYTES)
        return GN_E_PARSE;
    memset(ret, 0, sizeof *ret);
    for (size_t i = 0; i < n; i++) {
        const int d = digit_of(text[n - 1 - i]);
        if (d < 0)
            return GN_E_PARSE;
        ret->limb[i / 16] |= (uint64_t)d << (4 * (i % 16));
    }
    return GN_OK;
}

uint32_t gn_ga_wide_bits(const struct gn_ga_wide *a)
{
    for (uint32_t i = GN_GA_LIMBS; i-- > 0;) {
        if (a->limb[i] != 0)
            return 64u * i + 64u - (uint32_t)__builtin_clzll(a->limb[i]);
    }
    return 0;
}

bool gn_ga_wide_bit(const struct gn_ga_wide *a, uint32_t bit)
{
    return bit / 64 < GN_GA_LIMBS && (a->limb[bit / 64] >> (bit % 64) & 1u) != 0;
}

int gn_ga_wide_compare(const struct gn_ga_wide *a, const struct gn_ga_wide *b)
{
    uint64_t less = 0, more = 0;

    for (uint32_t i = GN_GA_LIMBS; i-- > 0;) {
        const uint64_t open = ~(less | more) & 1u;
        less |= open & (uint64_t)(a->limb[i] < b->limb[i]);
        more |= open & (uint64_t)(a->limb[i] > b->limb[i]);
    }
    return (int)more - (int)less;
}

/* Limb i of b << shift, b[n_limbs] surrounded by zeros. */
static uint64_t shifted(const uint64_t *b, uint32_t n_limbs, uint32_t shift, uint32_t i)
{
    const uint32_t from = i - shift / 64, up = shift % 64;
    const uint64_t high = from < n_limbs ? b[from] << up : 0;
    const uint64_t low = up != 0 && from - 1 < n_limbs ? b[from - 1] >> (64 - up) : 0;
    return high | low;
}

void gn_ga_wide_add_shifted(struct gn_ga_wide *a, const uint64_t *b, uint32_t n_limbs, uint32_t shift)
{
    uint64_t carry = 0;

    for (uint32_t i = shift / 64; i < GN_GA_LIMBS; i++)
        a->limb[i] = gn_ga_add(a->limb[i], shifted(b, n_limbs, shift, i), &carry);
}

void gn_ga_wide_mask(struct gn_ga_wide *a, uint32_t n_bits)
{
    for (uint32_t i = 0; i < GN_GA_LIMBS; i++) {
        if (64 * i >= n_bits)
            a->limb[i] = 0;
        else if (64 * i + 64 > n_bits)
            a->limb[i] &= UINT64_MAX >> (64 * i + 64 - n_bits);
    }
}

void gn_ga_wide_wipe(struct gn_ga_wide *a)
{
    OPENSSL_cleanse(a, sizeof *a);
}
