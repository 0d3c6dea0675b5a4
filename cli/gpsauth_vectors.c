/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon gpsauth verify-vectors FILE */
#include "cli/gpsauth.h"
#include "lib/gpsauth/vectors.h"

#include <stdlib.h>

static void mismatch(void *user, const char *list, size_t item, const char *what)
{
    (void)user;
    (void)fprintf(stderr, "%s[%zu]: %s\n", list, item, what);
}

static void print_scores(const struct gn_ga_score *scores, bool is_json)
{
    if (is_json)
        (void)putchar('{');
    for (uint32_t i = 0; i < GN_GA_VECTOR_LISTS; i++)
        (void)printf(is_json ? "%s\"%s\": {\"passed\": %u, \"total\": %u}" : "%s%s: %u/%u\n", is_json && i > 0 ? ", " : "",
                scores[i].list, scores[i].n_passed, scores[i].n_total);
    if (is_json)
        (void)puts("}");
}

static int run(const struct cli_args *args)
{
    struct gn_error err = {.status = GN_OK};
    struct gn_ga_score scores[GN_GA_VECTOR_LISTS];
    uint8_t *text = NULL;
    size_t n_bytes = 0;
    int code = cli_read_file(args->words[0], GN_GA_VECTORS_FILE_MAX, &text, &n_bytes);

    if (code != CLI_OK)
        return code;
    const gn_status st = gn_ga_vectors_check((const char *)text, n_bytes, mismatch, NULL, scores, &err);
    free(text);
    if (st != GN_OK && err.line > 0)
        return cli_fail(CLI_DATA, "%s:%d:%d: %s", args->words[0], (int)err.line, (int)err.column, err.text);
    if (st != GN_OK)
        return cli_fail(CLI_DATA, "%s: %s", args->words[0], err.text);
    print_scores(scores, args->is_json);
    for (uint32_t i = 0; i < GN_GA_VECTOR_LISTS; i++)
        if (scores[i].n_passed != scores[i].n_total)
            code = CLI_DATA;
    return code != CLI_OK ? code : cli_flush_stdout();
}

const struct cli_command cli_gpsauth_vectors = {
        .name = "gpsauth verify-vectors",
        .usage = "gpsauth verify-vectors FILE [--json]",
        .summary = "check published vectors with this implementation",
        .more = "Prints passed/total of each list and names each mismatch; exit 3 when there is one.",
        .n_words_min = 1,
        .n_words_max = 1,
        .run = run,
};
