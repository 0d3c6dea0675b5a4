/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon osnma run FILE: a flowgraph of two blocks, and a count of what they said. */
#include "cli/graphs.h"
#include "cli/osnma.h"
#include "core/run/run.h"
#include "gnomon/verdict.h"
#include "lib/msg/osnma.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static const struct cli_option options[] = {
        {"keys", "FILE[#NAME]", "trust anchors as JSON: merkle_root, pubkeys, stored_kroot", 0, false},
        {"format", "FORMAT", "auto, csv, sbf, ubx or navmon", 0, false},
        {"trusted-time", "none|recording|host", "recording: the page times stand for trusted time", 0, false},
        {"time-uncertainty", "S", "of the trusted time: below 15 s all tags, below 165 s slow ones only", 0, false},
        {"signals", "LIST", "E1B,E5b (default both)", 0, false},
        {"no-reed-solomon", NULL, "do not repair lost words by words 17 to 20", 0, false},
        {"profile", "standard|draft", "draft: also SHA3-224, P-224 and P-384; never by the signal's own word", 0, false},
        {"allow-test-keys", NULL, "accept trust anchors marked as test keys", 0, false},
        {"state", "FILE", "keep root key, chain key and public keys over a restart", 0, false},
        {"jsonl", "FILE", "log every event as JSON lines (- is standard output)", 0, false},
        {"require-auth", NULL, "exit 7 after anything forged, or when nothing was authentic", 0, false},
        {NULL, NULL, NULL, 0, false},
};

static const char graph_text[] =
        "gnomon: 1\n"
        "name: osnma\n"
        "vars: {file: ~, format: auto, stamp: none, state: ~, signals: [E1B, E5b], keys: ~, time: none, uncertainty: 0, rs: yes, test: no, profile: standard}\n"
        "blocks:\n"
        "  src: {use: osnma.pages, path: $file, format: $format, stamp: $stamp, signals: $signals}\n"
        "  auth: {use: osnma.verify, keys: $keys, state: $state, trusted_time: $time, time_uncertainty: $uncertainty,\n"
        "         reed_solomon: $rs, allow_test_keys: $test, profile: $profile}\n"
        "links:\n"
        "  - src > auth\n";

#define N_SETTINGS 11
#define SETTING_MAX 4400

struct counts {
    uint64_t tags[3][3];  /* [ADKD 0, 4, 12][verdict] */
    uint64_t dummies;
    uint64_t keys[4][3];  /* [key, kroot, pkr, oam][verdict] */
    uint64_t data_authentic, data_forged;
    uint64_t prns;        /* satellites with authentic ephemeris, bit prn */
    bool has_four;
    uint32_t four_wn, four_tow;
    char state[GN_OSNMA_REASON];
};

struct session {
    const struct cli_args *args;
    struct cli_graph g;
    struct gn_run *run;
    struct gn_run_config config;
    struct counts counts;
    char settings[N_SETTINGS][SETTING_MAX];
    const char *list[N_SETTINGS];
    uint32_t n_settings;
};

/* ---- events ------------------------------------------------------------------------------------------------------- */
static void count_data(struct counts *c, const struct gn_msg_osnma_data *d)
{
    c->data_authentic += d->authentic;
    c->data_forged += d->forged;
    if (d->authentic && d->adkd == 0)
        c->prns |= 1ULL << (d->prn & 63u);
    if (!c->has_four && __builtin_popcountll(c->prns) >= 4) {
        c->has_four = true;
        c->four_wn = d->wn;
        c->four_tow = d->tow;
    }
}

static void count_tag(struct counts *c, const struct gn_msg_osnma_tag *t)
{
    unsigned i = t->adkd == 0 ? 0 : t->adkd == 4 ? 1 : 2;
    if (t->verdict < 3 && (i < 2 || t->adkd == 12))
        c->tags[i][t->verdict]++;
    c->dummies += t->verdict == GN_AUTHENTIC && strcmp(t->reason, "dummy") == 0;
}

static void tap(void *user, const struct gn_msg *msg, const char *block)
{
    static const char *const key_events[] = {"osnma.key", "osnma.kroot", "osnma.pkr", "osnma.oam"};
    struct counts *c = &((struct session *)user)->counts;
    const char *event = msg->schema->event;
    (void)block;
    if (strcmp(event, "osnma.tag") == 0)
        count_tag(c, msg->data);
    if (strcmp(event, "osnma.data") == 0)
        count_data(c, msg->data);
    if (strcmp(event, "osnma.status") == 0)
        memcpy(c->state, ((const struct gn_msg_osnma_status *)msg->data)->state, sizeof c->state);
    for (size_t i = 0; i < GN_COUNT(key_events); i++) {
        const struct gn_msg_osnma_key *k = msg->data;
        if (strcmp(event, key_events[i]) == 0 && k->verdict < 3)
            c->keys[i][k->verdict]++;
    }
}

