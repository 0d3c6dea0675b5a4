/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Key files as the European GNSS Service Centre gives them out: XML of a public key or of a Merkle tree, X.509
 * certificates (PEM or DER), public keys as PEM. Source: OSNMA Internet Data Distribution ICD; RFC 5280, 7468.
 *
 * Nothing here proves who made a file: what the user imports is what he trusts. */
#ifndef GN_OSNMA_KEYFILE_H
#define GN_OSNMA_KEYFILE_H

#include "lib/osnma/keys.h"

#include <jansson.h>

struct gn_osnma_keyfile {
    uint8_t has_root, has_key, is_certified; /* the certificate's signature is by the next one in the file */
    uint8_t has_leaf;      /* XML tree: nodes lead from the key to the root, and that was checked */
    uint8_t i_leaf;        /* place of the key in the tree */
    uint8_t reserved[3];
    uint8_t root[GN_OSNMA_HASH_BYTES];
    struct gn_osnma_pubkey key; /* pkid 0: the file does not say */
    char state[24];        /* XML: "Applicable", "Renewed", ...; "" */
    char begin[24], end[24];
};

/* data[n_bytes], the file's name (for a PKID in it, "..._PKID_7.crt"). *ret only on GN_OK.
 * Errors, with words: GN_E_PARSE (none of these forms), GN_E_DATA (wrong curve, point, tree). [control] */
GN_NODISCARD gn_status gn_osnma_keyfile_parse(const uint8_t *data, size_t n_bytes, const char *name,
        struct gn_osnma_keyfile *ret, struct gn_error *err);

/* One form: the XML of keyxml.c. Not for others. */
gn_status gn_osnma_keyxml_parse(const char *text, size_t n_bytes, struct gn_osnma_keyfile *ret, struct gn_error *err);

struct gn_osnma_merge {
    bool as_new_tree; /* what is imported belongs to the next Merkle tree */
    bool replaces;    /* instead of what is there under the same name */
};

/* Put what a file holds into a set of KEYS.json (lib/osnma/keys.h). *changed tells whether anything is new.
 * Errors, with words: GN_E_DATA (differs from what is there), GN_E_NOMEM. [control] */
GN_NODISCARD gn_status gn_osnma_keyfile_merge(const struct gn_osnma_keyfile *f, const struct gn_osnma_merge *how,
        json_t *set, bool *changed, struct gn_error *err);

#endif
