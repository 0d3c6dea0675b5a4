/* SPDX-License-Identifier: ISC
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The one status type of the project and the words that travel with it. */
#ifndef GNOMON_STATUS_H
#define GNOMON_STATUS_H

#include <stddef.h>
#include <stdint.h>

#define GN_COUNT(a)          (sizeof(a) / sizeof((a)[0]))
#define GN_NODISCARD         __attribute__((warn_unused_result))
#define GN_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* name, value, text. Values are part of the ABI: append only. */
#define GN_STATUS_LIST(X)                                                                          \
    X(GN_OK, 0, "ok")                                                                              \
    X(GN_E_ARG, -1, "argument out of range")                                                       \
    X(GN_E_NOMEM, -2, "out of memory")                                                             \
    X(GN_E_PARSE, -3, "cannot be parsed")                                                          \
    X(GN_E_IO, -4, "input or output failed")                                                       \
    X(GN_E_DATA, -5, "bad input data")                                                             \
    X(GN_E_DEVICE, -6, "device failed")                                                            \
    X(GN_E_PLUGIN, -7, "plugin cannot be used")                                                    \
    X(GN_E_OUTPUT, -8, "output cannot be written")                                                 \
    X(GN_E_CANCELLED, -9, "cancelled")                                                             \
    X(GN_E_INTERNAL, -10, "internal error")

#define GN_STATUS_ENUM(name, value, text) name = (value),
typedef enum gn_status { GN_STATUS_LIST(GN_STATUS_ENUM) } gn_status;
#undef GN_STATUS_ENUM

/* Words for a refusal, owned by the caller, handed down as the last parameter; may be NULL. */
struct gn_error {
    gn_status status;
    int32_t line, column;    /* 1-based place in a text input, 0 when there is none */
    uint64_t offset_bytes;   /* place in a binary input */
    char text[240];          /* what is wrong and what to do, no trailing newline */
};

#endif
