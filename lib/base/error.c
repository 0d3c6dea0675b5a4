/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/base/error.h"

#include <stdarg.h>
#include <stdio.h>

static void fill(struct gn_error *err, gn_status status, const char *fmt, va_list args)
        GN_PRINTF(3, 0);

static void fill(struct gn_error *err, gn_status status, const char *fmt, va_list args)
{
    if (err == NULL)
        return;
    err->status = status;
    err->line = 0;
    err->column = 0;
    err->offset_bytes = 0;
    (void)vsnprintf(err->text, sizeof err->text, fmt, args);
}

gn_status gn_fail(struct gn_error *err, gn_status status, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fill(err, status, fmt, args);
    va_end(args);
    return status;
}

gn_status gn_fail_at(
        struct gn_error *err, gn_status status, int32_t line, int32_t column, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fill(err, status, fmt, args);
    va_end(args);
    if (err != NULL) {
        err->line = line;
        err->column = column;
    }
    return status;
}

gn_status gn_fail_byte(
        struct gn_error *err, gn_status status, uint64_t offset_bytes, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fill(err, status, fmt, args);
    va_end(args);
    if (err != NULL)
        err->offset_bytes = offset_bytes;
    return status;
}
