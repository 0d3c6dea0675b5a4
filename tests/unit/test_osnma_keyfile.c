/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Key files of the service centre (tests/vectors/osnma_keys, see the README there), whole and damaged. */
#include "lib/osnma/keyfile.h"
#include "tests/support/gn_test.h"

#include <stdlib.h>
#include <string.h>

#define TREE "OSNMA_MerkleTree_20240115100000_newPKID_1.xml"
#define CERT "OSNMA_PublicKey_20240115100000_newPKID_1.crt"
#define KEY7 "OSNMA_PublicKey_PKID_7.xml"
#define KEY2 "OSNMA_PublicKey_2.xml"

static uint8_t data[65536];

static size_t load(const char *name)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/tests/vectors/osnma_keys/%s", GN_SOURCE_DIR, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(data, 1, sizeof data, f);
    assert_int_equal(fclose(f), 0);
    return n;
}

static void test_published(void **state)
{
    static const struct {
        const char *name, *state;
        unsigned pkid, first;
        bool has_root, is_certified;
    } rows[] = {{TREE, "Applicable", 1, 0x0397eb43, true, false}, {CERT, "", 1, 0x0397eb43, false, true},
            {KEY7, "Renewed", 7, 0x02b48e87, false, false}, {KEY2, "", 2, 0x02219204, false, false}};
    (void)state;
    for (unsigned i = 0; i < GN_COUNT(rows); i++) {
        struct gn_osnma_keyfile f;
        struct gn_error err = {0};
        size_t n = load(rows[i].name);
        GN_CHECK(rows[i].name, gn_osnma_keyfile_parse(data, n, rows[i].name, &f, &err) == GN_OK);
        GN_CHECK(rows[i].name, f.has_key && f.key.pkid == rows[i].pkid && f.key.curve == GN_OSNMA_P256);
        GN_CHECK(rows[i].name, strcmp(f.state, rows[i].state) == 0 && f.has_root == rows[i].has_root);
        GN_CHECK(rows[i].name, f.is_certified == rows[i].is_certified && f.has_leaf == rows[i].has_root);
        uint32_t first = (uint32_t)f.key.point[0] << 24 | (uint32_t)f.key.point[1] << 16 |
                         (uint32_t)f.key.point[2] << 8 | f.key.point[3];
        GN_CHECK(rows[i].name, first == rows[i].first);
    }
}

/* a digit of any node or of the key changed: the way to the root is broken */
static void test_tampered_tree(void **state)
{
    struct gn_osnma_keyfile f = {.has_root = 77};
    struct gn_error err = {0};
    size_t n = load(TREE);
    unsigned n_tried = 0;
    (void)state;
    for (const char *tag = "<x_ji>"; tag != NULL; tag = tag[1] == 'x' ? "<point>" : NULL)
        for (uint8_t *at = memmem(data, n, tag, strlen(tag)); at != NULL;
                at = memmem(at, n - (size_t)(at - data), tag, strlen(tag))) {
            at += strlen(tag);
            for (unsigned k = 0; at[k] != '<'; k++) {
                uint8_t was = at[k];
                at[k] = was == '7' ? '8' : '7';
                GN_CHECK(tag, gn_osnma_keyfile_parse(data, n, TREE, &f, &err) != GN_OK);
                GN_CHECK(tag, f.has_root == 77 && err.text[0] != '\0');
                at[k] = was;
                n_tried++;
            }
        }
    assert_int_equal(n_tried, 5 * 64 + 66);
}

static void test_refused(void **state)
{
    static const struct {
        const char *text, *why;
    } rows[] = {
            {"", "empty"}, {"hello", "neither XML"}, {"<x", "not XML"}, {"<a></b>", "not XML"},
            {"<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "not XML"}, {"<a/>", "neither a public key"},
            {"<PublicKey><PKID>0</PKID></PublicKey>", "PKID"}, {"<PKID>16</PKID>", "PKID"}, {"<PKID>-1</PKID>", "PKID"},
            {"<point>02219204</point>", "no point"},
            {"<point>02219204b5ca6c46b623eeed6cdd2cddb1f7d6a7532767e5b8da0de1ebd695fc99</point>", "no 'PKID'"},
            {"<point>02ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff</point>", "no point"},
            {"<HashFunction>MD5</HashFunction>", "SHA-256"}, {"<TreeNode><j>5</j></TreeNode>", "'j'"},
            {"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "damaged PEM"},
            {"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "damaged PEM"},
            {"-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n", "private"}, {"0\x82\x01", "DER"},
    };
    (void)state;
    for (unsigned i = 0; i < GN_COUNT(rows); i++) {
        struct gn_osnma_keyfile f = {.has_root = 77};
        struct gn_error err = {0};
        gn_status st = gn_osnma_keyfile_parse((const uint8_t *)rows[i].text, strlen(rows[i].text), "x", &f, &err);
        GN_CHECK(rows[i].text, st != GN_OK && f.has_root == 77);
        GN_CHECK(rows[i].text, strstr(err.text, rows[i].why) != NULL);
    }
}

static gn_status merge(const char *name, bool as_new_tree, bool replaces, json_t *set, bool *changed)
{
    struct gn_osnma_keyfile f;
    struct gn_osnma_merge how = {.as_new_tree = as_new_tree, .replaces = replaces};
    size_t n = load(name);
    assert_int_equal(gn_osnma_keyfile_parse(data, n, name, &f, NULL), GN_OK);
    return gn_osnma_keyfile_merge(&f, &how, set, changed, NULL);
}

/* what is written loads again; other values are never overwritten in silence */
static void test_merge(void **state)
{
    json_t *set = json_object();
    struct gn_osnma_anchor a;
    bool changed = false;
    (void)state;
    assert_int_equal(merge(TREE, false, false, set, &changed), GN_OK);
    assert_true(changed);
    assert_int_equal(merge(CERT, false, false, set, &changed), GN_OK);
    assert_false(changed);
    assert_int_equal(merge(KEY7, true, false, set, &changed), GN_OK);
    char *text = json_dumps(set, 0);
    assert_int_equal(gn_osnma_keys_parse(text, strlen(text), NULL, false, &a, NULL), GN_OK);
    free(text);
    assert_true(a.has_root && a.pubkeys[0].pkid == 1 && !a.pubkeys[0].is_new_root && a.pubkeys[1].is_new_root);
    json_object_set_new(set, "merkle_root", json_string("00"));
    assert_int_equal(merge(TREE, false, false, set, &changed), GN_E_DATA);
    assert_int_equal(merge(TREE, true, false, set, &changed), GN_OK); /* as the next tree's */
    assert_int_equal(merge(TREE, false, true, set, &changed), GN_OK);
    json_t *key = json_array_get(json_object_get(set, "pubkeys"), 0);
    json_object_set_new(key, "point", json_string("03"));
    assert_int_equal(merge(CERT, false, false, set, &changed), GN_E_DATA);
    assert_int_equal(merge(CERT, false, true, set, &changed), GN_OK);
    json_decref(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_published), cmocka_unit_test(test_tampered_tree),
            cmocka_unit_test(test_refused), cmocka_unit_test(test_merge)};
    return cmocka_run_group_tests_name("osnma_keyfile", tests, NULL, NULL);
}
