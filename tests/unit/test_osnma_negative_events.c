/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Key and chain events that somebody tampers with: forged and replayed status, alerts, keys and root keys, lost pages.
 * Nothing false is ever authentic, the state at the end is the true one, and the true tags after it count. */
#include "tests/unit/osnma_help.h"

#define K 64u /* sub-frames; the event's steps come at 12, 28 and 44 */
#define REPLAY 16u

struct kind;
struct scene {
    struct sky sky;
    uint8_t osnma[K][SKY_SATS][GN_OSNMA_PAGES][5];
    uint8_t other[K][SKY_SATS][GN_OSNMA_PAGES][5]; /* of a stranger's chain with an alert */
    uint32_t x;
};

struct kind {
    const char *name;
    enum gn_osnma_gen_event event;
    /* page p of satellite i in sub-frame f: false drops it */
    bool (*tamper)(struct scene *s, const struct kind *k, unsigned f, unsigned i, unsigned p, uint8_t osnma[5]);
    unsigned at, value;      /* what that means is the function's */
    const char *state;       /* at the end; NULL: any */
    unsigned tags_min, tags_max; /* authentic ones of the last ten sub-frames, of 270 */
    unsigned pkid;
    uint8_t curve, no_new_root;
};

/* ---- tampering --------------------------------------------------------------------------------------------------- */
static bool none(struct scene *s, const struct kind *k, unsigned f, unsigned i, unsigned p, uint8_t osnma[5])
{
    (void)s, (void)k, (void)f, (void)i, (void)p, (void)osnma;
    return true;
}

/* all say header `value` from sub-frame `at` for eight of them */
static bool header(struct scene *s, const struct kind *k, unsigned f, unsigned i, unsigned p, uint8_t osnma[5])
{
    (void)s, (void)i;
    if (p == 0 && f >= k->at && f < k->at + 8)
        osnma[0] = (uint8_t)k->value;
    return true;
}

/* one satellite says it throughout */
static bool header_of_one(struct scene *s, const struct kind *k, unsigned f, unsigned i, unsigned p, uint8_t osnma[5])
{
    (void)s, (void)f;
    if (p == 0 && i == 2)
        osnma[0] = (uint8_t)k->value;
    return true;
}

/* HKROOT of REPLAY sub-frames ago, from `at` for `value` sub-frames, from all */
static bool replay(struct scene *s, const struct kind *k, unsigned f, unsigned i, unsigned p, uint8_t osnma[5])
{
    if (f >= k->at && f < k->at + k->value)
        osnma[0] = s->osnma[f - REPLAY][i][p][0];
    return true;
}

/* a stranger's HKROOT (his alert and don't use, signed by his own tree) from `at` on for `value` sub-frames */
static bool stranger(struct scene *s, const struct kind *k, unsigned f, unsigned i, unsigned p, uint8_t osnma[5])
{
    if (f >= k->at && f < k->at + k->value)
        osnma[0] = s->other[f][i][p][0];
    return true;
}

/* byte `at` of each DSM-PKR (DSM ID 12 to 15) ^ value */
static bool pkr(struct scene *s, const struct kind *k, unsigned f, unsigned i, unsigned p, uint8_t osnma[5])
{
    uint8_t dsm = s->osnma[f][i][1][0];
    if (dsm >> 4 >= 12 && (dsm & 15u) == k->at / 13 && p == 2 + k->at % 13)
        osnma[0] ^= (uint8_t)k->value;
    return true;
}

/* byte `at` of each DSM-KROOT sent after the first step ^ value */
static bool kroot(struct scene *s, const struct kind *k, unsigned f, unsigned i, unsigned p, uint8_t osnma[5])
{
    uint8_t dsm = s->osnma[f][i][1][0];
    if (f >= 12 && dsm >> 4 < 12 && (dsm & 15u) == k->at / 13 && p == 2 + k->at % 13)
        osnma[0] ^= (uint8_t)k->value;
    return true;
}

