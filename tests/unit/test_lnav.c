/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* GPS L1 C/A navigation data through decode.nav: what is believed, when, and what is not. */
#include "lib/nav/lnav.h"

#include "gnomon/status.h"
#include "lib/bits/bits.h"
#include "lib/nav/lnav_set.h"
#include "tests/support/nav_run.h"

#include <math.h>

#define WEEK  2275
#define COUNT 46200 /* 277200 s: sub-frame 1 */
#define N_MAX (300 * 30)

static void near_ephemeris(
        const char *name, const struct gn_ephemeris *a, const struct gn_ephemeris *b)
{
    GN_NEAR(name, a->toe_s, b->toe_s, 0);
    GN_NEAR(name, a->toc_s, b->toc_s, 0);
    GN_NEAR(name, a->sqrt_a, b->sqrt_a, 0x1p-20);
    GN_NEAR(name, a->e, b->e, 0x1p-34);
    GN_NEAR(name, a->i0_rad, b->i0_rad, 1e-9);
    GN_NEAR(name, a->idot_rps, b->idot_rps, 2e-13);
    GN_NEAR(name, a->omega0_rad, b->omega0_rad, 1e-9);
    GN_NEAR(name, a->omegadot_rps, b->omegadot_rps, 2e-13);
    GN_NEAR(name, a->omega_rad, b->omega_rad, 1e-9);
    GN_NEAR(name, a->m0_rad, b->m0_rad, 1e-9);
    GN_NEAR(name, a->delta_n_rps, b->delta_n_rps, 2e-13);
    GN_NEAR(name, a->cuc_rad, b->cuc_rad, 0x1p-30);
    GN_NEAR(name, a->cus_rad, b->cus_rad, 0x1p-30);
    GN_NEAR(name, a->crc_m, b->crc_m, 0x1p-6);
    GN_NEAR(name, a->crs_m, b->crs_m, 0x1p-6);
    GN_NEAR(name, a->cic_rad, b->cic_rad, 0x1p-30);
    GN_NEAR(name, a->cis_rad, b->cis_rad, 0x1p-30);
    GN_NEAR(name, a->af0_s, b->af0_s, 0x1p-32);
    GN_NEAR(name, a->af1, b->af1, 0x1p-44);
    GN_NEAR(name, a->af2, b->af2, 0);
    GN_NEAR(name, a->tgd_s, b->tgd_s, 0x1p-32);
    GN_CHECK(name, a->iode == b->iode && a->iodc == b->iodc && a->prn == b->prn);
    GN_CHECK(name, a->health == b->health && a->ura_sisa == b->ura_sisa);
}

/* The worked example every implementation is held to: parity of a TLM after 00 with preamble only,
 * by hand from IS-GPS-200N table 20-XIV: d = 1,5,7,8 set (0x8B0000). */
static void test_parity_by_hand(void **state)
{
    (void)state;
    /* d1 d5 d7 d8: D25 = d1^d5 = 0, D26 = d7 = 1, D27 = d1^d5^d7^d8 = 0, D28 = d5^d8 = 0, D29 =
     * d1^d5^d7 = 1, D30 = d5^d8 = 0 */
    assert_int_equal(gn_lnav_word_encode(0x8B0000, 0), 0x8B0000 << 6 | 0x12);
    uint32_t data;
    for (unsigned last = 0; last < 4; last++) {
        uint32_t raw = last << 30 | gn_lnav_word_encode(0xABCDEF, last);
        assert_true(gn_lnav_word_check(raw, &data) && data == 0xABCDEF);
        assert_true(gn_lnav_word_check(~raw, &data) && data == 0xABCDEF);
        for (unsigned b = 0; b < 32; b++)
            for (unsigned c = 0; c < b; c++)
                assert_false(gn_lnav_word_check(raw ^ 1u << b ^ 1u << c, &data));
    }
}

struct scene {
    struct gn_lnav_source src;
    struct gn_ephemeris eph;
    uint8_t bits[N_MAX];
    float soft[N_MAX];
};

