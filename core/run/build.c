/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* From the planned graph to instances, rings and message logs. All memory of the run is made here. */
#include "core/run/inst.h"

#include "core/run/ledger.h"
#include "gnomon/event.h"

#include <stdlib.h>
#include <string.h>

#define RING_FILE_BYTES ((size_t)1 << 20)
#define RING_LIVE_MAX_BYTES ((size_t)1 << 29)
#define TILE_S          1e-3
#define TILE_MIN        256u
#define TILE_NO_CLOCK   512u
#define N_MSGS_DEFAULT  16u

static const uint32_t item_bytes[] = {[GN_FMT_CI8] = 2, [GN_FMT_CI16] = 4, [GN_FMT_CF32] = 8, [GN_FMT_S8] = 1,
        [GN_FMT_S16] = 2, [GN_FMT_F32] = 4, [GN_FMT_U8] = 1};

static gn_status no_memory(struct gn_error *err)
{
    if (err != NULL) {
        err->status = GN_E_NOMEM;
        (void)snprintf(err->text, sizeof err->text, "out of memory");
    }
    return GN_E_NOMEM;
}

static gn_status refuse(struct gn_error *err, gn_status st, const char *name, const char *what)
{
    if (err != NULL) {
        err->status = st;
        (void)snprintf(err->text, sizeof err->text, "%s: %s", name, what);
    }
    return st;
}

static bool is_stream(const struct gn_port *p)
{
    return p->formats != NULL;
}

static bool has_tap(const struct gn_run *run)
{
    return run->config.jsonl != NULL || run->config.tap != NULL;
}

static bool is_heard(const struct gn_run *run, const struct gn_port *p)
{
    return has_tap(run) && p->schema != NULL && p->schema->event != NULL;
}

static struct gn_rt_inst *first_of(struct gn_run *run, uint32_t i_node)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < i_node; i++)
        k += run->graph->nodes[i].n_instances;
    return &run->insts[k];
}

/* ---- instances and their port numbers ---- */

static bool make_ports(struct gn_rt_inst *x)
{
    const struct gn_block *b = x->block;
    x->n_ports = b->n_ports;
    x->port_in = calloc(b->n_ports + 1u, sizeof *x->port_in);
    x->port_out = calloc(b->n_ports + 1u, sizeof *x->port_out);
    x->log_of_port = calloc(b->n_ports + 1u, sizeof *x->log_of_port);
    x->logs = calloc(b->n_ports + 1u, sizeof *x->logs);
    x->scratch = aligned_alloc(64, GN_MSG_MAX_BYTES);
    if (x->port_in == NULL || x->port_out == NULL || x->log_of_port == NULL || x->logs == NULL || x->scratch == NULL)
        return false;
    for (uint32_t i = 0; i < b->n_ports; i++) {
        bool is_in = b->ports[i].dir == GN_IN;
        x->port_in[i] = is_stream(&b->ports[i]) && is_in ? (int32_t)x->n_in++ : -1;
        x->port_out[i] = is_stream(&b->ports[i]) && !is_in ? (int32_t)x->n_out++ : -1;
    }
    x->in = calloc(x->n_in + 1u, sizeof *x->in);
    x->out = calloc(x->n_out + 1u, sizeof *x->out);
    x->w.in = calloc(x->n_in + 1u, sizeof *x->w.in);
    x->w.out = calloc(x->n_out + 1u, sizeof *x->w.out);
    x->w.n_in = x->n_in;
    x->w.n_out = x->n_out;
    return x->in != NULL && x->out != NULL && x->w.in != NULL && x->w.out != NULL;
}

