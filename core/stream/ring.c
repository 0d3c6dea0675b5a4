/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/stream/ring.h"

#include "core/platform/mirror.h"

#include <stdlib.h>
#include <string.h>

#define RING_MAX_BYTES ((size_t)1 << 32)

static size_t round_up(size_t n_bytes)
{
    size_t cap = gn_mirror_granule();
    while (cap < n_bytes && cap < RING_MAX_BYTES / 2)
        cap *= 2;
    return cap;
}

gn_status gn_ring_init(struct gn_ring *ring, size_t cap_bytes, uint32_t item_bytes, uint32_t n_readers, bool is_scratch)
{
    memset(ring, 0, sizeof *ring);
    if (item_bytes == 0 || (item_bytes & (item_bytes - 1)) != 0 || cap_bytes > RING_MAX_BYTES / 2)
        return GN_E_ARG;
    size_t cap = round_up(cap_bytes);
    while ((1u << ring->log2_item) < item_bytes)
        ring->log2_item++;
    ring->base = gn_mirror_map(cap);
    ring->readers = aligned_alloc(GN_CACHE_LINE, sizeof *ring->readers * (n_readers + 1u));
    ring->marks = calloc(GN_RING_MARKS, sizeof *ring->marks);
    ring->mask = cap - 1;
    if (ring->base == NULL || ring->readers == NULL || ring->marks == NULL) {
        gn_ring_done(ring);
        return GN_E_NOMEM;
    }
    memset(ring->readers, 0, sizeof *ring->readers * (n_readers + 1u));
    ring->n_cap = cap >> ring->log2_item;
    ring->n_readers = n_readers;
    ring->is_scratch = is_scratch;
    return GN_OK;
}

void gn_ring_done(struct gn_ring *ring)
{
    if (ring->base != NULL)
        gn_mirror_unmap(ring->base, (size_t)ring->mask + 1);
    free(ring->readers);
    free(ring->marks);
    memset(ring, 0, sizeof *ring);
}

void gn_ring_set_latest(struct gn_ring *ring, uint32_t i_reader)
{
    ring->readers[i_reader].is_latest = true;
    atomic_store_explicit(&ring->readers[i_reader].busy, GN_ITEM_NEVER, memory_order_relaxed);
    ring->has_latest = true;
}

uint64_t gn_ring_tail(struct gn_ring *ring)
{
    uint64_t tail = GN_ITEM_NEVER;
    if (ring->n_readers == 0)
        return ring->head_here;
    for (uint32_t i = 0; i < ring->n_readers; i++) {
        uint64_t pos = atomic_load_explicit(&ring->readers[i].pos, memory_order_acquire);
        tail = pos < tail ? pos : tail;
    }
    return tail;
}

/* Slowest reader that must not lose anything. */
static uint64_t lossless_tail(struct gn_ring *ring)
{
    uint64_t tail = ring->head_here;
    for (uint32_t i = 0; i < ring->n_readers; i++) {
        if (ring->readers[i].is_latest)
            continue;
        uint64_t pos = atomic_load_explicit(&ring->readers[i].pos, memory_order_acquire);
        tail = pos < tail ? pos : tail;
    }
    return tail;
}

size_t gn_ring_room_latest(struct gn_ring *ring, size_t n_want)
{
    uint64_t n_max = ring->n_cap / 4; /* never claim so much that an overtaken reader finds nothing left */
    uint64_t n = n_want < n_max ? n_want : n_max;
    uint64_t head = ring->head_here, n_free = ring->n_cap - (head - lossless_tail(ring));
    n = n < n_free ? n : n_free;
    if (head + n <= ring->n_cap)
        return (size_t)n;
    uint64_t floor = head + n - ring->n_cap;
    if (floor <= ring->floor_safe) /* nobody can be below it any more */
        return (size_t)n;
    if (floor > atomic_load_explicit(&ring->floor, memory_order_relaxed))
        atomic_store_explicit(&ring->floor, floor, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst); /* partner: gn_ring_enter_latest */
    for (uint32_t i = 0; i < ring->n_readers; i++) {
        if (!ring->readers[i].is_latest)
            continue;
        uint64_t busy = atomic_load_explicit(&ring->readers[i].busy, memory_order_acquire);
        if (busy >= ring->floor_safe && busy < floor)
            floor = busy; /* it is reading there: take less. Further back it can only be about to leave */
    }
    ring->floor_safe = floor;
    return (size_t)(floor + ring->n_cap - head);
}

void gn_ring_enter_latest(struct gn_ring *ring, struct gn_ring_reader *r)
{
    for (;;) {
        atomic_store_explicit(&r->busy, r->here, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst); /* partner: gn_ring_room_latest */
        if (r->here >= atomic_load_explicit(&ring->floor, memory_order_relaxed))
            return;
        r->head = atomic_load_explicit(&ring->head, memory_order_acquire);
        uint64_t to = r->head - (r->head < ring->n_cap / 2 ? r->head : ring->n_cap / 2);
        to = to > r->here ? to : r->head;
        r->n_skipped += to - r->here;
        r->here = to;
        atomic_store_explicit(&r->pos, to, memory_order_release);
    }
}

size_t gn_ring_mark_room(struct gn_ring *ring)
{
    uint64_t oldest = ring->n_marks_here;
    for (uint32_t i = 0; i < ring->n_readers; i++) {
        uint64_t n = atomic_load_explicit(&ring->readers[i].n_marks, memory_order_acquire);
        oldest = n < oldest ? n : oldest;
    }
    return (size_t)(GN_RING_MARKS - (ring->n_marks_here - oldest));
}

bool gn_ring_mark(struct gn_ring *ring, uint64_t item, const struct gn_tag *tag)
{
    if (ring->n_readers == 0)
        return true;
    if (gn_ring_mark_room(ring) == 0)
        return false;
    uint64_t n = ring->n_marks_here;
    if (n > 0 && ring->marks[(n - 1) % GN_RING_MARKS].item > item)
        item = ring->marks[(n - 1) % GN_RING_MARKS].item;
    ring->marks[n % GN_RING_MARKS] = (struct gn_mark_at){.item = item, .tag = *tag};
    ring->n_marks_here = n + 1;
    return true;
}

void gn_ring_publish_marks(struct gn_ring *ring)
{
    atomic_store_explicit(&ring->n_marks, ring->n_marks_here, memory_order_release);
}

void gn_ring_close(struct gn_ring *ring)
{
    gn_ring_publish_marks(ring);
    atomic_store_explicit(&ring->is_closed, 1, memory_order_release);
}

void gn_ring_leave(struct gn_ring *ring, uint32_t i_reader)
{
    struct gn_ring_reader *r = &ring->readers[i_reader];
    r->here = r->head = GN_ITEM_NEVER;
    atomic_store_explicit(&r->n_marks, UINT64_MAX, memory_order_release);
    atomic_store_explicit(&r->busy, GN_ITEM_NEVER, memory_order_release);
    atomic_store_explicit(&r->pos, GN_ITEM_NEVER, memory_order_release);
}
