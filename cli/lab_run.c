/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon lab run: a scenario played into a receiver, and a score card of what the receiver made of
 * it. */
#include "cli/graphs.h"
#include "cli/lab.h"
#include "core/run/run.h"
#include "gnomon/verdict.h"
#include "lib/msg/osnma.h"
#include "lib/msg/pvt.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const struct cli_option options[] = {
        {"scenarios", "DIR", "folder of the scenarios", 0, false},
        {"receiver", "FLOWGRAPH",
                "what hears the block 'air' (default: receiver.yaml beside the scenarios)", 0,
                false},
        {"svg", "DIR", "write a picture DIR/NAME.svg of each score card", 0, false},
        {"jsonl", "FILE", "log every event of the last scenario as JSON lines", 0, false},
        {"workers", "N", "threads that run blocks", 0, false},
        CLI_GRAPH_OPTIONS,
        {NULL, NULL, NULL, 0, false},
};

struct play {
    const struct cli_args *args;
    struct lab_scenario sc;
    struct gn_score score;
    double rate_sps;
};

/* ---- what the receiver says --------------------------------------------------------------------
 */

static void see_fix(struct play *p, const struct gn_msg *m, double t_s)
{
    const struct gn_msg_pvt_fix *f = m->data;
    (void)t_s;
    gn_score_fix(&p->score, (double)m->index / p->rate_sps,
            f->solution == GN_SOLUTION_AUTHENTICATED, f->trust == GN_TRUST_SPOOFING_SUSPECTED,
            f->solution == GN_SOLUTION_AUTHENTICATED && f->trust == GN_TRUST_AUTHENTICATED,
            f->ecef_m);
}

static void see_guard(struct play *p, const struct gn_msg *m, double t_s)
{
    const struct gn_msg_guard *g = m->data;
    enum gn_score_class class = g->kind == GN_GUARD_JAMMING ? GN_SCORE_JAMMING
                                : g->is_spoofing            ? GN_SCORE_SPOOFING
                                                            : GN_SCORE_NOTHING;
    if (g->kind == GN_GUARD_JAMMING)
        gn_score_jammed(&p->score, t_s, g->is_on != 0);
    if (g->is_on && class != GN_SCORE_NOTHING)
        gn_score_alarm(&p->score, t_s, g->kind, class);
}

static void see_tag(struct play *p, const struct gn_msg *m, double t_s)
{
    if (((const struct gn_msg_osnma_tag *)m->data)->verdict == GN_FORGED)
        gn_score_forged(&p->score, t_s);
}

static void see_key(struct play *p, const struct gn_msg *m, double t_s)
{
    if (((const struct gn_msg_osnma_key *)m->data)->verdict == GN_FORGED)
        gn_score_forged(&p->score, t_s);
}

static const struct {
    const char *event;
    size_t size;
    void (*see)(struct play *p, const struct gn_msg *m, double t_s);
} sights[] = {
        {"pvt.fix", sizeof(struct gn_msg_pvt_fix), see_fix},
        {"guard.alarm", sizeof(struct gn_msg_guard), see_guard},
        {"osnma.tag", sizeof(struct gn_msg_osnma_tag), see_tag},
        {"osnma.key", sizeof(struct gn_msg_osnma_key), see_key},
        {"osnma.kroot", sizeof(struct gn_msg_osnma_key), see_key},
        {"osnma.pkr", sizeof(struct gn_msg_osnma_key), see_key},
};

/* One call at a time, in the order of the log. */
static void tap(void *user, const struct gn_msg *msg, const char *block)
{
    struct play *p = user;
    (void)block;
    for (size_t i = 0; i < GN_COUNT(sights); i++)
        if (msg->schema->size == sights[i].size && strcmp(msg->schema->event, sights[i].event) == 0)
            sights[i].see(p, msg, (double)msg->at / p->rate_sps);
}

/* ---- one scenario ------------------------------------------------------------------------------
 */

static double rate_of(const struct gn_graph *g)
{
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (strcmp(g->nodes[i].name, "air") == 0 &&
                g->nodes[i].instances[0].host.anchor->rate_sps > 0)
            return g->nodes[i].instances[0].host.anchor->rate_sps;
    return 0;
}

static int wait_for_end(struct gn_run *run, const char *name)
{
    const struct timespec no_time = {0};
    sigset_t signals;
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGINT);
    (void)sigaddset(&signals, SIGTERM);
    (void)pthread_sigmask(SIG_BLOCK, &signals, NULL);
    while (!gn_run_wait(run, 0.1))
        if (sigtimedwait(&signals, NULL, &no_time) > 0)
            gn_run_interrupt(run);
    const struct gn_run_result *r = gn_run_result(run);
    if (r->was_interrupted)
        return CLI_INTERRUPTED;
    if (r->status != GN_OK)
        return cli_fail(cli_exit_from_status(r->status), "%s: %s: %s", name, r->block, r->text);
    return CLI_OK;
}

