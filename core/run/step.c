/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* One step of a source or of a block with stream inputs.
 *
 *   here                    limit (next message, frontier, due job)   gap or end     head
 *   |==========================|..........................................|............|
 *   span offered ends at the nearest of them, at the tile, or at n_need when the block asked for more */
#include "core/run/inst.h"

#include <string.h>

static bool is_gap(const struct gn_tag *tag)
{
    return memcmp(tag->key, "gap", 4) == 0;
}

static const struct gn_mark_at *mark(const struct gn_rt_in *in, uint64_t i)
{
    return &in->ring->marks[i % GN_RING_MARKS];
}

/* Gaps at or before the reader's position move its index on. */
static void apply_gaps(struct gn_rt_in *in, uint64_t n_published)
{
    uint64_t i = in->n_gaps_applied;
    for (; i < n_published && mark(in, i)->item <= in->reader->here; i++) {
        if (!is_gap(&mark(in, i)->tag))
            continue;
        in->seg_index += gn_rt_ticks(mark(in, i)->item - in->seg_item, in->num, in->den) + mark(in, i)->tag.value;
        in->seg_item = mark(in, i)->item;
        in->flags |= GN_IN_GAP_BEFORE;
    }
    in->n_gaps_applied = i;
}

/* Items before the next gap, and before there are too many tags. */
static size_t cut_at_marks(struct gn_rt_in *in, size_t n, uint64_t n_published, uint32_t *flags)
{
    apply_gaps(in, n_published);
    uint64_t here = in->reader->here;
    for (uint64_t i = in->n_marks; i < n_published && mark(in, i)->item < here + n; i++) {
        bool is_next_gap = is_gap(&mark(in, i)->tag) && mark(in, i)->item > here;
        if (!is_next_gap && (i - in->n_marks < GN_RT_TAGS_MAX || mark(in, i)->item == here))
            continue;
        *flags = is_next_gap ? GN_IN_GAP_AFTER : 0;
        return (size_t)(mark(in, i)->item - here);
    }
    return n;
}

/* A reader that was overtaken: what it missed is a loss of its own. */
static void note_skip(struct gn_rt_inst *x, struct gn_rt_in *in)
{
    uint64_t n = in->reader->n_skipped, from = in->reader->here - n;
    uint64_t index = in->seg_index + gn_rt_ticks(from - in->seg_item, in->num, in->den);
    in->reader->n_skipped = 0;
    in->flags |= GN_IN_GAP_BEFORE;
    gn_rt_lost(x, index, gn_rt_ticks(n, in->num, in->den), 0, "latest");
}

/* How many items there are up to the next gap or the end. */
static size_t look(struct gn_rt_inst *x, struct gn_rt_in *in, size_t n_want, uint32_t *flags)
{
    struct gn_ring *ring = in->ring;
    *flags = 0;
    if (in->is_latest) {
        gn_ring_enter_latest(ring, in->reader);
        if (in->reader->n_skipped != 0)
            note_skip(x, in);
    }
    bool is_closed = atomic_load_explicit(&ring->is_closed, memory_order_acquire) != 0;
    size_t n = gn_ring_avail(ring, in->reader, is_closed ? SIZE_MAX : n_want);
    size_t n_all = n;
    uint64_t n_published = atomic_load_explicit(&ring->n_marks, memory_order_acquire);
    if (n_published != in->n_marks)
        n = cut_at_marks(in, n, n_published, flags);
    if (is_closed && n == n_all && *flags == 0)
        *flags = GN_IN_LAST;
    return n;
}

static uint64_t need_of(const struct gn_rt_in *in)
{
    return in->n_need > in->n_min ? in->n_need : in->n_min;
}

static void offer(struct gn_rt_inst *x, uint32_t i, size_t n, uint32_t flags)
{
    struct gn_in *w = &x->w.in[i];
    w->n_items = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
    w->flags = flags;
}

