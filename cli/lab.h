/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The subcommands of gnomon lab, and what they share. */
#ifndef GN_CLI_LAB_H
#define GN_CLI_LAB_H

#include "cli/command.h"
#include "lib/lab/score.h"

#define LAB_SCENARIOS_MAX 64u
#define LAB_PATH_MAX      4096u

extern const struct cli_command cli_lab_list, cli_lab_run;

/* What a flowgraph says under x-lab, and where it is. */
struct lab_scenario {
    char name[64];
    char path[LAB_PATH_MAX];
    char title[160];
    char must[400]; /* what a good receiver does, in words */
    struct gn_score_task task;
};

/* Folder of the scenarios: --scenarios, else beside the program (build tree or prefix), else here.
 * An exit code. */
int lab_folder(const struct cli_args *args, char ret[LAB_PATH_MAX]);

/* The one of that name in the folder. An exit code after words. */
int lab_read(const struct cli_args *args, const char *folder, const char *name,
        struct lab_scenario *ret);

/* Names of all, in alphabetical order; 0 after words. */
uint32_t lab_names(const char *folder, char names[LAB_SCENARIOS_MAX][64]);

void lab_print_text(const struct lab_scenario *sc, const struct gn_score *s, FILE *to);
void lab_print_json(const struct lab_scenario *sc, const struct gn_score *s, FILE *to);
/* DIR/NAME.svg: error over time. An exit code after words. */
int lab_write_svg(const char *folder, const struct lab_scenario *sc, const struct gn_score *s);

#endif
