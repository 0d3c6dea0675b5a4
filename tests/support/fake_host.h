/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A host of one block, for tests: parameters from text, plan, start, work with any cutting of the
 * stream. */
#ifndef GN_FAKE_HOST_H
#define GN_FAKE_HOST_H

#include "gnomon/block.h"
#include "tests/support/gn_test.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#define FAKE_GAPS_MAX 16

struct fake {
    struct gn_host host; /* first: the callbacks find the rest by it */
    const struct gn_block *block;
    void *state;
    struct gn_plan plan;
    struct gn_plan_stream in, out[4];
    gn_status status;
    char what[64], words[512], logged[1024];
    uint32_t n_logged;
    uint32_t strict;
    uint64_t gap_ticks[FAKE_GAPS_MAX], gap_at[FAKE_GAPS_MAX];
    uint32_t n_gaps;
    uint64_t n_out; /* items so far */
    char *texts[32];
    uint32_t n_texts;
};

static inline gn_status fake_fail(
        const struct gn_host *h, gn_status st, const char *what, const char *fmt, ...)
{
    struct fake *f = (struct fake *)(uintptr_t)h;
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(f->words, sizeof f->words, fmt, ap);
    va_end(ap);
    (void)snprintf(f->what, sizeof f->what, "%s", what != NULL ? what : "");
    f->status = st;
    return st;
}

static inline void fake_log(const struct gn_host *h, uint32_t level, const char *fmt, ...)
{
    struct fake *f = (struct fake *)(uintptr_t)h;
    va_list ap;
    (void)level;
    va_start(ap, fmt);
    (void)vsnprintf(f->logged, sizeof f->logged, fmt, ap);
    va_end(ap);
    f->n_logged++;
}

static inline const void *fake_ext(const struct gn_host *h, const char *id)
{
    const struct fake *f = (const struct fake *)(const void *)h;
    return strcmp(id, "gn.strict/1") == 0 ? &f->strict : NULL;
}

static inline void fake_gap(
        const struct gn_host *h, uint32_t i_out, uint64_t n_ticks, const char *cause)
{
    struct fake *f = (struct fake *)(uintptr_t)h;
    (void)i_out;
    (void)cause;
    if (f->n_gaps < FAKE_GAPS_MAX) {
        f->gap_at[f->n_gaps] = f->n_out;
        f->gap_ticks[f->n_gaps++] = n_ticks;
    }
}

/* "1.5 MHz" */
static inline double fake_number(const char *text)
{
    char *end = NULL;
    double x = strtod(text, &end);
    while (*end == ' ')
        end++;
    return *end == 'M' ? x * 1e6 : *end == 'k' ? x * 1e3 : x;
}

static inline uint32_t fake_choice(const struct gn_param *p, const char *text)
{
    for (uint32_t i = 0; p->choices[i] != NULL; i++)
        if (strcmp(p->choices[i], text) == 0)
            return i;
    fail_msg("%s: no choice %s", p->name, text);
    return 0;
}

static inline void fake_list(struct gn_list *list, const char *text)
{
    list->n = 0;
    for (const char *at = text; *at != '\0';) {
        if (*at == '[' || *at == ',' || *at == ' ' || *at == ']') {
            at++;
            continue;
        }
        char *end = NULL;
        list->v[list->n++] = strtod(at, &end);
        at = end;
    }
}

static inline void fake_fill(struct fake *f, const struct gn_param *p, const char *text)
{
    char *to = (char *)f->state + p->offset;
    bool is_auto = (p->flags & GN_PARAM_AUTO) != 0 && strcmp(text, "auto") == 0;
    double x = is_auto ? (double)NAN : fake_number(text);
    int64_t i = is_auto ? INT64_MIN : (int64_t)x;
    char *copy = NULL;
    uint64_t set = 0;
    switch (p->type) {
    case GN_P_F64:
        memcpy(to, &x, sizeof x);
        break;
    case GN_P_I64:
        memcpy(to, &i, sizeof i);
        break;
    case GN_P_BOOL:
        *(uint8_t *)to = strcmp(text, "true") == 0;
        break;
    case GN_P_ENUM:
        *(int32_t *)(void *)to = (int32_t)fake_choice(p, text);
        break;
    case GN_P_SET:
        for (uint32_t k = 0; p->choices[k] != NULL; k++)
            set |= strstr(text, p->choices[k]) != NULL ? 1ULL << k : 0;
        memcpy(to, &set, sizeof set);
        break;
    case GN_P_LIST:
        fake_list((struct gn_list *)(void *)to, text);
        break;
    default:
        copy = strcmp(text, "~") == 0 ? NULL : strdup(text);
        f->texts[f->n_texts++] = copy;
        memcpy(to, &copy, sizeof copy);
        break;
    }
}