/* Feed bits skip..n-1 of a stream that starts with sub-frame `count`. */
static struct nav_run *hear(struct scene *s, int32_t claimed_week, size_t skip, size_t n,
        float amplitude, bool upside_down)
{
    struct nav_run *r = nav_run_open(claimed_week);
    struct nav_chan ch = {.signal = GN_SIG_GPS_L1CA, .prn = s->eph.prn, .channel = 3, .life = 1};
    uint32_t seed = 11;
    for (size_t i = skip; i < n; i++)
        s->soft[i] = nav_soft(s->bits[i] ^ upside_down, amplitude, amplitude < 100 ? &seed : NULL);
    nav_run_feed(r, &ch, s->soft + skip, n - skip);
    return r;
}

static struct scene *scene(void)
{
    struct scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->eph = nav_gps_eph(8);
    s->src.eph = &s->eph;
    return s;
}

/* Tracking begins 1.2 s into sub-frame 1 (TLM and HOW lost): complete with the last bit of
 * sub-frame 3, 18 s after the start of sub-frame 1. */
static void test_backwards(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool upside_down;
        float amplitude;
        int32_t claimed, week;
    } rows[] = {
            {"clean", false, 100, -1, -1},
            {"inverted", true, 100, WEEK + 3, WEEK},
            {"28 dB-Hz", false, 5.0f, WEEK - 400, WEEK},
    };
    struct scene *s = scene();
    nav_gps_bits(&s->src, WEEK, COUNT, 6, s->bits);
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        struct nav_run *r =
                hear(s, rows[i].claimed, 58, 1500, rows[i].amplitude, rows[i].upside_down);
        GN_CHECK(rows[i].name, r->n_ephs == 1);
        near_ephemeris(rows[i].name, &r->ephs[0].eph, &s->eph);
        GN_CHECK(rows[i].name, r->ephs[0].eph.week == rows[i].week);
        GN_CHECK(rows[i].name, r->eph_at[0] <= (900 - 58 + 9) * 20);
        GN_CHECK(rows[i].name,
                r->n_pages == 5 && r->pages[0].word_type == 1 && r->pages[0].word_mask == 0x3FC);
        GN_CHECK(rows[i].name, r->pages[1].words_ok && r->pages[1].bits[0] == 0x8B);
        GN_CHECK(rows[i].name, r->n_times == 4 && r->times[0].valid && r->times[0].symbol == 242);
        GN_NEAR(rows[i].name, r->times[0].tow_s, 277206, 0);
        GN_CHECK(rows[i].name, r->times[3].wn == rows[i].week);
        nav_run_close(r);
    }
    free(s);
}

static void set(uint8_t *bits, size_t at, unsigned n, uint32_t v)
{
    for (unsigned i = 0; i < n; i++)
        bits[at + i] = (uint8_t)(v >> (n - 1 - i) & 1);
}

/* One sub-frame again, with data changed before parity. */
static void rewrite(struct scene *s, unsigned index, size_t data_at, unsigned n, uint32_t v)
{
    uint8_t data[30], sent[38];
    assert_true(gn_lnav_build(&s->src, WEEK, COUNT + index, data));
    assert_true(gn_bits_set(data, 240, data_at, n, v));
    gn_lnav_encode(data, sent);
    for (unsigned k = 0; k < 300; k++)
        s->bits[300 * index + k] = (uint8_t)(sent[k / 8] >> (7 - k % 8) & 1);
}

static void test_flags(void **state)
{
    (void)state;
    struct scene *s = scene();
    s->eph.health = 0x3F;
    s->eph.ura_sisa = 15;
    s->eph.fit_interval_flag = 1;
    s->src.alert = 1;
    nav_gps_bits(&s->src, WEEK, COUNT, 6, s->bits);
    struct nav_run *r = hear(s, WEEK, 0, 1500, 100, false);
    assert_int_equal(r->n_ephs, 1);
    assert_int_equal(r->ephs[0].eph.health, 0x3F);
    assert_int_equal(r->ephs[0].eph.ura_sisa, 15);
    assert_int_equal(r->ephs[0].eph.fit_interval_flag, 1);
    assert_int_equal(r->ephs[0].eph.alert, 1);
    nav_run_close(r);
    free(s);
}

