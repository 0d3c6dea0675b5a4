/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/text/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES 16384u
#define ALIGN_BYTES 16u

struct chunk {
    struct chunk *next;
    void *memory; /* of a large piece; NULL: data follows this header */
    size_t n_used, n_room;
};

struct gn_arena {
    struct chunk *chunks;
};

struct gn_arena *gn_arena_new(void)
{
    return calloc(1, sizeof(struct gn_arena));
}

void gn_arena_free(struct gn_arena *arena)
{
    if (arena == NULL)
        return;
    for (struct chunk *c = arena->chunks, *next; c != NULL; c = next) {
        next = c->next;
        free(c->memory);
        free(c);
    }
    free(arena);
}

static size_t header_bytes(void)
{
    return (sizeof(struct chunk) + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
}

static struct chunk *chunk_new(struct gn_arena *arena, size_t n_room)
{
    struct chunk *c = calloc(1, header_bytes() + n_room);
    if (c == NULL)
        abort();
    c->n_room = n_room;
    c->next = arena->chunks;
    arena->chunks = c;
    return c;
}

void *gn_arena_alloc(struct gn_arena *arena, size_t n_bytes)
{
    struct chunk *c = arena->chunks;

    if (n_bytes > SIZE_MAX / 2)
        abort();
    n_bytes = (n_bytes + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
    if (c == NULL || c->memory != NULL || c->n_room - c->n_used < n_bytes)
        c = chunk_new(arena, n_bytes > CHUNK_BYTES ? n_bytes : CHUNK_BYTES);
    void *p = (char *)c + header_bytes() + c->n_used;
    c->n_used += n_bytes;
    return p;
}

void *gn_arena_alloc_aligned(struct gn_arena *arena, size_t n_bytes, size_t alignment)
{
    if (n_bytes > SIZE_MAX / 2)
        return NULL;
    size_t n = (n_bytes + alignment - 1) / alignment * alignment;
    void *p = aligned_alloc(alignment, n > 0 ? n : alignment);
    if (p == NULL)
        return NULL;
    memset(p, 0, n > 0 ? n : alignment);
    chunk_new(arena, 0)->memory = p;
    return p;
}

char *gn_arena_text(struct gn_arena *arena, const char *text, size_t n)
{
    char *copy = gn_arena_alloc(arena, n + 1);
    if (n > 0)
        memcpy(copy, text, n);
    return copy;
}

char *gn_arena_printf(struct gn_arena *arena, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0)
        abort();
    char *text = gn_arena_alloc(arena, (size_t)n + 1);
    va_start(ap, fmt);
    (void)vsnprintf(text, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return text;
}
