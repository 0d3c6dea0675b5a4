/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/bits/crc24q.h"

#define POLYNOMIAL 0x1864CFBu
#define MASK       0xFFFFFFu

/* what four bits leave behind: (i << 20) * x^4 mod the polynomial */
static const uint32_t nibble_table[16] = {
        0x000000,
        0x864CFB,
        0x8AD50D,
        0x0C99F6,
        0x93E6E1,
        0x15AA1A,
        0x1933EC,
        0x9F7F17,
        0xA18139,
        0x27CDC2,
        0x2B5434,
        0xAD18CF,
        0x3267D8,
        0xB42B23,
        0xB8B2D5,
        0x3EFE2E,
};

uint32_t gn_crc24q(uint32_t crc, struct gn_bit_reader *r, size_t n)
{
    for (; n % 4 != 0; n--) {
        crc ^= (uint32_t)gn_bits_u(r, 1) << 23;
        crc = crc << 1 ^ ((crc >> 23) != 0 ? POLYNOMIAL : 0);
    }
    for (; n != 0; n -= 4)
        crc = (crc << 4 & MASK) ^ nibble_table[crc >> 20 ^ (uint32_t)gn_bits_u(r, 4)];
    return crc;
}
