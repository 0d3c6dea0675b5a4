/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* ECDSA with the hash that belongs to the curve and a nonce from the message (RFC 6979), so that equal input gives
 * equal bits. For test chains. secret is secret: constant-time arithmetic, wiped copies. [any thread] */
#ifndef GN_OSNMA_SIGN_H
#define GN_OSNMA_SIGN_H

#include "lib/osnma/crypto.h"

#define GN_OSNMA_SECRET_BYTES 66 /* of P-521 */

/* Bytes of a secret, r and s: of the group's order. */
size_t gn_osnma_secret_bytes(unsigned curve);

/* secret[gn_osnma_secret_bytes(curve)] (taken modulo the order, not 0) to a compressed point. */
bool gn_osnma_public(unsigned curve, const uint8_t *secret, uint8_t point[GN_OSNMA_POINT_BYTES]);

/* sig = r || s, as long as gn_osnma_curves says. */
bool gn_osnma_sign(unsigned curve, const uint8_t *secret, const uint8_t *msg, size_t n_bytes,
        uint8_t sig[GN_OSNMA_SIG_BYTES]);

#endif
