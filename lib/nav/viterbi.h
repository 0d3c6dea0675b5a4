/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The convolutional code of Galileo I/NAV and SBAS: constraint length 7, rate 1/2, generators 171
 * and 133 (octal), and its maximum-likelihood decoder on soft symbols. Source: Galileo OS SIS
 * ICD 2.1 section 4.1.4; RTCA DO-229 section 2.1.1.2. */
#ifndef GN_NAV_VITERBI_H
#define GN_NAV_VITERBI_H

#include <stddef.h>
#include <stdint.h>

#define GN_VITERBI_MAX_BITS 512u

enum gn_conv_code {
    GN_CONV_PLAIN = 0,       /* SBAS */
    GN_CONV_INVERTED_G2 = 1, /* Galileo: the 133 branch is sent inverted */
};

/* What is known of the encoder's memory at the ends of a block. */
#define GN_VITERBI_STARTS_AT_0 1u
#define GN_VITERBI_ENDS_AT_0   2u /* six tail zeros are the last bits */

/* bits[n_bits] (most significant first) into 2 * n_bits symbols of 0 or 1, from memory *state (six
 * bits, 0 at first), which is updated. [any thread] */
void gn_conv_encode(enum gn_conv_code code, const uint8_t *bits, size_t n_bits, unsigned *state,
        uint8_t *symbols);

/* soft[2 * n_bits]: positive = symbol 0, 0 = erased. Writes n_bits (at most GN_VITERBI_MAX_BITS, a
 * multiple of 8 not needed) to bits, the rest of the last byte 0. Returns how well the answer fits:
 * sum of soft values along it over the sum of their magnitudes, 1 = every symbol agrees, 0 when
 * n_bits is out of range or all is erased. [any thread] */
float gn_viterbi_decode(
        enum gn_conv_code code, unsigned ends, const float *soft, size_t n_bits, uint8_t *bits);

#endif
