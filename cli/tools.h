/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Commands that need more libraries than running a flowgraph does (libcrypto alone doubles the start-up). They live in
 * gnomon-tools, beside gnomon, which hands them over. Both programs have these rows. */
#ifndef GN_CLI_TOOLS_H
#define GN_CLI_TOOLS_H

#include "cli/command.h"

#define CLI_TOOL(name_, summary_, run_)                                                                                \
    {.name = name_, .usage = name_ " SUBCOMMAND ...", .summary = summary_, .takes_rest = true,                         \
            .n_words_max = CLI_WORDS_MAX, .run = run_}

#define CLI_TOOL_OSNMA(run_)   CLI_TOOL("osnma", "authenticate Galileo navigation data", run_)
#define CLI_TOOL_LAB(run_)     CLI_TOOL("lab", "grade a receiver against jamming, spoofing and bad skies", run_)
#define CLI_TOOL_GPSAUTH(run_) CLI_TOOL("gpsauth", "Girault-Poupard-Stern device authentication", run_)

#endif
