/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Expected numbers: calendar arithmetic by Python's datetime, IERS leap-seconds.list, and the week
 * roll-overs as announced by the system operators; none from this code. */
#include "lib/time/time.h"

#include "tests/support/gn_test.h"

#include <string.h>

static const struct {
    const char *text;
    int32_t week, tow_s; /* GPS */
    const char *utc;
} moments[] = {
        {"2013-04-04T00:00:00GPST", 1734, 345600, "2013-04-03T23:59:44Z"},
        {"2019-04-07T00:00:00GPST", 2048, 0, "2019-04-06T23:59:42Z"},
        {"2038-11-21T00:00:00GPST", 3072, 0, "2038-11-20T23:59:42Z"},
        {"2019-09-27T00:00:00GST", 1024 + 1048, 432000, "2019-09-26T23:59:42Z"},
        {"2026-11-30T00:00:00GPST", 2447, 86400, "2026-11-29T23:59:42Z"},
        {"2078-02-20T00:00:00GST", 1024 + 4096, 0, "2078-02-19T23:59:42Z"},
        {"2023-08-16T05:00:00GPST", 2275, 277200, "2023-08-16T04:59:42Z"},
        {"2016-12-31T23:59:60Z", 1930, 17, "2016-12-31T23:59:60Z"},
        {"2017-01-01T00:00:00Z", 1930, 18, "2017-01-01T00:00:00Z"},
        {"2016-12-31T23:59:59Z", 1930, 16, "2016-12-31T23:59:59Z"},
        {"2026-01-01T00:00:00UTC", 1024 + 1375, 345618, "2026-01-01T00:00:00Z"},
        {"2026-11-30T18:50:00Z", 1024 + 1423, 154218, "2026-11-30T18:50:00Z"},
        {"1980-01-06T00:00:00Z", 0, 0, "1980-01-06T00:00:00Z"},
        {"1980-01-06T00:00:19TAI", 0, 0, "1980-01-06T00:00:00Z"},
        {"1999-08-22T00:00:00GST", 1024, 0, "1999-08-21T23:59:47Z"},
        {"2024-02-29T12:00:00Z", 2303, 388818, "2024-02-29T12:00:00Z"},
};

static void test_moments(void **state)
{
    (void)state;
    for (size_t i = 0; i < GN_COUNT(moments); i++) {
        struct gn_time t = {0};
        struct gn_error err = {0};
        char utc[GN_TIME_TEXT];
        int32_t week = 0, tow_s = 0;
        GN_CHECK(moments[i].text, gn_time_parse(moments[i].text, &t, NULL, &err) == GN_OK);
        gn_gps_from_tai(t.tai_s, &week, &tow_s);
        GN_CHECK(moments[i].text, week == moments[i].week && tow_s == moments[i].tow_s);
        GN_CHECK(moments[i].text, gn_tai_from_gps(week, tow_s) == t.tai_s);
        GN_CHECK(moments[i].text, gn_tai_from_gst(week - 1024, tow_s) == t.tai_s);
        GN_CHECK(moments[i].text, gn_time_print(t, GN_TIME_UTC, 0, utc) == GN_OK);
        GN_CHECK(moments[i].text, strcmp(utc, moments[i].utc) == 0);
    }
}

static const struct {
    const char *text;
    int32_t column;
} refusals[] = {
        {"", 1},
        {"2023-08-16", 11},
        {"2023-08-16 05:00:00Z", 11},
        {"2023-08-16T05:00:00", 20},
        {"2023-08-16T05:00:00X", 20},
        {"2023-08-16T05:00:00.Z", 20},
        {"2023-08-16T05:00:00.1234567890123Z", 20},
        {"2023-02-29T05:00:00Z", 1},
        {"2023-13-01T05:00:00Z", 1},
        {"2023-08-16T24:00:00Z", 1},
        {"2023-08-16T05:00:60Z", 1},
        {"2016-12-31T23:59:60GPST", 1},
        {"2016-12-31T23:59:60TAI", 1},
        {"1979-12-31T00:00:00GPST", 1},
        {"1999-08-21T23:59:59GST", 1},
        {"1971-01-01T00:00:00Z", 1},
        {"2023-08-16T05:00:00ZZ", 20},
        {"2023-08-16T05:00:00+02:00", 20},
        {"2023-08-16T05:00:61Z", 1},
};

static void test_refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < GN_COUNT(refusals); i++) {
        struct gn_time t = {7, 7};
        struct gn_error err = {0};
        GN_CHECK(refusals[i].text, gn_time_parse(refusals[i].text, &t, NULL, &err) == GN_E_PARSE);
        GN_CHECK(refusals[i].text, err.column == refusals[i].column && err.text[0] != '\0');
        GN_CHECK(refusals[i].text, t.tai_s == 7 && t.frac_ps == 7);
    }
}

