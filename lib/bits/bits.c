/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/bits/bits.h"

static bool has_room(size_t total, size_t at, size_t n)
{
    return at <= total && n <= total - at;
}

int64_t gn_bits_sign_extend(uint64_t v, unsigned n)
{
    if (n == 0 || n >= 64)
        return (int64_t)v;
    uint64_t sign = 1ULL << (n - 1);
    v &= (sign << 1) - 1;
    return (int64_t)((v ^ sign) - sign);
}

uint64_t gn_bits_get(const uint8_t *p, size_t n_bits, size_t at, unsigned n)
{
    if (n > 64 || !has_room(n_bits, at, n))
        return 0;
    uint64_t v = 0;
    while (n > 0) {
        unsigned in_byte = 8 - (unsigned)(at % 8), take = n < in_byte ? n : in_byte;
        unsigned piece = ((unsigned)p[at / 8] >> (in_byte - take)) & ((1u << take) - 1u);
        v = v << take | piece;
        at += take;
        n -= take;
    }
    return v;
}

int64_t gn_bits_get_s(const uint8_t *p, size_t n_bits, size_t at, unsigned n)
{
    return gn_bits_sign_extend(gn_bits_get(p, n_bits, at, n), n);
}

bool gn_bits_set(uint8_t *p, size_t n_bits, size_t at, unsigned n, uint64_t value)
{
    if (n > 64 || !has_room(n_bits, at, n))
        return false;
    while (n > 0) {
        unsigned in_byte = 8 - (unsigned)(at % 8), take = n < in_byte ? n : in_byte;
        unsigned mask = ((1u << take) - 1u) << (in_byte - take);
        unsigned piece = ((unsigned)(value >> (n - take)) << (in_byte - take)) & mask;
        p[at / 8] = (uint8_t)(((unsigned)p[at / 8] & ~mask) | piece);
        at += take;
        n -= take;
    }
    return true;
}

uint64_t gn_bits_u(struct gn_bit_reader *r, unsigned n)
{
    if (n > 64 || !has_room(r->n_bits, r->at, n)) {
        r->is_past_end = true;
        return 0;
    }
    uint64_t v = gn_bits_get(r->p, r->n_bits, r->at, n);
    r->at += n;
    return v;
}

int64_t gn_bits_s(struct gn_bit_reader *r, unsigned n)
{
    return gn_bits_sign_extend(gn_bits_u(r, n), n);
}

void gn_bits_skip(struct gn_bit_reader *r, size_t n)
{
    if (has_room(r->n_bits, r->at, n))
        r->at += n;
    else
        r->is_past_end = true;
}

void gn_bits_put(struct gn_bit_writer *w, uint64_t value, unsigned n)
{
    if (gn_bits_set(w->p, w->n_bits, w->at, n, value))
        w->at += n;
    else
        w->is_past_end = true;
}

void gn_bits_copy(struct gn_bit_writer *w, struct gn_bit_reader *r, size_t n)
{
    if (!has_room(r->n_bits, r->at, n) || !has_room(w->n_bits, w->at, n)) {
        r->is_past_end = w->is_past_end = true;
        return;
    }
    while (n > 0) {
        unsigned take = n < 64 ? (unsigned)n : 64;
        gn_bits_put(w, gn_bits_u(r, take), take);
        n -= take;
    }
}

const uint8_t *gn_bytes_take(struct gn_byte_reader *r, size_t n)
{
    if (!has_room(r->n_bytes, r->at, n)) {
        r->is_past_end = true;
        return NULL;
    }
    const uint8_t *p = r->p + r->at;
    r->at += n;
    return p;
}

uint64_t gn_bytes_le(struct gn_byte_reader *r, unsigned n)
{
    uint64_t v = 0;
    const uint8_t *p = n <= 8 ? gn_bytes_take(r, n) : NULL;
    r->is_past_end |= n > 8;
    for (unsigned i = n; p != NULL && i > 0; i--)
        v = v << 8 | p[i - 1];
    return v;
}

uint64_t gn_bytes_be(struct gn_byte_reader *r, unsigned n)
{
    uint64_t v = 0;
    const uint8_t *p = n <= 8 ? gn_bytes_take(r, n) : NULL;
    r->is_past_end |= n > 8;
    for (unsigned i = 0; p != NULL && i < n; i++)
        v = v << 8 | p[i];
    return v;
}
