/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/osnma/pagefile.h"
#include "lib/pagein/frames.h"

#include <string.h>

#define LINE_MAX_BYTES 256u

static bool is_heading(const uint8_t *row, size_t n)
{
    return n >= 3 && memcmp(row, "wn,", 3) == 0;
}

/* A row up to its line end; the last one may lack it. Empty lines and headings are frames without a page. */
struct frame frame_csv(const uint8_t *p, size_t n, bool is_end, struct gn_osnma_page *page)
{
    const uint8_t *nl = memchr(p, '\n', n < LINE_MAX_BYTES ? n : LINE_MAX_BYTES);
    size_t n_row = nl != NULL ? (size_t)(nl - p) : n;
    if (nl == NULL && n >= LINE_MAX_BYTES)
        return (struct frame){FRAME_DAMAGED, LINE_MAX_BYTES};
    if (nl == NULL && !is_end)
        return (struct frame){FRAME_MORE, 0};
    size_t n_bytes = n_row + (nl != NULL);
    while (n_row > 0 && p[n_row - 1] == '\r')
        n_row--;
    if (n_row == 0 || is_heading(p, n_row))
        return (struct frame){FRAME_OTHER, n_bytes};
    char row[LINE_MAX_BYTES];
    memcpy(row, p, n_row);
    return (struct frame){gn_osnma_row_parse(row, n_row, page) ? FRAME_PAGE : FRAME_DAMAGED, n_bytes};
}
