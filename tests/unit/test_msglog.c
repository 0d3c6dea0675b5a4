/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/stream/msglog.h"
#include "tests/support/gn_test.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

#define N_STRESS 300000u

struct note {
    uint64_t n, twice;
};

static void send(struct gn_msglog *log, uint64_t n, uint64_t at)
{
    struct note *m = gn_msglog_new(log);
    assert_non_null(m);
    assert_int_equal(m->n + m->twice, 0); /* zeroed */
    *m = (struct note){n, 2 * n};
    gn_msglog_send(log, n, at);
}

static void test_order_and_delay(void **state)
{
    (void)state;
    struct gn_msglog log;
    assert_int_equal(gn_msglog_init(&log, sizeof(struct note), 16, 1, 10), GN_OK);
    assert_int_equal(gn_msglog_frontier(&log), 10); /* nothing before the delay */
    send(&log, 1, 100);
    send(&log, 2, 90); /* an `at` never goes back on a port */
    assert_null(gn_msglog_peek(&log, &log.readers[0])); /* not published */
    assert_true(gn_msglog_publish(&log, 95));
    assert_int_equal(gn_msglog_frontier(&log), 110); /* raised to the last `at` */
    const struct gn_record *r = gn_msglog_peek(&log, &log.readers[0]);
    assert_int_equal(r->at, 110);
    gn_msglog_take(&log.readers[0]);
    r = gn_msglog_peek(&log, &log.readers[0]);
    assert_int_equal(r->at, 110);
    assert_int_equal(r->index, 2);
    assert_false(gn_msglog_publish(&log, 95));
    assert_true(gn_msglog_publish(&log, 200));
    assert_int_equal(gn_msglog_frontier(&log), 210);
    gn_msglog_close(&log, 300);
    assert_true(gn_msglog_frontier(&log) == GN_TICK_NEVER);
    assert_int_equal(atomic_load(&log.end_at), 310);
    gn_msglog_done(&log);
}

static void test_limit_of_a_call(void **state)
{
    (void)state;
    struct gn_msglog log;
    assert_int_equal(gn_msglog_init(&log, sizeof(struct note), 3, 1, 0), GN_OK);
    for (int round = 0; round < 2; round++) {
        assert_true(gn_msglog_begin(&log));
        for (uint64_t i = 0; i < 3; i++)
            send(&log, i, i);
        assert_null(gn_msglog_new(&log));
        (void)gn_msglog_publish(&log, 3);
    }
    assert_int_equal(gn_msglog_backlog(&log), 6);
    gn_msglog_done(&log);
    assert_int_equal(gn_msglog_init(&log, GN_MSG_MAX_BYTES + 1, 3, 1, 0), GN_E_ARG);
}

/* Records that both readers have given back are used again: memory does not grow with the run. */
static void test_recycling(void **state)
{
    (void)state;
    struct gn_msglog log;
    assert_int_equal(gn_msglog_init(&log, 1000, 16, 2, 0), GN_OK);
    uint64_t n_chunks = 0;
    for (uint64_t n = 0; n < 5000; n++) {
        assert_true(gn_msglog_begin(&log));
        struct note *m = gn_msglog_new(&log);
        m->n = n;
        gn_msglog_send(&log, n, n);
        (void)gn_msglog_publish(&log, n);
        for (uint32_t k = 0; k < 2 && n % 7 == 6; k++) {
            const struct gn_record *r;
            while ((r = gn_msglog_peek(&log, &log.readers[k])) != NULL) {
                assert_int_equal(((const struct note *)(const void *)(r + 1))->n, r->index);
                gn_msglog_take(&log.readers[k]);
            }
            gn_msglog_release(&log.readers[k]);
        }
    }
    for (const struct gn_msg_chunk *c = log.oldest; c != NULL; c = c->next)
        n_chunks++;
    for (const struct gn_msg_chunk *c = log.free_list; c != NULL; c = c->next)
        n_chunks++;
    assert_true(n_chunks <= 8);
    gn_msglog_done(&log);
}

/* What the frontier promises: once it is seen beyond t, every record with at < t is there. */
static void *read_all(void *arg)
{
    struct gn_msglog *log = arg;
    struct gn_msg_reader *r = &log->readers[0];
    uint64_t want = 0, n_bad = 0;
    while (want < N_STRESS) {
        uint64_t frontier = gn_msglog_frontier(log);
        const struct gn_record *rec;
        while ((rec = gn_msglog_peek(log, r)) != NULL) {
            const struct note *m = (const struct note *)(const void *)(rec + 1);
            n_bad += m->n != want || m->twice != 2 * want || rec->at != want;
            want++;
            gn_msglog_take(r);
        }
        n_bad += frontier != GN_TICK_NEVER && want < frontier;
        gn_msglog_release(r);
        (void)sched_yield();
    }
    return n_bad == 0 ? NULL : arg;
}

static void test_stress(void **state)
{
    (void)state;
    struct gn_msglog log;
    pthread_t thread;
    void *bad = &log;
    assert_int_equal(gn_msglog_init(&log, sizeof(struct note), 50, 1, 0), GN_OK);
    assert_int_equal(pthread_create(&thread, NULL, read_all, &log), 0);
    for (uint64_t n = 0; n < N_STRESS;) {
        assert_true(gn_msglog_begin(&log));
        for (int i = 0; i < 50; i++, n++)
            send(&log, n, n);
        (void)gn_msglog_publish(&log, n);
        if (gn_msglog_backlog(&log) > 4000)
            (void)sched_yield();
    }
    (void)pthread_join(thread, &bad);
    assert_null(bad);
    gn_msglog_done(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_order_and_delay),
            cmocka_unit_test(test_limit_of_a_call),
            cmocka_unit_test(test_recycling),
            cmocka_unit_test(test_stress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
