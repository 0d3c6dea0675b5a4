/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Row by row against two other implementations on official vectors, live recordings and signed streams
 * (data/osnma, see its README.md): what they verified we verify, nothing of it is called forged. */
#include "lib/bits/hex.h"
#include "lib/pagein/feed.h"
#include "tests/unit/osnma_help.h"

#include <jansson.h>
#include <zlib.h>

#define SF_MAX 200

struct seen { /* what the engine said about a tag */
    uint8_t has, verdict, adkd, row;
    char data[9];
};

struct at { /* an event */
    int64_t t_s;
    uint8_t kind, verdict, cid, pkid;
};

struct run {
    int64_t sf0, t_s, t_first_s, t_four_s; /* t_four_s: four satellites authentic */
    uint64_t prns;
    unsigned n_forged, n_at;
    struct seen tags[SF_MAX][GN_OSNMA_PRNS + 1][GN_OSNMA_TAGS_MAX + 1];
    struct at at[1000];
};

static void on_tag(void *arg, const struct gn_msg_osnma_tag *t)
{
    struct run *r = arg;
    int64_t k = gn_osnma_sf(t->wn, t->tow) - r->sf0;
    assert_true(k >= 0 && k < SF_MAX && t->prn_a <= GN_OSNMA_PRNS && t->ctr <= GN_OSNMA_TAGS_MAX);
    struct seen *s = &r->tags[k][t->prn_a][t->ctr];
    assert_int_equal(s->has, 0); /* one event a tag */
    *s = (struct seen){.has = 1, .verdict = t->verdict, .adkd = t->adkd};
    memcpy(s->data, t->data, sizeof s->data);
    r->n_forged += t->verdict == GN_FORGED;
}

static void on_data(void *arg, const struct gn_msg_osnma_data *d)
{
    struct run *r = arg;
    if (d->authentic && d->adkd == 0)
        r->prns |= 1ULL << d->prn;
    if (r->t_four_s == 0 && __builtin_popcountll(r->prns) >= 4)
        r->t_four_s = r->t_s + 2; /* the page has ended */
}

static void on_key(void *arg, enum gn_osnma_key_event kind, const struct gn_msg_osnma_key *k)
{
    struct run *r = arg;
    assert_true(r->n_at < GN_COUNT(r->at));
    r->at[r->n_at++] = (struct at){.t_s = (int64_t)k->wn * 604800 + k->tow, .kind = (uint8_t)kind,
            .verdict = k->verdict, .cid = k->cid, .pkid = k->pkid};
}

static bool has_event(const struct run *r, enum gn_osnma_key_event kind, int64_t t_s, int cid, int pkid)
{
    for (unsigned i = 0; i < r->n_at; i++)
        /* pieces of a sub-frame that began with lost pages may make a message whole a sub-frame earlier */
        if (r->at[i].kind == kind && (r->at[i].t_s == t_s || (kind == GN_OSNMA_EV_PKR && r->at[i].t_s == t_s - 30)) && r->at[i].verdict == GN_AUTHENTIC &&
                (cid < 0 || r->at[i].cid == cid) && (pkid < 0 || r->at[i].pkid == pkid))
            return true;
    return false;
}

static void path_of(char *path, size_t room, const char *name, const char *end)
{
    (void)snprintf(path, room, "%s/osnma/%s%s", gn_test_data(), name, end);
}

/* feed a whole file; adjust may change the configuration */
static struct run *run_file(const char *file, const char *name, void (*adjust)(struct gn_osnma_config *c), bool e1_only)
{
    char path[4400], keys[4600];
    struct gn_osnma_config config = {.has_trusted_time = 1};
    struct gn_pagefeed *f = NULL;
    enum gn_pagefeed_got got = GN_PAGEFEED_WAIT;
    struct gn_osnma *o = NULL;
    struct gn_osnma_page page;
    struct run *r = calloc(1, sizeof *r);
    struct gn_osnma_sink sink = {.arg = r, .tag = on_tag, .data = on_data, .key = on_key};
    assert_non_null(r);
    path_of(path, sizeof path, "keys.json", "#");
    (void)snprintf(keys, sizeof keys, "%s%s", path, name);
    assert_int_equal(gn_osnma_keys_load(keys, false, &config.anchor, NULL), GN_OK);
    if (adjust != NULL)
        adjust(&config);
    assert_int_equal(gn_osnma_new(&config, &o), GN_OK);
    path_of(path, sizeof path, file, ".csv.gz");
    assert_int_equal(gn_pagefeed_open(path, GN_PAGEIN_AUTO, false, &f, NULL), GN_OK);
    for (;;) {
        assert_int_equal(gn_pagefeed_next(f, 1000, &page, &got, NULL), GN_OK);
        if (got == GN_PAGEFEED_END)
            break;
        if (e1_only && page.is_e5b)
            continue;
        r->t_s = (int64_t)page.wn * 604800 + page.tow_s;
        if (r->t_first_s == 0)
            r->t_first_s = r->t_s;
        if (r->sf0 == 0)
            r->sf0 = r->t_s / 30 - 2;
        gn_osnma_feed(o, &page, &sink);
    }
    gn_osnma_finish(o, &sink);
    gn_osnma_free(o);
    gn_pagefeed_close(f);
    return r;
}

