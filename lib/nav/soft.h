/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The newest soft symbols of one channel by number: what decoding backwards needs. */
#ifndef GN_NAV_SOFT_H
#define GN_NAV_SOFT_H

#include <stddef.h>
#include <stdint.h>

#define GN_SOFT_ROOM 4096u /* 82 s of GPS bits, 16 s of E1-B symbols */

struct gn_soft {
    uint64_t first, end;   /* numbers first..end-1 are here; both 0 at start */
    float v[GN_SOFT_ROOM]; /* symbol k at k % GN_SOFT_ROOM; 0 = never received */
};

/* Take soft[n] as symbols number..number+n-1. A jump forward leaves zeros (erasures), a jump over
 * the whole room or backwards begins anew. [stream] */
void gn_soft_push(struct gn_soft *s, uint64_t number, const float *soft, size_t n);

/* Symbol k, 0 when it is not here. [stream] */
float gn_soft_at(const struct gn_soft *s, uint64_t k);

/* Symbols from..from+n-1 (from may lie before the first one: wraps below 0 are erasures too).
 * [stream] */
void gn_soft_copy(const struct gn_soft *s, int64_t from, size_t n, float *ret);

#endif
