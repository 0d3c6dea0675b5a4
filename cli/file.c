/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "cli/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int cli_read_file(const char *path, size_t n_max, uint8_t **data, size_t *n_bytes)
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

int cli_open_log(const struct cli_args *args, FILE **ret)
{
    const char *path = cli_value(args, "jsonl");

    *ret = NULL;
    if (path == NULL)
        return CLI_OK;
    *ret = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
    if (*ret == NULL)
        return cli_fail(CLI_OUTPUT, "the log %s cannot be written: %s", path, strerror(errno));
    return CLI_OK;
}

int cli_close_log(const struct cli_args *args, FILE **log)
{
    FILE *f = *log;

    if (f == NULL)
        return CLI_OK;
    bool is_bad = fflush(f) != 0 || ferror(f) != 0;
    if (f != stdout)
        is_bad = fclose(f) != 0 || is_bad;
    *log = NULL;
    if (is_bad)
        return cli_fail(CLI_OUTPUT, "the log %s could not be written completely", cli_value(args, "jsonl"));
    return CLI_OK;
}
