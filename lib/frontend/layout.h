/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* How samples lie in a file, and their conversion to stream items in native byte order.
 *
 * Packed layouts put 8 / bits values in a byte. bit_order msb: the first value is in the most
 * significant bits (0x1B = 0 1 2 3 at 2 bits), lsb: in the least (3 2 1 0). layout iq: values
 * alternate I, Q; qi: Q, I; real: one value an item. An item never straddles a byte. */
#ifndef GN_FRONTEND_LAYOUT_H
#define GN_FRONTEND_LAYOUT_H

#include "gnomon/block.h"
#include "gnomon/status.h"

#include <stddef.h>
#include <stdint.h>

enum gn_file_format {
    GN_FILE_AUTO = 0,
    GN_FILE_CI8,
    GN_FILE_CU8, /* 127.5 is zero; delivered as code - 128, half a step low */
    GN_FILE_CI16_LE,
    GN_FILE_CI16_BE,
    GN_FILE_CF32_LE,
    GN_FILE_S8,
    GN_FILE_S16_LE,
    GN_FILE_PACKED,
    GN_FILE_S16_BE, /* from SigMF only */
    GN_FILE_CF32_BE,
    GN_FILE_FORMAT_COUNT,
};

enum gn_packed_layout { GN_PACKED_IQ = 0, GN_PACKED_QI, GN_PACKED_REAL };
enum gn_bit_order { GN_BITS_MSB = 0, GN_BITS_LSB };

#define GN_PACKED_CODES_MAX 16

struct gn_layout {
    uint8_t format;                  /* enum gn_file_format, not AUTO */
    uint8_t bits;                    /* PACKED: 1, 2 or 4 */
    uint8_t packing;                 /* PACKED: enum gn_packed_layout */
    uint8_t bit_order;               /* PACKED: enum gn_bit_order */
    int8_t map[GN_PACKED_CODES_MAX]; /* PACKED: value of each code, the first 1 << bits count */
};

extern const char
        *const gn_file_format_names[]; /* "auto" .. "packed", NULL-ended: the parameter's choices */

/* The map when none is given: two's complement halves, 2 c + 1 (2 bits: +1 +3 -3 -1); 1 bit: -1 +1.
 */
void gn_layout_default_map(struct gn_layout *layout);

/* enum gn_format of the stream: ci8 for 8 bits and packed, else as wide as the file. [any thread]
 */
uint32_t gn_layout_stream_format(const struct gn_layout *layout);
/* Bytes of a stream item. [any thread] */
size_t gn_format_item_bytes(uint32_t format);

/* n items take ceil(n * num / den) bytes: num/den is 2/1 for ci8, 1/4 for 1-bit IQ. [any thread] */
void gn_layout_item_bytes(const struct gn_layout *layout, uint32_t *num, uint32_t *den);

/* One byte of a packed file to its values in time order, I before Q: up to 8 bytes as they lie in
 * memory. */
struct gn_unpack_table {
    uint8_t values[256][8];
};
void gn_layout_table(const struct gn_layout *layout, struct gn_unpack_table *ret);

/* Convert n_items items whose first is the i_first-th of bytes[0] (0 but for packed layouts) into
 * out. table: from gn_layout_table, NULL for formats that are not packed. [any thread] */
void gn_layout_convert(const struct gn_layout *layout, const struct gn_unpack_table *table,
        const uint8_t *bytes, uint32_t i_first, size_t n_items, void *out);

#endif
