/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Small blocks for runtime tests. Their results depend on every item, index and message order they see, so two
 * runs that differ anywhere print different events.
 *
 *   src -> mix -> count[0..n) --ticks--> man --orders--> count      (cycle with a delay on `orders`)
 *            '--> batch (jobs) --found--> man --asks--> batch
 *                                          '--> relay <--> echo      (cycle of message-driven blocks) */
#ifndef GN_BLOCKS_TEST_H
#define GN_BLOCKS_TEST_H

#include "gnomon/block.h"

#include <string.h>

struct tb_note {
    uint64_t sum, index;
    uint32_t who, n;
};

static const struct gn_field tb_note_fields[] = {
        GN_FIELD(struct tb_note, who, GN_F_U32, ""),
        GN_FIELD(struct tb_note, n, GN_F_U32, ""),
        GN_FIELD(struct tb_note, sum, GN_F_U64, ""),
        GN_FIELD_X(struct tb_note, index, GN_F_U64, "", .flags = GN_F_HIDDEN),
};
static const struct gn_schema tb_note_schema = {.name = "note/1", .event = "note", .fields = tb_note_fields,
        .n_fields = GN_COUNT(tb_note_fields), .size = sizeof(struct tb_note)};

static inline uint64_t tb_hash(uint64_t a, uint64_t b)
{
    a ^= b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2);
    a *= 0xff51afd7ed558ccdu;
    return a ^ a >> 33;
}

static inline gn_status tb_send(const struct gn_host *h, uint32_t port, uint64_t index, uint64_t at, struct tb_note note)
{
    struct tb_note *m = h->msg_new(h, port);
    if (m == NULL)
        return h->fail(h, GN_E_INTERNAL, NULL, "no record");
    *m = note;
    h->msg_send(h, port, index, at);
    return GN_OK;
}

/* Numbers n..: item k is a hash of its index. Every gap_every items gap_ticks are lost. */
struct tb_src {
    uint64_t n_left, n_made, index;
    uint64_t gap_every, gap_ticks, fail_at;
};

static inline gn_status tb_src_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct tb_src *s = state;
    struct gn_out *out = &w->out[0];
    float *y = out->items;
    uint32_t n = s->n_left < out->n_room ? (uint32_t)s->n_left : out->n_room;
    if (s->gap_every > 0) {
        uint64_t to_gap = s->gap_every - s->n_made % s->gap_every;
        if (to_gap == s->gap_every && s->n_made > 0) {
            h->gap(h, 0, s->gap_ticks, "test");
            s->index += s->gap_ticks;
        }
        n = to_gap < n ? (uint32_t)to_gap : n;
    }
    if (s->fail_at != 0 && s->n_made >= s->fail_at)
        return h->fail(h, GN_E_DEVICE, "out", "broke at item %u", (unsigned)s->fail_at);
    if (out->index != s->index)
        return h->fail(h, GN_E_INTERNAL, NULL, "index %u, want %u", (unsigned)out->index, (unsigned)s->index);
    for (uint32_t i = 0; i < n; i++)
        y[i] = (float)(tb_hash(1, s->index + i) & 0xffff);
    s->n_left -= n;
    s->n_made += n;
    s->index += n;
    out->n_made = n;
    w->is_done = s->n_left == 0;
    return GN_OK;
}

static const struct gn_port tb_f32_out[] = {{.name = "out", .dir = GN_OUT, .formats = "f32"}};
static const struct gn_block tb_src_block = {.name = "test.src", .ports = tb_f32_out, .n_ports = 1,
        .state_size = sizeof(struct tb_src), .work = tb_src_work};

/* out = in + something of the index */
static inline gn_status tb_mix_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    const float *x = w->in[0].items;
    float *y = w->out[0].items;
    uint32_t n = w->in[0].n_items < w->out[0].n_room ? w->in[0].n_items : w->out[0].n_room;
    (void)state;
    (void)h;
    if (w->out[0].index != w->in[0].index)
        return h->fail(h, GN_E_INTERNAL, NULL, "index %u in, %u out", (unsigned)w->in[0].index, (unsigned)w->out[0].index);
    for (uint32_t i = 0; i < n; i++)
        y[i] = x[i] + (float)((w->in[0].index + i) & 7);
    w->in[0].n_used = w->out[0].n_made = n;
    return GN_OK;
}

