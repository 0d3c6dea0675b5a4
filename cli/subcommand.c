/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Commands that have commands of their own: gnomon osnma run, gnomon gpsauth keygen. */
#include "cli/command.h"

#include "core/text/suggest.h"

#include <string.h>

static const char *short_name(const char *parent, const struct cli_command *c)
{
    return c->name + strlen(parent) + 1;
}

static void print_overview(const char *parent, const struct cli_command *const *subs, uint32_t n_subs, FILE *to)
{
    (void)fprintf(to, "usage: gnomon %s SUBCOMMAND ...\n\n", parent);
    for (uint32_t i = 0; i < n_subs; i++)
        (void)fprintf(to, "  %-16s %s\n", short_name(parent, subs[i]), subs[i]->summary);
    (void)fprintf(to, "\ngnomon %s SUBCOMMAND --help tells more.\n", parent);
}

static int unknown(const char *parent, const struct cli_command *const *subs, uint32_t n_subs, const char *name)
{
    struct gn_suggest s = {.word = name};

    for (uint32_t i = 0; i < n_subs; i++)
        gn_suggest_offer(&s, short_name(parent, subs[i]));
    (void)cli_fail(CLI_USAGE, "gnomon %s has no subcommand '%s'", parent, name);
    if (s.best != NULL)
        (void)fprintf(stderr, "      = did you mean '%s'?\n", s.best);
    else
        print_overview(parent, subs, n_subs, stderr);
    return CLI_USAGE;
}

static int run_sub(const struct cli_command *c, int argc, char **argv)
{
    struct cli_args args;
    bool is_help = false;
    const int code = cli_args_parse(c, argc, argv, &args, &is_help);

    if (code != CLI_OK)
        return code;
    if (is_help) {
        cli_print_help(c, stdout);
        return CLI_OK;
    }
    return c->run(&args);
}

int cli_run_subcommand(const struct cli_args *args, const struct cli_command *const *subs, uint32_t n_subs)
{
    const char *parent = args->command->name, *name = args->n_words > 0 ? args->words[0] : NULL;
    char *argv[CLI_WORDS_MAX];

    if (name == NULL) {
        print_overview(parent, subs, n_subs, stderr);
        return CLI_USAGE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_overview(parent, subs, n_subs, stdout);
        return CLI_OK;
    }
    for (uint32_t i = 1; i < args->n_words; i++)
        memcpy(&argv[i - 1], &args->words[i], sizeof argv[0]); /* they came from main's argv: writable */
    for (uint32_t i = 0; i < n_subs; i++)
        if (strcmp(short_name(parent, subs[i]), name) == 0)
            return run_sub(subs[i], (int)args->n_words - 1, argv);
    return unknown(parent, subs, n_subs, name);
}
