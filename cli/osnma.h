/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The subcommands of gnomon osnma, and what they share. */
#ifndef GN_CLI_OSNMA_H
#define GN_CLI_OSNMA_H

#include "cli/command.h"
#include "lib/osnma/keys.h"

#include <jansson.h>

extern const struct cli_command cli_osnma_run, cli_osnma_keys, cli_osnma_explain, cli_osnma_verify,
        cli_osnma_profile;

/* --keys and --allow-test-keys. An exit code after words. */
int osnma_load_keys(const struct cli_args *args, struct gn_osnma_anchor *ret);

/* A report of gn_evidence_check(), as JSON or as a tree. */
void osnma_print_report(const json_t *report);
int osnma_print_result(const struct cli_args *args, const json_t *report);

#endif
