/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* From the planned graph to instances, rings and message logs. All memory of the run is made here. */
#include "core/run/build.h"

#include "gnomon/event.h"

#include <stdlib.h>
#include <string.h>


gn_status gn_rt_no_memory(struct gn_error *err)
{
    if (err != NULL) {
        err->status = GN_E_NOMEM;
        (void)snprintf(err->text, sizeof err->text, "out of memory");
    }
    return GN_E_NOMEM;
}

gn_status gn_rt_refuse(struct gn_error *err, gn_status st, const char *name, const char *what)
{
    if (err != NULL) {
        err->status = st;
        (void)snprintf(err->text, sizeof err->text, "%s: %s", name, what);
    }
    return st;
}

bool gn_rt_is_stream(const struct gn_port *p)
{
    return p->formats != NULL;
}

bool gn_rt_has_tap(const struct gn_run *run)
{
    return run->config.jsonl != NULL || run->config.tap != NULL;
}

bool gn_rt_is_heard(const struct gn_run *run, const struct gn_port *p)
{
    return gn_rt_has_tap(run) && p->schema != NULL && p->schema->event != NULL;
}

struct gn_rt_inst *gn_rt_first_of(struct gn_run *run, uint32_t i_node)
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
        x->port_in[i] = gn_rt_is_stream(&b->ports[i]) && is_in ? (int32_t)x->n_in++ : -1;
        x->port_out[i] = gn_rt_is_stream(&b->ports[i]) && !is_in ? (int32_t)x->n_out++ : -1;
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
        return gn_rt_no_memory(err);
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
    uint32_t n = gn_rt_has_tap(run) ? 1 : 0;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        n += g->nodes[i].n_instances;
    run->insts = calloc(n + 1u, sizeof *run->insts);
    run->by_rank = calloc(n + 1u, sizeof *run->by_rank);
    if (run->insts == NULL || run->by_rank == NULL)
        return gn_rt_no_memory(err);
    run->n_insts = n;
    for (uint32_t i = 0, k = 0; i < g->n_nodes; i++) {
        for (uint32_t j = 0; j < g->nodes[i].n_instances; j++, k++) {
            struct gn_rt_inst *x = &run->insts[k];
            *x = (struct gn_rt_inst){.pub = &g->nodes[i].instances[j], .block = g->nodes[i].block, .i_node = i,
                    .instance = j, .n_instances = g->nodes[i].n_instances, .rank = rank_of(g, i) + j};
            name_instance(x, &g->nodes[i]);
        }
    }
    if (gn_rt_has_tap(run)) {
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

gn_status gn_rt_build(struct gn_run *run, struct gn_error *err)
{
    gn_status st = make_insts(run, err);
    st = st == GN_OK ? gn_rt_make_rings(run, err) : st;
    st = st == GN_OK ? gn_rt_join_streams(run, err) : st;
    st = st == GN_OK ? gn_rt_make_logs(run, err) : st;
    if (st != GN_OK)
        return st;
    uint32_t *next_reader = calloc(run->n_logs + 1u, sizeof *next_reader);
    bool is_joined = next_reader != NULL && gn_rt_join_messages(run, next_reader);
    free(next_reader);
    if (!is_joined)
        return gn_rt_no_memory(err);
    st = gn_rt_settle(run, err);
    if (st == GN_OK && gn_rt_make_groups(run) != GN_OK)
        st = gn_rt_no_memory(err);
    run->n_job_threads_max = run->n_workers > 1 ? run->n_workers : 2;
    run->job_threads = calloc(run->n_job_threads_max, sizeof *run->job_threads);
    run->line = malloc(GN_EVENT_MAX_BYTES);
    if (st == GN_OK && (run->job_threads == NULL || run->line == NULL))
        st = gn_rt_no_memory(err);
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