static void settle_streams(struct gn_rt_inst *x)
{
    const struct gn_plan *plan = &x->pub->plan;
    for (uint32_t i = 0; i < x->n_ports; i++) {
        const struct gn_port *p = &x->block->ports[i];
        if (x->port_in[i] >= 0) {
            struct gn_rt_in *in = &x->in[x->port_in[i]];
            in->n_min = p->n_items_min > 0 ? p->n_items_min : 1;
            in->num = in->den = 1;
        } else if (x->port_out[i] >= 0) {
            uint32_t k = (uint32_t)x->port_out[i];
            struct gn_rt_out *out = &x->out[k];
            out->n_min = p->n_room_min > 0 ? p->n_room_min : 1;
            out->format = k < plan->n_out && plan->out != NULL ? plan->out[k].format : GN_FMT_NONE;
            out->num = k < plan->n_out && plan->out[k].tick_num > 0 ? plan->out[k].tick_num : 1;
            out->den = k < plan->n_out && plan->out[k].tick_den > 0 ? plan->out[k].tick_den : 1;
            x->w.out[k].format = out->format;
        }
    }
}

static void name_instance(struct gn_rt_inst *x, const struct gn_node *node)
{
    if (node->n_instances > 1)
        (void)snprintf(x->name, sizeof x->name, "%s[%u]", node->name, x->instance);
    else
        (void)snprintf(x->name, sizeof x->name, "%s", node->name);
}

/* Position in the files, counted in instances. */
static uint32_t rank_of(const struct gn_graph *g, uint32_t i_node)
{
    uint32_t rank = 0;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        bool is_before = g->nodes[i].position < g->nodes[i_node].position ||
                         (g->nodes[i].position == g->nodes[i_node].position && i < i_node);
        rank += is_before ? g->nodes[i].n_instances : 0;
    }
    return rank;
}

static gn_status init_inst(struct gn_run *run, struct gn_rt_inst *x, struct gn_error *err)
{
    x->run = run;
    x->host = &x->pub->host;
    x->component = x->rank;
    x->i_stage = GN_STAGE_NONE;
    (void)pthread_mutex_init(&x->words_lock, NULL);
    if (!make_ports(x))
        return no_memory(err);
    settle_streams(x);
    x->is_blocking = (x->block->flags & GN_BLOCK_BLOCKS) != 0;
    gn_rt_host_fill(x);
    x->is_live = x->host->anchor->is_live != 0;
    run->is_live |= x->is_live;
    return GN_OK;
}

static gn_status make_insts(struct gn_run *run, struct gn_error *err)
{
    struct gn_graph *g = run->graph;
    uint32_t n = has_tap(run) ? 1 : 0;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        n += g->nodes[i].n_instances;
    run->insts = calloc(n + 1u, sizeof *run->insts);
    run->by_rank = calloc(n + 1u, sizeof *run->by_rank);
    if (run->insts == NULL || run->by_rank == NULL)
        return no_memory(err);
    run->n_insts = n;
    for (uint32_t i = 0, k = 0; i < g->n_nodes; i++) {
        for (uint32_t j = 0; j < g->nodes[i].n_instances; j++, k++) {
            struct gn_rt_inst *x = &run->insts[k];
            *x = (struct gn_rt_inst){.pub = &g->nodes[i].instances[j], .block = g->nodes[i].block, .i_node = i,
                    .instance = j, .n_instances = g->nodes[i].n_instances, .rank = rank_of(g, i) + j};
            name_instance(x, &g->nodes[i]);
        }
    }
    if (has_tap(run)) {
        run->tap = &run->insts[n - 1];
        *run->tap = (struct gn_rt_inst){.pub = &run->tap_pub, .block = &gn_rt_tap_block, .i_node = g->n_nodes,
                .n_instances = 1, .rank = n - 1, .is_tap = true, .kind = GN_RT_MESSAGE, .name = "event log"};
    }
    for (uint32_t i = 0; i < n; i++) {
        run->by_rank[run->insts[i].rank] = &run->insts[i];
        gn_status st = init_inst(run, &run->insts[i], err);
        if (st != GN_OK)
            return st;
    }
    return GN_OK;
}

/* ---- rings ---- */

static uint32_t n_stream_readers(struct gn_run *run, uint32_t i_node, uint32_t port)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->graph->n_edges; i++) {
        const struct gn_edge *e = &run->graph->edges[i];
        n += e->from == i_node && e->from_port == port ? run->graph->nodes[e->to].n_instances : 0;
    }
    return n;
}

