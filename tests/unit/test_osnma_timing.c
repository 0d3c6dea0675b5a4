/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The covered bits of ADKD 4 laid out by hand: Galileo OS SIS ICD 2.1, words 6 and 10. */
#include "tests/support/gn_test.h"
#include "lib/bits/bits.h"
#include "lib/osnma/timing.h"

#include <math.h>

static struct gn_msg_osnma_data data_of(const uint64_t v[12])
{
    static const uint8_t n[12] = {32, 24, 8, 8, 8, 8, 3, 8, 16, 12, 8, 6};
    struct gn_msg_osnma_data d = {.adkd = 4, .authentic = 1, .prn = 7, .content_bits = 141, .data = "01234567"};
    size_t at = 0;
    for (unsigned i = 0; i < 12; i++) {
        assert_true(gn_bits_set(d.content, 8 * sizeof d.content, at, n[i], v[i]));
        at += n[i];
    }
    assert_int_equal(at, 141);
    return d;
}

static void test_fields(void **state)
{
    static const uint64_t v[12] = {0xfffffffe, 3, 18, 100, 200, 150, 7, 0xff, 0x8000, 0xfff, 50, 33};
    struct gn_msg_osnma_data d = data_of(v);
    struct gn_msg_osnma_time t = {0};
    (void)state;
    assert_true(gn_osnma_timing(&d, &t));
    assert_true(fabs(t.utc_a0_s + 2 / 1073741824.0) < 1e-18 && fabs(t.utc_a1_sps - 3 / 1125899906842624.0) < 1e-24);
    assert_true(t.leap_s == 18 && t.leap_next_s == -1 && t.leap_dn == 7 && t.leap_wn8 == 150 && t.utc_wn8 == 200);
    assert_true(t.utc_t0_s == 360000 && t.ggto_t0_s == 180000 && t.ggto_wn6 == 33 && t.has_ggto == 1 && t.prn == 7);
    assert_true(fabs(t.ggto_a0_s + 32768 / 34359738368.0) < 1e-15 && t.ggto_a1_sps < 0);
    d.authentic = 0; /* nothing comes from data nobody vouches for */
    assert_false(gn_osnma_timing(&d, &t));
    d.authentic = 1;
    d.adkd = 0;
    assert_false(gn_osnma_timing(&d, &t));
}

static void test_no_ggto(void **state)
{
    static const uint64_t v[12] = {0, 0, 18, 0, 0, 0, 1, 18, 0xffff, 0xfff, 0xff, 0x3f};
    struct gn_msg_osnma_data d = data_of(v);
    struct gn_msg_osnma_time t = {0};
    (void)state;
    assert_true(gn_osnma_timing(&d, &t));
    assert_true(t.has_ggto == 0 && t.ggto_a0_s == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fields), cmocka_unit_test(test_no_ggto)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
