/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A message port: an append-only log of records in chunks, one writer, several readers with a cursor each.
 *
 *   chunk -> chunk -> chunk      a chunk that all readers have left goes back to the writer's free list
 *
 * frontier: nothing with a smaller `at` will come. The writer stores n_sent (release), then the frontier
 * (release); a reader loads the frontier (acquire) first, so every record below it is visible to it. */
#ifndef GN_STREAM_MSGLOG_H
#define GN_STREAM_MSGLOG_H

#include "gnomon/block.h"

#include <stdatomic.h>
#include <stdbool.h>

struct gn_record {
    uint64_t index, at;
    /* payload follows */
};

struct gn_msg_chunk {
    struct gn_msg_chunk *next; /* set before n_sent goes beyond this chunk */
    uint64_t first;            /* number of its first record */
    _Alignas(16) unsigned char records[];
};

struct gn_msg_reader {
    _Alignas(64) _Atomic uint64_t n_read; /* records given back; UINT64_MAX: it has left */
    uint64_t n_taken, n_seen;  /* own: cursor; n_sent as last seen */
    struct gn_msg_chunk *chunk;
};

struct gn_msglog {
    uint32_t payload_bytes, record_bytes, n_per_chunk;
    uint32_t n_max;            /* records a call may send */
    uint32_t n_readers;
    struct gn_msg_reader *readers;
    uint64_t delay;            /* ticks added to every `at` */
    _Alignas(64) _Atomic uint64_t n_sent;
    _Atomic uint64_t frontier; /* GN_TICK_NEVER: the port is closed */
    _Atomic uint64_t end_at;   /* set before it closes: an upper bound of the frontiers that were published */
    _Alignas(64) uint64_t n_made; /* writer's own: sent but perhaps not yet published */
    uint64_t at_last, frontier_here;
    uint32_t n_call;           /* sent in this call */
    bool is_open;              /* a record was made and not sent */
    struct gn_msg_chunk *oldest, *newest, *free_list;
    uint64_t n_free;           /* records in free_list */
};

/* Errors: GN_E_ARG (payload above GN_MSG_MAX_BYTES), GN_E_NOMEM. [control] */
GN_NODISCARD gn_status gn_msglog_init(struct gn_msglog *log, uint32_t payload_bytes, uint32_t n_max, uint32_t n_readers,
        uint64_t delay);
void gn_msglog_done(struct gn_msglog *log); /* [control] */

/* Before a call: room for n_max records, from the chunks given back, else new ones. False: no memory.
 * [producer] */
bool gn_msglog_begin(struct gn_msglog *log);
void *gn_msglog_new(struct gn_msglog *log); /* NULL beyond n_max a call. [producer] */
void gn_msglog_send(struct gn_msglog *log, uint64_t index, uint64_t at); /* delay is added here. [producer] */
/* Show what was sent; position: nothing will be sent with at < position (+ delay). True when readers see
 * anything new. [producer] */
bool gn_msglog_publish(struct gn_msglog *log, uint64_t position);
void gn_msglog_close(struct gn_msglog *log, uint64_t position); /* [producer] */
uint64_t gn_msglog_backlog(const struct gn_msglog *log);        /* sent but not read by all. [producer] */

static inline uint64_t gn_msglog_frontier(const struct gn_msglog *log)
{
    return atomic_load_explicit(&log->frontier, memory_order_acquire);
}

/* Next record or NULL. Good until gn_msglog_release. [consumer] */
const struct gn_record *gn_msglog_peek(struct gn_msglog *log, struct gn_msg_reader *r);
static inline void gn_msglog_take(struct gn_msg_reader *r)
{
    r->n_taken++;
}
/* Records taken so far are no longer looked at. [consumer] */
void gn_msglog_release(struct gn_msg_reader *r);
void gn_msglog_leave(struct gn_msg_reader *r);

#endif
