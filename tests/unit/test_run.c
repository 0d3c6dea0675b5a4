/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "tests/support/gn_blocks_test.h"
#include "tests/support/gn_graph_test.h"
#include "tests/support/gn_test.h"

#define RATE_SPS 100000.0

static const struct gn_anchor file_clock = {.rate_sps = RATE_SPS};

/* src > mix > count[n], batch; ticks and found > man > man2; orders > count; asks > batch; man2 <-> man */
static struct tg *full_graph(uint64_t n_items, uint64_t gap_every)
{
    struct tg *t = tg_new("full");
    struct tb_src *src = tg_node(t, "src", &tb_src_block, 1);
    src->n_left = n_items;
    src->gap_every = gap_every;
    src->gap_ticks = 777;
    (void)tg_node(t, "mix", &tb_mix_block, 1);
    (void)tg_node(t, "count", &tb_count_block, 5);
    struct tb_batch *batch = tg_node(t, "batch", &tb_batch_block, 1);
    batch->delay_s = 0.03;
    (void)tg_node(t, "man", &tb_man_block, 1);
    (void)tg_node(t, "relay", &tb_man_block, 1);
    (void)tg_link(t, "src.out", "mix.in");
    (void)tg_link(t, "mix.out", "count.in");
    (void)tg_link(t, "mix.out", "batch.in");
    (void)tg_link(t, "count.ticks", "man.in");
    (void)tg_link(t, "batch.found", "man.in");
    (void)tg_link(t, "man.orders", "count.orders");
    (void)tg_link(t, "man.asks", "batch.asks");
    (void)tg_link(t, "man.out", "relay.in");
    (void)tg_link(t, "relay.orders", "man.in");
    tg_plan(t, &file_clock);
    return t;
}

/* The events of a run, without its first and last line. */
static char *events_of(struct tg *t, struct gn_run_config config, struct gn_run_result *result)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    config.jsonl = f;
    struct gn_run *run = NULL;
    struct gn_error err = {0};
    if (gn_run_new(&t->graph, &config, &run, &err) != GN_OK)
        fail_msg("gn_run_new: %s", err.text);
    assert_int_equal(gn_run_start(run, &err), GN_OK);
    assert_true(gn_run_wait(run, 60));
    *result = *gn_run_result(run);
    gn_run_free(run);
    (void)fclose(f);
    char *first = strchr(text, '\n');
    char *last = strstr(text, "{\"v\":1,\"event\":\"run.end\"");
    assert_non_null(first);
    assert_non_null(last);
    *last = 0;
    char *copy = strdup(first + 1);
    free(text);
    return copy;
}

static void quiet(void *user, uint32_t level, const char *block, const char *text)
{
    (void)user;
    (void)level;
    (void)block;
    (void)text;
}

static char *full_events(uint32_t n_workers, uint32_t seed, uint64_t n_items, uint64_t gap_every)
{
    struct tg *t = full_graph(n_items, gap_every);
    struct gn_run_result result;
    struct gn_run_config config = {.n_workers = n_workers, .shuffle_seed = seed, .log = quiet};
    char *events = events_of(t, config, &result);
    if (result.status != GN_OK)
        fail_msg("workers %u seed %u: %s: %s", n_workers, seed, result.block, result.text);
    assert_int_equal(((struct tb_man *)tg_state(t, 4, 0))->finished, 1);
    assert_int_equal(((struct tb_man *)tg_state(t, 5, 0))->finished, 1);
    assert_int_equal(((struct tb_count *)tg_state(t, 2, 4))->finished, 1);
    tg_free(t);
    return events;
}

static size_t n_lines(const char *s, const char *with)
{
    size_t n = 0;
    for (const char *p = strstr(s, with); p != NULL; p = strstr(p + 1, with))
        n++;
    return n;
}

static void test_full_graph(void **state)
{
    (void)state;
    char *events = full_events(1, 0, 400000, 33333);
    assert_true(n_lines(events, "\"who\":50,") > 10);   /* jobs came back */
    assert_true(n_lines(events, "\"who\":200,") > 100); /* orders */
    assert_true(n_lines(events, "\"who\":299,") == 2);
    assert_int_equal(n_lines(events, "\"event\":\"ledger\""), 12);
    free(events);
}

/* The same events for any number of workers, cut, order and chunk. */
static void test_determinism(void **state)
{
    (void)state;
    char *want = full_events(1, 0, 120000, 33333);
    for (uint32_t n_workers = 1; n_workers <= 3; n_workers++) {
        for (uint32_t seed = 0; seed < 12; seed++) {
            char *got = full_events(n_workers, seed, 120000, 33333);
            if (strcmp(got, want) != 0) {
                size_t i = 0;
                while (got[i] == want[i])
                    i++;
                fail_msg("workers %u seed %u differ at byte %zu:\n%.200s\nwant\n%.200s", n_workers, seed, i,
                        got + (i > 60 ? i - 60 : 0), want + (i > 60 ? i - 60 : 0));
            }
            free(got);
        }
    }
    free(want);
}

static void test_failing_block(void **state)
{
    (void)state;
    for (uint32_t n_workers = 1; n_workers <= 2; n_workers++) {
        struct tg *t = full_graph(1000000, 0);
        ((struct tb_src *)tg_state(t, 0, 0))->fail_at = 50000;
        struct gn_run_result result;
        char *events = events_of(t, (struct gn_run_config){.n_workers = n_workers}, &result);
        assert_int_equal(result.status, GN_E_DEVICE);
        assert_string_equal(result.block, "src");
        assert_string_equal(result.text, "out: broke at item 50000");
        free(events);
        tg_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_full_graph),
            cmocka_unit_test(test_determinism),
            cmocka_unit_test(test_failing_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
