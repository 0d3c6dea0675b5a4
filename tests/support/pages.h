/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Rows of the I/NAV page files of the shared data: wn,tow,prn,sig,page (240 bits in hex). */
#ifndef GN_TEST_PAGES_H
#define GN_TEST_PAGES_H

#include "lib/bits/hex.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

struct gn_test_page {
    int wn, tow, prn, sig; /* sig 1: E1-B, 5: E5b-I */
    uint8_t bits[30];
};

/* Next row of a plain or gzip file; false at its end. Heading and broken rows are skipped. */
static inline bool gn_test_page_next(gzFile f, struct gn_test_page *ret)
{
    char line[256], hex[80];
    while (gzgets(f, line, (int)sizeof line) != NULL) {
        if (sscanf(line, "%d,%d,%d,%d,%60s", &ret->wn, &ret->tow, &ret->prn, &ret->sig, hex) == 5 &&
                strlen(hex) == 60 && gn_hex_parse(hex, 60, ret->bits, 30))
            return true;
    }
    return false;
}

static inline gzFile gn_test_pages_open(const char *folder, const char *name)
{
    char path[4300];
    (void)snprintf(path, sizeof path, "%s/osnma/%s", folder, name);
    return gzopen(path, "rb");
}

#endif