/* Shorten an offer to n items, and then it ends neither at a gap nor at the end. */
static void shorten(struct gn_in *w, uint64_t n)
{
    if (n >= w->n_items)
        return;
    w->n_items = (uint32_t)n;
    w->flags &= ~(GN_IN_LAST | GN_IN_GAP_AFTER);
}

static bool ins_ready(struct gn_rt_inst *x, struct gn_rt_group *g)
{
    for (uint32_t i = 0; i < x->n_in; i++) {
        struct gn_rt_in *in = &x->in[i];
        uint32_t flags;
        if (in->ring == NULL)
            continue;
        uint64_t need = need_of(in);
        if (need > in->ring->n_cap / 2) {
            gn_rt_fail(x, GN_E_ARG, "asks for more items at once than half its input ring");
            return false;
        }
        size_t n = look(x, in, need, &flags);
        if (n < need && flags == 0)
            return false;
        offer(x, i, n, flags);
        shorten(&x->w.in[i], x->tile > need ? x->tile : need);
        if (x->run->is_shuffled && n > need)
            shorten(&x->w.in[i], need + gn_rt_random(&g->rng) % (n - need + 1));
    }
    return true;
}

/* Messages and the job: may we go on at `now`, and how far? */
static bool msgs_ready(struct gn_rt_inst *x, uint64_t now)
{
    uint64_t limit = gn_rt_msg_limit(x);
    if (limit <= now)
        return false;
    uint64_t due_limit = GN_TICK_NEVER;
    if (!gn_rt_job_gate(x, now, &due_limit))
        return false;
    if (!gn_rt_gather(x, now)) {
        gn_rt_fail(x, GN_E_NOMEM, "no memory for messages");
        return false;
    }
    uint64_t next = gn_rt_msg_next(x);
    limit = next < limit ? next : limit;
    limit = due_limit < limit ? due_limit : limit;
    if (limit == GN_TICK_NEVER || x->in0 == NULL)
        return true;
    const struct gn_rt_in *in = x->in0;
    uint64_t n = in->seg_item + gn_rt_items(limit - in->seg_index, in->num, in->den) - in->reader->here;
    uint64_t need = need_of(in);
    shorten(&x->w.in[in - x->in], n > need ? n : need);
    return true;
}

/* A gap in the input is a gap in what is made of it: the outputs go on at the input's index. */
static void carry_gap(struct gn_rt_inst *x, uint64_t now)
{
    for (uint32_t i = 0; i < x->n_out; i++) {
        struct gn_rt_out *o = &x->out[i];
        uint64_t index = gn_rt_out_index(o);
        if (index >= now)
            continue;
        struct gn_tag tag = {.tick = now, .value = now - index, .key = "gap"};
        (void)gn_ring_mark(o->ring, o->ring->head_here, &tag);
        o->seg_item = o->ring->head_here;
        o->seg_index = now;
        x->w.out[i].index = now;
    }
}

static void collect_tags(struct gn_rt_in *in, struct gn_in *w)
{
    uint64_t end = in->reader->here + w->n_items;
    uint64_t all = atomic_load_explicit(&in->ring->n_marks, memory_order_acquire);
    w->n_tags = 0;
    for (uint64_t i = in->n_marks; i < all && mark(in, i)->item < end && w->n_tags < GN_RT_TAGS_MAX; i++)
        in->tags[w->n_tags++] = mark(in, i)->tag;
}

static void fill_ins(struct gn_rt_inst *x)
{
    for (uint32_t i = 0; i < x->n_in; i++) {
        struct gn_rt_in *in = &x->in[i];
        struct gn_in *w = &x->w.in[i];
        w->n_used = 0;
        w->n_need = 0;
        if (in->ring == NULL)
            continue;
        w->items = gn_ring_at(in->ring, in->reader->here);
        w->index = gn_rt_in_index(in);
        w->flags |= in->flags;
        w->n_tags = 0;
        if (in->n_marks != atomic_load_explicit(&in->ring->n_marks, memory_order_acquire))
            collect_tags(in, w);
    }
}