static bool lose(struct scene *s, const struct kind *k, unsigned f, unsigned i, unsigned p, uint8_t osnma[5])
{
    (void)f, (void)i, (void)p, (void)osnma;
    s->x ^= s->x << 13; /* xorshift32 */
    s->x ^= s->x >> 17;
    s->x ^= s->x << 5;
    return (s->x >> 4) % 100 >= k->value;
}

/* no page between two sub-frames: a tunnel over the step */
static bool tunnel(struct scene *s, const struct kind *k, unsigned f, unsigned i, unsigned p, uint8_t osnma[5])
{
    (void)s, (void)i, (void)p, (void)osnma;
    return f < k->at || f >= k->value;
}

/* satellites 0 and 1 send each other's fields */
static bool swap(struct scene *s, const struct kind *k, unsigned f, unsigned i, unsigned p, uint8_t osnma[5])
{
    (void)k;
    if (i < 2)
        memcpy(osnma, s->osnma[f][1 - i][p], 5);
    return true;
}

/* the key field of all satellites ^ 1 from `at` for `value` sub-frames */
static bool keys(struct scene *s, const struct kind *k, unsigned f, unsigned i, unsigned p, uint8_t osnma[5])
{
    (void)s, (void)i;
    if (f >= k->at && f < k->at + k->value && p == 11)
        osnma[2] ^= 1;
    return true;
}

#define DU_CREV  0xc6
#define DU_ALERT 0xce
#define DU_PKREV 0xca