/* ---- summary ------------------------------------------------------------------------------------------------------ */
static const char *const adkds[] = {"0", "4", "12"};
static const char *const kinds[] = {"keys", "kroots", "pkrs", "oams"};

static void print_counts(const char *name, const uint64_t n[3], const char *end)
{
    (void)printf("\"%s\": {\"authentic\": %llu, \"forged\": %llu, \"undecided\": %llu}%s", name,
            (unsigned long long)n[GN_AUTHENTIC], (unsigned long long)n[GN_FORGED],
            (unsigned long long)n[GN_UNDECIDED], end);
}

static void print_json(const struct counts *c)
{
    (void)fputs("{\"tags\": {", stdout);
    for (unsigned i = 0; i < 3; i++)
        print_counts(adkds[i], c->tags[i], i < 2 ? ", " : "}, ");
    for (unsigned i = 0; i < 4; i++)
        print_counts(kinds[i], c->keys[i], ", ");
    (void)printf("\"dummies\": %llu, \"data_authentic\": %llu, \"data_forged\": %llu, \"satellites\": [",
            (unsigned long long)c->dummies, (unsigned long long)c->data_authentic,
            (unsigned long long)c->data_forged);
    const char *comma = "";
    for (unsigned prn = 1; prn < 64; prn++)
        if ((c->prns >> prn & 1u) != 0) {
            (void)printf("%s%u", comma, prn);
            comma = ", ";
        }
    (void)fputs("]", stdout);
    if (c->has_four)
        (void)printf(", \"four_satellites\": {\"wn\": %u, \"tow\": %u}", c->four_wn, c->four_tow);
    (void)printf(", \"state\": \"%s\"}\n", c->state);
}

static void print_text(const struct counts *c)
{
    for (unsigned i = 0; i < 3; i++)
        (void)printf("ADKD %-2s tags: %llu authentic, %llu forged, %llu undecided\n", adkds[i],
                (unsigned long long)c->tags[i][GN_AUTHENTIC], (unsigned long long)c->tags[i][GN_FORGED],
                (unsigned long long)c->tags[i][GN_UNDECIDED]);
    for (unsigned i = 0; i < 4; i++)
        if (c->keys[i][0] + c->keys[i][1] + c->keys[i][2] > 0)
            (void)printf("%-7s      %llu authentic, %llu forged, %llu undecided\n", kinds[i],
                    (unsigned long long)c->keys[i][GN_AUTHENTIC], (unsigned long long)c->keys[i][GN_FORGED],
                    (unsigned long long)c->keys[i][GN_UNDECIDED]);
    (void)printf("authentic ephemerides: %d satellites", __builtin_popcountll(c->prns));
    if (c->has_four)
        (void)printf(", four from the tags of GST %u:%u on", c->four_wn, c->four_tow);
    (void)printf("\nstate: %s\n", c->state[0] != '\0' ? c->state : "nothing received");
}

/* ---- running ------------------------------------------------------------------------------------------------------ */
static int set(struct session *s, const char *name, const char *value)
{
    char *to = s->settings[s->n_settings];
    if (snprintf(to, SETTING_MAX, "%s=%s", name, value) >= SETTING_MAX)
        return cli_fail(CLI_USAGE, "'%.40s...' is too long", value);
    s->list[s->n_settings++] = to;
    return CLI_OK;
}

static int settings_of(struct session *s)
{
    static const struct {
        const char *option, *var, *value; /* NULL: what the user said */
    } words[] = {{"keys", "keys", NULL}, {"format", "format", NULL}, {"trusted-time", "time", NULL},
            {"time-uncertainty", "uncertainty", NULL}, {"signals", "signals", NULL},
            {"state", "state", NULL}, {"profile", "profile", NULL}, {"no-reed-solomon", "rs", "no"}, {"allow-test-keys", "test", "yes"}};
    int code = set(s, "file", s->args->words[0]);
    for (size_t i = 0; code == CLI_OK && i < GN_COUNT(words); i++)
        if (cli_value(s->args, words[i].option) != NULL)
            code = set(s, words[i].var, words[i].value != NULL ? words[i].value : cli_value(s->args, words[i].option));
    const char *time = cli_value(s->args, "trusted-time");
    if (code == CLI_OK && time != NULL && strcmp(time, "host") == 0)
        code = set(s, "stamp", "host");
    return code;
}