/* Tags ride along: they name ticks, and ticks mean the same on every port. */
static void forward_tag(struct gn_rt_inst *x, const struct gn_tag *tag)
{
    for (uint32_t i = 0; i < x->n_out; i++) {
        struct gn_rt_out *o = &x->out[i];
        uint64_t item = o->ring->head_here;
        if (tag->tick > o->seg_index)
            item = o->seg_item + gn_rt_items(tag->tick - o->seg_index, o->num, o->den);
        (void)gn_ring_mark(o->ring, item > o->ring->head_here ? item : o->ring->head_here, tag);
    }
}

static void pass_marks(struct gn_rt_inst *x, struct gn_rt_in *in)
{
    uint64_t n_published = atomic_load_explicit(&in->ring->n_marks, memory_order_acquire);
    if (n_published == in->n_marks)
        return;
    while (in->n_marks < n_published && mark(in, in->n_marks)->item < in->reader->here) {
        if (!is_gap(&mark(in, in->n_marks)->tag))
            forward_tag(x, &mark(in, in->n_marks)->tag);
        in->n_marks++;
    }
    apply_gaps(in, n_published);
    atomic_store_explicit(&in->reader->n_marks, in->n_marks, memory_order_release);
}

static void drop(struct gn_rt_inst *x, struct gn_rt_in *in, struct gn_rt_group *g, uint32_t n)
{
    gn_ring_drop(in->reader, n);
    pass_marks(x, in);
    if (in->ring->is_scratch)
        gn_ring_rewind(in->ring);
    else
        g->n_moved += (uint64_t)n << in->ring->log2_item;
}

/* Take what was used. True: something was. */
static bool commit_ins(struct gn_rt_inst *x, struct gn_rt_group *g)
{
    bool moved = false;
    for (uint32_t i = 0; i < x->n_in; i++) {
        struct gn_in *w = &x->w.in[i];
        struct gn_rt_in *in = &x->in[i];
        if (in->ring == NULL)
            continue;
        if (w->n_used > w->n_items) {
            gn_rt_fail(x, GN_E_PLUGIN, "says it used more items than it was given");
            return false;
        }
        in->n_need = w->n_need;
        if (w->n_items > 0)
            in->flags = 0;
        if (w->n_used > 0)
            drop(x, in, g, w->n_used);
        moved |= w->n_used > 0;
    }
    return moved;
}

static bool wants_room(const struct gn_rt_inst *x)
{
    for (uint32_t i = 0; i < x->n_out; i++)
        if (x->w.out[i].n_need > x->w.out[i].n_room)
            return true;
    return false;
}

/* The call moved nothing. Why? It needs room; or it stands before a gap and what is left is too little; or
 * the stream is over; or it wants more than it said. True: the situation has changed. */
static bool nothing_moved(struct gn_rt_inst *x, struct gn_rt_group *g)
{
    bool is_over = false, has_dropped = false, has_asked = false;
    if (wants_room(x))
        return false;
    for (uint32_t i = 0; i < x->n_in; i++) {
        const struct gn_in *w = &x->w.in[i];
        if (x->in[i].ring == NULL)
            continue;
        is_over |= (w->flags & GN_IN_LAST) != 0;
        has_asked |= w->n_need > w->n_items;
        if ((w->flags & GN_IN_GAP_AFTER) != 0) {
            drop(x, &x->in[i], g, w->n_items);
            has_dropped = true;
        }
    }
    if (has_dropped)
        return true;
    if (is_over) {
        gn_rt_finish(x, gn_rt_in_index(x->in0));
        return true;
    }
    for (uint32_t i = 0; i < x->n_in && !has_asked; i++)
        if (x->in[i].ring != NULL) /* it took nothing and did not say why: offer more next time */
            x->in[i].n_need = x->w.in[i].n_items + x->w.in[i].n_items / 2 + 1;
    return false;
}

