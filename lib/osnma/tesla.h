/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The TESLA chain. A key off the air is a claim; only gn_tesla_verify() and the signature check make the
 * other type from it. Source: OSNMA SIS ICD 1.1 sections 3.2.3, 6.4. */
#ifndef GN_OSNMA_TESLA_H
#define GN_OSNMA_TESLA_H

#include "gnomon/verdict.h"
#include "lib/osnma/crypto.h"

/* Longest walk anyone can make us take, in sub-frames: a year and a bit; and in hashes, where a draft's chain has many
 * keys a sub-frame: six weeks of 72. */
#define GN_TESLA_STEPS_MAX  1200000
#define GN_TESLA_HASHES_MAX 9000000

struct gn_tesla_chain {
    uint8_t hf, mf, key_bytes, tag_bits, maclt, cid, pkid;
    uint8_t keys_a_sf; /* the chain goes on by so many keys in a sub-frame; 0 is 1 */
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

static inline int64_t gn_tesla_keys_a_sf(const struct gn_tesla_chain *chain)
{
    return chain->keys_a_sf > 0 ? chain->keys_a_sf : 1;
}
static inline bool gn_tesla_is_walkable(const struct gn_tesla_chain *chain, int64_t n_steps)
{
    return n_steps >= 0 && n_steps <= GN_TESLA_STEPS_MAX && n_steps * gn_tesla_keys_a_sf(chain) <= GN_TESLA_HASHES_MAX;
}

/* K(sf - 1) from K(sf): keys_a_sf hashes, all with the time of sf - 1. False when the chain's hash is unknown. */
bool gn_tesla_step(struct gn_osnma_crypto *c, const struct gn_tesla_chain *chain, struct gn_tesla_key *key);

/* Does claim hash back to known? Exactly claim.sf - known.sf steps, 1 to as many as gn_tesla_is_walkable().
 * All inputs are public. *verdict is GN_UNDECIDED unless GN_OK. Errors: GN_E_ARG (times, sizes). */
GN_NODISCARD gn_status gn_tesla_verify(struct gn_osnma_crypto *c, const struct gn_tesla_chain *chain,
        const struct gn_tesla_key *known, const struct gn_tesla_claim *claim, struct gn_tesla_key *ret,
        gn_verdict *verdict);

/* Walk key back n steps in place; is_cancelled (may be NULL) is polled now and then.
 * Errors: GN_E_CANCELLED, GN_E_ARG. */
GN_NODISCARD gn_status gn_tesla_walk(struct gn_osnma_crypto *c, const struct gn_tesla_chain *chain,
        struct gn_tesla_key *key, int64_t n_steps, int (*is_cancelled)(void *arg), void *arg);

#endif
