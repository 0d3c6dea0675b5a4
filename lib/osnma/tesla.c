/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/osnma/tesla.h"

#include "lib/osnma/format.h"

#include <string.h>

#define POLL_HASHES 4096 /* about 2 ms */

/* K(t - 30) = trunc(KS, HF(K(t) || GST(t - 30) || alpha)) */
bool gn_tesla_step(struct gn_osnma_crypto *c, const struct gn_tesla_chain *chain, struct gn_tesla_key *key)
{
    uint8_t buf[GN_OSNMA_KEY_BYTES + 4 + sizeof chain->alpha], out[GN_OSNMA_HASH_BYTES];
    size_t n = chain->key_bytes;
    int64_t n_hashes = gn_tesla_keys_a_sf(chain);
    uint32_t gst = gn_osnma_gst(key->sf - 1);
    if (n > GN_OSNMA_KEY_BYTES)
        return false;
    memcpy(buf, key->bytes, n);
    for (unsigned i = 0; i < 4; i++)
        buf[n++] = (uint8_t)(gst >> (24 - 8 * i));
    memcpy(buf + n, chain->alpha, sizeof chain->alpha);
    n += sizeof chain->alpha;
    for (int64_t i = 0; i < n_hashes; i++) {
        if (!gn_osnma_hash(c, chain->hf, buf, n, out))
            return false;
        memcpy(buf, out, chain->key_bytes);
    }
    memcpy(key->bytes, out, chain->key_bytes);
    key->sf--;
    return true;
}

gn_status gn_tesla_walk(struct gn_osnma_crypto *c, const struct gn_tesla_chain *chain,
        struct gn_tesla_key *key, int64_t n_steps, int (*is_cancelled)(void *arg), void *arg)
{
    int64_t poll_steps = POLL_HASHES / gn_tesla_keys_a_sf(chain);
    if (!gn_tesla_is_walkable(chain, n_steps) || key->sf - n_steps < 0)
        return GN_E_ARG;
    for (int64_t i = 0; i < n_steps; i++) {
        if (i % poll_steps == poll_steps - 1 && is_cancelled != NULL && is_cancelled(arg))
            return GN_E_CANCELLED;
        if (!gn_tesla_step(c, chain, key))
            return GN_E_ARG;
    }
    return GN_OK;
}

gn_status gn_tesla_verify(struct gn_osnma_crypto *c, const struct gn_tesla_chain *chain,
        const struct gn_tesla_key *known, const struct gn_tesla_claim *claim, struct gn_tesla_key *ret,
        gn_verdict *verdict)
{
    *verdict = GN_UNDECIDED;
    if (claim->sf <= known->sf)
        return GN_E_ARG;
    struct gn_tesla_key key = {.sf = claim->sf};
    memcpy(key.bytes, claim->bytes, sizeof key.bytes);
    gn_status st = gn_tesla_walk(c, chain, &key, claim->sf - known->sf, NULL, NULL);
    if (st != GN_OK)
        return st;
    bool is_same = memcmp(key.bytes, known->bytes, chain->key_bytes) == 0;
    *verdict = is_same ? GN_AUTHENTIC : GN_FORGED;
    if (is_same) {
        ret->sf = claim->sf;
        memcpy(ret->bytes, claim->bytes, sizeof ret->bytes);
    }
    return GN_OK;
}
