/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* How runs end: streams, jobs, interrupts, failures, stalls; and what live runs may drop. */
#include "tests/support/gn_blocks_test.h"
#include "tests/support/gn_graph_test.h"
#include "tests/support/gn_test.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static const struct gn_anchor file_clock = {.rate_sps = 100000};
static const struct gn_anchor live_clock = {.rate_sps = 100000, .is_live = 1};

static void quiet(void *user, uint32_t level, const char *block, const char *text)
{
    (void)user;
    (void)level;
    (void)block;
    (void)text;
}

static struct gn_run *start(struct tg *t, uint32_t n_workers, FILE *jsonl)
{
    struct gn_run *run = NULL;
    struct gn_error err = {0};
    struct gn_run_config config = {.n_workers = n_workers, .jsonl = jsonl, .log = quiet};
    if (gn_run_new(&t->graph, &config, &run, &err) != GN_OK || gn_run_start(run, &err) != GN_OK)
        fail_msg("%s", err.text);
    return run;
}

/* A stream that ends by itself and one that is cut short by its reader. */
struct head {
    uint64_t n_left, n_seen, last;
    uint32_t n_last_flags, stopped, finished;
};

static gn_status head_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct head *s = state;
    (void)h;
    uint32_t n = w->in[0].n_items < s->n_left ? w->in[0].n_items : (uint32_t)s->n_left;
    s->n_left -= n;
    s->n_seen += n;
    s->last = w->in[0].index + n;
    s->n_last_flags += (w->in[0].flags & GN_IN_LAST) != 0;
    w->in[0].n_used = n;
    w->is_done = s->n_left == 0;
    return GN_OK;
}

static gn_status head_finish(void *state, const struct gn_host *h)
{
    (void)h;
    ((struct head *)state)->finished++;
    return GN_OK;
}

static void head_stop(void *state, const struct gn_host *h)
{
    (void)h;
    ((struct head *)state)->stopped++;
}

static const struct gn_port head_ports[] = {{.name = "in", .dir = GN_IN, .formats = "any"}};
static const struct gn_block head_block = {.name = "test.head", .ports = head_ports, .n_ports = 1,
        .state_size = sizeof(struct head), .work = head_work, .finish = head_finish, .stop = head_stop};

static void test_end_of_stream(void **state)
{
    (void)state;
    for (uint32_t n_workers = 1; n_workers <= 2; n_workers++) {
        struct tg *t = tg_new("end");
        ((struct tb_src *)tg_node(t, "src", &tb_src_block, 1))->n_left = 123457;
        struct head *s = tg_node(t, "sink", &head_block, 1), *s2 = tg_node(t, "sink2", &head_block, 1);
        s->n_left = UINT64_MAX;
        s2->n_left = 1000;
        (void)tg_link(t, "src.out", "sink.in");
        (void)tg_link(t, "src.out", "sink2.in");
        tg_plan(t, &file_clock);
        struct gn_run *run = start(t, n_workers, NULL);
        assert_true(gn_run_wait(run, 20));
        assert_int_equal(gn_run_result(run)->status, GN_OK);
        assert_int_equal(s->n_seen, 123457);
        assert_true(s->n_last_flags >= 1);
        assert_int_equal(s->finished + s->stopped, 2);
        assert_int_equal(s2->n_seen, 1000); /* who is done early holds nobody up */
        assert_int_equal(s2->finished + s2->stopped, 2);
        gn_run_free(run);
        tg_free(t);
    }
}

/* When nobody listens any more an endless source ends too. */
static void test_head_ends_the_source(void **state)
{
    (void)state;
    struct tg *t = tg_new("head");
    ((struct tb_src *)tg_node(t, "src", &tb_src_block, 1))->n_left = UINT64_MAX;
    (void)tg_node(t, "mix", &tb_mix_block, 1);
    ((struct head *)tg_node(t, "sink", &head_block, 1))->n_left = 5000;
    (void)tg_link(t, "src.out", "mix.in");
    (void)tg_link(t, "mix.out", "sink.in");
    tg_plan(t, &file_clock);
    struct gn_run *run = start(t, 2, NULL);
    assert_true(gn_run_wait(run, 20));
    assert_int_equal(gn_run_result(run)->status, GN_OK);
    gn_run_free(run);
    tg_free(t);
}

/* A job that ends only when it is told to. */
struct slow {
    _Atomic uint32_t n_begun, n_cancelled;
    uint32_t n_done, stopped_during_job, is_posted, finished;
    uint64_t now_done;
    double delay_s;
    int64_t sleep_us;
    _Atomic uint32_t is_inside;
};