static const struct kind kinds[] = {
        {"dont-use, untouched", GN_GEN_DONT_USE, none, 0, 0, "operational", 270, 270, 1, 0, 0},
        {"end of chain, untouched", GN_GEN_EOC, none, 0, 0, "operational", 270, 270, 1, 0, 0},
        {"chain revoked, untouched", GN_GEN_CREV, none, 0, 0, "operational", 270, 270, 1, 0, 0},
        {"new key, untouched", GN_GEN_NPK, none, 0, 0, "operational", 270, 270, 1, 0, 0},
        {"key revoked, untouched", GN_GEN_PKREV, none, 0, 0, "operational", 270, 270, 1, 0, 0},
        {"new tree, untouched", GN_GEN_NMT, none, 0, 0, "operational", 270, 270, 9, 0, 0},
        {"new tree, P-521", GN_GEN_NMT, none, 0, 0, "operational", 270, 270, 9, GN_OSNMA_P521, 0},
        {"alert, untouched", GN_GEN_ALERT, none, 0, 0, "alert", 0, 0, 1, 0, 0},
        {"forged: chain revoked", GN_GEN_NOMINAL, header, 20, DU_CREV, "operational", 270, 270, 1, 0, 0},
        {"forged: key revoked", GN_GEN_NOMINAL, header, 20, DU_PKREV, "operational", 270, 270, 1, 0, 0},
        {"forged: alert", GN_GEN_NOMINAL, header, 20, DU_ALERT, "operational", 270, 270, 1, 0, 0},
        {"forged: end of chain", GN_GEN_NOMINAL, header, 20, 0x84, "operational", 270, 270, 1, 0, 0},
        {"forged: reserved NMAS and CPKS", GN_GEN_NOMINAL, header, 20, 0x01, "operational", 270, 270, 1, 0, 0},
        {"forged: another chain in force", GN_GEN_NOMINAL, header, 20, 0x92, "operational", 270, 270, 1, 0, 0},
        {"forged over an end of chain", GN_GEN_EOC, header, 26, 0x82, "operational", 270, 270, 1, 0, 0},
        {"forged over don't use: operational", GN_GEN_CREV, header, 16, 0x82, "operational", 270, 270, 1, 0, 0},
        {"one satellite cries alert", GN_GEN_NOMINAL, header_of_one, 0, DU_ALERT, "operational", 240, 270, 1, 0, 0},
        {"one satellite never hears of don't use", GN_GEN_DONT_USE, header_of_one, 0, 0x82, "operational", 270, 270, 1, 0, 0},
        {"a stranger's alert", GN_GEN_NOMINAL, stranger, 20, 20, "operational", 270, 270, 1, 0, 0},
        {"a stranger's alert over a new key", GN_GEN_NPK, stranger, 20, 20, "operational", 270, 270, 1, 0, 0},
        {"root key and don't use replayed", GN_GEN_DONT_USE, replay, 30, 8, "operational", 270, 270, 1, 0, 0},
        {"old chain's root key replayed", GN_GEN_EOC, replay, 29, 14, "operational", 270, 270, 1, 0, 0},
        {"revoked chain's root key replayed", GN_GEN_CREV, replay, 16, 10, "operational", 270, 270, 1, 0, 0},
        {"revoked key's root key replayed", GN_GEN_PKREV, replay, 16, 10, "operational", 270, 270, 1, 0, 0},
        {"old tree's root key replayed", GN_GEN_NMT, replay, 46, 8, "operational", 270, 270, 9, 0, 0},
        {"the new tree nobody told us of", GN_GEN_NMT, none, 0, 0, NULL, 270, 270, 9, 0, 1},
        {"PKR: block count", GN_GEN_NPK, pkr, 0, 0x70, NULL, 270, 270, 1, 0, 0},
        {"PKR: leaf number", GN_GEN_PKREV, pkr, 0, 1, NULL, 0, 0, 1, 0, 0},
        {"PKR: node", GN_GEN_PKREV, pkr, 40, 1, NULL, 0, 0, 1, 0, 0},
        {"PKR: reserved key type", GN_GEN_PKREV, pkr, 129, 0x60, NULL, 0, 0, 1, 0, 0},
        {"PKR: turned into an alert", GN_GEN_NPK, pkr, 129, 0x50, NULL, 270, 270, 1, 0, 0},
        {"PKR: another PKID", GN_GEN_PKREV, pkr, 129, 1, NULL, 0, 0, 1, 0, 0},
        {"PKR: point", GN_GEN_PKREV, pkr, 140, 1, NULL, 0, 0, 1, 0, 0},
        {"PKR: padding is nobody's word", GN_GEN_PKREV, pkr, 166, 1, "operational", 270, 270, 1, 0, 0},
        {"alert: text", GN_GEN_ALERT, pkr, 150, 1, NULL, 0, 0, 1, 0, 0},
        {"next root key: signature cut", GN_GEN_EOC, kroot, 0, 0x30, NULL, 0, 0, 1, 0, 0},
        {"next root key: signature", GN_GEN_EOC, kroot, 60, 1, NULL, 0, 0, 1, 0, 0},
        {"next root key: reserved sizes", GN_GEN_EOC, kroot, 2, 0xb0, NULL, 0, 0, 1, 0, 0},
        {"next root key: chain number", GN_GEN_CREV, kroot, 1, 0x40, NULL, 0, 0, 1, 0, 0},
        {"next root key: time", GN_GEN_CREV, kroot, 6, 1, NULL, 0, 0, 1, 0, 0},
        {"P-521 cut to P-256's length", GN_GEN_NPK, kroot, 0, 0x50, NULL, 270, 270, 1, GN_OSNMA_P521, 0},
        {"10 % lost, end of chain", GN_GEN_EOC, lose, 0, 10, "operational", 150, 270, 1, 0, 0},
        {"40 % lost, end of chain", GN_GEN_EOC, lose, 0, 40, "operational", 20, 270, 1, 0, 0},
        {"40 % lost, chain revoked", GN_GEN_CREV, lose, 0, 40, "operational", 20, 270, 1, 0, 0},
        {"40 % lost, key revoked: its message is never whole", GN_GEN_PKREV, lose, 0, 40, NULL, 0, 270, 1, 0, 0},
        {"5 % lost, key revoked", GN_GEN_PKREV, lose, 0, 5, "operational", 150, 270, 1, 0, 0},
        {"40 % lost, new tree", GN_GEN_NMT, lose, 0, 40, "operational", 20, 270, 9, 0, 0},
        {"40 % lost, alert", GN_GEN_ALERT, lose, 0, 40, "alert", 0, 0, 1, 0, 0},
        {"tunnel over the end of chain", GN_GEN_EOC, tunnel, 20, 40, "operational", 270, 270, 1, 0, 0},
        {"tunnel over all of a revocation", GN_GEN_CREV, tunnel, 11, 50, "operational", 240, 270, 1, 0, 0},
        {"tunnel over a new key", GN_GEN_NPK, tunnel, 11, 40, NULL, 270, 270, 1, 0, 0},
        {"satellites swapped over an end of chain", GN_GEN_EOC, swap, 0, 0, "operational", 170, 270, 1, 0, 0},
        {"keys wrong over the end of chain", GN_GEN_EOC, keys, 24, 8, "operational", 270, 270, 1, 0, 0},
        {"keys wrong all along", GN_GEN_EOC, keys, 0, K, NULL, 0, 0, 1, 0, 0},
};