static void count_items(struct gn_rt_inst *x)
{
    if (x->in0 != NULL)
        gn_rt_add(&x->stats.n_items, x->w.in[x->in0 - x->in].n_used);
    else if (x->n_out > 0)
        gn_rt_add(&x->stats.n_items, x->w.out[0].n_made);
}

/* Hand on what the call made, take back what it used, publish. */
static bool after_call(struct gn_rt_inst *x, struct gn_rt_group *g, bool had_msgs)
{
    bool moved = gn_rt_commit_outs(x, g);
    moved |= commit_ins(x, g);
    if (x->w.is_done != 0) {
        gn_rt_finish(x, gn_rt_in_index(x->in0));
        return true;
    }
    if (!moved && !had_msgs && x->n_sent == 0 && nothing_moved(x, g))
        moved = true;
    if (atomic_load_explicit(&x->is_ended, memory_order_relaxed) == 0 && gn_rt_publish(x, gn_rt_in_index(x->in0)))
        g->n_moved++;
    return moved || had_msgs;
}

static bool step_stream(struct gn_rt_inst *x, struct gn_rt_group *g)
{
    if (!ins_ready(x, g) || !gn_rt_outs_ready(x, g))
        return false;
    uint64_t now = gn_rt_in_index(x->in0);
    if ((x->n_sources != 0 || x->has_job) && !msgs_ready(x, now))
        return false;
    if (x->n_logs != 0 && !gn_rt_begin(x))
        return false;
    bool had_msgs = x->n_msgs > 0 || x->w.job_done != NULL;
    fill_ins(x);
    if ((x->in0->flags & GN_IN_GAP_BEFORE) != 0)
        carry_gap(x, now);
    x->w.now = now;
    if (gn_rt_call(x) != GN_OK)
        return false;
    count_items(x);
    if (x->n_sources != 0)
        gn_rt_release(x);
    x->w.job_done = NULL;
    return after_call(x, g, had_msgs);
}

static bool step_source(struct gn_rt_inst *x, struct gn_rt_group *g)
{
    uint64_t now = x->n_out > 0 ? gn_rt_out_index(&x->out[0]) : x->now;
    if (atomic_load_explicit(&x->run->interrupts, memory_order_relaxed) != 0) {
        gn_rt_finish(x, now);
        return true;
    }
    for (uint32_t i = 0; x->n_out == 0 && i < x->n_logs; i++)
        if (gn_msglog_backlog(x->logs[i]) > 4096) /* its readers are behind: memory shall not grow with the file */
            return false;
    uint64_t limit = GN_TICK_NEVER;
    if (!gn_rt_outs_ready(x, g) || !gn_rt_job_gate(x, now, &limit) || !gn_rt_begin(x))
        return false;
    x->w.now = now;
    if (gn_rt_call(x) != GN_OK)
        return false;
    count_items(x);
    bool moved = gn_rt_commit_outs(x, g) || x->n_sent > 0;
    now = x->n_out > 0 ? gn_rt_out_index(&x->out[0]) : x->at_max;
    x->now = now;
    if (x->w.is_done != 0) {
        gn_rt_finish(x, now);
        return true;
    }
    if (gn_rt_publish(x, now))
        g->n_moved++;
    g->is_polling |= !moved;
    return moved;
}

/* The common case, a block with one stream in and at most one out, no messages, no gap or end or full ring in
 * sight: the same as step_stream without the questions that have no answer here. *is_plain
 * false: ask step_stream. */
