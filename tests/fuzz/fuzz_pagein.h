/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Page readers from any bytes: what comes out is a page by its fields, every byte is worked off and counted once, and
 * the same bytes in pieces give the same pages. */
#include "lib/pagein/decode.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
    if (!is_true)
        abort();
}

struct sum {
    struct gn_pagein_stats stats;
    uint64_t hash; /* of all pages */
    gn_status status;
};

static uint64_t mix(uint64_t hash, const struct gn_osnma_page *p)
{
    uint64_t head = (uint64_t)p->wn << 40 ^ (uint64_t)p->tow_s << 16 ^ (uint64_t)p->prn << 8 ^ p->is_e5b;
    hash = (hash ^ head) * 1099511628211u;
    for (unsigned i = 0; i < sizeof p->bits; i++)
        hash = (hash ^ p->bits[i]) * 1099511628211u;
    return hash;
}

static struct sum read_all(enum gn_pagein_format format, bool is_strict, const uint8_t *data, size_t size, size_t step)
{
    struct gn_pagein *d = NULL;
    struct sum ret = {.hash = 14695981039346656037u};
    struct gn_error err = {0};
    size_t at = 0;
    bool is_end = false;
    require(gn_pagein_new(format, is_strict, &d) == GN_OK);
    for (;;) {
        struct gn_osnma_page page = {0};
        bool has_page = false;
        size_t n_room = 0;
        ret.status = gn_pagein_next(d, &page, &has_page, &err);
        if (ret.status != GN_OK) {
            require(ret.status == GN_E_DATA && err.text[0] != '\0' && !has_page);
            break;
        }
        if (has_page) {
            require(page.wn >= 0 && page.tow_s < 604800);
            ret.hash = mix(ret.hash, &page);
            continue;
        }
        if (is_end)
            break;
        uint8_t *to = gn_pagein_room(d, &n_room);
        require(n_room >= GN_PAGEIN_ROOM_MIN);
        size_t n = size - at < step ? size - at : step;
        n = n < n_room ? n : n_room;
        memcpy(to, data + at, n);
        gn_pagein_filled(d, n);
        at += n;
        is_end = at == size;
        if (is_end)
            gn_pagein_end(d);
    }
    ret.stats = *gn_pagein_stats(d);
    gn_pagein_free(d);
    return ret;
}

static void check(enum gn_pagein_format format, const uint8_t *data, size_t size)
{
    struct sum whole = read_all(format, false, data, size, size + 1);
    require(whole.stats.n_bytes <= size && whole.stats.garbage_bytes <= whole.stats.n_bytes);
    require(whole.stats.pages + whole.stats.bad_pages + whole.stats.untimed <= whole.stats.frames);
    require(format == GN_PAGEIN_AUTO || (whole.status == GN_OK && whole.stats.n_bytes == size));
    if (format == GN_PAGEIN_AUTO || size > 20000)
        return;
    struct sum pieces = read_all(format, false, data, size, 61);
    require(pieces.hash == whole.hash && memcmp(&pieces.stats, &whole.stats, sizeof whole.stats) == 0);
}
