/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The primitives OSNMA is made of, over OpenSSL 3. All inputs of a receiver are public, so running
 * time may depend on them. Sources: OSNMA SIS ICD 1.1 sections 3.2.3, 5.1; FIPS 180-4, 186-4, 198-1, 202;
 * NIST SP 800-38B. */
#ifndef GN_OSNMA_CRYPTO_H
#define GN_OSNMA_CRYPTO_H

#include "gnomon/status.h"
#include "gnomon/verdict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GN_OSNMA_HASH_BYTES  32
#define GN_OSNMA_KEY_BYTES   32  /* longest TESLA key */
#define GN_OSNMA_POINT_BYTES 67  /* compressed point of P-521 */
#define GN_OSNMA_SIG_BYTES   132 /* r || s of P-521 */
#define GN_OSNMA_MAC_MSG_MAX 128 /* longest message gn_osnma_mac() takes */

/* As in DSM-KROOT fields HF and MF. SHA3-224: drafts only, never chosen by the signal. */
enum gn_osnma_hash { GN_OSNMA_SHA256 = 0, GN_OSNMA_SHA3_224 = 1, GN_OSNMA_SHA3_256 = 2 };
#define GN_OSNMA_SHA3_224_BYTES 28
enum gn_osnma_mac_kind { GN_OSNMA_HMAC_SHA256 = 0, GN_OSNMA_CMAC_AES = 1 };

enum gn_osnma_curve {
    GN_OSNMA_CURVE_NONE = 0,
    GN_OSNMA_P256,
    GN_OSNMA_P521,
    GN_OSNMA_P224, /* drafts before 2020 only: never chosen by the signal */
    GN_OSNMA_P384,
    GN_OSNMA_CURVE_COUNT,
};

struct gn_osnma_curve_info {
    const char *name;           /* "P-256" */
    const char *group, *digest; /* OpenSSL's words */
    size_t point_bytes, sig_bytes;
};
extern const struct gn_osnma_curve_info gn_osnma_curves[GN_OSNMA_CURVE_COUNT];

/* Working memory of the primitives: one for each thread. */
struct gn_osnma_crypto; /* opaque */

/* NULL when OpenSSL lacks an algorithm or memory. [control] */
struct gn_osnma_crypto *gn_osnma_crypto_new(void);
void gn_osnma_crypto_free(struct gn_osnma_crypto *c);

/* hf(msg) into out[32], SHA3-224 padded with zeros; false (out zeroed) for an unknown hf. */
bool gn_osnma_hash(struct gn_osnma_crypto *c, unsigned hf, const uint8_t *msg, size_t n_bytes,
        uint8_t out[GN_OSNMA_HASH_BYTES]);

/* MAC of msg[n_bytes <= GN_OSNMA_MAC_MSG_MAX] under key; out is 32 bytes, zero-padded (CMAC gives 16).
 * False (out zeroed) when the key length does not fit the kind: CMAC takes 16, 24 or 32 bytes. */
bool gn_osnma_mac(struct gn_osnma_crypto *c, unsigned mf, const uint8_t *key, size_t key_bytes,
        const uint8_t *msg, size_t n_bytes, uint8_t out[GN_OSNMA_HASH_BYTES]);

/* Does sig (r || s) over msg fit the compressed public key? GN_UNDECIDED unless lengths fit the curve
 * and the point lies on it. [any thread] */
gn_verdict gn_osnma_signature_verify(unsigned curve, const uint8_t *point, size_t point_bytes,
        const uint8_t *msg, size_t n_bytes, const uint8_t *sig, size_t sig_bytes);

/* The same with a key made ready once: most of a check's time goes into the square root that its compressed point
 * needs. NULL when the point is none of the curve, or without memory. [control] */
struct gn_osnma_ready_key; /* opaque */
struct gn_osnma_ready_key *gn_osnma_key_new(unsigned curve, const uint8_t *point, size_t point_bytes);
void gn_osnma_key_free(struct gn_osnma_ready_key *key);
gn_verdict gn_osnma_key_verify(const struct gn_osnma_ready_key *key, const uint8_t *msg, size_t n_bytes,
        const uint8_t *sig, size_t sig_bytes); /* [any thread] */

/* Is the point a public key of that curve? [any thread] */
bool gn_osnma_point_ok(unsigned curve, const uint8_t *point, size_t point_bytes);

/* Root of a 16-leaf tree over leaf, with nodes itn[4][32] and position mid (OSNMA SIS ICD 1.1, 6.2). */
void gn_osnma_merkle_root(struct gn_osnma_crypto *c, const uint8_t *leaf, size_t n_bytes,
        unsigned mid, const uint8_t *itn, uint8_t root[GN_OSNMA_HASH_BYTES]);

#endif
