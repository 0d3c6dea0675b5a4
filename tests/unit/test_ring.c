/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/stream/ring.h"
#include "tests/support/gn_test.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

#define N_STRESS 2000000u
#define STEP     333u

static void test_spans_are_contiguous(void **state)
{
    (void)state;
    struct gn_ring ring;
    assert_int_equal(gn_ring_init(&ring, 4096, 4, 1, false), GN_OK);
    uint32_t next = 0, want = 0;
    for (int round = 0; round < 50; round++) {
        size_t n = gn_ring_room(&ring, 700);
        n = n < 700 ? n : 700;
        uint32_t *w = gn_ring_at(&ring, ring.head_here);
        for (size_t i = 0; i < n; i++)
            w[i] = next++;
        gn_ring_commit(&ring, n);
        n = gn_ring_avail(&ring, &ring.readers[0], 1);
        const uint32_t *r = gn_ring_at(&ring, ring.readers[0].here);
        n = n > 650 ? 650 : n;
        for (size_t i = 0; i < n; i++)
            assert_int_equal(r[i], want++);
        gn_ring_drop(&ring.readers[0], n);
    }
    assert_true(want > 2 * ring.n_cap);
    gn_ring_done(&ring);
}

static void test_room_follows_the_slowest(void **state)
{
    (void)state;
    struct gn_ring ring;
    assert_int_equal(gn_ring_init(&ring, 4096, 1, 2, false), GN_OK);
    assert_int_equal(gn_ring_room(&ring, 1), ring.n_cap);
    gn_ring_commit(&ring, 4000);
    (void)gn_ring_avail(&ring, &ring.readers[0], 1);
    gn_ring_drop(&ring.readers[0], 4000);
    assert_int_equal(gn_ring_room(&ring, 4096), ring.n_cap - 4000);
    (void)gn_ring_avail(&ring, &ring.readers[1], 1);
    gn_ring_drop(&ring.readers[1], 100);
    assert_int_equal(gn_ring_room(&ring, 4096), ring.n_cap - 3900);
    gn_ring_leave(&ring, 1); /* who has left holds nobody up */
    assert_int_equal(gn_ring_room(&ring, 4096), ring.n_cap);
    gn_ring_leave(&ring, 0);
    assert_true(gn_ring_tail(&ring) == GN_ITEM_NEVER);
    gn_ring_done(&ring);
}

static void test_scratch_rewinds(void **state)
{
    (void)state;
    struct gn_ring ring;
    assert_int_equal(gn_ring_init(&ring, 65536, 8, 2, true), GN_OK);
    const void *first = gn_ring_at(&ring, 0);
    for (int i = 0; i < 100; i++) {
        assert_ptr_equal(gn_ring_at(&ring, ring.head_here), first);
        gn_ring_commit(&ring, 500);
        for (uint32_t k = 0; k < 2; k++) {
            assert_int_equal(gn_ring_avail(&ring, &ring.readers[k], 1), 500);
            gn_ring_drop(&ring.readers[k], 500);
            gn_ring_rewind(&ring);
        }
    }
    gn_ring_done(&ring);
}

static void test_marks_are_bounded(void **state)
{
    (void)state;
    struct gn_ring ring;
    struct gn_tag tag = {.key = "x"};
    assert_int_equal(gn_ring_init(&ring, 4096, 1, 1, false), GN_OK);
    for (uint32_t i = 0; i < GN_RING_MARKS; i++)
        assert_true(gn_ring_mark(&ring, i, &tag));
    assert_false(gn_ring_mark(&ring, GN_RING_MARKS, &tag));
    atomic_store(&ring.readers[0].n_marks, 10);
    assert_int_equal(gn_ring_mark_room(&ring), 10);
    assert_true(gn_ring_mark(&ring, 0, &tag)); /* never before the last one */
    assert_int_equal(ring.marks[0].item, GN_RING_MARKS - 1);
    gn_ring_done(&ring);
}

static void test_sizes(void **state)
{
    (void)state;
    struct gn_ring ring;
    assert_int_equal(gn_ring_init(&ring, 4096, 3, 1, false), GN_E_ARG);
    assert_int_equal(gn_ring_init(&ring, 4096, 0, 1, false), GN_E_ARG);
    assert_int_equal(gn_ring_init(&ring, 5000, 2, 1, false), GN_OK);
    assert_int_equal(ring.n_cap, 4096);
    gn_ring_done(&ring);
}

