/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Inside of the evidence's check: what its two halves share. */
#ifndef GN_OSNMA_EVIDENCE_NODES_H
#define GN_OSNMA_EVIDENCE_NODES_H

#include "lib/osnma/evidence_pages.h"

struct ev_check {
    struct ev_pages pages;
    const struct gn_evidence *e;
    const struct gn_osnma_anchor *mine;
    struct gn_osnma_crypto *crypto;
    json_t *nodes;           /* of the tag under way */
    gn_verdict verdict;      /* worst of its nodes */
    char reason[GN_OSNMA_REASON];
    bool has_chain;          /* the signed root key is known, and so is what it is worth */
    struct gn_osnma_kroot_fields kroot;
    struct gn_tesla_chain chain;
    struct gn_tesla_key root;
    json_t *chain_nodes;     /* signature, public key, Merkle tree: the same for all tags */
    gn_verdict chain_verdict;
    char chain_reason[GN_OSNMA_REASON];
};

extern const char *const ev_verdict_names[3];

/* forged beats undecided beats authentic; the first reason of the worst verdict stays */
void ev_worsen(gn_verdict *worst, char *reason, gn_verdict v, const char *why);

/* A step of the report, and bytes in it. */
json_t *ev_node(const char *name, gn_verdict v, const char *reason);
void ev_put_hex(json_t *node, const char *name, const uint8_t *bytes, size_t n);
void ev_put_int(json_t *node, const char *name, int64_t v);
void ev_put_gst(json_t *node, const char *name, int64_t sf);

/* The signed root key, its signature, public key and Merkle tree: into chain_nodes. */
void ev_load_chain(struct ev_check *c, int64_t near_sf);

#endif
