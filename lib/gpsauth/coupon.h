/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Coupons: the exponents r_i from a seed, what is sent of them, and the check of an answer. */
#ifndef GN_GPSAUTH_COUPON_H
#define GN_GPSAUTH_COUPON_H

#include "lib/gpsauth/group.h"
#include "lib/gpsauth/mac.h"

#define GN_GA_SEED_BYTES 32u
#define GN_GA_X_BITS_MIN 48u
#define GN_GA_X_BITS_MAX 256u
#define GN_GA_X_BYTES    (GN_GA_X_BITS_MAX / 8u)

/* r_i = HKDF-Expand-SHA256(seed, "gpsauth/r/v1" || i || r_bits), masked to r_bits. The caller wipes it. [any thread] */
GN_NODISCARD gn_status gn_ga_coupon_exponent(
        const uint8_t seed[GN_GA_SEED_BYTES], uint64_t i, uint32_t r_bits, struct gn_ga_wide *ret);

/* x = first x_bits of SHA-256(W || bind), x[x_bits / 8]; x_bits divides by 8, 48 to 256. bind may be NULL with n_bind 0
 * (profile A), else what was fixed when the coupon was made (profile B). [any thread] */
GN_NODISCARD gn_status gn_ga_coupon_commitment(
        const uint8_t *element, size_t n_element, const uint8_t *bind, size_t n_bind, uint32_t x_bits, uint8_t *x);

/* ---- verification ------------------------------------------------------------------------------------------------------ */
enum gn_ga_verdict {
    GN_GA_ACCEPT,
    GN_GA_REJECT_CHALLENGE,  /* c outside 0 to 2^c_bits - 1 */
    GN_GA_REJECT_RANGE,      /* y above y_max: congruent answers would pass the equation */
    GN_GA_REJECT_COMMITMENT, /* the equation does not give x */
    GN_GA_REJECT_INTERNAL,   /* no memory, x_bits out of range */
};
const char *gn_ga_verdict_text(enum gn_ga_verdict verdict);

struct gn_ga_claim {
    struct gn_ga_shape shape;
    uint32_t x_bits;
    const uint8_t *x, *bind;
    size_t n_bind;
};

/* 0 <= c < 2^c_bits. A prover asks before it answers: y / c of a longer one is s. */
bool gn_ga_is_challenge(const struct gn_ga_shape *shape, const struct gn_ga_wide *c);
/* (2^r - 1) + (2^s - 1)(2^c - 1) */
void gn_ga_y_max(const struct gn_ga_shape *shape, struct gn_ga_wide *ret);
/* All checks of spec 1.4; x compared in constant time. Also a challenge of low weight: the caller checked its form, and
 * c_bits is its length. [one thread at a time per group] */
enum gn_ga_verdict gn_ga_verify(struct gn_ga_group *g, const struct gn_ga_claim *claim, const struct gn_ga_wide *c,
        const struct gn_ga_wide *y);

/* s = (y1 - y2) / (c1 - c2) of two answers to one commitment: why a coupon burns. GN_E_DATA: it does not divide. */
GN_NODISCARD gn_status gn_ga_recover_secret(const struct gn_ga_wide *y1, const struct gn_ga_wide *c1,
        const struct gn_ga_wide *y2, const struct gn_ga_wide *c2, struct gn_ga_wide *ret);

#endif
