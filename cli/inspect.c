/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon inspect: what a block or plugin offers, from its tables. */
#include "cli/command.h"
#include "core/graph/param.h"
#include "core/plugin/registry.h"
#include "core/text/json.h"

#include <string.h>

struct inspector {
    struct gn_registry *registry;
    struct gn_arena *arena;
};

static const char *port_kind(struct inspector *x, const struct gn_port *p)
{
    if (p->formats != NULL)
        return gn_arena_printf(x->arena, "stream %s", p->formats);
    return p->schema != NULL ? gn_arena_printf(x->arena, "message %s", p->schema->name) : "any message";
}

static void print_ports(struct inspector *x, const struct gn_block *b)
{
    for (uint32_t i = 0; i < b->n_ports; i++) {
        const struct gn_port *p = &b->ports[i];
        (void)printf("  %-3s %-16s %-28s%s%s %s\n", p->dir == GN_IN ? "in" : "out", p->name, port_kind(x, p),
                (p->flags & GN_PORT_OPTIONAL) != 0 ? " optional" : "", (p->flags & GN_PORT_LATEST) != 0 ? " latest" : "",
                p->doc != NULL ? p->doc : "");
        if (p->delay_s > 0)
            (void)printf("      its messages count %.6g s later\n", p->delay_s);
    }
}

static void print_params(struct inspector *x, const struct gn_block *b)
{
    for (uint32_t i = 0; i < b->n_params; i++) {
        const struct gn_param *p = &b->params[i];
        const char *range = gn_param_range_words(x->arena, p);
        (void)printf("  %-20s %s\n", p->name, p->doc != NULL ? p->doc : "");
        (void)printf("  %-20s %s%s%s%s; %s%s\n", "", gn_param_type_words(x->arena, p), range[0] != '\0' ? ", " : "",
                range, (p->flags & GN_PARAM_LIVE) != 0 ? ", may change while running" : "",
                p->def != NULL ? "default " : "must be given", p->def != NULL ? (p->def[0] != '\0' ? p->def : "\"\"") : "");
    }
}

static void print_block(struct inspector *x, const struct gn_block *b)
{
    const struct gn_plugin_file *f = gn_registry_owner(x->registry, b);

    (void)printf("%s: %s\n", b->name, b->summary != NULL ? b->summary : "");
    if (b->doc != NULL)
        (void)printf("\n%s\n", b->doc);
    if (b->impl_of != NULL)
        (void)printf("\nvariant of %s%s%s\n", b->impl_of, b->needs != NULL ? ", needs " : "", b->needs != NULL ? b->needs : "");
    (void)puts("\nports:");
    print_ports(x, b);
    (void)puts("\nparameters:");
    print_params(x, b);
    if (b->stages != NULL) {
        (void)fputs("\ntimed stages:", stdout);
        for (size_t i = 0; b->stages[i] != NULL; i++)
            (void)printf(" %s", b->stages[i]);
        (void)puts("");
    }
    (void)printf("\nstate: %u bytes a copy\nplugin: %s %s (%s), %s\n", b->state_size, f != NULL ? f->name : "?",
            f != NULL ? f->version : "", f != NULL ? f->license : "", f != NULL ? f->path : "");
}

static void comma_pair(const char *key, const char *text)
{
    (void)fputs(", ", stdout);
    gn_json_pair(stdout, key, text);
}

static void json_ports(const struct gn_block *b)
{
    for (uint32_t i = 0; i < b->n_ports; i++) {
        const struct gn_port *p = &b->ports[i];
        (void)fputs(i > 0 ? ",\n  {" : "\n  {", stdout);
        gn_json_pair(stdout, "name", p->name);
        comma_pair("dir", p->dir == GN_IN ? "in" : "out");
        comma_pair("formats", p->formats);
        comma_pair("schema", p->schema != NULL ? p->schema->name : NULL);
        comma_pair("doc", p->doc);
        (void)printf(", \"optional\": %s, \"delay_s\": ", (p->flags & GN_PORT_OPTIONAL) != 0 ? "true" : "false");
        gn_json_number(stdout, p->delay_s);
        (void)fputs("}", stdout);
    }
}

static void json_choices(const struct gn_param *p)
{
    if (p->choices == NULL)
        return;
    (void)fputs(", \"choices\": [", stdout);
    for (size_t i = 0; p->choices[i] != NULL; i++) {
        (void)fputs(i > 0 ? ", " : "", stdout);
        gn_json_text(stdout, p->choices[i]);
    }
    (void)fputs("]", stdout);
}

