/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* sink.jsonl: the events linked to it, one JSON object a line, printed by the host from their schemas. The last line
 * of a whole log is run.end; a log without it was cut short. */
#include "gnomon/event.h"
#include "plugins/sink/blocks.h"

#include <stdlib.h>

struct jsonl {
    const char *path;
    struct sink_file file;
    const struct gn_event_print *print;
    char *line; /* owned: GN_EVENT_MAX_BYTES */
    uint64_t n_lines;
};

static const struct gn_param params[] = {
        GN_PARAM(struct jsonl, path, GN_P_PATH, "", NULL, 0, 0, "file to write; - is standard output"),
};

static const struct gn_port ports[] = {
        {.name = "in", .dir = GN_IN, .doc = "messages whose schema names an event"},
};

static gn_status jsonl_start(void *state, const struct gn_host *h)
{
    struct jsonl *s = state;
    s->print = h->ext(h, GN_EVENT_PRINT_ID);
    if (s->print == NULL)
        return h->fail(h, GN_E_PLUGIN, NULL, "this host cannot print events (%s)", GN_EVENT_PRINT_ID);
    s->line = malloc(GN_EVENT_MAX_BYTES);
    if (s->line == NULL)
        return h->fail(h, GN_E_NOMEM, NULL, "no memory for a line");
    return sink_open(&s->file, h, s->path);
}

static gn_status jsonl_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct jsonl *s = state;
    for (uint32_t i = 0; i < w->n_msgs; i++) {
        size_t n = s->print->line(h, &w->msgs[i], s->line, GN_EVENT_MAX_BYTES - 1);
        if (n == 0)
            continue;
        s->line[n] = '\n';
        gn_status st = sink_write(&s->file, h, s->line, n + 1);
        if (st != GN_OK)
            return st;
        s->n_lines++;
    }
    return sink_flush(&s->file, h);
}

static gn_status jsonl_finish(void *state, const struct gn_host *h)
{
    struct jsonl *s = state;
    int n = snprintf(s->line, GN_EVENT_MAX_BYTES, "{\"v\":1,\"event\":\"run.end\",\"status\":\"ok\",\"events\":%llu}\n",
            (unsigned long long)s->n_lines);
    gn_status st = sink_write(&s->file, h, s->line, (size_t)n);
    return st == GN_OK ? sink_finish(&s->file, h) : st;
}

static void jsonl_stop(void *state, const struct gn_host *h)
{
    (void)h;
    struct jsonl *s = state;
    sink_close(&s->file);
    free(s->line);
    s->line = NULL;
}

const struct gn_block gn_sink_jsonl = {
        .name = "sink.jsonl",
        .summary = "event log: one JSON object a line",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct jsonl),
        .flags = GN_BLOCK_BLOCKS,
        .start = jsonl_start,
        .work = jsonl_work,
        .finish = jsonl_finish,
        .stop = jsonl_stop,
};
