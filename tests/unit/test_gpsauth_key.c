/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Key files: made, read back, and each kind of damage refused with words. */
#include "tests/support/gn_test.h"
#include "lib/gpsauth/key.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct gn_ga_key made;

static int make(void **state)
{
    (void)state;
    return gn_ga_key_generate(GN_GA_P256, 0, 256, 32, 64, false, &made, NULL) == GN_OK ? 0 : -1;
}

static void test_modulus(void **state)
{
    static struct gn_ga_key key;
    struct gn_ga_group *g = NULL;
    struct gn_error err = {0};
    (void)state;
    for (int i = 0; i < 6; i++) { /* whatever the primes are */
        assert_int_equal(gn_ga_key_generate(GN_GA_MODULUS, 2048, 160, 32, 64, false, &key, &err), GN_OK);
        assert_int_equal(strlen(key.n), 512);
    }
    GN_CHECK(err.text, gn_ga_key_open(&key, 0, &g, &err) == GN_OK);
    gn_ga_group_close(g);
    key.s.limb[0] ^= 2;
    assert_int_equal(gn_ga_key_open(&key, 0, &g, &err), GN_E_DATA);
    assert_null(g);
}

static void test_files(void **state)
{
    static struct gn_ga_key key;
    char path[64];
    struct stat info;
    uint8_t id[8], id_public[8];
    (void)state;
    for (int with_secret = 0; with_secret < 2; with_secret++) {
        (void)snprintf(path, sizeof path, "/tmp/gn_key_%ld", (long)getpid());
        (void)unlink(path);
        assert_int_equal(gn_ga_key_save(path, &made, with_secret == 1, NULL), GN_OK);
        assert_int_equal(gn_ga_key_save(path, &made, with_secret == 1, NULL), GN_E_OUTPUT); /* never over another */
        assert_int_equal(gn_ga_key_load(path, &key, NULL), GN_OK);
        assert_int_equal(key.has_secret, with_secret);
        assert_int_equal(gn_ga_key_id(&key, id), GN_OK);
        assert_int_equal(gn_ga_key_id(&made, id_public), GN_OK);
        assert_memory_equal(id, id_public, 8);
        assert_int_equal(stat(path, &info), 0);
        assert_int_equal(info.st_mode & 077, with_secret == 1 ? 0 : 044 & info.st_mode);
    }
    assert_memory_equal(&key.s, &made.s, sizeof key.s);
    assert_memory_equal(key.seed, made.seed, sizeof key.seed);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(gn_ga_key_load(path, &key, NULL), GN_E_DATA);
    (void)unlink(path);
}

static void test_damage(void **state)
{
    static const struct {
        const char *name, *from, *to;
    } rows[] = {
            {"first line", "gpsauth-key 1", "gpsauth-key 2"},
            {"kind", "kind p256", "kind p257"},
            {"twice", "c_bits 32", "s_bits 32"},
            {"unknown", "c_bits", "d_bits"},
            {"short r", "r_bits 368", "r_bits 367"},
            {"short x", "x_bits 64", "x_bits 40"},
            {"odd x", "x_bits 64", "x_bits 65"},
            {"long c", "c_bits 32", "c_bits 65"},
            {"not a number", "c_bits 32", "c_bits -2"},
            {"seed", "seed ", "seed 0"},
            {"secret longer than it says", "s_bits 256", "s_bits 255"},
    };
    static char text[GN_GA_KEY_TEXT_MAX], bad[GN_GA_KEY_TEXT_MAX + 64];
    static struct gn_ga_key key;
    (void)state;
    const size_t n = gn_ga_key_print(&made, true, text);
    assert_int_equal(gn_ga_key_parse(text, n, &key, NULL), GN_OK);
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        const char *at = strstr(text, rows[i].from);
        struct gn_error err = {0};
        assert_non_null(at);
        const int k = snprintf(bad, sizeof bad, "%.*s%s%s", (int)(at - text), text, rows[i].to, at + strlen(rows[i].from));
        GN_CHECK(rows[i].name, gn_ga_key_parse(bad, (size_t)k, &key, &err) == GN_E_DATA && err.text[0] != '\0');
    }
    for (size_t cut = 0; cut + 2 < n; cut++) { /* cut before the secret it is the public record */
        const gn_status st = gn_ga_key_parse(text, cut, &key, NULL);
        assert_true(st == GN_E_DATA || (st == GN_OK && !key.has_secret));
    }
}

static void test_wishes(void **state)
{
    static struct gn_ga_key key;
    (void)state;
    assert_int_equal(gn_ga_key_generate(GN_GA_P256, 0, 128, 32, 64, false, &key, NULL), GN_E_ARG);
    assert_int_equal(gn_ga_key_generate(GN_GA_P256, 0, 128, 32, 64, true, &key, NULL), GN_OK);
    assert_int_equal(gn_ga_key_generate(GN_GA_P256, 0, 512, 32, 64, false, &key, NULL), GN_E_ARG);
    assert_int_equal(gn_ga_key_generate(GN_GA_MODULUS, 1024, 256, 32, 64, false, &key, NULL), GN_E_ARG);
    assert_int_equal(gn_ga_key_generate(GN_GA_P256, 0, 256, 8, 64, false, &key, NULL), GN_E_ARG);
    assert_int_equal(gn_ga_key_generate(GN_GA_P256, 0, 256, 32, 40, false, &key, NULL), GN_E_ARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_modulus),
            cmocka_unit_test(test_files),
            cmocka_unit_test(test_damage),
            cmocka_unit_test(test_wishes),
    };
    return cmocka_run_group_tests(tests, make, NULL);
}