static void slow_job(const struct gn_job *job)
{
    struct slow *s = job->arg;
    struct timespec ms = {.tv_nsec = 1000000};
    atomic_store(&s->is_inside, 1);
    atomic_fetch_add(&s->n_begun, 1);
    for (int64_t us = 0; s->sleep_us < 0 || us < s->sleep_us; us += 1000) {
        if (job->is_cancelled(job) != 0) {
            atomic_fetch_add(&s->n_cancelled, 1);
            break;
        }
        (void)nanosleep(&ms, NULL);
    }
    atomic_store(&s->is_inside, 0);
}

static gn_status slow_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct slow *s = state;
    if (w->job_done != NULL) {
        s->n_done++;
        s->now_done = w->now;
    }
    w->in[0].n_used = w->in[0].n_items;
    if (s->is_posted != 0 || w->in[0].n_items == 0)
        return GN_OK;
    s->is_posted = 1;
    return h->job(h, slow_job, s, w->in[0].index + 1, s->delay_s);
}

static gn_status slow_finish(void *state, const struct gn_host *h)
{
    (void)h;
    ((struct slow *)state)->finished++;
    return GN_OK;
}

static void slow_stop(void *state, const struct gn_host *h)
{
    struct slow *s = state;
    (void)h;
    s->stopped_during_job += atomic_load(&s->is_inside);
}

static const struct gn_block slow_block = {.name = "test.slow", .ports = head_ports, .n_ports = 1,
        .state_size = sizeof(struct slow), .work = slow_work, .finish = slow_finish, .stop = slow_stop};

static struct tg *slow_graph(const struct gn_anchor *clock, uint64_t n_items, double delay_s, int64_t sleep_us,
        struct slow **s)
{
    struct tg *t = tg_new("slow");
    ((struct tb_src *)tg_node(t, "src", &tb_src_block, 1))->n_left = n_items;
    *s = tg_node(t, "slow", &slow_block, 1);
    (*s)->delay_s = delay_s;
    (*s)->sleep_us = sleep_us;
    (void)tg_link(t, "src.out", "slow.in");
    tg_plan(t, clock);
    return t;
}

/* File run: a job due before the end is waited for, to the tick; one due later is cancelled. */
static void test_jobs_and_the_end(void **state)
{
    (void)state;
    struct slow *s;
    struct tg *t = slow_graph(&file_clock, 50000, 0.1, 30000, &s);
    struct gn_run *run = start(t, 1, NULL);
    assert_true(gn_run_wait(run, 20));
    assert_int_equal(s->n_done, 1);
    assert_int_equal(s->now_done, 10001);
    gn_run_free(run);
    tg_free(t);
    t = slow_graph(&file_clock, 50000, 10, -1, &s);
    run = start(t, 1, NULL);
    assert_true(gn_run_wait(run, 20));
    assert_int_equal(gn_run_result(run)->status, GN_OK);
    assert_int_equal(s->n_done, 0);
    assert_true(atomic_load(&s->n_begun) == atomic_load(&s->n_cancelled));
    assert_int_equal(s->finished, 1);
    assert_int_equal(s->stopped_during_job, 0);
    gn_run_free(run);
    tg_free(t);
}

/* A job that never returns by itself is no reason to hang after ^C. */
static void test_interrupt(void **state)
{
    (void)state;
    for (uint32_t n_workers = 1; n_workers <= 2; n_workers++) {
        struct slow *s;
        struct tg *t = slow_graph(&file_clock, UINT64_MAX, 0.1, -1, &s);
        struct gn_run *run = start(t, n_workers, NULL);
        assert_false(gn_run_wait(run, 0.2)); /* it stands before tick 10001 */
        gn_run_interrupt(run);
        assert_true(gn_run_wait(run, 10));
        assert_int_equal(gn_run_result(run)->status, GN_E_CANCELLED);
        assert_true(gn_run_result(run)->was_interrupted);
        assert_false(gn_run_result(run)->was_forced);
        assert_int_equal(s->finished, 1);
        assert_int_equal(atomic_load(&s->n_cancelled), 1);
        gn_run_free(run);
        tg_free(t);
    }
}

/* Live: the stream goes on, the late result comes anyway and is counted. */
struct pace {
    uint64_t n_left, fail_at, n_blocked;
};

static gn_status pace_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct pace *s = state;
    struct timespec ms = {.tv_nsec = 1000000};
    (void)h;
    (void)nanosleep(&ms, NULL);
    uint32_t n = w->out[0].n_room < 100 ? w->out[0].n_room : 100;
    n = s->n_left < n ? (uint32_t)s->n_left : n;
    memset(w->out[0].items, 0, 4u * n);
    s->n_left -= n;
    w->out[0].n_made = n;
    w->is_done = s->n_left == 0 || (w->flags & GN_WORK_CANCEL) != 0;
    return GN_OK;
}

