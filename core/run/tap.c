/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The event log: a message-driven instance that hears every port whose schema names an event, so the lines
 * come in the order (at, producer, port, sequence) like any block's messages. */
#include "core/run/inst.h"

#include "core/event/json.h"
#include "core/run/ledger.h"
#include "gnomon/event.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

static const struct gn_field ledger_fields[] = {
        GN_FIELD_X(struct gn_msg_ledger, cause, GN_F_TEXT, "", .count = 48),
        GN_FIELD_X(struct gn_msg_ledger, lost, GN_F_U64, "{samples}", .flags = GN_F_NONE_IS_MAX),
        GN_FIELD_X(struct gn_msg_ledger, repeated, GN_F_U64, "{samples}", .flags = GN_F_NONE_IS_MAX),
};
const struct gn_schema gn_schema_ledger = {.name = "ledger/1", .event = "ledger",
        .doc = "samples were lost or repeated", .fields = ledger_fields, .n_fields = GN_COUNT(ledger_fields),
        .size = sizeof(struct gn_msg_ledger)};

static const struct gn_rt_inst *sender(const struct gn_run *run, uint32_t producer)
{
    return producer < run->n_insts ? run->by_rank[producer] : NULL;
}

/* The clock a producer speaks of: its index is printed when the source has samples. */
static struct gn_event_clock clock_of(const struct gn_run *run, uint32_t producer)
{
    const struct gn_rt_inst *x = sender(run, producer);
    if (x == NULL)
        return (struct gn_event_clock){0};
    return (struct gn_event_clock){.rate_sps = x->host->anchor->rate_sps, .has_samples = x->has_samples};
}

size_t gn_rt_event_line(struct gn_run *run, const struct gn_msg *msg, char *buf, size_t room)
{
    struct gn_event_clock clock = clock_of(run, msg->producer);
    return gn_event_line(msg->schema, msg->data, msg->index, &clock, buf, room);
}

static bool put_line(struct gn_run *run, size_t n)
{
    run->line[n] = '\n';
    return fwrite(run->line, 1, n + 1, run->config.jsonl) == n + 1;
}

static gn_status tap_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct gn_run *run = gn_rt_of(h)->run;
    (void)state;
    for (uint32_t i = 0; i < w->n_msgs; i++) {
        if (run->config.tap != NULL)
            run->config.tap(run->config.tap_user, &w->msgs[i], sender(run, w->msgs[i].producer)->name);
        if (run->config.jsonl == NULL)
            continue;
        size_t n = gn_rt_event_line(run, &w->msgs[i], run->line, GN_EVENT_MAX_BYTES - 1);
        if (n > 0 && !put_line(run, n))
            return h->fail(h, GN_E_OUTPUT, NULL, "%s", strerror(errno));
        gn_rt_add(&run->n_events, n > 0 ? 1 : 0);
    }
    if (run->is_live && run->config.jsonl != NULL && fflush(run->config.jsonl) != 0)
        return h->fail(h, GN_E_OUTPUT, NULL, "%s", strerror(errno));
    return GN_OK;
}

const struct gn_block gn_rt_tap_block = {.name = "run.events", .summary = "the event log", .work = tap_work};

static void put_blocks(struct gn_text *t, const struct gn_run *run)
{
    gn_text_raw(t, ",\"blocks\":[");
    for (uint32_t i = 0; i < run->graph->n_nodes; i++) {
        const struct gn_node *node = &run->graph->nodes[i];
        gn_text_raw(t, i == 0 ? "{\"name\":" : ",{\"name\":");
        gn_text_string(t, node->name, strlen(node->name));
        gn_text_raw(t, ",\"use\":");
        gn_text_string(t, node->block->name, strlen(node->block->name));
        if (node->n_instances > 1)
            gn_text_format(t, ",\"many\":%u", node->n_instances);
        gn_text_raw(t, "}");
    }
    gn_text_raw(t, "]");
}

static void put_pair(struct gn_text *t, const char *key, const char *value)
{
    if (value == NULL)
        return;
    gn_text_format(t, ",\"%s\":", key);
    gn_text_string(t, value, strlen(value));
}

void gn_rt_write_start(struct gn_run *run)
{
    if (run->config.jsonl == NULL)
        return;
    struct gn_text t = {.buf = run->line, .room = GN_EVENT_MAX_BYTES - 1};
    gn_text_raw(&t, "{\"v\":1,\"event\":\"run.start\"");
    put_pair(&t, "flowgraph", run->graph->name);
    put_pair(&t, "version", run->config.version);
    put_blocks(&t, run);
    put_pair(&t, "kernels", run->config.kernels);
    gn_text_raw(&t, "}");
    if (t.n < t.room)
        (void)put_line(run, t.n);
}

static const char *end_word(const struct gn_run *run)
{
    if (run->result.status == GN_OK)
        return "ok";
    return run->result.status == GN_E_CANCELLED ? "interrupted" : "failed";
}

void gn_rt_write_end(struct gn_run *run)
{
    struct gn_run_progress p;
    struct rusage r;
    if (run->config.jsonl == NULL)
        return;
    gn_run_progress(run, &p);
    (void)getrusage(RUSAGE_SELF, &r);
    struct gn_text t = {.buf = run->line, .room = GN_EVENT_MAX_BYTES - 1};
    gn_text_raw(&t, "{\"v\":1,\"event\":\"run.end\"");
    gn_text_format(&t, ",\"samples\":%llu,\"lost\":%llu,\"repeated\":%llu", (unsigned long long)p.n_ticks,
            (unsigned long long)p.n_lost, (unsigned long long)p.n_repeated);
    gn_text_raw(&t, ",\"wall_s\":");
    gn_text_real(&t, p.wall_s, 6);
    gn_text_raw(&t, ",\"cpu_s\":");
    gn_text_real(&t, p.cpu_s, 6);
    gn_text_format(&t, ",\"max_rss_bytes\":%llu", (unsigned long long)r.ru_maxrss * 1024u);
    if (p.real_time_factor > 0) {
        gn_text_raw(&t, ",\"real_time_factor\":");
        gn_text_real(&t, p.real_time_factor, 3);
    }
    put_pair(&t, "status", end_word(run));
    if (run->result.status != GN_OK && run->result.text[0] != 0) {
        put_pair(&t, "block", run->result.block);
        put_pair(&t, "text", run->result.text);
    }
    gn_text_raw(&t, "}");
    bool is_fine = t.n < t.room && put_line(run, t.n) && fflush(run->config.jsonl) == 0 &&
                   ferror(run->config.jsonl) == 0;
    if (!is_fine && run->result.status == GN_OK) {
        run->result.status = GN_E_OUTPUT;
        (void)snprintf(run->result.block, sizeof run->result.block, "%s", gn_rt_tap_block.name);
        (void)snprintf(run->result.text, sizeof run->result.text, "event log: %s", strerror(errno));
    }
}