static inline const struct gn_plugin *fake_plugin(const char *name)
{
    char path[4096];
    (void)snprintf(path, sizeof path, GN_BINARY_DIR "/plugins/%s.so", name);
    void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL); /* never closed: blocks stay valid */
    if (lib == NULL)
        fail_msg("%s", dlerror());
    return dlsym(lib, "gn_plugin");
}

/* settings: "rate=4e6", ..., NULL-ended; others get their defaults */
static inline void fake_open(
        struct fake *f, const char *plugin, const char *block, const char *const *settings)
{
    const struct gn_plugin *p = fake_plugin(plugin);
    *f = (struct fake){.host = {.size = sizeof f->host,
                               .abi_major = GN_ABI_MAJOR,
                               .n_instances = 1,
                               .name = "test",
                               .fail = fake_fail,
                               .log = fake_log,
                               .ext = fake_ext,
                               .gap = fake_gap}};
    for (uint32_t i = 0; i < p->n_blocks; i++)
        if (strcmp(p->blocks[i]->name, block) == 0)
            f->block = p->blocks[i];
    assert_non_null(f->block);
    f->state = aligned_alloc(64, (f->block->state_size + 63U) / 64 * 64);
    memset(f->state, 0, f->block->state_size);
    for (uint32_t i = 0; i < f->block->n_params; i++) {
        const struct gn_param *q = &f->block->params[i];
        const char *text = q->def != NULL ? q->def : "~";
        for (const char *const *s = settings; s != NULL && *s != NULL; s++)
            if (strncmp(*s, q->name, strlen(q->name)) == 0 && (*s)[strlen(q->name)] == '=')
                text = *s + strlen(q->name) + 1;
        fake_fill(f, q, text);
    }
    f->plan.in = &f->in;
    f->plan.out = f->out;
    f->plan.n_out = 1;
    f->host.anchor = &f->plan.anchor;
}

static inline gn_status fake_start(struct fake *f)
{
    gn_status st = f->block->plan != NULL ? f->block->plan(f->state, &f->host, &f->plan) : GN_OK;
    return st == GN_OK && f->block->start != NULL ? f->block->start(f->state, &f->host) : st;
}

static inline void fake_close(struct fake *f)
{
    if (f->block->stop != NULL)
        f->block->stop(f->state, &f->host);
    for (uint32_t i = 0; i < f->n_texts; i++)
        free(f->texts[i]);
    free(f->state);
}

static inline uint32_t fake_random(uint32_t *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return *seed >> 8;
}

/* Run a source to its end (or n_max items), at most chunk items a call (seed not 0: random
 * lengths). */
static inline size_t fake_pull(
        struct fake *f, void *items, size_t item_bytes, size_t n_max, uint32_t chunk, uint32_t seed)
{
    bool is_done = false;
    while (!is_done && f->n_out < n_max) {
        uint32_t n = seed != 0 ? 1 + fake_random(&seed) % chunk : chunk;
        struct gn_out out = {.items = (char *)items + f->n_out * item_bytes,
                .index = f->n_out,
                .format = f->out[0].format,
                .n_room = n < n_max - f->n_out ? n : (uint32_t)(n_max - f->n_out)};
        struct gn_work w = {.out = &out, .n_out = 1, .now = f->n_out};
        if (f->block->work(f->state, &f->host, &w) != GN_OK)
            break;
        f->n_out += out.n_made;
        is_done = w.is_done != 0;
    }
    return (size_t)f->n_out;
}

/* Run a one-in one-out block over items[n_items] from tick `index`; returns items made. */
static inline size_t fake_push(struct fake *f, const void *items, size_t in_bytes, size_t n_items,
        uint64_t index, void *to, size_t out_bytes, uint32_t chunk, uint32_t seed)
{
    size_t n_used = 0, n_made = 0, n_need = 1;
    while (n_used < n_items) {
        size_t n = seed != 0 ? 1 + fake_random(&seed) % chunk : chunk;
        n = n < n_need ? n_need : n;
        bool is_last = n >= n_items - n_used;
        struct gn_in in = {.items = (const char *)items + n_used * in_bytes,
                .index = index + n_used,
                .n_items = (uint32_t)(is_last ? n_items - n_used : n),
                .format = f->in.format,
                .flags = is_last ? GN_IN_LAST : 0};
        struct gn_out out = {.items = (char *)to + n_made * out_bytes,
                .index = index + n_made,
                .n_room = seed != 0 ? 1 + fake_random(&seed) % chunk : chunk,
                .format = f->out[0].format};
        struct gn_work w = {.in = &in, .out = &out, .n_in = 1, .n_out = 1, .now = in.index};
        if (f->block->work(f->state, &f->host, &w) != GN_OK)
            break;
        n_used += in.n_used;
        n_made += out.n_made;
        n_need = in.n_need > 0 ? in.n_need : 1;
    }
    return n_made;
}

#endif