/* Pieces of two issues never become one ephemeris. */
static void test_issues_do_not_mix(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned index;
        size_t at;
    } rows[] = {{"IODC in sub-frame 1", 0, 168}, {"IODE in sub-frame 2", 1, 48},
            {"IODE in sub-frame 3", 2, 216}};
    struct scene *s = scene();
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        nav_gps_bits(&s->src, WEEK, COUNT, 10, s->bits);
        rewrite(s, rows[i].index, rows[i].at, 8, 0x4C);
        struct nav_run *r = hear(s, WEEK, 0, 1500, 100, false);
        GN_CHECK(rows[i].name, r->n_ephs == 0);
        nav_run_close(r);
        r = hear(s, WEEK, 0, 3000, 100, false); /* good with the next cycle */
        GN_CHECK(rows[i].name, r->n_ephs == 1);
        near_ephemeris(rows[i].name, &r->ephs[0].eph, &s->eph);
        nav_run_close(r);
    }
    free(s);
}

/* The next issue arrives: nothing until its last sub-frame, then the new one, whole. */
static void test_change_of_issue(void **state)
{
    (void)state;
    struct scene *s = scene();
    nav_gps_bits(&s->src, WEEK, COUNT, 5, s->bits);
    struct gn_ephemeris old = s->eph;
    s->eph.iode = 0x4E;
    s->eph.iodc = 0x14E;
    s->eph.m0_rad = -1;
    s->eph.toe_s += 16;
    nav_gps_bits(&s->src, WEEK, COUNT + 5, 5, s->bits + 1500);
    struct nav_run *r = hear(s, WEEK, 0, 3000, 100, false);
    assert_int_equal(r->n_ephs, 2);
    near_ephemeris("old", &r->ephs[0].eph, &old);
    near_ephemeris("new", &r->ephs[1].eph, &s->eph);
    assert_true(r->eph_at[1] >= 2400 * 20);
    nav_run_close(r);
    free(s);
}

static void test_parity_error_in_word_5(void **state)
{
    (void)state;
    struct scene *s = scene();
    nav_gps_bits(&s->src, WEEK, COUNT, 10, s->bits);
    s->bits[300 + 4 * 30 + 7] ^= 1;
    struct nav_run *r = hear(s, WEEK, 0, 1500, 100, false);
    assert_int_equal(r->n_ephs, 0);
    assert_true(!r->pages[1].words_ok && r->pages[1].word_mask == 0x3EF);
    nav_run_close(r);
    r = hear(s, WEEK, 0, 3000, 100, false);
    assert_int_equal(r->n_ephs, 1);
    near_ephemeris("word 5 from the next cycle", &r->ephs[0].eph, &s->eph);
    nav_run_close(r);
    free(s);
}

/* Words 5 and 6 of sub-frames look like a TLM and HOW with good parity and a plausible time: the
 * time must go on by one sub-frame after sub-frame, so such a pair is not believed. */
static void test_false_preamble(void **state)
{
    (void)state;
    struct scene *s = scene();
    nav_gps_bits(&s->src, WEEK, COUNT, 10, s->bits);
    for (unsigned i = 0; i < 10; i++) {
        uint8_t data[30], sent[38];
        assert_true(gn_lnav_build(&s->src, WEEK, COUNT + i, data));
        (void)gn_bits_set(data, 240, 96, 24, 0x8B0000);
        (void)gn_bits_set(data, 240, 120, 24, 70001u << 7 | 1u << 2);
        gn_lnav_encode(data, sent);
        for (unsigned k = 0; k < 300; k++)
            s->bits[300 * i + k] = (uint8_t)(sent[k / 8] >> (7 - k % 8) & 1);
    }
    struct nav_run *r = hear(s, WEEK, 50, 3000, 100, false);
    assert_true(r->n_times > 5);
    for (unsigned i = 0; i < r->n_times; i++)
        GN_NEAR("time", r->times[i].tow_s - 0.02 * (double)r->times[i].symbol, 277200 + 50 * 0.02,
                1e-6);
    nav_run_close(r);
    free(s);
}

