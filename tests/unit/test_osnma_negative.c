/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Streams that somebody tampered with. In each: what is called authentic is bit by bit what was signed, no state is
 * lost on the word of an unsigned bit, and what could be kept is kept. */
#include "tests/unit/osnma_tamper.h"

/* MACK of MACLT 34: tag k at 56 k; its info at 56 k + 40; key at 336 */
static const struct kind kinds[] = {
        {"untouched", nothing, 0, 0, 0, 0, 100, 100, false},
        {"NMAS of one satellite", header, 0, 0, 2, 1, 99, 100, false}, /* the others outvote it */
        {"CID of one satellite", header, 0, 2, 2, 1, 100, 100, false},
        {"CPKS of one satellite", header, 0, 4, 3, 6, 100, 100, false},
        {"NMAS don't use from all", header, ALL, 0, 2, 1, 0, 0, false},
        {"CID of all", header, ALL, 2, 2, 1, 0, 0, false},
        {"CPKS of all", header, ALL, 4, 3, 6, 0, 0, false},
        {"header's reserved bit", header, ALL, 7, 1, 1, 0, 0, false},
        {"DSM ID of one satellite", header, 0, 8, 4, 3, 90, 100, false},
        {"block number of one satellite", header, 0, 12, 4, 5, 100, 100, false},
        {"NB_DK reserved", dsm, ALL, 0, 4, 13, 0, 0, false},
        {"NB_DK 14 blocks", dsm, ALL, 0, 4, 10, 0, 0, false},
        {"NB_DK 7 blocks: signature cut", dsm, ALL, 0, 4, 3, 0, 100, false},
        {"PKID nobody has", dsm, ALL, 4, 4, 6, 0, 0, false},
        {"CIDKR", dsm, ALL, 8, 2, 1, 0, 0, false},
        {"reserved bits are signed", dsm, ALL, 10, 2, 2, 0, 0, false},
        {"HF SHA3", dsm, ALL, 12, 2, 2, 0, 0, false},
        {"HF reserved", dsm, ALL, 12, 2, 1, 0, 0, false},
        {"MF CMAC", dsm, ALL, 14, 2, 1, 0, 0, false},
        {"MF reserved", dsm, ALL, 14, 2, 2, 0, 0, false},
        {"KS 96", dsm, ALL, 16, 4, 4, 0, 0, false},
        {"KS reserved", dsm, ALL, 16, 4, 11, 0, 0, false},
        {"KS 256", dsm, ALL, 16, 4, 12, 0, 0, false},
        {"TS 20", dsm, ALL, 20, 4, 12, 0, 0, false},
        {"TS reserved", dsm, ALL, 20, 4, 9, 0, 0, false},
        {"MACLT 33", dsm, ALL, 24, 8, 3, 0, 0, false},
        {"MACLT unknown", dsm, ALL, 24, 8, 0xf0, 0, 0, false},
        {"WN_K", dsm, ALL, 40, 8, 0x55, 0, 0, false},
        {"TOWH_K", dsm, ALL, 48, 8, 1, 0, 0, false},
        {"TOWH_K 200", dsm, ALL, 48, 8, 0xc8, 0, 0, false},
        {"alpha", dsm, ALL, 56, 8, 0x10, 0, 0, false},
        {"KROOT", dsm, ALL, 104, 8, 1, 0, 0, false},
        {"signature r", dsm, ALL, 240, 8, 1, 0, 0, false},
        {"signature s", dsm, ALL, 720, 8, 0x80, 0, 0, false},
        {"a block of one satellite", dsm, 0, 240, 8, 1, 100, 100, false},
        {"padding is not signed", dsm, ALL, 800, 8, 1, 100, 100, false},
        {"tag_0", mack, ALL, 3, 8, 1, 60, 90, false},
        {"MACSEQ: flexible slots fall", mack, ALL, 44, 8, 1, 60, 95, false},
        {"COP of tag_0", mack, ALL, 54, 2, 1, 60, 100, false},
        {"tag 2", mack, ALL, 2 * 56, 8, 4, 60, 90, false},
        {"PRN_D of a fixed slot", mack, ALL, 5 * 56 + 40, 8, 8, 60, 90, false},
        {"PRN_D 0", mack, 0, 5 * 56 + 40, 8, 0xff, 80, 100, false},
        {"ADKD 7", mack, ALL, 5 * 56 + 48, 4, 7, 60, 90, false},
        {"flexible slot's ADKD", mack, ALL, 56 + 48, 4, 4, 60, 95, false},
        {"flexible slot's PRN_D", mack, 0, 56 + 40, 8, 3, 90, 100, false},
        {"slow tag", mack, ALL, 4 * 56, 8, 1, 60, 100, false},
        {"key of one satellite", mack, 0, 340, 8, 1, 100, 100, false},
        {"key of all", mack, ALL, 340, 8, 1, 0, 0, false},
        {"spare bits", mack, ALL, 470, 8, 1, 100, 100, false},
        {"IODnav of one satellite's word 1", word, 0, 15, 1, 1, 50, 95, false},
        {"word 1 of one satellite", word, 0, 40, 8, 1, 50, 95, false},
        {"word 3 of one satellite", word, 0, 2 * 112 + 60, 8, 1, 50, 95, false},
        {"word 5 of one satellite", word, 0, 4 * 112 + 30, 8, 1, 50, 95, false},
        {"word 6 of one satellite", word, 0, 5 * 112 + 30, 8, 1, 50, 99, false},
        {"word 10 of one satellite", word, 0, 6 * 112 + 90, 8, 1, 50, 99, false},
        {"word 2 of all", word, ALL, 112 + 60, 8, 1, 0, 20, false},
        {"word 6's time of week is not covered", word, ALL, 5 * 112 + 106, 4, 5, 100, 100, false},
        {"word 4 changes under the same IODnav", word_later, 0, 3 * 112 + 60, 8, 1, 60, 100, false},
        {"10 % of pages missing", lose, 0, 0, 0, 10, 40, 99, false},
        {"20 % of pages missing", lose, 0, 0, 0, 20, 20, 99, false},
        {"40 % of pages missing", lose, 0, 0, 0, 40, 3, 99, false},
        {"no header page at all", lose_page, 0, 0, 0, 0, 0, 0, false},
        {"no DSM header page at all", lose_page, 0, 0, 0, 1, 0, 0, false},
        {"page 14 missing: half a key", lose_page, 0, 0, 0, 14, 0, 0, false},
        {"CRC broken", bad_crc, ALL, 100, 0, 0, 0, 0, false},
        {"CRC of one satellite broken", bad_crc, 0, 100, 0, 0, 60, 99, false},
        {"tail bits do not matter", bad_crc, ALL, 116, 0, 0, 100, 100, false},
        {"alert pages", page_type, ALL, 0, 0, 1, 0, 0, false},
        {"alert pages of one satellite", page_type, 0, 0, 0, 1, 50, 99, false},
        {"dummy pages of one satellite", page_type, 0, 0, 0, 2, 50, 99, false},
        {"dummy pages of all", page_type, ALL, 0, 0, 2, 0, 0, false},
        {"a satellite without OSNMA", no_osnma, 0, 0, 0, 0, 60, 99, false},
        {"no OSNMA at all", no_osnma, ALL, 0, 0, 0, 0, 0, false},
        {"OSNMA bits on E5b", e5b, ALL, 0, 0, 0, 0, 0, false},
        {"two satellites swapped", swap, 0, 0, 0, 1, 20, 90, false},
        {"a satellite 30 s ahead", shift, 0, 0, 0, 30, 50, 90, false},
        {"a satellite 2 s off", shift, 0, 0, 0, 2, 20, 100, false},
        {"all 30 s off: every key fails", shift, ALL, 0, 0, 30, 0, 0, false},
        {"PRN 0", bogus, 0, 0, 0, 0, 95, 100, false},
        {"PRN 37", bogus, 0, 0, 0, 1, 95, 100, false},
        {"PRN 255", bogus, 0, 0, 0, 2, 95, 100, false},
        {"negative week", bogus, 0, 0, 0, 3, 95, 100, false},
        {"second of week out of range", bogus, 0, 0, 0, 4, 95, 100, false},
        {"a page 40 weeks ahead", bogus, 0, 0, 0, 5, 95, 100, false},
        {"a page 40 weeks behind", bogus, 0, 0, 0, 6, 95, 100, false},
        {"a page of ones", bogus, 0, 0, 0, 7, 95, 100, false},
        {"a page of zeros", bogus, 0, 0, 0, 8, 95, 100, false},
        {"largest week", bogus, 0, 0, 0, 9, 95, 100, false},
        {"each page twice", twice, 0, 0, 0, 0, 100, 100, true},
        {"all replayed later", replay, 0, 0, 0, 0, 100, 100, true},
        {"order shuffled", shuffle, 0, 0, 0, 0, 100, 100, true},
        {"a satellite 10 s late", delay, 0, 0, 0, 5, 95, 100, true},
        {"a satellite 32 s late", delay, 0, 0, 0, 16, 60, 95, true},
        {"a satellite 3 minutes late", delay, 0, 0, 0, 90, 50, 95, true},
        {"no anchor", anchor, 0, 0, 0, 0, 0, 0, false},
        {"another's key", anchor, 0, 0, 0, 1, 0, 0, false},
        {"Merkle root alone", anchor, 0, 0, 0, 2, 0, 0, false},
        {"the key under another PKID", anchor, 0, 0, 0, 3, 0, 0, false},
        {"no trusted time", anchor, 0, 0, 0, 4, 0, 0, false},
        {"time to 165 s", anchor, 0, 0, 0, 5, 0, 0, false},
        {"time to 15 s: slow tags only", anchor, 0, 0, 0, 6, 5, 30, false},
        {"time to 14.9 s", anchor, 0, 0, 0, 7, 100, 100, false},
        {"time uncertainty no number", anchor, 0, 0, 0, 9, 0, 0, false},
        {"own clock 16 s behind", clock_off, 0, 0, 0, 184, 5, 30, true},
        {"own clock 15 s behind", clock_off, 0, 0, 0, 185, 5, 30, true},
        {"own clock 14 s behind", clock_off, 0, 0, 0, 186, 100, 100, true},
        {"own clock right", clock_off, 0, 0, 0, 200, 100, 100, true},
        {"own clock 14 s ahead", clock_off, 0, 0, 0, 214, 100, 100, true},
        {"own clock 15 s ahead", clock_off, 0, 0, 0, 215, 5, 30, true},
        {"own clock 16 s ahead", clock_off, 0, 0, 0, 216, 5, 30, true},
        {"own clock 165 s ahead", clock_off, 0, 0, 0, 365, 0, 0, true},
};

