/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What a block may ask of the host. */
#include "core/run/inst.h"

#include "core/run/ledger.h"
#include "gnomon/event.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct gn_rt_inst *gn_rt_of(const struct gn_host *h)
{
    return gn_instance_of(h)->runtime;
}

/* May be called from the job while work() runs: hence the lock, which only refusals take. */
static gn_status host_fail(const struct gn_host *h, gn_status st, const char *what, const char *fmt, ...)
{
    struct gn_rt_inst *x = gn_rt_of(h);
    struct gn_failure *f = &x->pub->failure;
    va_list args;
    va_start(args, fmt);
    (void)pthread_mutex_lock(&x->words_lock);
    f->status = st;
    (void)snprintf(f->what, sizeof f->what, "%s", what != NULL ? what : "");
    (void)vsnprintf(f->text, sizeof f->text, fmt, args);
    (void)pthread_mutex_unlock(&x->words_lock);
    va_end(args);
    return st;
}

/* "out: broke at item 5": the block's own words, or that it had none. */
void gn_rt_words(struct gn_rt_inst *x, char *text, size_t room)
{
    const struct gn_failure *f = &x->pub->failure;
    (void)pthread_mutex_lock(&x->words_lock);
    if (f->status == GN_OK)
        (void)snprintf(text, room, "failed without saying why");
    else
        (void)snprintf(text, room, "%s%s%s", f->what, f->what[0] != 0 ? ": " : "", f->text);
    (void)pthread_mutex_unlock(&x->words_lock);
}

static void say(struct gn_rt_inst *x, uint32_t level, const char *text)
{
    static const char *const words[] = {"error", "warning", "info", "debug"};
    const struct gn_run_config *c = &x->run->config;
    if (c->log != NULL)
        c->log(c->user, level, x->name, text);
    else if (level <= GN_LOG_WARN)
        (void)fprintf(stderr, "%s: %s: %s\n", x->name, words[level], text);
}

static void host_log(const struct gn_host *h, uint32_t level, const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    say(gn_rt_of(h), level, text);
}

static void *host_msg_new(const struct gn_host *h, uint32_t port)
{
    struct gn_rt_inst *x = gn_rt_of(h);
    if (port < x->n_ports && x->log_of_port[port] != NULL)
        return gn_msglog_new(x->log_of_port[port]);
    memset(x->scratch, 0, GN_MSG_MAX_BYTES); /* nobody hears it */
    return x->scratch;
}

static void host_msg_send(const struct gn_host *h, uint32_t port, uint64_t index, uint64_t at)
{
    struct gn_rt_inst *x = gn_rt_of(h);
    at = at < x->now ? x->now : at;
    x->at_max = at > x->at_max ? at : x->at_max;
    x->n_sent++;
    gn_rt_add(&x->stats.n_msgs_out, 1);
    if (port < x->n_ports && x->log_of_port[port] != NULL)
        gn_msglog_send(x->log_of_port[port], index, at);
}

/* A line of the ledger: goes to the event log, the counters and the people. */
void gn_rt_lost(struct gn_rt_inst *x, uint64_t index, uint64_t n_lost, uint64_t n_repeated, const char *cause)
{
    char text[128];
    gn_rt_add(&x->stats.n_lost, n_lost);
    gn_rt_add(&x->stats.n_repeated, n_repeated);
    (void)snprintf(text, sizeof text, "%llu samples %s at %llu: %s", (unsigned long long)(n_lost + n_repeated),
            n_lost > 0 ? "lost" : "repeated", (unsigned long long)index, cause);
    say(x, GN_LOG_WARN, text);
    struct gn_msglog *log = x->log_of_port[x->n_ports];
    struct gn_msg_ledger *m = log == NULL ? NULL : gn_msglog_new(log);
    if (m == NULL)
        return;
    m->lost = n_lost > 0 ? n_lost : UINT64_MAX;
    m->repeated = n_repeated > 0 ? n_repeated : UINT64_MAX;
    (void)snprintf(m->cause, sizeof m->cause, "%s", cause);
    gn_msglog_send(log, index, index > x->now ? index : x->now);
}

static void host_gap(const struct gn_host *h, uint32_t i_out, uint64_t n_ticks, const char *cause)
{
    struct gn_rt_inst *x = gn_rt_of(h);
    if (i_out >= x->n_out || n_ticks == 0)
        return;
    struct gn_rt_out *o = &x->out[i_out];
    uint64_t item = o->ring->head_here + x->w.out[i_out].n_made;
    uint64_t index = o->seg_index + gn_rt_ticks(item - o->seg_item, o->num, o->den);
    struct gn_tag tag = {.tick = index + n_ticks, .value = n_ticks, .key = "gap"};
    if (!gn_ring_mark(o->ring, item, &tag))
        return; /* more gaps in one call than a ring can tell: cannot happen below GN_RT_TAGS_MAX */
    o->seg_item = item;
    o->seg_index = index + n_ticks;
    if (x->w.out[i_out].n_made == 0)
        x->w.out[i_out].index = o->seg_index;
    gn_rt_lost(x, index, n_ticks, 0, cause != NULL ? cause : "unknown");
}

