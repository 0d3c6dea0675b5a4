/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* In gnomon: hand a command over to gnomon-tools in the same folder. */
#include "cli/tools.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static int run(const struct cli_args *args)
{
    static const char tail[] = "-tools";
    char path[4096], *argv[CLI_WORDS_MAX + 3] = {path};
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof tail);
    const char *name = args->command->name;

    if (n <= 0)
        return cli_fail(CLI_INTERNAL, "the program's own path cannot be read");
    memcpy(path + n, tail, sizeof tail);
    memcpy(&argv[1], &name, sizeof argv[0]);
    for (uint32_t i = 0; i < args->n_words; i++)
        memcpy(&argv[i + 2], &args->words[i], sizeof argv[0]);
    (void)execv(path, argv);
    return cli_fail(CLI_INTERNAL, "%s: %s", path, strerror(errno));
}

const struct cli_command cli_osnma = CLI_TOOL_OSNMA(run), cli_lab = CLI_TOOL_LAB(run), cli_gpsauth = CLI_TOOL_GPSAUTH(run);
