/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A recording on disk, as its user and its metadata describe it together: where the samples lie,
 * how many, at what rate, since when. What the user says wins over metadata. Nothing stays open.
 *
 *   x.sigmf-meta or x.sigmf-data: the pair;   x, when only x.sigmf-meta exists: the pair;   else
 * raw samples */
#ifndef GN_FRONTEND_RECORDING_H
#define GN_FRONTEND_RECORDING_H

#include "gnomon/status.h"
#include "lib/frontend/layout.h"
#include "lib/frontend/sigmf.h"
#include "lib/time/time.h"

#include <stdbool.h>
#include <stdint.h>

#define GN_PATH_MAX_BYTES 4096

struct gn_recording_request {
    const char *path;
    struct gn_layout layout; /* format GN_FILE_AUTO: from metadata */
    double rate_sps;         /* NaN: from metadata */
    double carrier_hz;       /* what shall end at zero: if = carrier - core:frequency */
};

/* A stretch of samples without anything between. */
struct gn_segment {
    uint64_t offset_bytes;
    uint64_t n_items;
    uint64_t n_lost; /* ticks missing before it */
};

struct gn_recording {
    char data_path[GN_PATH_MAX_BYTES];
    struct gn_layout layout;
    double rate_sps;
    double if_hz;      /* valid if has_if */
    struct gn_time t0; /* of the first sample, valid if has_t0 */
    bool has_if, has_t0, has_meta, has_sha512;
    uint8_t sha512[64];
    uint64_t size_bytes;   /* of the data file */
    uint64_t n_items;      /* in all segments */
    uint64_t n_ticks;      /* the same, lost ones included */
    uint32_t n_left_bytes; /* a partial item at the end */
    uint32_t n_segments;
    struct gn_segment segments[GN_SIGMF_CAPTURES_MAX];
};

/* Read metadata and sizes. GN_E_IO: a file cannot be opened. GN_E_DATA: empty, not a regular file,
 * metadata bad or against the file. GN_E_ARG: format or rate said by nobody, err->text names them.
 * Words name the file. [control] */
GN_NODISCARD gn_status gn_recording_describe(
        const struct gn_recording_request *request, struct gn_recording *ret, struct gn_error *err);

/* Drop n_skip ticks at the start, keep at most n_keep ticks after them; t0 moves along.
 * GN_E_ARG: nothing is left. [any thread] */
GN_NODISCARD gn_status gn_recording_cut(
        struct gn_recording *rec, uint64_t n_skip, uint64_t n_keep, struct gn_error *err);

/* Hash the data file and compare. GN_E_DATA: differs. GN_E_IO. [control] */
GN_NODISCARD gn_status gn_recording_check_sha512(
        const struct gn_recording *rec, struct gn_error *err);

#endif
