/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon gpsauth SUBCOMMAND ... */
#include "cli/gpsauth.h"
#include "cli/tools.h"

static const struct cli_command *const subcommands[] = {&cli_gpsauth_keygen, &cli_gpsauth_coupons, &cli_gpsauth_info,
        &cli_gpsauth_vectors, &cli_gpsauth_cycles};

static int run(const struct cli_args *args)
{
    return cli_run_subcommand(args, subcommands, GN_COUNT(subcommands));
}

const struct cli_command cli_gpsauth = CLI_TOOL_GPSAUTH(run);
