/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Attacks on a run, one test each; and that honest runs pass with every multiplier. */
#include "gpsauth_help.h"

static void run_up_to_challenge(struct pair *t, double now_s, struct wire *x, struct wire *c)
{
    assert_int_equal(COMMIT(t, now_s, x), GN_GA_OK);
    assert_int_equal(CHALLENGE(t, now_s, x, c), GN_GA_OK);
}

static void run_up_to_answer(struct pair *t, double now_s, struct wire *y)
{
    struct wire x, c;
    run_up_to_challenge(t, now_s, &x, &c);
    assert_int_equal(ANSWER(t, now_s, &c, y), GN_GA_OK);
}

static void test_eight_in_a_row(void **state)
{
    static const char *const archs[] = {"serial8", "serial16", "serial32", "parallel4", "hybrid4", "native"};
    (void)state;
    for (size_t a = 0; a < GN_COUNT(archs); a++) {
        struct pair t;
        struct wire y, out;
        pair_open(&t, archs[a], 8);
        for (int i = 0; i < 8; i++) {
            run_up_to_answer(&t, i, &y);
            GN_CHECK(archs[a], CHECK(&t, i, &y, &out) == GN_GA_OK && out.n == 7 && out.b[6] == 0);
            GN_CHECK(archs[a], a == 5 || t.p.core_cycles == gn_ga_core_cycles(t.mac.arch, t.mac.width, &test_shape));
        }
        GN_CHECK(archs[a], COMMIT(&t, 9, &y) == GN_GA_EXHAUSTED);
        pair_close(&t);
    }
}

static void test_second_challenge_for_one_x(void **state)
{
    struct pair t;
    struct wire x, c, y;
    (void)state;
    pair_open(&t, "native", 4);
    run_up_to_challenge(&t, 0, &x, &c);
    assert_int_equal(ANSWER(&t, 0, &c, &y), GN_GA_OK);
    c.b[8] ^= 1;
    assert_int_equal(ANSWER(&t, 0, &c, &y), GN_GA_NOT_OPEN);
    assert_int_equal(y.n, 0);
    pair_close(&t);
}

static void test_late_or_other_challenge(void **state)
{
    struct pair t;
    struct wire x, c, y;
    (void)state;
    pair_open(&t, "native", 4);
    run_up_to_challenge(&t, 0, &x, &c);
    c.b[5] ^= 1;
    assert_int_equal(ANSWER(&t, 0, &c, &y), GN_GA_NOT_OPEN);
    c.b[5] ^= 1;
    assert_int_equal(ANSWER(&t, 1.5, &c, &y), GN_GA_LATE);
    assert_int_equal(ANSWER(&t, 0.5, &c, &y), GN_GA_NOT_OPEN); /* the coupon is gone */
    pair_close(&t);
}

/* A challenge beyond 2^c_bits would give floor(y / c) = s. */
static void test_oversize_challenge(void **state)
{
    static const size_t lengths[] = {6, 7, 8, 10, 14, 40, GN_GA_MSG_MAX};
    struct pair t;
    struct wire x, c, y;
    (void)state;
    pair_open(&t, "native", 20);
    run_up_to_challenge(&t, 0, &x, &c);
    c.b[6] |= 0x10; /* bit 20 */
    assert_int_equal(ANSWER(&t, 0, &c, &y), GN_GA_OUT_OF_RANGE);
    assert_int_equal(y.n, 0);
    for (size_t i = 0; i < GN_COUNT(lengths); i++) {
        assert_int_equal(COMMIT(&t, 0, &x), GN_GA_OK);
        struct wire bad = {.b = {0xA6, GN_GA_MSG_CHALLENGE}, .n = lengths[i]};
        memcpy(bad.b + 2, x.b + 2, 4);
        assert_int_equal(ANSWER(&t, 0, &bad, &y), GN_GA_MALFORMED);
        assert_int_equal(y.n, 0);
    }
    pair_close(&t);
}

static void test_replay(void **state)
{
    struct pair t;
    struct wire x, c, y, out;
    (void)state;
    pair_open(&t, "native", 4);
    run_up_to_challenge(&t, 0, &x, &c);
    assert_int_equal(ANSWER(&t, 0, &c, &y), GN_GA_OK);
    assert_int_equal(CHECK(&t, 0, &y, &out), GN_GA_OK);
    assert_int_equal(CHECK(&t, 0, &y, &out), GN_GA_NOT_OPEN);
    assert_int_equal(CHALLENGE(&t, 0, &x, &c), GN_GA_REPLAY);
    x.b[5] = 9; /* the same x under another index */
    assert_int_equal(CHALLENGE(&t, 0, &x, &c), GN_GA_REPLAY);
    pair_close(&t);
}

/* A prover whose disk was put back shows itself by an index that was there before. */
static void test_restored_store(void **state)
{
    struct pair t;
    struct wire x, c, y, out;
    (void)state;
    pair_open(&t, "native", 40);
    for (int i = 0; i < 3; i++) {
        run_up_to_answer(&t, i, &y);
        assert_int_equal(CHECK(&t, i, &y, &out), GN_GA_OK);
    }
    gn_ga_store_close(t.store);
    make_coupons(&t, 40);
    t.p.store = t.store;
    assert_int_equal(COMMIT(&t, 4, &x), GN_GA_OK);
    assert_int_equal(CHALLENGE(&t, 4, &x, &c), GN_GA_REPLAY);
    pair_close(&t);
}

