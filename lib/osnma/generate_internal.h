/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Inside of the generator; not for others. sf = sub-frames since GST week 0. */
#ifndef GN_OSNMA_GENERATE_INTERNAL_H
#define GN_OSNMA_GENERATE_INTERNAL_H

#include "lib/osnma/generate.h"
#include "lib/osnma/sign.h"
#include "lib/osnma/tesla.h"

#define GEN_SLOW    11
#define GEN_LEAVES  16
#define GEN_MSGS_MAX 2048 /* differing signed messages */

struct gen_chain {
    uint8_t is_used;
    struct gn_tesla_chain p;
    int64_t root_sf;        /* of the first root key */
    uint8_t root[GN_OSNMA_KEY_BYTES];
    int64_t first_sf;       /* of keys[0]; >= root_sf */
    uint32_t n_keys;
    uint8_t (*keys)[GN_OSNMA_KEY_BYTES]; /* owned; secret until sent */
};

struct gen_pubkey {
    uint8_t is_used, curve;
    uint8_t secret[GN_OSNMA_SECRET_BYTES]; /* wiped when all is signed */
    uint8_t point[GN_OSNMA_POINT_BYTES];
};

struct gen_tree {
    uint8_t is_used;
    struct gen_pubkey keys[GEN_LEAVES]; /* by PKID; leaf number PKID - 1 */
    uint8_t nodes[2 * GEN_LEAVES][GN_OSNMA_HASH_BYTES]; /* [1] the root, [16 + i] leaf i */
};

struct gen_msg {
    uint8_t kind, chain, pkid, tree, header, id, n_blocks;
    int64_t root_sf;
    uint8_t bytes[GN_OSNMA_DSM_BYTES];
};

struct gen_slot {
    int64_t sf; /* from here on ... */
    uint32_t i_msg;
};

struct gn_osnma_gen {
    struct gn_osnma_crypto *crypto;
    struct gn_osnma_gen_config c;
    int64_t start_sf, end_sf;
    struct gen_chain chains[GN_OSNMA_GEN_CHAINS_MAX];
    struct gen_tree trees[2];
    struct gen_msg *msgs;   /* owned */
    uint32_t n_msgs;
    struct gen_slot *slots; /* owned, rising */
    uint32_t n_slots, n_kroots, n_pkrs;
};

/* 32 bytes from seed, purpose and number */
bool gen_derive(struct gn_osnma_crypto *c, uint64_t seed, const char *purpose, unsigned n,
        uint8_t out[GN_OSNMA_HASH_BYTES]);
bool gen_tree_make(struct gn_osnma_gen *g, unsigned i_tree);
/* Bytes of the leaf of that PKID (0: the alert message), 0 when nobody has that key. */
size_t gen_leaf(struct gn_osnma_gen *g, unsigned i_tree, unsigned pkid, uint8_t leaf[1 + GN_OSNMA_DSM_BYTES]);
bool gen_chain_make(struct gn_osnma_gen *g, unsigned i_chain);
/* NULL when the chain has no such key */
const uint8_t *gen_key(const struct gn_osnma_gen *g, int64_t sf);
gn_status gen_schedule(struct gn_osnma_gen *g);
const struct gn_osnma_gen_step *gen_step(const struct gn_osnma_gen *g, int64_t sf);
const struct gen_msg *gen_msg_at(const struct gn_osnma_gen *g, int64_t sf, uint32_t *since);

#endif
