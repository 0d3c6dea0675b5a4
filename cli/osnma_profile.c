/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon osnma profile: the tables of the paper on this machine. */
#include "cli/osnma.h"
#include "lib/base/error.h"
#include "lib/osnma/engine.h"
#include "lib/osnma/profile.h"
#include "lib/pagein/feed.h"

#include <string.h>

static const struct cli_option options[] = {
        {"runs", "N", "timings of each function, 10 to 100000 (default 1000)", 0, false},
        {"keys", "FILE[#NAME]", "with FILE: its trust anchors", 0, false},
        {"allow-test-keys", NULL, "accept trust anchors marked as test keys", 0, false},
        {NULL, NULL, NULL, 0, false},
};

/* Table 4 of the paper: platform 1, an Intel Xeon E3-1270 v3, set S1 */
static const struct {
    double rate_hz, mean_us, sigma_us;
} paper[GN_PROFILE_FUNCTIONS] = {{13.60, 0.61, 0.02}, {2.62, 7.85, 0.21}, {0.27, 5.84, 0.18}, {0.03, 134.82, 1.51},
        {0, 0, 0}, {0.01, 2.76, 0.08}};

struct rates { /* calls a second of signal, of a recording */
    bool is_there;
    double hz[GN_PROFILE_FUNCTIONS];
    uint64_t n_pkrs;
};

static void on_key(void *arg, enum gn_osnma_key_event kind, const struct gn_msg_osnma_key *m)
{
    struct rates *r = arg;
    (void)m;
    r->n_pkrs += kind == GN_OSNMA_EV_PKR;
}

/* the engine over a recording: how often each function is called there; MAC and MACSEQ share a count */
static int count(const struct cli_args *args, struct rates *ret)
{
    struct gn_osnma_config config = {.has_trusted_time = 1};
    struct gn_osnma_sink sink = {.arg = ret, .key = on_key};
    struct gn_pagefeed *f = NULL;
    struct gn_osnma *o = NULL;
    struct gn_error err = {0};
    struct gn_osnma_page page;
    enum gn_pagefeed_got got = GN_PAGEFEED_WAIT;
    int64_t first_s = -1, last_s = 0;
    int code = cli_value(args, "keys") != NULL ? osnma_load_keys(args, &config.anchor) : CLI_OK;
    if (code != CLI_OK)
        return code;
    gn_status st = gn_pagefeed_open(args->words[0], GN_PAGEIN_AUTO, false, &f, &err);
    if (st == GN_OK && gn_osnma_new(&config, &o) != GN_OK)
        st = gn_fail(&err, GN_E_NOMEM, "out of memory");
    while (st == GN_OK && got != GN_PAGEFEED_END) {
        st = gn_pagefeed_next(f, 1000, &page, &got, &err);
        if (st != GN_OK || got != GN_PAGEFEED_PAGE)
            continue;
        last_s = (int64_t)page.wn * 604800 + page.tow_s + 2;
        first_s = first_s < 0 ? last_s - 2 : first_s;
        gn_osnma_feed(o, &page, &sink);
    }
    if (st == GN_OK && last_s > first_s) {
        const struct gn_osnma_stats *n = gn_osnma_stats(o);
        double span_s = (double)(last_s - first_s);
        ret->is_there = true;
        ret->hz[GN_PROFILE_TESLA] = (double)n->tesla_steps / span_s;
        ret->hz[GN_PROFILE_MAC] = (double)n->macs / span_s;
        ret->hz[GN_PROFILE_SIGNATURE] = (double)n->signatures / span_s;
        ret->hz[GN_PROFILE_PUBLIC_KEY] = (double)ret->n_pkrs / span_s;
    }
    gn_osnma_free(o);
    gn_pagefeed_close(f);
    return st == GN_OK ? CLI_OK : cli_fail(cli_exit_from_status(st), "%s: %s", args->words[0], err.text);
}