/* ---- judging ------------------------------------------------------------------------------------------------------------------ */
struct judge {
    struct got got;
    const struct sky *sky;
    unsigned n_false;
};

static void true_content(const struct gn_osnma_gen_sat *t, unsigned adkd, uint8_t out[GN_OSNMA_CONTENT_BYTES])
{
    static const unsigned part[7][2] = {{6, 120}, {6, 120}, {6, 122}, {6, 120}, {6, 67}, {6, 99}, {86, 42}};
    struct gn_bit_writer w = gn_bit_writer_of(out, 8 * (size_t)GN_OSNMA_CONTENT_BYTES);
    memset(out, 0, GN_OSNMA_CONTENT_BYTES);
    for (unsigned k = adkd == 4 ? 5 : 0; k < (adkd == 4 ? 7u : 5u); k++)
        for (unsigned b = 0; b < part[k][1]; b++)
            gn_bits_put(&w, gn_bits_get(t->words[k], 128, part[k][0] + b, 1), 1);
}

static void judge_data(void *arg, const struct gn_msg_osnma_data *d)
{
    struct judge *j = arg;
    uint8_t want[GN_OSNMA_CONTENT_BYTES];
    got_data(&j->got, d);
    for (unsigned i = 0; d->authentic && i < SKY_SATS; i++)
        if (j->sky->sats[i].prn == d->prn) {
            true_content(&j->sky->sats[i], d->adkd, want);
            j->n_false += memcmp(want, d->content, sizeof want) != 0;
        }
}

