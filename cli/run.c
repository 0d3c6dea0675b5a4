/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon run: load, run with a progress line, end with the exit code the events ask for. */
#include "cli/graphs.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include "core/run/run.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define TICK_S 0.1 /* how often signals are looked at and progress is shown */

static const struct cli_option options[] = {
        CLI_GRAPH_OPTIONS,
        {"jsonl", "FILE", "log every event of the graph as JSON lines (- is standard output)", 0, false},
        {"workers", "N", "threads that run blocks (default: the flowgraph's, else by the machine)", 0, false},
        {"require-fix", NULL, "exit 6 without a position", 0, false},
        {"require-auth", NULL, "exit 7 after anything forged, or without an authenticated solution at the end", 0, false},
        {"shuffle", "SEED", "cut and order work at random: the events must not change", 0, false},
        {NULL, NULL, NULL, 0, false},
};

struct session {
    const struct cli_args *args;
    struct cli_graph g;
    struct cli_watch watch;
    struct gn_run *run;
    struct gn_run_config config;
    bool is_terminal, has_line;
};

static void clear_line(struct session *s)
{
    if (s->has_line)
        (void)fputs("\r\033[K", stderr);
    s->has_line = false;
}

static void show_progress(struct session *s)
{
    struct gn_run_progress p;
    char done[64] = "", eta[48] = "", words[160];

    gn_run_progress(s->run, &p);
    double rate = p.rate_sps > 0 ? p.rate_sps : 0, t_s = rate > 0 ? (double)p.n_ticks / rate : 0;
    if (rate > 0 && p.n_ticks_total > 0)
        (void)snprintf(done, sizeof done, "%.1f of %.1f s, ", t_s, (double)p.n_ticks_total / rate);
    else if (rate > 0)
        (void)snprintf(done, sizeof done, "%.1f s, ", t_s);
    if (p.n_ticks_total > p.n_ticks && p.n_ticks > 0 && p.wall_s > 0) {
        double left_s = p.wall_s * (double)(p.n_ticks_total - p.n_ticks) / (double)p.n_ticks;
        (void)snprintf(eta, sizeof eta, ", ETA %u:%02u", (unsigned)left_s / 60, (unsigned)left_s % 60);
    }
    cli_watch_words(&s->watch, words, sizeof words);
    (void)fprintf(stderr, "\r\033[K%s%.2f Msps, %.1fx real time%s%s%s", done,
            p.wall_s > 0 ? (double)p.n_ticks / p.wall_s / 1e6 : 0, p.real_time_factor, eta,
            words[0] != '\0' ? " | " : "", words);
    (void)fflush(stderr);
    s->has_line = true;
}

static void show_summary(struct session *s)
{
    struct gn_run_progress p;
    char words[160];

    gn_run_progress(s->run, &p);
    if (p.rate_sps > 0)
        (void)fprintf(stderr, "%.3f s of signal", (double)p.n_ticks / p.rate_sps);
    else
        (void)fprintf(stderr, "%llu items", (unsigned long long)p.n_ticks);
    (void)fprintf(stderr, " in %.2f s", p.wall_s);
    if (p.real_time_factor > 0)
        (void)fprintf(stderr, " (%.1fx real time)", p.real_time_factor);
    (void)fprintf(stderr, ", %.2f s of CPU\nlost: %llu samples, repeated: %llu\n", p.cpu_s,
            (unsigned long long)p.n_lost, (unsigned long long)p.n_repeated);
    cli_watch_words(&s->watch, words, sizeof words);
    if (words[0] != '\0')
        (void)fprintf(stderr, "%s\n", words);
}

static void wait_for_end(struct session *s, struct cli_signals *signals)
{
    bool is_ending = false;
    uint32_t n = 0;

    do {
        if (!is_ending && cli_signals_heard(signals)) {
            is_ending = true;
            gn_run_interrupt(s->run);
        }
        if (s->is_terminal && n++ % 5 == 4)
            show_progress(s);
    } while (!gn_run_wait(s->run, TICK_S));
    clear_line(s);
}

