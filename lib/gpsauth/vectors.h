/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Published vectors against this implementation: a JSON object with the lists params, keys, sessions, reuse, reject, mac, lhw,
 * coupons, ec, prover_refuse, bad_keys (numbers as hexadecimal text). [control] */
#ifndef GN_GPSAUTH_VECTORS_H
#define GN_GPSAUTH_VECTORS_H

#include "gnomon/status.h"

#include <stddef.h>
#include <stdint.h>

#define GN_GA_VECTORS_FILE_MAX (64u << 20)
#define GN_GA_VECTOR_LISTS     10u

struct gn_ga_score {
    const char *list;
    uint32_t n_passed, n_total;
};

/* Told of each mismatch: the list, the item's place in it, what differs. */
typedef void (*gn_ga_mismatch_fn)(void *user, const char *list, size_t item, const char *what);

/* scores[GN_GA_VECTOR_LISTS] in the order above; a list that the file has not counts 0 of 0.
 * GN_E_PARSE: no JSON, or no object with at least one of the lists. */
GN_NODISCARD gn_status gn_ga_vectors_check(const char *text, size_t n_bytes, gn_ga_mismatch_fn mismatch, void *user,
        struct gn_ga_score *scores, struct gn_error *err);

#endif
