/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Low-Hamming-weight challenges (Girault and Lefranc, CHES 2004): c = sum of 2^p_k with gaps of at least |s|, so that s * c
 * is copies of s side by side. On the wire: the index among all of them, colexicographic in q_k = p_k - k * (|s| - 1).
 * [any thread, reentrant] */
#ifndef GN_GPSAUTH_LHW_H
#define GN_GPSAUTH_LHW_H

#include "lib/gpsauth/wide.h"

#define GN_GA_WEIGHT_MAX 16u

struct gn_ga_lhw {
    uint32_t s_bits, weight;
    uint32_t length; /* of c, bits; at most GN_GA_C_BITS_MAX */
};

/* How many challenges there are; 0: none, more than 2^64 - 1, or sizes out of range. */
uint64_t gn_ga_lhw_space(const struct gn_ga_lhw *p);
/* positions[weight], rising. GN_E_DATA: index beyond the space. */
GN_NODISCARD gn_status gn_ga_lhw_positions(const struct gn_ga_lhw *p, uint64_t index, uint32_t *positions);
/* The other way. GN_E_DATA: wrong weight, positions too close, out of order or too high. */
GN_NODISCARD gn_status gn_ga_lhw_index(const struct gn_ga_lhw *p, const uint32_t *positions, uint32_t n, uint64_t *ret);
/* c as a number; the positions have been checked. */
void gn_ga_lhw_challenge(const uint32_t *positions, uint32_t n, struct gn_ga_wide *ret);

#endif
