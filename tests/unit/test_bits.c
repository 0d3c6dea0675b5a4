/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "gnomon/status.h"
#include "lib/bits/bits.h"
#include "lib/bits/crc24q.h"
#include "lib/bits/hex.h"
#include "tests/support/gn_test.h"

#include <string.h>

static void test_read(void **state)
{
    (void)state;
    static const uint8_t data[] = {0xA5, 0x0F, 0xF0};
    static const struct {
        const char *name;
        size_t at;
        unsigned n;
        uint64_t u;
        int64_t s;
    } rows[] = {
            {"first bit", 0, 1, 1, -1},
            {"byte", 0, 8, 0xA5, -91},
            {"across bytes", 4, 8, 0x50, 80},
            {"odd place", 3, 13, 0x50F, 1295},
            {"all", 0, 24, 0xA50FF0, -5959696},
            {"none", 24, 0, 0, 0},
            {"one too many", 20, 5, 0, 0},
            {"far beyond", (size_t)-1, 8, 0, 0},
    };
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        GN_CHECK(rows[i].name, gn_bits_get(data, 24, rows[i].at, rows[i].n) == rows[i].u);
        GN_CHECK(rows[i].name, gn_bits_get_s(data, 24, rows[i].at, rows[i].n) == rows[i].s);
    }
}

static void test_cursor_remembers_overrun(void **state)
{
    (void)state;
    static const uint8_t data[] = {0xFF, 0xFF};
    struct gn_bit_reader r = gn_bit_reader_of(data, 11);
    assert_int_equal(gn_bits_u(&r, 8), 255);
    assert_int_equal(gn_bits_s(&r, 2), -1);
    assert_false(r.is_past_end);
    assert_int_equal(gn_bits_u(&r, 2), 0);
    assert_int_equal(gn_bits_u(&r, 1), 1);
    assert_true(r.is_past_end);

    uint8_t out[2] = {0};
    struct gn_bit_writer w = gn_bit_writer_of(out, 12);
    gn_bits_put(&w, (uint64_t)-3, 5);
    gn_bits_put(&w, 0x7F, 7);
    assert_false(w.is_past_end);
    gn_bits_put(&w, 1, 1);
    assert_true(w.is_past_end);
    assert_int_equal(out[0], 0xEF);
    assert_int_equal(out[1], 0xF0);
}

/* property: what is written at any place is read back, neighbours untouched */
static void test_write_reads_back(void **state)
{
    (void)state;
    for (size_t at = 0; at < 40; at++) {
        for (unsigned n = 0; n <= 64; n++) {
            uint8_t buf[16];
            memset(buf, 0xFF, sizeof buf);
            uint64_t v = 0x123456789ABCDEF0ULL, mask = n == 64 ? UINT64_MAX : (1ULL << n) - 1;
            assert_true(gn_bits_set(buf, 128, at, n, v));
            assert_true(gn_bits_get(buf, 128, at, n) == (v & mask));
            assert_true(at == 0 || gn_bits_get(buf, 128, at - 1, 1) == 1);
            assert_true(gn_bits_get(buf, 128, at + n, 16) == 0xFFFF);
        }
    }
}

static void test_copy(void **state)
{
    (void)state;
    uint8_t src[32], dst[32] = {0};
    for (unsigned i = 0; i < 32; i++)
        src[i] = (uint8_t)(i * 37 + 11);
    struct gn_bit_reader r = {.p = src, .n_bits = 256, .at = 5};
    struct gn_bit_writer w = {.p = dst, .n_bits = 256, .at = 3};
    gn_bits_copy(&w, &r, 200);
    for (size_t i = 0; i < 200; i++)
        assert_true(gn_bits_get(src, 256, 5 + i, 1) == gn_bits_get(dst, 256, 3 + i, 1));
    assert_true(gn_bits_get(dst, 256, 203, 53) == 0);
    gn_bits_copy(&w, &r, 52);
    assert_true(w.is_past_end && r.is_past_end && w.at == 203);
}

static void test_bytes(void **state)
{
    (void)state;
    static const uint8_t data[] = {1, 2, 3, 4, 5};
    struct gn_byte_reader r = gn_byte_reader_of(data, sizeof data);
    assert_int_equal(gn_bytes_le(&r, 2), 0x0201);
    assert_int_equal(gn_bytes_be(&r, 2), 0x0304);
    assert_int_equal(gn_bytes_be(&r, 2), 0);
    assert_true(r.is_past_end);
    assert_ptr_equal(gn_bytes_take(&r, 1), data + 4);
    assert_null(gn_bytes_take(&r, 1));
}

static uint32_t crc_of(const uint8_t *p, size_t n_bits)
{
    struct gn_bit_reader r = gn_bit_reader_of(p, n_bits);
    return gn_crc24q(0, &r, n_bits);
}

static void test_crc_check_value(void **state)
{
    (void)state;
    assert_int_equal(crc_of((const uint8_t *)"123456789", 72), 0xCDE703);
}

/* Even part 0 0 WT(6) 0101..(106), odd part 1 0 0101..(16) 0 x 64: 196 bits whose CRC is known from
 * independent programs; padding at the back would give other values. */
static void test_crc_of_inav_page(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned word_type;
        uint32_t crc;
    } rows[] = {{"word 0", 0, 0x3DAF5D}, {"dummy word", 63, 0xC5EC2C}};
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        uint8_t page[28] = {0};
        struct gn_bit_writer w = gn_bit_writer_of(page, 220);
        gn_bits_put(&w, rows[i].word_type, 8);
        for (int k = 0; k < 53; k++)
            gn_bits_put(&w, 1, 2);
        gn_bits_put(&w, 2, 2);
        for (int k = 0; k < 8; k++)
            gn_bits_put(&w, 1, 2);
        gn_bits_put(&w, 0, 64);
        GN_CHECK(rows[i].name, w.at == 196 && crc_of(page, 196) == rows[i].crc);
        gn_bits_put(&w, rows[i].crc, 24);
        GN_CHECK(rows[i].name, crc_of(page, 220) == 0);
        for (unsigned b = 0; b < 220; b++) {
            page[b / 8] = (uint8_t)(page[b / 8] ^ (0x80u >> b % 8));
            GN_CHECK(rows[i].name, crc_of(page, 220) != 0);
            page[b / 8] = (uint8_t)(page[b / 8] ^ (0x80u >> b % 8));
        }
    }
}

static void test_hex(void **state)
{
    (void)state;
    uint8_t out[4];
    char text[9];
    assert_true(gn_hex_parse("00fFA5", 6, out, 3));
    gn_hex_print(out, 3, text);
    assert_string_equal(text, "00ffa5");
    assert_false(gn_hex_parse("00f", 3, out, 4));
    assert_false(gn_hex_parse("0g", 2, out, 4));
    assert_false(gn_hex_parse("0011223344", 10, out, 4));
    assert_true(gn_hex_parse("", 0, out, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_read),
            cmocka_unit_test(test_cursor_remembers_overrun),
            cmocka_unit_test(test_write_reads_back),
            cmocka_unit_test(test_copy),
            cmocka_unit_test(test_bytes),
            cmocka_unit_test(test_crc_check_value),
            cmocka_unit_test(test_crc_of_inav_page),
            cmocka_unit_test(test_hex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
