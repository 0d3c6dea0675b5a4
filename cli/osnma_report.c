/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A report of lib/osnma/evidence as a tree for people. */
#include "cli/osnma.h"

#include <string.h>

#define COLUMN 100 /* hexadecimal digits in a line */

static const char *text_of(const json_t *o, const char *name)
{
    const char *t = json_string_value(json_object_get(o, name));
    return t != NULL ? t : "";
}

static long long int_of(const json_t *o, const char *name)
{
    return (long long)json_integer_value(json_object_get(o, name));
}

/* long hexadecimal texts in several lines */
static void print_text(const char *indent, const char *name, const char *text)
{
    size_t n = strlen(text), at = 0;
    do {
        size_t k = n - at < COLUMN ? n - at : COLUMN;
        (void)printf("%s%-15s %.*s\n", indent, at == 0 ? name : "", (int)k, text + at);
        at += k;
    } while (at < n);
}

static void print_member(const char *name, const json_t *v)
{
    static const char indent[] = "  |     ";
    size_t i = 0;
    const json_t *row = NULL;
    if (json_is_integer(v))
        (void)printf("%s%-15s %lld\n", indent, name, (long long)json_integer_value(v));
    else if (json_is_string(v))
        print_text(indent, name, json_string_value(v));
    json_array_foreach (v, i, row)
        print_text(indent, i == 0 ? name : "", json_string_value(row));
}

static void print_node(const json_t *node)
{
    const char *name = NULL, *reason = text_of(node, "reason");
    json_t *v = NULL;
    (void)printf("  +-- %s: %s%s%s%s\n", text_of(node, "node"), text_of(node, "verdict"), reason[0] != '\0' ? " (" : "", reason,
            reason[0] != '\0' ? ")" : "");
    json_object_foreach ((json_t *)(uintptr_t)node, name, v)
        if (strcmp(name, "node") != 0 && strcmp(name, "verdict") != 0 && strcmp(name, "reason") != 0)
            print_member(name, v);
}

void osnma_print_report(const json_t *report)
{
    size_t i = 0, k = 0;
    const json_t *tag = NULL, *node = NULL;
    json_array_foreach (json_object_get(report, "tags"), i, tag) {
        const char *reason = text_of(tag, "reason");
        (void)printf("tag %lld of E%02lld about E%02lld, ADKD %lld, sub-frame %lld:%lld: %s%s%s%s\n", int_of(tag, "ctr"),
                int_of(tag, "prn_a"), int_of(tag, "prn_d"), int_of(tag, "adkd"), int_of(tag, "wn"), int_of(tag, "tow"),
                text_of(tag, "verdict"), reason[0] != '\0' ? " (" : "", reason, reason[0] != '\0' ? ")" : "");
        json_array_foreach (json_object_get(tag, "nodes"), k, node)
            print_node(node);
    }
    (void)printf("all together: %s\n", text_of(report, "verdict"));
}

int osnma_print_result(const struct cli_args *args, const json_t *report)
{
    if (!args->is_json) {
        osnma_print_report(report);
        return CLI_OK;
    }
    int bad = json_dumpf(report, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    (void)putchar('\n');
    return bad == 0 ? CLI_OK : cli_fail(CLI_OUTPUT, "standard output cannot be written");
}

int osnma_load_keys(const struct cli_args *args, struct gn_osnma_anchor *ret)
{
    struct gn_error err = {0};
    const char *path = cli_value(args, "keys");
    gn_status st = gn_osnma_keys_load(path, cli_value(args, "allow-test-keys") != NULL, ret, &err);
    if (st == GN_OK)
        return CLI_OK;
    return err.line > 0 ? cli_fail(CLI_DATA, "%s:%d: %s", path, (int)err.line, err.text)
                        : cli_fail(CLI_DATA, "%s: %s", path, err.text);
}
