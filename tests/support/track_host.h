/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A host in a test's own hands: loads one plugin, runs one block's instances on spans the test
 * chooses and hands every message to the test. One thread; memory of start() stays until the
 * process ends. */
#ifndef TRACK_HOST_H
#define TRACK_HOST_H

#include "gnomon/block.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAKE_SHARES 8
#define FAKE_MSGS   256

struct fake;
typedef void fake_sink(
        void *arg, struct fake *fake, uint32_t port, const void *msg, uint64_t index, uint64_t at);

/* one group: what its instances share */
struct fake_group {
    struct gn_anchor anchor;
    const char *kernels;
    struct {
        char key[32];
        void *memory;
    } share[FAKE_SHARES];
};

struct fake {
    struct gn_host host; /* first: the block hands it back */
    const struct gn_block *block;
    void *state;
    struct fake_group *group;
    fake_sink *sink;
    void *sink_arg;
    _Alignas(16) char record[GN_MSG_MAX_BYTES];
};

static inline const struct gn_block *fake_load(const char *plugin_path, const char *block)
{
    void *so = dlopen(plugin_path, RTLD_NOW | RTLD_LOCAL);
    const struct gn_plugin *p = so != NULL ? dlsym(so, "gn_plugin") : NULL;
    for (uint32_t i = 0; p != NULL && i < p->n_blocks; i++)
        if (strcmp(p->blocks[i]->name, block) == 0)
            return p->blocks[i];
    (void)fprintf(stderr, "%s: %s\n", block, so == NULL ? dlerror() : "not in the plugin");
    abort();
}

static inline gn_status fake_fail(
        const struct gn_host *h, gn_status st, const char *what, const char *fmt, ...)
{
    va_list ap;
    (void)h;
    va_start(ap, fmt);
    (void)fprintf(stderr, "refused (%s): ", what != NULL ? what : "-");
    (void)vfprintf(stderr, fmt, ap);
    (void)fputc('\n', stderr);
    va_end(ap);
    return st;
}

static inline void fake_log(const struct gn_host *h, uint32_t level, const char *fmt, ...)
{
    (void)h;
    (void)level;
    (void)fmt;
}

static inline void *fake_msg_new(const struct gn_host *h, uint32_t port)
{
    struct fake *f = (struct fake *)(uintptr_t)h;
    memset(f->record, 0, f->block->ports[port].schema->size);
    return f->record;
}

static inline void fake_msg_send(
        const struct gn_host *h, uint32_t port, uint64_t index, uint64_t at)
{
    struct fake *f = (struct fake *)(uintptr_t)h;
    if (f->sink != NULL)
        f->sink(f->sink_arg, f, port, f->record, index, at);
}

static inline void *fake_share(const struct gn_host *h, const char *key, size_t size)
{
    struct fake_group *g = ((struct fake *)(uintptr_t)h)->group;
    for (int i = 0; i < FAKE_SHARES; i++) {
        if (g->share[i].memory != NULL && strcmp(g->share[i].key, key) == 0)
            return g->share[i].memory;
        if (g->share[i].memory == NULL) {
            (void)snprintf(g->share[i].key, sizeof g->share[i].key, "%s", key);
            return g->share[i].memory = calloc(1, size);
        }
    }
    return NULL;
}

static inline void fake_stage(const struct gn_host *h, uint32_t i_stage)
{
    (void)h;
    (void)i_stage;
}

static inline const void *fake_ext(const struct gn_host *h, const char *id)
{
    return strcmp(id, "gn.kernels/1") == 0 ? ((const struct fake *)h)->group->kernels : NULL;
}

/* Parameters get the defaults of numbers and the first choice of enums. */
static inline void fake_defaults(const struct gn_block *b, char *state)
{
    for (uint32_t i = 0; i < b->n_params; i++)
        if (b->params[i].type == GN_P_F64 && b->params[i].def != NULL) {
            double v = strtod(b->params[i].def, NULL);
            memcpy(state + b->params[i].offset, &v, sizeof v);
        }
}

static inline struct fake *fake_new(const struct gn_block *b, struct fake_group *group,
        uint32_t instance, uint32_t format, fake_sink *sink, void *sink_arg)
{
    struct fake *f = calloc(1, sizeof *f);
    f->host = (struct gn_host){.size = sizeof f->host,
            .abi_major = GN_ABI_MAJOR,
            .instance = instance,
            .n_instances = instance + 1,
            .anchor = &group->anchor,
            .name = b->name,
            .fail = fake_fail,
            .log = fake_log,
            .msg_new = fake_msg_new,
            .msg_send = fake_msg_send,
            .share = fake_share,
            .stage = fake_stage,
            .ext = fake_ext};
    f->block = b;
    f->group = group;
    f->sink = sink;
    f->sink_arg = sink_arg;
    f->state = aligned_alloc(64, (b->state_size + 63u) / 64 * 64);
    memset(f->state, 0, b->state_size);
    fake_defaults(b, f->state);
    struct gn_plan_stream in = {.format = format, .tick_num = 1, .tick_den = 1};
    struct gn_plan plan = {.in = &in, .n_in = 1, .anchor = group->anchor};
    if ((b->plan != NULL && b->plan(f->state, &f->host, &plan) != GN_OK) ||
            (b->start != NULL && b->start(f->state, &f->host) != GN_OK))
        abort();
    return f;
}

/* One work call on a span; returns the items used. *need: what the block asked for. */
static inline uint32_t fake_work(struct fake *f, const void *items, uint64_t index, uint32_t n,
        uint32_t flags, const struct gn_msg *msgs, uint32_t n_msgs, uint32_t *need)
{
    struct gn_in in = {.items = items, .index = index, .n_items = n, .flags = flags};
    struct gn_work w = {.in = &in, .n_in = 1, .msgs = msgs, .n_msgs = n_msgs, .now = index};
    if (f->block->work(f->state, &f->host, &w) != GN_OK || in.n_used > n)
        abort();
    *need = in.n_need;
    return in.n_used;
}

#endif
