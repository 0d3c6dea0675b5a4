/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon osnma explain E12@1423:154200 FILE: from the tag to the Merkle root, each step with its bytes. */
#include "cli/osnma.h"
#include "lib/base/replace.h"
#include "lib/osnma/evidence.h"
#include "lib/pagein/feed.h"

#include <stdlib.h>
#include <string.h>

#define PAGES_MAX 2000000u /* a day of 35 satellites on two signals is 3 million */

static const struct cli_option options[] = {
        {"keys", "FILE[#NAME]", "your trust anchors: merkle_root, pubkeys, stored_kroot", 0, false},
        {"format", "FORMAT", "auto, csv, sbf, ubx or navmon", 0, false},
        {"sent-only", NULL, "only tags that satellite sent, none of others about it", 0, false},
        {"bundle", "FILE", "write what the tree rests on, for gnomon osnma verify", 0, false},
        {"allow-test-keys", NULL, "accept trust anchors marked as test keys", 0, false},
        {NULL, NULL, NULL, 0, false},
};

/* E12@1423:154200 or E12@1423:154200#3; any second of the sub-frame will do */
static bool parse_wish(const char *text, struct gn_evidence_wish *ret)
{
    unsigned prn = 0, wn = 0, tow_s = 0, ctr = 0;
    int n = 0, n_ctr = 0;
    if (sscanf(text, "E%2u@%5u:%6u%n", &prn, &wn, &tow_s, &n) != 3 || n == 0)
        return false;
    if (text[n] == '#' && (sscanf(text + n, "#%2u%n", &ctr, &n_ctr) != 1 || ctr < 1 || ctr > GN_OSNMA_TAGS_MAX))
        return false;
    *ret = (struct gn_evidence_wish){.sf = gn_osnma_sf(wn, tow_s), .prn = (uint8_t)prn, .ctr = (uint8_t)ctr};
    return text[n + n_ctr] == '\0' && prn >= 1 && prn <= GN_OSNMA_PRNS && tow_s < 604800;
}

struct pages {
    struct gn_osnma_page *list;
    size_t n, room;
};

static bool push(struct pages *p, const struct gn_osnma_page *page)
{
    if (p->n == p->room) {
        size_t room = p->room == 0 ? 4096 : 2 * p->room;
        struct gn_osnma_page *list = room <= PAGES_MAX ? realloc(p->list, room * sizeof *list) : NULL;
        if (list == NULL)
            return false;
        p->list = list;
        p->room = room;
    }
    p->list[p->n++] = *page;
    return true;
}

static int format_of(const struct cli_args *args, enum gn_pagein_format *ret)
{
    const char *name = cli_value(args, "format");
    for (unsigned i = 0; i < GN_PAGEIN_FORMAT_COUNT; i++)
        if (name == NULL || strcmp(name, gn_pagein_format_names[i]) == 0) {
            *ret = (enum gn_pagein_format)i;
            return CLI_OK;
        }
    return cli_fail(CLI_USAGE, "--format is auto, csv, sbf, ubx or navmon, not '%s'", name);
}

static int read_pages(const struct cli_args *args, struct pages *ret)
{
    const char *path = args->words[1];
    struct gn_pagefeed *f = NULL;
    struct gn_error err = {0};
    enum gn_pagein_format format = GN_PAGEIN_AUTO;
    enum gn_pagefeed_got got = GN_PAGEFEED_WAIT;
    int code = format_of(args, &format);
    if (code != CLI_OK)
        return code;
    gn_status st = gn_pagefeed_open(path, format, false, &f, &err);
    while (st == GN_OK && got != GN_PAGEFEED_END) {
        struct gn_osnma_page page;
        st = gn_pagefeed_next(f, 1000, &page, &got, &err);
        if (st == GN_OK && got == GN_PAGEFEED_PAGE && !push(ret, &page)) {
            gn_pagefeed_close(f);
            return cli_fail(CLI_DATA, "%s: more than %u pages, or no memory: cut the recording", path, PAGES_MAX);
        }
    }
    gn_pagefeed_close(f);
    return st == GN_OK ? CLI_OK : cli_fail(cli_exit_from_status(st), "%s: %s", path, err.text);
}

static int save(const char *path, const struct gn_evidence *e)
{
    struct gn_error err = {0};
    json_t *bundle = gn_evidence_json(e);
    char *text = bundle != NULL ? json_dumps(bundle, JSON_INDENT(1) | JSON_PRESERVE_ORDER) : NULL;
    json_decref(bundle);
    if (text == NULL)
        return cli_fail(CLI_INTERNAL, "out of memory");
    gn_status st = gn_file_replace(path, text, strlen(text), &err);
    free(text);
    return st == GN_OK ? CLI_OK : cli_fail(CLI_OUTPUT, "%s", err.text);
}

static int explain(const struct cli_args *args, const struct pages *pages, const struct gn_evidence_wish *wish,
        const struct gn_osnma_anchor *anchor)
{
    struct gn_evidence *e = NULL;
    struct gn_error err = {0};
    gn_verdict verdict = GN_UNDECIDED;
    if (gn_evidence_build(pages->list, pages->n, anchor, wish, &e, &err) != GN_OK)
        return cli_fail(CLI_DATA, "%s: %s", args->words[1], err.text);
    int code = CLI_OK;
    if (e->n_tags == 0)
        code = cli_fail(CLI_DATA, "%s: no tag of or about E%02u in sub-frame %s%s", args->words[1], wish->prn, args->words[0],
                cli_value(args, "keys") == NULL ? " (without --keys no tag is attempted)" : "");
    json_t *report = code == CLI_OK ? gn_evidence_check(e, anchor, &verdict) : NULL;
    if (code == CLI_OK)
        code = report != NULL ? osnma_print_result(args, report) : cli_fail(CLI_INTERNAL, "out of memory");
    if (code == CLI_OK && !args->is_json)
        (void)puts("when: the tree proves who made the tags, not when they were received: see --trusted-time of osnma run");
    if (code == CLI_OK && cli_value(args, "bundle") != NULL)
        code = save(cli_value(args, "bundle"), e);
    json_decref(report);
    free(e);
    return code;
}

static int run(const struct cli_args *args)
{
    struct gn_evidence_wish wish;
    struct gn_osnma_anchor anchor = {0};
    struct pages pages = {0};
    if (!parse_wish(args->words[0], &wish))
        return cli_fail(CLI_USAGE, "'%s' is not E<satellite>@<GST week>:<second of week>, such as E12@1423:154200 or "
                                   "E12@1423:154200#3 for its third tag", args->words[0]);
    wish.sent_only = cli_value(args, "sent-only") != NULL;
    int code = cli_value(args, "keys") != NULL ? osnma_load_keys(args, &anchor) : CLI_OK;
    if (code == CLI_OK)
        code = read_pages(args, &pages);
    if (code == CLI_OK)
        code = explain(args, &pages, &wish, &anchor);
    free(pages.list);
    return code;
}

const struct cli_command cli_osnma_explain = {
        .name = "osnma explain",
        .usage = "osnma explain E<SAT>@<WEEK>:<TOW>[#TAG] FILE --keys KEYS.json[#NAME] [--bundle OUT]",
        .summary = "why a tag is authentic or not, step by step",
        .more = "The tags that satellite sent in that sub-frame, and those of others about it: for each the way from the tag\n"
                "over its key, the chain, the root key and its signature to the public key and, where it was sent, the Merkle\n"
                "root; each step with its bytes, verdict and reason. --bundle writes the pages and claims for a stranger.",
        .options = options,
        .n_words_min = 2,
        .n_words_max = 2,
        .run = run,
};
