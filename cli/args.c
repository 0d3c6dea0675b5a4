/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "cli/command.h"

#include "core/text/suggest.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct cli_option cli_common_options[] = {
        {"help", NULL, "show this text", 'h', false},
        {"quiet", NULL, "only errors", 'q', false},
        {"verbose", NULL, "more words", 'v', false},
        {"json", NULL, "data and errors as JSON", 0, false},
        {NULL, NULL, NULL, 0, false},
};

static const struct {
    gn_status status;
    int code;
} codes[] = {
        {GN_OK, CLI_OK}, {GN_E_ARG, CLI_USAGE}, {GN_E_NOMEM, CLI_INTERNAL}, {GN_E_PARSE, CLI_USAGE},
        {GN_E_IO, CLI_DATA}, {GN_E_DATA, CLI_DATA}, {GN_E_DEVICE, CLI_DEVICE}, {GN_E_PLUGIN, CLI_PLUGIN},
        {GN_E_OUTPUT, CLI_OUTPUT}, {GN_E_CANCELLED, CLI_INTERRUPTED}, {GN_E_INTERNAL, CLI_INTERNAL},
};

int cli_exit_from_status(gn_status status)
{
    for (size_t i = 0; i < GN_COUNT(codes); i++) {
        if (codes[i].status == status)
            return codes[i].code;
    }
    return CLI_INTERNAL;
}

int cli_fail(int code, const char *fmt, ...)
{
    va_list ap;

    (void)fputs("gnomon: error: ", stderr);
    va_start(ap, fmt);
    (void)vfprintf(stderr, fmt, ap);
    va_end(ap);
    (void)fputc('\n', stderr);
    return code;
}

int cli_flush_stdout(void)
{
    if (fflush(stdout) != 0 || ferror(stdout) != 0)
        return cli_fail(CLI_OUTPUT, "standard output cannot be written");
    return CLI_OK;
}

const char *cli_value(const struct cli_args *args, const char *name)
{
    for (uint32_t i = args->n_values; i-- > 0;) {
        if (strcmp(args->values[i].option->name, name) == 0)
            return args->values[i].value;
    }
    return NULL;
}

uint32_t cli_values(const struct cli_args *args, const char *name, const char **list, uint32_t room)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < args->n_values && n < room; i++) {
        if (strcmp(args->values[i].option->name, name) == 0)
            list[n++] = args->values[i].value;
    }
    return n;
}

bool cli_number(const struct cli_args *args, const char *name, uint32_t min, uint32_t max, uint32_t *ret)
{
    const char *text = cli_value(args, name);
    char *end = NULL;

    if (text == NULL)
        return true;
    long long v = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || v < (long long)min || v > (long long)max) {
        (void)cli_fail(CLI_USAGE, "--%s takes a whole number from %u to %u, not '%s'", name, min, max, text);
        return false;
    }
    *ret = (uint32_t)v;
    return true;
}

static const struct cli_option *find_in(const struct cli_option *list, const char *name, size_t n, char letter)
{
    for (; list != NULL && list->name != NULL; list++) {
        if (letter != 0 ? list->letter == letter : strlen(list->name) == n && memcmp(list->name, name, n) == 0)
            return list;
    }
    return NULL;
}

static const struct cli_option *find_option(const struct cli_command *c, const char *name, size_t n, char letter)
{
    const struct cli_option *o = find_in(c->options, name, n, letter);
    return o != NULL ? o : find_in(cli_common_options, name, n, letter);
}

static int unknown_option(const struct cli_command *c, const char *said)
{
    char word[64];
    struct gn_suggest s = {.word = word};

    (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(said + 2 - (said[1] != '-'), "="), said + 2 - (said[1] != '-'));
    for (const struct cli_option *o = c->options; o != NULL && o->name != NULL; o++)
        gn_suggest_offer(&s, o->name);
    for (const struct cli_option *o = cli_common_options; o->name != NULL; o++)
        gn_suggest_offer(&s, o->name);
    (void)cli_fail(CLI_USAGE, "unknown option '%s' of gnomon %s", said, c->name);
    if (s.best != NULL)
        (void)fprintf(stderr, "      = did you mean '--%s'?\n", s.best);
    return CLI_USAGE;
}