static bool has_rate(unsigned f)
{
    return f != GN_PROFILE_MACSEQ && f != GN_PROFILE_SIGNATURE_NEW;
}

/* ---- for people ---------------------------------------------------------------------------------------------------------- */
static void print_functions(const struct gn_profile_set *s, const struct rates *r)
{
    (void)puts("table 4, set S1 (P-224), times in microseconds; accuracy is sigma / mean. paper: its platform 1, Intel Xeon\n"
               "E3-1270 v3, and how many times faster our median is. OpenSSL: the bare primitive on the same bytes, taken in\n"
               "turn with ours, and how many times longer our median is\n");
    (void)printf("%-20s %9s %9s %8s %8s %8s | %8s %8s %8s %7s | %8s %6s\n", "function", "calls/s", "mean", "sigma", "accuracy",
            "median", "calls/s", "mean", "sigma", "faster", "OpenSSL", "longer");
    for (unsigned f = 0; f < GN_PROFILE_FUNCTIONS; f++) {
        const struct gn_profile_stat *o = &s->ours[f];
        char rate[16] = "-", theirs[48] = "";
        if (r->is_there && has_rate(f))
            (void)snprintf(rate, sizeof rate, "%.4f", r->hz[f]);
        if (paper[f].mean_us > 0)
            (void)snprintf(theirs, sizeof theirs, "%8.2f %8.2f %8.2f %6.2fx", paper[f].rate_hz, paper[f].mean_us,
                    paper[f].sigma_us, paper[f].mean_us / o->median_us);
        (void)printf("%-20s %9s %9.3f %8.3f %7.2f%% %8.3f | %34s | %8.3f %5.2fx\n", gn_profile_names[f], rate, o->mean_us,
                o->sigma_us, o->accuracy_pct, o->median_us, theirs, s->bare[f].median_us,
                o->median_us / s->bare[f].median_us);
    }
}

static void print_parts(const struct gn_profile_set *s)
{
    (void)puts("\ntable 6, set S1: parts of a digital signature check\n");
    (void)printf("%-22s %9s %9s %9s %8s\n", "part", "mean", "sigma", "accuracy", "median");
    for (unsigned p = 0; p < GN_PARTS; p++)
        (void)printf("%-22s %9.3f %9.3f %8.2f%% %8.3f\n", gn_part_names[p], s->parts[p].mean_us, s->parts[p].sigma_us,
                s->parts[p].accuracy_pct, s->parts[p].median_us);
}

static void print_sets(const struct gn_profile_set sets[GN_PROFILE_SETS])
{
    (void)puts("\ntable 7: digital signature and public key of sets S1 to S4\n");
    (void)printf("%-4s %-6s %9s %9s %9s %8s | %8s %6s | %12s\n", "set", "curve", "mean", "sigma", "accuracy", "median",
            "OpenSSL", "ratio", "public key");
    for (unsigned i = 0; i < GN_PROFILE_SETS; i++) {
        const struct gn_profile_stat *o = &sets[i].ours[GN_PROFILE_SIGNATURE], *b = &sets[i].bare[GN_PROFILE_SIGNATURE];
        (void)printf("S%-3u %-6s %9.2f %9.2f %8.2f%% %8.2f | %8.2f %5.2fx | %12.3f\n", i + 1,
                gn_osnma_curves[gn_profile_curves[i]].name, o->mean_us, o->sigma_us, o->accuracy_pct, o->median_us,
                b->median_us, o->median_us / b->median_us, sets[i].ours[GN_PROFILE_PUBLIC_KEY].mean_us);
    }
}

/* ---- for programs ---------------------------------------------------------------------------------------------------------- */
static json_t *stat_json(const struct gn_profile_stat *s)
{
    return json_pack("{s:f, s:f, s:f, s:f}", "mean_us", s->mean_us, "sigma_us", s->sigma_us, "accuracy_pct",
            s->accuracy_pct, "median_us", s->median_us);
}

