/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Evidence: the check, which shares nothing with the engine, comes to the engine's verdicts; a bundle survives JSON;
 * whatever is changed in it, nothing else than what was signed is ever authentic. */
#include "lib/osnma/evidence.h"
#include "tests/support/gn_test.h"
#include "tests/support/pages.h"

#include <stdlib.h>
#include <string.h>

#define PAGES_MAX 40000

static struct gn_osnma_page *pages;
static size_t n_pages;
static struct gn_osnma_anchor anchor;

static bool load(const char *name, const char *file)
{
    char path[4200];
    struct gn_test_page row;
    const char *data = gn_test_data();
    if (data == NULL) {
        print_message("not run: no shared data\n");
        return false;
    }
    (void)snprintf(path, sizeof path, "%s/osnma/keys.json#%s", data, name);
    assert_int_equal(gn_osnma_keys_load(path, true, &anchor, NULL), GN_OK);
    gzFile f = gn_test_pages_open(data, file);
    assert_non_null(f);
    n_pages = 0;
    while (n_pages < PAGES_MAX && gn_test_page_next(f, &row)) {
        struct gn_osnma_page *p = &pages[n_pages++];
        *p = (struct gn_osnma_page){.wn = row.wn, .tow_s = (uint32_t)row.tow, .prn = (uint8_t)row.prn,
                .is_e5b = row.sig == 5};
        memcpy(p->bits, row.bits, sizeof p->bits);
    }
    (void)gzclose(f);
    return true;
}

static struct gn_evidence *build(int64_t sf, unsigned prn, unsigned ctr)
{
    struct gn_evidence *e = NULL;
    struct gn_evidence_wish wish = {.sf = sf, .prn = (uint8_t)prn, .ctr = (uint8_t)ctr, .sent_only = 1};
    assert_int_equal(gn_evidence_build(pages, n_pages, &anchor, &wish, &e, NULL), GN_OK);
    return e;
}

struct engine_tags { /* authentic by the engine, [satellite] bit ctr */
    int64_t sf;
    unsigned authentic[37], seen[37];
};

static void on_tag(void *arg, const struct gn_msg_osnma_tag *m)
{
    struct engine_tags *t = arg;
    if (gn_osnma_sf(m->wn, m->tow) != t->sf)
        return;
    t->seen[m->prn_a] |= 1u << m->ctr;
    if (m->verdict == GN_AUTHENTIC)
        t->authentic[m->prn_a] |= 1u << m->ctr;
}

static void run_engine(struct engine_tags *t)
{
    struct gn_osnma *o = NULL;
    struct gn_osnma_config config = {.anchor = anchor, .has_trusted_time = 1};
    struct gn_osnma_sink sink = {.arg = t, .tag = on_tag};
    assert_int_equal(gn_osnma_new(&config, &o), GN_OK);
    for (size_t i = 0; i < n_pages; i++)
        gn_osnma_feed(o, &pages[i], &sink);
    gn_osnma_finish(o, &sink);
    gn_osnma_free(o);
}

static bool is(const json_t *tag, const char *verdict)
{
    return strcmp(json_string_value(json_object_get(tag, "verdict")), verdict) == 0;
}

/* every tag of a sub-frame: same verdict both ways */
static void agree(const char *name, int64_t wn, int64_t tow_s, unsigned n_min)
{
    struct engine_tags t = {.sf = gn_osnma_sf(wn, tow_s)};
    unsigned n = 0;
    run_engine(&t);
    for (unsigned prn = 1; prn <= 36; prn++) {
        if (t.seen[prn] == 0)
            continue;
        gn_verdict all;
        struct gn_evidence *e = build(t.sf, prn, 0);
        json_t *report = gn_evidence_check(e, &anchor, &all), *tag = NULL;
        size_t i = 0;
        json_array_foreach (json_object_get(report, "tags"), i, tag) {
            unsigned ctr = (unsigned)json_integer_value(json_object_get(tag, "ctr"));
            bool is_authentic = (t.authentic[prn] >> ctr & 1u) != 0;
            GN_CHECK(name, is(tag, "authentic") == is_authentic);
            GN_CHECK(name, !is(tag, "forged"));
            n += is_authentic;
        }
        json_decref(report);
        free(e);
    }
    print_message("%s: %u authentic tags, the same both ways\n", name, n);
    assert_true(n >= n_min);
}

static void test_agree(void **state)
{
    (void)state;
    if (!load("live_current_config", "quick_6min_e1.csv"))
        skip();
    agree("live", 1372, 480150, 8);
    agree("live", 1372, 480300, 8);
    assert_true(load("icd_pkrev_step1", "icd_pkrev_step1.csv.gz"));
    agree("public key off the air", 1258, 547080, 50);
    assert_true(load("syn_lt35_ks128_cmac", "syn_lt35_ks128_cmac.csv.gz"));
    agree("CMAC", pages[n_pages / 2].wn, pages[n_pages / 2].tow_s / 30 * 30, 10);
}

static gn_verdict check(const struct gn_evidence *e, const struct gn_osnma_anchor *mine, char data[9])
{
    gn_verdict v = GN_AUTHENTIC;
    json_t *report = gn_evidence_check(e, mine, &v), *node = NULL;
    size_t i = 0;
    assert_non_null(report);
    data[0] = '\0';
    json_array_foreach (json_object_get(json_array_get(json_object_get(report, "tags"), 0), "nodes"), i, node) {
        const char *text = json_string_value(json_object_get(node, "data"));
        if (text != NULL)
            (void)snprintf(data, 9, "%.8s", text);
    }
    json_decref(report);
    return v;
}

