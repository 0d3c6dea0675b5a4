/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Coupon store: the commitments x_i of a prover and the index of the next one, in a file that survives a kill or a power cut at
 * any moment without ever giving a coupon twice. A coupon used twice gives the secret away (gn_ga_recover_secret).
 *
 *   byte 0     head: "GNCPN\0\0\1", u32 n, u32 x_bits, u32 block, 8 bytes key id, checksum over head and list
 *   byte 512   slot A: u64 generation, u64 next, checksum
 *   byte 1024  slot B: the same; the two are written in turn
 *   byte 1536  list: n times x_bits / 8 bytes
 *
 * Numbers are big-endian, checksums the first 8 bytes of SHA-256. Before a coupon leaves, a block of them is written off
 * durably; a crash skips the rest of the block. A damaged slot costs one more block, since it may have been the newer one.
 * A copy of the whole file put back cannot be seen here: the verifier's high-water mark does. */
#ifndef GN_GPSAUTH_STORE_H
#define GN_GPSAUTH_STORE_H

#include "gnomon/status.h"
#include "lib/gpsauth/coupon.h"

#define GN_GA_KEY_ID_BYTES 8u
#define GN_GA_COUPONS_MAX  (1u << 20)

struct gn_ga_store_head {
    uint32_t n, x_bits;
    uint32_t block; /* coupons written off at once, 1 to 1024 */
    uint8_t key_id[GN_GA_KEY_ID_BYTES];
};

/* How a store writes; NULL: pwrite and fdatasync. For tests that cut the power. True on success. */
struct gn_ga_store_io {
    bool (*write)(void *ctx, int fd, const uint8_t *bytes, size_t n, uint64_t at_byte);
    bool (*sync)(void *ctx, int fd);
    void *ctx;
};

struct gn_ga_store;

/* A new file, mode 0600, refused when it exists. xs[n][x_bits / 8]. Errors: GN_E_ARG, GN_E_OUTPUT. [control] */
GN_NODISCARD gn_status gn_ga_store_create(
        const char *path, const struct gn_ga_store_head *head, const uint8_t *xs, struct gn_error *err);

/* Open and lock. GN_E_IO: cannot be read, another process has it; GN_E_DATA: damaged, rolled back, for another key. [control] */
GN_NODISCARD gn_status gn_ga_store_open(const char *path, const uint8_t key_id[GN_GA_KEY_ID_BYTES],
        const struct gn_ga_store_io *io, struct gn_ga_store **ret, struct gn_error *err);
void gn_ga_store_close(struct gn_ga_store *s);

/* Take the next coupon: on GN_OK *index and x[x_bits / 8] may leave, and never come again. GN_E_DATA: none left;
 * GN_E_OUTPUT: the write failed, the store is closed for good; GN_E_INTERNAL: a process forked. May block. */
GN_NODISCARD gn_status gn_ga_store_burn(struct gn_ga_store *s, uint64_t *index, uint8_t *x, struct gn_error *err);

uint32_t gn_ga_store_left(const struct gn_ga_store *s);
uint32_t gn_ga_store_x_bits(const struct gn_ga_store *s);
uint64_t gn_ga_store_next(const struct gn_ga_store *s);

#endif
