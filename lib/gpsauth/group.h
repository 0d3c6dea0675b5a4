/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The group: powers of g modulo n, or multiples of P on P-256. Arithmetic is OpenSSL's. */
#ifndef GN_GPSAUTH_GROUP_H
#define GN_GPSAUTH_GROUP_H

#include "gnomon/status.h"
#include "lib/gpsauth/wide.h"

#define GN_GA_N_BITS_MAX    8192u
#define GN_GA_N_BITS_MIN    2048u /* of a key in use; 1024 only to repeat published figures */
#define GN_GA_ELEMENT_BYTES (GN_GA_N_BITS_MAX / 8u)

enum gn_ga_kind { GN_GA_MODULUS, GN_GA_P256 };

/* What is public about a prover, as numbers from outside: checked by gn_ga_group_open. */
struct gn_ga_public {
    enum gn_ga_kind kind;
    const char *n, *g;      /* hexadecimal; NULL on the curve */
    const char *public_key; /* I = g^-s mod n in hexadecimal; V = -s P, SEC 1 compressed */
    uint32_t n_bits_min;    /* a shorter modulus is refused; 0: GN_GA_N_BITS_MIN */
};

struct gn_ga_group;

/* GN_E_DATA with the reason in words: each check of spec section 1.2(5). [control] */
GN_NODISCARD gn_status gn_ga_group_open(const struct gn_ga_public *key, struct gn_ga_group **ret, struct gn_error *err);
void gn_ga_group_close(struct gn_ga_group *g);
/* Bytes of an element: |n| / 8 rounded up, or 33. */
uint32_t gn_ga_group_element_bytes(const struct gn_ga_group *g);

/* W = g^r, r secret of r_bits: the same time for every r. element[gn_ga_group_element_bytes]. [one thread at a time per group] */
GN_NODISCARD gn_status gn_ga_group_commit(
        struct gn_ga_group *g, const struct gn_ga_wide *r, uint32_t r_bits, uint8_t *element);
/* W' = g^y I^c, all public. [one thread at a time per group] */
GN_NODISCARD gn_status gn_ga_group_recombine(
        struct gn_ga_group *g, const struct gn_ga_wide *y, const struct gn_ga_wide *c, uint8_t *element);
/* I = g^-s (V = -s P) of a secret, for key generation and self-test. */
GN_NODISCARD gn_status gn_ga_group_public(
        struct gn_ga_group *g, const struct gn_ga_wide *s, uint32_t s_bits, uint8_t *element);
/* The public key the group was opened with, as an element. */
GN_NODISCARD gn_status gn_ga_group_key(const struct gn_ga_group *g, uint8_t *element);

#endif
