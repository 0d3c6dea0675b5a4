/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon osnma SUBCOMMAND ... */
#include "cli/osnma.h"

#include "core/text/suggest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct cli_command *const subcommands[] = {
        &cli_osnma_run, &cli_osnma_keys, &cli_osnma_explain, &cli_osnma_verify, &cli_osnma_profile};

#define PREFIX "osnma "

static const char *short_name(const struct cli_command *c)
{
    return c->name + strlen(PREFIX);
}

static void print_overview(FILE *to)
{
    (void)fputs("usage: gnomon osnma SUBCOMMAND ...\n\n", to);
    for (size_t i = 0; i < GN_COUNT(subcommands); i++)
        (void)fprintf(to, "  %-10s %s\n", short_name(subcommands[i]), subcommands[i]->summary);
    (void)fputs("\ngnomon osnma SUBCOMMAND --help tells more.\n", to);
}

static int unknown(const char *name)
{
    struct gn_suggest s = {.word = name};
    for (size_t i = 0; i < GN_COUNT(subcommands); i++)
        gn_suggest_offer(&s, short_name(subcommands[i]));
    (void)cli_fail(CLI_USAGE, "gnomon osnma has no subcommand '%s'", name);
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
    if (is_help) {
        cli_print_help(c, stdout);
        return CLI_OK;
    }
    return c->run(&args);
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
        memcpy(&argv[i - 1], &args->words[i], sizeof argv[0]); /* they came from main's argv: writable */
    for (size_t i = 0; i < GN_COUNT(subcommands); i++)
        if (strcmp(short_name(subcommands[i]), name) == 0)
            return run_sub(subcommands[i], (int)args->n_words - 1, argv);
    return unknown(name);
}

int osnma_read_file(const char *path, size_t n_max, uint8_t **data, size_t *n_bytes)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return cli_fail(CLI_DATA, "%s: %s", path, strerror(errno));
    uint8_t *p = malloc(n_max + 1);
    *n_bytes = p != NULL ? fread(p, 1, n_max + 1, f) : 0;
    bool is_bad = ferror(f) != 0;
    (void)fclose(f);
    if (p == NULL)
        return cli_fail(CLI_INTERNAL, "out of memory");
    if (is_bad || *n_bytes > n_max) {
        free(p);
        return cli_fail(CLI_DATA, "%s: %s", path, is_bad ? "cannot be read" : "is too large");
    }
    *data = p;
    return CLI_OK;
}

const struct cli_command cli_osnma = {
        .name = "osnma",
        .usage = "osnma SUBCOMMAND ...",
        .summary = "authenticate Galileo navigation data",
        .takes_rest = true,
        .n_words_max = CLI_WORDS_MAX,
        .run = run,
};
