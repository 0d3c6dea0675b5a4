/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What a receiver keeps over a restart, as bytes of a file: signed messages as received, the newest chain key, and
 * chains that were revoked. Nothing in it is believed: signatures, the Merkle tree and the chain are checked again
 * against the user's own anchors at load, so a forged file can only make a start colder.
 *
 *   0 "gnosnma\n"   8 version (16 bits)   10 zero (16 bits)   12 length of the records (32 bits)   16 records
 *   then SHA-256 over all before it. Little-endian.
 *   A record: kind (8 bits), detail (8 bits), length (16 bits), bytes.
 *     1 DSM-KROOT, detail: its NMA header      2 DSM-PKR or alert message
 *     3 newest key, detail: CID; sub-frame (64 bits), 32 bytes      4 revoked chain, detail: CID; 14 bytes */
#ifndef GN_OSNMA_STATE_H
#define GN_OSNMA_STATE_H

#include "lib/osnma/engine.h"

#define GN_OSNMA_STATE_PKRS      4
#define GN_OSNMA_STATE_FILE_MAX  4096u
#define GN_OSNMA_STATE_VERSION   1

struct gn_osnma_state {
    uint8_t has_kroot, nma_header, has_key, key_cid;
    uint8_t n_pkrs, n_revoked, reserved[2];
    uint32_t kroot_bytes;
    uint32_t pkr_bytes[GN_OSNMA_STATE_PKRS];
    uint8_t kroot[GN_OSNMA_DSM_BYTES];
    uint8_t pkrs[GN_OSNMA_STATE_PKRS][GN_OSNMA_DSM_BYTES]; /* oldest first */
    struct gn_tesla_key key;
    struct gn_tesla_chain revoked[4];
};

enum gn_osnma_start { GN_OSNMA_START_NONE = 0, GN_OSNMA_START_COLD, GN_OSNMA_START_WARM, GN_OSNMA_START_HOT };
extern const char *const gn_osnma_start_names[]; /* "none", "cold", "warm", "hot" */

/* Take from a running engine what is worth keeping; what it has no longer stays. True: something new. [stream] */
bool gn_osnma_state_take(const struct gn_osnma *o, struct gn_osnma_state *s);

/* Returns the length, 0 when it does not fit in room (GN_OSNMA_STATE_FILE_MAX always does). [any thread] */
size_t gn_osnma_state_write(const struct gn_osnma_state *s, uint8_t *out, size_t room);

/* *ret only on GN_OK. Errors, with words: GN_E_DATA (damaged, another version). [any thread] */
GN_NODISCARD gn_status gn_osnma_state_read(const uint8_t *data, size_t n_bytes, struct gn_osnma_state *ret,
        struct gn_error *err);

/* Check it against config->anchor and put what holds into *config: public keys, root key, chain key, revocations.
 * Returns how warm the start is; why (may be NULL): what did not hold, "" when all did. *is_alert: an authenticated
 * alert message is kept, so the anchors are withdrawn; get new ones from the service centre. [control] */
enum gn_osnma_start gn_osnma_state_apply(const struct gn_osnma_state *s, struct gn_osnma_config *config, bool *is_alert,
        char why[96]);

/* From a file; *is_there false when there is none, which is no error. Also GN_E_IO. [control] */
GN_NODISCARD gn_status gn_osnma_state_load(const char *path, struct gn_osnma_state *ret, bool *is_there,
        struct gn_error *err);

/* The start the anchors alone allow. */
enum gn_osnma_start gn_osnma_start_of(const struct gn_osnma_anchor *a);

#endif