/* ---- judging ----------------------------------------------------------------------------------------------------- */
struct judge {
    struct got got;
    const struct sky *sky;
    int64_t late_sf;  /* tags from here on are counted */
    unsigned n_false, n_late, n_dont_use;
    const struct gn_osnma_gen *gen;
    int64_t sf0;
};

static void judge_tag(void *arg, const struct gn_msg_osnma_tag *t)
{
    struct judge *j = arg;
    int64_t sf = gn_osnma_sf(t->wn, t->tow);
    got_tag(&j->got, t);
    if (t->verdict != GN_AUTHENTIC)
        return;
    j->n_late += sf >= j->late_sf;
    j->n_dont_use += gn_osnma_gen_step_at(j->gen, (uint32_t)(sf - j->sf0))->nmas == GN_NMAS_DONT_USE;
}

static void judge_data(void *arg, const struct gn_msg_osnma_data *d)
{
    static const unsigned part[7][2] = {{6, 120}, {6, 120}, {6, 122}, {6, 120}, {6, 67}, {6, 99}, {86, 42}};
    struct judge *j = arg;
    got_data(&j->got, d);
    for (unsigned i = 0; d->authentic && i < SKY_SATS; i++) {
        uint8_t want[GN_OSNMA_CONTENT_BYTES] = {0};
        struct gn_bit_writer w = gn_bit_writer_of(want, 8 * sizeof want);
        const struct gn_osnma_gen_sat *t = &j->sky->sats[i];
        for (unsigned k = d->adkd == 4 ? 5 : 0; k < (d->adkd == 4 ? 7u : 5u); k++)
            for (unsigned b = 0; b < part[k][1]; b++)
                gn_bits_put(&w, gn_bits_get(t->words[k], 128, part[k][0] + b, 1), 1);
        j->n_false += t->prn == d->prn && memcmp(want, d->content, sizeof want) != 0;
    }
}

