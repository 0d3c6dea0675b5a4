/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Galileo I/NAV through decode.nav: pages recorded from the real satellites, sent again as symbols
 * in noise, and pages of our own where the recordings lack a case. */
#include "gnomon/status.h"
#include "lib/bits/bits.h"
#include "lib/nav/inav.h"
#include "lib/nav/inav_words.h"
#include "tests/support/nav_run.h"
#include "tests/support/pages.h"

#include <math.h>

#define PAGES_MAX 2000

/* All pages of one satellite on E1-B, in steps of 2 s; has[] 0 where the receiver missed one. */
struct stream {
    int wn, tow_0, n;
    uint8_t has[PAGES_MAX], pages[PAGES_MAX][30];
};

static bool load(const char *name, int prn, int n_seconds, struct stream *s)
{
    struct gn_test_page p;
    gzFile f = gn_test_data() != NULL ? gn_test_pages_open(gn_test_data(), name) : NULL;
    memset(s, 0, sizeof *s);
    if (f == NULL)
        return false;
    while (gn_test_page_next(f, &p)) {
        if (p.prn != prn || p.sig != 1 || !gn_inav_page_is_good(p.bits))
            continue;
        if (s->n == 0) {
            s->wn = p.wn;
            s->tow_0 = p.tow;
        }
        int i = (p.tow - s->tow_0) / 2;
        if (i < 0 || i >= PAGES_MAX || p.tow - s->tow_0 > n_seconds || (p.tow - s->tow_0) % 2 != 0)
            break;
        s->has[i] = 1;
        memcpy(s->pages[i], p.bits, 30);
        s->n = i + 1;
    }
    gzclose(f);
    return s->n > 0;
}

static void page_symbols(const uint8_t page[30], float amplitude, uint32_t *seed, float *soft)
{
    uint8_t symbols[GN_INAV_PAGE_SYMBOLS];
    gn_inav_page_encode(page, symbols);
    for (unsigned k = 0; k < GN_INAV_PAGE_SYMBOLS; k++)
        soft[k] = nav_soft(symbols[k], amplitude, seed);
}

/* The stream's pages first..last-1 without the first `skip` symbols; missed pages are noise. */
static void hear(struct nav_run *r, struct nav_chan *ch, const struct stream *s, int first,
        int last, size_t skip, float amplitude)
{
    uint32_t seed = 5;
    for (int i = first; i < last; i++) {
        float soft[GN_INAV_PAGE_SYMBOLS];
        size_t from = i == first ? skip : 0;
        if (s->has[i])
            page_symbols(s->pages[i], amplitude, &seed, soft);
        for (unsigned k = 0; k < GN_INAV_PAGE_SYMBOLS && !s->has[i]; k++)
            soft[k] = nav_soft(0, 0, &seed);
        nav_run_feed(r, ch, soft + from, GN_INAV_PAGE_SYMBOLS - from);
    }
}

static void not_run(const char *name)
{
    print_message("not run: %s is not here\n", name);
    skip();
}

/* Every page comes out with its own time, in order, also those before the first time word. */
static void test_recorded_pages(void **state)
{
    (void)state;
    static struct stream s;
    static const int prns[] = {15, 18, 21, 27, 30, 34};
    for (size_t k = 0; k < GN_COUNT(prns); k++) {
        if (!load("quick_6min_e1.csv", prns[k], 100000, &s)) {
            not_run("quick_6min_e1.csv");
            return;
        }
        struct nav_run *r = nav_run_open(-1);
        struct nav_chan ch = {
                .signal = GN_SIG_GAL_E1, .prn = (uint8_t)prns[k], .channel = 9, .life = 4};
        hear(r, &ch, &s, 0, s.n, 0, 3);
        uint32_t n = 0;
        for (int i = 0; i < s.n; i++) {
            if (!s.has[i])
                continue;
            assert_true(n < r->n_pages);
            const struct gn_msg_page *p = &r->pages[n++];
            assert_memory_equal(p->bits, s.pages[i], 30);
            assert_true(p->time_ok && p->wn == s.wn && p->tow_s == s.tow_0 + 2 * i);
            assert_true(p->symbol == (uint64_t)i * 500 && p->channel == 9);
        }
        assert_int_equal(n, r->n_pages);
        for (uint32_t i = 0; i < r->n_times; i++)
            assert_true(r->times[i].valid && r->times[i].life == 4 &&
                        (r->times[i].wn == -1 || r->times[i].wn == s.wn + 1024));
        print_message("E%02d: %u of %d pages, %u ephemerides, first after %.1f s, %u models\n",
                prns[k], r->n_pages, s.n, r->n_ephs,
                r->n_ephs > 0 ? (double)r->eph_at[0] / 1000 : -1.0, r->n_models);
        assert_true(r->n_ephs >= 1 && r->n_models >= 2);
        const struct gn_ephemeris *e = &r->ephs[r->n_ephs - 1].eph;
        assert_true(e->has_ced && e->prn == prns[k] && e->week == s.wn + 1024);
        GN_CHECK("18 is in a wrong orbit and set unhealthy", (e->health != 0) == (prns[k] == 18));
        nav_run_close(r);
    }
}

