/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "tests/support/gn_test.h"

#include "lib/gnss/codes.h"
#include "lib/gnss/signal.h"

/* First ten chips in octal, logic levels: IS-GPS-200N tables 3-Ia and 3-Ib */
static const unsigned gps_octal[] = {01440, 01620, 01710, 01744, 01133, 01455, 01131, 01454, 01626,
        01504, 01642, 01750, 01764, 01772, 01775, 01776, 01156, 01467, 01633, 01715, 01746, 01763,
        01063, 01706, 01743, 01761, 01770, 01774, 01127, 01453, 01625, 01712};
static const unsigned sbas_octal[] = {0671, 0536, 01510, 01545, 0160, 0701, 0013, 01060, 0245, 0527,
        01436, 01226, 01257, 0046, 01071, 0561, 01037, 0770, 01327};

static unsigned first_ten(unsigned signal, unsigned prn)
{
    int8_t chips[1023];
    unsigned octal = 0;
    assert_int_equal(gn_code_chips(signal, GN_CODE_DATA, prn, chips, 1023), GN_OK);
    for (int i = 0; i < 10; i++)
        octal = octal << 1 | (chips[i] < 0);
    return octal;
}

static void test_first_ten_chips(void **state)
{
    (void)state;
    for (unsigned i = 0; i < GN_COUNT(gps_octal); i++)
        assert_int_equal(first_ten(GN_SIG_GPS_L1CA, i + 1), gps_octal[i]);
    for (unsigned i = 0; i < GN_COUNT(sbas_octal); i++)
        assert_int_equal(first_ten(GN_SIG_SBAS_L1, i + 120), sbas_octal[i]);
}

/* Gold codes: balanced by one chip, periodic autocorrelation and cross-correlation in {-65, -1, 63} */
static void test_gold_property(void **state)
{
    (void)state;
    static const struct {
        unsigned signal, prn;
    } sats[] = {{GN_SIG_GPS_L1CA, 1}, {GN_SIG_GPS_L1CA, 32}, {GN_SIG_SBAS_L1, 120},
            {GN_SIG_SBAS_L1, 158}, {GN_SIG_GPS_L1CA, 193}, {GN_SIG_GPS_L1CA, 202}};
    int8_t chips[GN_COUNT(sats)][1023];
    for (unsigned i = 0; i < GN_COUNT(sats); i++)
        assert_int_equal(gn_code_chips(sats[i].signal, 0, sats[i].prn, chips[i], 1023), GN_OK);
    for (unsigned a = 0; a < GN_COUNT(sats); a++)
        for (unsigned b = 0; b < GN_COUNT(sats); b++)
            for (unsigned lag = 0; lag < 1023; lag++) {
                int sum = 0;
                for (unsigned i = 0; i < 1023; i++)
                    sum += chips[a][i] * chips[b][(i + lag) % 1023];
                if (a == b && lag == 0)
                    assert_int_equal(sum, 1023);
                else
                    assert_true(sum == -65 || sum == -1 || sum == 63);
            }
}

/* The ICD's codes are balanced (the sum of chips is 0) and start as annex C prints them. */
static void test_e1_codes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned component, prn;
        uint32_t head;
    } rows[] = {{"E1-B 1", GN_CODE_DATA, 1, 0xF5D71013}, {"E1-B 2", GN_CODE_DATA, 2, 0x96B856A6},
            {"E1-C 1", GN_CODE_PILOT, 1, 0xB39340CA}, {"E1-C 2", GN_CODE_PILOT, 2, 0xA64F94BB}};
    int8_t chips[4092];
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        uint32_t head = 0;
        assert_int_equal(gn_code_chips(GN_SIG_GAL_E1, rows[i].component, rows[i].prn, chips, 4092), 0);
        for (int k = 0; k < 32; k++)
            head = head << 1 | (chips[k] < 0);
        GN_CHECK(rows[i].name, head == rows[i].head);
    }
    for (unsigned prn = 1; prn <= 50; prn++)
        for (unsigned component = 0; component <= 1; component++) {
            int sum = 0;
            assert_int_equal(gn_code_chips(GN_SIG_GAL_E1, component, prn, chips, 4092), GN_OK);
            for (int i = 0; i < 4092; i++)
                sum += chips[i];
            assert_int_equal(sum, 0);
        }
}

static void test_cs25(void **state)
{
    (void)state;
    static const char bits[] = "0011100000001010110110010";
    for (int i = 0; i < GN_CS25_CHIPS; i++)
        assert_int_equal(gn_code_cs25[i], bits[i] == '1' ? -1 : 1);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        unsigned signal, component, prn;
        size_t n;
    } rows[] = {{GN_SIG_NONE, 0, 1, 1023}, {GN_SIG_GPS_L1CA, 0, 0, 1023}, {GN_SIG_GPS_L1CA, 0, 33, 1023},
            {GN_SIG_GPS_L1CA, 1, 1, 1023}, {GN_SIG_GPS_L1CA, 0, 1, 1022}, {GN_SIG_GPS_L1CA, 0, 203, 1023},
            {GN_SIG_SBAS_L1, 0, 119, 1023}, {GN_SIG_SBAS_L1, 0, 159, 1023}, {GN_SIG_GAL_E1, 0, 51, 4092},
            {GN_SIG_GAL_E1, 2, 1, 4092}, {GN_SIG_GAL_E1, 0, 1, 1023}, {99, 0, 1, 1023}};
    int8_t chips[4092] = {7};
    for (size_t i = 0; i < GN_COUNT(rows); i++)
        assert_int_equal(gn_code_chips(rows[i].signal, rows[i].component, rows[i].prn, chips, rows[i].n),
                GN_E_ARG);
    assert_int_equal(chips[0], 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_first_ten_chips),
            cmocka_unit_test(test_gold_property),
            cmocka_unit_test(test_e1_codes),
            cmocka_unit_test(test_cs25),
            cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
