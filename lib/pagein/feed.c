/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/pagein/feed.h"

#include "lib/base/error.h"
#include "lib/pagein/source.h"
#include "lib/time/time.h"

#include <stdlib.h>
#include <time.h>

#define PAGE_S         2.0
#define UNIX_EPOCH_S   378691200 /* 1958-01-01 to 1970-01-01 */
#define READ_BYTES_MAX 16384u    /* a stamp is for few pages */

struct gn_pagefeed {
    struct gn_byte_source *source;
    struct gn_pagein *decoder;
    bool has_stamps, is_end;
    double now_gst_s; /* when the newest bytes were read */
};

gn_status gn_pagefeed_open(const char *where, enum gn_pagein_format format, bool has_stamps, struct gn_pagefeed **ret,
        struct gn_error *err)
{
    struct gn_pagefeed *f = calloc(1, sizeof *f);
    if (f == NULL)
        return gn_fail(err, GN_E_NOMEM, "pages: out of memory");
    f->has_stamps = has_stamps;
    gn_status st = gn_byte_source_open(where, &f->source, err);
    if (st == GN_OK && gn_pagein_new(format, !gn_byte_source_is_live(f->source), &f->decoder) != GN_OK)
        st = gn_fail(err, GN_E_NOMEM, "pages: out of memory");
    if (st == GN_OK)
        *ret = f;
    else
        gn_pagefeed_close(f);
    return st;
}

void gn_pagefeed_close(struct gn_pagefeed *f)
{
    if (f == NULL)
        return;
    gn_byte_source_close(f->source);
    gn_pagein_free(f->decoder);
    free(f);
}

static gn_status read_clock(double *gst_s, struct gn_error *err)
{
    struct timespec ts;
    if (clock_gettime(CLOCK_REALTIME, &ts) != 0)
        return gn_fail(err, GN_E_DEVICE, "pages: the host clock cannot be read");
    int64_t utc_s = (int64_t)ts.tv_sec + UNIX_EPOCH_S;
    *gst_s = (double)(utc_s + gn_leap_at_utc(utc_s) - gn_tai_from_gst(0, 0)) + (double)ts.tv_nsec * 1e-9;
    return GN_OK;
}

static gn_status fill(struct gn_pagefeed *f, int timeout_ms, size_t *n_bytes, struct gn_error *err)
{
    size_t n_room = 0;
    bool is_end = false;
    uint8_t *to = gn_pagein_room(f->decoder, &n_room);
    n_room = n_room < READ_BYTES_MAX ? n_room : READ_BYTES_MAX;
    gn_status st = gn_byte_source_read(f->source, to, n_room, timeout_ms, n_bytes, &is_end, err);
    gn_pagein_filled(f->decoder, *n_bytes);
    if (is_end)
        gn_pagein_end(f->decoder);
    f->is_end = is_end;
    return st == GN_OK && *n_bytes > 0 && f->has_stamps ? read_clock(&f->now_gst_s, err) : st;
}

gn_status gn_pagefeed_next(struct gn_pagefeed *f, int timeout_ms, struct gn_osnma_page *ret, enum gn_pagefeed_got *got,
        struct gn_error *err)
{
    *got = GN_PAGEFEED_WAIT;
    for (;;) {
        bool has_page = false;
        size_t n_bytes = 0;
        gn_status st = gn_pagein_next(f->decoder, ret, &has_page, err);
        if (st != GN_OK)
            return st;
        if (has_page || f->is_end) {
            *got = has_page ? GN_PAGEFEED_PAGE : GN_PAGEFEED_END;
            ret->has_rx = has_page && f->has_stamps;
            ret->rx_gst_s = f->now_gst_s - PAGE_S;
            return GN_OK;
        }
        st = fill(f, timeout_ms, &n_bytes, err);
        if (st != GN_OK || (n_bytes == 0 && !f->is_end))
            return st;
    }
}

bool gn_pagefeed_is_live(const struct gn_pagefeed *f)
{
    return gn_byte_source_is_live(f->source);
}

const struct gn_pagein_stats *gn_pagefeed_stats(const struct gn_pagefeed *f)
{
    return gn_pagein_stats(f->decoder);
}

enum gn_pagein_format gn_pagefeed_format(const struct gn_pagefeed *f)
{
    return gn_pagein_format(f->decoder);
}
