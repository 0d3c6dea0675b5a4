/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Expected samples are written out by hand from the definition of each layout (R06, R07 of the user
 * study). */
#include "tests/support/fake_host.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/gnomon-file-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[8][256];
    static unsigned i;
    i = (i + 1) % 8;
    (void)snprintf(path[i], sizeof path[i], "%s/%s", folder, name);
    return path[i];
}

static const char *setting(const char *key, const char *value)
{
    static char text[8][512];
    static unsigned i;
    i = (i + 1) % 8;
    (void)snprintf(text[i], sizeof text[i], "%s=%s", key, value);
    return text[i];
}

static void write_file(const char *name, const void *bytes, size_t n)
{
    FILE *f = fopen(in_folder(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    (void)fclose(f);
}

static const struct {
    const char *name, *settings[6];
    uint8_t bytes[8];
    size_t n_bytes;
    uint32_t format;
    size_t n_items;
    int32_t values[16]; /* as integers, I and Q in turn */
} rows[] = {
        {"ci8", {"format=ci8"}, {1, 0xFF, 0x80, 0x7F}, 4, GN_FMT_CI8, 2, {1, -1, -128, 127}},
        {"cu8", {"format=cu8"}, {0x80, 0x7F, 0, 0xFF}, 4, GN_FMT_CI8, 2, {0, -1, -128, 127}},
        {"ci16_be R06", {"format=ci16_be"}, {1, 0, 0xFF, 0}, 4, GN_FMT_CI16, 1, {256, -256}},
        {"ci16_le R06", {"format=ci16_le"}, {1, 0, 0xFF, 0}, 4, GN_FMT_CI16, 1, {1, 255}},
        {"s8", {"format=s8"}, {1, 0xFF, 5}, 3, GN_FMT_S8, 3, {1, -1, 5}},
        {"s16_le", {"format=s16_le"}, {1, 0xFF, 5, 0}, 4, GN_FMT_S16, 2, {-255, 5}},
        {"R07 msb", {"format=packed", "layout=real", "map=[1,3,-3,-1]"}, {0x1B}, 1, GN_FMT_S8, 4,
                {1, 3, -3, -1}},
        {"R07 lsb", {"format=packed", "layout=real", "map=[1,3,-3,-1]", "bit_order=lsb"}, {0x1B}, 1,
                GN_FMT_S8, 4, {-1, -3, 3, 1}},
        {"R07 iq", {"format=packed", "map=[1,3,-3,-1]"}, {0x1B}, 1, GN_FMT_CI8, 2, {1, 3, -3, -1}},
        {"R07 qi", {"format=packed", "map=[1,3,-3,-1]", "layout=qi"}, {0x1B}, 1, GN_FMT_CI8, 2,
                {3, 1, -1, -3}},
        {"2 bits, own map", {"format=packed", "layout=real"}, {0x1B}, 1, GN_FMT_S8, 4,
                {1, 3, -3, -1}},
        {"1 bit iq", {"format=packed", "bits=1"}, {0xB1}, 1, GN_FMT_CI8, 4,
                {1, -1, 1, 1, -1, -1, -1, 1}},
        {"1 bit real lsb", {"format=packed", "bits=1", "layout=real", "bit_order=lsb"}, {0xB1}, 1,
                GN_FMT_S8, 8, {1, -1, -1, -1, 1, 1, -1, 1}},
        {"4 bits iq", {"format=packed", "bits=4"}, {0x7F, 0x80}, 2, GN_FMT_CI8, 2,
                {15, -1, -15, 1}},
        {"4 bits lsb", {"format=packed", "bits=4", "bit_order=lsb"}, {0x7F}, 1, GN_FMT_CI8, 1,
                {-1, 15}},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        struct fake f;
        const char *s[10] = {setting("path", in_folder("row")), "rate=1e6"};
        for (size_t k = 0; k < 6; k++)
            s[2 + k] = rows[i].settings[k];
        write_file("row", rows[i].bytes, rows[i].n_bytes);
        fake_open(&f, "frontend", "frontend.file", s);
        GN_CHECK(rows[i].name, fake_start(&f) == GN_OK);
        GN_CHECK(rows[i].name,
                f.out[0].format == rows[i].format && f.plan.anchor.n_ticks == rows[i].n_items);
        bool is_wide = rows[i].format == GN_FMT_CI16 || rows[i].format == GN_FMT_S16;
        bool is_real = rows[i].format == GN_FMT_S8 || rows[i].format == GN_FMT_S16;
        union {
            int8_t s8[64];
            int16_t s16[32];
        } items;
        size_t bytes = (is_wide ? 2U : 1U) * (is_real ? 1U : 2U);
        GN_CHECK(rows[i].name, fake_pull(&f, &items, bytes, 16, 1, 0) == rows[i].n_items);
        for (size_t k = 0; k < rows[i].n_items * (is_real ? 1 : 2); k++)
            GN_CHECK(rows[i].name, (is_wide ? items.s16[k] : items.s8[k]) == rows[i].values[k]);
        fake_close(&f);
    }
}

/* any cutting of the work calls gives the same samples */
static void test_chunks(void **state)
{
    (void)state;
    static const char *const kinds[] = {"ci8", "cu8", "ci16_be", "packed"};
    static uint8_t bytes[300000], whole[3000000], cut[3000000];
    uint32_t seed = 7;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)fake_random(&seed);
    write_file("chunks", bytes, sizeof bytes);
    for (size_t i = 0; i < GN_COUNT(kinds); i++) {
        const char *s[] = {setting("path", in_folder("chunks")), setting("format", kinds[i]),
                "rate=1e6", "bits=1", NULL};
        size_t item = i == 2 ? 4 : 2, n_whole = 0;
        for (uint32_t pass = 0; pass < 2; pass++) {
            struct fake f;
            fake_open(&f, "frontend", "frontend.file", s);
            assert_int_equal(fake_start(&f), GN_OK);
            size_t n = fake_pull(&f, pass == 0 ? whole : cut, item, sizeof whole / item,
                    pass == 0 ? 1U << 30 : 9000, pass);
            if (pass == 0)
                n_whole = n;
            GN_CHECK(kinds[i], n == n_whole);
            fake_close(&f);
        }
        GN_CHECK(kinds[i], memcmp(whole, cut, n_whole * item) == 0);
    }
}

