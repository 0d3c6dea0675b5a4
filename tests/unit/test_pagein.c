/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Pages in every form they come in: as written, in pieces, between foreign bytes, damaged. */
#include "lib/pagein/decode.h"
#include "tests/support/page_frames.h"
#include "tests/support/gn_test.h"

#include "lib/bits/bits.h"
#include "lib/bits/crc24q.h"
#include "lib/bits/hex.h"

#include <stdlib.h>

#define N_PAGES   120
#define ROOM      65536
#define WN        1372
#define TOW_S     480101u

enum { CSV, SBF, UBX, NAVMON, N_FORMATS };
static const enum gn_pagein_format formats[N_FORMATS] = {
        GN_PAGEIN_CSV, GN_PAGEIN_SBF, GN_PAGEIN_UBX, GN_PAGEIN_NAVMON};

static uint64_t seed;

static uint32_t draw(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
}

static void seal(struct gn_osnma_page *p)
{
    struct gn_bit_reader in = gn_bit_reader_of(p->bits, 240);
    uint32_t crc = gn_crc24q(0, &in, 114);
    gn_bits_skip(&in, 6);
    crc = gn_crc24q(crc, &in, 82);
    assert_true(gn_bits_set(p->bits, 240, 202, 24, crc));
}

/* random pages with a good CRC: 4 satellites, 2 s apart; a word with the time of week each sub-frame */
static void make_pages(struct gn_osnma_page *p, unsigned n, int32_t wn, uint32_t tow_s)
{
    seed = 7;
    for (unsigned i = 0; i < n; i++) {
        uint64_t t = (uint64_t)wn * 604800 + tow_s + i / 4 * 2;
        p[i] = (struct gn_osnma_page){.wn = (int32_t)(t / 604800), .tow_s = (uint32_t)(t % 604800),
                .prn = (uint8_t)(1 + i % 4 * 11)};
        for (unsigned k = 0; k < 30; k++)
            p[i].bits[k] = (uint8_t)draw(256);
        bool has_time = t % 30 == 25 || i == 0;
        (void)gn_bits_set(p[i].bits, 240, 0, 8, has_time ? 5 : 1 + draw(4)); /* even, nominal, word type */
        if (has_time) {
            (void)gn_bits_set(p[i].bits, 240, 75, 12, (uint64_t)p[i].wn);
            (void)gn_bits_set(p[i].bits, 240, 87, 20, p[i].tow_s);
        }
        (void)gn_bits_set(p[i].bits, 240, 114, 8, 2); /* tail; odd, nominal */
        (void)gn_bits_set(p[i].bits, 240, 234, 6, 0);
        seal(&p[i]);
    }
}

static size_t write_page(unsigned format, const struct gn_osnma_page *p, uint8_t *out)
{
    char hex[64];
    if (format == SBF)
        return gn_frame_sbf(p, out);
    if (format == UBX)
        return gn_frame_ubx(p, out);
    if (format == NAVMON)
        return gn_frame_navmon(p, true, out);
    gn_hex_print(p->bits, 30, hex);
    return (size_t)snprintf((char *)out, GN_FRAME_MAX, "%d,%u,%u,%d,%s\n", p->wn, p->tow_s, p->prn,
            p->is_e5b ? 5 : 1, hex);
}

static size_t write_all(unsigned format, const struct gn_osnma_page *p, unsigned n, uint8_t *out)
{
    size_t at = 0;
    for (unsigned i = 0; i < n; i++)
        at += write_page(format, &p[i], out + at);
    return at;
}

/* all pages of in[n], given in pieces of `step` bytes */
static unsigned read_all(enum gn_pagein_format format, const uint8_t *in, size_t n, size_t step,
        struct gn_osnma_page *ret, struct gn_pagein_stats *stats)
{
    struct gn_pagein *d = NULL;
    unsigned n_pages = 0;
    size_t at = 0;
    assert_int_equal(gn_pagein_new(format, false, &d), GN_OK);
    for (;;) {
        bool has_page = false;
        size_t n_room = 0;
        assert_int_equal(gn_pagein_next(d, &ret[n_pages], &has_page, NULL), GN_OK);
        n_pages += has_page;
        assert_true(n_pages < 2 * N_PAGES);
        if (has_page)
            continue;
        if (at == n) {
            gn_pagein_end(d);
            assert_int_equal(gn_pagein_next(d, &ret[n_pages], &has_page, NULL), GN_OK);
            if (!has_page)
                break;
            n_pages++;
            continue;
        }
        uint8_t *to = gn_pagein_room(d, &n_room);
        assert_true(n_room >= GN_PAGEIN_ROOM_MIN);
        size_t k = n - at < step ? n - at : step;
        k = k < n_room ? k : n_room;
        memcpy(to, in + at, k);
        gn_pagein_filled(d, k);
        at += k;
    }
    *stats = *gn_pagein_stats(d);
    gn_pagein_free(d);
    return n_pages;
}

