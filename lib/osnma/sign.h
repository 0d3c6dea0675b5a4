/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* ECDSA P-256 with SHA-256 and a nonce from the message (RFC 6979), so that equal input gives equal bits.
 * For test chains. secret is secret: constant-time arithmetic, wiped copies. [any thread, own crypto] */
#ifndef GN_OSNMA_SIGN_H
#define GN_OSNMA_SIGN_H

#include "lib/osnma/crypto.h"

/* secret (taken modulo the order, not 0) to compressed point. */
bool gn_osnma_public_p256(const uint8_t secret[32], uint8_t point[33]);

bool gn_osnma_sign_p256(struct gn_osnma_crypto *c, const uint8_t secret[32], const uint8_t *msg, size_t n_bytes,
        uint8_t sig[64]);

#endif
