/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Keys and their files: lines of `name value`, numbers in hexadecimal.
 *
 *   gpsauth-key 1            the first line
 *   kind modulus             or p256
 *   n ..., g 2, public ...   n and g only with kind modulus
 *   s_bits 256, c_bits 32, r_bits 368, x_bits 64
 *   s ..., seed ...          only in the prover's file
 *
 * The file without s and seed is the public record: a verifier pins it. */
#ifndef GN_GPSAUTH_KEY_H
#define GN_GPSAUTH_KEY_H

#include "lib/gpsauth/coupon.h"
#include "lib/gpsauth/store.h"

#define GN_GA_KEY_TEXT_MAX (6u * GN_GA_ELEMENT_BYTES + 4096u)

struct gn_ga_key {
    enum gn_ga_kind kind;
    struct gn_ga_shape shape;
    uint32_t x_bits;
    bool has_secret;
    char n[2 * GN_GA_ELEMENT_BYTES + 1], g[2 * GN_GA_ELEMENT_BYTES + 1], public_key[2 * GN_GA_ELEMENT_BYTES + 1];
    struct gn_ga_wide s;
    uint8_t seed[GN_GA_SEED_BYTES];
};

/* A new key; n_bits (2048 to 8192, divides by 2) counts for a modulus: p = 3 mod 8, q = 7 mod 8, forgotten at once. s_bits 256
 * for 128 bits of security, 160 for 80; shorter is refused unless allow_weak. Takes seconds. [control] */
GN_NODISCARD gn_status gn_ga_key_generate(enum gn_ga_kind kind, uint32_t n_bits, uint32_t s_bits, uint32_t c_bits,
        uint32_t x_bits, bool allow_weak, struct gn_ga_key *ret, struct gn_error *err);

/* text[n]; sizes are checked, the group is not. Errors: GN_E_DATA with the line. [any thread] */
GN_NODISCARD gn_status gn_ga_key_parse(const char *text, size_t n, struct gn_ga_key *ret, struct gn_error *err);
/* Zero-ended, to text[GN_GA_KEY_TEXT_MAX]; returns its length. */
size_t gn_ga_key_print(const struct gn_ga_key *key, bool with_secret, char *text);
/* First 8 bytes of SHA-256 of the public record. */
GN_NODISCARD gn_status gn_ga_key_id(const struct gn_ga_key *key, uint8_t id[GN_GA_KEY_ID_BYTES]);

/* All load-time checks; a secret must belong to the public key. n_bits_min as in gn_ga_public. [control] */
GN_NODISCARD gn_status gn_ga_key_open(
        const struct gn_ga_key *key, uint32_t n_bits_min, struct gn_ga_group **ret, struct gn_error *err);

/* A prover's file is refused when others may read it. GN_E_IO, GN_E_DATA. [control] */
GN_NODISCARD gn_status gn_ga_key_load(const char *path, struct gn_ga_key *ret, struct gn_error *err);
/* A new file, mode 0600 with secret, else 0644; never over another. GN_E_OUTPUT. [control] */
GN_NODISCARD gn_status gn_ga_key_save(
        const char *path, const struct gn_ga_key *key, bool with_secret, struct gn_error *err);

void gn_ga_key_wipe(struct gn_ga_key *key);

#endif