static struct judge run_kind(struct stream *s, const struct kind *k)
{
    struct judge j = {.sky = &s->sky};
    struct gn_osnma_sink sink = {.arg = &j, .tag = got_tag, .data = judge_data, .key = got_key, .status = got_status};
    struct gn_osnma *o = NULL;
    s->config = (struct gn_osnma_config){.anchor = s->sky.anchor, .has_trusted_time = 1};
    s->n = 0;
    s->x = 4711;
    memset(s->drop, 0, sizeof s->drop);
    EACH(s, f, i)
        for (unsigned p = 0; p < GN_OSNMA_PAGES; p++)
            s->pages[f][i][p] = sky_page(&s->sky, f, i, p);
    if (!k->early_list)
        k->tamper(s, k);
    for (unsigned f = 0; f < K; f++)
        for (unsigned p = 0; p < GN_OSNMA_PAGES; p++)
            for (unsigned i = 0; i < SKY_SATS; i++)
                if (!s->drop[f][i][p])
                    s->list[s->n++] = s->pages[f][i][p];
    if (k->early_list)
        k->tamper(s, k);
    assert_int_equal(gn_osnma_new(&s->config, &o), GN_OK);
    for (unsigned n = 0; n < s->n; n++)
        gn_osnma_feed(o, &s->list[n], &sink);
    gn_osnma_finish(o, &sink);
    gn_osnma_free(o);
    return j;
}

