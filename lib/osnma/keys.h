/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Trust anchors: what the user brings from outside, as JSON.
 *
 *   {"merkle_root": "64 hex", "new_merkle_root": "64 hex",
 *    "pubkeys": [{"pkid": 1, "curve": "P-256", "point": "66 hex, compressed"}],
 *    "stored_kroot": {"dsm_kroot": "hex", "nma_header": "82"}, "test": true}
 *
 * every member optional, or an object of such objects by name. Keys marked `test` are refused unless allowed. */
#ifndef GN_OSNMA_KEYS_H
#define GN_OSNMA_KEYS_H

#include "gnomon/status.h"
#include "lib/osnma/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GN_OSNMA_PUBKEYS_MAX 16
#define GN_OSNMA_KEYS_FILE_MAX (1u << 20)

struct gn_osnma_pubkey {
    uint8_t pkid, curve; /* enum gn_osnma_curve */
    uint8_t is_new_root; /* belongs to the new Merkle tree */
    uint8_t is_used;     /* slot holds a key */
    uint8_t point[GN_OSNMA_POINT_BYTES];
};

struct gn_osnma_anchor {
    uint8_t has_root, has_new_root, is_test, has_kroot;
    uint8_t nma_header; /* of the stored DSM-KROOT */
    uint8_t reserved[3];
    uint8_t root[GN_OSNMA_HASH_BYTES], new_root[GN_OSNMA_HASH_BYTES];
    struct gn_osnma_pubkey pubkeys[GN_OSNMA_PUBKEYS_MAX];
    uint32_t kroot_bytes;
    uint8_t kroot[GN_OSNMA_DSM_BYTES];
};

/* text[n_bytes]; name picks one of several sets, NULL or "" the only one. *ret only on GN_OK.
 * Errors, with words: GN_E_PARSE (no JSON, wrong member), GN_E_DATA (test keys, no such name). [control] */
GN_NODISCARD gn_status gn_osnma_keys_parse(const char *text, size_t n_bytes, const char *name,
        bool allow_test, struct gn_osnma_anchor *ret, struct gn_error *err);

/* From "FILE" or "FILE#NAME". Also GN_E_IO. [control] */
GN_NODISCARD gn_status gn_osnma_keys_load(
        const char *path, bool allow_test, struct gn_osnma_anchor *ret, struct gn_error *err);

#endif