static bool is_same(const struct gn_osnma_page *a, const struct gn_osnma_page *b)
{
    return a->wn == b->wn && a->tow_s == b->tow_s && a->prn == b->prn && a->is_e5b == b->is_e5b &&
           memcmp(a->bits, b->bits, sizeof a->bits) == 0;
}

static struct gn_osnma_page pages[N_PAGES], got[2 * N_PAGES];
static uint8_t bytes[ROOM], noisy[2 * ROOM];

static void test_as_written(void **state)
{
    static const size_t steps[] = {ROOM, 1, 7, 4096};
    (void)state;
    make_pages(pages, N_PAGES, WN, TOW_S);
    for (unsigned k = 0; k < N_FORMATS; k++) {
        size_t n = write_all(k, pages, N_PAGES, bytes);
        for (unsigned s = 0; s < GN_COUNT(steps) * 2; s++) {
            struct gn_pagein_stats stats;
            enum gn_pagein_format format = s % 2 == 0 ? formats[k] : GN_PAGEIN_AUTO;
            GN_CHECK(gn_pagein_format_names[formats[k]],
                    read_all(format, bytes, n, steps[s / 2], got, &stats) == N_PAGES);
            for (unsigned i = 0; i < N_PAGES; i++)
                GN_CHECK(gn_pagein_format_names[formats[k]], is_same(&pages[i], &got[i]));
            GN_CHECK("nothing lost", stats.n_bytes == n && stats.garbage_bytes == 0 && stats.bad_frames == 0);
        }
    }
}

/* weeks end in the middle; E5b as well */
static void test_week_and_e5b(void **state)
{
    struct gn_pagein_stats stats;
    (void)state;
    make_pages(pages, N_PAGES, 4095, 604771);
    for (unsigned i = 0; i < N_PAGES; i++)
        pages[i].is_e5b = i % 3 == 0;
    for (unsigned k = 0; k < N_FORMATS; k++) {
        size_t n = write_all(k, pages, N_PAGES, bytes);
        unsigned n_got = read_all(formats[k], bytes, n, 512, got, &stats);
        for (unsigned i = 0; i < n_got && k != UBX; i++)
            GN_CHECK(gn_pagein_format_names[formats[k]], is_same(&pages[i], &got[i]));
    }
}

/* noise, text and damaged frames between the frames: every whole one is found, nothing else */
static void test_noise(void **state)
{
    (void)state;
    make_pages(pages, N_PAGES, WN, TOW_S);
    for (unsigned k = SBF; k < N_FORMATS; k++) {
        size_t n = 0;
        seed = 11 + k;
        for (unsigned i = 0; i < N_PAGES; i++) {
            uint8_t frame[GN_FRAME_MAX];
            size_t n_frame = write_page(k, &pages[i], frame);
            for (uint32_t z = draw(40); z > 0; z--)
                noisy[n++] = (uint8_t)draw(256);
            if (draw(3) == 0 && k != NAVMON) { /* it has no checksum: damage may go unseen, the page's CRC tells */
                memcpy(noisy + n, frame, n_frame);
                noisy[n + draw((uint32_t)n_frame)] ^= (uint8_t)(1u << draw(8));
                n += n_frame;
            }
            if (draw(3) == 0)
                n += draw((uint32_t)n_frame); /* cut off: what is there is the noise before */
            memcpy(noisy + n, frame, n_frame);
            n += n_frame;
        }
        struct gn_pagein_stats stats;
        unsigned n_got = read_all(formats[k], noisy, n, 1000, got, &stats);
        GN_CHECK("all found", n_got == N_PAGES);
        for (unsigned i = 0; i < n_got && i < N_PAGES; i++)
            GN_CHECK(gn_pagein_format_names[formats[k]], is_same(&pages[i], &got[i]));
        GN_CHECK("counted", stats.n_bytes == n && stats.garbage_bytes > 0);
    }
}