static const struct {
    const char *name;
    size_t n_bytes; /* of zeros in a file x */
    const char *settings[5];
    gn_status status;
    const char *what, *words; /* found in the message */
} refusals[] = {
        {"nothing said", 8, {NULL}, GN_E_ARG, "format", "format and rate must be given"},
        {"no rate", 8, {"format=ci8"}, GN_E_ARG, "rate", "rate must be given"},
        {"empty", 0, {"format=ci8", "rate=1e6"}, GN_E_DATA, "path", "is empty"},
        {"less than an item", 3, {"format=ci16_le", "rate=1e6"}, GN_E_DATA, "path",
                "hold no sample"},
        {"all skipped", 8, {"format=ci8", "rate=1e6", "skip=1"}, GN_E_ARG, "skip", "skipped"},
        {"no length", 8, {"format=ci8", "rate=1e6", "length=1e-9"}, GN_E_ARG, "length",
                "no sample"},
        {"map too short", 8, {"format=packed", "rate=1e6", "map=[1,-1]"}, GN_E_ARG, "map",
                "4 codes"},
        {"map without packed", 8, {"format=ci8", "rate=1e6", "map=[1,-1]"}, GN_E_ARG, "map",
                "packed only"},
        {"bad start", 8, {"format=ci8", "rate=1e6", "start=2023-08-16T05:00:00"}, GN_E_ARG, "start",
                "time scale"},
};

