/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* An item of a vector list, and what its checks share. A check returns NULL or what differs. */
#ifndef GN_GPSAUTH_VECTORS_INTERNAL_H
#define GN_GPSAUTH_VECTORS_INTERNAL_H

#include "lib/gpsauth/coupon.h"

#include <jansson.h>

typedef const char *ga_check(const json_t *root, const json_t *item);
ga_check ga_check_key, ga_check_session, ga_check_reuse, ga_check_reject, ga_check_mac, ga_check_lhw, ga_check_coupons,
        ga_check_ec, ga_check_refusal, ga_check_bad_key;

/* members; false when missing or of the wrong form */
bool ga_text(const json_t *o, const char *name, const char **ret);
bool ga_count(const json_t *o, const char *name, uint32_t max, uint32_t *ret);
bool ga_wide(const json_t *o, const char *name, struct gn_ga_wide *ret);
/* a byte string; *n_ret 0 when the member is missing */
bool ga_bytes(const json_t *o, const char *name, uint8_t *bytes, size_t room, size_t *n_ret);

bool ga_equal(const struct gn_ga_wide *a, const struct gn_ga_wide *b);
/* element against the hexadecimal number of a member (or a byte string of the same digits) */
bool ga_is_element(const json_t *o, const char *name, const uint8_t *element, size_t n);

/* the key that an item names, its params */
const json_t *ga_key_of(const json_t *root, const json_t *item);
const json_t *ga_find(const json_t *root, const char *list, const char *id);
bool ga_shape_of(const json_t *key, struct gn_ga_shape *ret);
/* group of a key; public_key overrides the key's own when given. NULL: refused, err says why */
struct gn_ga_group *ga_group_of(const json_t *root, const json_t *key, const char *public_key, struct gn_error *err);
/* x, x_bits, bind of an item and the shape */
bool ga_claim_of(const json_t *item, const struct gn_ga_shape *shape, uint8_t *x, uint8_t *bind, size_t room,
        struct gn_ga_claim *ret);

/* every architecture of item's core_cycles, and the four kinds beside: y and cycles */
const char *ga_check_answers(const json_t *item, const struct gn_ga_shape *shape, const struct gn_ga_wide *s,
        const struct gn_ga_wide *r, uint64_t c, const struct gn_ga_wide *y);

#define GA_BIND_MAX 4096u

#endif