static void test_kinds(void **state)
{
    (void)state;
    struct stream *s = calloc(1, sizeof *s);
    assert_non_null(s);
    sky_init(&s->sky, 5, 1423, 154200, K);
    unsigned full = run_kind(s, &kinds[0]).got.tags[GN_AUTHENTIC];
    for (size_t n = 0; n < GN_COUNT(kinds); n++) {
        const struct kind *k = &kinds[n];
        struct judge j = run_kind(s, k);
        unsigned percent = j.got.tags[GN_AUTHENTIC] * 100 / full;
        if (getenv("GN_VERBOSE") != NULL)
            print_message("%-42s %3u %% authentic, %u forged, %u undecided, last reason %s\n", k->name, percent,
                    j.got.tags[GN_FORGED], j.got.tags[GN_UNDECIDED], j.got.reason);
        GN_CHECK(k->name, j.n_false == 0);
        GN_CHECK(k->name, percent >= k->percent_min && percent <= k->percent_max);
    }
    gn_osnma_gen_free(s->sky.gen);
    free(s);
}

/* every bit of every kind of page, flipped in one sub-frame of one satellite: never false, never a crash */
static void test_every_bit(void **state)
{
    (void)state;
    struct stream *s = calloc(1, sizeof *s);
    struct gn_osnma *o = NULL;
    assert_non_null(s);
    sky_init(&s->sky, 6, 1423, 154200, K);
    for (unsigned p = 0; p < GN_OSNMA_PAGES; p += 2)
        for (unsigned bit = 0; bit < 240; bit += 1 + p % 3) {
            struct judge j = {.sky = &s->sky};
            struct gn_osnma_sink sink = {.arg = &j, .tag = got_tag, .data = judge_data, .key = got_key};
            struct gn_osnma_config config = {.anchor = s->sky.anchor, .has_trusted_time = 1};
            assert_int_equal(gn_osnma_new(&config, &o), GN_OK);
            for (unsigned n = 0; n < 4 * GN_OSNMA_PAGES * SKY_SATS; n++) {
                unsigned f = n / (GN_OSNMA_PAGES * SKY_SATS), q = n / SKY_SATS % GN_OSNMA_PAGES, i = n % SKY_SATS;
                if (p == 0 && bit == 0)
                    s->pages[f][i][q] = sky_page(&s->sky, f, i, q);
                struct gn_osnma_page page = s->pages[f][i][q];
                if (f == 1 && i == 0 && q == p)
                    xor_bits(&page, bit, 1, 1);
                gn_osnma_feed(o, &page, &sink);
            }
            assert_int_equal(j.n_false, 0);
            if (j.got.data_authentic == 0)
                fail_msg("page %u bit %u: nothing authentic", p, bit);
            gn_osnma_free(o);
        }
    gn_osnma_gen_free(s->sky.gen);
    free(s);
}

/* an unsigned "don't use" and a foreign chain number for a while: afterwards all goes on */
static void test_state_survives(void **state)
{
    (void)state;
    struct stream *s = calloc(1, sizeof *s);
    assert_non_null(s);
    sky_init(&s->sky, 8, 1423, 154200, K);
    struct judge j = {.sky = &s->sky};
    struct gn_osnma_sink sink = {.arg = &j, .tag = got_tag, .data = judge_data, .key = got_key, .status = got_status};
    struct gn_osnma_config config = {.anchor = s->sky.anchor, .has_trusted_time = 1};
    struct gn_osnma *o = NULL;
    unsigned before = 0;
    assert_int_equal(gn_osnma_new(&config, &o), GN_OK);
    for (unsigned n = 0; n < K * GN_OSNMA_PAGES * SKY_SATS; n++) {
        unsigned f = n / (GN_OSNMA_PAGES * SKY_SATS), q = n / SKY_SATS % GN_OSNMA_PAGES, i = n % SKY_SATS;
        struct gn_osnma_page page = sky_page(&s->sky, f, i, q);
        if (f >= 6 && f < 9 && q == 0 && s->sky.sats[i].has_osnma)
            xor_bits(&page, 138, 8, 0x7e); /* another NMAS, CID and CPKS */
        if (f == 10 && q == 0)
            before = j.got.tags[GN_AUTHENTIC];
        gn_osnma_feed(o, &page, &sink);
    }
    gn_osnma_finish(o, &sink);
    assert_true(j.got.tags[GN_AUTHENTIC] > before + 7 * 6 * 4);
    assert_int_equal(j.n_false, 0);
    gn_osnma_free(o);
    gn_osnma_gen_free(s->sky.gen);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_kinds),
            cmocka_unit_test(test_every_bit),
            cmocka_unit_test(test_state_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
