/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The loader against a folder of broken plugins with a good one among them. argv[1]: the folder, made by
 * CMakeLists.txt; garbage, links and copies are added here. */
#include "core/plugin/registry.h"

#include "gn_test.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *folder;

static const struct gn_plugin_file *find(const struct gn_registry *reg, const char *leaf)
{
    for (const struct gn_plugin_file *f = gn_registry_files(reg); f != NULL; f = f->next) {
        const char *slash = strrchr(f->path, '/');
        if (slash != NULL && strcmp(slash + 1, leaf) == 0)
            return f;
    }
    return NULL;
}

static void write_file(const char *leaf, const char *text, mode_t mode)
{
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/%s", folder, leaf);
    (void)unlink(path);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    (void)fputs(text, f);
    (void)fclose(f);
    (void)chmod(path, mode);
}

static void make_links(void)
{
    char path[4096], other[4096];

    (void)snprintf(path, sizeof path, "%s/loop_a.so", folder);
    (void)snprintf(other, sizeof other, "%s/loop_b.so", folder);
    (void)unlink(path);
    (void)unlink(other);
    assert_int_equal(symlink("loop_b.so", path), 0);
    assert_int_equal(symlink("loop_a.so", other), 0);
    (void)snprintf(path, sizeof path, "%s/dangling.so", folder);
    (void)unlink(path);
    assert_int_equal(symlink("nowhere", path), 0);
    (void)snprintf(path, sizeof path, "%s/again.so", folder); /* the good one under another name */
    (void)unlink(path);
    assert_int_equal(symlink("good.so", path), 0);
    (void)snprintf(path, sizeof path, "%s/folder.so", folder);
    (void)mkdir(path, 0755);
}

static const struct {
    const char *leaf, *reason; /* NULL: it must be in use */
} rows[] = {
        {"good.so", NULL},
        {"wide.so", NULL},
        {"undefined.so", "function_nobody_has"},
        {"abi.so", "ABI 2"},
        {"no_symbol.so", "exports no gn_plugin"},
        {"short.so", "fewer than the first release"},
        {"stride.so", "record size of 12 bytes"},
        {"blocks.so", "a list of 100000 blocks"},
        {"no_work.so", "has no work()"},
        {"no_name.so", "a block without a name"},
        {"outside.so", "parameter gain lies outside the state"},
        {"garbage.so", ""},
        {"empty.so", ""},
        {"folder.so", "not a regular file"},
        {"loop_a.so", "symbolic links"},
        {"dangling.so", "No such file"},
};

static void test_rows(void **unused)
{
    struct gn_registry *reg = gn_registry_new("/nonexistent/gnomon");

    (void)unused;
    gn_registry_load_all(reg);
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        const struct gn_plugin_file *f = find(reg, rows[i].leaf);
        GN_CHECK(rows[i].leaf, f != NULL || strcmp(rows[i].leaf, "good.so") == 0);
        if (f == NULL)
            continue; /* good.so is again.so: whichever comes first in the folder */
        GN_CHECK(rows[i].leaf, (f->reason == NULL) == (rows[i].reason == NULL));
        if (rows[i].reason != NULL && strstr(f->reason, rows[i].reason) == NULL)
            fail_msg("%s: '%s' does not say '%s'", rows[i].leaf, f->reason, rows[i].reason);
    }
    assert_non_null(gn_registry_find(reg, "good.source"));
    gn_registry_free(reg);
}

static void test_one_file_once(void **unused)
{
    struct gn_registry *reg = gn_registry_new("/nonexistent/gnomon");

    (void)unused;
    gn_registry_load_all(reg);
    assert_true((find(reg, "good.so") == NULL) != (find(reg, "again.so") == NULL));
    gn_registry_free(reg);
}

static void test_duplicate(void **unused)
{
    struct gn_registry *reg = gn_registry_new("/nonexistent/gnomon");

    (void)unused;
    gn_registry_load_all(reg);
    const struct gn_plugin_clash *c = gn_registry_clashes(reg);
    assert_non_null(c);
    assert_string_equal(c->block, "twice.source");
    assert_non_null(strstr(c->hidden->path, "/twice_b.so"));
    assert_null(c->next);
    gn_registry_free(reg);
}

static void test_wider_records(void **unused)
{
    struct gn_registry *reg = gn_registry_new("/nonexistent/gnomon");
    const struct gn_block *b = gn_registry_find(reg, "wide.source");

    (void)unused;
    assert_non_null(b);
    assert_int_equal(b->n_ports, 2);
    assert_string_equal(b->ports[1].name, "records");
    assert_string_equal(b->ports[1].schema->fields[1].name, "b");
    assert_int_equal(b->ports[1].schema->fields[1].offset, 4);
    assert_string_equal(b->params[1].name, "second");
    assert_int_equal(b->params[1].offset, 8);
    gn_registry_free(reg);
}

/* Looking for good.source opens good.so alone. */
static void test_only_what_is_needed(void **unused)
{
    struct gn_registry *reg = gn_registry_new("/nonexistent/gnomon");

    (void)unused;
    assert_non_null(gn_registry_find(reg, "good.source"));
    assert_non_null(gn_registry_files(reg));
    assert_null(gn_registry_files(reg)->next);
    assert_null(gn_registry_find(reg, "good.sink")); /* now all were asked */
    assert_non_null(gn_registry_files(reg)->next);
    gn_registry_free(reg);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_one_file_once),
            cmocka_unit_test(test_duplicate), cmocka_unit_test(test_wider_records),
            cmocka_unit_test(test_only_what_is_needed)};

    if (argc < 2)
        return 1;
    folder = argv[1];
    (void)setenv("GNOMON_PLUGIN_PATH", folder, 1);
    (void)setenv("HOME", "/nonexistent", 1);
    (void)unsetenv("XDG_DATA_HOME");
    write_file("garbage.so", "\177ELF this is not a library but has its first four bytes", 0644);
    write_file("empty.so", "", 0644);
    make_links();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
