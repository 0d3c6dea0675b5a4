/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon lab list | run */
#include "cli/lab.h"

#include "core/text/suggest.h"

#include <string.h>

static const struct cli_command *const subcommands[] = {&cli_lab_list, &cli_lab_run};

#define PREFIX "lab "

static void print_overview(FILE *to)
{
    (void)fputs("usage: gnomon lab SUBCOMMAND ...\n\n", to);
    for (size_t i = 0; i < GN_COUNT(subcommands); i++)
        (void)fprintf(
                to, "  %-10s %s\n", subcommands[i]->name + strlen(PREFIX), subcommands[i]->summary);
    (void)fputs("\ngnomon lab SUBCOMMAND --help tells more.\n", to);
}

static int unknown(const char *name)
{
    struct gn_suggest s = {.word = name};
    for (size_t i = 0; i < GN_COUNT(subcommands); i++)
        gn_suggest_offer(&s, subcommands[i]->name + strlen(PREFIX));
    (void)cli_fail(CLI_USAGE, "gnomon lab has no subcommand '%s'", name);
    if (s.best != NULL)
        (void)fprintf(stderr, "      = did you mean '%s'?\n", s.best);
    else
        print_overview(stderr);
    return CLI_USAGE;
}

static int run_sub(const struct cli_command *c, int argc, char **argv)
{
    struct cli_args args;
    bool is_help = false;
    int code = cli_args_parse(c, argc, argv, &args, &is_help);
    if (code != CLI_OK)
        return code;
    if (!is_help)
        return c->run(&args);
    cli_print_help(c, stdout);
    return CLI_OK;
}

static int run(const struct cli_args *args)
{
    char *argv[CLI_WORDS_MAX];
    if (args->n_words == 0) {
        print_overview(stderr);
        return CLI_USAGE;
    }
    const char *name = args->words[0];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_overview(stdout);
        return CLI_OK;
    }
    for (uint32_t i = 1; i < args->n_words; i++)
        memcpy(&argv[i - 1], &args->words[i],
                sizeof argv[0]); /* they came from main's argv: writable */
    for (size_t i = 0; i < GN_COUNT(subcommands); i++)
        if (strcmp(subcommands[i]->name + strlen(PREFIX), name) == 0)
            return run_sub(subcommands[i], (int)args->n_words - 1, argv);
    return unknown(name);
}

const struct cli_command cli_lab = {
        .name = "lab",
        .usage = "lab SUBCOMMAND ...",
        .summary = "grade a receiver against jamming, spoofing and bad skies",
        .takes_rest = true,
        .n_words_max = CLI_WORDS_MAX,
        .run = run,
};
