/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The subcommands of gnomon gpsauth. */
#ifndef GN_CLI_GPSAUTH_H
#define GN_CLI_GPSAUTH_H

#include "cli/command.h"

extern const struct cli_command cli_gpsauth_vectors, cli_gpsauth_cycles, cli_gpsauth_keygen, cli_gpsauth_coupons, cli_gpsauth_info;

#endif