static void host_tag(const struct gn_host *h, uint32_t i_out, const struct gn_tag *tag)
{
    struct gn_rt_inst *x = gn_rt_of(h);
    if (i_out >= x->n_out || memcmp(tag->key, "gap", 4) == 0)
        return;
    struct gn_rt_out *o = &x->out[i_out];
    uint64_t item = o->ring->head_here;
    if (tag->tick > o->seg_index)
        item = o->seg_item + gn_rt_items(tag->tick - o->seg_index, o->num, o->den);
    (void)gn_ring_mark(o->ring, item > o->ring->head_here ? item : o->ring->head_here, tag);
}

static gn_status host_job(const struct gn_host *h, void (*fn)(const struct gn_job *job), void *arg, uint64_t end,
        double delay_s)
{
    struct gn_rt_inst *x = gn_rt_of(h);
    double delay = delay_s > 0 && h->anchor->rate_sps > 0 ? delay_s * h->anchor->rate_sps : 0;
    if (x->has_job || fn == NULL || delay > 1e18)
        return GN_E_ARG;
    uint64_t due = end + (uint64_t)llround(delay);
    return gn_rt_job_submit(x, fn, arg, due > x->now ? due : x->now);
}

static void *host_share(const struct gn_host *h, const char *key, size_t size)
{
    struct gn_rt_inst *x = gn_rt_of(h);
    struct gn_run *run = x->run;
    struct gn_ring *ring = x->in0 != NULL ? x->in0->ring : NULL;
    for (struct gn_rt_shared *s = run->shared; s != NULL; s = s->next)
        if (s->block == x->block && s->i_group == x->i_group && s->ring == ring && s->size == size &&
                strcmp(s->key, key) == 0)
            return s->memory;
    struct gn_rt_shared *s = calloc(1, sizeof *s);
    void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    if (s == NULL || memory == NULL || strlen(key) >= sizeof s->key) {
        free(s);
        free(memory);
        return NULL;
    }
    memset(memory, 0, size);
    *s = (struct gn_rt_shared){.next = run->shared, .block = x->block, .ring = ring, .i_group = x->i_group,
            .size = size, .memory = memory};
    (void)snprintf(s->key, sizeof s->key, "%s", key);
    run->shared = s;
    return memory;
}

static void switch_stage(_Atomic uint64_t *ns, uint32_t *i_stage, uint64_t *t_ns, uint32_t i_new)
{
    uint64_t t = gn_rt_clock_ns();
    if (*i_stage < GN_RUN_STAGES_MAX)
        gn_rt_add(&ns[*i_stage], t - *t_ns);
    *i_stage = i_new;
    *t_ns = t;
}

static void host_stage(const struct gn_host *h, uint32_t i_stage)
{
    struct gn_rt_inst *x = gn_rt_of(h);
    bool is_running = atomic_load_explicit(&x->job.state, memory_order_acquire) == GN_JOB_RUNNING;
    if (is_running && pthread_equal(pthread_self(), x->job.thread))
        switch_stage(x->stats.job_stage_ns, &x->job.i_stage, &x->job.t_stage_ns, i_stage);
    else if (x->is_timed)
        switch_stage(x->stats.stage_ns, &x->i_stage, &x->t_stage_ns, i_stage);
}

static size_t event_line(const struct gn_host *h, const struct gn_msg *msg, char *buf, size_t room)
{
    return gn_rt_event_line(gn_rt_of(h)->run, msg, buf, room);
}

static void ledger_repeated(const struct gn_host *h, uint32_t i_out, uint64_t n_ticks, const char *cause)
{
    struct gn_rt_inst *x = gn_rt_of(h);
    if (i_out < x->n_out && n_ticks > 0)
        gn_rt_lost(x, gn_rt_out_index(&x->out[i_out]), 0, n_ticks, cause != NULL ? cause : "unknown");
}

static const struct gn_event_print event_print = {.size = sizeof event_print, .line = event_line};
static const struct gn_ledger ledger = {.size = sizeof ledger, .repeated = ledger_repeated};

static const void *host_ext(const struct gn_host *h, const char *id)
{
    if (strcmp(id, GN_EVENT_PRINT_ID) == 0)
        return &event_print;
    return strcmp(id, GN_LEDGER_ID) == 0 ? &ledger : gn_graph_host_ext(h, id);
}

static const struct gn_anchor no_anchor;

void gn_rt_host_fill(struct gn_rt_inst *x)
{
    struct gn_host *h = &x->pub->host;
    h->size = sizeof *h;
    h->abi_major = GN_ABI_MAJOR;
    h->instance = x->instance;
    h->n_instances = x->n_instances;
    if (h->name == NULL)
        h->name = x->name;
    if (h->anchor == NULL)
        h->anchor = &no_anchor;
    h->fail = host_fail;
    h->log = host_log;
    h->msg_new = host_msg_new;
    h->msg_send = host_msg_send;
    h->gap = host_gap;
    h->tag = host_tag;
    h->job = host_job;
    h->share = host_share;
    h->stage = host_stage;
    h->ext = host_ext;
    x->pub->runtime = x;
}
