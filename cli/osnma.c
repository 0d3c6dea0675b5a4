/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon osnma SUBCOMMAND ... */
#include "cli/osnma.h"
#include "cli/tools.h"

static const struct cli_command *const subcommands[] = {
        &cli_osnma_run, &cli_osnma_keys, &cli_osnma_explain, &cli_osnma_verify, &cli_osnma_profile};

static int run(const struct cli_args *args)
{
    return cli_run_subcommand(args, subcommands, GN_COUNT(subcommands));
}

const struct cli_command cli_osnma = CLI_TOOL_OSNMA(run);
