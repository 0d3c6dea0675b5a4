/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Recordings that are no recordings, through the program itself: exit code, words that name file
 * and offset, and an event log that does not look complete. */
#include "gnomon/status.h"
#include "tests/support/gn_test.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM GN_BINARY_DIR "/gnomon"
#define META    "{\"global\":{\"core:datatype\":\"ci8\",\"core:sample_rate\":4e6"

static char folder[] = "/tmp/gnomon-bad-XXXXXX";

static const struct {
    const char *name, *meta; /* NULL: a raw file */
    size_t n_bytes;          /* of data; 1 << 20: none is written, 1 << 21: a folder */
    const char *args;
    int code;
    const char *words; /* in what is said */
} rows[] = {
        {"empty", NULL, 0, "format=ci8 rate=4e6", 3, "x is empty"},
        {"odd byte count", NULL, 1001, "format=ci8 rate=4e6 --strict", 3,
                "1 trailing bytes at byte 1000"},
        {"odd, tolerated", NULL, 1001, "format=ci8 rate=4e6", 0, "1 trailing bytes at byte 1000"},
        {"truncated item", NULL, 1003, "format=cf32_le rate=4e6 --strict", 3,
                "3 trailing bytes at byte 1000"},
        {"less than an item", NULL, 7, "format=cf32_le rate=4e6", 3,
                "7 bytes at byte 0 hold no sample"},
        {"nothing said", NULL, 100, "", 2, "format and rate must be given"},
        {"skipped", NULL, 100, "format=ci8 rate=4e6 skip=1", 2,
                "all of its 50 samples are skipped"},
        {"wrong sha", META ",\"core:sha512\":\"%0128d\"}}", 100, "", 3,
                "bytes 0 to 100 do not hash"},
        {"header beyond", META "},\"captures\":[{\"core:header_bytes\":200}]}", 100, "", 3,
                "begins at byte 200"},
        {"capture beyond", META "},\"captures\":[{},{\"core:sample_start\":51}]}", 100, "", 3,
                "captures[1] begins at byte 102"},
        {"garbage metadata", "\x01\x02garbage", 100, "", 3, "line 1"},
        {"cut metadata", META, 100, "", 3, "line 1"},
        {"no datatype", "{\"global\":{\"core:sample_rate\":4e6}}", 100, "", 3,
                "core:datatype is missing"},
        {"rate 1e400", "{\"global\":{\"core:datatype\":\"ci8\",\"core:sample_rate\":1e400}}", 100,
                "", 3, "line 1"},
        {"bad hash text", META ",\"core:sha512\":\"xyz\"}}", 100, "", 3, "128 hexadecimal digits"},
        {"metadata without data", META "}}", 1 << 20, "", 3, "cannot open"},
        {"folder", NULL, 1 << 21, "format=ci8 rate=4e6", 3, "not a regular file"},
        {"unknown format", NULL, 100, "format=cbyte rate=4e6", 2, "cbyte"},
        {"map of three", NULL, 100, "format=packed rate=4e6 map=[1,2,3]", 2, "4 codes"},
};

static void write_text(const char *name, const char *text, size_t n)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    (void)fclose(f);
}

static void make_files(size_t i)
{
    static const char zeros[2048];
    char meta[1024], path[256];
    (void)snprintf(meta, sizeof meta, "%s", rows[i].meta != NULL ? rows[i].meta : "");
    if (rows[i].meta != NULL && strstr(rows[i].meta, "%0128d") != NULL)
        (void)snprintf(meta, sizeof meta, META ",\"core:sha512\":\"%0128d\"}}", 0);
    if (rows[i].meta != NULL)
        write_text("x.sigmf-meta", meta, strlen(meta));
    if (rows[i].n_bytes <= sizeof zeros)
        write_text(rows[i].meta != NULL ? "x.sigmf-data" : "x", zeros, rows[i].n_bytes);
    if (rows[i].n_bytes == 1 << 21) {
        (void)snprintf(path, sizeof path, "%s/x", folder);
        assert_int_equal(mkdir(path, 0700), 0);
    }
}

static void drop_files(void)
{
    static const char *const names[] = {"x", "x.sigmf-meta", "x.sigmf-data", "log.jsonl"};
    char path[256];
    for (size_t i = 0; i < GN_COUNT(names); i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)remove(path);
    }
}

static bool log_has_end(void)
{
    char path[256], text[65536] = "";
    (void)snprintf(path, sizeof path, "%s/log.jsonl", folder);
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return false;
    size_t n = fread(text, 1, sizeof text - 1, f);
    text[n] = '\0';
    (void)fclose(f);
    return strstr(text, "\"status\":\"ok\"") != NULL;
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        char command[2048], output[8192] = "";
        const char *strict = strstr(rows[i].args, "--strict");
        int n_args = strict != NULL ? (int)(strict - rows[i].args) : (int)strlen(rows[i].args);
        make_files(i);
        (void)snprintf(command, sizeof command,
                "%s run 'frontend.file path=%s/x%s %.*s > std.null_sink' %s --jsonl %s/log.jsonl "
                "2>&1",
                PROGRAM, folder, rows[i].meta != NULL ? ".sigmf-meta" : "", n_args, rows[i].args,
                strict != NULL ? strict : "", folder);
        FILE *p = popen(command, "r");
        assert_non_null(p);
        size_t n = fread(output, 1, sizeof output - 1, p);
        output[n] = '\0';
        int status = pclose(p);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != rows[i].code ||
                strstr(output, rows[i].words) == NULL || log_has_end() != (rows[i].code == 0))
            fail_msg("[%s] exit %d, want %d with '%s':\n%s", rows[i].name, WEXITSTATUS(status),
                    rows[i].code, rows[i].words, output);
        drop_files();
    }
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int drop_folder(void **state)
{
    (void)state;
    drop_files();
    return rmdir(folder);
}

int main(void)
{
    if (access(PROGRAM, X_OK) != 0) {
        (void)puts("not run: the program is not built");
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