static int load(struct session *s)
{
    struct gn_graph_request rq = {.text = graph_text, .settings = s->list, .n_settings = s->n_settings,
            .options = {.kernels = "auto", .strict = &s->g.strict, .log = cli_log}};
    memcpy(&rq.options.log_user, &s->args, sizeof s->args); /* the table has no const; cli_log only reads */
    s->g.registry = gn_registry_new(NULL);
    s->g.diag = gn_diag_new();
    if (s->g.registry == NULL || s->g.diag == NULL)
        return cli_fail(CLI_INTERNAL, "out of memory");
    gn_status st = gn_graph_load(&rq, s->g.registry, s->g.diag, &s->g.graph);
    if (st != GN_OK || !s->args->is_quiet)
        gn_diag_print(s->g.diag, stderr, s->args->is_colour);
    return cli_exit_from_status(st);
}

static int failure(const char *who, const char *text, gn_status st)
{
    (void)cli_fail(0, "%s%s%s", who, who[0] != '\0' ? ": " : "", text);
    return cli_exit_from_status(st);
}

static int go(struct session *s)
{
    struct gn_error err = {.status = GN_OK};
    const struct timespec no_time = {0};
    sigset_t signals;
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGINT);
    (void)sigaddset(&signals, SIGTERM);
    (void)pthread_sigmask(SIG_BLOCK, &signals, NULL);
    s->config.tap = tap;
    s->config.tap_user = s;
    s->config.log = cli_log;
    memcpy(&s->config.user, &s->args, sizeof s->args);
    s->config.version = GN_VERSION;
    gn_status st = gn_run_new(s->g.graph, &s->config, &s->run, &err);
    if (st == GN_OK)
        st = gn_run_start(s->run, &err);
    if (st != GN_OK)
        return failure("", err.text, st);
    while (!gn_run_wait(s->run, 0.1))
        if (sigtimedwait(&signals, NULL, &no_time) > 0)
            gn_run_interrupt(s->run);
    const struct gn_run_result *r = gn_run_result(s->run);
    if (r->was_interrupted)
        return CLI_INTERRUPTED;
    return r->status == GN_OK ? CLI_OK : failure(r->block, r->text, r->status);
}

static int demand(const struct session *s)
{
    const struct counts *c = &s->counts;
    bool is_forged = c->data_forged > 0 || c->tags[0][GN_FORGED] + c->tags[1][GN_FORGED] + c->tags[2][GN_FORGED] > 0;
    if (cli_value(s->args, "require-auth") == NULL || (!is_forged && c->data_authentic > 0))
        return CLI_OK;
    return cli_fail(CLI_NOT_AUTHENTIC, is_forged ? "something was forged" : "nothing was authentic");
}

static int osnma_run(struct session *s)
{
    int code = settings_of(s);
    if (code == CLI_OK)
        code = load(s);
    if (code == CLI_OK)
        code = cli_open_log(s->args, &s->config.jsonl);
    if (code == CLI_OK)
        code = go(s);
    bool is_log_stdout = s->config.jsonl == stdout;
    int closed = cli_close_log(s->args, &s->config.jsonl);
    code = code != CLI_OK ? code : closed;
    if (code == CLI_OK && s->args->is_json)
        print_json(&s->counts);
    else if (code == CLI_OK && !is_log_stdout && !s->args->is_quiet)
        print_text(&s->counts);
    gn_run_free(s->run);
    cli_graph_done(&s->g);
    return code != CLI_OK ? code : demand(s);
}

static int run(const struct cli_args *args)
{
    struct session s = {.args = args};
    return osnma_run(&s);
}

const struct cli_command cli_osnma_run = {
        .name = "osnma run",
        .usage = "osnma run FILE [--keys KEYS.json[#NAME]] [--trusted-time none|recording|host] [--jsonl OUT]",
        .summary = "authenticate the Galileo pages of any receiver",
        .more = "FILE is a recording (plain or gzip), - for standard input, tcp://HOST:PORT or serial:/dev/NAME[@BAUD].\n"
                "Formats: csv rows, Septentrio SBF (GALRawINAV), u-blox UBX (RXM-SFRBX), galmon navmon.\n"
                "Says which navigation data are authentic. Without --keys or without trusted time nothing is.\n"
                "--json prints the summary as one object.",
        .options = options,
        .n_words_min = 1,
        .n_words_max = 1,
        .run = run,
};