static size_t ring_bytes(const struct gn_graph *g, const struct gn_anchor *anchor, uint32_t n_item_bytes)
{
    if (anchor == NULL || !anchor->is_live)
        return RING_FILE_BYTES;
    double hold_s = g->run.hold_s > 0 ? g->run.hold_s : 0.5;
    double n_bytes = hold_s * anchor->rate_sps * n_item_bytes;
    if (n_bytes > (double)RING_LIVE_MAX_BYTES)
        return RING_LIVE_MAX_BYTES;
    return n_bytes < (double)RING_FILE_BYTES ? RING_FILE_BYTES : (size_t)n_bytes;
}

static gn_status make_ring(struct gn_run *run, struct gn_rt_inst *x, uint32_t port, struct gn_ring *ring,
        struct gn_error *err)
{
    struct gn_rt_out *out = &x->out[x->port_out[port]];
    uint32_t n_bytes = out->format < GN_COUNT(item_bytes) ? item_bytes[out->format] : 0;
    if (n_bytes == 0)
        return refuse(err, GN_E_ARG, x->name, "the format of a stream output was not settled");
    uint32_t n_readers = n_stream_readers(run, x->i_node, port);
    gn_status st = gn_ring_init(ring, ring_bytes(run->graph, x->host->anchor, n_bytes), n_bytes, n_readers, false);
    if (st != GN_OK)
        return refuse(err, st, x->name, "no memory for a ring");
    out->ring = ring;
    return GN_OK;
}

static gn_status make_rings(struct gn_run *run, struct gn_error *err)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->n_insts; i++)
        n += run->insts[i].n_out;
    run->rings = aligned_alloc(GN_CACHE_LINE, sizeof *run->rings * (n + 1u));
    if (run->rings == NULL)
        return no_memory(err);
    memset(run->rings, 0, sizeof *run->rings * (n + 1u));
    for (uint32_t i = 0; i < run->n_insts; i++) {
        struct gn_rt_inst *x = &run->insts[i];
        for (uint32_t p = 0; p < x->n_ports; p++) {
            if (x->port_out[p] < 0)
                continue;
            gn_status st = make_ring(run, x, p, &run->rings[run->n_rings++], err);
            if (st != GN_OK)
                return st;
        }
    }
    return GN_OK;
}

static gn_status join_stream(struct gn_run *run, const struct gn_edge *e, uint32_t *next_reader, struct gn_error *err)
{
    struct gn_rt_inst *from = first_of(run, e->from), *to = first_of(run, e->to);
    if (from->n_instances != 1)
        return refuse(err, GN_E_ARG, to->name, "a stream input takes one stream, not those of many instances");
    struct gn_rt_out *out = &from->out[from->port_out[e->from_port]];
    for (uint32_t i = 0; i < to->n_instances; i++) {
        struct gn_rt_in *in = &to[i].in[to[i].port_in[e->to_port]];
        if (in->ring != NULL)
            return refuse(err, GN_E_ARG, to[i].name, "a stream input has two links");
        in->ring = out->ring;
        in->i_reader = next_reader[out->ring - run->rings]++;
        in->reader = &out->ring->readers[in->i_reader];
        in->format = out->format;
        in->num = out->num;
        in->den = out->den;
        in->tags = calloc(GN_RT_TAGS_MAX, sizeof *in->tags);
        if (in->tags == NULL)
            return no_memory(err);
        uint32_t k = (uint32_t)to[i].port_in[e->to_port];
        to[i].w.in[k].format = in->format;
        to[i].w.in[k].tags = in->tags;
        if (e->policy == GN_POLICY_LATEST && from->is_live) {
            gn_ring_set_latest(in->ring, in->i_reader);
            in->is_latest = true;
        }
    }
    return GN_OK;
}