/* Two threads: every reader sees every item once and in order. */
struct stress {
    struct gn_ring ring;
    uint32_t bad[2];
};

struct reading {
    struct stress *s;
    uint32_t i;
};

static void *read_all(void *arg)
{
    const struct reading *me = arg;
    struct gn_ring_reader *r = &me->s->ring.readers[me->i];
    uint32_t want = 0;
    while (want < N_STRESS) {
        size_t n = gn_ring_avail(&me->s->ring, r, 1);
        if (n == 0)
            (void)sched_yield();
        n = n > STEP * (me->i + 1) ? STEP * (me->i + 1) : n;
        const uint32_t *p = gn_ring_at(&me->s->ring, r->here);
        for (size_t i = 0; i < n; i++)
            me->s->bad[me->i] += p[i] != want++;
        gn_ring_drop(r, n);
    }
    return NULL;
}

static void test_stress(void **state)
{
    (void)state;
    static struct stress s;
    pthread_t threads[2];
    struct reading readings[2] = {{&s, 0}, {&s, 1}};
    assert_int_equal(gn_ring_init(&s.ring, 16384, 4, 2, false), GN_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_all, &readings[i]), 0);
    for (uint32_t next = 0; next < N_STRESS;) {
        size_t n = gn_ring_room(&s.ring, 1);
        if (n == 0)
            (void)sched_yield();
        n = n > 777 ? 777 : n;
        n = n > N_STRESS - next ? N_STRESS - next : n;
        uint32_t *p = gn_ring_at(&s.ring, s.ring.head_here);
        for (size_t i = 0; i < n; i++)
            p[i] = next++;
        gn_ring_commit(&s.ring, n);
    }
    for (int i = 0; i < 2; i++)
        (void)pthread_join(threads[i], NULL);
    assert_int_equal(s.bad[0] + s.bad[1], 0);
    gn_ring_done(&s.ring);
}

/* A slow `latest` reader never stops the writer, never sees an item that is being overwritten, and counts what it
 * missed. Items are relaxed atomics: an overtaken span would be a race. */
static void *read_latest(void *arg)
{
    struct stress *s = arg;
    struct gn_ring_reader *r = &s->ring.readers[0];
    uint64_t n_seen = 0, n_skipped = 0;
    for (;;) {
        bool is_closed = atomic_load(&s->ring.is_closed) != 0;
        gn_ring_enter_latest(&s->ring, r);
        n_skipped += r->n_skipped;
        r->n_skipped = 0;
        size_t n = gn_ring_avail(&s->ring, r, SIZE_MAX);
        n = n > 100 ? 100 : n;
        const uint32_t *p = gn_ring_at(&s->ring, r->here);
        for (int turn = 0; turn < 3; turn++)
            for (size_t i = 0; i < n; i++)
                s->bad[0] += p[i] != (uint32_t)(r->here + i);
        gn_ring_drop(r, n);
        n_seen += n;
        if (n == 0 && is_closed)
            break;
        if (n == 0)
            (void)sched_yield();
    }
    s->bad[1] = n_seen + n_skipped != N_STRESS;
    return NULL;
}

static void test_latest_stress(void **state)
{
    (void)state;
    static struct stress s;
    pthread_t thread;
    assert_int_equal(gn_ring_init(&s.ring, 16384, 4, 1, false), GN_OK);
    gn_ring_set_latest(&s.ring, 0);
    assert_int_equal(pthread_create(&thread, NULL, read_latest, &s), 0);
    for (uint32_t next = 0; next < N_STRESS;) {
        size_t n = gn_ring_room(&s.ring, 512);
        n = n > N_STRESS - next ? N_STRESS - next : n;
        uint32_t *p = gn_ring_at(&s.ring, s.ring.head_here);
        for (size_t i = 0; i < n; i++)
            p[i] = next++;
        gn_ring_commit(&s.ring, n);
    }
    gn_ring_close(&s.ring);
    (void)pthread_join(thread, NULL);
    assert_int_equal(s.bad[0], 0);
    assert_int_equal(s.bad[1], 0);
    gn_ring_done(&s.ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_spans_are_contiguous),
            cmocka_unit_test(test_room_follows_the_slowest),
            cmocka_unit_test(test_scratch_rewinds),
            cmocka_unit_test(test_marks_are_bounded),
            cmocka_unit_test(test_sizes),
            cmocka_unit_test(test_stress),
            cmocka_unit_test(test_latest_stress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