struct row {
    int wn, tow, prn_a, ctr, prn_d, adkd, cop, flx, nmas;
    char a[16], b[16]; /* the last two columns */
};

static bool next_row(gzFile f, struct row *r)
{
    char line[256], tag[32];
    if (gzgets(f, line, sizeof line) == NULL)
        return false;
    if (line[0] == 'w')
        return next_row(f, r);
    r->b[0] = '\0';
    int n = sscanf(line, "%d,%d,%d,%d,%d,%d,%d,%d,%d,%31[^,],%15[^,\n],%15[^,\n]", &r->wn, &r->tow, &r->prn_a,
            &r->ctr, &r->prn_d, &r->adkd, &r->cop, &r->flx, &r->nmas, tag, r->a, r->b);
    assert_true(n >= 11);
    return true;
}

static struct seen *seen_of(struct run *r, const struct row *w)
{
    int64_t k = gn_osnma_sf(w->wn, w->tow) - r->sf0;
    assert_true(k >= 0 && k < SF_MAX);
    return &r->tags[k][w->prn_a][w->ctr];
}

static const struct {
    const char *name;
    bool is_live, is_signed_stream; /* the latter: last columns are data hash and result */
    int64_t du_sf;                  /* "don't use" from here: slow tags before it may stay undecided */
} files[] = {
        {"icd_configuration_2", false, false, 0},
        {"icd_crev_step1", false, false, (1258LL * 604800 + 512100) / 30},
        {"icd_eoc_step1", false, false, 0},
        {"icd_pkrev_step1", false, false, (1258LL * 604800 + 548100) / 30},
        {"icd_oam_step1", false, false, (1258LL * 604800 + 587700) / 30},
        {"live_current_config", true, false, 0},
        {"live_change_wt5", true, false, 0},
        {"syn_lt28_ks96_ts20", false, true, 0},
        {"syn_lt35_ks128_cmac", false, true, 0},
};

static void check_row(size_t i, struct run *r, const struct row *w)
{
    char where[100];
    struct seen *s = seen_of(r, w);
    const char *oracle = w->b, *other = files[i].is_signed_stream ? "-" : w->a;
    int64_t sf = gn_osnma_sf(w->wn, w->tow);
    (void)snprintf(where, sizeof where, "%s %d:%d E%02d tag %d", files[i].name, w->wn, w->tow, w->prn_a, w->ctr);
    s->row = 1;
    if (w->nmas == GN_NMAS_DONT_USE) {
        GN_CHECK(where, s->verdict == GN_UNDECIDED);
        return;
    }
    if (w->adkd == 12 && files[i].du_sf != 0 && sf + 11 >= files[i].du_sf)
        return;
    GN_CHECK(where, (oracle[0] != '1' && other[0] != '1') || s->verdict == GN_AUTHENTIC);
    GN_CHECK(where, s->verdict != GN_AUTHENTIC || s->adkd == w->adkd);
    GN_CHECK(where, !files[i].is_signed_stream || w->cop == 0 || strcmp(s->data, w->a) == 0);
}