static gn_status join_streams(struct gn_run *run, struct gn_error *err)
{
    uint32_t *next_reader = calloc(run->n_rings + 1u, sizeof *next_reader);
    if (next_reader == NULL)
        return no_memory(err);
    gn_status st = GN_OK;
    for (uint32_t i = 0; i < run->graph->n_edges && st == GN_OK; i++) {
        const struct gn_edge *e = &run->graph->edges[i];
        if (is_stream(&run->graph->nodes[e->from].block->ports[e->from_port]))
            st = join_stream(run, e, next_reader, err);
    }
    free(next_reader);
    return st;
}

/* ---- message logs ---- */

static uint64_t delay_ticks(const struct gn_rt_inst *x, double delay_s)
{
    double rate_sps = x->host->anchor->rate_sps;
    if (!(delay_s > 0) || !(rate_sps > 0))
        return 0;
    double n = delay_s * rate_sps;
    return n < 1 ? 1 : n > 1e15 ? (uint64_t)1e15 : (uint64_t)llround(n);
}

static uint32_t n_listeners(struct gn_run *run, const struct gn_rt_inst *x, uint32_t port)
{
    bool is_ledger = port == x->n_ports;
    if (is_ledger)
        return run->tap != NULL && !x->is_tap && x->n_in + x->n_out > 0 ? 1 : 0;
    return n_stream_readers(run, x->i_node, port) + (is_heard(run, &x->block->ports[port]) ? 1 : 0);
}

static bool is_message_out(const struct gn_rt_inst *x, uint32_t port)
{
    return port == x->n_ports || (!is_stream(&x->block->ports[port]) && x->block->ports[port].dir == GN_OUT);
}

static gn_status make_log(struct gn_run *run, struct gn_rt_inst *x, uint32_t port, struct gn_error *err)
{
    bool is_ledger = port == x->n_ports;
    const struct gn_port *p = is_ledger ? NULL : &x->block->ports[port];
    uint32_t n_readers = n_listeners(run, x, port);
    if (n_readers == 0)
        return GN_OK;
    if (!is_ledger && p->schema == NULL)
        return refuse(err, GN_E_PLUGIN, x->name, "a message output names no schema");
    uint32_t size = is_ledger ? (uint32_t)sizeof(struct gn_msg_ledger) : p->schema->size;
    uint32_t n_max = is_ledger || p->n_msgs_max == 0 ? N_MSGS_DEFAULT : p->n_msgs_max;
    struct gn_msglog *log = &run->msglogs[run->n_logs++];
    gn_status st = gn_msglog_init(log, size, n_max, n_readers, is_ledger ? 0 : delay_ticks(x, p->delay_s));
    if (st != GN_OK)
        return refuse(err, st, x->name, "no memory for messages");
    x->log_of_port[port] = log;
    x->logs[x->n_logs++] = log;
    x->n_own_logs += is_ledger ? 0 : 1;
    return GN_OK;
}

static gn_status make_logs(struct gn_run *run, struct gn_error *err)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->n_insts; i++)
        n += run->insts[i].n_ports + 1;
    run->msglogs = aligned_alloc(64, sizeof *run->msglogs * (n + 1u));
    if (run->msglogs == NULL)
        return no_memory(err);
    memset(run->msglogs, 0, sizeof *run->msglogs * (n + 1u));
    for (uint32_t i = 0; i < run->n_insts; i++) {
        struct gn_rt_inst *x = &run->insts[i];
        for (uint32_t p = 0; p <= x->n_ports; p++) {
            gn_status st = is_message_out(x, p) ? make_log(run, x, p, err) : GN_OK;
            if (st != GN_OK)
                return st;
        }
    }
    return GN_OK;
}

static bool hear(struct gn_run *run, struct gn_rt_inst *to, uint32_t to_port, struct gn_rt_inst *from,
        uint32_t from_port, uint32_t *next_reader)
{
    struct gn_msglog *log = from->log_of_port[from_port];
    struct gn_rt_source *s = realloc(to->sources, sizeof *s * (to->n_sources + 1u));
    if (s == NULL)
        return false;
    to->sources = s;
    s[to->n_sources++] = (struct gn_rt_source){.log = log, .reader = &log->readers[next_reader[log - run->msglogs]++],
            .schema = from_port == from->n_ports ? &gn_schema_ledger : from->block->ports[from_port].schema,
            .producer = from->rank, .producer_port = from_port, .port = to_port};
    return true;
}

