/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Every timed call of the profile does what it says, on all four curves; how fast is no matter of a test. */
#include "lib/osnma/profile.h"
#include "tests/support/gn_test.h"

#include <string.h>

static void test_all_curves(void **state)
{
    (void)state;
    for (unsigned i = 0; i < GN_PROFILE_SETS; i++) {
        const char *name = gn_osnma_curves[gn_profile_curves[i]].name;
        struct gn_profile_set set = {0};
        GN_CHECK(name, gn_profile_measure(gn_profile_curves[i], 10, &set) == GN_OK);
        for (unsigned f = 0; f < GN_PROFILE_FUNCTIONS; f++) {
            GN_CHECK(gn_profile_names[f], set.ours[f].mean_us > 0 && set.ours[f].median_us > 0);
            GN_CHECK(gn_profile_names[f], set.bare[f].mean_us > 0 && set.ours[f].accuracy_pct >= 0);
        }
        for (unsigned p = 0; p < GN_PARTS; p++)
            GN_CHECK(gn_part_names[p], set.parts[p].mean_us > 0);
    }
}

static void test_ready_key(void **state)
{
    uint8_t point[33] = {2}, sig[64] = {0};
    (void)state;
    assert_null(gn_osnma_key_new(GN_OSNMA_P256, point, 32));
    assert_null(gn_osnma_key_new(GN_OSNMA_CURVE_NONE, point, 33));
    memset(point + 1, 0xff, 32);
    assert_null(gn_osnma_key_new(GN_OSNMA_P256, point, 33)); /* x is not below the prime */
    gn_osnma_key_free(NULL);
    /* the generator of P-256 (FIPS 186-4, D.1.2.3) is a point */
    static const uint8_t g[33] = {0x03, 0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc, 0xe6, 0xe5, 0x63, 0xa4,
            0x40, 0xf2, 0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb, 0x33, 0xa0, 0xf4, 0xa1, 0x39, 0x45, 0xd8, 0x98, 0xc2, 0x96};
    struct gn_osnma_ready_key *key = gn_osnma_key_new(GN_OSNMA_P256, g, sizeof g);
    assert_non_null(key);
    assert_int_equal(gn_osnma_key_verify(key, point, 33, sig, 63), GN_UNDECIDED);
    assert_int_equal(gn_osnma_key_verify(key, point, 33, sig, 64), GN_FORGED); /* r = s = 0 */
    gn_osnma_key_free(key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_curves), cmocka_unit_test(test_ready_key)};
    return cmocka_run_group_tests_name("osnma_profile", tests, NULL, NULL);
}