/* A slip of one bit: what was said about times is withdrawn and said anew. */
static void test_slip(void **state)
{
    (void)state;
    struct scene *s = scene();
    nav_gps_bits(&s->src, WEEK, COUNT, 20, s->bits);
    memmove(s->bits + 2000, s->bits + 2001, 4000 - 1);
    struct nav_run *r = hear(s, WEEK, 0, 5900, 100, false);
    unsigned n_withdrawn = 0;
    for (unsigned i = 0; i < r->n_times; i++)
        n_withdrawn += r->times[i].valid == 0;
    assert_int_equal(n_withdrawn, 1);
    const struct gn_msg_nav_time *last = &r->times[r->n_times - 1];
    GN_NEAR("time after the slip", last->tow_s - 0.02 * (double)last->symbol, 277200.02, 1e-6);
    nav_run_close(r);
    free(s);
}

static void test_noise_says_nothing(void **state)
{
    (void)state;
    struct scene *s = scene();
    struct nav_run *r = hear(s, WEEK, 0, N_MAX, 0, false);
    assert_int_equal(r->n_times + r->n_ephs + r->n_pages, 0);
    nav_run_close(r);
    free(s);
}

/* toe on the other side of the end of the week */
static void test_weeks(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int32_t week, claimed, week_toe;
        uint32_t tow_s;
        double toe_s;
    } rows[] = {
            {"toe in the next week", 2447, 2446, 2448, 603600, 0},
            {"toe in the last week", 2448, 2448, 2447, 600, 604784},
            {"ten bits say 710, recorded in 2013", 1734, 1734, 1734, 345600, 345600},
            {"ten bits say 710, nothing claimed", 1734, -1, -1, 345600, 345600},
            {"week 2048", 2048, 2047, 2048, 0, 7200},
            {"the next roll-over", 3072, 3071, 3072, 0, 7200},
    };
    struct scene *s = scene();
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        s->eph.toe_s = s->eph.toc_s = rows[i].toe_s;
        nav_gps_bits(&s->src, rows[i].week, rows[i].tow_s / 6, 6, s->bits);
        struct nav_run *r = hear(s, rows[i].claimed, 0, 1500, 100, false);
        GN_CHECK(rows[i].name, r->n_ephs == 1 && r->ephs[0].eph.week == rows[i].week_toe);
        GN_CHECK(rows[i].name, r->times[1].wn == (rows[i].claimed < 0 ? -1 : rows[i].week));
        nav_run_close(r);
    }
    free(s);
}

/* The week goes on by itself at its end. */
static void test_end_of_week(void **state)
{
    (void)state;
    struct scene *s = scene();
    s->eph.toe_s = s->eph.toc_s = 0;
    nav_gps_bits(&s->src, WEEK, 100795, 10, s->bits);
    struct nav_run *r = hear(s, WEEK, 0, 3000, 100, false);
    const struct gn_msg_nav_time *last = &r->times[r->n_times - 1];
    assert_int_equal(last->wn, WEEK + 1);
    GN_NEAR("second of week", last->tow_s, 24, 0);
    assert_int_equal(r->n_ephs, 1);
    assert_int_equal(r->ephs[0].eph.week, WEEK + 1);
    nav_run_close(r);
    free(s);
}

static void test_page_18(void **state)
{
    (void)state;
    static const double klobuchar[8] = {
            1.1e-8, 1.5e-8, -6e-8, -1.2e-7, 92160, 131072, -65536, -589824};
    static const double utc[8] = {-9e-10, 1e-15, 18, 147456, 2276, 2185, 7, 18};
    struct scene *s = scene();
    s->src.klobuchar = klobuchar;
    s->src.utc = utc;
    nav_gps_bits(&s->src, WEEK, 5 * (25 * 300 + 17), 6, s->bits);
    struct nav_run *r = hear(s, WEEK, 0, 1600, 100, false);
    assert_int_equal(r->n_models, 2);
    assert_int_equal(r->models[0].kind, GN_MODEL_KLOBUCHAR);
    for (unsigned i = 0; i < 8; i++) {
        static const double step[8] = {
                0x1p-30, 0x1p-27, 0x1p-24, 0x1p-24, 0x1p11, 0x1p14, 0x1p16, 0x1p16};
        GN_NEAR("klobuchar", r->models[0].v[i], klobuchar[i], step[i] / 2);
        GN_NEAR("utc", r->models[1].v[i], utc[i], i < 2 ? 0x1p-30 : 0);
    }
    nav_run_close(r);
    free(s);
}

