/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Fill the caller's struct gn_error and hand the status on: return gn_fail(err, GN_E_DATA, "...").
 */
#ifndef GN_BASE_ERROR_H
#define GN_BASE_ERROR_H

#include "gnomon/status.h"

/* err may be NULL. Place fields become 0. Returns status. [any thread] */
gn_status gn_fail(struct gn_error *err, gn_status status, const char *fmt, ...) GN_PRINTF(3, 4);

/* The same with a place: line and column of a text input (1-based) ... [any thread] */
gn_status gn_fail_at(struct gn_error *err, gn_status status, int32_t line, int32_t column,
        const char *fmt, ...) GN_PRINTF(5, 6);

/* ... or the byte offset in a binary one. [any thread] */
gn_status gn_fail_byte(struct gn_error *err, gn_status status, uint64_t offset_bytes,
        const char *fmt, ...) GN_PRINTF(4, 5);

#endif