static int play_graph(struct play *p, struct cli_graph *g, const struct gn_run_config *config)
{
    struct gn_error err = {.status = GN_OK};
    struct gn_run *run = NULL;
    struct gn_run_progress end;
    p->rate_sps = rate_of(g->graph);
    if (!(p->rate_sps > 0))
        return cli_fail(CLI_USAGE, "%s has no block 'air' with a sample clock", p->sc.path);
    gn_status st = gn_run_new(g->graph, config, &run, &err);
    if (st == GN_OK)
        st = gn_run_start(run, &err);
    if (st != GN_OK) {
        gn_run_free(run);
        return cli_fail(cli_exit_from_status(st), "%s: %s", p->sc.name, err.text);
    }
    int code = wait_for_end(run, p->sc.name);
    gn_run_progress(run, &end);
    gn_run_free(run);
    gn_score_end(&p->score, (double)end.n_ticks / p->rate_sps);
    return code;
}

static int open_log(const struct cli_args *args, FILE **ret)
{
    const char *path = cli_value(args, "jsonl");
    if (path == NULL)
        return CLI_OK;
    *ret = fopen(path, "wb");
    return *ret != NULL ? CLI_OK
                        : cli_fail(CLI_OUTPUT, "the log %s cannot be written: %s", path,
                                  strerror(errno));
}

static int play(struct play *p, const char *receiver)
{
    struct cli_args words = *p->args; /* the same options, other words: the flowgraphs */
    struct cli_graph g;
    FILE *log = NULL;
    uint32_t n_workers = 0;
    words.words[0] = receiver;
    words.words[1] = p->sc.path;
    words.n_words = 2;
    words.is_quiet = !p->args->is_verbose;
    gn_score_init(&p->score, &p->sc.task);
    if (!cli_number(p->args, "workers", 1, 256, &n_workers))
        return CLI_USAGE;
    int code = cli_graph_load(&words, &g);
    if (code == CLI_OK)
        code = open_log(p->args, &log);
    if (code == CLI_OK) {
        struct gn_run_config config = {.version = GN_VERSION,
                .kernels = cli_value(p->args, "kernels"),
                .tap = tap,
                .tap_user = p,
                .jsonl = log,
                .n_workers = n_workers,
                .log = cli_log};
        const struct cli_args *spoken = &words;
        memcpy(&config.user, &spoken, sizeof spoken);
        code = play_graph(p, &g, &config);
    }
    if (log != NULL && fclose(log) != 0 && code == CLI_OK)
        code = cli_fail(CLI_OUTPUT, "the log could not be written completely");
    cli_graph_done(&g);
    return code;
}

/* ---- all that were asked for -------------------------------------------------------------------
 */

static void print(const struct play *p, uint32_t i)
{
    if (!p->args->is_json) {
        lab_print_text(&p->sc, &p->score, stdout);
        (void)fflush(stdout);
        return;
    }
    (void)fputs(i == 0 ? "[" : ",\n", stdout);
    lab_print_json(&p->sc, &p->score, stdout);
}

static int run_names(struct play *p, const char *folder, char (*names)[64], uint32_t n)
{
    char receiver[LAB_PATH_MAX + 32];
    const char *said = cli_value(p->args, "receiver"), *svg = cli_value(p->args, "svg");
    uint32_t n_passed = 0;
    (void)snprintf(receiver, sizeof receiver, "%s/receiver.yaml", folder);
    for (uint32_t i = 0; i < n; i++) {
        int code = lab_read(p->args, folder, names[i], &p->sc);
        if (code == CLI_OK)
            code = play(p, said != NULL ? said : receiver);
        if (code == CLI_OK && svg != NULL)
            code = lab_write_svg(svg, &p->sc, &p->score);
        if (code != CLI_OK)
            return code;
        print(p, i);
        n_passed += p->score.is_passed;
    }
    (void)fputs(p->args->is_json ? "]\n" : "", stdout);
    if (!p->args->is_json && n > 1)
        (void)printf("%u of %u scenarios as demanded\n", n_passed, n);
    return n_passed == n ? CLI_OK : CLI_NOT_AUTHENTIC;
}

static int run(const struct cli_args *args)
{
    char folder[LAB_PATH_MAX], names[LAB_SCENARIOS_MAX][64];
    uint32_t n = 0;
    int code = lab_folder(args, folder);
    if (code != CLI_OK)
        return code;
    for (uint32_t i = 0; i < args->n_words; i++) {
        if (strcmp(args->words[i], "all") == 0) {
            n = lab_names(folder, names);
            break;
        }
        (void)snprintf(names[n++], sizeof names[0], "%s", args->words[i]);
    }
    struct play *p = calloc(1, sizeof *p);
    if (p == NULL)
        return cli_fail(CLI_INTERNAL, "out of memory");
    p->args = args;
    code = n > 0 ? run_names(p, folder, names, n) : CLI_USAGE;
    free(p);
    return code;
}

const struct cli_command cli_lab_run = {
        .name = "lab run",
        .usage = "lab run SCENARIO...|all [--json] [--svg DIR]",
        .summary = "play scenarios into a receiver and write a score card",
        .more = "A scenario is a flowgraph that ends in the block 'air' and says under x-lab what "
                "it demands. Exit 7 when\n"
                "the receiver does not do what a scenario demands.",
        .options = options,
        .n_words_min = 1,
        .n_words_max = 32,
        .run = run,
};