static const struct gn_port tb_mix_ports[] = {{.name = "in", .dir = GN_IN, .formats = "f32"},
        {.name = "out", .dir = GN_OUT, .formats = "f32"}};
static const struct gn_block tb_mix_block = {.name = "test.mix", .ports = tb_mix_ports, .n_ports = 2, .work = tb_mix_work};

/* Sums every `step` items (asked for at once) and says the sum; an order changes step and salt from then on. */
struct tb_count {
    uint64_t sum, salt;
    uint32_t step, n;
    uint32_t n_orders, finished;
};

enum { TB_COUNT_IN, TB_COUNT_ORDERS, TB_COUNT_TICKS };

static inline gn_status tb_count_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct tb_count *s = state;
    struct gn_in *in = &w->in[0];
    gn_status st = GN_OK;
    for (uint32_t i = 0; i < w->n_msgs; i++) {
        const struct tb_note *m = w->msgs[i].data;
        s->salt = tb_hash(s->salt, m->sum ^ w->msgs[i].at ^ w->now);
        s->step = 300 + (uint32_t)(s->salt % 700);
        s->n_orders++;
    }
    if (s->step == 0)
        s->step = 500 + 37 * h->instance;
    if (in->n_items < s->step) {
        in->n_need = s->step;
        return GN_OK;
    }
    const float *x = in->items;
    for (uint32_t i = 0; i < s->step; i++)
        s->sum = tb_hash(s->sum, (uint64_t)x[i] + in->index + i + s->salt);
    if ((in->flags & GN_IN_GAP_BEFORE) != 0)
        s->sum = tb_hash(s->sum, in->n_tags + in->tags[0].value);
    in->n_used = s->step;
    if (++s->n % 4 == 0)
        st = tb_send(h, TB_COUNT_TICKS, in->index, w->now + s->step, (struct tb_note){.who = h->instance, .n = s->n_orders, .sum = s->sum});
    return st;
}

static inline gn_status tb_count_finish(void *state, const struct gn_host *h)
{
    struct tb_count *s = state;
    s->finished = 1;
    return tb_send(h, TB_COUNT_TICKS, 0, 0, (struct tb_note){.who = 100 + h->instance, .n = s->n, .sum = s->sum});
}

static const struct gn_port tb_count_ports[] = {
        {.name = "in", .dir = GN_IN, .formats = "f32"},
        {.name = "orders", .dir = GN_IN, .schema = &tb_note_schema, .flags = GN_PORT_OPTIONAL},
        {.name = "ticks", .dir = GN_OUT, .schema = &tb_note_schema},
};
static const struct gn_block tb_count_block = {.name = "test.count", .ports = tb_count_ports, .n_ports = 3,
        .state_size = sizeof(struct tb_count), .work = tb_count_work, .finish = tb_count_finish};

/* Copies a window when asked, searches it in a job, tells what it found. */
#define TB_WINDOW 2000u
struct tb_batch {
    float window[TB_WINDOW];
    uint64_t index, result, ask, job_ask; /* job_ask, window: the job's own copies */
    uint32_t n, is_wanted, is_busy, n_cancelled;
    double delay_s;
    int nap_us;
};

enum { TB_BATCH_IN, TB_BATCH_ASKS, TB_BATCH_FOUND };

static inline void tb_batch_job(const struct gn_job *job)
{
    struct tb_batch *s = job->arg;
    uint64_t sum = s->job_ask;
    for (uint32_t i = 0; i < TB_WINDOW; i++)
        sum = tb_hash(sum, (uint64_t)s->window[i]);
    if (job->is_cancelled(job) != 0) {
        s->n_cancelled++;
        return;
    }
    s->result = sum;
}

