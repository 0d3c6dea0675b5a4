/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* SigMF metadata as far as a receiver needs it. Source: SigMF specification 1.2, global and
 * captures objects. The text is hostile until parsed: size, nesting, counts and every number are
 * bounded. */
#ifndef GN_FRONTEND_SIGMF_H
#define GN_FRONTEND_SIGMF_H

#include "gnomon/status.h"
#include "lib/frontend/layout.h"
#include "lib/time/time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GN_SIGMF_TEXT_MAX_BYTES (4U << 20)
#define GN_SIGMF_VALUES_MAX     100000U /* values in the whole text */
#define GN_SIGMF_DEPTH_MAX      64U
#define GN_SIGMF_CAPTURES_MAX   1024U
#define GN_SIGMF_NAME_MAX       256U
#define GN_SIGMF_RATE_MAX_HZ    1e12
#define GN_SIGMF_INDEX_MAX      (1LL << 53)

struct gn_sigmf_capture {
    uint64_t sample_start; /* in the data file, 0-based, ascending */
    uint64_t global_index; /* in the original stream; sample_start when absent */
    uint64_t header_bytes; /* bytes before sample_start that are no samples */
    double frequency_hz;   /* NaN: absent */
    struct gn_time t;      /* valid if has_t */
    bool has_t;
};

struct gn_sigmf {
    char datatype[32]; /* "ci16_le" */
    struct gn_layout layout;
    double rate_sps;                 /* 0: absent */
    char dataset[GN_SIGMF_NAME_MAX]; /* core:dataset, a bare file name; "" : the .sigmf-data beside
                                        it */
    uint8_t sha512[64];
    bool has_sha512;
    uint64_t trailing_bytes; /* after the last sample */
    uint32_t n_captures;     /* at least 1 after parsing */
    struct gn_sigmf_capture captures[GN_SIGMF_CAPTURES_MAX];
};

/* Parse text[n]. *ret changes only on GN_OK. GN_E_DATA with line and words: bad JSON (line,
 * column), a value of the wrong type or out of range, a datatype gnomon does not read. GN_E_NOMEM.
 * [control] */
GN_NODISCARD gn_status gn_sigmf_parse(
        const char *text, size_t n, struct gn_sigmf *ret, struct gn_error *err);

#endif
