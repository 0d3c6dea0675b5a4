/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon lab list | run */
#include "cli/lab.h"
#include "cli/tools.h"

static const struct cli_command *const subcommands[] = {&cli_lab_list, &cli_lab_run};

static int run(const struct cli_args *args)
{
    return cli_run_subcommand(args, subcommands, GN_COUNT(subcommands));
}

const struct cli_command cli_lab = CLI_TOOL_LAB(run);
