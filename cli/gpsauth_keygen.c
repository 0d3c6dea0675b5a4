/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon gpsauth keygen NAME: NAME.key for the prover, NAME.pub to pin. */
#include "cli/gpsauth.h"
#include "lib/gpsauth/key.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct cli_option options[] = {
        {"bits", "N", "size of the modulus (2048)", 0, false},
        {"s", "N", "bits of the secret (256)", 0, false},
        {"c", "N", "bits of a challenge (32)", 0, false},
        {"x", "N", "bits of a commitment (64)", 0, false},
        {"curve", NULL, "on P-256 instead of a modulus", 0, false},
        {"allow-weak", NULL, "secrets below 160 bits, to repeat published figures", 0, false},
        {NULL, NULL, NULL, 0, false},
};

static int save(const char *name, const struct gn_ga_key *key)
{
    struct gn_error err = {.status = GN_OK};
    char secret[4096], open[4096];

    if (snprintf(secret, sizeof secret, "%s.key", name) >= (int)sizeof secret)
        return cli_fail(CLI_USAGE, "the name is too long");
    (void)snprintf(open, sizeof open, "%s.pub", name);
    if (gn_ga_key_save(secret, key, true, &err) != GN_OK)
        return cli_fail(CLI_OUTPUT, "%s", err.text);
    if (gn_ga_key_save(open, key, false, &err) != GN_OK) {
        (void)unlink(secret);
        return cli_fail(CLI_OUTPUT, "%s", err.text);
    }
    return CLI_OK;
}

static int run(const struct cli_args *args)
{
    uint32_t bits = 2048, s = 256, c = 32, x = 64;
    struct gn_error err = {.status = GN_OK};
    const enum gn_ga_kind kind = cli_value(args, "curve") != NULL ? GN_GA_P256 : GN_GA_MODULUS;

    if (!cli_number(args, "bits", GN_GA_N_BITS_MIN, GN_GA_N_BITS_MAX, &bits) || !cli_number(args, "s", 1, 1024, &s)
            || !cli_number(args, "c", 1, 64, &c) || !cli_number(args, "x", 1, 256, &x))
        return CLI_USAGE;
    struct gn_ga_key *key = calloc(1, sizeof *key);
    if (key == NULL)
        return cli_fail(CLI_INTERNAL, "no memory");
    int code = CLI_OK;
    const gn_status st = gn_ga_key_generate(kind, bits, s, c, x, cli_value(args, "allow-weak") != NULL, key, &err);
    if (st != GN_OK)
        code = cli_fail(cli_exit_from_status(st), "%s", err.text[0] != '\0' ? err.text : "no key could be made");
    else
        code = save(args->words[0], key);
    gn_ga_key_wipe(key);
    free(key);
    return code;
}

const struct cli_command cli_gpsauth_keygen = {
        .name = "gpsauth keygen",
        .usage = "gpsauth keygen NAME [--bits N] [--s N] [--c N] [--x N] [--curve] [--allow-weak]",
        .summary = "a new key: NAME.key for the prover, NAME.pub to pin",
        .more = "NAME.key has mode 0600. No file is overwritten. The factors of the modulus are forgotten at once.",
        .options = options,
        .n_words_min = 1,
        .n_words_max = 1,
        .run = run,
};