/* root keys, public keys and alerts at the sub-frames the independent checker lists */
static void check_events(size_t i, const struct run *r)
{
    static const struct {
        const char *list;
        enum gn_osnma_key_event kind;
    } lists[] = {{"kroots", GN_OSNMA_EV_KROOT}, {"pkrs", GN_OSNMA_EV_PKR}};
    char path[4400];
    bool is_alert = false;
    path_of(path, sizeof path, files[i].name, ".oracle.json");
    json_t *top = json_load_file(path, 0, NULL);
    assert_non_null(top);
    for (size_t k = GN_COUNT(lists); k-- > 0;) {
        const json_t *list = json_object_get(top, lists[k].list);
        for (size_t n = 0; n < json_array_size(list); n++) {
            const json_t *e = json_array_get(list, n), *at = json_object_get(e, "at");
            int64_t t_s = json_integer_value(json_array_get(at, 0)) * 604800 + json_integer_value(json_array_get(at, 1));
            bool is_oam = json_integer_value(json_object_get(e, "npkt")) == 4;
            int cid = k == 0 ? (int)json_integer_value(json_object_get(e, "cid")) : -1;
            int pkid = (int)json_integer_value(json_object_get(e, k == 0 ? "pkid" : "npkid"));
            is_alert = is_alert || is_oam;
            GN_CHECK(files[i].name, (is_alert && k == 0 && t_s > 1258LL * 604800 + 587730) ||
                            has_event(r, is_oam ? GN_OSNMA_EV_OAM : lists[k].kind, t_s, cid, pkid));
        }
    }
    json_decref(top);
}

/* every TESLA key another implementation authenticated */
static void check_keys(size_t i, const struct run *r)
{
    char path[4400], line[256];
    int cid, wn, tow;
    path_of(path, sizeof path, files[i].name, ".teslakeys.csv.gz");
    gzFile f = gzopen(path, "rb");
    while (f != NULL && gzgets(f, line, sizeof line) != NULL)
        if (sscanf(line, "%d,%d,%d,", &cid, &wn, &tow) == 3)
            GN_CHECK(line, has_event(r, GN_OSNMA_EV_KEY, (int64_t)wn * 604800 + tow, cid, -1));
    if (f != NULL)
        (void)gzclose(f);
}

static void check_first_fix(size_t i, const struct run *r)
{
    char path[4400];
    path_of(path, sizeof path, files[i].name, i == 0 ? "_hot.osnmalib.json" : ".osnmalib.json");
    json_t *top = json_load_file(path, 0, NULL);
    assert_non_null(top);
    json_int_t ttfaf = json_integer_value(json_object_get(top, "ttfaf_s"));
    GN_CHECK(files[i].name, r->t_four_s > 0 && r->t_four_s - r->t_first_s <= ttfaf + 1);
    print_message("%s: four satellites authentic after %d s (other receiver: %d s)\n", files[i].name,
            (int)(r->t_four_s - r->t_first_s), (int)ttfaf);
    json_decref(top);
}

static void test_row_by_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < GN_COUNT(files); i++) {
        char path[4400];
        struct row w;
        struct run *r = run_file(files[i].name, files[i].name, NULL, false);
        path_of(path, sizeof path, files[i].name, ".tags.csv.gz");
        gzFile f = gzopen(path, "rb");
        assert_non_null(f);
        while (next_row(f, &w))
            check_row(i, r, &w);
        (void)gzclose(f);
        GN_CHECK(files[i].name, r->n_forged == 0);
        for (unsigned k = 0; k < SF_MAX * (GN_OSNMA_PRNS + 1) * (GN_OSNMA_TAGS_MAX + 1); k++) {
            const struct seen *s = &(&r->tags[0][0][0])[k];
            GN_CHECK(files[i].name, files[i].is_live || s->row || s->verdict != GN_AUTHENTIC);
        }
        check_events(i, r);
        check_keys(i, r);
        check_first_fix(i, r);
        free(r);
    }
}

/* the Merkle root alone: the public key comes by DSM-PKR, the root key after it, tags from before are settled then */
static void cold(struct gn_osnma_config *c)
{
    c->anchor.has_kroot = 0;
    memset(c->anchor.pubkeys, 0, sizeof c->anchor.pubkeys);
}

static void test_cold_start(void **state)
{
    (void)state;
    char path[4400];
    struct run *r = run_file(files[0].name, files[0].name, cold, false);
    path_of(path, sizeof path, files[0].name, "_cold.osnmalib.json");
    json_t *top = json_load_file(path, 0, NULL);
    assert_non_null(top);
    json_int_t ttfaf = json_integer_value(json_object_get(top, "ttfaf_s"));
    print_message("cold: four satellites authentic after %d s (other receiver: %d s)\n",
            (int)(r->t_four_s - r->t_first_s), (int)ttfaf);
    assert_true(r->t_four_s > 0 && r->t_four_s - r->t_first_s <= ttfaf + 1);
    json_decref(top);
    free(r);
}