static void test_fraction(void **state)
{
    (void)state;
    struct gn_time t = {0};
    enum gn_time_scale scale = GN_TIME_NONE;
    char text[GN_TIME_TEXT];
    assert_int_equal(gn_time_parse("2023-08-16T05:00:00.1GPST", &t, &scale, NULL), GN_OK);
    assert_true(t.frac_ps == 100000000000ULL && scale == GN_TIME_GPST);
    assert_int_equal(gn_time_print(t, scale, 1, text), GN_OK);
    assert_string_equal(text, "2023-08-16T05:00:00.1GPST");
    assert_int_equal(gn_time_parse("2023-08-16T05:00:59.999999999999TAI", &t, &scale, NULL), GN_OK);
    assert_int_equal(gn_time_print(t, scale, 3, text), GN_OK);
    assert_string_equal(text, "2023-08-16T05:00:59.999TAI"); /* cut: :60 is never invented */
    assert_int_equal(gn_time_print(t, scale, 13, text), GN_E_ARG);
}

static void test_weeks(void **state)
{
    (void)state;
    assert_int_equal(gn_week_expand(710, 10, 1734), 1734);
    assert_int_equal(gn_week_expand(710, 10, 2700), 2758);
    assert_int_equal(gn_week_expand(710, 10, GN_WEEK_UNKNOWN), GN_WEEK_UNKNOWN);
    assert_int_equal(gn_week_expand(0, 10, 2047), 2048);
    assert_int_equal(gn_week_expand(1023, 10, 2048), 2047);
    assert_int_equal(gn_week_expand(0, 10, 3000), 3072);
    assert_int_equal(gn_week_expand(399, 10, 2447), 2447);
    assert_int_equal(gn_week_expand(0, 12, 4095), 4096);
    assert_int_equal(gn_week_expand(5, 8, 3), 5);
    /* R03: toe on the other side of the week's end */
    assert_int_equal(gn_week_of_reference(2447, 603600, 0), 2448);
    assert_int_equal(gn_week_of_reference(2448, 600, 604784), 2447);
    assert_int_equal(gn_week_of_reference(1423, 604770, 0), 1424);
    assert_int_equal(gn_week_of_reference(2000, 300000, 302400), 2000);
    assert_int_equal(gn_week_of_reference(GN_WEEK_UNKNOWN, 1, 2), GN_WEEK_UNKNOWN);
    GN_NEAR("R03", gn_tow_difference_s(603600, 0), -1200, 0);
    GN_NEAR("R03 mirror", gn_tow_difference_s(600, 604784), 616, 0);
    GN_NEAR("R03 Galileo", gn_tow_difference_s(604770, 0), -30, 0);
}

static void test_leap(void **state)
{
    (void)state;
    struct gn_time t = {0};
    struct gn_civil civil = {0};
    assert_int_equal(gn_time_parse("2026-11-30T00:00:00Z", &t, NULL, NULL), GN_OK);
    assert_int_equal(gn_leap_tai_minus_utc(t.tai_s), 37);
    assert_true(gn_leap_is_expired(t.tai_s));
    assert_int_equal(gn_utc_from_gps_leap(t.tai_s, 18, &civil), GN_OK);
    assert_true(civil.day == 30 && civil.hour == 0 && civil.second == 0);
    assert_int_equal(gn_time_parse("2025-11-30T00:00:00Z", &t, NULL, NULL), GN_OK);
    assert_false(gn_leap_is_expired(t.tai_s));
    assert_int_equal(gn_time_parse("1972-01-01T00:00:00Z", &t, NULL, NULL), GN_OK);
    assert_int_equal(t.tai_s, 441763210);
}

/* text of every scale and TAI seconds are one to one, also around each leap second */
static void test_round_trip(void **state)
{
    (void)state;
    for (int64_t tai_s = 1325376000LL; tai_s < GN_TAI_MAX_S;
            tai_s += tai_s < 1900000000LL ? 86399 : 86400LL * 997) {
        for (int scale = GN_TIME_UTC; scale < GN_TIME_SCALE_COUNT; scale++) {
            struct gn_time back = {0}, t = {tai_s, 123456789012ULL};
            char text[GN_TIME_TEXT];
            assert_int_equal(gn_time_print(t, (enum gn_time_scale)scale, 12, text), GN_OK);
            assert_int_equal(gn_time_parse(text, &back, NULL, NULL), GN_OK);
            GN_CHECK(text, back.tai_s == tai_s && back.frac_ps == t.frac_ps);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_moments),
            cmocka_unit_test(test_refusals),
            cmocka_unit_test(test_fraction),
            cmocka_unit_test(test_weeks),
            cmocka_unit_test(test_leap),
            cmocka_unit_test(test_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
