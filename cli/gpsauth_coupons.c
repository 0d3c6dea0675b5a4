/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon gpsauth coupons KEY STORE: the commitments of a prover, made before it needs them; and gnomon gpsauth info FILE. */
#include "cli/gpsauth.h"
#include "lib/gpsauth/key.h"

#include <stdlib.h>
#include <string.h>

static const struct cli_option options[] = {
        {"count", "N", "how many (1000)", 0, false},
        {"block", "N", "written off at once; a crash loses the rest of a block (16)", 0, false},
        {NULL, NULL, NULL, 0, false},
};

static gn_status make(const struct gn_ga_key *key, struct gn_ga_group *g, uint32_t n, uint8_t *xs)
{
    uint8_t element[GN_GA_ELEMENT_BYTES];
    gn_status st = GN_OK;

    for (uint32_t i = 0; st == GN_OK && i < n; i++) {
        struct gn_ga_wide r;
        st = gn_ga_coupon_exponent(key->seed, i, key->shape.r_bits, &r);
        if (st == GN_OK)
            st = gn_ga_group_commit(g, &r, key->shape.r_bits, element);
        if (st == GN_OK)
            st = gn_ga_coupon_commitment(
                    element, gn_ga_group_element_bytes(g), NULL, 0, key->x_bits, xs + (size_t)i * (key->x_bits / 8));
        gn_ga_wide_wipe(&r);
    }
    return st;
}

static gn_status fill(const struct gn_ga_key *key, const char *path, uint32_t n, uint32_t block, struct gn_error *err)
{
    struct gn_ga_store_head head = {.n = n, .x_bits = key->x_bits, .block = block};
    struct gn_ga_group *g = NULL;
    uint8_t *xs = malloc((size_t)n * (key->x_bits / 8));
    gn_status st = xs == NULL ? GN_E_NOMEM : gn_ga_key_open(key, 0, &g, err);

    if (st == GN_OK)
        st = gn_ga_key_id(key, head.key_id);
    if (st == GN_OK)
        st = make(key, g, n, xs);
    if (st == GN_OK)
        st = gn_ga_store_create(path, &head, xs, err);
    gn_ga_group_close(g);
    free(xs);
    return st;
}

static int run(const struct cli_args *args)
{
    uint32_t n = 1000, block = 16;
    struct gn_error err = {.status = GN_OK};

    if (!cli_number(args, "count", 1, GN_GA_COUPONS_MAX, &n) || !cli_number(args, "block", 1, 1024, &block))
        return CLI_USAGE;
    struct gn_ga_key *key = calloc(1, sizeof *key);
    if (key == NULL)
        return cli_fail(CLI_INTERNAL, "no memory");
    gn_status st = gn_ga_key_load(args->words[0], key, &err);
    int code = CLI_OK;
    if (st == GN_OK && !key->has_secret)
        code = cli_fail(CLI_DATA, "%s: a public record: coupons are made from the prover's key", args->words[0]);
    else if (st == GN_OK)
        st = fill(key, args->words[1], n, block, &err);
    if (st != GN_OK)
        code = cli_fail(cli_exit_from_status(st), "%s", err.text[0] != '\0' ? err.text : "no coupons could be made");
    gn_ga_key_wipe(key);
    free(key);
    return code;
}

const struct cli_command cli_gpsauth_coupons = {
        .name = "gpsauth coupons",
        .usage = "gpsauth coupons KEY STORE [--count N] [--block N]",
        .summary = "fill a coupon store for a key",
        .more = "One store for each key, ever: two stores of one key hold the same coupons, and a coupon used twice gives\n"
                "the secret away. When a store is empty, make a new key.",
        .options = options,
        .n_words_min = 2,
        .n_words_max = 2,
        .run = run,
};

/* ---- info ------------------------------------------------------------------------------------------------------------- */
static void print_key(const struct gn_ga_key *k, const uint8_t *id, bool is_json)
{
    const uint32_t n_bits = k->kind == GN_GA_P256 ? 256 : 4 * (uint32_t)strlen(k->n);

    (void)printf(is_json ? "{\"id\": \"" : "id ");
    for (uint32_t i = 0; i < GN_GA_KEY_ID_BYTES; i++)
        (void)printf("%02x", id[i]);
    (void)printf(is_json ? "\", \"kind\": \"%s\", \"group_bits\": %u, \"s_bits\": %u, \"c_bits\": %u, \"r_bits\": %u, "
                           "\"x_bits\": %u, \"has_secret\": %s}\n"
                         : "\nkind %s\ngroup_bits %u\ns_bits %u\nc_bits %u\nr_bits %u\nx_bits %u\nhas_secret %s\n",
            k->kind == GN_GA_P256 ? "p256" : "modulus", n_bits, k->shape.s_bits, k->shape.c_bits, k->shape.r_bits, k->x_bits,
            k->has_secret ? "true" : "false");
}

static int run_info(const struct cli_args *args)
{
    struct gn_error err = {.status = GN_OK};
    struct gn_ga_group *g = NULL;
    uint8_t id[GN_GA_KEY_ID_BYTES];
    struct gn_ga_key *key = calloc(1, sizeof *key);

    if (key == NULL)
        return cli_fail(CLI_INTERNAL, "no memory");
    gn_status st = gn_ga_key_load(args->words[0], key, &err);
    if (st == GN_OK)
        st = gn_ga_key_open(key, 0, &g, &err);
    if (st == GN_OK)
        st = gn_ga_key_id(key, id);
    if (st == GN_OK)
        print_key(key, id, args->is_json);
    gn_ga_group_close(g);
    gn_ga_key_wipe(key);
    free(key);
    return st == GN_OK ? cli_flush_stdout() : cli_fail(cli_exit_from_status(st), "%s: %s", args->words[0], err.text);
}

const struct cli_command cli_gpsauth_info = {
        .name = "gpsauth info",
        .usage = "gpsauth info KEY|PUB [--json]",
        .summary = "what a key file holds, after all its checks",
        .n_words_min = 1,
        .n_words_max = 1,
        .run = run_info,
};