/* Tracking from 3 s after a sub-frame's start: words 17 to 20 stand in for word 2. */
static void test_reed_solomon_is_faster(void **state)
{
    (void)state;
    static struct stream s;
    if (!load("icd_configuration_2.csv.gz", 2, 300, &s)) {
        not_run("icd_configuration_2.csv.gz");
        return;
    }
    int first = (((s.tow_0 + 29) / 30) * 30 + 3 - s.tow_0) / 2;
    struct nav_run *r = nav_run_open(-1);
    struct nav_chan ch = {.signal = GN_SIG_GAL_E1, .prn = 2, .life = 1};
    hear(r, &ch, &s, first, first + 45, 0, 3);
    uint32_t i = 0;
    while (i < r->n_ephs && r->ephs[i].eph.source == GN_EPH_SRC_INAV_RED)
        i++;
    assert_true(i < r->n_ephs);
    print_message("complete %.1f s after the sub-frame's start, source %s; reduced %.1f s\n",
            3 + (double)r->eph_at[i] / 1000, gn_eph_source_names[r->ephs[i].eph.source],
            i > 0 ? 3 + (double)r->eph_at[0] / 1000 : -1.0);
    assert_int_equal(r->ephs[i].eph.source, GN_EPH_SRC_INAV_RS);
    assert_true(r->eph_at[i] <= 26000);
    assert_int_equal(r->n_ephs, i + 1); /* words as sent say the same: no second message */

    /* and they do say the same */
    uint8_t ced[4][16], word[16], word5[16] = {0};
    for (int k = first; k < first + 45; k++) {
        unsigned type = gn_inav_word(s.pages[k], word);
        if (type >= 1 && type <= 4)
            memcpy(ced[type - 1], word, 16);
        if (type == 5)
            memcpy(word5, word, 16);
    }
    struct gn_ephemeris direct = {0};
    gn_inav_ced_read((const uint8_t(*)[16])ced, word5, &direct);
    assert_memory_equal(direct.ced, r->ephs[i].eph.ced, sizeof direct.ced);
    nav_run_close(r);
}

/* A channel is lost and another takes over: words of both make the ephemeris. */
static void test_two_lives(void **state)
{
    (void)state;
    static struct stream s;
    if (!load("icd_configuration_2.csv.gz", 2, 300, &s)) {
        not_run("icd_configuration_2.csv.gz");
        return;
    }
    struct nav_run *r = nav_run_open(-1);
    struct nav_chan a = {.signal = GN_SIG_GAL_E1, .prn = 2, .channel = 1, .life = 1};
    struct nav_chan b = {.signal = GN_SIG_GAL_E1, .prn = 2, .channel = 2, .life = 1};
    hear(r, &a, &s, 0, 9, 120, 3);
    hear(r, &b, &s, 10, 16, 0, 3);
    bool whole = false;
    for (uint32_t i = 0; i < r->n_ephs; i++)
        whole = whole || r->ephs[i].eph.source != GN_EPH_SRC_INAV_RED;
    assert_true(whole);
    nav_run_close(r);
}

/* Own pages: words in the given order from tow_0 on. */
static void make(struct stream *s, const struct gn_ephemeris *eph, int wn, int tow_0,
        const uint8_t *order, int n)
{
    static const double nequick[8] = {80, 0.1, 0.01, 0, 0, 0, 0, 0},
                        utc[8] = {1e-9, 0, 18, 345600, 1423, 1161, 7, 18};
    static const double ggto[4] = {2e-9, 1e-15, 345600, 1423};
    uint8_t ced[4][16], rs[4][16];
    assert_true(gn_inav_ced_write(eph, ced));
    gn_inav_rs_write((const uint8_t(*)[16])ced, rs);
    *s = (struct stream){.wn = wn, .tow_0 = tow_0, .n = n};
    for (int i = 0; i < n; i++) {
        uint8_t word[16] = {0};
        uint32_t tow = (uint32_t)(tow_0 + 2 * i) % GN_WEEK_S;
        int32_t week = wn + (tow_0 + 2 * i) / GN_WEEK_S;
        struct gn_ephemeris red;
        unsigned type = order[i];
        gn_inav_reduce(eph, tow, &red);
        if (type == 0)
            gn_inav_word0_write(week, tow, word);
        else if (type <= 4)
            memcpy(word, ced[type - 1], 16);
        else if (type == 5)
            assert_true(gn_inav_word5_write(eph, nequick, week, tow, word));
        else if (type == 6)
            assert_true(gn_inav_word6_write(utc, tow, word));
        else if (type == 10)
            assert_true(gn_inav_word10_write(ggto, word));
        else if (type == 16)
            assert_true(gn_inav_reduced_write(&red, word));
        else if (type >= 17 && type <= 20)
            memcpy(word, rs[type - 17], 16);
        else
            gn_inav_filler_write(63, word);
        gn_inav_page_build(word, NULL, s->pages[i]);
        s->has[i] = 1;
    }
}