static bool plain_ready(struct gn_rt_inst *x, bool *is_plain)
{
    struct gn_rt_in *in = x->in0;
    struct gn_ring *ring = in->ring;
    uint64_t need = need_of(in), n = gn_ring_avail(ring, in->reader, need);
    *is_plain = false;
    if (atomic_load_explicit(&ring->is_closed, memory_order_relaxed) != 0 || (n >= need &&
            atomic_load_explicit(&ring->n_marks, memory_order_relaxed) != in->n_marks) || need > ring->n_cap / 2)
        return false;
    if (n < need) {
        *is_plain = atomic_load_explicit(&ring->n_marks, memory_order_acquire) == in->n_marks;
        return false;
    }
    if (x->n_out != 0) {
        struct gn_rt_out *o = &x->out[0];
        uint64_t n_free = o->ring->n_cap - (o->ring->head_here - o->ring->tail);
        if (n_free < o->ring->n_cap / 4 || n_free < o->n_need || n_free < o->n_min || o->ring->n_marks_here != 0)
            return false;
        struct gn_out *w = x->w.out;
        w->items = gn_ring_at(o->ring, o->ring->head_here);
        w->index = gn_rt_out_index(o);
        w->n_room = n_free > UINT32_MAX ? UINT32_MAX : (uint32_t)n_free;
        w->n_made = w->n_need = 0;
    }
    uint64_t n_most = x->tile > need ? x->tile : need;
    struct gn_in *w = x->w.in;
    *w = (struct gn_in){.items = gn_ring_at(ring, in->reader->here), .tags = in->tags, .index = gn_rt_in_index(in),
            .n_items = (uint32_t)(n < n_most ? n : n_most), .format = in->format, .flags = in->flags};
    x->w.now = w->index;
    *is_plain = true;
    return true;
}

static bool step_plain(struct gn_rt_inst *x, struct gn_rt_group *g)
{
    bool is_plain;
    if (x->has_job || x->in0->flags != 0)
        return step_stream(x, g);
    if (!plain_ready(x, &is_plain))
        return is_plain ? false : step_stream(x, g);
    if (gn_rt_call(x) != GN_OK)
        return false;
    x->has_more = true;
    struct gn_in *w = x->w.in;
    struct gn_ring *ring = x->in0->ring;
    gn_rt_add(&x->stats.n_items, w->n_used);
    if (x->w.is_done != 0 || w->n_used == 0 || w->n_used > w->n_items || w->n_need > w->n_items || x->n_out != 1 ||
            x->w.out->n_need != 0 || x->w.out->n_made > x->w.out->n_room || x->out->ring->n_marks_here != 0 || x->has_job)
        return after_call(x, g, false);
    x->in0->n_need = w->n_need;
    x->out->n_need = 0;
    gn_ring_commit(x->out->ring, x->w.out->n_made);
    if (!x->out->ring->is_scratch)
        g->n_moved += (uint64_t)x->w.out->n_made << x->out->ring->log2_item;
    else if (x->out->ring->n_readers == 0)
        gn_ring_rewind(x->out->ring);
    gn_ring_drop(x->in0->reader, w->n_used);
    x->has_more = x->in0->reader->head - x->in0->reader->here >= need_of(x->in0);
    if (ring->is_scratch)
        gn_ring_rewind(ring);
    else
        g->n_moved += (uint64_t)w->n_used << ring->log2_item;
    atomic_store_explicit(&x->stats.position, w->index + w->n_used, memory_order_relaxed);
    return true;
}

static void idle_latest(struct gn_rt_inst *x)
{
    for (uint32_t i = 0; i < x->n_in; i++)
        if (x->in[i].is_latest && atomic_load_explicit(&x->is_ended, memory_order_relaxed) == 0)
            gn_ring_drop(x->in[i].reader, 0);
}

bool gn_rt_step(struct gn_rt_inst *x, struct gn_rt_group *g)
{
    if (x->kind == GN_RT_MESSAGE)
        return gn_rt_step_msg(x, g);
    if ((x->n_steps++ & 15u) == 0 && gn_rt_is_forsaken(x)) {
        gn_rt_finish(x, x->in0 != NULL ? gn_rt_in_index(x->in0) : gn_rt_out_index(&x->out[0]));
        return true;
    }
    bool moved = x->is_plain ? step_plain(x, g) : x->kind == GN_RT_SOURCE ? step_source(x, g) : step_stream(x, g);
    if (x->run->is_live)
        idle_latest(x);
    return moved;
}