static void test_changed(void **state)
{
    char want[9], got[9];
    unsigned n_authentic = 0, n = 0;
    (void)state;
    if (!load("live_current_config", "quick_6min_e1.csv"))
        skip();
    struct gn_evidence *e = build(gn_osnma_sf(1372, 480150), 15, 3), *back = NULL;
    assert_int_equal(e->n_tags, 1);
    assert_int_equal(check(e, &anchor, want), GN_AUTHENTIC);
    assert_int_equal(check(e, NULL, got), GN_UNDECIDED); /* nobody vouches */
    struct gn_osnma_anchor other = {.has_root = 1, .root = {1}};
    assert_int_equal(check(e, &other, got), GN_UNDECIDED);
    other = anchor;
    other.pubkeys[0].point[0] ^= 1; /* the other point with that x */
    assert_int_equal(check(e, &other, got), GN_FORGED);

    json_t *bundle = gn_evidence_json(e);
    char *text = json_dumps(bundle, 0);
    assert_int_equal(gn_evidence_parse(text, strlen(text), &back, NULL), GN_OK);
    json_t *again = gn_evidence_json(back);
    assert_true(json_equal(again, bundle));
    json_decref(again);
    free(back);
    free(text);
    json_decref(bundle);

    for (uint32_t p = 0; p < e->n_pages; p++)
        for (unsigned bit = p % 7; bit < 240; bit += 7, n++) {
            e->pages[p].bits[bit / 8] ^= (uint8_t)(0x80u >> bit % 8);
            bool is_authentic = check(e, &anchor, got) == GN_AUTHENTIC;
            GN_CHECK("other data", !is_authentic || strcmp(got, want) == 0);
            n_authentic += is_authentic;
            e->pages[p].bits[bit / 8] ^= (uint8_t)(0x80u >> bit % 8);
        }
    print_message("%u of %u flips in pages do not matter to the tag\n", n_authentic, n);
    for (unsigned bit = 0; bit < 549; bit++) {
        e->tags[0].content[bit / 8] ^= (uint8_t)(0x80u >> bit % 8);
        GN_CHECK("content", check(e, &anchor, got) == GN_FORGED);
        e->tags[0].content[bit / 8] ^= (uint8_t)(0x80u >> bit % 8);
    }
    for (int64_t d = -2; d <= 2; d++) { /* the same bytes at another time, by another satellite, as another tag */
        struct gn_evidence_tag was = e->tags[0];
        e->tags[0].key_sf += d;
        GN_CHECK("key of an earlier time", d >= 0 || check(e, &anchor, got) != GN_AUTHENTIC);
        e->tags[0] = was;
        e->tags[0].ctr = (uint8_t)(was.ctr + d);
        GN_CHECK("another place", d == 0 || check(e, &anchor, got) != GN_AUTHENTIC || strcmp(got, want) == 0);
        e->tags[0] = was;
    }
    for (uint32_t p = 0; p < e->n_pages; p++)
        e->pages[p].tow_s = (e->pages[p].tow_s + 30) % 604800;
    e->tags[0].sf++;
    e->tags[0].key_sf++;
    e->kroot.from_sf++;
    e->kroot.to_sf++;
    GN_CHECK("all 30 s later", check(e, &anchor, got) != GN_AUTHENTIC);
    free(e);
}

static void test_refused(void **state)
{
    static const struct {
        const char *text, *why;
    } rows[] = {
            {"", "evidence:"}, {"[]", "no evidence bundle"}, {"{}", "no evidence bundle"},
            {"{\"gnomon_osnma_evidence\": 2}", "version 1"}, {"{\"gnomon_osnma_evidence\": 1}", "'tags'"},
            {"{\"gnomon_osnma_evidence\": 1, \"tags\": [{}], \"pages\": []}", "prn_a"},
            {"{\"gnomon_osnma_evidence\": 1, \"tags\": []}", "'pages'"},
            {"{\"gnomon_osnma_evidence\": 1, \"tags\": [], \"pages\": [\"1,2\"]}", "page 1"},
            {"{\"gnomon_osnma_evidence\": 1, \"tags\": [], \"pages\": [7]}", "page 1"},
            {"{\"gnomon_osnma_evidence\": 1, \"tags\": [{\"wn\":1,\"tow\":31,\"prn_a\":1,\"ctr\":1}], \"pages\": []}", "tags"},
            {"{\"gnomon_osnma_evidence\": 1, \"tags\": [{\"wn\":1,\"tow\":30,\"prn_a\":1,\"ctr\":1,\"content\":\"00\"}],"
             "\"pages\": []}", "content"},
            {"{\"gnomon_osnma_evidence\": 1, \"tags\": [], \"kroot\": {\"dsm_id\": 12}, \"pages\": []}", "kroot"},
            {"{\"gnomon_osnma_evidence\": 1, \"tags\": [], \"claimed\": {}, \"pages\": []}", "keys:"},
    };
    (void)state;
    for (unsigned i = 0; i < GN_COUNT(rows); i++) {
        struct gn_evidence *e = NULL;
        struct gn_error err = {0};
        GN_CHECK(rows[i].text, gn_evidence_parse(rows[i].text, strlen(rows[i].text), &e, &err) != GN_OK && e == NULL);
        GN_CHECK(rows[i].text, strstr(err.text, rows[i].why) != NULL);
    }
}

int main(void)
{
    pages = calloc(PAGES_MAX, sizeof *pages);
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_agree), cmocka_unit_test(test_changed), cmocka_unit_test(test_refused)};
    int n = pages != NULL ? cmocka_run_group_tests_name("osnma_evidence", tests, NULL, NULL) : 1;
    free(pages);
    return n;
}