static void test_guessing_locks(void **state)
{
    struct pair t;
    struct wire x, y, out, c;
    (void)state;
    pair_open(&t, "native", 8);
    t.v.n_wrong_max = 3;
    for (int i = 0; i < 3; i++) {
        run_up_to_answer(&t, i, &y);
        y.b[y.n - 1] ^= 1;
        assert_int_equal(CHECK(&t, i, &y, &out), GN_GA_WRONG);
    }
    assert_int_equal(COMMIT(&t, 10, &x), GN_GA_OK);
    assert_int_equal(CHALLENGE(&t, 10, &x, &c), GN_GA_LOCKED);
    assert_int_equal(CHALLENGE(&t, 70, &x, &c), GN_GA_OK);
    pair_close(&t);
}

static void test_parallel_runs(void **state)
{
    struct pair t;
    struct wire x, c, d;
    (void)state;
    pair_open(&t, "native", 4);
    run_up_to_challenge(&t, 0, &x, &c);
    assert_int_equal(COMMIT(&t, 0, &x), GN_GA_OK);
    assert_int_equal(CHALLENGE(&t, 0.5, &x, &d), GN_GA_BUSY);
    assert_int_equal(CHALLENGE(&t, 1.5, &x, &d), GN_GA_OK); /* the first ran out of time */
    pair_close(&t);
}

/* Somebody who asks again and again does not empty the store. */
static void test_budgets(void **state)
{
    struct pair t;
    struct wire x, c;
    (void)state;
    pair_open(&t, "native", 20);
    t.p.budget = (struct gn_ga_budget){.rate_hz = 0.1, .depth = 2};
    assert_int_equal(COMMIT(&t, 0, &x), GN_GA_OK);
    assert_int_equal(COMMIT(&t, 0, &x), GN_GA_OK);
    for (int i = 0; i < 9; i++)
        assert_int_equal(COMMIT(&t, i, &x), GN_GA_LIMITED);
    assert_int_equal(gn_ga_store_left(t.store), 18);
    assert_int_equal(COMMIT(&t, 11, &x), GN_GA_OK);
    t.v.budget = (struct gn_ga_budget){.rate_hz = 0.1, .depth = 1, .is_started = true, .t_s = 11};
    assert_int_equal(CHALLENGE(&t, 11, &x, &c), GN_GA_LIMITED);
    assert_int_equal(CHALLENGE(&t, 22, &x, &c), GN_GA_OK);
    pair_close(&t);
}

static void test_late_answer(void **state)
{
    struct pair t;
    struct wire y, out;
    (void)state;
    pair_open(&t, "native", 4);
    run_up_to_answer(&t, 0, &y);
    assert_int_equal(CHECK(&t, 1.01, &y, &out), GN_GA_LATE);
    assert_int_equal(CHECK(&t, 0.5, &y, &out), GN_GA_NOT_OPEN);
    pair_close(&t);
}

/* Wrong, late, cut short, too large: the same seven bytes. */
static void test_uniform_refusal(void **state)
{
    static const enum gn_ga_reason want[] = {GN_GA_WRONG, GN_GA_LATE, GN_GA_MALFORMED, GN_GA_OUT_OF_RANGE};
    struct pair t;
    (void)state;
    pair_open(&t, "native", 8);
    for (uint8_t i = 0; i < 4; i++) {
        struct wire y, out;
        const uint8_t said[7] = {0xA6, GN_GA_MSG_RESULT, 0, 0, 0, i, 1};
        run_up_to_answer(&t, 10.0 * i, &y);
        y.b[y.n - 1] ^= (uint8_t)(i == 0);
        y.n -= i == 2;
        if (i == 3)
            memset(y.b + 6, 0xff, y.n - 6);
        assert_int_equal(CHECK(&t, 10.0 * i + (i == 1 ? 5 : 0), &y, &out), want[i]);
        assert_int_equal(out.n, 7);
        assert_memory_equal(out.b, said, 7);
    }
    pair_close(&t);
}

/* A stranger's huge index must not lock the true prover out. */
static void test_index_cannot_be_pushed(void **state)
{
    struct pair t;
    struct wire x = {.b = {0xA6, GN_GA_MSG_COMMITMENT, 0xff, 0xff, 0xff, 0xff, 1, 2, 3}, .n = 14}, c, y, out;
    (void)state;
    pair_open(&t, "native", 4);
    assert_int_equal(CHALLENGE(&t, 0, &x, &c), GN_GA_OK);
    run_up_to_answer(&t, 5, &y);
    assert_int_equal(CHECK(&t, 5, &y, &out), GN_GA_OK);
    pair_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_eight_in_a_row),
            cmocka_unit_test(test_second_challenge_for_one_x),
            cmocka_unit_test(test_late_or_other_challenge),
            cmocka_unit_test(test_oversize_challenge),
            cmocka_unit_test(test_replay),
            cmocka_unit_test(test_restored_store),
            cmocka_unit_test(test_guessing_locks),
            cmocka_unit_test(test_parallel_runs),
            cmocka_unit_test(test_budgets),
            cmocka_unit_test(test_late_answer),
            cmocka_unit_test(test_uniform_refusal),
            cmocka_unit_test(test_index_cannot_be_pushed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
