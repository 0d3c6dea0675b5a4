/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* RTKLIB's decoders (Debian librtklib1, 2.4.3 b34) as a second opinion: the same sub-frames and
 * words must give the same numbers. Not run where the library is absent. */
#include "gnomon/status.h"
#include "lib/bits/bits.h"
#include "lib/nav/inav_words.h"
#include "lib/nav/lnav.h"
#include "tests/support/gn_test.h"
#include "tests/support/nav_run.h"
#include "tests/support/pages.h"

#include <dlfcn.h>
#include <math.h>
#include <time.h>

/* The library's eph_t and gtime_t as its documentation gives them; room behind, should it be
 * longer. */
struct rtk_time {
    time_t time;
    double sec;
};
struct rtk_eph {
    int sat, iode, iodc, sva, svh, week, code, flag;
    struct rtk_time toe, toc, ttr;
    double A, e, i0, OMG0, omg, M0, deln, OMGd, idot, crc, crs, cuc, cus, cic, cis, toes, fit, f0,
            f1, f2, tgd[6];
    char room[1024];
};

typedef int (*decode_frame_fn)(const uint8_t *, struct rtk_eph *, void *, double *, double *);
typedef int (*decode_inav_fn)(const uint8_t *, struct rtk_eph *, double *, double *);

static void *symbol(const char *name)
{
    void *lib =
            dlopen("libRTKLib.so.1", RTLD_LAZY | RTLD_LOCAL); /* it leaves symbols to its caller */
    if (lib == NULL) {
        print_message("not run: librtklib1 is not installed\n");
        skip();
    }
    return lib != NULL ? dlsym(lib, name) : NULL;
}

/* the library's constants are decimal: good to the last digit of a double but one */
#define NEAR(name_, got_, want_) GN_NEAR(name_, got_, want_, fabs((double)(want_)) * 1e-14)

static void same(const char *name, const struct gn_ephemeris *a, const struct rtk_eph *b)
{
    NEAR(name, a->sqrt_a * a->sqrt_a, b->A);
    NEAR(name, a->e, b->e);
    NEAR(name, a->i0_rad, b->i0);
    NEAR(name, a->omega0_rad, b->OMG0);
    NEAR(name, a->omega_rad, b->omg);
    NEAR(name, a->m0_rad, b->M0);
    NEAR(name, a->delta_n_rps, b->deln);
    NEAR(name, a->omegadot_rps, b->OMGd);
    NEAR(name, a->idot_rps, b->idot);
    NEAR(name, a->crc_m, b->crc);
    NEAR(name, a->crs_m, b->crs);
    NEAR(name, a->cuc_rad, b->cuc);
    NEAR(name, a->cus_rad, b->cus);
    NEAR(name, a->cic_rad, b->cic);
    NEAR(name, a->cis_rad, b->cis);
    NEAR(name, a->toe_s, b->toes);
    NEAR(name, a->af0_s, b->f0);
    NEAR(name, a->af1, b->f1);
    NEAR(name, a->af2, b->f2);
    GN_CHECK(name, a->iode == b->iode && a->iodc == b->iodc);
}

static void test_lnav(void **state)
{
    (void)state;
    static const double klobuchar[8] = {
            1.1e-8, 1.5e-8, -6e-8, -1.2e-7, 92160, 131072, -65536, -589824};
    static const double utc[8] = {-9e-10, 1e-15, 18, 147456, 200, 137, 7, 18};
    decode_frame_fn decode = (decode_frame_fn)(uintptr_t)symbol("decode_frame");
    if (decode == NULL)
        return;
    uint32_t seed = 1;
    for (unsigned trial = 0; trial < 200; trial++) {
        struct gn_ephemeris eph = nav_gps_eph(9), mine = {0};
        struct gn_lnav_source src = {.eph = &eph, .klobuchar = klobuchar, .utc = utc};
        uint8_t sf[5][30];
        struct rtk_eph rtk = {0};
        double ion[8], u[8];
        eph.ura_sisa = trial % 16;
        for (unsigned i = 0; i < 5; i++)
            (void)gn_lnav_build(&src, 2447, 5 * (25 * 300 + 17) + i, sf[i]);
        /* any bits but head, issue numbers and times */
        static const uint8_t free_words[] = {3, 4, 5, 6, 8};
        for (unsigned i = 0; i < 3 && trial > 0; i++)
            for (unsigned k = 0; k < sizeof free_words; k++)
                (void)gn_bits_set(sf[i], 240, (size_t)24 * free_words[k], 24, fake_random(&seed));
        assert_true(gn_lnav_ephemeris_read((const uint8_t(*)[30])sf, &mine));
        assert_int_equal(decode(sf[0], &rtk, NULL, ion, u), 1);
        same("LNAV", &mine, &rtk);
        NEAR("group delay", mine.tgd_s, rtk.tgd[0]);
        assert_int_equal(mine.health, rtk.svh);
        assert_int_equal(mine.ura_sisa, rtk.sva);

        double k18[8], u18[8];
        assert_true(gn_lnav_page18_read(sf[3], k18, u18));
        for (unsigned i = 0; i < 8; i++)
            NEAR("ionosphere", k18[i], ion[i]);
        NEAR("A0", u18[0], u[0]);
        NEAR("A1", u18[1], u[1]);
        NEAR("t_ot", u18[3], u[2]);
        NEAR("leap seconds", u18[2], u[4]);
    }
}

static void test_inav(void **state)
{
    (void)state;
    static uint8_t words[37][7][16];
    static unsigned have[37];
    decode_inav_fn decode = (decode_inav_fn)(uintptr_t)symbol("decode_gal_inav");
    gzFile f =
            gn_test_data() != NULL ? gn_test_pages_open(gn_test_data(), "quick_6min_e1.csv") : NULL;
    if (decode == NULL || f == NULL) {
        print_message("not run: quick_6min_e1.csv is not here\n");
        skip();
        return;
    }
    struct gn_test_page p;
    unsigned n = 0;
    while (gn_test_page_next(f, &p)) {
        uint8_t word[16];
        if (!gn_inav_page_is_good(p.bits) || p.prn < 1 || p.prn > 36)
            continue;
        unsigned type = gn_inav_word(p.bits, word);
        if (type > 6 || (type == 0 && word[0] != 0 && (word[0] & 3) != 2))
            continue;
        memcpy(words[p.prn][type], word, 16);
        have[p.prn] |= 1U << type;
        struct rtk_eph rtk = {0};
        double ion[8] = {0}, utc[8] = {0}, nequick[8];
        if (have[p.prn] != 0x7F || type != 5 || decode(words[p.prn][0], &rtk, ion, utc) == 0)
            continue;
        struct gn_ephemeris mine = {0};
        gn_inav_ced_read((const uint8_t(*)[16])(words[p.prn] + 1), words[p.prn][5], &mine);
        same("I/NAV", &mine, &rtk);
        NEAR("E5a group delay", mine.bgd_e5a_s, rtk.tgd[0]);
        NEAR("E5b group delay", mine.tgd_s, rtk.tgd[1]);
        assert_int_equal(mine.ura_sisa, rtk.sva);
        /* svh: E5b HS 2, DVS 1, E5a 3, E1-B HS 2, DVS 1 from the left */
        assert_int_equal(mine.health, rtk.svh & 7);
        gn_inav_nequick_read(words[p.prn][5], nequick);
        for (unsigned i = 0; i < 3; i++)
            NEAR("ionosphere", nequick[i], ion[i]);
        n++;
    }
    gzclose(f);
    print_message("%u ephemerides the same\n", n);
    assert_true(n > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_lnav),
            cmocka_unit_test(test_inav),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
