/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Truth from outside: pages recorded from the real satellites and the official OSNMA vectors. What
 * the satellites computed (CRC, Reed-Solomon parity, reduced ephemeris) must be what we compute. */
#include "lib/nav/inav.h"

#include "gnomon/status.h"
#include "lib/bits/bits.h"
#include "lib/gnss/signal.h"
#include "lib/nav/inav_words.h"
#include "lib/nav/viterbi.h"
#include "tests/support/gn_test.h"
#include "tests/support/pages.h"

#include <math.h>

struct heard {
    uint8_t words[21][16];
    uint32_t tow[21];
    bool has[21];
};

static void position(const struct gn_ephemeris *e, double tow_s, double ecef_m[3])
{
    double a = e->sqrt_a * e->sqrt_a, dt = remainder(tow_s - e->toe_s, GN_WEEK_S);
    double m = e->m0_rad + (sqrt(GN_MU_GAL / (a * a * a)) + e->delta_n_rps) * dt, ecc = m;
    for (int i = 0; i < 20; i++)
        ecc = m + e->e * sin(ecc);
    double p = atan2(sqrt(1 - e->e * e->e) * sin(ecc), cos(ecc) - e->e) + e->omega_rad;
    double c = cos(2 * p), s = sin(2 * p), u = p + e->cuc_rad * c + e->cus_rad * s;
    double r = a * (1 - e->e * cos(ecc)) + e->crc_m * c + e->crs_m * s;
    double i = e->i0_rad + e->idot_rps * dt + e->cic_rad * c + e->cis_rad * s;
    double o = e->omega0_rad + (e->omegadot_rps - GN_OMEGA_E_RPS) * dt - GN_OMEGA_E_RPS * e->toe_s;
    ecef_m[0] = r * (cos(u) * cos(o) - sin(u) * cos(i) * sin(o));
    ecef_m[1] = r * (cos(u) * sin(o) + sin(u) * cos(i) * cos(o));
    ecef_m[2] = r * sin(u) * sin(i);
}