static bool join_messages(struct gn_run *run, uint32_t *next_reader)
{
    for (uint32_t i = 0; i < run->graph->n_edges; i++) {
        const struct gn_edge *e = &run->graph->edges[i];
        if (is_stream(&run->graph->nodes[e->from].block->ports[e->from_port]))
            continue;
        struct gn_rt_inst *from = first_of(run, e->from), *to = first_of(run, e->to);
        for (uint32_t j = 0; j < from->n_instances; j++)
            for (uint32_t k = 0; k < to->n_instances; k++)
                if (!hear(run, &to[k], e->to_port, &from[j], e->from_port, next_reader))
                    return false;
    }
    for (uint32_t i = 0; i < run->n_insts && run->tap != NULL; i++) {
        struct gn_rt_inst *x = &run->insts[i];
        for (uint32_t p = 0; p <= x->n_ports; p++) {
            bool is_wanted = p == x->n_ports || is_heard(run, &x->block->ports[p]);
            if (x->log_of_port[p] != NULL && is_wanted && !hear(run, run->tap, 0, x, p, next_reader))
                return false;
        }
    }
    return true;
}

static int merge_order(const void *a, const void *b)
{
    const struct gn_rt_source *x = a, *y = b;
    if (x->producer != y->producer)
        return x->producer < y->producer ? -1 : 1;
    if (x->producer_port != y->producer_port)
        return x->producer_port < y->producer_port ? -1 : 1;
    return x->port < y->port ? -1 : x->port > y->port;
}

/* ---- kinds, cycles, tiles ---- */

static void settle_kind(struct gn_rt_inst *x)
{
    for (uint32_t i = 0; i < x->n_in && x->in0 == NULL; i++)
        x->in0 = x->in[i].ring != NULL ? &x->in[i] : NULL;
    x->kind = x->in0 != NULL ? GN_RT_STREAM : x->n_sources > 0 || x->is_tap ? GN_RT_MESSAGE : GN_RT_SOURCE;
    if (x->n_sources > 1)
        qsort(x->sources, x->n_sources, sizeof *x->sources, merge_order);
    x->is_plain = x->kind == GN_RT_STREAM && x->n_in == 1 && x->n_out <= 1 && x->n_sources == 0 && x->n_logs == 0 &&
                  !x->in0->is_latest && !x->run->is_shuffled && !(x->n_out == 1 && x->out[0].ring->has_latest);
    double rate_sps = x->host->anchor->rate_sps;
    uint64_t num = 1, den = 1, n_cap = 0;
    if (x->in0 != NULL) {
        num = x->in0->num;
        den = x->in0->den;
        n_cap = x->in0->ring->n_cap;
    } else if (x->n_out > 0) {
        num = x->out[0].num;
        den = x->out[0].den;
        n_cap = x->out[0].ring->n_cap;
    }
    double n = rate_sps > 0 ? rate_sps * TILE_S * (double)den / (double)num : TILE_NO_CLOCK;
    n = n < TILE_MIN ? TILE_MIN : n;
    x->tile = n > (double)(n_cap / 8) ? n_cap / 8 : (uint64_t)n;
    x->tile = x->tile < 1 ? 1 : x->tile;
}

/* Does `x` hear `from`, directly or over other message-driven blocks? seen[] is by rank. */
static bool reaches(struct gn_run *run, const struct gn_rt_inst *x, uint32_t from, unsigned char *seen)
{
    for (uint32_t i = 0; i < x->n_sources; i++) {
        uint32_t p = x->sources[i].producer;
        const struct gn_rt_inst *producer = run->by_rank[p];
        if (producer->kind != GN_RT_MESSAGE || seen[p])
            continue;
        seen[p] = 1;
        if (p == from || reaches(run, producer, from, seen))
            return true;
    }
    return false;
}

