/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Words 1 to 4 of I/NAV from any four of words 1 to 4 and 17 to 20 (Galileo OS SIS ICD 2.1, section 5.1.13):
 * a shortened Reed-Solomon code over GF(256), 58 information and 60 parity octets. [any thread] */
#ifndef GN_OSNMA_REEDSOLOMON_H
#define GN_OSNMA_REEDSOLOMON_H

#include <stdbool.h>
#include <stdint.h>

struct gn_rs_word {
    uint8_t type;     /* 1..4, 17..20 */
    const uint8_t *w; /* 128 bits */
};

/* False when fewer than four words are given, they contradict each other in IODnav, or do not agree with the
 * code. out[i] is word i + 1. */
bool gn_rs_recover(const struct gn_rs_word *words, unsigned n, uint8_t out[4][16]);

#endif