static inline gn_status tb_batch_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct tb_batch *s = state;
    struct gn_in *in = &w->in[0];
    gn_status st = GN_OK;
    if (w->job_done != NULL) {
        s->is_busy = 0;
        st = tb_send(h, TB_BATCH_FOUND, s->index, w->now, (struct tb_note){.who = 50, .n = (uint32_t)(s->index % 1000), .sum = s->result});
    }
    for (uint32_t i = 0; i < w->n_msgs; i++) {
        s->ask = tb_hash(s->ask, ((const struct tb_note *)w->msgs[i].data)->sum);
        s->is_wanted = 1;
    }
    in->n_used = in->n_items;
    if (s->is_busy != 0 || s->is_wanted == 0)
        return st;
    if (in->n_items < TB_WINDOW) { /* wait for a whole window; a gap or the end throws it away */
        in->n_used = 0;
        in->n_need = TB_WINDOW;
        return st;
    }
    memcpy(s->window, in->items, sizeof s->window);
    s->index = in->index;
    s->job_ask = s->ask;
    s->is_wanted = 0;
    s->is_busy = 1;
    in->n_used = TB_WINDOW;
    return st != GN_OK ? st : h->job(h, tb_batch_job, s, in->index + TB_WINDOW, s->delay_s);
}

static const struct gn_port tb_batch_ports[] = {
        {.name = "in", .dir = GN_IN, .formats = "f32"},
        {.name = "asks", .dir = GN_IN, .schema = &tb_note_schema, .flags = GN_PORT_OPTIONAL},
        {.name = "found", .dir = GN_OUT, .schema = &tb_note_schema},
};
static const struct gn_block tb_batch_block = {.name = "test.batch", .ports = tb_batch_ports, .n_ports = 3,
        .state_size = sizeof(struct tb_batch), .work = tb_batch_work};

/* Message-driven: hashes all it hears, in order; sends an order and sometimes an ask. */
struct tb_man {
    uint64_t sum, at_last;
    uint32_t n, n_calls, finished, n_late_order;
};

enum { TB_MAN_IN, TB_MAN_ORDERS, TB_MAN_ASKS, TB_MAN_OUT };

static inline gn_status tb_man_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct tb_man *s = state;
    gn_status st = GN_OK;
    if (s->n_calls++ > 0 && w->now <= s->at_last)
        return h->fail(h, GN_E_INTERNAL, NULL, "two calls for one tick");
    s->at_last = w->now;
    for (uint32_t i = 0; i < w->n_msgs && st == GN_OK; i++) {
        const struct tb_note *m = w->msgs[i].data;
        s->sum = tb_hash(s->sum, m->sum + w->msgs[i].producer * 7919u + w->msgs[i].at);
        s->n++;
        if (s->n % 3 == 0)
            st = tb_send(h, TB_MAN_ORDERS, w->msgs[i].index, w->now, (struct tb_note){.who = 200, .n = s->n, .sum = s->sum});
        if (s->n % 5 == 0 && st == GN_OK)
            st = tb_send(h, TB_MAN_ASKS, w->msgs[i].index, w->now, (struct tb_note){.who = 201, .n = s->n, .sum = s->sum});
        if (s->n % 4 == 0 && st == GN_OK)
            st = tb_send(h, TB_MAN_OUT, w->msgs[i].index, w->now, (struct tb_note){.who = 202, .n = s->n, .sum = s->sum});
    }
    return st;
}

static inline gn_status tb_man_finish(void *state, const struct gn_host *h)
{
    struct tb_man *s = state;
    s->finished = 1;
    return tb_send(h, TB_MAN_OUT, 0, 0, (struct tb_note){.who = 299, .n = s->n, .sum = s->sum});
}

static const struct gn_port tb_man_ports[] = {
        {.name = "in", .dir = GN_IN, .schema = &tb_note_schema},
        {.name = "orders", .dir = GN_OUT, .schema = &tb_note_schema, .delay_s = 0.004, .n_msgs_max = 64},
        {.name = "asks", .dir = GN_OUT, .schema = &tb_note_schema, .delay_s = 0.002, .n_msgs_max = 64},
        {.name = "out", .dir = GN_OUT, .schema = &tb_note_schema, .n_msgs_max = 64},
};
static const struct gn_block tb_man_block = {.name = "test.man", .ports = tb_man_ports, .n_ports = 4,
        .state_size = sizeof(struct tb_man), .work = tb_man_work, .finish = tb_man_finish};

#endif