static void no_time(struct gn_osnma_config *c)
{
    c->has_trusted_time = 0;
}
static void minute(struct gn_osnma_config *c)
{
    c->time_uncertainty_s = 60;
}
static void two_tags(struct gn_osnma_config *c)
{
    c->time_uncertainty_s = 165;
}

static unsigned count(const struct run *r, gn_verdict v, int adkd)
{
    unsigned n = 0;
    for (unsigned k = 0; k < SF_MAX * (GN_OSNMA_PRNS + 1) * (GN_OSNMA_TAGS_MAX + 1); k++) {
        const struct seen *s = &(&r->tags[0][0][0])[k];
        n += s->has && s->verdict == v && (adkd < 0 || s->adkd == adkd);
    }
    return n;
}

static void test_no_trusted_time_nothing_authentic(void **state)
{
    (void)state;
    for (size_t i = 0; i < GN_COUNT(files); i++) {
        struct run *r = run_file(files[i].name, files[i].name, no_time, false);
        GN_CHECK(files[i].name, count(r, GN_AUTHENTIC, -1) == 0 && r->prns == 0 && r->n_forged == 0);
        free(r);
    }
}

/* a clock good to a minute: slow tags only, all that the other receiver verified so */
static void test_slow_tags_only(void **state)
{
    (void)state;
    char path[4400];
    struct row w;
    struct run *r = run_file("live_current_config", "live_current_config", minute, false);
    assert_int_equal(count(r, GN_AUTHENTIC, 0) + count(r, GN_AUTHENTIC, 4), 0);
    path_of(path, sizeof path, "live_current_config_slowmac_ts60.osnmalib", ".tags.csv.gz");
    gzFile f = gzopen(path, "rb");
    assert_non_null(f);
    while (next_row(f, &w))
        GN_CHECK("slow", w.b[0] != '1' || seen_of(r, &w)->verdict == GN_AUTHENTIC);
    (void)gzclose(f);
    free(r);
    r = run_file("live_current_config", "live_current_config", two_tags, false);
    assert_int_equal(count(r, GN_AUTHENTIC, -1), 0);
    free(r);
}

static void no_rs(struct gn_osnma_config *c)
{
    c->no_reed_solomon = 1;
}

static void test_e1_only(void **state)
{
    static const char *const names[] = {"live_current_config", "live_change_wt5"};
    (void)state;
    for (size_t i = 0; i < GN_COUNT(names); i++) {
        char path[4400], end[100];
        struct row w;
        struct run *r = run_file(names[i], names[i], no_rs, true);
        (void)snprintf(end, sizeof end, "_e1only.osnmalib.tags.csv.gz");
        path_of(path, sizeof path, names[i], end);
        gzFile f = gzopen(path, "rb");
        assert_non_null(f);
        while (next_row(f, &w))
            GN_CHECK(names[i], w.b[0] != '1' || seen_of(r, &w)->verdict == GN_AUTHENTIC);
        (void)gzclose(f);
        assert_int_equal(r->n_forged, 0);
        free(r);
    }
}

/* ---- single operations ------------------------------------------------------------------------------------------------ */
static size_t hex(const json_t *obj, const char *name, uint8_t *out, size_t room)
{
    const char *s = json_string_value(json_object_get(obj, name));
    assert_non_null(s);
    assert_true(gn_hex_parse(s, strlen(s), out, room));
    return strlen(s) / 2;
}

static void check_mac(struct gn_osnma_crypto *c, const json_t *v, const char *want_name, unsigned n_bits)
{
    uint8_t key[32], msg[128], mac[32];
    size_t n_key = hex(v, "key", key, sizeof key), n = hex(v, "message", msg, sizeof msg);
    assert_true(gn_osnma_mac(c, GN_OSNMA_HMAC_SHA256, key, n_key, msg, n, mac));
    uint64_t want = strtoull(json_string_value(json_object_get(v, want_name)), NULL, 16);
    assert_int_equal(gn_bits_get(mac, 256, 0, n_bits), want);
}