static const struct gn_block pace_block = {.name = "test.pace", .ports = tb_f32_out, .n_ports = 1,
        .state_size = sizeof(struct pace), .flags = GN_BLOCK_BLOCKS, .work = pace_work};

static void test_late_job(void **state)
{
    (void)state;
    struct tg *t = tg_new("late");
    ((struct pace *)tg_node(t, "src", &pace_block, 1))->n_left = 20000;
    struct slow *s = tg_node(t, "slow", &slow_block, 1);
    s->delay_s = 0.01;
    s->sleep_us = 60000;
    (void)tg_link(t, "src.out", "slow.in");
    tg_plan(t, &live_clock);
    struct gn_run *run = start(t, 1, NULL);
    assert_true(gn_run_wait(run, 20));
    struct gn_run_progress p;
    gn_run_progress(run, &p);
    assert_int_equal(s->n_done, 1);
    assert_true(s->now_done > 1001);
    assert_int_equal(p.n_late, 1);
    assert_int_equal(p.n_ticks, 20000);
    gn_run_free(run);
    tg_free(t);
}

/* Blocks that fail in other ways than work(). */
static gn_status bad_start(void *state, const struct gn_host *h)
{
    (void)state;
    return (h->fail)(h, GN_E_DATA, "in", "cannot be opened");
}

static uint32_t bad_stops;

static void bad_stop(void *state, const struct gn_host *h)
{
    (void)state;
    (void)h;
    bad_stops++;
}

static void test_refused_start(void **state)
{
    (void)state;
    static const struct gn_block bad = {.name = "test.bad", .ports = head_ports, .n_ports = 1, .start = bad_start,
            .work = head_work, .stop = bad_stop};
    struct tg *t = tg_new("bad");
    (void)tg_node(t, "src", &tb_src_block, 1);
    (void)tg_node(t, "bad", &bad, 1);
    (void)tg_link(t, "src.out", "bad.in");
    tg_plan(t, &file_clock);
    struct gn_run *run = NULL;
    struct gn_error err = {0};
    assert_int_equal(gn_run_new(&t->graph, NULL, &run, &err), GN_E_DATA);
    assert_null(run);
    assert_string_equal(err.text, "bad: in: cannot be opened");
    assert_int_equal(bad_stops, 1);
    tg_free(t);
}

static gn_status liar_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    (void)state;
    (void)h;
    w->in[0].n_used = w->in[0].n_items + 1;
    return GN_OK;
}

static gn_status greedy_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    (void)state;
    (void)h;
    w->in[0].n_need = 1u << 30;
    return GN_OK;
}

static gn_status idle_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    (void)state;
    (void)h;
    (void)w;
    return GN_OK;
}

static void test_misbehaviour_is_named(void **state)
{
    (void)state;
    static const struct {
        gn_status (*work)(void *state, const struct gn_host *h, struct gn_work *w);
        gn_status status;
        const char *words;
    } rows[] = {
            {liar_work, GN_E_PLUGIN, "used more items"},
            {greedy_work, GN_E_ARG, "more items at once"},
            {idle_work, GN_E_ARG, "more items at once"}, /* takes nothing and asks for nothing */
    };
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        struct gn_block block = {.name = "test.bad", .ports = head_ports, .n_ports = 1, .work = rows[i].work};
        struct tg *t = tg_new("bad");
        ((struct tb_src *)tg_node(t, "src", &tb_src_block, 1))->n_left = UINT64_MAX;
        (void)tg_node(t, "bad", &block, 1);
        (void)tg_link(t, "src.out", "bad.in");
        tg_plan(t, &file_clock);
        struct gn_run *run = start(t, 2, NULL);
        assert_true(gn_run_wait(run, 20));
        GN_CHECK(rows[i].words, gn_run_result(run)->status == rows[i].status);
        GN_CHECK(rows[i].words, strcmp(gn_run_result(run)->block, "bad") == 0);
        GN_CHECK(rows[i].words, strstr(gn_run_result(run)->text, rows[i].words) != NULL);
        gn_run_free(run);
        tg_free(t);
    }
}

/* A cycle without a delay can never move: the run says so instead of hanging. */
static void test_stall(void **state)
{
    (void)state;
    static const struct gn_port ports[] = {
            {.name = "in", .dir = GN_IN, .formats = "f32"},
            {.name = "orders", .dir = GN_IN, .schema = &tb_note_schema},
            {.name = "ticks", .dir = GN_OUT, .schema = &tb_note_schema},
    };
    static const struct gn_block block = {.name = "test.self", .ports = ports, .n_ports = 3,
            .state_size = sizeof(struct tb_count), .work = tb_count_work};
    for (uint32_t n_workers = 1; n_workers <= 2; n_workers++) {
        struct tg *t = tg_new("stall");
        ((struct tb_src *)tg_node(t, "src", &tb_src_block, 1))->n_left = 1000;
        (void)tg_node(t, "self", &block, 1);
        (void)tg_link(t, "src.out", "self.in");
        (void)tg_link(t, "self.ticks", "self.orders");
        tg_plan(t, &file_clock);
        struct gn_run *run = start(t, n_workers, NULL);
        assert_true(gn_run_wait(run, 20));
        assert_int_equal(gn_run_result(run)->status, GN_E_INTERNAL);
        assert_non_null(strstr(gn_run_result(run)->text, "self at 0"));
        gn_run_free(run);
        tg_free(t);
    }
}

