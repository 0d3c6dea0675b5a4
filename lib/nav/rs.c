/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/nav/rs.h"

#include <stddef.h>
#include <string.h>

#define FIELD_POLYNOMIAL 0x1Du /* x^8 + x^4 + x^3 + x^2 + 1 without x^8 */

/* A page every two seconds needs a few thousand products: no tables. */
static uint8_t mul(uint8_t a, uint8_t b)
{
    unsigned x = a, y = b, product = 0;
    for (; y != 0; y >>= 1) {
        product ^= (y & 1u) != 0 ? x : 0;
        x = (x << 1 & 0xFFu) ^ ((x & 0x80u) != 0 ? FIELD_POLYNOMIAL : 0);
    }
    return (uint8_t)product;
}

static uint8_t power(uint8_t a, unsigned n)
{
    uint8_t r = 1;
    for (; n != 0; n >>= 1) {
        if ((n & 1u) != 0)
            r = mul(r, a);
        a = mul(a, a);
    }
    return r;
}

static uint8_t inverse(uint8_t a)
{
    return power(a, 254);
}

/* The polynomial's coefficient of x^d: parity octet d below, information octet d - 60 above, that
 * is both kinds with the octet sent last at the highest degree. */
static size_t octet_of_degree(size_t d)
{
    return d < GN_RS_PARITY ? GN_RS_INFO + d : d - GN_RS_PARITY;
}

/* value of p[n] (lowest degree first) at x */
static uint8_t evaluate(const uint8_t *p, size_t n, uint8_t x)
{
    uint8_t v = 0;
    while (n-- > 0)
        v = (uint8_t)(mul(v, x) ^ p[n]);
    return v;
}

/* p[n] times (1 + r x), growing to n + 1 */
static void times_root(uint8_t *p, size_t n, uint8_t r)
{
    p[n] = 0;
    for (size_t i = n; i > 0; i--)
        p[i] = (uint8_t)(p[i] ^ mul(p[i - 1], r));
}

void gn_rs_encode(uint8_t code[GN_RS_OCTETS])
{
    /* g(x) = product of (x + alpha^i): the coefficients of product (1 + alpha^i x), read backwards
     */
    uint8_t g[GN_RS_PARITY + 1] = {1}, rest[GN_RS_PARITY] = {0};
    for (unsigned i = 1; i <= GN_RS_PARITY; i++)
        times_root(g, i, power(2, i));
    for (size_t d = GN_RS_INFO; d-- > 0;) {
        uint8_t lead = (uint8_t)(code[d] ^ rest[GN_RS_PARITY - 1]);
        for (size_t k = GN_RS_PARITY; k-- > 0;)
            rest[k] = (uint8_t)((k > 0 ? rest[k - 1] : 0) ^ mul(lead, g[GN_RS_PARITY - k]));
    }
    memcpy(code + GN_RS_INFO, rest, GN_RS_PARITY);
}

static bool syndromes(const uint8_t code[GN_RS_OCTETS], uint8_t s[GN_RS_PARITY])
{
    uint8_t p[GN_RS_OCTETS], any = 0;
    for (size_t d = 0; d < GN_RS_OCTETS; d++)
        p[d] = code[octet_of_degree(d)];
    for (unsigned i = 0; i < GN_RS_PARITY; i++) {
        s[i] = evaluate(p, GN_RS_OCTETS, power(2, i + 1));
        any |= s[i];
    }
    return any == 0;
}

/* Forney: the lost octet at X has the value W(1/X) / L'(1/X), L the product of (1 + X x), W = S L
 * mod x^60. */
static uint8_t lost_value(const uint8_t *w, const uint8_t *l, size_t n_lost, uint8_t x)
{
    uint8_t at = inverse(x), derivative = 0;
    for (size_t i = 1; i <= n_lost; i += 2)
        derivative = (uint8_t)(derivative ^ mul(l[i], power(at, (unsigned)i - 1)));
    return mul(evaluate(w, GN_RS_PARITY, at), inverse(derivative));
}

bool gn_rs_fill(uint8_t code[GN_RS_OCTETS], const uint8_t is_lost[GN_RS_OCTETS])
{
    uint8_t l[GN_RS_PARITY + 1] = {1}, w[GN_RS_PARITY] = {0}, s[GN_RS_PARITY], x[GN_RS_PARITY];
    size_t at[GN_RS_PARITY], n_lost = 0;
    for (size_t d = 0; d < GN_RS_OCTETS; d++) {
        size_t i = octet_of_degree(d);
        if (is_lost[i] == 0)
            continue;
        if (n_lost == GN_RS_PARITY)
            return false;
        code[i] = 0;
        at[n_lost] = i;
        x[n_lost] = power(2, (unsigned)d);
        n_lost++;
        times_root(l, n_lost, x[n_lost - 1]);
    }
    if (syndromes(code, s))
        return true;
    for (size_t i = 0; i < GN_RS_PARITY; i++)
        for (size_t k = 0; k <= i && k <= n_lost; k++)
            w[i] = (uint8_t)(w[i] ^ mul(l[k], s[i - k]));
    for (size_t k = 0; k < n_lost; k++)
        code[at[k]] = lost_value(w, l, n_lost, x[k]);
    return syndromes(code, s);
}