/* Message-driven blocks that hear each other share the smallest rank among them, marked so that a cycle of one
 * is told from none. */
static gn_status find_cycles(struct gn_run *run, struct gn_error *err)
{
    unsigned char *seen = malloc(run->n_insts + 1u);
    if (seen == NULL)
        return no_memory(err);
    for (uint32_t i = 0; i < run->n_insts; i++) {
        struct gn_rt_inst *x = &run->insts[i];
        if (x->kind != GN_RT_MESSAGE)
            continue;
        for (uint32_t k = 0; k < run->n_insts; k++) {
            struct gn_rt_inst *y = &run->insts[k];
            if (y->kind != GN_RT_MESSAGE)
                continue;
            memset(seen, 0, run->n_insts);
            bool there = reaches(run, x, y->rank, seen);
            memset(seen, 0, run->n_insts);
            if (there && reaches(run, y, x->rank, seen)) {
                x->component = run->n_insts + (y->rank < x->rank ? y->rank : x->rank);
                break;
            }
        }
    }
    free(seen);
    return GN_OK;
}

/* What x's cycle hears from outside it; outside a cycle: what x hears. */
static gn_status find_outside(struct gn_run *run, struct gn_rt_inst *x, struct gn_error *err)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->n_insts; i++)
        n += run->insts[i].component == x->component ? run->insts[i].n_sources : 0;
    x->ext = calloc(n + 1u, sizeof *x->ext);
    if (x->ext == NULL)
        return no_memory(err);
    for (uint32_t i = 0; i < run->n_insts; i++) {
        const struct gn_rt_inst *y = &run->insts[i];
        for (uint32_t k = 0; y->component == x->component && k < y->n_sources; k++)
            if (run->by_rank[y->sources[k].producer]->component != x->component)
                x->ext[x->n_ext++] = y->sources[k].log;
    }
    return GN_OK;
}

static gn_status settle(struct gn_run *run, struct gn_error *err)
{
    for (uint32_t i = 0; i < run->n_insts; i++)
        settle_kind(&run->insts[i]);
    gn_status st = find_cycles(run, err);
    for (uint32_t i = 0; i < run->n_insts && st == GN_OK; i++) {
        struct gn_rt_inst *x = &run->insts[i];
        uint32_t i_source = x->pub->i_source;
        if (i_source < run->graph->n_nodes)
            x->has_samples = first_of(run, i_source)->n_out > 0;
        else
            x->has_samples = x->n_in + x->n_out > 0;
        if (x->kind == GN_RT_MESSAGE)
            st = find_outside(run, x, err);
    }
    return st;
}

gn_status gn_rt_build(struct gn_run *run, struct gn_error *err)
{
    gn_status st = make_insts(run, err);
    st = st == GN_OK ? make_rings(run, err) : st;
    st = st == GN_OK ? join_streams(run, err) : st;
    st = st == GN_OK ? make_logs(run, err) : st;
    if (st != GN_OK)
        return st;
    uint32_t *next_reader = calloc(run->n_logs + 1u, sizeof *next_reader);
    bool is_joined = next_reader != NULL && join_messages(run, next_reader);
    free(next_reader);
    if (!is_joined)
        return no_memory(err);
    st = settle(run, err);
    if (st == GN_OK && gn_rt_make_groups(run) != GN_OK)
        st = no_memory(err);
    run->n_job_threads_max = run->n_workers > 1 ? run->n_workers : 2;
    run->job_threads = calloc(run->n_job_threads_max, sizeof *run->job_threads);
    run->line = malloc(GN_EVENT_MAX_BYTES);
    if (st == GN_OK && (run->job_threads == NULL || run->line == NULL))
        st = no_memory(err);
    atomic_store_explicit(&run->n_alive, run->n_insts, memory_order_relaxed);
    return st;
}

