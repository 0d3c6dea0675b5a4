/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/text/status.h"

#include <stdarg.h>
#include <stdio.h>

#define ROW(name, value, text) {name, #name, text},
static const struct {
    gn_status status;
    const char *name, *text;
} rows[] = {GN_STATUS_LIST(ROW)};
#undef ROW

const char *gn_status_text(gn_status status)
{
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        if (rows[i].status == status)
            return rows[i].text;
    }
    return "unknown status";
}

const char *gn_status_name(gn_status status)
{
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        if (rows[i].status == status)
            return rows[i].name;
    }
    return "unknown";
}

gn_status gn_error_set(struct gn_error *err, gn_status status, const char *fmt, ...)
{
    va_list ap;

    if (err == NULL)
        return status;
    *err = (struct gn_error){.status = status};
    va_start(ap, fmt);
    (void)vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    return status;
}
