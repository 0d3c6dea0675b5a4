/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A stream edge: one writer, several readers, every span contiguous because the memory is mapped twice.
 *
 *        tail (slowest reader)         head (writer)
 *   -----|=============================|------------  items are numbered for ever: item i lies at
 *        reader positions in here                     (i - rewind) * item_bytes modulo the capacity
 *
 * A scratch ring lives inside one group: once all its readers have caught up, its numbering is moved so that
 * the next item lies at the start of the memory again. The same few KiB then stay in the L1 cache.
 *
 * Marks say something about an item before it is published: tags, and gaps (which advance the index).
 *
 * Partners of the atomics: head (release in commit, acquire in peek) carries items and marks; pos (release in
 * drop, acquire in reserve) gives room back; floor/busy are a store-fence-load pair that keeps the writer off
 * the span in use of a reader that may be overtaken. */
#ifndef GN_STREAM_RING_H
#define GN_STREAM_RING_H

#include "gnomon/block.h"

#include <stdatomic.h>
#include <stdbool.h>

#define GN_CACHE_LINE    64
#define GN_RING_MARKS    1024u /* tags and gaps on their way, a power of two */
#define GN_ITEM_NEVER    UINT64_MAX

struct gn_mark_at {
    uint64_t item;
    struct gn_tag tag;
};

struct gn_ring_reader {
    _Alignas(GN_CACHE_LINE) _Atomic uint64_t pos; /* next item it will take; GN_ITEM_NEVER: it has left */
    _Atomic uint64_t busy;    /* `latest` only: first item of the span in use; GN_ITEM_NEVER: none */
    _Atomic uint64_t n_marks; /* marks it is done with */
    uint64_t here;            /* the reader's own copy of pos */
    uint64_t head;            /* last head it saw */
    uint64_t n_skipped;       /* `latest`: items overtaken, since last asked */
    bool is_latest;
};

struct gn_ring {
    uint8_t *base;
    uint64_t mask;            /* capacity in bytes - 1 */
    uint64_t n_cap;           /* capacity in items */
    uint32_t log2_item, n_readers;
    struct gn_ring_reader *readers;
    struct gn_mark_at *marks; /* [GN_RING_MARKS] */
    bool is_scratch, has_latest;
    _Alignas(GN_CACHE_LINE) _Atomic uint64_t head;
    _Atomic uint64_t n_marks; /* published */
    _Atomic uint64_t floor;   /* items below may be overwritten under a `latest` reader */
    _Atomic uint32_t is_closed;
    _Alignas(GN_CACHE_LINE) uint64_t head_here; /* the writer's own copies */
    uint64_t tail;            /* last tail it saw */
    uint64_t n_marks_here;
    uint64_t floor_safe;      /* no `latest` reader is or can come below this */
    uint64_t rewind;          /* scratch: item that lies at the base */
    uint64_t n_stagger;       /* scratch: items the start is moved by, so that rings do not share cache sets */
};

/* Capacity: cap_bytes rounded up to a power of two of at least a page. item_bytes: 1, 2, 4, 8.
 * Readers start at item 0. Errors: GN_E_ARG, GN_E_NOMEM. [control] */
GN_NODISCARD gn_status gn_ring_init(struct gn_ring *ring, size_t cap_bytes, uint32_t item_bytes, uint32_t n_readers,
        bool is_scratch);
void gn_ring_done(struct gn_ring *ring);                       /* [control] */
void gn_ring_set_latest(struct gn_ring *ring, uint32_t i_reader); /* before the first item. [control] */

uint64_t gn_ring_tail(struct gn_ring *ring);                   /* [producer]; GN_ITEM_NEVER: all readers left */
size_t gn_ring_room_latest(struct gn_ring *ring, size_t n_want); /* [producer] */
size_t gn_ring_mark_room(struct gn_ring *ring);                /* [producer] marks that may be put now */
/* Mark item (>= head, and not before the last mark). Dropped when there is no room. [producer] */
bool gn_ring_mark(struct gn_ring *ring, uint64_t item, const struct gn_tag *tag);
void gn_ring_publish_marks(struct gn_ring *ring);              /* [producer] before commit */
void gn_ring_close(struct gn_ring *ring);                      /* [producer] no more items */
void gn_ring_leave(struct gn_ring *ring, uint32_t i_reader);   /* [consumer] */
/* Enter the span at the reader's position; moves on when the writer has overtaken it. [consumer] */
void gn_ring_enter_latest(struct gn_ring *ring, struct gn_ring_reader *r);

static inline void *gn_ring_at(const struct gn_ring *ring, uint64_t item)
{
    return ring->base + (((item - ring->rewind) << ring->log2_item) & ring->mask);
}

/* Room for how many items at head; looks at the readers only when fewer than n_want were free before.
 * [producer] */
static inline size_t gn_ring_room(struct gn_ring *ring, size_t n_want)
{
    if (ring->has_latest)
        return gn_ring_room_latest(ring, n_want);
    uint64_t n_free = ring->n_cap - (ring->head_here - ring->tail);
    if (n_free >= n_want)
        return (size_t)n_free;
    uint64_t tail = gn_ring_tail(ring);
    ring->tail = tail > ring->head_here ? ring->head_here : tail;
    return (size_t)(ring->n_cap - (ring->head_here - ring->tail));
}

/* [producer] */
static inline void gn_ring_commit(struct gn_ring *ring, size_t n)
{
    ring->head_here += n;
    atomic_store_explicit(&ring->head, ring->head_here, memory_order_release);
}

/* How many items may be read; looks at the writer only when fewer than n_want were seen before. [consumer] */
static inline size_t gn_ring_avail(struct gn_ring *ring, struct gn_ring_reader *r, size_t n_want)
{
    if (r->head - r->here < n_want)
        r->head = atomic_load_explicit(&ring->head, memory_order_acquire);
    return (size_t)(r->head - r->here);
}

/* [consumer] */
static inline void gn_ring_drop(struct gn_ring_reader *r, size_t n)
{
    r->here += n;
    atomic_store_explicit(&r->pos, r->here, memory_order_release);
    if (r->is_latest)
        atomic_store_explicit(&r->busy, GN_ITEM_NEVER, memory_order_release);
}

/* Scratch only, writer and readers being one thread: start again at the base when everybody has caught up. */
static inline void gn_ring_rewind(struct gn_ring *ring)
{
    uint64_t head = ring->head_here;
    for (uint32_t i = 0; i < ring->n_readers; i++)
        if (ring->readers[i].here < head)
            return;
    ring->rewind = head - ring->n_stagger;
    ring->tail = head;
}

#endif
