/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/pagein/decode.h"

#include "lib/base/error.h"
#include "lib/bits/bits.h"
#include "lib/bits/crc24q.h"
#include "lib/pagein/frames.h"

#include <stdlib.h>
#include <string.h>

#define BUFFER_BYTES (96u << 10) /* the longest frame twice, and what auto looks at */

struct gn_pagein {
    enum gn_pagein_format format;
    bool is_strict, is_end;
    uint64_t line; /* csv */
    struct ubx_clock ubx;
    struct gn_pagein_stats stats;
    size_t from, to; /* bytes in the buffer not worked off yet */
    uint8_t bytes[BUFFER_BYTES];
};

const char *const gn_pagein_format_names[] = {"auto", "csv", "sbf", "ubx", "navmon", NULL};

gn_status gn_pagein_new(enum gn_pagein_format format, bool is_strict, struct gn_pagein **ret)
{
    struct gn_pagein *d = calloc(1, sizeof *d);
    if (d == NULL)
        return GN_E_NOMEM;
    d->format = format;
    d->is_strict = is_strict;
    *ret = d;
    return GN_OK;
}

void gn_pagein_free(struct gn_pagein *d)
{
    free(d);
}

const struct gn_pagein_stats *gn_pagein_stats(const struct gn_pagein *d)
{
    return &d->stats;
}

enum gn_pagein_format gn_pagein_format(const struct gn_pagein *d)
{
    return d->format;
}

uint8_t *gn_pagein_room(struct gn_pagein *d, size_t *n_bytes)
{
    if (sizeof d->bytes - d->to < GN_PAGEIN_ROOM_MIN || d->from == d->to) {
        memmove(d->bytes, d->bytes + d->from, d->to - d->from);
        d->to -= d->from;
        d->from = 0;
    }
    *n_bytes = sizeof d->bytes - d->to;
    return d->bytes + d->to;
}

void gn_pagein_filled(struct gn_pagein *d, size_t n_bytes)
{
    d->to += n_bytes;
}

void gn_pagein_end(struct gn_pagein *d)
{
    d->is_end = true;
}

/* ---- helpers of the formats --------------------------------------------------------------------------------------- */
size_t frame_gap(const uint8_t *p, size_t n, uint8_t first)
{
    const uint8_t *at = n > 1 ? memchr(p + 1, first, n - 1) : NULL;
    return at != NULL ? (size_t)(at - p) : n;
}

uint32_t page_crc(const uint8_t bits[GN_OSNMA_PAGE_BYTES])
{
    struct gn_bit_reader in = gn_bit_reader_of(bits, 8u * GN_OSNMA_PAGE_BYTES);
    uint32_t crc = gn_crc24q(0, &in, 114);
    gn_bits_skip(&in, 6);
    return gn_crc24q(crc, &in, 82);
}

bool page_crc_ok(const uint8_t bits[GN_OSNMA_PAGE_BYTES])
{
    return page_crc(bits) == gn_bits_get(bits, 8u * GN_OSNMA_PAGE_BYTES, 202, 24);
}

bool page_time(struct gn_osnma_page *page, int64_t t_gst_s)
{
    if (t_gst_s < 0 || t_gst_s / 604800 > INT16_MAX)
        return false;
    page->wn = (int32_t)(t_gst_s / 604800);
    page->tow_s = (uint32_t)(t_gst_s % 604800);
    return true;
}

/* ---- which format ------------------------------------------------------------------------------------------------- */
struct look {
    enum gn_pagein_format format;
    bool is_end, is_checked;
    struct ubx_clock *ubx;
};

static struct frame look(struct look *l, const uint8_t *p, size_t n, struct gn_osnma_page *page)
{
    l->is_checked = true;
    switch (l->format) {
    case GN_PAGEIN_CSV:
        return frame_csv(p, n, l->is_end, page);
    case GN_PAGEIN_SBF:
        return frame_sbf(p, n, page);
    case GN_PAGEIN_UBX:
        return frame_ubx(l->ubx, p, n, page);
    case GN_PAGEIN_NAVMON:
        return frame_navmon(p, n, page, &l->is_checked);
    case GN_PAGEIN_AUTO:
    case GN_PAGEIN_FORMAT_COUNT:
        break;
    }
    return (struct frame){FRAME_NONE, n};
}

