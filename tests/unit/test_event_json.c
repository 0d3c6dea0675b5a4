/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/event/json.h"
#include "tests/support/gn_test.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

struct sat {
    uint8_t prn, signal;
    float cn0_dbhz;
};

struct all {
    uint8_t u8, flag, word, odd;
    uint16_t u16;
    uint32_t u32, n_sats;
    int32_t i32;
    uint64_t u64;
    int64_t i64;
    float f32;
    double f64, pos[3];
    char text[8];
    uint8_t hex[4];
    struct sat sats[4], one;
    uint32_t hidden;
};

static const char *const words[] = {NULL, "GPS", "GAL"};

static const struct gn_field sat_fields[] = {
        GN_FIELD(struct sat, prn, GN_F_U8, ""),
        GN_FIELD_X(struct sat, signal, GN_F_ENUM, "", .names = words, .n_names = 3),
        GN_FIELD_X(struct sat, cn0_dbhz, GN_F_F32, "dB-Hz", .decimals = 1),
};
static const struct gn_field fields[] = {
        GN_FIELD_X(struct all, u8, GN_F_U8, "", .flags = GN_F_NONE_IS_MAX),
        GN_FIELD(struct all, flag, GN_F_BOOL, ""),
        GN_FIELD_X(struct all, word, GN_F_ENUM, "", .names = words, .n_names = 3),
        GN_FIELD(struct all, u16, GN_F_U16, ""),
        GN_FIELD_X(struct all, u32, GN_F_U32, "", .flags = GN_F_NONE_IS_MAX),
        GN_FIELD_X(struct all, i32, GN_F_I32, "", .flags = GN_F_NONE_IS_MAX),
        GN_FIELD(struct all, u64, GN_F_U64, ""),
        GN_FIELD(struct all, i64, GN_F_I64, ""),
        GN_FIELD_X(struct all, f32, GN_F_F32, "", .decimals = 2),
        GN_FIELD(struct all, f64, GN_F_F64, ""),
        GN_FIELD_X(struct all, pos, GN_F_F64, "m", .count = 3, .decimals = 3),
        GN_FIELD_X(struct all, text, GN_F_TEXT, "", .count = 8),
        GN_FIELD_X(struct all, hex, GN_F_HEX, "", .count = 4),
        GN_FIELD_X(struct all, sats, GN_F_LIST, "", .sub = sat_fields, .n_sub = 3, .sub_size = sizeof(struct sat),
                .count = 4, .n_offset_plus1 = 1 + offsetof(struct all, n_sats)),
        GN_FIELD_X(struct all, one, GN_F_GROUP, "", .sub = sat_fields, .n_sub = 3, .sub_size = sizeof(struct sat)),
        GN_FIELD_X(struct all, hidden, GN_F_U32, "", .flags = GN_F_HIDDEN),
};
static const struct gn_schema schema = {
        .name = "all/1", .event = "all", .fields = fields, .n_fields = GN_COUNT(fields), .size = sizeof(struct all)};

static const struct gn_event_clock clock_4m = {.rate_sps = 4e6, .has_samples = true};

static void test_every_type(void **state)
{
    (void)state;
    char line[4096];
    struct all a = {.u8 = 7, .flag = 1, .word = 2, .u16 = 65535, .u32 = 4000000000u, .n_sats = 2, .i32 = -5,
            .u64 = UINT64_MAX, .i64 = INT64_MIN, .f32 = 1.005f, .f64 = 345600.123, .pos = {1, -0.0001, 2.5},
            .text = "a\"b", .hex = {0, 1, 0xab, 0xff}, .sats = {{3, 1, 45.25f}, {4, 0, 40}}, .one = {9, 2, -1.0f},
            .hidden = 1};
    size_t n = gn_event_line(&schema, &a, 2000000, &clock_4m, line, sizeof line);
    assert_int_equal(n, strlen(line));
    assert_string_equal(line, "{\"v\":1,\"event\":\"all\",\"index\":2000000,\"t\":0.500000000,\"u8\":7,\"flag\":true,"
                              "\"word\":\"GAL\",\"u16\":65535,\"u32\":4000000000,\"i32\":-5,\"u64\":18446744073709551615,"
                              "\"i64\":-9223372036854775808,\"f32\":1.00,\"f64\":345600.123,\"pos\":[1.000,0.000,2.500],"
                              "\"text\":\"a\\\"b\",\"hex\":\"0001abff\",\"sats\":[{\"prn\":3,\"signal\":\"GPS\",\"cn0_dbhz\":45.2},"
                              "{\"prn\":4,\"cn0_dbhz\":40.0}],\"one\":{\"prn\":9,\"signal\":\"GAL\",\"cn0_dbhz\":-1.0}}");
    json_t *j = json_loads(line, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL); /* a second opinion: it is JSON */
    assert_non_null(j);
    json_decref(j);
}

static void test_unknown_is_left_out(void **state)
{
    (void)state;
    char line[4096];
    struct all a = {.u8 = 255, .u32 = UINT32_MAX, .i32 = INT32_MAX, .f32 = NAN, .f64 = INFINITY, .n_sats = 99};
    assert_true(gn_event_line(&schema, &a, 5, &(struct gn_event_clock){0}, line, sizeof line) > 0);
    static const char *const absent[] = {"\"u8\"", "\"u32\"", "\"i32\"", "\"f32\"", "\"f64\"", "\"word\"", "\"text\"",
            "\"index\"", "\"t\":", "nan", "inf", "hidden"};
    for (size_t i = 0; i < GN_COUNT(absent); i++)
        GN_CHECK(absent[i], strstr(line, absent[i]) == NULL);
    size_t n = 0; /* a count beyond the array is cut to it */
    for (const char *p = strstr(line, "\"prn\""); p != NULL; p = strstr(p + 1, "\"prn\""))
        n++;
    assert_int_equal(n, 5);
}

static void test_text_is_always_json(void **state)
{
    (void)state;
    static const struct {
        const char *raw, *want;
    } rows[] = {
            {"\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\""},
            {"\xc3\xa9", "\"\xc3\xa9\""},
            {"\xff\xc3", "\"\\ufffd\\ufffd\""},                 /* cut character */
            {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},       /* surrogate */
            {"\xc0\x80x", "\"\\ufffd\\ufffdx\""},                /* overlong */
            {"12345678", "\"12345678\""},                        /* fills the field: no zero at its end */
    };
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        char line[4096];
        struct all a = {0};
        memcpy(a.text, rows[i].raw, strlen(rows[i].raw));
        assert_true(gn_event_line(&schema, &a, 0, &clock_4m, line, sizeof line) > 0);
        GN_CHECK(rows[i].want, strstr(line, rows[i].want) != NULL);
        json_t *j = json_loads(line, 0, NULL);
        GN_CHECK(rows[i].want, j != NULL);
        json_decref(j);
    }
}

static void test_room(void **state)
{
    (void)state;
    char line[64];
    struct all a = {0};
    static const struct gn_schema silent = {.name = "silent/1", .fields = fields, .n_fields = 1, .size = 1};
    assert_int_equal(gn_event_line(&schema, &a, 0, &clock_4m, line, sizeof line), 0);
    assert_int_equal(gn_event_line(&silent, &a, 0, &clock_4m, line, sizeof line), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_every_type),
            cmocka_unit_test(test_unknown_is_left_out),
            cmocka_unit_test(test_text_is_always_json),
            cmocka_unit_test(test_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
