/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/frontend/layout.h"

#include <stdbool.h>
#include <string.h>

const char *const gn_file_format_names[] = {
        "auto", "ci8", "cu8", "ci16_le", "ci16_be", "cf32_le", "s8", "s16_le", "packed", NULL};

static const struct {
    uint8_t bytes;  /* of an item in the file, 0: packed */
    uint8_t stream; /* enum gn_format */
} kinds[GN_FILE_FORMAT_COUNT] = {
        [GN_FILE_CI8] = {2, GN_FMT_CI8},
        [GN_FILE_CU8] = {2, GN_FMT_CI8},
        [GN_FILE_CI16_LE] = {4, GN_FMT_CI16},
        [GN_FILE_CI16_BE] = {4, GN_FMT_CI16},
        [GN_FILE_CF32_LE] = {8, GN_FMT_CF32},
        [GN_FILE_CF32_BE] = {8, GN_FMT_CF32},
        [GN_FILE_S8] = {1, GN_FMT_S8},
        [GN_FILE_S16_LE] = {2, GN_FMT_S16},
        [GN_FILE_S16_BE] = {2, GN_FMT_S16},
        [GN_FILE_PACKED] = {0, GN_FMT_CI8},
};

void gn_layout_default_map(struct gn_layout *layout)
{
    int n_codes = 1 << layout->bits;
    for (int code = 0; code < n_codes; code++)
        layout->map[code] = (int8_t)(2 * (code < n_codes / 2 ? code : code - n_codes) + 1);
    if (layout->bits == 1) {
        layout->map[0] = -1;
        layout->map[1] = 1;
    }
}

uint32_t gn_layout_stream_format(const struct gn_layout *layout)
{
    if (layout->format == GN_FILE_PACKED && layout->packing == GN_PACKED_REAL)
        return GN_FMT_S8;
    return kinds[layout->format].stream;
}

size_t gn_format_item_bytes(uint32_t format)
{
    static const uint8_t bytes[] = {[GN_FMT_CI8] = 2,
            [GN_FMT_CI16] = 4,
            [GN_FMT_CF32] = 8,
            [GN_FMT_S8] = 1,
            [GN_FMT_S16] = 2,
            [GN_FMT_F32] = 4,
            [GN_FMT_U8] = 1};
    return format < GN_COUNT(bytes) ? bytes[format] : 0;
}

void gn_layout_item_bytes(const struct gn_layout *layout, uint32_t *num, uint32_t *den)
{
    *num = kinds[layout->format].bytes;
    *den = 1;
    if (layout->format != GN_FILE_PACKED)
        return;
    uint32_t item_bits = layout->bits * (layout->packing == GN_PACKED_REAL ? 1U : 2U);
    *num = 1;
    *den = 8 / item_bits;
}

void gn_layout_table(const struct gn_layout *layout, struct gn_unpack_table *ret)
{
    *ret = (struct gn_unpack_table){0};
    unsigned n_values = 8U / layout->bits, mask = (1U << layout->bits) - 1;
    for (unsigned byte = 0; byte < 256; byte++) {
        for (unsigned i = 0; i < n_values; i++) {
            unsigned place = layout->bit_order == GN_BITS_MSB ? n_values - 1 - i : i;
            unsigned to = layout->packing == GN_PACKED_QI ? i ^ 1U : i;
            ret->values[byte][to] = (uint8_t)layout->map[byte >> (place * layout->bits) & mask];
        }
    }
}

/* Each byte becomes 8 / bits values; constant sizes let the compiler store words. */
static void unpack(
        const struct gn_unpack_table *t, unsigned bits, const uint8_t *in, size_t n, uint8_t *out)
{
    if (bits == 1)
        for (size_t i = 0; i < n; i++)
            memcpy(out + 8 * i, t->values[in[i]], 8);
    else if (bits == 2)
        for (size_t i = 0; i < n; i++)
            memcpy(out + 4 * i, t->values[in[i]], 4);
    else
        for (size_t i = 0; i < n; i++)
            memcpy(out + 2 * i, t->values[in[i]], 2);
}

static void convert_packed(const struct gn_layout *layout, const struct gn_unpack_table *table,
        const uint8_t *in, uint32_t i_first, size_t n_items, uint8_t *out)
{
    uint32_t num = 0, den = 1;
    gn_layout_item_bytes(layout, &num, &den);
    size_t item = layout->packing == GN_PACKED_REAL ? 1 : 2;
    if (i_first > 0) { /* the rest of a byte begun earlier */
        size_t n = den - i_first < n_items ? den - i_first : n_items;
        memcpy(out, table->values[*in++] + i_first * item, n * item);
        out += n * item;
        n_items -= n;
    }
    size_t n_whole = n_items / den;
    unpack(table, layout->bits, in, n_whole, out);
    memcpy(out + n_whole * den * item, n_items % den > 0 ? table->values[in[n_whole]] : in,
            n_items % den * item);
}

static void swap_words(const uint8_t *in, size_t n_words, unsigned width, uint8_t *out)
{
    for (size_t i = 0; i < n_words; i++)
        for (unsigned b = 0; b < width; b++)
            out[i * width + b] = in[i * width + width - 1 - b];
}

void gn_layout_convert(const struct gn_layout *layout, const struct gn_unpack_table *table,
        const uint8_t *bytes, uint32_t i_first, size_t n_items, void *out)
{
    static const uint16_t one = 1;
    bool is_little = *(const uint8_t *)&one == 1;
    size_t n_bytes = n_items * kinds[layout->format].bytes;
    uint8_t *to = out;
    switch ((enum gn_file_format)layout->format) {
    case GN_FILE_PACKED:
        convert_packed(layout, table, bytes, i_first, n_items, to);
        return;
    case GN_FILE_CU8:
        for (size_t i = 0; i < n_bytes; i++)
            to[i] = bytes[i] ^ 0x80U;
        return;
    case GN_FILE_CI16_BE:
    case GN_FILE_S16_BE:
        if (is_little)
            swap_words(bytes, n_bytes / 2, 2, to);
        else
            memcpy(to, bytes, n_bytes);
        return;
    case GN_FILE_CF32_BE:
        if (is_little)
            swap_words(bytes, n_bytes / 4, 4, to);
        else
            memcpy(to, bytes, n_bytes);
        return;
    case GN_FILE_CI16_LE:
    case GN_FILE_S16_LE:
    case GN_FILE_CF32_LE:
        if (!is_little) {
            unsigned width = layout->format == GN_FILE_CF32_LE ? 4 : 2;
            swap_words(bytes, n_bytes / width, width, to);
            return;
        }
        memcpy(to, bytes, n_bytes);
        return;
    case GN_FILE_CI8:
    case GN_FILE_S8:
    case GN_FILE_AUTO:
    case GN_FILE_FORMAT_COUNT:
        memcpy(to, bytes, n_bytes);
        return;
    }
}