/* where a format's first whole frame begins; n when there is none yet */
static size_t first_frame(const uint8_t *p, size_t n, enum gn_pagein_format format)
{
    struct ubx_clock clock = {0};
    struct look l = {.format = format, .ubx = &clock};
    struct gn_osnma_page page;
    for (size_t at = 0; at < n;) {
        struct frame f = look(&l, p + at, n - at, &page);
        if (f.kind >= FRAME_OTHER)
            return at;
        at += f.kind == FRAME_MORE ? 1 : f.n_bytes;
    }
    return n;
}

static bool is_csv(const struct gn_pagein *d, const uint8_t *p, size_t n)
{
    struct gn_osnma_page page;
    return frame_csv(p, n, d->is_end, &page).kind == FRAME_PAGE || (n >= 3 && memcmp(p, "wn,", 3) == 0);
}

/* AUTO until the first whole frame of some format */
static gn_status recognise(struct gn_pagein *d, struct gn_error *err)
{
    const uint8_t *p = d->bytes + d->from;
    size_t n = d->to - d->from, best = n;
    if (n > 0 && is_csv(d, p, n)) {
        d->format = GN_PAGEIN_CSV;
        return GN_OK;
    }
    for (enum gn_pagein_format k = GN_PAGEIN_SBF; k <= GN_PAGEIN_NAVMON; k++) {
        size_t at = first_frame(p, n, k);
        if (at < best) {
            best = at;
            d->format = k;
        }
    }
    if (d->format != GN_PAGEIN_AUTO || (n < GN_PAGEIN_AUTO_MAX && !d->is_end) || n == 0)
        return GN_OK;
    return gn_fail_byte(err, GN_E_DATA, 0,
            "pages: the first %zu bytes hold no whole frame of csv, sbf, ubx or navmon; say which by format", n);
}

/* ---- pages ----------------------------------------------------------------------------------------------------------- */
static void count(struct gn_pagein *d, const struct frame *f, bool is_checked)
{
    struct gn_pagein_stats *s = &d->stats;
    s->n_bytes += f->n_bytes;
    d->from += f->n_bytes;
    d->line += d->format == GN_PAGEIN_CSV;
    s->frames += f->kind >= FRAME_OTHER;
    s->bad_frames += f->kind == FRAME_DAMAGED;
    s->garbage_bytes += f->kind == FRAME_NONE || f->kind == FRAME_DAMAGED ? f->n_bytes : 0;
    s->bad_pages += f->kind == FRAME_BAD_PAGE;
    s->untimed += f->kind == FRAME_UNTIMED;
    s->pages += f->kind == FRAME_PAGE;
    s->unchecked += f->kind == FRAME_PAGE && !is_checked;
}

gn_status gn_pagein_next(struct gn_pagein *d, struct gn_osnma_page *ret, bool *has_page, struct gn_error *err)
{
    *has_page = false;
    gn_status st = d->format == GN_PAGEIN_AUTO ? recognise(d, err) : GN_OK;
    while (st == GN_OK && d->format != GN_PAGEIN_AUTO && d->from < d->to) {
        struct look l = {.format = d->format, .is_end = d->is_end, .ubx = &d->ubx};
        struct frame f = look(&l, d->bytes + d->from, d->to - d->from, ret);
        if (f.kind == FRAME_MORE && !d->is_end)
            return GN_OK;
        if (f.kind == FRAME_MORE)
            f = (struct frame){FRAME_NONE, 1}; /* it will never be whole */
        count(d, &f, l.is_checked);
        *has_page = f.kind == FRAME_PAGE;
        if (*has_page)
            return GN_OK;
        if (f.kind == FRAME_DAMAGED && d->format == GN_PAGEIN_CSV && d->is_strict)
            return gn_fail_at(err, GN_E_DATA, (int32_t)d->line, 1,
                    "pages: line %llu is not `wn,tow,prn,sig,page` with 60 hexadecimal digits",
                    (unsigned long long)d->line);
    }
    return st;
}
