/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Bytes as hexadecimal text. */
#ifndef GN_BITS_HEX_H
#define GN_BITS_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* text[n_chars] of either case into exactly n_chars / 2 bytes of out[room]. False, with out
 * undefined, when n_chars is odd, room too small or a character is none of 0-9a-fA-F. [any thread]
 */
bool gn_hex_parse(const char *text, size_t n_chars, uint8_t *out, size_t room);

/* Lower case, zero-ended: text needs 2 * n_bytes + 1. [any thread] */
void gn_hex_print(const uint8_t *bytes, size_t n_bytes, char *text);

#endif
