/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Girault-Poupard-Stern: published vectors; answers against GMP; what a broken implementation would let pass. */
#include "tests/support/gn_test.h"

#include "lib/gpsauth/lhw.h"
#include "lib/gpsauth/vectors.h"
#include "lib/gpsauth/coupon.h"

#include <gmp.h>
#include <jansson.h>
#include <string.h>

/* ---- vectors ------------------------------------------------------------------------------------------------------------- */
static char *read_text(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return NULL;
    char *text = malloc(4u << 20);
    *n = fread(text, 1, 4u << 20, f);
    (void)fclose(f);
    return text;
}

static void tell(void *user, const char *list, size_t item, const char *what)
{
    uint32_t *n = user;
    if (n == NULL)
        print_message("%s[%zu]: %s\n", list, item, what);
    else
        ++*n;
}

static void check_file(const char *path)
{
    struct gn_ga_score scores[GN_GA_VECTOR_LISTS];
    size_t n = 0;
    char *text = read_text(path, &n);

    assert_non_null(text);
    assert_int_equal(gn_ga_vectors_check(text, n, tell, NULL, scores, NULL), GN_OK);
    for (uint32_t i = 0; i < GN_GA_VECTOR_LISTS; i++) {
        GN_CHECK(scores[i].list, scores[i].n_total > 0);
        GN_CHECK(scores[i].list, scores[i].n_passed == scores[i].n_total);
    }
    free(text);
}

static void test_vectors(void **state)
{
    (void)state;
    check_file(GN_SOURCE_DIR "/tests/vectors/gpsauth/vectors.json");
}

static void test_all_vectors(void **state)
{
    char path[4200];
    (void)state;
    if (gn_test_data() == NULL) {
        print_message("not run: no data\n");
        return;
    }
    (void)snprintf(path, sizeof path, "%s/gpsauth/vectors.json", gn_test_data());
    check_file(path);
}

/* One digit of one member changed: the list must notice. */
static void test_tampered(void **state)
{
    static const struct {
        const char *list, *member;
    } rows[] = {
            {"keys", "I"}, {"keys", "s"}, {"sessions", "y"}, {"sessions", "x"}, {"sessions", "c"}, {"sessions", "W"},
            {"sessions", "r"}, {"sessions", "y_max"}, {"reuse", "y1"}, {"reuse", "recovered_s"}, {"mac", "y"}, {"mac", "r"},
            {"lhw", "y"}, {"lhw", "c"}, {"lhw", "x"}, {"ec", "y"}, {"ec", "V"}, {"ec", "W"}, {"ec", "x"},
    };
    size_t n = 0;
    char *text = read_text(GN_SOURCE_DIR "/tests/vectors/gpsauth/vectors.json", &n);
    (void)state;

    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        struct gn_ga_score scores[GN_GA_VECTOR_LISTS];
        uint32_t n_told = 0;
        json_t *root = json_loadb(text, n, 0, NULL);
        json_t *item = json_array_get(json_object_get(root, rows[i].list), 0);
        char value[4200];
        (void)snprintf(value, sizeof value, "%s", json_string_value(json_object_get(item, rows[i].member)));
        char *last = value + strlen(value) - 1;
        *last = *last == '5' ? '6' : '5';
        json_object_set_new(item, rows[i].member, json_string(value));
        char *changed = json_dumps(root, 0);
        assert_int_equal(gn_ga_vectors_check(changed, strlen(changed), tell, &n_told, scores, NULL), GN_OK);
        GN_CHECK(rows[i].member, n_told > 0);
        free(changed);
        json_decref(root);
    }
    free(text);
}

/* ---- answers against GMP ----------------------------------------------------------------------------------------------------- */
static void to_mpz(mpz_t z, const struct gn_ga_wide *a)
{
    mpz_import(z, GN_GA_LIMBS, -1, 8, 0, 0, a->limb);
}

static void random_wide(gmp_randstate_t rand, uint32_t bits, struct gn_ga_wide *ret)
{
    mpz_t z;
    mpz_init(z);
    mpz_rrandomb(z, rand, bits); /* long runs of ones and zeros: carries */
    memset(ret, 0, sizeof *ret);
    mpz_export(ret->limb, NULL, -1, 8, 0, 0, z);
    mpz_clear(z);
}