static void report(struct session *s, gn_status st, const char *block, const char *text)
{
    const struct gn_graph *g = s->g.graph;
    struct gn_diag *diag = s->g.diag;

    for (uint32_t i = 0; i < g->n_nodes; i++) {
        for (uint32_t k = 0; k < g->nodes[i].n_instances; k++) {
            const struct gn_instance *in = &g->nodes[i].instances[k];
            if (in->failure.status != st || (block[0] != '\0' && strcmp(in->host.name, block) != 0))
                continue;
            gn_diag_clear(diag);
            gn_graph_report_failure(diag, &g->nodes[i], in, st, "work()");
            if (s->args->is_json)
                gn_diag_print_json(diag, stdout);
            else
                gn_diag_print(diag, stderr, s->args->is_colour);
            return;
        }
    }
    (void)cli_fail(0, "%s%s%s", block, block[0] != '\0' ? ": " : "", text);
}

static int demand(struct session *s)
{
    bool wants_auth = cli_value(s->args, "require-auth") != NULL;

    if (wants_auth && !cli_watch_is_authentic(&s->watch))
        return cli_fail(CLI_NOT_AUTHENTIC, s->watch.n_forged > 0 ? "something was forged"
                                                                 : "no authenticated solution at the end");
    if (cli_value(s->args, "require-fix") != NULL && !cli_watch_has_fix(&s->watch))
        return cli_fail(CLI_NO_FIX, "no position was found");
    return CLI_OK;
}

static int result_code(struct session *s)
{
    const struct gn_run_result *r = gn_run_result(s->run);

    if (r->status != GN_OK && r->status != GN_E_CANCELLED) {
        report(s, r->status, r->block, r->text);
        return r->status == GN_E_PARSE ? CLI_DATA : cli_exit_from_status(r->status);
    }
    if (r->was_interrupted || r->status == GN_E_CANCELLED)
        return CLI_INTERRUPTED;
    return demand(s);
}

static int run_heard(struct session *s, struct cli_signals *signals)
{
    struct gn_error err = {.status = GN_OK};

    gn_status st = gn_run_new(s->g.graph, &s->config, &s->run, &err);
    if (st == GN_OK)
        st = gn_run_start(s->run, &err);
    if (st != GN_OK) {
        report(s, st, "", err.text);
        return st == GN_E_PARSE ? CLI_DATA : cli_exit_from_status(st);
    }
    wait_for_end(s, signals);
    if (!s->args->is_quiet)
        show_summary(s);
    return result_code(s);
}

static int run_loaded(struct session *s)
{
    struct cli_signals signals = {.is_listening = false};

    int code = cli_open_log(s->args, &s->config.jsonl);
    if (code != CLI_OK)
        return code;
    cli_signals_start(&signals);
    code = run_heard(s, &signals);
    gn_run_free(s->run); /* stop() may hang too: still heard */
    s->run = NULL;
    cli_signals_stop(&signals);
    return code;
}

static int run(const struct cli_args *args)
{
    struct session s = {.args = args, .is_terminal = isatty(STDERR_FILENO) != 0 && !args->is_quiet};
    uint32_t n_workers = 0, seed = 0;
    char kernels[80];

    if (!cli_number(args, "workers", 1, 256, &n_workers) || !cli_number(args, "shuffle", 1, UINT32_MAX, &seed))
        return CLI_USAGE;
    cli_kernels_name(cli_value(args, "kernels"), kernels, sizeof kernels);
    cli_watch_init(&s.watch);
    int code = cli_graph_load(args, &s.g);
    if (code == CLI_OK) {
        s.config = (struct gn_run_config){.n_workers = n_workers, .shuffle_seed = seed, .is_strict = s.g.strict != 0,
                .version = GN_VERSION, .kernels = kernels, .log = cli_log, .tap = cli_watch_tap,
                .tap_user = &s.watch};
        memcpy(&s.config.user, &args, sizeof args); /* cli_log only reads it */
        code = run_loaded(&s);
        int closed = cli_close_log(s.args, &s.config.jsonl);
        code = code == CLI_OK || code == CLI_INTERRUPTED ? (closed != CLI_OK ? closed : code) : code;
    }
    cli_graph_done(&s.g);
    cli_watch_done(&s.watch);
    return code;
}

const struct cli_command cli_run = {
        .name = "run",
        .usage = "run FLOWGRAPH... [-p NAME=VALUE]... [--jsonl FILE]",
        .summary = "run a flowgraph to the end of its input",
        .more = "Later files override blocks and variables of earlier ones by name. Instead of a file, one line:\n"
                "  gnomon run 'frontend.file path=sky.ci8 rate=4e6 > std.null_sink'",
        .options = options,
        .n_words_min = 1,
        .n_words_max = 16,
        .run = run,
};
