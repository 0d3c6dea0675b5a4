/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon lab list: the scenarios and what they ask of a receiver. */
#include "cli/lab.h"
#include "core/text/json.h"

static const struct cli_option options[] = {
        {"scenarios", "DIR", "folder of the scenarios", 0, false},
        {NULL, NULL, NULL, 0, false},
};

static void print(const struct cli_args *args, const struct lab_scenario *sc, bool is_first)
{
    if (!args->is_json) {
        (void)printf("%-24s %s\n", sc->name, sc->title);
        if (args->is_verbose)
            (void)printf("%-24s   %s\n", "", sc->must);
        return;
    }
    (void)fputs(is_first ? "[\n {" : ",\n {", stdout);
    gn_json_pair(stdout, "name", sc->name);
    (void)fputs(", ", stdout);
    gn_json_pair(stdout, "title", sc->title);
    (void)fputs(", ", stdout);
    gn_json_pair(stdout, "must", sc->must);
    (void)fputs(", ", stdout);
    gn_json_pair(stdout, "about", gn_score_class_names[sc->task.about]);
    (void)fputs(", ", stdout);
    gn_json_pair(stdout, "detect", gn_score_duty_names[sc->task.duty]);
    (void)fputs("}", stdout);
}

static int run(const struct cli_args *args)
{
    char folder[LAB_PATH_MAX], names[LAB_SCENARIOS_MAX][64];
    struct lab_scenario sc;
    int code = lab_folder(args, folder);
    if (code != CLI_OK)
        return code;
    uint32_t n = lab_names(folder, names);
    for (uint32_t i = 0; i < n; i++) {
        code = lab_read(args, folder, names[i], &sc);
        if (code != CLI_OK)
            return code;
        print(args, &sc, i == 0);
    }
    if (args->is_json)
        (void)fputs("\n]\n", stdout);
    return n > 0 ? CLI_OK : CLI_USAGE;
}

const struct cli_command cli_lab_list = {
        .name = "lab list",
        .usage = "lab list [--json]",
        .summary = "the scenarios (-v: what a good receiver does)",
        .options = options,
        .run = run,
};
