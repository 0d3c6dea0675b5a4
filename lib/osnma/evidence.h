/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Why a tag is authentic, as something a stranger can check: the pages as received, and every step from the tag over
 * the TESLA key, its chain, the root key and its signature to the public key and the Merkle root, computed anew from
 * them. JSON form of a bundle: docs/osnma.md.
 *
 * The check shares no state and no logic with the engine, only the formats and the primitives: two ways to one verdict.
 * It fails closed: what is missing, contradicts itself or is not vouched for by the checker's own anchors is never
 * authentic. A bundle cannot prove when it was received. */
#ifndef GN_OSNMA_EVIDENCE_H
#define GN_OSNMA_EVIDENCE_H

#include "lib/osnma/engine.h"

#include <jansson.h>

#define GN_EVIDENCE_PAGES_MAX 4096
#define GN_EVIDENCE_TAGS_MAX  64
#define GN_EVIDENCE_FILE_MAX  (1u << 21)

struct gn_evidence_tag {
    int64_t sf;              /* sub-frame that carried it, since GST week 0 */
    int64_t key_sf;          /* sub-frame whose pages bring its key or a later one; -1: none came */
    uint8_t prn_a, ctr;
    uint8_t has_content;
    uint8_t is_guess;        /* content: the newest words before the tag; one that does not fit proves nothing */
    uint8_t content[GN_OSNMA_CONTENT_BYTES]; /* the covered bits, most significant first */
};

/* pages between two sub-frames hold a whole signed message */
struct gn_evidence_dsm {
    uint8_t is_there, id;
    int64_t from_sf, to_sf;
};

struct gn_evidence {
    struct gn_osnma_anchor claimed; /* what the maker trusted: a claim */
    struct gn_evidence_dsm kroot, pkr;
    uint32_t n_tags, n_pages;
    struct gn_evidence_tag tags[GN_EVIDENCE_TAGS_MAX];
    struct gn_osnma_page pages[GN_EVIDENCE_PAGES_MAX];
};

/* From JSON text. Errors, with words: GN_E_PARSE, GN_E_DATA (more than fits, a page that is none), GN_E_NOMEM.
 * *ret: free(). [control] */
GN_NODISCARD gn_status gn_evidence_parse(const char *text, size_t n_bytes, struct gn_evidence **ret, struct gn_error *err);
/* As JSON; NULL without memory. [control] */
json_t *gn_evidence_json(const struct gn_evidence *e);

/* Compute everything anew. mine: the checker's own anchors, NULL when he has none (then nothing is authentic).
 * The report: {"verdict", "tags": [{"wn", "tow", "prn_a", "prn_d", "adkd", "ctr", "verdict", "reason",
 * "nodes": [{"node", "verdict", "reason", bytes as members}]}]}; NULL without memory. [control] */
json_t *gn_evidence_check(const struct gn_evidence *e, const struct gn_osnma_anchor *mine, gn_verdict *verdict);

/* Which tags: those satellite prn sent, or that others sent about it, in one sub-frame; ctr 0: all. */
struct gn_evidence_wish {
    int64_t sf;
    uint8_t prn, ctr;
    uint8_t sent_only; /* no tags of others about it */
};

/* Pick out of a recording what proves or refutes the wished tags. ret->n_tags may be 0.
 * Errors, with words: GN_E_DATA (no page of that sub-frame, no chain), GN_E_NOMEM. [control] */
GN_NODISCARD gn_status gn_evidence_build(const struct gn_osnma_page *pages, size_t n_pages,
        const struct gn_osnma_anchor *anchor, const struct gn_evidence_wish *wish, struct gn_evidence **ret,
        struct gn_error *err);

#endif