/* Two satellites with the same data: the weaker is a cross-correlation, whichever is decoded first.
 */
static void test_cross_correlation(void **state)
{
    (void)state;
    struct scene *s = scene();
    nav_gps_bits(&s->src, WEEK, COUNT, 6, s->bits);
    for (unsigned ghost_first = 0; ghost_first < 2; ghost_first++) {
        struct nav_run *r = nav_run_open(WEEK);
        struct nav_chan real = {.signal = GN_SIG_GPS_L1CA, .prn = 8, .channel = 1, .life = 1};
        struct nav_chan ghost = {.signal = GN_SIG_GPS_L1CA, .prn = 2, .channel = 2, .life = 1};
        for (unsigned i = 0; i < 1500; i += 10) {
            float strong[10], weak[10];
            for (unsigned k = 0; k < 10; k++) {
                strong[k] = s->bits[i + k] != 0 ? -30 : 30;
                weak[k] = strong[k] / 15;
            }
            if (ghost_first)
                nav_run_feed(r, &ghost, weak, 10);
            nav_run_feed(r, &real, strong, 10);
            if (!ghost_first)
                nav_run_feed(r, &ghost, weak, 10);
        }
        assert_int_equal(r->n_ephs, ghost_first ? 3 : 1);
        for (uint32_t i = 0; i < r->n_ephs; i++)
            assert_true(r->ephs[i].eph.prn == 8 || i < 2);
        assert_true(!ghost_first || (r->ephs[1].eph.prn == 2 && r->ephs[1].eph.alert == 1));
        assert_int_equal(r->ephs[r->n_ephs - 1].eph.prn, 8);
        nav_run_close(r);
    }
    free(s);
}

/* Cutting the symbols otherwise changes nothing but the call in which things are said. */
static void test_any_cutting(void **state)
{
    (void)state;
    struct scene *s = scene();
    nav_gps_bits(&s->src, WEEK, COUNT, 12, s->bits);
    set(s->bits, 700, 20, 0x12345);
    struct nav_run *a = hear(s, WEEK, 17, 3600, 100, true);
    static const uint32_t chunks[] = {1, 7, 50};
    for (size_t i = 0; i < GN_COUNT(chunks); i++) {
        struct nav_run *b = nav_run_open(WEEK);
        struct nav_chan ch = {.signal = GN_SIG_GPS_L1CA, .prn = 8, .channel = 3, .life = 1};
        b->chunk = chunks[i];
        nav_run_feed(b, &ch, s->soft + 17, 3600 - 17);
        assert_true(a->n_pages == b->n_pages && a->n_ephs == b->n_ephs && a->n_times == b->n_times);
        assert_memory_equal(a->pages, b->pages, a->n_pages * sizeof *a->pages);
        assert_memory_equal(a->ephs, b->ephs, a->n_ephs * sizeof *a->ephs);
        assert_memory_equal(a->times, b->times, a->n_times * sizeof *a->times);
        nav_run_close(b);
    }
    nav_run_close(a);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_parity_by_hand),
            cmocka_unit_test(test_backwards),
            cmocka_unit_test(test_flags),
            cmocka_unit_test(test_issues_do_not_mix),
            cmocka_unit_test(test_change_of_issue),
            cmocka_unit_test(test_parity_error_in_word_5),
            cmocka_unit_test(test_false_preamble),
            cmocka_unit_test(test_slip),
            cmocka_unit_test(test_noise_says_nothing),
            cmocka_unit_test(test_weeks),
            cmocka_unit_test(test_end_of_week),
            cmocka_unit_test(test_page_18),
            cmocka_unit_test(test_cross_correlation),
            cmocka_unit_test(test_any_cutting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
