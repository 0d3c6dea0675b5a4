/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A generated chain is deterministic, signs like RFC 6979 says, and authenticates in the receiver. */
#include "lib/bits/hex.h"
#include "lib/osnma/sign.h"
#include "tests/unit/osnma_help.h"

/* RFC 6979 appendix A.2.5: curve P-256, SHA-256, message "sample" */
static void test_rfc6979(void **state)
{
    (void)state;
    uint8_t secret[32], sig[GN_OSNMA_SIG_BYTES], point[GN_OSNMA_POINT_BYTES], want[64], want_x[32];
    assert_true(gn_hex_parse("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721", 64, secret, 32));
    assert_true(gn_hex_parse("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6", 64, want_x, 32));
    assert_true(gn_hex_parse("EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
                             "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8", 128, want, 64));
    assert_true(gn_osnma_public(GN_OSNMA_P256, secret, point));
    assert_memory_equal(point + 1, want_x, 32);
    assert_true(gn_osnma_sign(GN_OSNMA_P256, secret, (const uint8_t *)"sample", 6, sig));
    assert_memory_equal(sig, want, 64);
    assert_int_equal(gn_osnma_signature_verify(GN_OSNMA_P256, point, 33, (const uint8_t *)"sample", 6, sig, 64),
            GN_AUTHENTIC);
    sig[40] ^= 1;
    assert_int_equal(gn_osnma_signature_verify(GN_OSNMA_P256, point, 33, (const uint8_t *)"sample", 6, sig, 64),
            GN_FORGED);
}

static void run(struct sky *s, struct got *g, bool trusted, unsigned n_subframes)
{
    struct gn_osnma_config config = {.anchor = s->anchor, .has_trusted_time = trusted};
    struct gn_osnma *o = NULL;
    struct gn_osnma_sink sink = got_sink(g);
    assert_int_equal(gn_osnma_new(&config, &o), GN_OK);
    for (unsigned k = 0; k < n_subframes; k++)
        for (unsigned p = 0; p < GN_OSNMA_PAGES; p++)
            for (unsigned i = 0; i < SKY_SATS; i++) {
                struct gn_osnma_page page = sky_page(s, k, i, p);
                gn_osnma_feed(o, &page, &sink);
            }
    gn_osnma_finish(o, &sink);
    gn_osnma_free(o);
}

static void test_authenticates(void **state)
{
    static const struct {
        const char *name;
        int32_t wn;
        uint32_t tow_s;
    } rows[] = {{"mid-week", 1423, 154200}, {"over the week's end", 1400, 604800 - 240}, {"12-bit week wraps", 4095, 604800 - 300},
            {"at an hour", 1300, 7200}};
    (void)state;
    for (size_t r = 0; r < GN_COUNT(rows); r++) {
        struct sky s;
        struct got g = {0};
        sky_init(&s, 7, rows[r].wn, rows[r].tow_s, 20);
        run(&s, &g, true, 20);
        /* 19 sub-frames x 6 senders; data known from the second one on; 5 slow tags of 6 x (20 - 11) ... */
        GN_CHECK(rows[r].name, g.tags[GN_FORGED] == 0 && g.keys[0][GN_FORGED] == 0);
        GN_CHECK(rows[r].name, g.keys[1][GN_AUTHENTIC] == 1 && g.keys[0][GN_AUTHENTIC] >= 19);
        GN_CHECK(rows[r].name, g.tags[GN_AUTHENTIC] > 18 * 6 * 4 + 8 * 6);
        GN_CHECK(rows[r].name, g.data_authentic > 0 && g.data_forged == 0);
        g = (struct got){0};
        run(&s, &g, false, 20);
        GN_CHECK(rows[r].name, g.tags[GN_AUTHENTIC] == 0 && g.data_authentic == 0 && g.data_untrusted > 0);
        gn_osnma_gen_free(s.gen);
    }
}

static void test_deterministic_and_bounded(void **state)
{
    (void)state;
    struct sky a, b;
    uint8_t bits[GN_OSNMA_PAGES][5];
    sky_init(&a, 3, 1300, 600, 5);
    sky_init(&b, 3, 1300, 600, 5);
    for (unsigned p = 0; p < GN_OSNMA_PAGES; p++) {
        struct gn_osnma_page x = sky_page(&a, 4, 2, p), y = sky_page(&b, 4, 2, p);
        assert_memory_equal(x.bits, y.bits, sizeof x.bits);
    }
    assert_int_equal(gn_osnma_gen_bits(a.gen, 1300, 600 + 150, a.sats, SKY_SATS, 0, bits), GN_E_ARG);
    assert_int_equal(gn_osnma_gen_bits(a.gen, 1300, 615, a.sats, SKY_SATS, 0, bits), GN_E_ARG);
    assert_int_equal(gn_osnma_gen_bits(a.gen, 1300, 600, a.sats, SKY_SATS, SKY_SATS, bits), GN_E_ARG);
    assert_int_equal(gn_osnma_gen_bits(a.gen, 1200, 600, a.sats, SKY_SATS, 0, bits), GN_E_ARG);
    gn_osnma_gen_free(a.gen);
    gn_osnma_gen_free(b.gen);
}

static void test_keys_refused_without_leave(void **state)
{
    (void)state;
    struct sky s;
    char json[1024];
    struct gn_osnma_anchor a;
    struct gn_error err = {0};
    sky_init(&s, 3, 1300, 600, 5);
    size_t n = gn_osnma_gen_keys_json(s.gen, json, sizeof json);
    assert_int_equal(gn_osnma_keys_parse(json, n, NULL, false, &a, &err), GN_E_DATA);
    assert_non_null(strstr(err.text, "TEST"));
    assert_int_equal(gn_osnma_gen_keys_json(s.gen, json, 10), 0);
    gn_osnma_gen_free(s.gen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_rfc6979),
            cmocka_unit_test(test_authenticates),
            cmocka_unit_test(test_deterministic_and_bounded),
            cmocka_unit_test(test_keys_refused_without_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