static void test_unit_vectors(void **state)
{
    (void)state;
    char path[4400];
    uint8_t dsm[GN_OSNMA_DSM_BYTES], point[67], header, msg[64], sig[132], root[32], got[32];
    struct gn_osnma_kroot_fields k;
    struct gn_osnma_pkr_fields p;
    path_of(path, sizeof path, "unit_vectors", ".json");
    json_t *top = json_load_file(path, 0, NULL);
    assert_non_null(top);
    const json_t *v = json_object_get(top, "kroot");
    struct gn_osnma_crypto *c = gn_osnma_crypto_new();
    (void)hex(v, "nma_header", &header, 1);
    size_t n = hex(v, "dsm_kroot", dsm, sizeof dsm), n_point = hex(v, "pubkey", point, sizeof point);
    size_t n_msg = hex(v, "signed_message", msg, sizeof msg), n_sig = hex(v, "signature", sig, sizeof sig);
    assert_true(gn_osnma_kroot_parse(header, dsm, n, &k));
    assert_int_equal(k.msg_bytes, n_msg);
    assert_memory_equal(k.msg, msg, n_msg);
    assert_memory_equal(gn_osnma_kroot_signature(&k, dsm, n, 64), sig, n_sig);
    assert_int_equal(gn_osnma_signature_verify(GN_OSNMA_P256, point, n_point, msg, n_msg, sig, n_sig), GN_AUTHENTIC);
    check_mac(c, json_object_get(top, "tag0"), "tag40", 40);
    check_mac(c, json_object_get(top, "adkd12"), "tag40", 40);
    check_mac(c, json_object_get(top, "macseq"), "macseq12", 12);
    v = json_object_get(top, "pkr");
    n = hex(v, "dsm_pkr", dsm, sizeof dsm);
    (void)hex(v, "merkle_root", root, sizeof root);
    assert_true(gn_osnma_pkr_parse(dsm, n, &p));
    assert_int_equal(p.npkid, 1);
    gn_osnma_merkle_root(c, p.leaf, p.leaf_bytes, p.mid, p.itn[0], got);
    assert_memory_equal(got, root, 32);
    json_decref(top);
    gn_osnma_crypto_free(c);
}

/* keys 0, 1, 2, 3, 11, 12, 1440, 1441, 2878, 2879 of one chain: each leads to all before it */
static void test_chain_vectors(void **state)
{
    (void)state;
    char path[4400];
    path_of(path, sizeof path, "unit_vectors", ".json");
    json_t *top = json_load_file(path, 0, NULL);
    const json_t *t = json_object_get(top, "tesla"), *keys = json_object_get(t, "keys");
    struct gn_osnma_crypto *c = gn_osnma_crypto_new();
    struct gn_tesla_chain chain = {.key_bytes = 16};
    const char *name;
    json_t *value;
    int64_t sf0 = gn_osnma_sf(1145, 0) - 1;
    (void)hex(t, "alpha", chain.alpha, 6);
    json_object_foreach((json_t *)(uintptr_t)keys, name, value)
    {
        struct gn_tesla_claim claim = {.sf = sf0 + atoi(name)};
        struct gn_tesla_key known = {.sf = sf0}, ret;
        gn_verdict v = GN_AUTHENTIC;
        (void)hex(keys, name, claim.bytes, 32);
        (void)hex(keys, "0", known.bytes, 32);
        if (claim.sf == sf0) {
            assert_int_equal(gn_tesla_verify(c, &chain, &known, &claim, &ret, &v), GN_E_ARG);
            assert_int_equal(v, GN_UNDECIDED);
            continue;
        }
        assert_int_equal(gn_tesla_verify(c, &chain, &known, &claim, &ret, &v), GN_OK);
        GN_CHECK(name, v == GN_AUTHENTIC);
        claim.bytes[5] ^= 4;
        assert_int_equal(gn_tesla_verify(c, &chain, &known, &claim, &ret, &v), GN_OK);
        GN_CHECK(name, v == GN_FORGED);
        claim.bytes[5] ^= 4;
        claim.sf++;
        assert_int_equal(gn_tesla_verify(c, &chain, &known, &claim, &ret, &v), GN_OK);
        GN_CHECK(name, v == GN_FORGED);
    }
    gn_osnma_crypto_free(c);
    json_decref(top);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_unit_vectors),
            cmocka_unit_test(test_chain_vectors),
            cmocka_unit_test(test_row_by_row),
            cmocka_unit_test(test_cold_start),
            cmocka_unit_test(test_no_trusted_time_nothing_authentic),
            cmocka_unit_test(test_slow_tags_only),
            cmocka_unit_test(test_e1_only),
    };
    if (gn_test_data() == NULL) {
        print_message("not run: no recordings (GNOMON_DATA)\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
