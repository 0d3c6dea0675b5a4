/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* SigMF metadata: what is read, and that hostile text is refused quickly with words (R23). */
#include "lib/frontend/recording.h"
#include "lib/frontend/sigmf.h"

#include "tests/support/gn_test.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define GLOBAL                                                                                     \
    "{\"global\":{\"core:datatype\":\"ci16_be\",\"core:sample_rate\":4e6,\"core:version\":\"1.2."  \
    "0\""

static struct gn_sigmf meta;

static void test_good(void **state)
{
    (void)state;
    static const char text[] =
            GLOBAL "},\"captures\":[{\"core:sample_start\":0,\"core:frequency\":1575.42e6,"
                   "\"core:datetime\":\"2023-08-16T04:59:42.1Z\"},{\"core:sample_start\":1000,"
                   "\"core:global_index\":1500,\"core:header_bytes\":16}],\"annotations\":[]}";
    struct gn_error err = {0};
    assert_int_equal(gn_sigmf_parse(text, sizeof text - 1, &meta, &err), GN_OK);
    assert_true(
            meta.layout.format == GN_FILE_CI16_BE && meta.rate_sps == 4e6 && meta.n_captures == 2);
    assert_true(meta.captures[0].has_t && meta.captures[0].frequency_hz == 1575.42e6);
    assert_true(meta.captures[0].t.tai_s == gn_tai_from_gps(2275, 277200) &&
                meta.captures[0].t.frac_ps == GN_PS_PER_S / 10);
    assert_true(meta.captures[1].global_index == 1500 && meta.captures[1].header_bytes == 16);
}

static const struct {
    const char *name, *text, *words;
} refusals[] = {
        {"empty", "", "line 1"},
        {"no JSON", "ci8 please", "line 1"},
        {"no global", "{}", "'global'"},
        {"list", "[]", "'global'"},
        {"no datatype", "{\"global\":{}}", "core:datatype is missing"},
        {"unknown datatype", "{\"global\":{\"core:datatype\":\"cf64\"}}", "not one of"},
        {"datatype number", "{\"global\":{\"core:datatype\":8}}", "must be a text"},
        {"rate 1e400", "{\"global\":{\"core:datatype\":\"ci8\",\"core:sample_rate\":1e400}}",
                "line 1"},
        {"rate 0", "{\"global\":{\"core:datatype\":\"ci8\",\"core:sample_rate\":0}}", "outside"},
        {"rate text", "{\"global\":{\"core:datatype\":\"ci8\",\"core:sample_rate\":\"4e6\"}}",
                "must be a number"},
        {"rate negative", "{\"global\":{\"core:datatype\":\"ci8\",\"core:sample_rate\":-4e6}}",
                "outside"},
        {"sha short", "{\"global\":{\"core:datatype\":\"ci8\",\"core:sha512\":\"00\"}}",
                "128 hexadecimal"},
        {"two channels", "{\"global\":{\"core:datatype\":\"ci8\",\"core:num_channels\":2}}",
                "one channel"},
        {"dataset path",
                "{\"global\":{\"core:datatype\":\"ci8\",\"core:dataset\":\"../../etc/passwd\"}}",
                "beside"},
        {"duplicate key", "{\"global\":{\"core:datatype\":\"ci8\",\"core:datatype\":\"cu8\"}}",
                "uplicate"},
        {"captures object", GLOBAL "},\"captures\":{}}", "must be a list"},
        {"capture number", GLOBAL "},\"captures\":[1]}", "must hold objects"},
        {"negative start", GLOBAL "},\"captures\":[{\"core:sample_start\":-1}]}", "outside"},
        {"huge start", GLOBAL "},\"captures\":[{\"core:sample_start\":9223372036854775807}]}",
                "outside"},
        {"fraction", GLOBAL "},\"captures\":[{\"core:sample_start\":1.5}]}", "whole number"},
        {"backwards",
                GLOBAL "},\"captures\":[{\"core:sample_start\":9},{\"core:sample_start\":3}]}",
                "ascend"},
        {"index back",
                GLOBAL "},\"captures\":[{},{\"core:sample_start\":9,\"core:global_index\":8}]}",
                "goes back"},
        {"retuned",
                GLOBAL "},\"captures\":[{\"core:frequency\":1},{\"core:sample_start\":9,\"core:"
                       "frequency\":2}]}",
                "changes"},
        {"bad time", GLOBAL "},\"captures\":[{\"core:datetime\":\"yesterday\"}]}", "core:datetime"},
};

static void test_refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < GN_COUNT(refusals); i++) {
        struct gn_error err = {0};
        meta.n_captures = 77;
        GN_CHECK(refusals[i].name, gn_sigmf_parse(refusals[i].text, strlen(refusals[i].text), &meta,
                                           &err) == GN_E_DATA);
        GN_CHECK(err.text, strstr(err.text, refusals[i].words) != NULL && meta.n_captures == 77);
    }
}

/* a million brackets, a million commas, an endless text: under a second and 64 MiB */
static void test_bombs(void **state)
{
    (void)state;
    enum { N = 4 << 20 };
    char *text = malloc(N + 1);
    assert_non_null(text);
    const char fill[] = {'[', '{', ',', '"', '\\', '9'};
    clock_t t0 = clock();
    for (size_t i = 0; i < GN_COUNT(fill); i++) {
        struct gn_error err = {0};
        memset(text, fill[i], N + 1);
        text[0] = '[';
        assert_int_equal(gn_sigmf_parse(text, N, &meta, &err), GN_E_DATA);
        assert_int_equal(gn_sigmf_parse(text, N + 1, &meta, &err), GN_E_DATA);
    }
    struct rusage use;
    assert_int_equal(getrusage(RUSAGE_SELF, &use), 0);
    assert_true(clock() - t0 < CLOCKS_PER_SEC);
    assert_true(use.ru_maxrss < 64 << 10 || getenv("ASAN_OPTIONS") != NULL);
    free(text);
}

