/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "cli/graphs.h"

#include <string.h>
#include <unistd.h>

void cli_log(void *user, uint32_t level, const char *who, const char *text)
{
    static const char *const names[] = {"error", "warning", "info", "debug"};
    static const char *const colours[] = {"\033[1;31m", "\033[1;35m", "", ""};
    const struct cli_args *args = user;
    uint32_t most = args->is_quiet ? GN_LOG_ERROR : (args->is_verbose ? GN_LOG_DEBUG : GN_LOG_INFO);

    if (level > most || level >= GN_COUNT(names))
        return;
    bool is_colour = args->is_colour && colours[level][0] != '\0';
    (void)fprintf(stderr, "gnomon: %s%s:%s %s: %s\n", is_colour ? colours[level] : "", names[level],
            is_colour ? "\033[0m" : "", who, text);
}

static bool is_line(const char *word)
{
    return strchr(word, '>') != NULL && access(word, F_OK) != 0;
}

static int read_options(const struct cli_args *args, struct cli_graph *g, struct gn_graph_request *rq)
{
    const char *kernels = cli_value(args, "kernels");

    rq->options = (struct gn_graph_options){.kernels = kernels != NULL ? kernels : "auto", .strict = &g->strict,
            .log = cli_log};
    /* the table of callbacks has no const; cli_log only reads */
    memcpy(&rq->options.log_user, &args, sizeof args);
    g->strict = cli_value(args, "strict") != NULL ? 1 : 0;
    if (kernels != NULL && strcmp(kernels, "auto") != 0 && strcmp(kernels, "portable") != 0)
        return cli_fail(CLI_USAGE, "--kernels takes auto or portable, not '%s'", kernels);
    return CLI_OK;
}

int cli_graph_load(const struct cli_args *args, struct cli_graph *ret)
{
    const char *settings[CLI_VALUES_MAX];
    struct gn_graph_request rq = {.files = args->words, .n_files = args->n_words, .settings = settings};

    *ret = (struct cli_graph){.registry = NULL};
    int code = read_options(args, ret, &rq);
    if (code != CLI_OK)
        return code;
    rq.n_settings = cli_values(args, "param", settings, CLI_VALUES_MAX);
    if (args->n_words == 1 && is_line(args->words[0])) {
        rq.line = args->words[0];
        rq.n_files = 0;
    }
    ret->registry = gn_registry_new(NULL);
    ret->diag = gn_diag_new();
    if (ret->registry == NULL || ret->diag == NULL)
        return cli_fail(CLI_INTERNAL, "out of memory");
    gn_status st = gn_graph_load(&rq, ret->registry, ret->diag, &ret->graph);
    if (args->is_json && st != GN_OK)
        gn_diag_print_json(ret->diag, stdout);
    else if (st != GN_OK || !args->is_quiet)
        gn_diag_print(ret->diag, stderr, args->is_colour);
    return cli_exit_from_status(st);
}

void cli_graph_done(struct cli_graph *g)
{
    gn_graph_free(g->graph);
    gn_diag_free(g->diag);
    gn_registry_free(g->registry);
}
