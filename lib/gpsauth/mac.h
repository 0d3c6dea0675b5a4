/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The answer y = r + s * c over the integers, by the multipliers of the paper (arXiv:1309.6468, sections III and IV).
 *
 *   serial w     a shift register of |s| + |c| bits passes an adder of w bits once for each bit of c; then r is added
 *   parallel l   constant multipliers: a table of d * s for every digit of l bits of c, all added in one pipeline
 *   hybrid l     one such table, its digits one after the other
 *   native       64-bit limbs, what a processor does best
 *
 * All give the same answer and each counts the clock cycles that the circuit takes. Branches and addresses depend on the
 * public challenge and the sizes alone, never on s or r. */
#ifndef GN_GPSAUTH_MAC_H
#define GN_GPSAUTH_MAC_H

#include "lib/gpsauth/wide.h"

enum gn_ga_arch { GN_GA_SERIAL, GN_GA_PARALLEL, GN_GA_HYBRID, GN_GA_NATIVE };

#define GN_GA_MARGIN_BITS 80u
#define GN_GA_DIGIT_MIN   3u
#define GN_GA_DIGIT_MAX   8u

/* Sizes in bits: secret, challenge, coupon exponent (s + c + 80 or more). */
struct gn_ga_shape {
    uint32_t s_bits, c_bits, r_bits;
};

/* A circuit with its secret inside. Made by gn_ga_mac_open, wiped by gn_ga_mac_close; read-only between, so that threads
 * may share it. */
struct gn_ga_mac {
    enum gn_ga_arch arch;
    uint32_t width; /* adder (8, 16, 32) or digit (3 to 8), bits; 0 native */
    struct gn_ga_shape shape;
    uint32_t n_s;   /* limbs of s */
    uint32_t n_row; /* limbs of a table's row */
    uint64_t s[GN_GA_S_BITS_MAX / 64];
    uint64_t *table; /* [2^width][n_row], d * s */
};

/* "serial16", "parallel4", "hybrid4", "native". False: no such circuit. */
bool gn_ga_arch_parse(const char *name, enum gn_ga_arch *arch, uint32_t *width);
/* Writes the name to text[24]; returns it. */
const char *gn_ga_arch_name(enum gn_ga_arch arch, uint32_t width, char text[24]);

/* GN_E_ARG: sizes out of range, s longer than s_bits or width that the architecture has not; GN_E_NOMEM. [control] */
GN_NODISCARD gn_status gn_ga_mac_open(struct gn_ga_mac *m, enum gn_ga_arch arch, uint32_t width,
        const struct gn_ga_shape *shape, const struct gn_ga_wide *s);
void gn_ga_mac_close(struct gn_ga_mac *m);

/* *y = r + s * c, returns the core cycles spent. The caller has checked 0 <= c < 2^c_bits: an answer to a longer
 * challenge gives s away. Native counts one for each product of
 * limbs. [hot: no heap, no locks] */
uint32_t gn_ga_mac_answer(
        const struct gn_ga_mac *m, uint64_t c, const struct gn_ga_wide *r, struct gn_ga_wide *y);

/* Low-Hamming-weight challenge: copies of s at positions[n] (gaps of s_bits and more) are one number to add.
 * Returns ceil(r_bits / w) for serial w, else 1. [hot] */
uint32_t gn_ga_mac_answer_lhw(const struct gn_ga_mac *m, const uint32_t *positions, uint32_t n,
        const struct gn_ga_wide *r, struct gn_ga_wide *y);

/* ---- the model: cycles, table bits (spec section 2) ------------------------------------------------------------------ */
uint32_t gn_ga_core_cycles(enum gn_ga_arch arch, uint32_t width, const struct gn_ga_shape *shape);
/* With control and bus, fitted to the paper's slopes: serial + 4; hybrid 3 * ceil(r_bits / 16) + 3; parallel as core. */
uint32_t gn_ga_system_cycles(enum gn_ga_arch arch, uint32_t width, const struct gn_ga_shape *shape);
uint64_t gn_ga_table_bits(enum gn_ga_arch arch, uint32_t width, const struct gn_ga_shape *shape);

#endif
