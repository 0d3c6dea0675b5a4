/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon osnma verify BUNDLE: compute everything anew, offline. */
#include "cli/osnma.h"
#include "lib/bits/hex.h"
#include "lib/osnma/evidence.h"

#include <stdlib.h>

static const struct cli_option options[] = {
        {"keys", "FILE[#NAME]", "your own trust anchors; what the bundle claims counts for nothing", 0, false},
        {"allow-test-keys", NULL, "accept trust anchors marked as test keys", 0, false},
        {NULL, NULL, NULL, 0, false},
};

/* whose word the bundle rests on */
static void tell_claims(const struct gn_osnma_anchor *a)
{
    char hex[2 * GN_OSNMA_POINT_BYTES + 1];
    if (a->has_root) {
        gn_hex_print(a->root, sizeof a->root, hex);
        (void)printf("the bundle's maker trusted Merkle root %s\n", hex);
    }
    for (unsigned i = 0; i < GN_OSNMA_PUBKEYS_MAX; i++)
        if (a->pubkeys[i].is_used) {
            gn_hex_print(a->pubkeys[i].point, gn_osnma_curves[a->pubkeys[i].curve].point_bytes, hex);
            (void)printf("the bundle's maker trusted public key PKID %u %s\n", a->pubkeys[i].pkid, hex);
        }
}

static int run(const struct cli_args *args)
{
    struct gn_osnma_anchor mine = {0};
    struct gn_evidence *e = NULL;
    struct gn_error err = {0};
    uint8_t *text = NULL;
    size_t n = 0;
    gn_verdict verdict = GN_UNDECIDED;
    const char *path = args->words[0];
    bool has_keys = cli_value(args, "keys") != NULL;
    int code = has_keys ? osnma_load_keys(args, &mine) : CLI_OK;
    if (code == CLI_OK)
        code = cli_read_file(path, GN_EVIDENCE_FILE_MAX, &text, &n);
    if (code != CLI_OK)
        return code;
    gn_status st = gn_evidence_parse((const char *)text, n, &e, &err);
    free(text);
    if (st != GN_OK)
        return err.line > 0 ? cli_fail(CLI_DATA, "%s:%d:%d: %s", path, (int)err.line, (int)err.column, err.text)
                            : cli_fail(CLI_DATA, "%s: %s", path, err.text);
    json_t *report = gn_evidence_check(e, has_keys ? &mine : NULL, &verdict);
    code = report != NULL ? osnma_print_result(args, report) : cli_fail(CLI_INTERNAL, "out of memory");
    if (code == CLI_OK && !args->is_json)
        tell_claims(&e->claimed);
    json_decref(report);
    free(e);
    if (code != CLI_OK || verdict == GN_AUTHENTIC)
        return code;
    return cli_fail(CLI_NOT_AUTHENTIC, "%s: %s", path, verdict == GN_FORGED ? "forged"
            : !has_keys ? "undecided: give your own --keys, nobody here vouches for the bundle's" : "undecided");
}

const struct cli_command cli_osnma_verify = {
        .name = "osnma verify",
        .usage = "osnma verify BUNDLE --keys KEYS.json[#NAME]",
        .summary = "check an evidence bundle offline",
        .more = "Computes every step of the bundle's tags anew from the pages in it, against your own trust anchors. Exit code\n"
                "0: each tag is authentic; 7: one is not, or nobody here vouches for its root. A bundle cannot prove when its\n"
                "pages were received.",
        .options = options,
        .n_words_min = 1,
        .n_words_max = 1,
        .run = run,
};