static char folder[] = "/tmp/gnomon-sigmf-XXXXXX";
static char meta_path[128], data_path[128];

static void write_pair(const char *text, size_t n_data)
{
    FILE *f = fopen(meta_path, "wb");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    (void)fclose(f);
    f = fopen(data_path, "wb");
    assert_non_null(f);
    for (size_t i = 0; i < n_data; i++)
        assert_true(fputc((int)(i & 0xFF), f) >= 0);
    (void)fclose(f);
}

static struct gn_recording rec;

static gn_status describe(const char *path, struct gn_error *err)
{
    const struct gn_recording_request request = {
            .path = path, .rate_sps = (double)NAN, .carrier_hz = 1575.42e6};
    return gn_recording_describe(&request, &rec, err);
}

/* header 16, 1000 samples, header 16, 500 samples, 500 lost between; then cut into it */
static void test_segments(void **state)
{
    (void)state;
    struct gn_error err = {0};
    write_pair(GLOBAL
            "},\"captures\":[{\"core:sample_start\":0,\"core:header_bytes\":16,\"core:frequency\":"
            "1575e6,"
            "\"core:datetime\":\"2023-08-16T04:59:42Z\"},"
            "{\"core:sample_start\":1000,\"core:global_index\":1500,\"core:header_bytes\":16}]}",
            16 + 4000 + 16 + 2000);
    for (int from_data = 0; from_data < 2; from_data++) {
        assert_int_equal(describe(from_data ? data_path : meta_path, &err), GN_OK);
        assert_true(rec.n_segments == 2 && rec.n_items == 1500 && rec.n_ticks == 2000 &&
                    rec.n_left_bytes == 0);
        assert_true(rec.segments[0].offset_bytes == 16 && rec.segments[1].offset_bytes == 4032);
        assert_true(rec.segments[1].n_lost == 500 && rec.has_if && fabs(rec.if_hz - 0.42e6) < 1e-6);
    }
    assert_int_equal(
            gn_recording_cut(&rec, 1200, 400, &err), GN_OK); /* 300 lost ones, then 100 samples */
    assert_true(rec.n_segments == 1 && rec.n_items == 100 && rec.n_ticks == 400);
    assert_true(rec.segments[0].n_lost == 300 && rec.segments[0].offset_bytes == 4032);
    assert_true(rec.t0.frac_ps == 300000000ULL); /* 1200 / 4e6 s */
}

static void test_against_file(void **state)
{
    (void)state;
    struct gn_error err = {0};
    write_pair(GLOBAL "},\"captures\":[{\"core:header_bytes\":999}]}", 64);
    assert_int_equal(describe(meta_path, &err), GN_E_DATA);
    assert_non_null(strstr(err.text, "begins at byte 999, but the samples end at byte 64"));
    write_pair(GLOBAL ",\"core:trailing_bytes\":65},\"captures\":[]}", 64);
    assert_int_equal(describe(meta_path, &err), GN_E_DATA);
    write_pair(GLOBAL ",\"core:dataset\":\"gone.bin\"},\"captures\":[]}", 64);
    assert_int_equal(describe(meta_path, &err), GN_E_IO);
    write_pair("{\"global\":{\"core:datatype\":\"ci8\"}}", 64);
    assert_int_equal(describe(meta_path, &err), GN_E_ARG);
    assert_non_null(strstr(err.text, "rate must be given"));
    write_pair("{", 64);
    assert_int_equal(describe(data_path, &err), GN_E_DATA);
    assert_non_null(strstr(err.text, ".sigmf-meta: line"));
}

/* SHA-512 of "abc" and of three other bytes: FIPS 180-4, example C.1 */
static void test_sha512(void **state)
{
    (void)state;
    struct gn_error err = {0};
    static const char sha[] = "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                              "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f";
    char text[512];
    (void)snprintf(text, sizeof text,
            "{\"global\":{\"core:datatype\":\"ri8\",\"core:sample_rate\":1,\"core:sha512\":\"%s\"}"
            "}",
            sha);
    for (int i = 0; i < 2; i++) {
        write_pair(text, 0);
        FILE *f = fopen(data_path, "wb");
        assert_non_null(f);
        assert_true(fputs(i == 0 ? "abc" : "abd", f) >= 0);
        (void)fclose(f);
        assert_int_equal(describe(meta_path, &err), GN_OK);
        assert_int_equal(gn_recording_check_sha512(&rec, &err), i == 0 ? GN_OK : GN_E_DATA);
    }
    assert_non_null(strstr(err.text, "bytes 0 to 3 do not hash"));
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return 1;
    (void)snprintf(meta_path, sizeof meta_path, "%s/x.sigmf-meta", folder);
    (void)snprintf(data_path, sizeof data_path, "%s/x.sigmf-data", folder);
    return 0;
}

static int drop_folder(void **state)
{
    (void)state;
    (void)unlink(meta_path);
    (void)unlink(data_path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_good),
            cmocka_unit_test(test_refusals),
            cmocka_unit_test(test_bombs),
            cmocka_unit_test(test_segments),
            cmocka_unit_test(test_against_file),
            cmocka_unit_test(test_sha512),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
