/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Readers and writers of bits and bytes that know where the data end.
 * Bit 0 is the most significant bit of byte 0 (order of transmission in every GNSS message).
 * Asking for more than there is reads as 0, writes nothing and sets is_past_end for good: check it
 * once after the last field. Zeroed readers and writers are empty. All functions: [any thread] */
#ifndef GN_BITS_BITS_H
#define GN_BITS_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gn_bit_reader {
    const uint8_t *p; /* borrowed */
    size_t n_bits, at;
    bool is_past_end;
};

struct gn_bit_writer {
    uint8_t *p; /* borrowed */
    size_t n_bits, at;
    bool is_past_end;
};

static inline struct gn_bit_reader gn_bit_reader_of(const uint8_t *p, size_t n_bits)
{
    return (struct gn_bit_reader){.p = p, .n_bits = n_bits};
}

static inline struct gn_bit_writer gn_bit_writer_of(uint8_t *p, size_t n_bits)
{
    return (struct gn_bit_writer){.p = p, .n_bits = n_bits};
}

/* The next n (0..64) bits as an unsigned or a two's-complement number. */
uint64_t gn_bits_u(struct gn_bit_reader *r, unsigned n);
int64_t gn_bits_s(struct gn_bit_reader *r, unsigned n);
void gn_bits_skip(struct gn_bit_reader *r, size_t n);

/* The low n (0..64) bits of value, also for negative numbers cast to unsigned. */
void gn_bits_put(struct gn_bit_writer *w, uint64_t value, unsigned n);
/* The next n bits of r. Nothing is copied unless all n exist and fit. Must not overlap. */
void gn_bits_copy(struct gn_bit_writer *w, struct gn_bit_reader *r, size_t n);

/* Bits at..at+n-1 of p[n_bits], n 0..64; 0 when they are not all there. */
uint64_t gn_bits_get(const uint8_t *p, size_t n_bits, size_t at, unsigned n);
/* The same as two's complement. */
int64_t gn_bits_get_s(const uint8_t *p, size_t n_bits, size_t at, unsigned n);
/* Overwrite bits at..at+n-1; false and unchanged when they do not fit. */
bool gn_bits_set(uint8_t *p, size_t n_bits, size_t at, unsigned n, uint64_t value);

/* Two's complement of the low n (1..64) bits of v. */
int64_t gn_bits_sign_extend(uint64_t v, unsigned n);

struct gn_byte_reader {
    const uint8_t *p; /* borrowed */
    size_t n_bytes, at;
    bool is_past_end;
};

static inline struct gn_byte_reader gn_byte_reader_of(const void *p, size_t n_bytes)
{
    return (struct gn_byte_reader){.p = (const uint8_t *)p, .n_bytes = n_bytes};
}

/* The next n (0..8) bytes, little- or big-endian. */
uint64_t gn_bytes_le(struct gn_byte_reader *r, unsigned n);
uint64_t gn_bytes_be(struct gn_byte_reader *r, unsigned n);
/* The next n bytes in place, good as long as the data; NULL when there are fewer. */
const uint8_t *gn_bytes_take(struct gn_byte_reader *r, size_t n);

#endif