static void make_scene(struct scene *s, const struct kind *k)
{
    static const uint32_t at[3] = {12, 28, 44};
    struct gn_osnma_gen_config c = {.seed = 11, .wn = 1423, .tow_s = 154800, .n_subframes = K,
            .pkid = (uint8_t)k->pkid, .next_curve = k->curve, .dsm_subframes = 4};
    struct gn_osnma_gen_config other = c;
    struct gn_osnma_gen *stranger_gen = NULL;
    char json[2048];
    sky_init(&s->sky, 11, c.wn, c.tow_s, K);
    gn_osnma_gen_free(s->sky.gen);
    assert_true(gn_osnma_gen_event(&c, k->event, at));
    assert_int_equal(gn_osnma_gen_make(&c, &s->sky.gen), GN_OK);
    other.seed = 12;
    assert_true(gn_osnma_gen_event(&other, GN_GEN_ALERT, at));
    assert_int_equal(gn_osnma_gen_make(&other, &stranger_gen), GN_OK);
    size_t n = gn_osnma_gen_keys_json(s->sky.gen, json, sizeof json);
    assert_int_equal(gn_osnma_keys_parse(json, n, NULL, true, &s->sky.anchor, NULL), GN_OK);
    if (k->no_new_root)
        s->sky.anchor.has_new_root = 0;
    for (unsigned f = 0; f < K; f++)
        for (unsigned i = 0; i < SKY_SATS; i++) {
            uint32_t tow_s = c.tow_s + 30 * f;
            assert_int_equal(gn_osnma_gen_bits(s->sky.gen, c.wn, tow_s, s->sky.sats, SKY_SATS, i, s->osnma[f][i]), GN_OK);
            assert_int_equal(gn_osnma_gen_bits(stranger_gen, c.wn, tow_s, s->sky.sats, SKY_SATS, i, s->other[f][i]), GN_OK);
        }
    gn_osnma_gen_free(stranger_gen);
    s->x = 4711;
}

static void feed(struct scene *s, const struct kind *k, struct gn_osnma *o, const struct gn_osnma_sink *sink)
{
    static const uint8_t spare[16] = {0};
    for (unsigned n = 0; n < K * GN_OSNMA_PAGES * SKY_SATS; n++) {
        unsigned f = n / (GN_OSNMA_PAGES * SKY_SATS), p = n / SKY_SATS % GN_OSNMA_PAGES, i = n % SKY_SATS;
        struct gn_osnma_page page = {.wn = s->sky.wn, .tow_s = s->sky.tow_s + 30 * f + 2 * p + 1, .prn = s->sky.sats[i].prn};
        uint8_t osnma[5];
        memcpy(osnma, s->osnma[f][i][p], sizeof osnma);
        if (s->sky.sats[i].has_osnma && !k->tamper(s, k, f, i, p, osnma))
            continue;
        page_make(p < GN_OSNMA_GEN_WORDS ? s->sky.sats[i].words[p] : spare, osnma, page.bits);
        gn_osnma_feed(o, &page, sink);
    }
    gn_osnma_finish(o, sink);
}

static void test_events(void **state)
{
    (void)state;
    struct scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    for (size_t n = 0; n < GN_COUNT(kinds); n++) {
        const struct kind *k = &kinds[n];
        struct gn_osnma *o = NULL;
        make_scene(s, k);
        int64_t sf0 = gn_osnma_sf(s->sky.wn, s->sky.tow_s);
        struct judge j = {.sky = &s->sky, .gen = s->sky.gen, .sf0 = sf0, .late_sf = sf0 + K - 11};
        struct gn_osnma_sink sink = {.arg = &j, .tag = judge_tag, .data = judge_data, .key = got_key, .status = got_status};
        struct gn_osnma_config config = {.anchor = s->sky.anchor, .has_trusted_time = 1};
        assert_int_equal(gn_osnma_new(&config, &o), GN_OK);
        feed(s, k, o, &sink);
        if (getenv("GN_VERBOSE") != NULL)
            print_message("%-42s %3u late tags, %u in don't use, %u false, %u forged, state %s\n", k->name, j.n_late,
                    j.n_dont_use, j.n_false, j.got.tags[GN_FORGED], j.got.status.state);
        GN_CHECK(k->name, j.n_false == 0 && j.n_dont_use == 0);
        GN_CHECK(k->name, j.n_late >= k->tags_min && j.n_late <= k->tags_max);
        GN_CHECK(k->name, k->state == NULL || strcmp(j.got.status.state, k->state) == 0);
        gn_osnma_free(o);
        gn_osnma_gen_free(s->sky.gen);
    }
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_events)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