static double distance_m(const double a[3], const double b[3])
{
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

static double radius_m(const double a[3])
{
    static const double earth[3];
    return distance_m(a, earth);
}

struct tally {
    unsigned pages, bad_crc, dummies, ephemerides, rs_checked, reduced, times;
    double worst_reduced_m, worst_range_m, worst_own_m;
};

static bool has_one_set(const struct heard *h)
{
    for (unsigned i = 1; i <= 4; i++)
        if (!h->has[i] || gn_inav_iod(h->words[i]) != gn_inav_iod(h->words[1]))
            return false;
    return h->has[5];
}

static void check_ephemeris(const struct gn_ephemeris *e, const struct heard *h, int prn)
{
    uint8_t again[4][16], word5[16];
    double nequick[8];
    int32_t wn;
    uint32_t tow;
    GN_CHECK("svid", gn_inav_svid(h->words[4]) == (unsigned)prn);
    GN_CHECK("orbit", e->sqrt_a > 5285 && e->sqrt_a < 5445 && e->e < 0.2);
    GN_CHECK("inclination", e->i0_rad > 0.85 && e->i0_rad < 1.05);
    GN_CHECK("group delay", fabs(e->tgd_s) < 60e-9 && fabs(e->bgd_e5a_s) < 60e-9);
    struct gn_ephemeris copy = *e;
    copy.prn = (uint8_t)prn;
    GN_CHECK("writes back", gn_inav_ced_write(&copy, again));
    for (unsigned i = 0; i < 4; i++) /* but for the two spare bits of words 1, 2 and 4 */
        GN_CHECK("same bits",
                memcmp(again[i], h->words[i + 1], 15) == 0 &&
                        ((again[i][15] ^ h->words[i + 1][15]) & (i == 2 ? 0xFF : 0xFC)) == 0);
    gn_inav_nequick_read(h->words[5], nequick);
    GN_CHECK("ai0", nequick[0] > 0 && nequick[0] < 400);
    GN_CHECK("time", gn_inav_time_read(h->words[5], &wn, &tow));
    GN_CHECK("word 5", gn_inav_word5_write(e, nequick, wn, tow, word5));
    GN_CHECK(
            "word 5 bits", gn_bits_get(word5, 128, 0, 64) == gn_bits_get(h->words[5], 128, 0, 64) ||
                                   gn_bits_get(h->words[5], 128, 67, 6) != 0);
    GN_CHECK("word 5 bits",
            gn_bits_get(word5, 128, 73, 32) == gn_bits_get(h->words[5], 128, 73, 32));
}

static void check_reed_solomon(const struct heard *h, struct tally *t)
{
    uint8_t ced[4][16], rs[4][16];
    unsigned n = 0;
    memcpy(ced, h->words[1], sizeof ced);
    gn_inav_rs_write((const uint8_t(*)[16])ced, rs);
    for (unsigned i = 0; i < 4; i++) {
        if (!h->has[17 + i] ||
                gn_bits_get(h->words[17 + i], 128, 14, 2) != (gn_inav_iod(ced[0]) & 3))
            return;
        n += memcmp(rs[i], h->words[17 + i], 16) == 0;
    }
    t->rs_checked++;
    GN_CHECK("parity words as sent", n == 4);
}

static void check_reduced(const struct gn_ephemeris *full, const struct heard *h, struct tally *t)
{
    struct gn_ephemeris red, own;
    double a[3], b[3], c[3];
    uint8_t word[16];
    double at_s = h->tow[16] + 15.0, dt = remainder(at_s - full->toc_s, GN_WEEK_S);
    gn_inav_reduced_read(h->words[16], h->tow[16], &red);
    position(full, at_s, a);
    position(&red, at_s, b);
    t->reduced++;
    t->worst_reduced_m = fmax(t->worst_reduced_m, distance_m(a, b));
    double clock = full->af0_s + full->af1 * dt - red.af0_s - red.af1 * (at_s - red.toc_s);
    /* what a user sees: radius and clock together */
    double range_m = radius_m(b) - radius_m(a) + clock * GN_C_MPS;
    t->worst_range_m = fmax(t->worst_range_m, fabs(range_m));
    gn_inav_reduce(full, h->tow[16], &own);
    GN_CHECK("own word 16", gn_inav_reduced_write(&own, word));
    gn_inav_reduced_read(word, h->tow[16], &own);
    position(&own, at_s, c);
    clock = full->af0_s + full->af1 * dt - own.af0_s - own.af1 * (at_s - own.toc_s);
    range_m = radius_m(c) - radius_m(a) + clock * GN_C_MPS;
    t->worst_own_m = fmax(t->worst_own_m, fabs(range_m));
}

static void take_page(struct heard *h, const struct gn_test_page *p, struct tally *t)
{
    uint8_t word[16], again[30];
    struct gn_inav_extra extra;
    t->pages++;
    if (!gn_inav_page_is_good(p->bits)) {
        t->bad_crc++;
        return;
    }
    unsigned type = gn_inav_word(p->bits, word);
    t->dummies += type == 63;
    if (type == GN_INAV_WORD_ALERT)
        return;
    gn_inav_extra(p->bits, &extra);
    gn_inav_page_build(word, &extra, again);
    GN_CHECK("page builds", memcmp(again, p->bits, 30) == 0);
    int32_t wn;
    uint32_t tow;
    if (gn_inav_time_read(word, &wn, &tow) && p->sig == 1) {
        t->times++;
        GN_CHECK("time is the page's start", (int)tow == p->tow && (wn < 0 || wn == p->wn % 4096));
    }
    if (type > 20)
        return;
    memcpy(h->words[type], word, 16);
    h->tow[type] = (uint32_t)p->tow;
    h->has[type] = true;
    if (!has_one_set(h) || (type != 16 && type != 20 && type > 5) || type == 0)
        return;
    uint8_t ced[4][16];
    struct gn_ephemeris eph = {0};
    memcpy(ced, h->words[1], sizeof ced);
    gn_inav_ced_read((const uint8_t(*)[16])ced, h->words[5], &eph);
    t->ephemerides++;
    check_ephemeris(&eph, h, p->prn);
    if (type == 20)
        check_reed_solomon(h, t);
    if (type == 16)
        check_reduced(&eph, h, t);
}

static void run_file(const char *name, unsigned n_max, struct tally *t)
{
    static struct heard heard[37];
    struct gn_test_page p;
    memset(heard, 0, sizeof heard);
    gzFile f = gn_test_data() != NULL ? gn_test_pages_open(gn_test_data(), name) : NULL;
    if (f == NULL) {
        print_message("not run: %s is not here\n", name);
        skip();
    }
    while (t->pages < n_max && gn_test_page_next(f, &p))
        if (p.prn >= 1 && p.prn <= 36 && p.sig == 1)
            take_page(&heard[p.prn], &p, t);
    gzclose(f);
    print_message("%s: %u pages, %u bad CRC, %u dummies, %u times, %u sets, %u RS, %u reduced "
                  "(%.1f m, with clock %.1f m; ours %.1f m)\n",
            name, t->pages, t->bad_crc, t->dummies, t->times, t->ephemerides, t->rs_checked,
            t->reduced, t->worst_reduced_m, t->worst_range_m, t->worst_own_m);
}

static void test_live_pages(void **state)
{
    (void)state;
    struct tally t = {0};
    run_file("quick_6min_e1.csv", UINT32_MAX, &t);
    assert_true(t.ephemerides > 100 && t.rs_checked > 20 && t.reduced > 20 && t.times > 100);
    /* the axis has steps of 256 m, angles of 0.75e-6 rad (22 m), the clock of 4.5 m */
    assert_true(t.worst_reduced_m < 150 && t.worst_range_m < 10 && t.worst_own_m < 10);
}

static void test_official_pages(void **state)
{
    (void)state;
    struct tally t = {0};
    run_file("icd_configuration_2.csv.gz", 40000, &t);
    assert_true(t.ephemerides > 100);
}

/* Every choice of four or more of the eight words gives words 1 to 4; three never do. */
static void test_rs_any_four(void **state)
{
    (void)state;
    uint8_t all[8][16], words[8][16];
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned k = 0; k < 16; k++)
            all[i][k] = (uint8_t)(31 * i + 77 * k + k * k);
        (void)gn_bits_set(all[i], 128, 0, 16, (i + 1) << 10 | 0x2A7);
    }
    gn_inav_rs_write((const uint8_t(*)[16])all, all + 4);
    for (unsigned mask = 0; mask < 256; mask++) {
        bool has[8];
        memcpy(words, all, sizeof words);
        for (unsigned i = 0; i < 8; i++) {
            has[i] = (mask >> i & 1) != 0;
            if (!has[i])
                memset(words[i], 0xEE, 16);
        }
        bool enough = __builtin_popcount(mask) >= 4, ok = gn_inav_rs_fill(words, has);
        GN_CHECK("enough", ok == enough);
        GN_CHECK("words", !ok || memcmp(words, all, 64) == 0);
    }
    bool has[8] = {false, true, true, true, true, true, true, true};
    memcpy(words, all, sizeof words);
    words[5][9] ^= 4;
    GN_CHECK("a contradiction is seen", !gn_inav_rs_fill(words, has));
}

