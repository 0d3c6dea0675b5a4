/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A file of I/NAV pages as a source: what a hardware receiver recorded. There is no sample clock; a tick is a page. */
#include "lib/msg/nav.h"
#include "lib/gnss/signal.h"
#include "lib/osnma/pagefile.h"
#include "plugins/osnma/blocks.h"

#include <string.h>

#define PAGES_A_CALL 64u

enum { SIGNAL_E1B = 1u, SIGNAL_E5B = 2u };

struct pages {
    const char *path; /* parameters */
    uint64_t signals;
    int32_t format;
    struct gn_osnma_pagefile *file; /* owned: start() opens it, stop() closes it */
    uint64_t n_pages;
};

static const char *const signal_choices[] = {"E1B", "E5b", NULL};

static const struct gn_port ports[] = {
        {.name = "pages", .doc = "Pages in the order of the file.", .schema = &gn_schema_page, .dir = GN_OUT,
                .n_msgs_max = PAGES_A_CALL},
};

static const struct gn_param params[] = {
        GN_PARAM(struct pages, path, GN_P_PATH, "", NULL, 0, 0, "The file, plain or gzip; - is standard input."),
        GN_PARAM_X("format", struct pages, format, GN_P_ENUM, "", "auto", 0, 0, "How the file is written.",
                .choices = gn_osnma_format_names),
        GN_PARAM_X("signals", struct pages, signals, GN_P_SET, "", "E1B,E5b", 0, 0,
                "Signals whose pages are used.", .choices = signal_choices),
};

static gn_status pages_start(void *state, const struct gn_host *h)
{
    struct pages *s = state;
    struct gn_error err = {0};
    gn_status st = gn_osnma_pagefile_open(s->path, (enum gn_osnma_format)s->format, &s->file, &err);
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
    memcpy(m->bits, page->bits, sizeof page->bits);
    h->msg_send(h, 0, s->n_pages, s->n_pages);
}

static gn_status pages_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct pages *s = state;
    for (unsigned i = 0; i < PAGES_A_CALL; i++) {
        struct gn_osnma_page page;
        struct gn_error err = {0};
        bool is_end = false;
        gn_status st = gn_osnma_pagefile_next(s->file, &page, &is_end, &err);
        if (st != GN_OK)
            return h->fail(h, st, "path", "%s", err.text);
        if (is_end) {
            w->is_done = 1;
            return GN_OK;
        }
        s->n_pages++;
        if ((s->signals & (page.is_e5b ? SIGNAL_E5B : SIGNAL_E1B)) != 0)
            send(s, h, &page);
    }
    return GN_OK;
}

static gn_status pages_finish(void *state, const struct gn_host *h)
{
    const struct pages *s = state;
    if (s->n_pages == 0)
        return h->fail(h, GN_E_DATA, "path", "there is no page in '%s'", s->path);
    return GN_OK;
}

static void pages_stop(void *state, const struct gn_host *h)
{
    struct pages *s = state;
    (void)h;
    gn_osnma_pagefile_close(s->file);
    s->file = NULL;
}

const struct gn_block gn_osnma_pages = {
        .name = "osnma.pages",
        .summary = "Galileo I/NAV pages of a file",
        .doc = "Text rows `wn,tow,prn,sig,page`: full GST week, second of week at the page's start, SVID, "
               "1 for E1-B or 5 for E5b-I, 60 hexadecimal digits.",
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
