/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon.1 from the tables that --help prints: the two cannot differ. */
#include "cli/command.h"

/* Text for troff: a backslash, a leading dot or quote mean something there, a plain '-' is no minus sign. */
static void put_text(FILE *to, const char *text)
{
    bool is_line_start = true;

    for (; *text != '\0'; text++) {
        if (is_line_start && (*text == '.' || *text == '\''))
            (void)fputs("\\&", to);
        if (*text == '-' || *text == '\\')
            (void)fputs(*text == '-' ? "\\-" : "\\e", to);
        else
            (void)fputc(*text, to);
        is_line_start = *text == '\n';
    }
}

static void put_option(FILE *to, const struct cli_option *o)
{
    (void)fputs(".TP\n\\fB", to);
    if (o->letter != 0)
        (void)fprintf(to, "\\-%c\\fR, \\fB", o->letter);
    (void)fputs("\\-\\-", to);
    put_text(to, o->name);
    (void)fputs("\\fR", to);
    if (o->arg != NULL) {
        (void)fputs(o->has_optional_arg ? "[=\\fI" : " \\fI", to);
        put_text(to, o->arg);
        (void)fputs(o->has_optional_arg ? "\\fR]" : "\\fR", to);
    }
    (void)fputc('\n', to);
    put_text(to, o->help);
    (void)fputc('\n', to);
}

static void put_command(FILE *to, const struct cli_command *c)
{
    (void)fputs(".SS gnomon ", to);
    put_text(to, c->usage);
    (void)fputc('\n', to);
    put_text(to, c->summary);
    (void)fputc('\n', to);
    if (c->more != NULL) {
        (void)fputs(".PP\n.nf\n", to);
        put_text(to, c->more);
        (void)fputs("\n.fi\n", to);
    }
    for (const struct cli_option *o = c->options; o != NULL && o->name != NULL; o++)
        put_option(to, o);
}

void cli_print_man(const struct cli_command *const *commands, size_t n_commands, FILE *to)
{
    (void)fputs(".TH GNOMON 1 \"\" \"gnomon " GN_VERSION "\" \"User Commands\"\n.SH NAME\n"
                "gnomon \\- software\\-defined radio with an authenticating satellite navigation receiver\n"
                ".SH SYNOPSIS\n.B gnomon\n.I COMMAND\n[\\fIOPTION\\fR]...\n.SH COMMANDS\n",
            to);
    for (size_t i = 0; i < n_commands; i++)
        put_command(to, commands[i]);
    (void)fputs(".SH OPTIONS OF ALL COMMANDS\n", to);
    for (const struct cli_option *o = cli_common_options; o->name != NULL; o++)
        put_option(to, o);
    (void)fputs(".SH EXIT STATUS\n0 ok; 1 internal; 2 usage or flowgraph; 3 bad input data; 4 device; 5 plugin; 6 no fix;\n"
                "7 not authentic; 8 output cannot be written; 130 interrupted.\n"
                ".SH ENVIRONMENT\n.TP\n.B GNOMON_PLUGIN_PATH\nfolders searched first for plugins, separated by colons\n"
                ".TP\n.B NO_COLOR\nno colours on a terminal\n",
            to);
}