/* One option at argv[i]; *i moves on over its value. */
static int take_option(struct cli_args *a, int argc, char **argv, int *i)
{
    const char *said = argv[*i], *value = "", *eq = NULL;
    const struct cli_option *o;

    if (said[1] == '-') {
        eq = strchr(said, '=');
        o = find_option(a->command, said + 2, eq != NULL ? (size_t)(eq - said) - 2 : strlen(said + 2), 0);
    } else {
        o = find_option(a->command, NULL, 0, said[1]);
        eq = said[2] != '\0' ? said + (said[2] == '=' ? 2 : 1) : NULL; /* -pk=v and -p=k=v as well */
    }
    if (o == NULL || (said[1] != '-' && eq != NULL && o->arg == NULL))
        return unknown_option(a->command, said);
    if (o->arg == NULL && eq != NULL)
        return cli_fail(CLI_USAGE, "--%s takes no value", o->name);
    if (eq != NULL)
        value = eq + 1;
    else if (o->arg != NULL && !o->has_optional_arg) {
        if (*i + 1 >= argc)
            return cli_fail(CLI_USAGE, "--%s needs %s", o->name, o->arg);
        value = argv[++*i];
    }
    if (a->n_values >= CLI_VALUES_MAX)
        return cli_fail(CLI_USAGE, "too many options");
    a->values[a->n_values].option = o;
    a->values[a->n_values++].value = value;
    return CLI_OK;
}

static int check_words(const struct cli_args *a)
{
    const struct cli_command *c = a->command;

    if (a->n_words > c->n_words_max)
        return cli_fail(CLI_USAGE, "gnomon %s: what is '%s'? usage: gnomon %s", c->name, a->words[c->n_words_max],
                c->usage);
    if (a->n_words < c->n_words_min)
        return cli_fail(CLI_USAGE, "gnomon %s needs more; usage: gnomon %s", c->name, c->usage);
    return CLI_OK;
}

int cli_args_parse(const struct cli_command *command, int argc, char **argv, struct cli_args *ret, bool *is_help)
{
    bool is_rest = command->takes_rest;

    *ret = (struct cli_args){.command = command};
    for (int i = 0; i < argc; i++) {
        if (!is_rest && strcmp(argv[i], "--") == 0) {
            is_rest = true;
        } else if (!is_rest && argv[i][0] == '-' && argv[i][1] != '\0') {
            int code = take_option(ret, argc, argv, &i);
            if (code != CLI_OK)
                return code;
        } else if (ret->n_words < CLI_WORDS_MAX) {
            ret->words[ret->n_words++] = argv[i];
        } else {
            return cli_fail(CLI_USAGE, "too many words");
        }
    }
    ret->is_quiet = cli_value(ret, "quiet") != NULL;
    ret->is_verbose = cli_value(ret, "verbose") != NULL;
    ret->is_json = cli_value(ret, "json") != NULL;
    const char *no_colour = getenv("NO_COLOR"); /* https://no-color.org */
    ret->is_colour = isatty(STDERR_FILENO) != 0 && (no_colour == NULL || no_colour[0] == '\0');
    *is_help = cli_value(ret, "help") != NULL;
    return *is_help ? CLI_OK : check_words(ret);
}

static void print_options(const struct cli_option *list, FILE *to)
{
    char left[64];

    for (; list != NULL && list->name != NULL; list++) {
        const char *arg = list->arg != NULL ? list->arg : "";
        (void)snprintf(left, sizeof left, "--%s%s%s%s", list->name,
                list->has_optional_arg ? "[=" : (arg[0] != '\0' ? " " : ""), arg, list->has_optional_arg ? "]" : "");
        if (list->letter != 0)
            (void)fprintf(to, "  -%c, %-26s %s\n", list->letter, left, list->help);
        else
            (void)fprintf(to, "      %-26s %s\n", left, list->help);
    }
}

void cli_print_help(const struct cli_command *command, FILE *to)
{
    (void)fprintf(to, "usage: gnomon %s\n\n%s\n", command->usage, command->summary);
    if (command->more != NULL)
        (void)fprintf(to, "\n%s\n", command->more);
    (void)fputs("\noptions:\n", to);
    print_options(command->options, to);
    print_options(cli_common_options, to);
}