static void free_inst(struct gn_rt_inst *x)
{
    for (uint32_t i = 0; i < x->n_in && x->in != NULL; i++)
        free(x->in[i].tags);
    free(x->in);
    free(x->out);
    free(x->w.in);
    free(x->w.out);
    free(x->port_in);
    free(x->port_out);
    free(x->log_of_port);
    free(x->logs);
    free(x->sources);
    free(x->ext);
    free(x->scratch);
    free(x->msgs);
    (void)pthread_mutex_destroy(&x->words_lock);
}

void gn_rt_unbuild(struct gn_run *run)
{
    for (uint32_t i = 0; i < run->n_insts; i++)
        free_inst(&run->insts[i]);
    for (uint32_t i = 0; i < run->n_rings; i++)
        gn_ring_done(&run->rings[i]);
    for (uint32_t i = 0; i < run->n_logs; i++)
        gn_msglog_done(&run->msglogs[i]);
    for (uint32_t i = 0; i < run->n_groups; i++)
        free(run->groups[i].insts);
    while (run->shared != NULL) {
        struct gn_rt_shared *s = run->shared;
        run->shared = s->next;
        free(s->memory);
        free(s);
    }
    free(run->insts);
    free(run->by_rank);
    free(run->rings);
    free(run->msglogs);
    free(run->groups);
    free(run->workers);
    free(run->job_threads);
    free(run->line);
}

/* Does another link of the same output come earlier? Then it reads the same ring. */
static bool has_ring_already(const struct gn_graph *g, uint32_t i_edge)
{
    for (uint32_t i = 0; i < i_edge; i++)
        if (g->edges[i].from == g->edges[i_edge].from && g->edges[i].from_port == g->edges[i_edge].from_port)
            return true;
    return false;
}

/* The cut of groups.c seen from an edge: with one worker, or where one reader follows one writer, and neither
 * may block, the edge is scratch. */
static bool is_inside_group(const struct gn_graph *g, const struct gn_run_config *config, const struct gn_edge *e)
{
    uint32_t n_readers = 0;
    for (uint32_t i = 0; i < g->n_edges; i++) {
        bool is_same = g->edges[i].from == e->from && g->edges[i].from_port == e->from_port;
        n_readers += is_same ? g->nodes[g->edges[i].to].n_instances : 0;
        if (is_same && (g->nodes[g->edges[i].to].block->flags & GN_BLOCK_BLOCKS) != 0)
            return false;
    }
    if ((g->nodes[e->from].block->flags & GN_BLOCK_BLOCKS) != 0)
        return false;
    return gn_rt_choose_workers(g, config) == 1 || n_readers == 1;
}

size_t gn_run_edge_bytes(const struct gn_graph *graph, const struct gn_run_config *config, uint32_t i_edge)
{
    static const struct gn_run_config defaults;
    const struct gn_edge *e = &graph->edges[i_edge];
    const struct gn_node *from = &graph->nodes[e->from];
    uint32_t k = 0;
    if (!is_stream(&from->block->ports[e->from_port]) || has_ring_already(graph, i_edge) ||
            is_inside_group(graph, config != NULL ? config : &defaults, e))
        return 0;
    for (uint32_t i = 0; i < e->from_port; i++)
        k += from->block->ports[i].dir == GN_OUT && is_stream(&from->block->ports[i]) ? 1 : 0;
    const struct gn_plan *plan = &from->instances[0].plan;
    uint32_t format = k < plan->n_out ? plan->out[k].format : GN_FMT_NONE;
    uint32_t n_bytes = format < GN_COUNT(item_bytes) ? item_bytes[format] : 0;
    size_t want = ring_bytes(graph, from->instances[0].host.anchor, n_bytes), size = RING_FILE_BYTES;
    while (size < want)
        size *= 2;
    return size;
}

size_t gn_run_ring_bytes(const struct gn_graph *graph, const struct gn_run_config *config)
{
    size_t sum = 0;
    for (uint32_t i = 0; i < graph->n_edges; i++)
        sum += gn_run_edge_bytes(graph, config, i);
    return sum;
}
