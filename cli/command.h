/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Commands of the program: each is a row with its options; help, checking and "did you mean" come from it. */
#ifndef GN_CLI_COMMAND_H
#define GN_CLI_COMMAND_H

#include "gnomon/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Exit codes: docs and tests rely on them. */
enum cli_exit {
    CLI_OK = 0,
    CLI_INTERNAL = 1,
    CLI_USAGE = 2,      /* also a flowgraph with mistakes */
    CLI_DATA = 3,
    CLI_DEVICE = 4,
    CLI_PLUGIN = 5,
    CLI_NO_FIX = 6,
    CLI_NOT_AUTHENTIC = 7,
    CLI_OUTPUT = 8,
    CLI_INTERRUPTED = 130,
};

int cli_exit_from_status(gn_status status);

struct cli_option {
    const char *name;  /* "workers" for --workers; NULL ends the list */
    const char *arg;   /* "N"; NULL: takes none */
    const char *help;
    char letter;       /* 'p' for -p, 0: none */
    bool has_optional_arg; /* --web or --web=PORT */
};

#define CLI_WORDS_MAX  64u
#define CLI_VALUES_MAX 128u

/* A command line, taken apart. Borrowed from argv. */
struct cli_args {
    const struct cli_command *command;
    const char *words[CLI_WORDS_MAX]; /* positional */
    uint32_t n_words;
    struct {
        const struct cli_option *option;
        const char *value;
    } values[CLI_VALUES_MAX];
    uint32_t n_values;
    bool is_quiet, is_verbose, is_json, is_colour; /* common to all */
};

struct cli_command {
    const char *name, *usage, *summary;
    const char *more;  /* further paragraphs of --help, may be NULL */
    const struct cli_option *options; /* may be NULL */
    uint32_t n_words_min, n_words_max;
    bool takes_rest;   /* words and options after the name are handed on unparsed, in words */
    int (*run)(const struct cli_args *args);
};

/* The last value of an option, "" for one without; NULL when it was not given. */
const char *cli_value(const struct cli_args *args, const char *name);
/* All values of an option in order: how many, stored to list[room]. */
uint32_t cli_values(const struct cli_args *args, const char *name, const char **list, uint32_t room);

/* argv behind the command's name. CLI_OK, or an exit code after words on stderr; *is_help when --help. */
int cli_args_parse(const struct cli_command *command, int argc, char **argv, struct cli_args *ret, bool *is_help);
void cli_print_help(const struct cli_command *command, FILE *to);
extern const struct cli_option cli_common_options[]; /* of every command; a row without name ends them */

/* The man page gnomon.1, from the same rows. */
void cli_print_man(const struct cli_command *const *commands, size_t n_commands, FILE *to);

/* "auto: correlator=avx2": what --kernels `choice` (may be NULL) comes to on this machine. */
void cli_kernels_name(const char *choice, char *text, size_t room);

/* For a command with takes_rest whose first word names one of subs[n_subs], each called "PARENT NAME". */
int cli_run_subcommand(const struct cli_args *args, const struct cli_command *const *subs, uint32_t n_subs);

/* A whole number of an option. False after words on stderr. */
bool cli_number(const struct cli_args *args, const char *name, uint32_t min, uint32_t max, uint32_t *ret);

/* "gnomon: error: ..." on stderr; returns the code. */
int cli_fail(int code, const char *fmt, ...) GN_PRINTF(2, 3);
/* A whole file of at most n_max bytes; *data is free()d by the caller. An exit code after words. */
int cli_read_file(const char *path, size_t n_max, uint8_t **data, size_t *n_bytes);
/* The file of --jsonl, - being stdout; *ret NULL without that option. CLI_OK or CLI_OUTPUT with words. */
int cli_open_log(const struct cli_args *args, FILE **ret);
/* Closes *log (NULL: nothing to do) and sets it NULL. A log that could not be written to its end has no run.end, or this says so. */
int cli_close_log(const struct cli_args *args, FILE **log);
/* stdout was written completely? CLI_OK or CLI_OUTPUT with words. */
int cli_flush_stdout(void);

extern const struct cli_command cli_run, cli_check, cli_list, cli_inspect, cli_draw, cli_version, cli_doctor, cli_osnma,
        cli_check_plugin, cli_new_plugin, cli_lab, cli_gpsauth;

#endif
