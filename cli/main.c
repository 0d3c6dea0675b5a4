/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "cli/command.h"

#include "core/text/suggest.h"

#include <signal.h>
#include <string.h>

static const struct cli_command *const commands[] = {
        &cli_run, &cli_check, &cli_draw, &cli_list, &cli_inspect, &cli_check_plugin, &cli_new_plugin, &cli_osnma, &cli_lab,
        &cli_gpsauth,
        &cli_doctor, &cli_version,
};

static void print_overview(FILE *to)
{
    (void)fputs("usage: gnomon COMMAND ...\n\n", to);
    for (size_t i = 0; i < GN_COUNT(commands); i++)
        (void)fprintf(to, "  %-14s %s\n", commands[i]->name, commands[i]->summary);
    (void)fputs("\ngnomon COMMAND --help tells more. Exit codes: 0 ok, 1 internal, 2 usage or flowgraph, 3 bad input\n"
                "data, 4 device, 5 plugin, 6 no fix, 7 not authentic, 8 output cannot be written, 130 interrupted.\n",
            to);
}

static int unknown_command(const char *name)
{
    struct gn_suggest s = {.word = name};

    for (size_t i = 0; i < GN_COUNT(commands); i++)
        gn_suggest_offer(&s, commands[i]->name);
    (void)cli_fail(CLI_USAGE, "unknown command '%s'", name);
    if (s.best != NULL)
        (void)fprintf(stderr, "      = did you mean '%s'?\n", s.best);
    else
        (void)fputs("      = gnomon --help lists them\n", stderr);
    return CLI_USAGE;
}

static const struct cli_command *find_command(const char *name)
{
    for (size_t i = 0; i < GN_COUNT(commands); i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    }
    return NULL;
}

static int print_help(const struct cli_command *c)
{
    if (c != NULL)
        cli_print_help(c, stdout);
    else
        print_overview(stdout);
    return cli_flush_stdout();
}

int main(int argc, char **argv)
{
    struct cli_args args;
    bool is_help = false;

    (void)signal(SIGPIPE, SIG_IGN); /* a reader that went away is an output that cannot be written */
    if (argc < 2) {
        print_overview(stderr);
        return CLI_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || (strcmp(name, "help") == 0 && argc == 2))
        return print_help(NULL);
    if (strcmp(name, "--version") == 0)
        name = "version";
    if (strcmp(name, "help") == 0 && strcmp(argv[2], "--man") == 0) {
        cli_print_man(commands, GN_COUNT(commands), stdout);
        return cli_flush_stdout();
    }
    if (strcmp(name, "help") == 0) {
        const struct cli_command *c = find_command(argv[2]);
        return c != NULL ? print_help(c) : unknown_command(argv[2]);
    }
    const struct cli_command *c = find_command(name);
    if (c == NULL)
        return unknown_command(name);
    int code = cli_args_parse(c, argc - 2, argv + 2, &args, &is_help);
    if (code != CLI_OK)
        return code;
    if (is_help)
        return print_help(c);
    code = c->run(&args);
    int flushed = cli_flush_stdout();
    return code != CLI_OK ? code : flushed;
}