static void check_against_gmp(gmp_randstate_t rand, const struct gn_ga_shape *shape, const char *name)
{
    struct gn_ga_wide s, c, r, y, y_max;
    struct gn_ga_mac mac;
    enum gn_ga_arch arch;
    uint32_t width;
    mpz_t zs, zc, zr, zy;

    random_wide(rand, shape->s_bits, &s);
    random_wide(rand, shape->c_bits, &c);
    random_wide(rand, shape->r_bits, &r);
    assert_true(gn_ga_arch_parse(name, &arch, &width));
    assert_int_equal(gn_ga_mac_open(&mac, arch, width, shape, &s), GN_OK);
    const uint32_t cycles = gn_ga_mac_answer(&mac, c.limb[0], &r, &y);
    GN_CHECK(name, cycles == gn_ga_core_cycles(arch, width, shape));
    gn_ga_mac_close(&mac);
    mpz_inits(zs, zc, zr, zy, NULL);
    to_mpz(zs, &s);
    to_mpz(zc, &c);
    to_mpz(zr, &r);
    to_mpz(zy, &y);
    mpz_addmul(zr, zs, zc);
    GN_CHECK(name, mpz_cmp(zr, zy) == 0);
    gn_ga_y_max(shape, &y_max);
    GN_CHECK(name, gn_ga_wide_compare(&y, &y_max) <= 0);
    mpz_clears(zs, zc, zr, zy, NULL);
}

static void test_answers(void **state)
{
    static const char *const names[] = {"serial8", "serial16", "serial32", "parallel3", "parallel5", "parallel8", "hybrid3",
            "hybrid4", "hybrid6", "hybrid7", "native"};
    gmp_randstate_t rand;
    (void)state;

    gmp_randinit_mt(rand);
    gmp_randseed_ui(rand, 20130925);
    for (uint32_t i = 0; i < 600; i++) {
        const uint32_t s = 1 + (uint32_t)gmp_urandomm_ui(rand, 1024), c = 1 + (uint32_t)gmp_urandomm_ui(rand, 64);
        const struct gn_ga_shape shape = {s, c, s + c + 80};
        check_against_gmp(rand, &shape, names[i % GN_COUNT(names)]);
    }
    gmp_randclear(rand);
}

/* ---- names, sizes, low weights --------------------------------------------------------------------------------------------------- */
static void test_names(void **state)
{
    static const char *const bad[] = {"", "serial", "serial12", "serial64", "parallel2", "parallel9", "hybrid", "hybrid4x",
            "native1", "hybrid04", "Serial8", "parallel99999999999"};
    enum gn_ga_arch arch;
    uint32_t width;
    (void)state;
    for (size_t i = 0; i < GN_COUNT(bad); i++)
        GN_CHECK(bad[i], !gn_ga_arch_parse(bad[i], &arch, &width));
}

static void test_lhw_all(void **state)
{
    const struct gn_ga_lhw p = {.s_bits = 5, .weight = 3, .length = 24};
    uint32_t before[GN_GA_WEIGHT_MAX] = {0}, at[GN_GA_WEIGHT_MAX];
    uint64_t back = 0, i = 0;
    (void)state;

    assert_int_equal(gn_ga_lhw_space(&p), 560); /* 16 over 3 */
    for (; gn_ga_lhw_positions(&p, i, at) == GN_OK; i++) {
        assert_int_equal(gn_ga_lhw_index(&p, at, 3, &back), GN_OK);
        assert_int_equal(back, i);
        assert_true(i == 0 || memcmp(before, at, sizeof at[0] * 3) != 0);
        memcpy(before, at, sizeof at[0] * 3);
    }
    assert_int_equal(i, 560);
    at[0] = 1, at[1] = 5, at[2] = 20;
    assert_int_equal(gn_ga_lhw_index(&p, at, 3, &back), GN_E_DATA);
    at[1] = 6, at[2] = 24;
    assert_int_equal(gn_ga_lhw_index(&p, at, 3, &back), GN_E_DATA);
    at[2] = 23;
    assert_int_equal(gn_ga_lhw_index(&p, at, 3, &back), GN_OK);
    /* sizes that would overflow */
    const struct gn_ga_lhw wild[] = {{0, 3, 24}, {5, 0, 24}, {5, 17, 24}, {1024, 16, 4096}, {5, 3, 5000}, {1, 16, 4096}};
    for (size_t k = 0; k < GN_COUNT(wild); k++)
        assert_int_equal(gn_ga_lhw_space(&wild[k]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_vectors), cmocka_unit_test(test_all_vectors), cmocka_unit_test(test_tampered),
            cmocka_unit_test(test_answers), cmocka_unit_test(test_names), cmocka_unit_test(test_lhw_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