static void test_refusals(void **state)
{
    (void)state;
    static const uint8_t zeros[64];
    for (size_t i = 0; i < GN_COUNT(refusals); i++) {
        struct fake f;
        const char *s[8] = {setting("path", in_folder("bad"))};
        for (size_t k = 0; k < 5; k++)
            s[1 + k] = refusals[i].settings[k];
        write_file("bad", zeros, refusals[i].n_bytes);
        fake_open(&f, "frontend", "frontend.file", s);
        GN_CHECK(refusals[i].name, fake_start(&f) == refusals[i].status);
        GN_CHECK(f.words, strstr(f.words, refusals[i].words) != NULL &&
                                  strcmp(f.what, refusals[i].what) == 0);
        fake_close(&f);
    }
}

static void test_missing_file(void **state)
{
    (void)state;
    struct fake f;
    const char *s[] = {setting("path", in_folder("none")), "format=ci8", "rate=1e6", NULL};
    fake_open(&f, "frontend", "frontend.file", s);
    assert_int_equal(fake_start(&f), GN_E_IO);
    assert_non_null(strstr(f.words, "none: No such file"));
    fake_close(&f);
    const char *dir[] = {setting("path", folder), "format=ci8", "rate=1e6", NULL};
    fake_open(&f, "frontend", "frontend.file", dir);
    assert_int_equal(fake_start(&f), GN_E_DATA);
    fake_close(&f);
}

/* 4 n + 3 bytes: n samples and a warning; strict: refused with the offset */
static void test_tail(void **state)
{
    (void)state;
    static const uint8_t bytes[11];
    write_file("tail", bytes, sizeof bytes);
    for (uint32_t strict = 0; strict < 2; strict++) {
        struct fake f;
        const char *s[] = {setting("path", in_folder("tail")), "format=ci16_le", "rate=1e6", NULL};
        fake_open(&f, "frontend", "frontend.file", s);
        f.strict = strict;
        assert_int_equal(fake_start(&f), strict ? GN_E_DATA : GN_OK);
        assert_int_equal(f.n_logged, strict ? 0 : 1);
        assert_non_null(strstr(strict ? f.words : f.logged, "3 trailing bytes at byte 8"));
        assert_int_equal(f.plan.anchor.n_ticks, 2);
        fake_close(&f);
    }
}

/* R05b: 5 GiB on paper, 4 KiB on disk, the signal at byte 4.5 GiB */
static void test_sparse(void **state)
{
    (void)state;
    const off_t at = (off_t)9 << 29;
    int fd = open(in_folder("sparse"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)5 << 30), 0);
    assert_int_equal(pwrite(fd, "\x11\x22\x33\x44", 4, at), 4);
    (void)close(fd);
    struct fake f;
    char skip[64];
    int8_t items[8];
    (void)snprintf(skip, sizeof skip, "skip=%.9f", (double)at / 2 / 4e6);
    const char *s[] = {setting("path", in_folder("sparse")), "format=ci8", "rate=4e6", skip,
            "length=0.000001", "start=2023-08-16T05:00:00.1GPST", NULL};
    fake_open(&f, "frontend", "frontend.file", s);
    assert_int_equal(fake_start(&f), GN_OK);
    assert_int_equal(f.plan.anchor.n_ticks, 4);
    assert_int_equal(fake_pull(&f, items, 2, 4, 4, 0), 4);
    assert_true(items[0] == 0x11 && items[1] == 0x22 && items[2] == 0x33 && items[3] == 0x44 &&
                items[4] == 0);
    /* 603.979776 s later than 05:00:00.1 */
    assert_int_equal(f.plan.anchor.t0_tai_s, 694656019LL + 2275 * 604800LL + 277200 + 604);
    GN_NEAR("t0", f.plan.anchor.t0_frac_s, 0.079776, 1e-12);
    fake_close(&f);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int drop_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"row", "chunks", "bad", "tail", "sparse"};
    for (size_t i = 0; i < GN_COUNT(names); i++)
        (void)unlink(in_folder(names[i]));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_rows),
            cmocka_unit_test(test_chunks),
            cmocka_unit_test(test_refusals),
            cmocka_unit_test(test_missing_file),
            cmocka_unit_test(test_tail),
            cmocka_unit_test(test_sparse),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
