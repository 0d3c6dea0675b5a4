/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Trees, key pairs and chains from a seed. */
#include "lib/bits/hex.h"
#include "lib/osnma/generate_internal.h"

#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gen_derive(struct gn_osnma_crypto *c, uint64_t seed, const char *purpose, unsigned n,
        uint8_t out[GN_OSNMA_HASH_BYTES])
{
    uint8_t msg[64] = {0};
    int len = snprintf((char *)msg, sizeof msg, "gnomon TEST %s %u %016llx", purpose, n, (unsigned long long)seed);
    bool ok = len > 0 && gn_osnma_hash(c, GN_OSNMA_SHA256, msg, (size_t)len, out);
    OPENSSL_cleanse(msg, sizeof msg);
    return ok;
}

/* ---- chains ------------------------------------------------------------------------------------------------------ */
/* The first chain's number is 0 in every purpose: streams of one seed stay what they were. */
bool gen_chain_make(struct gn_osnma_gen *g, unsigned i_chain)
{
    struct gen_chain *c = &g->chains[i_chain];
    uint8_t x[GN_OSNMA_HASH_BYTES];
    bool ok = gen_derive(g->crypto, g->c.seed, "alpha", i_chain, x);
    memcpy(c->p.alpha, x, sizeof c->p.alpha);
    ok = ok && gen_derive(g->crypto, g->c.seed, "chain", i_chain, x);
    struct gn_tesla_key key = {.sf = c->first_sf + c->n_keys - 1};
    memcpy(key.bytes, x, c->p.key_bytes);
    for (uint32_t i = c->n_keys; ok && i-- > 0;) {
        memcpy(c->keys[i], key.bytes, c->p.key_bytes);
        ok = i == 0 || gn_tesla_step(g->crypto, &c->p, &key);
    }
    ok = ok && gn_tesla_walk(g->crypto, &c->p, &key, c->first_sf - c->root_sf, NULL, NULL) == GN_OK;
    memcpy(c->root, key.bytes, sizeof c->root);
    OPENSSL_cleanse(x, sizeof x);
    OPENSSL_cleanse(&key, sizeof key);
    return ok;
}

const uint8_t *gen_key(const struct gn_osnma_gen *g, int64_t sf)
{
    const struct gen_chain *c = &g->chains[gen_step(g, sf)->chain];
    return sf >= c->first_sf && sf < c->first_sf + c->n_keys ? c->keys[sf - c->first_sf] : NULL;
}

/* ---- Merkle trees ------------------------------------------------------------------------------------------------ */
static bool make_secret(struct gn_osnma_gen *g, unsigned i_tree, unsigned pkid, struct gen_pubkey *k)
{
    uint8_t x[GN_OSNMA_HASH_BYTES];
    bool ok = true;
    size_t n = gn_osnma_secret_bytes(k->curve);
    for (size_t at = 0; ok && at < n; at += sizeof x) { /* longer secrets take several hashes */
        unsigned part = (unsigned)(at / sizeof x) * 100 + i_tree * 1000 + pkid;
        ok = gen_derive(g->crypto, g->c.seed, "private key", part, x);
        memcpy(k->secret + at, x, n - at < sizeof x ? n - at : sizeof x);
    }
    OPENSSL_cleanse(x, sizeof x);
    return ok && gn_osnma_public(k->curve, k->secret, k->point);
}

static unsigned npkt_of(unsigned curve)
{
    static const uint8_t npkt[GN_OSNMA_CURVE_COUNT] = {[GN_OSNMA_P256] = GN_NPKT_P256,
            [GN_OSNMA_P521] = GN_NPKT_P521, [GN_OSNMA_P224] = 0, [GN_OSNMA_P384] = 2};
    return npkt[curve];
}

/* NPKT || NPKID || point, or the alert message in the last leaf; keys nobody uses belong to nobody */
size_t gen_leaf(struct gn_osnma_gen *g, unsigned i_tree, unsigned pkid, uint8_t leaf[1 + GN_OSNMA_DSM_BYTES])
{
    const struct gen_pubkey *k = &g->trees[i_tree].keys[pkid % GEN_LEAVES];
    memset(leaf, 0, 1 + GN_OSNMA_DSM_BYTES);
    if (pkid == 0) {
        static const char text[39] = "gnomon TEST alert: stop using this key";
        leaf[0] = GN_NPKT_OAM << 4;
        memcpy(leaf + 1, text, sizeof text);
        return 1 + sizeof text;
    }
    if (!k->is_used)
        return 0;
    leaf[0] = (uint8_t)(npkt_of(k->curve) << 4 | pkid);
    memcpy(leaf + 1, k->point, gn_osnma_curves[k->curve].point_bytes);
    return 1 + gn_osnma_curves[k->curve].point_bytes;
}

bool gen_tree_make(struct gn_osnma_gen *g, unsigned i_tree)
{
    struct gen_tree *t = &g->trees[i_tree];
    uint8_t leaf[1 + GN_OSNMA_DSM_BYTES];
    bool ok = true;
    for (unsigned p = 1; p < GEN_LEAVES; p++)
        if (t->keys[p].is_used)
            ok = ok && make_secret(g, i_tree, p, &t->keys[p]);
    for (unsigned i = 0; ok && i < GEN_LEAVES; i++) {
        size_t n = gen_leaf(g, i_tree, (i + 1) % GEN_LEAVES, leaf);
        ok = n > 0 ? gn_osnma_hash(g->crypto, GN_OSNMA_SHA256, leaf, n, t->nodes[GEN_LEAVES + i])
                   : gen_derive(g->crypto, g->c.seed, "leaf", i + 100 * i_tree, t->nodes[GEN_LEAVES + i]);
    }
    for (unsigned i = GEN_LEAVES; ok && i-- > 1;) /* children lie side by side */
        ok = gn_osnma_hash(g->crypto, GN_OSNMA_SHA256, t->nodes[2 * (size_t)i], 2 * GN_OSNMA_HASH_BYTES, t->nodes[i]);
    return ok;
}

/* ---- what the receiver starts from ------------------------------------------------------------------------------- */
static int print_root(const char *name, const struct gen_tree *t, char *text, size_t room)
{
    char hex[2 * GN_OSNMA_HASH_BYTES + 1];
    gn_hex_print(t->nodes[1], GN_OSNMA_HASH_BYTES, hex);
    return t->is_used ? snprintf(text, room, " \"%s\": \"%s\",\n", name, hex) : 0;
}

size_t gn_osnma_gen_keys_json(const struct gn_osnma_gen *g, char *text, size_t room)
{
    const struct gn_osnma_gen_dsm *d = g->c.steps[0].dsms;
    const struct gen_pubkey *k = &g->trees[d->tree].keys[d->pkid];
    char point[2 * GN_OSNMA_POINT_BYTES + 1], roots[400];
    int n = print_root("merkle_root", &g->trees[0], roots, sizeof roots);
    n += print_root("new_merkle_root", &g->trees[1], roots + n, sizeof roots - (size_t)n);
    gn_hex_print(k->point, gn_osnma_curves[k->curve].point_bytes, point);
    n = snprintf(text, room,
            "{\n \"note\": \"TEST keys of a simulator: they prove nothing about a real sky\",\n \"test\": true,\n"
            "%s \"pubkeys\": [{\"pkid\": %u, \"curve\": \"%s\", \"point\": \"%s\"}]\n}\n",
            roots, d->pkid, gn_osnma_curves[k->curve].name, point);
    return n > 0 && (size_t)n < room ? (size_t)n : 0;
}