static const uint8_t nominal[15] = {2, 4, 6, 10, 63, 17, 19, 16, 0, 63, 1, 3, 5, 0, 16};

static void test_own_pages(void **state)
{
    (void)state;
    static struct stream s;
    struct gn_ephemeris eph = nav_gal_eph(36);
    eph.health = 2 << 1 | 1;
    make(&s, &eph, 1423, 86401, nominal, 15);
    struct nav_run *r = nav_run_open(-1);
    struct nav_chan ch = {.signal = GN_SIG_GAL_E1, .prn = 36, .life = 1};
    hear(r, &ch, &s, 0, 15, 0, 3);
    const struct gn_ephemeris *e = &r->ephs[r->n_ephs - 1].eph;
    assert_int_equal(e->source, GN_EPH_SRC_INAV);
    assert_int_equal(e->prn, 36);
    assert_int_equal(e->health, 5);
    assert_int_equal(e->ura_sisa, 107);
    assert_int_equal(e->iode, 0x2A7);
    assert_int_equal(e->week, 2447);
    GN_NEAR("toe", e->toe_s, eph.toe_s, 0);
    GN_NEAR("m0", e->m0_rad, eph.m0_rad, 1e-9);
    GN_NEAR("bgd", e->tgd_s, eph.tgd_s, 0x1p-33);
    assert_int_equal(r->n_models, 3); /* UTC, GGTO, NeQuick */
    assert_int_equal(r->models[1].kind, GN_MODEL_GGTO);
    GN_NEAR("GGTO week", r->models[1].v[3], 2447, 0);
    GN_NEAR("UTC week", r->models[0].v[4], 2447, 0);
    nav_run_close(r);
}

/* toe 0 of the next week; and the week goes on by itself */
static void test_end_of_week(void **state)
{
    (void)state;
    static struct stream s;
    struct gn_ephemeris eph = nav_gal_eph(11);
    eph.toe_s = eph.toc_s = 0;
    make(&s, &eph, 1423, 604781, nominal, 15);
    struct nav_run *r = nav_run_open(-1);
    struct nav_chan ch = {.signal = GN_SIG_GAL_E1, .prn = 11, .life = 1};
    hear(r, &ch, &s, 0, 15, 0, 3);
    assert_int_equal(r->ephs[r->n_ephs - 1].eph.week, 2448);
    assert_int_equal(r->times[r->n_times - 1].wn, 2448);
    GN_NEAR("tow", r->times[r->n_times - 1].tow_s, 9, 0);
    assert_int_equal(r->pages[0].wn, 1423);
    nav_run_close(r);
}

/* A Galileo week gives GPS its era. */
static void test_era_for_gps(void **state)
{
    (void)state;
    static struct stream s;
    static uint8_t bits[1800];
    float soft[1800];
    struct gn_ephemeris gal = nav_gal_eph(11), gps = nav_gps_eph(5);
    struct gn_lnav_source src = {.eph = &gps};
    make(&s, &gal, 1251, 277201, nominal, 15);
    nav_gps_bits(&src, 2275, 46200, 6, bits);
    struct nav_run *r = nav_run_open(-1);
    struct nav_chan a = {.signal = GN_SIG_GAL_E1, .prn = 11, .channel = 1, .life = 1};
    struct nav_chan b = {.signal = GN_SIG_GPS_L1CA, .prn = 5, .channel = 2, .life = 1};
    hear(r, &a, &s, 0, 15, 0, 3);
    for (unsigned i = 0; i < 1800; i++)
        soft[i] = bits[i] != 0 ? -1 : 1;
    nav_run_feed(r, &b, soft, 1800);
    const struct gn_ephemeris *e = &r->ephs[r->n_ephs - 1].eph;
    assert_true(e->signal == GN_SIG_GPS_L1CA && e->week == 2275);
    nav_run_close(r);
}

