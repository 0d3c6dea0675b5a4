/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Rings and message logs, and who reads them. */
#include "core/run/build.h"
#include "core/run/ledger.h"

#include <stdlib.h>
#include <string.h>

#define N_MSGS_DEFAULT 16u

static uint32_t n_stream_readers(struct gn_run *run, uint32_t i_node, uint32_t port)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->graph->n_edges; i++) {
        const struct gn_edge *e = &run->graph->edges[i];
        n += e->from == i_node && e->from_port == port ? run->graph->nodes[e->to].n_instances : 0;
    }
    return n;
}

static gn_status make_ring(struct gn_run *run, struct gn_rt_inst *x, uint32_t port, struct gn_ring *ring,
        struct gn_error *err)
{
    struct gn_rt_out *out = &x->out[x->port_out[port]];
    uint32_t n_bytes = gn_rt_item_bytes(out->format);
    if (n_bytes == 0)
        return gn_rt_refuse(err, GN_E_ARG, x->name, "the format of a stream output was not settled");
    uint32_t n_readers = n_stream_readers(run, x->i_node, port);
    gn_status st = gn_ring_init(ring, gn_rt_ring_bytes(run->graph, x->host->anchor, n_bytes), n_bytes, n_readers, false);
    if (st != GN_OK)
        return gn_rt_refuse(err, st, x->name, "no memory for a ring");
    out->ring = ring;
    return GN_OK;
}

gn_status gn_rt_make_rings(struct gn_run *run, struct gn_error *err)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->n_insts; i++)
        n += run->insts[i].n_out;
    run->rings = aligned_alloc(GN_CACHE_LINE, sizeof *run->rings * (n + 1u));
    if (run->rings == NULL)
        return gn_rt_no_memory(err);
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
    struct gn_rt_inst *from = gn_rt_first_of(run, e->from), *to = gn_rt_first_of(run, e->to);
    if (from->n_instances != 1)
        return gn_rt_refuse(err, GN_E_ARG, to->name, "a stream input takes one stream, not those of many instances");
    struct gn_rt_out *out = &from->out[from->port_out[e->from_port]];
    for (uint32_t i = 0; i < to->n_instances; i++) {
        struct gn_rt_in *in = &to[i].in[to[i].port_in[e->to_port]];
        if (in->ring != NULL)
            return gn_rt_refuse(err, GN_E_ARG, to[i].name, "a stream input has two links");
        in->ring = out->ring;
        in->i_reader = next_reader[out->ring - run->rings]++;
        in->reader = &out->ring->readers[in->i_reader];
        in->format = out->format;
        in->num = out->num;
        in->den = out->den;
        in->tags = calloc(GN_RT_TAGS_MAX, sizeof *in->tags);
        if (in->tags == NULL)
            return gn_rt_no_memory(err);
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

gn_status gn_rt_join_streams(struct gn_run *run, struct gn_error *err)
{
    uint32_t *next_reader = calloc(run->n_rings + 1u, sizeof *next_reader);
    if (next_reader == NULL)
        return gn_rt_no_memory(err);
    gn_status st = GN_OK;
    for (uint32_t i = 0; i < run->graph->n_edges && st == GN_OK; i++) {
        const struct gn_edge *e = &run->graph->edges[i];
        if (gn_rt_is_stream(&run->graph->nodes[e->from].block->ports[e->from_port]))
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
    return n_stream_readers(run, x->i_node, port) + (gn_rt_is_heard(run, &x->block->ports[port]) ? 1 : 0);
}

static bool is_message_out(const struct gn_rt_inst *x, uint32_t port)
{
    return port == x->n_ports || (!gn_rt_is_stream(&x->block->ports[port]) && x->block->ports[port].dir == GN_OUT);
}

static gn_status make_log(struct gn_run *run, struct gn_rt_inst *x, uint32_t port, struct gn_error *err)
{
    bool is_ledger = port == x->n_ports;
    const struct gn_port *p = is_ledger ? NULL : &x->block->ports[port];
    uint32_t n_readers = n_listeners(run, x, port);
    if (n_readers == 0)
        return GN_OK;
    if (!is_ledger && p->schema == NULL)
        return gn_rt_refuse(err, GN_E_PLUGIN, x->name, "a message output names no schema");
    uint32_t size = is_ledger ? (uint32_t)sizeof(struct gn_msg_ledger) : p->schema->size;
    uint32_t n_max = is_ledger || p->n_msgs_max == 0 ? N_MSGS_DEFAULT : p->n_msgs_max;
    struct gn_msglog *log = &run->msglogs[run->n_logs++];
    gn_status st = gn_msglog_init(log, size, n_max, n_readers, is_ledger ? 0 : delay_ticks(x, p->delay_s));
    if (st != GN_OK)
        return gn_rt_refuse(err, st, x->name, "no memory for messages");
    x->log_of_port[port] = log;
    x->logs[x->n_logs++] = log;
    x->n_own_logs += is_ledger ? 0 : 1;
    return GN_OK;
}

gn_status gn_rt_make_logs(struct gn_run *run, struct gn_error *err)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->n_insts; i++)
        n += run->insts[i].n_ports + 1;
    run->msglogs = aligned_alloc(64, sizeof *run->msglogs * (n + 1u));
    if (run->msglogs == NULL)
        return gn_rt_no_memory(err);
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

bool gn_rt_join_messages(struct gn_run *run, uint32_t *next_reader)
{
    for (uint32_t i = 0; i < run->graph->n_edges; i++) {
        const struct gn_edge *e = &run->graph->edges[i];
        if (gn_rt_is_stream(&run->graph->nodes[e->from].block->ports[e->from_port]))
            continue;
        struct gn_rt_inst *from = gn_rt_first_of(run, e->from), *to = gn_rt_first_of(run, e->to);
        for (uint32_t j = 0; j < from->n_instances; j++)
            for (uint32_t k = 0; k < to->n_instances; k++)
                if (!hear(run, &to[k], e->to_port, &from[j], e->from_port, next_reader))
                    return false;
    }
    for (uint32_t i = 0; i < run->n_insts && run->tap != NULL; i++) {
        struct gn_rt_inst *x = &run->insts[i];
        for (uint32_t p = 0; p <= x->n_ports; p++) {
            bool is_wanted = p == x->n_ports || gn_rt_is_heard(run, &x->block->ports[p]);
            if (x->log_of_port[p] != NULL && is_wanted && !hear(run, run->tap, 0, x, p, next_reader))
                return false;
        }
    }
    return true;
}
