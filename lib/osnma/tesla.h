/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The TESLA chain. A key off the air is a claim; only gn_tesla_verify() and the signature check make the
 * other type from it. Source: OSNMA SIS ICD 1.1 sections 3.2.3, 6.4. */
#ifndef GN_OSNMA_TESLA_H
#define GN_OSNMA_TESLA_H

#include "gnomon/verdict.h"
#include "lib/osnma/crypto.h"

/* Longest walk anyone can make us take: a year and a bit of keys. */
#define GN_TESLA_STEPS_MAX 1200000

struct gn_tesla_chain {
    uint8_t hf, mf, key_bytes, tag_bits, maclt, cid, pkid, reserved;
    uint8_t alpha[6];
};

/* as received: nobody vouches for it */
struct gn_tesla_claim {
    int64_t sf; /* sub-frame that sent it, since GST week 0 */
    uint8_t bytes[GN_OSNMA_KEY_BYTES];
};

/* belongs to its chain */
struct gn_tesla_key {
    int64_t sf;
    uint8_t bytes[GN_OSNMA_KEY_BYTES];
};

/* K(sf - 1) from K(sf). False when the chain's hash is unknown. */
bool gn_tesla_step(struct gn_osnma_crypto *c, const struct gn_tesla_chain *chain, struct gn_tesla_key *key);

/* Does claim hash back to known? Exactly claim.sf - known.sf steps, 1..GN_TESLA_STEPS_MAX.
 * All inputs are public. *verdict is GN_UNDECIDED unless GN_OK. Errors: GN_E_ARG (times, sizes). */
GN_NODISCARD gn_status gn_tesla_verify(struct gn_osnma_crypto *c, const struct gn_tesla_chain *chain,
        const struct gn_tesla_key *known, const struct gn_tesla_claim *claim, struct gn_tesla_key *ret,
        gn_verdict *verdict);

/* Walk key back n steps in place; is_cancelled (may be NULL) is polled now and then.
 * Errors: GN_E_CANCELLED, GN_E_ARG. */
GN_NODISCARD gn_status gn_tesla_walk(struct gn_osnma_crypto *c, const struct gn_tesla_chain *chain,
        struct gn_tesla_key *key, int64_t n_steps, int (*is_cancelled)(void *arg), void *arg);

#endif