/* Words of two issues, a satellite number that is not its own, words whose satellite is another */
static void test_not_believed(void **state)
{
    (void)state;
    static struct stream s, other;
    struct gn_ephemeris eph = nav_gal_eph(11), next = eph;
    next.iode = next.iodc = 0x2A8;
    next.m0_rad = -1;
    make(&s, &eph, 1423, 86401, nominal, 15);
    make(&other, &next, 1423, 86401, nominal, 15);
    memcpy(s.pages[10], other.pages[10], 30); /* word 1 */
    s.has[5] = s.has[6] = 0;                  /* no parity words */
    struct nav_run *r = nav_run_open(-1);
    struct nav_chan ch = {.signal = GN_SIG_GAL_E1, .prn = 11, .life = 1};
    hear(r, &ch, &s, 0, 15, 0, 3);
    for (uint32_t i = 0; i < r->n_ephs; i++)
        assert_int_equal(r->ephs[i].eph.source, GN_EPH_SRC_INAV_RED);
    nav_run_close(r);

    make(&s, &eph, 1423, 86401, nominal, 15);
    r = nav_run_open(-1);
    ch = (struct nav_chan){.signal = GN_SIG_GAL_E1, .prn = 12, .life = 1};
    hear(r, &ch, &s, 0, 15, 0, 3);
    for (uint32_t i = 0; i < r->n_ephs; i++)
        assert_int_equal(r->ephs[i].eph.source, GN_EPH_SRC_INAV_RED);
    nav_run_close(r);
}

/* Two symbols lost without a word: times are withdrawn and said anew. Polarity turns on the way. */
static void test_slip_and_half_cycle(void **state)
{
    (void)state;
    static struct stream s;
    static float soft[45 * 500];
    uint8_t order[45];
    uint32_t seed = 3;
    struct gn_ephemeris eph = nav_gal_eph(11);
    for (unsigned i = 0; i < 45; i++)
        order[i] = nominal[i % 15];
    make(&s, &eph, 1423, 86401, order, 45);
    for (int i = 0; i < 45; i++)
        page_symbols(s.pages[i], 3, &seed, soft + 500 * i);
    for (size_t i = 5250; i < sizeof soft / sizeof *soft; i++)
        soft[i] = -soft[i];
    memmove(soft + 9100, soft + 9102, sizeof soft - 9102 * sizeof *soft);
    struct nav_run *r = nav_run_open(-1);
    struct nav_chan ch = {.signal = GN_SIG_GAL_E1, .prn = 11, .life = 1};
    nav_run_feed(r, &ch, soft, sizeof soft / sizeof *soft - 2);
    unsigned n_withdrawn = 0;
    for (uint32_t i = 0; i < r->n_times; i++)
        n_withdrawn += r->times[i].valid == 0;
    assert_int_equal(n_withdrawn, 1);
    const struct gn_msg_nav_time *last = &r->times[r->n_times - 1];
    GN_NEAR("time after the slip", last->tow_s - 0.004 * (double)last->symbol, 86401.008, 1e-6);
    print_message("%u of 45 pages\n", r->n_pages);
    assert_true(r->n_pages >= 43);
    nav_run_close(r);
}

static void test_weak_pages(void **state)
{
    (void)state;
    static struct stream s;
    uint8_t order[150];
    struct gn_ephemeris eph = nav_gal_eph(11);
    for (unsigned i = 0; i < 150; i++)
        order[i] = nominal[i % 15];
    make(&s, &eph, 1423, 86401, order, 150);
    /* E1-B at 25 dB-Hz: half of a total of 28 */
    struct nav_run *r = nav_run_open(-1);
    struct nav_chan ch = {.signal = GN_SIG_GAL_E1, .prn = 11, .life = 1};
    hear(r, &ch, &s, 0, 150, 70, 1.59f);
    print_message("E1-B at 25 dB-Hz: %u of 150 pages\n", r->n_pages);
    assert_true(r->n_pages >= 145);
    nav_run_close(r);
    r = nav_run_open(-1);
    ch = (struct nav_chan){.signal = GN_SIG_GAL_E1, .prn = 11, .life = 1};
    hear(r, &ch, &s, 0, 150, 0, 0);
    assert_int_equal(r->n_pages + r->n_times, 0);
    nav_run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_recorded_pages),
            cmocka_unit_test(test_reed_solomon_is_faster),
            cmocka_unit_test(test_two_lives),
            cmocka_unit_test(test_own_pages),
            cmocka_unit_test(test_end_of_week),
            cmocka_unit_test(test_era_for_gps),
            cmocka_unit_test(test_not_believed),
            cmocka_unit_test(test_slip_and_half_cycle),
            cmocka_unit_test(test_weak_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
