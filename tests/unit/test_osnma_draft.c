/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Options of the drafts: refused by the standard profile whatever the signal says, taken by the draft profile; long walks
 * in slices. The digest of "abc" is NIST's example for SHA3-224 (FIPS 202 example values). */
#include "lib/bits/hex.h"
#include "tests/unit/osnma_help.h"

#define WN  1300
#define TOW 345600u
#define N_SF 14u /* a DSM of 13 blocks and some */

static void test_sha3_224(void **state)
{
    uint8_t out[GN_OSNMA_HASH_BYTES], want[GN_OSNMA_HASH_BYTES] = {0};
    struct gn_osnma_crypto *c = gn_osnma_crypto_new();
    (void)state;
    assert_non_null(c);
    assert_true(gn_hex_parse("e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf", 56, want, 28));
    assert_true(gn_osnma_hash(c, GN_OSNMA_SHA3_224, (const uint8_t *)"abc", 3, out));
    assert_memory_equal(out, want, sizeof out);
    assert_false(gn_osnma_hash(c, 3, (const uint8_t *)"abc", 3, out));
    gn_osnma_crypto_free(c);
}

struct seen {
    struct got got;
    unsigned n_draft, n_no_key;
};

static void on_key(void *arg, enum gn_osnma_key_event kind, const struct gn_msg_osnma_key *k)
{
    struct seen *s = arg;
    got_key(&s->got, kind, k);
    s->n_draft += strcmp(k->reason, "draft-option") == 0;
    s->n_no_key += strcmp(k->reason, "no-public-key") == 0;
}

static struct seen listen(unsigned curve, unsigned hf, enum gn_osnma_profile profile)
{
    struct sky s;
    struct seen seen = {0};
    struct gn_osnma *o = NULL;
    struct gn_osnma_sink sink = got_sink(&seen.got);
    struct gn_osnma_gen_config gc = {.seed = 7, .wn = WN, .tow_s = TOW, .n_subframes = N_SF + 4, .curve = {(uint8_t)curve}};
    char json[1024];
    gc.chains[0].hf = (uint8_t)hf;
    sky_init(&s, 7, WN, TOW, N_SF + 4);
    gn_osnma_gen_free(s.gen);
    assert_int_equal(gn_osnma_gen_make(&gc, &s.gen), GN_OK);
    size_t n = gn_osnma_gen_keys_json(s.gen, json, sizeof json);
    assert_int_equal(gn_osnma_keys_parse(json, n, NULL, true, &s.anchor, NULL), GN_OK);
    struct gn_osnma_config config = {.anchor = s.anchor, .has_trusted_time = 1, .profile = (uint8_t)profile};
    assert_int_equal(gn_osnma_new(&config, &o), GN_OK);
    sink.key = on_key;
    for (unsigned k = 0; k < N_SF; k++)
        for (unsigned p = 0; p < GN_OSNMA_PAGES; p++)
            for (unsigned i = 0; i < SKY_SATS; i++) {
                struct gn_osnma_page page = sky_page(&s, k, i, p);
                gn_osnma_feed(o, &page, &sink);
            }
    gn_osnma_finish(o, &sink);
    gn_osnma_free(o);
    gn_osnma_gen_free(s.gen);
    return seen;
}

static void test_signal_cannot_choose(void **state)
{
    static const struct {
        unsigned curve, hf;
    } rows[] = {{GN_OSNMA_P224, GN_OSNMA_SHA256}, {GN_OSNMA_P384, GN_OSNMA_SHA256}, {GN_OSNMA_P256, GN_OSNMA_SHA3_224}};
    (void)state;
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        struct seen s = listen(rows[i].curve, rows[i].hf, GN_OSNMA_STANDARD);
        assert_int_equal(s.got.tags[GN_AUTHENTIC], 0);
        assert_int_equal(s.got.data_authentic, 0);
        assert_int_equal(s.got.keys[GN_OSNMA_EV_KROOT][GN_AUTHENTIC], 0);
        assert_true(s.n_draft + s.n_no_key > 0); /* said why */
        assert_true(rows[i].hf == GN_OSNMA_SHA256 || s.n_draft > 0);
        s = listen(rows[i].curve, rows[i].hf, GN_OSNMA_DRAFT);
        assert_true(s.got.keys[GN_OSNMA_EV_KROOT][GN_AUTHENTIC] > 0);
        assert_true(s.got.tags[GN_AUTHENTIC] > 0);
        assert_int_equal(s.got.tags[GN_FORGED], 0);
    }
}

/* slices: counted, the end is what one walk gives, and one wrong bit anywhere is forged */
static void test_slices(void **state)
{
    enum { STEPS = 3000, PER = 72 };
    struct gn_osnma_task t = {.kind = GN_OSNMA_TASK_WALK, .n_steps = STEPS, .n_left = STEPS,
            .chain = {.key_bytes = 12, .tag_bits = 40, .keys_a_sf = PER}, .from = {.sf = 5000000, .bytes = {1, 2, 3}}};
    struct gn_osnma_crypto *c = gn_osnma_crypto_new();
    (void)state;
    t.at = t.goal = t.from;
    assert_int_equal(gn_tesla_walk(c, &t.chain, &t.goal, STEPS, NULL, NULL), GN_OK);
    for (unsigned bad = 0; bad < 2; bad++) {
        struct gn_osnma_task u = t;
        unsigned n = 0;
        u.goal.bytes[5] ^= (uint8_t)bad;
        do {
            assert_int_equal(gn_osnma_task_run(&u, NULL, NULL), GN_OK);
            n++;
            assert_true(!u.is_more || u.verdict == GN_UNDECIDED);
        } while (u.is_more);
        assert_int_equal(n, (STEPS + GN_OSNMA_SLICE_HASHES / PER - 1) / (GN_OSNMA_SLICE_HASHES / PER));
        assert_int_equal(u.verdict, bad ? GN_FORGED : GN_AUTHENTIC);
    }
    gn_osnma_crypto_free(c);
}

static void test_walk_bound(void **state)
{
    struct gn_tesla_chain one = {.key_bytes = 16}, many = {.key_bytes = 12, .keys_a_sf = 72};
    (void)state;
    assert_true(gn_tesla_is_walkable(&one, GN_TESLA_STEPS_MAX));
    assert_false(gn_tesla_is_walkable(&one, GN_TESLA_STEPS_MAX + 1));
    assert_false(gn_tesla_is_walkable(&one, -1));
    assert_true(gn_tesla_is_walkable(&many, 86400));
    assert_false(gn_tesla_is_walkable(&many, GN_TESLA_STEPS_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_sha3_224),
            cmocka_unit_test(test_signal_cannot_choose),
            cmocka_unit_test(test_slices),
            cmocka_unit_test(test_walk_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
