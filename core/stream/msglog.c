/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/stream/msglog.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES 8192u
#define CHUNK_RECORDS_MIN 8u

static struct gn_msg_chunk *chunk_new(const struct gn_msglog *log)
{
    size_t n_bytes = sizeof(struct gn_msg_chunk) + (size_t)log->record_bytes * log->n_per_chunk;
    return aligned_alloc(16, (n_bytes + 15) / 16 * 16);
}

static bool add_free(struct gn_msglog *log)
{
    struct gn_msg_chunk *c = chunk_new(log);
    if (c == NULL)
        return false;
    c->next = log->free_list;
    log->free_list = c;
    log->n_free += log->n_per_chunk;
    return true;
}

/* The next chunk of the log; the free list is never empty here: gn_msglog_begin saw to it. */
static void append_chunk(struct gn_msglog *log)
{
    struct gn_msg_chunk *c = log->free_list;
    log->free_list = c->next;
    log->n_free -= log->n_per_chunk;
    c->next = NULL;
    c->first = log->newest == NULL ? 0 : log->newest->first + log->n_per_chunk;
    if (log->newest == NULL)
        log->oldest = c;
    else
        log->newest->next = c;
    log->newest = c;
}

gn_status gn_msglog_init(struct gn_msglog *log, uint32_t payload_bytes, uint32_t n_max, uint32_t n_readers, uint64_t delay)
{
    memset(log, 0, sizeof *log);
    if (payload_bytes > GN_MSG_MAX_BYTES)
        return GN_E_ARG;
    log->payload_bytes = payload_bytes;
    log->record_bytes = (uint32_t)((sizeof(struct gn_record) + payload_bytes + 15u) / 16u * 16u);
    log->n_per_chunk = CHUNK_BYTES / log->record_bytes;
    if (log->n_per_chunk < CHUNK_RECORDS_MIN)
        log->n_per_chunk = CHUNK_RECORDS_MIN;
    log->n_max = n_max;
    log->n_readers = n_readers;
    log->delay = delay;
    log->frontier_here = delay;
    atomic_init(&log->frontier, delay);
    log->readers = aligned_alloc(64, sizeof *log->readers * (n_readers + 1u));
    if (log->readers == NULL || !add_free(log)) {
        gn_msglog_done(log);
        return GN_E_NOMEM;
    }
    append_chunk(log);
    memset(log->readers, 0, sizeof *log->readers * (n_readers + 1u));
    for (uint32_t i = 0; i < n_readers; i++)
        log->readers[i].chunk = log->oldest;
    if (!gn_msglog_begin(log)) {
        gn_msglog_done(log);
        return GN_E_NOMEM;
    }
    return GN_OK;
}

static void free_chunks(struct gn_msg_chunk *c)
{
    while (c != NULL) {
        struct gn_msg_chunk *next = c->next;
        free(c);
        c = next;
    }
}

void gn_msglog_done(struct gn_msglog *log)
{
    free_chunks(log->oldest);
    free_chunks(log->free_list);
    free(log->readers);
    memset(log, 0, sizeof *log);
}

static uint64_t slowest(const struct gn_msglog *log)
{
    uint64_t n = log->n_made;
    for (uint32_t i = 0; i < log->n_readers; i++) {
        uint64_t r = atomic_load_explicit(&log->readers[i].n_read, memory_order_acquire);
        n = r < n ? r : n;
    }
    return n;
}

/* Chunks that every reader has left. The newest stays: readers may stand at its end. */
static void recycle(struct gn_msglog *log)
{
    uint64_t n_read = slowest(log);
    while (log->oldest != log->newest && log->oldest->first + log->n_per_chunk < n_read) {
        struct gn_msg_chunk *c = log->oldest;
        log->oldest = c->next;
        c->next = log->free_list;
        log->free_list = c;
        log->n_free += log->n_per_chunk;
    }
}

static uint64_t n_left_in_newest(const struct gn_msglog *log)
{
    return log->newest->first + log->n_per_chunk - log->n_made;
}

bool gn_msglog_begin(struct gn_msglog *log)
{
    log->n_call = 0;
    log->is_open = false;
    if (n_left_in_newest(log) + log->n_free >= log->n_max)
        return true;
    recycle(log);
    while (n_left_in_newest(log) + log->n_free < log->n_max)
        if (!add_free(log))
            return false;
    return true;
}

static struct gn_record *record(const struct gn_msglog *log, struct gn_msg_chunk *c, uint64_t i)
{
    return (struct gn_record *)(void *)(c->records + (i - c->first) * log->record_bytes);
}

void *gn_msglog_new(struct gn_msglog *log)
{
    if (log->n_call >= log->n_max)
        return NULL;
    if (n_left_in_newest(log) == 0)
        append_chunk(log);
    void *payload = record(log, log->newest, log->n_made) + 1;
    memset(payload, 0, log->payload_bytes);
    log->is_open = true;
    return payload;
}

void gn_msglog_send(struct gn_msglog *log, uint64_t index, uint64_t at)
{
    if (!log->is_open)
        return;
    at = at > GN_TICK_NEVER - 1 - log->delay ? GN_TICK_NEVER - 1 : at + log->delay;
    at = at < log->at_last ? log->at_last : at; /* never decreasing on a port */
    struct gn_record *r = record(log, log->newest, log->n_made);
    r->index = index;
    r->at = at;
    log->at_last = at;
    log->is_open = false;
    log->n_made++;
    log->n_call++;
}

bool gn_msglog_publish(struct gn_msglog *log, uint64_t position)
{
    uint64_t frontier = position > GN_TICK_NEVER - 1 - log->delay ? GN_TICK_NEVER - 1 : position + log->delay;
    if (frontier < log->at_last)
        frontier = log->at_last;
    if (frontier <= log->frontier_here && log->n_call == 0)
        return false;
    atomic_store_explicit(&log->n_sent, log->n_made, memory_order_release);
    if (frontier > log->frontier_here) {
        log->frontier_here = frontier;
        atomic_store_explicit(&log->frontier, frontier, memory_order_release);
    }
    log->n_call = 0;
    return true;
}

void gn_msglog_close(struct gn_msglog *log, uint64_t position)
{
    (void)gn_msglog_publish(log, position);
    atomic_store_explicit(&log->n_sent, log->n_made, memory_order_release);
    atomic_store_explicit(&log->end_at, log->frontier_here, memory_order_release);
    log->frontier_here = GN_TICK_NEVER;
    atomic_store_explicit(&log->frontier, GN_TICK_NEVER, memory_order_release);
}

uint64_t gn_msglog_backlog(const struct gn_msglog *log)
{
    return log->n_made - slowest(log);
}

const struct gn_record *gn_msglog_peek(struct gn_msglog *log, struct gn_msg_reader *r)
{
    if (r->n_taken == r->n_seen) {
        r->n_seen = atomic_load_explicit(&log->n_sent, memory_order_acquire);
        if (r->n_taken >= r->n_seen)
            return NULL;
    }
    if (r->n_taken >= r->chunk->first + log->n_per_chunk)
        r->chunk = r->chunk->next;
    return record(log, r->chunk, r->n_taken);
}

void gn_msglog_release(struct gn_msg_reader *r)
{
    if (atomic_load_explicit(&r->n_read, memory_order_relaxed) != UINT64_MAX)
        atomic_store_explicit(&r->n_read, r->n_taken, memory_order_release);
}

void gn_msglog_leave(struct gn_msg_reader *r)
{
    atomic_store_explicit(&r->n_read, UINT64_MAX, memory_order_release);
}
