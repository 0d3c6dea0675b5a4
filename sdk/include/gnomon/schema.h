/* SPDX-License-Identifier: ISC
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A message is a small immutable C struct; a schema is the constant table that describes it.
 * The host stores, orders and prints messages from the table alone: no block writes JSON. */
#ifndef GNOMON_SCHEMA_H
#define GNOMON_SCHEMA_H

#include <stddef.h>
#include <stdint.h>

enum gn_field_type {
    GN_F_U8 = 1,
    GN_F_U16,
    GN_F_U32,
    GN_F_U64,
    GN_F_I32,
    GN_F_I64,
    GN_F_F32,   /* NaN = unknown: left out */
    GN_F_F64,   /* NaN = unknown: left out */
    GN_F_BOOL,  /* uint8_t */
    GN_F_ENUM,  /* uint8_t index into names[]; a NULL name = unknown: left out */
    GN_F_TEXT,  /* char[count], zero-ended; empty = unknown: left out */
    GN_F_HEX,   /* uint8_t[count], printed as lower-case hex */
    GN_F_LIST,  /* array of count structs described by sub, printed as an array of objects */
    GN_F_GROUP, /* one struct described by sub, printed as an object */
};

#define GN_F_NONE_IS_MAX 1u /* integer with all bits set (signed: maximum) = unknown: left out */
#define GN_F_HIDDEN      2u /* carried between blocks, not printed */

struct gn_field {
    const char *name; /* as printed; carries its unit (doppler_hz) */
    const char *unit; /* UCUM code, "" for none */
    const char *const *names;      /* GN_F_ENUM */
    const struct gn_field *sub;    /* GN_F_LIST, GN_F_GROUP */
    uint32_t type;                 /* enum gn_field_type */
    uint32_t flags;
    uint32_t offset;               /* in the struct */
    uint32_t count;                /* scalars: 0 or 1 one value, more an array; TEXT and HEX: bytes */
    uint32_t n_offset_plus1;       /* 0, or 1 + offset of a uint32_t that holds the used count (arrays, HEX, LIST) */
    uint32_t n_names, n_sub, sub_size;
    uint32_t decimals;             /* F32, F64: digits after the point */
    uint32_t reserved;
};

struct gn_schema {
    const char *name;  /* "acq.hit/1": equal names mean equal layout */
    const char *event; /* word in the event log, NULL: never logged */
    const char *doc;
    const struct gn_field *fields;
    uint32_t n_fields;
    uint32_t size; /* of the struct, at most GN_MSG_MAX_BYTES */
};

#define GN_MSG_MAX_BYTES 16384u

#define GN_FIELD(struct_, field_, type_, unit_)                                                    \
    {                                                                                              \
        .name = #field_, .unit = (unit_), .type = (type_),                                         \
        .offset = (uint32_t)offsetof(struct_, field_)                                              \
    }
/* GN_FIELD_X(struct x, doppler_hz, GN_F_F64, "Hz", .decimals = 1) */
#define GN_FIELD_X(struct_, field_, type_, unit_, ...)                                             \
    {                                                                                              \
        .name = #field_, .unit = (unit_), .type = (type_),                                         \
        .offset = (uint32_t)offsetof(struct_, field_), __VA_ARGS__                                 \
    }

#endif