/* one bit wrong anywhere: no page, or for navmon one whose own CRC fails or whose header differs */
static void test_every_bit(void **state)
{
    (void)state;
    make_pages(pages, 1, WN, TOW_S);
    for (unsigned k = SBF; k <= UBX; k++) {
        size_t n = write_page(k, &pages[0], bytes);
        for (size_t bit = 0; bit < 8 * n; bit++) {
            struct gn_pagein_stats stats;
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            GN_CHECK("refused", read_all(formats[k], bytes, n, n, got, &stats) == 0);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
}

/* lengths that would make a reader wait for ever, or read past the end */
static void test_hostile_sizes(void **state)
{
    static const struct {
        unsigned format;
        const char *head;
    } rows[] = {
            {SBF, "2440000000b7ffff"}, {SBF, "24400000b70ffcff"}, {SBF, "24400000b70f0000"}, {SBF, "24400000b70f0500"},
            {UBX, "b5620213ffff"}, {UBX, "b56202130020"}, {UBX, "b562021301ff"}, {NAVMON, "62657274ffff"},
            {NAVMON, "62657274200110031801"}, {NAVMON, "6265727400021003"}, {NAVMON, "626572740006100328ffffff0f"},
            {NAVMON, "6265727400081003280510ff01ff"}, {NAVMON, "62657274000d1003ffffffffffffffffffffff"},
    };
    (void)state;
    make_pages(pages, 1, WN, TOW_S);
    for (unsigned i = 0; i < GN_COUNT(rows); i++) {
        struct gn_pagein_stats stats;
        size_t n = strlen(rows[i].head) / 2;
        assert_true(gn_hex_parse(rows[i].head, 2 * n, bytes, sizeof bytes));
        n += write_page(rows[i].format, &pages[0], bytes + n);
        GN_CHECK(rows[i].head, read_all(formats[rows[i].format], bytes, n, 3, got, &stats) == 1);
        GN_CHECK(rows[i].head, is_same(&pages[0], &got[0]));
    }
}

/* ---- when u-blox pages were sent ---------------------------------------------------------------------------------------- */
static size_t put_rawx(double tow_s, int32_t wn, uint8_t *out)
{
    uint8_t p[16] = {0};
    uint64_t raw;
    memcpy(&raw, &tow_s, sizeof raw);
    (void)gn_put_le(p, raw, 8);
    (void)gn_put_le(p + 8, (uint64_t)(wn + 1024), 2);
    return gn_frame_ubx_of(0x0215, p, sizeof p, out);
}

static size_t put_timegal(uint32_t tow_s, int32_t wn, uint8_t *out)
{
    uint8_t p[20] = {0};
    (void)gn_put_le(p, (uint64_t)tow_s * 1000, 4);
    (void)gn_put_le(p + 4, tow_s, 4);
    (void)gn_put_le(p + 12, (uint64_t)wn, 2);
    p[15] = 7;
    return gn_frame_ubx_of(0x0125, p, sizeof p, out);
}

static size_t put_pvt(uint32_t itow_s, uint16_t year, const uint8_t mdhms[5], uint8_t *out)
{
    uint8_t p[92] = {0};
    (void)gn_put_le(p, (uint64_t)itow_s * 1000, 4);
    (void)gn_put_le(p + 4, year, 2);
    memcpy(p + 6, mdhms, 5);
    p[11] = 7;
    return gn_frame_ubx_of(0x0107, p, sizeof p, out);
}

/* a page without a time of week in it, sent from TOW_S on, after each kind of time message */
static void test_ubx_epochs(void **state)
{
    static const uint8_t date[5] = {12, 12, 13, 21, 25}; /* 2025-12-12 13:21:25 UTC = TOW 480103 */
    (void)state;
    make_pages(pages, 8, WN, TOW_S - 30);
    struct gn_osnma_page plain = pages[5];
    plain.wn = WN;
    plain.tow_s = TOW_S;
    uint32_t end_s = TOW_S + 2;
    for (unsigned kind = 0; kind < 8; kind++) {
        struct gn_pagein_stats stats;
        size_t n = 0;
        if (kind == 0)
            n = gn_frame_ubx_time(WN, end_s, bytes);
        else if (kind == 1) /* reported before the epoch of the page's end */
            n = gn_frame_ubx_time(WN, end_s - 1, bytes);
        else if (kind == 2)
            n = put_rawx(end_s - 0.002, WN, bytes);
        else if (kind == 3)
            n = put_rawx(end_s + 0.8, WN, bytes);
        else if (kind == 4)
            n = put_timegal(end_s, WN, bytes);
        else if (kind == 5)
            n = put_pvt(end_s, 2025, date, bytes);
        else if (kind == 6)
            n = put_rawx(end_s - 1.1, WN, bytes);
        else
            n = put_timegal(end_s - 1, WN, bytes);
        n += gn_frame_ubx(&plain, bytes + n);
        unsigned n_got = read_all(GN_PAGEIN_UBX, bytes, n, ROOM, got, &stats);
        char name[32];
        (void)snprintf(name, sizeof name, "kind %u", kind);
        GN_CHECK(name, n_got == 1 && is_same(&plain, &got[0]));
    }
}

/* a receiver that reports four seconds late: the first word with a time of week puts it right */
static void test_ubx_late_receiver(void **state)
{
    struct gn_pagein_stats stats;
    size_t n = 0;
    (void)state;
    make_pages(pages, N_PAGES, WN, TOW_S + 24);
    for (unsigned i = 0; i < N_PAGES; i++) {
        if (i % 4 == 0)
            n += gn_frame_ubx_time(WN, pages[i].tow_s + 2 + 4, bytes + n);
        n += gn_frame_ubx(&pages[i], bytes + n);
    }
    assert_int_equal(read_all(GN_PAGEIN_UBX, bytes, n, ROOM, got, &stats), N_PAGES);
    for (unsigned i = 0; i < N_PAGES; i++)
        GN_CHECK("time", is_same(&pages[i], &got[i]));
}

/* no time at all until a word tells it: pages before are counted, not guessed */
static void test_ubx_untimed(void **state)
{
    struct gn_pagein_stats stats;
    (void)state;
    make_pages(pages, N_PAGES, WN, TOW_S);
    size_t n = write_all(UBX, pages + 4, N_PAGES - 4, bytes);
    unsigned n_got = read_all(GN_PAGEIN_UBX, bytes, n, ROOM, got, &stats);
    assert_int_equal(stats.untimed, 24); /* 480103 to 480113; 480115 tells */
    assert_int_equal(n_got, N_PAGES - 4 - 24);
    for (unsigned i = 0; i < n_got; i++)
        GN_CHECK("time", is_same(&pages[28 + i], &got[i]));
}

/* ---- published bytes -------------------------------------------------------------------------------------------------------- */
/* Frames of galmon's ubxtool as printed in the tests of daniestevez/galileo-osnma: two of reception data, one of the
 * observer's position. They are read whole and hold no page. */
static void test_galmon_frames(void **state)
{
    static const char text[] =
            "62657274002a0801100118cba397910620afca8dbb0232180800100a1800201928aa0231000000000000000040004800"
            "6265727400290801100118cba397910620afca8dbb0232170800101118002016283531000000000000000040004800"
            "62657274003f0801100218cba397910620afca8dbb02422d09ec51b8def3765241118fc2f528961913c1193333331359"
            "804f4121e17a14ae47213040290000000000000000";
    struct gn_pagein_stats stats;
    (void)state;
    size_t n = strlen(text) / 2;
    assert_true(gn_hex_parse(text, 2 * n, bytes, sizeof bytes));
    assert_int_equal(read_all(GN_PAGEIN_NAVMON, bytes, n, 5, got, &stats), 0);
    assert_int_equal(stats.frames, 3);
    assert_int_equal(stats.garbage_bytes, 0);
}

static void test_refusals(void **state)
{
    struct gn_pagein *d = NULL;
    struct gn_error err = {0};
    struct gn_osnma_page page;
    bool has_page = false;
    size_t n = 0;
    (void)state;
    assert_int_equal(gn_pagein_new(GN_PAGEIN_AUTO, true, &d), GN_OK);
    uint8_t *to = gn_pagein_room(d, &n);
    memset(to, 'x', GN_PAGEIN_AUTO_MAX);
    gn_pagein_filled(d, GN_PAGEIN_AUTO_MAX);
    assert_int_equal(gn_pagein_next(d, &page, &has_page, &err), GN_E_DATA);
    assert_non_null(strstr(err.text, "no whole frame"));
    gn_pagein_free(d);
    assert_int_equal(gn_pagein_new(GN_PAGEIN_CSV, true, &d), GN_OK);
    to = gn_pagein_room(d, &n);
    memcpy(to, "wn,tow,prn,sig,page\n1,2,3\n", 26);
    gn_pagein_filled(d, 26);
    assert_int_equal(gn_pagein_next(d, &page, &has_page, &err), GN_E_DATA);
    assert_int_equal(err.line, 2);
    gn_pagein_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_as_written), cmocka_unit_test(test_week_and_e5b), cmocka_unit_test(test_noise),
            cmocka_unit_test(test_every_bit), cmocka_unit_test(test_hostile_sizes), cmocka_unit_test(test_ubx_epochs),
            cmocka_unit_test(test_ubx_late_receiver), cmocka_unit_test(test_ubx_untimed),
            cmocka_unit_test(test_galmon_frames), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests_name("pagein", tests, NULL, NULL);
}