static uint32_t rng(uint32_t *s)
{
    *s = *s * 1664525u + 1013904223u;
    return *s >> 8;
}

static double gauss(uint32_t *s)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += rng(s) / 16777216.0;
    return sum - 6;
}

static void test_symbols_there_and_back(void **state)
{
    (void)state;
    uint8_t word[16], page[30], symbols[500], back[30];
    float soft[500];
    uint32_t seed = 7;
    unsigned good = 0;
    for (unsigned trial = 0; trial < 200; trial++) {
        for (unsigned k = 0; k < 16; k++)
            word[k] = (uint8_t)rng(&seed);
        word[0] &= 0xFB;
        gn_inav_page_build(word, NULL, page);
        gn_inav_page_encode(page, symbols);
        assert_memory_equal(symbols, gn_inav_sync, 10);
        assert_memory_equal(symbols + 250, gn_inav_sync, 10);
        /* Es/N0 = 1 dB: E1-B at 25 dB-Hz */
        for (unsigned k = 0; k < 500; k++)
            soft[k] = (float)((symbols[k] != 0 ? -1 : 1) * 1.59 + gauss(&seed));
        (void)gn_inav_part_decode(soft + 10, back);
        (void)gn_inav_part_decode(soft + 260, back + 15);
        good += gn_inav_page_is_good(back) && memcmp(back, page, 30) == 0;
    }
    print_message("pages at Es/N0 1 dB: %u of 200\n", good);
    assert_true(good > 185);
}

/* Symbols of the ICD's encoder for an impulse: taps of 171 and 133 in order, second branch
 * inverted. */
static void test_impulse_response(void **state)
{
    (void)state;
    static const uint8_t one[1] = {0x80}, want1[7] = {1, 1, 1, 1, 0, 0, 1},
                         want2[7] = {1, 0, 1, 1, 0, 1, 1};
    uint8_t symbols[16];
    unsigned memory = 0;
    gn_conv_encode(GN_CONV_INVERTED_G2, one, 7, &memory, symbols);
    for (unsigned i = 0; i < 7; i++) {
        assert_int_equal(symbols[2 * i], want1[i]);
        assert_int_equal(symbols[2 * i + 1], !want2[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_live_pages),
            cmocka_unit_test(test_official_pages),
            cmocka_unit_test(test_rs_any_four),
            cmocka_unit_test(test_symbols_there_and_back),
            cmocka_unit_test(test_impulse_response),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
