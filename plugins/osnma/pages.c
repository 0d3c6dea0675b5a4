/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* I/NAV pages of a hardware receiver as a source: recorded, or as they come over TCP or a serial port. There is no
 * sample clock; a tick is a page. */
#include "lib/gnss/signal.h"
#include "lib/msg/nav.h"
#include "lib/pagein/feed.h"
#include "plugins/osnma/blocks.h"

#include <string.h>

#define PAGES_A_CALL 64u
#define WAIT_MS      100 /* so soon an interrupt is noticed */

enum { SIGNAL_E1B = 1u, SIGNAL_E5B = 2u };
enum { STAMP_NONE = 0, STAMP_HOST };

struct pages {
    const char *path; /* parameters */
    uint64_t signals;
    int32_t format, stamp;
    struct gn_pagefeed *feed; /* owned: start() opens it, stop() closes it */
    uint64_t n_pages;
};

static const char *const stamp_choices[] = {"none", "host", NULL};

static const char *const signal_choices[] = {"E1B", "E5b", NULL};

static const struct gn_port ports[] = {
        {.name = "pages", .doc = "Pages in the order they come.", .schema = &gn_schema_page, .dir = GN_OUT,
                .n_msgs_max = PAGES_A_CALL},
};

static const struct gn_param params[] = {
        GN_PARAM(struct pages, path, GN_P_PATH, "", NULL, 0, 0,
                "A file, plain or gzip; - is standard input; tcp://HOST:PORT; serial:/dev/NAME[@BAUD]."),
        GN_PARAM_X("format", struct pages, format, GN_P_ENUM, "", "auto", 0, 0, "How the bytes are written.",
                .choices = gn_pagein_format_names),
        GN_PARAM_X("stamp", struct pages, stamp, GN_P_ENUM, "", "none", 0, 0,
                "Time of reception: none, or host, the host's clock as each page comes in.", .choices = stamp_choices),
        GN_PARAM_X("signals", struct pages, signals, GN_P_SET, "", "E1B,E5b", 0, 0,
                "Signals whose pages are used.", .choices = signal_choices),
};

static gn_status pages_start(void *state, const struct gn_host *h)
{
    struct pages *s = state;
    struct gn_error err = {0};
    gn_status st = gn_pagefeed_open(s->path, (enum gn_pagein_format)s->format, s->stamp == STAMP_HOST, &s->feed, &err);
    return st == GN_OK ? st : h->fail(h, st, "path", "%s", err.text);
}

static void send(struct pages *s, const struct gn_host *h, const struct gn_osnma_page *page)
{
    struct gn_msg_page *m = h->msg_new(h, 0);
    if (m == NULL)
        return;
    m->signal = GN_SIG_GAL_E1;
    m->prn = m->channel = page->prn;
    m->kind = GN_PAGE_INAV;
    m->time_ok = 1;
    m->from_e5b = page->is_e5b;
    m->word_type = page->bits[0] & 0x3f;
    m->words_ok = 1;
    m->n_bits = 240;
    m->wn = page->wn;
    m->tow_s = page->tow_s;
    m->has_rx = page->has_rx;
    m->rx_gst_s = page->rx_gst_s;
    memcpy(m->bits, page->bits, sizeof page->bits);
    h->msg_send(h, 0, s->n_pages, s->n_pages);
}

static gn_status pages_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct pages *s = state;
    for (unsigned i = 0; i < PAGES_A_CALL; i++) {
        struct gn_osnma_page page;
        struct gn_error err = {0};
        enum gn_pagefeed_got got = GN_PAGEFEED_WAIT;
        gn_status st = gn_pagefeed_next(s->feed, i == 0 ? WAIT_MS : 0, &page, &got, &err);
        if (st != GN_OK)
            return h->fail(h, st, "path", "%s: %s", s->path, err.text);
        w->is_done = got == GN_PAGEFEED_END;
        if (got != GN_PAGEFEED_PAGE)
            return GN_OK;
        s->n_pages++;
        if ((s->signals & (page.is_e5b ? SIGNAL_E5B : SIGNAL_E1B)) != 0)
            send(s, h, &page);
    }
    return GN_OK;
}

/* what was lost on the way, in one line */
static void tell_losses(const struct pages *s, const struct gn_host *h)
{
    const struct gn_pagein_stats *n = gn_pagefeed_stats(s->feed);
    bool is_bad = n->garbage_bytes + n->bad_frames + n->bad_pages + n->untimed > 0;
    h->log(h, is_bad ? GN_LOG_WARN : GN_LOG_DEBUG,
            "%s, %s: %llu pages in %llu bytes; %llu bytes outside whole frames, %llu damaged frames, %llu pages of no "
            "sense, %llu before their time was known, %llu whose CRC the stream does not carry",
            s->path, gn_pagein_format_names[gn_pagefeed_format(s->feed)], (unsigned long long)n->pages,
            (unsigned long long)n->n_bytes, (unsigned long long)n->garbage_bytes, (unsigned long long)n->bad_frames,
            (unsigned long long)n->bad_pages, (unsigned long long)n->untimed, (unsigned long long)n->unchecked);
}

static gn_status pages_finish(void *state, const struct gn_host *h)
{
    const struct pages *s = state;
    tell_losses(s, h);
    if (s->n_pages == 0 && !gn_pagefeed_is_live(s->feed))
        return h->fail(h, GN_E_DATA, "path", "there is no page in '%s'", s->path);
    return GN_OK;
}

static void pages_stop(void *state, const struct gn_host *h)
{
    struct pages *s = state;
    (void)h;
    gn_pagefeed_close(s->feed);
    s->feed = NULL;
}

const struct gn_block gn_osnma_pages = {
        .name = "osnma.pages",
        .summary = "Galileo I/NAV pages of a hardware receiver",
        .doc = "csv: text rows `wn,tow,prn,sig,page`: full GST week, second of week at the page's start, SVID, 1 for "
               "E1-B or 5 for E5b-I, 60 hexadecimal digits. sbf: Septentrio GALRawINAV. ubx: u-blox RXM-SFRBX. "
               "navmon: galmon protobuf. auto: the first whole frame decides.",
        .ports = ports,
        .n_ports = GN_COUNT(ports),
        .params = params,
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct pages),
        .flags = GN_BLOCK_BLOCKS,
        .start = pages_start,
        .work = pages_work,
        .finish = pages_finish,
        .stop = pages_stop,
};
