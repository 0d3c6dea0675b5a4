/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon list: the blocks there are, and the plugins that cannot be used. */
#include "cli/command.h"
#include "core/plugin/registry.h"
#include "core/text/json.h"

#include <string.h>

static const struct cli_option options[] = {
        {"plugins", NULL, "the plugins instead of the blocks", 0, false},
        {NULL, NULL, NULL, 0, false},
};

static bool is_hidden(const struct gn_registry *reg, const char *name, const struct gn_plugin_file *f)
{
    for (const struct gn_plugin_clash *c = gn_registry_clashes(reg); c != NULL; c = c->next) {
        if (c->hidden == f && strcmp(c->block, name) == 0)
            return true;
    }
    return false;
}

static void print_blocks(const struct gn_registry *reg)
{
    for (const struct gn_plugin_file *f = gn_registry_files(reg); f != NULL; f = f->next) {
        for (uint32_t i = 0; i < f->n_blocks; i++) {
            const struct gn_block *b = f->blocks[i];
            if (!is_hidden(reg, b->name, f))
                (void)printf("%-24s %s\n", b->name, b->summary != NULL ? b->summary : "");
        }
    }
}

static void print_plugins(const struct gn_registry *reg)
{
    for (const struct gn_plugin_file *f = gn_registry_files(reg); f != NULL; f = f->next) {
        if (f->reason == NULL)
            (void)printf("%-12s %-8s %-20s %3u blocks  %s\n", f->name, f->version, f->license, f->n_blocks, f->path);
    }
}

static void print_json(const struct gn_registry *reg)
{
    (void)fputs("[", stdout);
    for (const struct gn_plugin_file *f = gn_registry_files(reg); f != NULL; f = f->next) {
        (void)fputs(f != gn_registry_files(reg) ? ",\n {" : "\n {", stdout);
        gn_json_pair(stdout, "path", f->path);
        (void)fputs(", ", stdout);
        gn_json_pair(stdout, "plugin", f->name);
        (void)fputs(", ", stdout);
        gn_json_pair(stdout, "version", f->version);
        (void)fputs(", ", stdout);
        gn_json_pair(stdout, "reason", f->reason);
        (void)fputs(", \"blocks\": [", stdout);
        for (uint32_t i = 0; i < f->n_blocks; i++) {
            (void)fputs(i > 0 ? ", {" : "{", stdout);
            gn_json_pair(stdout, "name", f->blocks[i]->name);
            (void)fputs(", ", stdout);
            gn_json_pair(stdout, "summary", f->blocks[i]->summary);
            (void)fputs("}", stdout);
        }
        (void)fputs("]}", stdout);
    }
    (void)puts("]");
}

static void print_troubles(const struct gn_registry *reg)
{
    for (const struct gn_plugin_file *f = gn_registry_files(reg); f != NULL; f = f->next) {
        if (f->reason != NULL)
            (void)fprintf(stderr, "gnomon: warning: plugin %s cannot be used: %s\n", f->path, f->reason);
    }
    for (const struct gn_plugin_clash *c = gn_registry_clashes(reg); c != NULL; c = c->next)
        (void)fprintf(stderr, "gnomon: warning: block %s is in %s and again in %s: the first is used\n", c->block,
                c->used->path, c->hidden->path);
}

static int list(const struct cli_args *args)
{
    struct gn_registry *reg = gn_registry_new(NULL);

    if (reg == NULL)
        return cli_fail(CLI_INTERNAL, "out of memory");
    gn_registry_load_all(reg);
    if (args->is_json)
        print_json(reg);
    else if (cli_value(args, "plugins") != NULL)
        print_plugins(reg);
    else
        print_blocks(reg);
    if (!args->is_quiet)
        print_troubles(reg);
    gn_registry_free(reg);
    return CLI_OK;
}

const struct cli_command cli_list = {
        .name = "list",
        .usage = "list [--plugins] [--json]",
        .summary = "the blocks of all plugins, and the plugins that cannot be used",
        .options = options,
        .run = list,
};