static void json_params(const struct gn_block *b)
{
    static const char *const types[] = {"", "number", "integer", "boolean", "text", "path", "choice", "set", "list"};

    for (uint32_t i = 0; i < b->n_params; i++) {
        const struct gn_param *p = &b->params[i];
        (void)fputs(i > 0 ? ",\n  {" : "\n  {", stdout);
        gn_json_pair(stdout, "name", p->name);
        comma_pair("type", types[p->type]);
        comma_pair("unit", p->unit != NULL ? p->unit : "");
        comma_pair("default", p->def);
        comma_pair("doc", p->doc);
        json_choices(p);
        if (p->min != 0 || p->max != 0) {
            (void)fputs(", \"min\": ", stdout);
            gn_json_number(stdout, p->min);
            (void)fputs(", \"max\": ", stdout);
            gn_json_number(stdout, p->max);
        }
        (void)printf(", \"auto\": %s, \"live\": %s}", (p->flags & GN_PARAM_AUTO) != 0 ? "true" : "false",
                (p->flags & GN_PARAM_LIVE) != 0 ? "true" : "false");
    }
}

static void json_block(struct inspector *x, const struct gn_block *b)
{
    const struct gn_plugin_file *f = gn_registry_owner(x->registry, b);

    (void)fputs("{", stdout);
    gn_json_pair(stdout, "name", b->name);
    comma_pair("summary", b->summary);
    comma_pair("doc", b->doc);
    comma_pair("impl_of", b->impl_of);
    comma_pair("plugin", f != NULL ? f->path : NULL);
    (void)printf(", \"state_bytes\": %u, \"ports\": [", b->state_size);
    json_ports(b);
    (void)fputs("],\n \"parameters\": [", stdout);
    json_params(b);
    (void)fputs("]}", stdout);
}

static const struct gn_plugin_file *find_plugin(struct inspector *x, const char *name)
{
    gn_registry_load_all(x->registry);
    for (const struct gn_plugin_file *f = gn_registry_files(x->registry); f != NULL; f = f->next) {
        if (f->name != NULL && strcmp(f->name, name) == 0)
            return f;
    }
    return NULL;
}

static int show_plugin(struct inspector *x, const struct gn_plugin_file *f, bool is_json)
{
    if (f->reason != NULL)
        return cli_fail(CLI_PLUGIN, "plugin %s cannot be used: %s", f->path, f->reason);
    if (!is_json)
        (void)printf("plugin %s %s (%s), ABI %u.%u, %s\n\n", f->name, f->version, f->license, f->abi_major, f->abi_minor,
                f->path);
    (void)fputs(is_json ? "[" : "", stdout);
    for (uint32_t i = 0; i < f->n_blocks; i++) {
        if (is_json) {
            (void)fputs(i > 0 ? ",\n" : "", stdout);
            json_block(x, f->blocks[i]);
        } else {
            (void)fputs(i > 0 ? "\n----\n\n" : "", stdout);
            print_block(x, f->blocks[i]);
        }
    }
    (void)puts(is_json ? "]" : "");
    return CLI_OK;
}

static int unknown(struct inspector *x, const char *word)
{
    struct gn_suggest s = {.word = word};

    gn_registry_load_all(x->registry);
    gn_registry_suggest(x->registry, &s);
    for (const struct gn_plugin_file *f = gn_registry_files(x->registry); f != NULL; f = f->next)
        gn_suggest_offer(&s, f->name);
    (void)cli_fail(CLI_USAGE, "no block or plugin '%s'", word);
    if (s.best != NULL)
        (void)fprintf(stderr, "      = did you mean '%s'?\n", s.best);
    return CLI_USAGE;
}

static int show(struct inspector *x, const char *word, bool is_json)
{
    size_t n = strlen(word);

    if (n > 3 && strcmp(word + n - 3, ".so") == 0)
        return show_plugin(x, gn_registry_load(x->registry, word), is_json);
    const struct gn_block *b = gn_registry_find(x->registry, word);
    if (b == NULL) {
        const struct gn_plugin_file *f = find_plugin(x, word);
        return f != NULL ? show_plugin(x, f, is_json) : unknown(x, word);
    }
    if (is_json) {
        json_block(x, b);
        (void)puts("");
    } else {
        print_block(x, b);
    }
    return CLI_OK;
}

static int inspect(const struct cli_args *args)
{
    struct inspector x = {.registry = gn_registry_new(NULL), .arena = gn_arena_new()};
    int code = CLI_INTERNAL;

    if (x.registry != NULL && x.arena != NULL)
        code = show(&x, args->words[0], args->is_json);
    gn_arena_free(x.arena);
    gn_registry_free(x.registry);
    return code;
}

const struct cli_command cli_inspect = {
        .name = "inspect",
        .usage = "inspect BLOCK|PLUGIN|FILE.so [--json]",
        .summary = "ports, parameters and documentation of a block or plugin",
        .n_words_min = 1,
        .n_words_max = 1,
        .run = inspect,
};
