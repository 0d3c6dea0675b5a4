/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Unsigned integers of a fixed number of 64-bit limbs, least significant first. How long they take depends on the number
 * of limbs alone, never on a value, so secrets may be among them. [any thread, reentrant] */
#ifndef GN_GPSAUTH_WIDE_H
#define GN_GPSAUTH_WIDE_H

#include "gnomon/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GN_GA_S_BITS_MAX 1024u
#define GN_GA_C_BITS_MAX 4096u /* low-Hamming-weight challenges; others 64 */
#define GN_GA_R_BITS_MAX (GN_GA_S_BITS_MAX + GN_GA_C_BITS_MAX + 80u)
#define GN_GA_LIMBS      82u   /* an answer: r_bits + 1 */
#define GN_GA_BYTES      (8u * GN_GA_LIMBS)

struct gn_ga_wide {
    uint64_t limb[GN_GA_LIMBS];
};

/* a * b + c + *carry, *carry its upper half: never overflows. */
static inline uint64_t gn_ga_mul_add(uint64_t a, uint64_t b, uint64_t c, uint64_t *carry)
{
#ifdef __SIZEOF_INT128__
    __extension__ const unsigned __int128 sum = (unsigned __int128)a * b + c + *carry;
    *carry = (uint64_t)(sum >> 64);
    return (uint64_t)sum;
#else
    const uint64_t half = UINT32_MAX, ll = (a & half) * (b & half), hl = (a >> 32) * (b & half) + (ll >> 32);
    const uint64_t lh = (a & half) * (b >> 32) + (hl & half), low = (ll & half) | lh << 32, one = low + c, two = one + *carry;
    *carry = (a >> 32) * (b >> 32) + (hl >> 32) + (lh >> 32) + (one < c) + (two < one);
    return two;
#endif
}

/* a + b + *carry, *carry 0 or 1. */
static inline uint64_t gn_ga_add(uint64_t a, uint64_t b, uint64_t *carry)
{
    const uint64_t one = a + b, two = one + *carry;
    *carry = (uint64_t)(one < a) + (uint64_t)(two < one);
    return two;
}

static inline uint32_t gn_ga_limbs(uint32_t n_bits)
{
    return (n_bits + 63u) / 64u;
}

/* Big-endian bytes. GN_E_DATA: more than fit. */
GN_NODISCARD gn_status gn_ga_wide_from_bytes(const uint8_t *bytes, size_t n_bytes, struct gn_ga_wide *ret);
/* bytes[n_bytes] big-endian, cut to the lowest n_bytes. */
void gn_ga_wide_to_bytes(const struct gn_ga_wide *a, uint8_t *bytes, size_t n_bytes);
/* Hexadecimal digits, any number of leading zeros. GN_E_PARSE: another character, none, or too many. */
GN_NODISCARD gn_status gn_ga_wide_from_hex(const char *text, struct gn_ga_wide *ret);

/* How many bits a has; for public values, takes longer the shorter a is. */
uint32_t gn_ga_wide_bits(const struct gn_ga_wide *a);
bool gn_ga_wide_bit(const struct gn_ga_wide *a, uint32_t bit);
/* -1, 0, 1; same time for all values. */
int gn_ga_wide_compare(const struct gn_ga_wide *a, const struct gn_ga_wide *b);
/* a + (b << shift), cut at GN_GA_LIMBS. */
void gn_ga_wide_add_shifted(struct gn_ga_wide *a, const uint64_t *b, uint32_t n_limbs, uint32_t shift);
/* Bits from n_bits on become zero. */
void gn_ga_wide_mask(struct gn_ga_wide *a, uint32_t n_bits);
void gn_ga_wide_wipe(struct gn_ga_wide *a);

#endif