static json_t *set_json(const struct gn_profile_set *s, unsigned i)
{
    json_t *set = json_pack("{s:s}", "curve", gn_osnma_curves[gn_profile_curves[i]].name), *functions = json_object(),
           *parts = json_object();
    for (unsigned f = 0; f < GN_PROFILE_FUNCTIONS; f++) {
        json_t *one = stat_json(&s->ours[f]);
        (void)json_object_set_new(one, "openssl_median_us", json_real(s->bare[f].median_us));
        if (i == 0 && paper[f].mean_us > 0) {
            (void)json_object_set_new(one, "paper_mean_us", json_real(paper[f].mean_us));
            (void)json_object_set_new(one, "paper_calls_per_s", json_real(paper[f].rate_hz));
        }
        (void)json_object_set_new(functions, gn_profile_names[f], one);
    }
    for (unsigned p = 0; p < GN_PARTS; p++)
        (void)json_object_set_new(parts, gn_part_names[p], stat_json(&s->parts[p]));
    (void)json_object_set_new(set, "functions", functions);
    (void)json_object_set_new(set, "signature_parts", parts);
    return set;
}

static int print_json(const struct gn_profile_set sets[GN_PROFILE_SETS], const struct rates *r)
{
    json_t *top = json_object();
    for (unsigned i = 0; i < GN_PROFILE_SETS; i++) {
        char name[4] = {'S', (char)('1' + i), 0, 0};
        (void)json_object_set_new(top, name, set_json(&sets[i], i));
    }
    for (unsigned f = 0; r->is_there && f < GN_PROFILE_FUNCTIONS; f++)
        if (has_rate(f))
            (void)json_object_set_new(json_object_get(json_object_get(json_object_get(top, "S1"), "functions"),
                                              gn_profile_names[f]), "calls_per_s", json_real(r->hz[f]));
    int bad = json_dumpf(top, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    (void)putchar('\n');
    json_decref(top);
    return bad == 0 ? CLI_OK : cli_fail(CLI_OUTPUT, "standard output cannot be written");
}

static int run(const struct cli_args *args)
{
    struct gn_profile_set sets[GN_PROFILE_SETS] = {0};
    struct rates rates = {0};
    uint32_t n_runs = 1000;
    if (!cli_number(args, "runs", 10, 100000, &n_runs))
        return CLI_USAGE;
    int code = args->n_words > 0 ? count(args, &rates) : CLI_OK;
    for (unsigned i = 0; code == CLI_OK && i < GN_PROFILE_SETS; i++)
        if (gn_profile_measure(gn_profile_curves[i], n_runs, &sets[i]) != GN_OK)
            code = cli_fail(CLI_INTERNAL, "OpenSSL cannot do %s here", gn_osnma_curves[gn_profile_curves[i]].name);
    if (code != CLI_OK || args->is_json)
        return code != CLI_OK ? code : print_json(sets, &rates);
    print_functions(&sets[0], &rates);
    print_parts(&sets[0]);
    print_sets(sets);
    return CLI_OK;
}

const struct cli_command cli_osnma_profile = {
        .name = "osnma profile",
        .usage = "osnma profile [FILE --keys KEYS.json[#NAME]] [--runs N]",
        .summary = "how long each function takes on this machine",
        .more = "Tables 4, 6 and 7 of 'Computational Load Analysis of a Galileo OSNMA-Ready Receiver for ARM-Based Embedded\n"
                "Platforms' on this machine: mean, sigma and accuracy of each function for the paper's sets S1 to S4 (P-224 to\n"
                "P-521), the signature split into its parts, the paper's platform 1 and bare OpenSSL beside them. With FILE the\n"
                "call rates of that recording (MAC counts MACSEQ too; Merkle checks are counted by DSM-PKR).",
        .options = options,
        .n_words_max = 1,
        .run = run,
};