static void test_full_disk(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "wb");
    if (full == NULL)
        return;
    struct tg *t = tg_new("full");
    ((struct tb_src *)tg_node(t, "src", &tb_src_block, 1))->n_left = 1000000;
    (void)tg_node(t, "count", &tb_count_block, 1);
    (void)tg_link(t, "src.out", "count.in");
    tg_plan(t, &file_clock);
    struct gn_run *run = start(t, 1, full);
    assert_true(gn_run_wait(run, 20));
    assert_int_equal(gn_run_result(run)->status, GN_E_OUTPUT);
    gn_run_free(run);
    (void)fclose(full);
    tg_free(t);
}

/* Live: a reader that may drop is overtaken, knows how much it missed, and never slows the one that may not. */
static gn_status sleepy_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct timespec ms = {.tv_nsec = 3000000};
    (void)nanosleep(&ms, NULL);
    return head_work(state, h, w);
}

static void test_latest(void **state)
{
    (void)state;
    static const struct gn_block sleepy = {.name = "test.sleepy", .ports = head_ports, .n_ports = 1,
            .state_size = sizeof(struct head), .flags = GN_BLOCK_BLOCKS, .work = sleepy_work};
    struct tg *t = tg_new("latest");
    ((struct tb_src *)tg_node(t, "src", &tb_src_block, 1))->n_left = 3000000;
    struct head *s = tg_node(t, "sink", &head_block, 1), *slow = tg_node(t, "slow", &sleepy, 1);
    s->n_left = slow->n_left = UINT64_MAX;
    (void)tg_link(t, "src.out", "sink.in");
    tg_link(t, "src.out", "slow.in")->policy = GN_POLICY_LATEST;
    tg_plan(t, &live_clock);
    struct gn_run *run = start(t, 1, NULL);
    assert_true(gn_run_wait(run, 60));
    assert_int_equal(gn_run_result(run)->status, GN_OK);
    struct gn_run_block_stats b;
    gn_run_block_stats(run, 2, &b);
    assert_int_equal(s->n_seen, 3000000);
    assert_true(b.n_lost > 0);
    assert_int_equal(slow->n_seen + b.n_lost, 3000000);
    assert_int_equal(slow->last, 3000000);
    gn_run_free(run);
    tg_free(t);
}

/* host->share: one memory for the copies in a group, and only for them. */
struct sharer {
    uint32_t *shared;
};

static gn_status share_start(void *state, const struct gn_host *h)
{
    struct sharer *s = state;
    s->shared = h->share(h, "sum", 64);
    if (s->shared == NULL)
        return GN_E_NOMEM;
    ++*s->shared;
    return GN_OK;
}

static void test_share(void **state)
{
    (void)state;
    static const struct gn_block block = {.name = "test.share", .ports = head_ports, .n_ports = 1,
            .state_size = sizeof(struct head) + 64, .start = share_start, .work = head_work};
    for (uint32_t n_workers = 1; n_workers <= 2; n_workers++) {
        struct tg *t = tg_new("share");
        (void)tg_node(t, "src", &tb_src_block, 1);
        (void)tg_node(t, "many", &block, 6);
        (void)tg_link(t, "src.out", "many.in");
        tg_plan(t, &file_clock);
        struct gn_run *run = NULL;
        struct gn_run_config config = {.n_workers = n_workers};
        assert_int_equal(gn_run_new(&t->graph, &config, &run, NULL), GN_OK);
        assert_int_equal(*((struct sharer *)tg_state(t, 1, 0))->shared, 6 / n_workers);
        gn_run_free(run);
        tg_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_end_of_stream),
            cmocka_unit_test(test_head_ends_the_source),
            cmocka_unit_test(test_jobs_and_the_end),
            cmocka_unit_test(test_interrupt),
            cmocka_unit_test(test_late_job),
            cmocka_unit_test(test_refused_start),
            cmocka_unit_test(test_misbehaviour_is_named),
            cmocka_unit_test(test_stall),
            cmocka_unit_test(test_full_disk),
            cmocka_unit_test(test_latest),
            cmocka_unit_test(test_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
