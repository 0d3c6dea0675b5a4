/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/osnma/pagefile.h"

#include "lib/base/error.h"
#include "lib/bits/hex.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define LINE_MAX_CHARS 256

struct gn_osnma_pagefile {
    gzFile gz;
    int32_t line;
    char row[LINE_MAX_CHARS];
};

/* digits up to `end` character; false when there are none or too many */
static bool take_number(const char **at, const char *end, char stop, uint32_t max, uint32_t *ret)
{
    uint64_t v = 0;
    const char *p = *at;
    while (p < end && *p >= '0' && *p <= '9' && v <= max)
        v = v * 10 + (uint64_t)(*p++ - '0');
    if (p == *at || p >= end || *p != stop || v > max)
        return false;
    *at = p + 1;
    *ret = (uint32_t)v;
    return true;
}

bool gn_osnma_row_parse(const char *row, size_t n_chars, struct gn_osnma_page *ret)
{
    struct gn_osnma_page p = {0};
    const char *at = row, *end = row + n_chars;
    uint32_t wn = 0, tow = 0, prn = 0, sig = 0;
    if (!take_number(&at, end, ',', 1u << 20, &wn) || !take_number(&at, end, ',', 604799, &tow) ||
            !take_number(&at, end, ',', 255, &prn) || !take_number(&at, end, ',', 9, &sig))
        return false;
    if ((sig != 1 && sig != 5) || end - at != (ptrdiff_t)(2 * sizeof p.bits) ||
            !gn_hex_parse(at, (size_t)(end - at), p.bits, sizeof p.bits))
        return false;
    p.wn = (int32_t)wn;
    p.tow_s = tow;
    p.prn = (uint8_t)prn;
    p.is_e5b = sig == 5;
    *ret = p;
    return true;
}

const char *const gn_osnma_format_names[] = {"auto", "csv", NULL};

gn_status gn_osnma_pagefile_open(const char *path, enum gn_osnma_format format, struct gn_osnma_pagefile **ret,
        struct gn_error *err)
{
    (void)format;
    struct gn_osnma_pagefile *f = calloc(1, sizeof *f);
    if (f == NULL)
        return gn_fail(err, GN_E_NOMEM, "pages: out of memory");
    f->gz = strcmp(path, "-") == 0 ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path, "rb");
    if (f->gz == NULL) {
        free(f);
        return gn_fail(err, GN_E_IO, "pages: cannot open '%s'", path);
    }
    (void)gzbuffer(f->gz, 1u << 16);
    *ret = f;
    return GN_OK;
}

void gn_osnma_pagefile_close(struct gn_osnma_pagefile *f)
{
    if (f == NULL)
        return;
    (void)gzclose(f->gz);
    free(f);
}

gn_status gn_osnma_pagefile_next(struct gn_osnma_pagefile *f, struct gn_osnma_page *ret, bool *is_end,
        struct gn_error *err)
{
    *is_end = false;
    for (;;) {
        int gz_status = Z_OK;
        if (gzgets(f->gz, f->row, (int)sizeof f->row) == NULL) {
            const char *why = gzerror(f->gz, &gz_status);
            if (gz_status != Z_OK && gz_status != Z_STREAM_END)
                return gn_fail_at(err, gz_status == Z_ERRNO ? GN_E_IO : GN_E_DATA, f->line + 1, 1,
                        "pages: damaged file after line %d: %.80s", (int)f->line, why);
            *is_end = true;
            return GN_OK;
        }
        f->line++;
        size_t n = strcspn(f->row, "\r\n");
        if (n == 0 || (f->line == 1 && strncmp(f->row, "wn,", 3) == 0))
            continue;
        if (gn_osnma_row_parse(f->row, n, ret))
            return GN_OK;
        return gn_fail_at(err, GN_E_DATA, f->line, 1,
                "pages: line %d is not `wn,tow,prn,sig,page` with 60 hexadecimal digits", (int)f->line);
    }
}
