/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors
 * ctest: slow */
/* 10,000 runs with bits flipped, messages cut, lost, doubled or held back, and the prover restarted: no wrong answer is
 * accepted, no coupon is used twice, whole runs pass. Seed 20261201. */
#include "gpsauth_help.h"

#define N_RUNS    10000u
#define N_COUPONS 24000u

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % below;
}

enum fault { CLEAN, FLIP, CUT, LOST, DOUBLED, STALE, N_FAULTS };

/* What arrives of w. True: exactly what was sent. */
static bool hurt(enum fault fault, struct wire *w, const struct wire *stale, uint64_t *seed)
{
    const struct wire sent = *w;
    if (fault == FLIP)
        w->b[draw(seed, (uint32_t)w->n)] ^= (uint8_t)(1u << draw(seed, 8));
    if (fault == CUT)
        w->n = draw(seed, (uint32_t)w->n);
    if (fault == LOST)
        w->n = 0;
    if (fault == STALE)
        *w = *stale;
    return w->n == sent.n && memcmp(w->b, sent.b, sent.n) == 0;
}

static void restart_prover(struct pair *t)
{
    gn_ga_store_close(t->store);
    assert_int_equal(gn_ga_store_open(t->path, test_id, NULL, &t->store, NULL), GN_OK);
    t->p.store = t->store;
    t->p.is_open = false;
}

struct tally {
    bool used[N_COUPONS];
    uint32_t n_accepted, n_clean, n_clean_accepted;
};

static void one_run(struct pair *t, double now_s, struct wire stale[3], struct tally *tally, uint64_t *seed)
{
    struct wire x, c, y, again, out;
    const uint32_t i_hurt = draw(seed, 3);
    const enum fault fault = (enum fault)draw(seed, N_FAULTS);

    assert_int_equal(COMMIT(t, now_s, &x), GN_GA_OK);
    const uint64_t index = t->p.index;
    assert_true(index < N_COUPONS && !tally->used[index]);
    tally->used[index] = true;

    bool is_whole = i_hurt != 0 || hurt(fault, &x, &stale[0], seed);
    const struct wire sent_x = x;
    (void)CHALLENGE(t, now_s, &x, &c);
    is_whole = (i_hurt != 1 || hurt(fault, &c, &stale[1], seed)) && is_whole;
    const enum gn_ga_reason answered = ANSWER(t, now_s, &c, &y);
    if (fault == DOUBLED) { /* a second answer never comes, whatever c */
        c.b[7] ^= 1;
        assert_int_not_equal(ANSWER(t, now_s, &c, &again), GN_GA_OK);
    }
    const struct wire sent_y = y;
    is_whole = (i_hurt != 2 || hurt(fault, &y, &stale[2], seed)) && is_whole && answered == GN_GA_OK;
    const bool is_accepted = CHECK(t, now_s, &y, &out) == GN_GA_OK;
    assert_true(!is_accepted || is_whole);
    tally->n_accepted += is_accepted;
    tally->n_clean += is_whole;
    tally->n_clean_accepted += is_accepted && is_whole;
    stale[0] = sent_x;
    stale[1] = c;
    stale[2] = sent_y;
}

static void test_faults(void **state)
{
    struct tally *tally = calloc(1, sizeof *tally);
    struct wire stale[3] = {0};
    uint64_t seed = 20261201;
    struct pair t;
    (void)state;
    assert_non_null(tally);
    pair_open(&t, "native", N_COUPONS);
    for (uint32_t i = 0; i < N_RUNS; i++) {
        one_run(&t, 10.0 * i, stale, tally, &seed);
        if (draw(&seed, 20) == 0)
            restart_prover(&t);
    }
    assert_true(tally->n_clean > N_RUNS / 4);
    assert_int_equal(tally->n_clean_accepted, tally->n_clean);
    print_message("%u runs, %u untouched, %u accepted\n", N_RUNS, tally->n_clean, tally->n_accepted);
    free(tally);
    pair_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
