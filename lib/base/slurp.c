/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/base/slurp.h"

#include "lib/base/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gn_status read_all(FILE *f, size_t max_bytes, char **text, size_t *n)
{
    size_t room = 1U << 16;
    char *p = malloc(room + 1);
    *n = 0;
    while (p != NULL) {
        *n += fread(p + *n, 1, room - *n, f);
        if (*n < room || room >= max_bytes)
            break;
        char *more = realloc(p, 2 * room + 1);
        if (more == NULL)
            free(p);
        p = more;
        room *= 2;
    }
    if (p != NULL && *n <= max_bytes && ferror(f) == 0) {
        p[*n] = '\0';
        *text = p;
        return GN_OK;
    }
    gn_status st = p == NULL ? GN_E_NOMEM : *n > max_bytes ? GN_E_DATA : GN_E_IO;
    free(p);
    return st;
}

gn_status gn_slurp(
        const char *path, size_t max_bytes, char **text, size_t *n, struct gn_error *err)
{
    char words[80];
    *text = NULL;
    FILE *f = fopen(path, "rbe");
    if (f == NULL)
        return gn_fail(err, GN_E_IO, "%.140s: %s", path, strerror_r(errno, words, sizeof words));
    gn_status st = read_all(f, max_bytes, text, n);
    (void)fclose(f);
    return st == GN_OK     ? st
           : st == GN_E_IO ? gn_fail(err, st, "%.160s: cannot be read", path)
                           : gn_fail(err, st, "%.160s: is too long", path);
}
