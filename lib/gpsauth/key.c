/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/gpsauth/key.h"

#include "lib/base/error.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_line[] = "gpsauth-key 1";

/* ---- text -------------------------------------------------------------------------------------------------------------- */
enum field { KIND, N, G, PUBLIC, S_BITS, C_BITS, R_BITS, X_BITS, SECRET, SEED, N_FIELDS };
static const char *const names[N_FIELDS] = {
        "kind", "n", "g", "public", "s_bits", "c_bits", "r_bits", "x_bits", "s", "seed"};

static bool put_number(const char *value, uint32_t max, uint32_t *ret)
{
    char *end = NULL;
    if (value[0] < '0' || value[0] > '9')
        return false;
    const unsigned long v = strtoul(value, &end, 10);
    *ret = (uint32_t)v;
    return *end == '\0' && v <= max;
}

static bool put_hex_text(const char *value, char ret[2 * GN_GA_ELEMENT_BYTES + 1])
{
    const size_t n = strlen(value);
    if (n == 0 || n > 2 * GN_GA_ELEMENT_BYTES || strspn(value, "0123456789abcdefABCDEF") != n)
        return false;
    memcpy(ret, value, n + 1);
    return true;
}

static bool put_kind(const char *value, enum gn_ga_kind *kind)
{
    const bool is_curve = strcmp(value, "p256") == 0;
    *kind = is_curve ? GN_GA_P256 : GN_GA_MODULUS;
    return is_curve || strcmp(value, "modulus") == 0;
}

static bool put_seed(const char *value, uint8_t *seed)
{
    struct gn_ga_wide w;
    if (strlen(value) != 2 * GN_GA_SEED_BYTES || gn_ga_wide_from_hex(value, &w) != GN_OK)
        return false;
    gn_ga_wide_to_bytes(&w, seed, GN_GA_SEED_BYTES);
    gn_ga_wide_wipe(&w);
    return true;
}

static bool put_field(struct gn_ga_key *key, enum field field, const char *value)
{
    switch (field) {
    case KIND:
        return put_kind(value, &key->kind);
    case N:
        return put_hex_text(value, key->n);
    case G:
        return put_hex_text(value, key->g);
    case PUBLIC:
        return put_hex_text(value, key->public_key);
    case S_BITS:
        return put_number(value, GN_GA_S_BITS_MAX, &key->shape.s_bits);
    case C_BITS:
        return put_number(value, 64, &key->shape.c_bits);
    case R_BITS:
        return put_number(value, GN_GA_R_BITS_MAX, &key->shape.r_bits);
    case X_BITS:
        return put_number(value, GN_GA_X_BITS_MAX, &key->x_bits);
    case SECRET:
        return gn_ga_wide_from_hex(value, &key->s) == GN_OK;
    case SEED:
        return put_seed(value, key->seed);
    case N_FIELDS:
        break;
    }
    return false;
}

static gn_status check_sizes(const struct gn_ga_key *k, struct gn_error *err)
{
    const struct gn_ga_shape *s = &k->shape;
    if (s->s_bits < 2 || s->c_bits < 1)
        return gn_fail(err, GN_E_DATA, "s_bits or c_bits is too small");
    if (s->r_bits < s->s_bits + s->c_bits + GN_GA_MARGIN_BITS)
        return gn_fail(err, GN_E_DATA, "r_bits is below s_bits + c_bits + %u: answers would give the secret away",
                GN_GA_MARGIN_BITS);
    if (k->x_bits < GN_GA_X_BITS_MIN || k->x_bits % 8 != 0)
        return gn_fail(err, GN_E_DATA, "x_bits is not 48 to 256 in steps of 8");
    if (k->has_secret && (gn_ga_wide_bits(&k->s) != s->s_bits))
        return gn_fail(err, GN_E_DATA, "the secret has not s_bits bits");
    return GN_OK;
}

static gn_status parse_line(char *line, int32_t i_line, struct gn_ga_key *key, uint32_t *seen, struct gn_error *err)
{
    char *value = strchr(line, ' ');
    if (value == NULL)
        return gn_fail_at(err, GN_E_DATA, i_line, 1, "expected: name value");
    *value++ = '\0';
    for (uint32_t f = 0; f < N_FIELDS; f++) {
        if (strcmp(line, names[f]) != 0)
            continue;
        if ((*seen >> f & 1u) != 0)
            return gn_fail_at(err, GN_E_DATA, i_line, 1, "%s stands here twice", names[f]);
        *seen |= 1u << f;
        if (put_field(key, (enum field)f, value))
            return GN_OK;
        return gn_fail_at(err, GN_E_DATA, i_line, 1, "%s has a value that is none", names[f]);
    }
    return gn_fail_at(err, GN_E_DATA, i_line, 1, "unknown name '%.40s'", line);
}

static gn_status check_seen(struct gn_ga_key *key, uint32_t seen, struct gn_error *err)
{
    uint32_t need = 1u << KIND | 1u << PUBLIC | 1u << S_BITS | 1u << C_BITS | 1u << R_BITS | 1u << X_BITS;
    if (key->kind == GN_GA_MODULUS)
        need |= 1u << N | 1u << G;
    const uint32_t secret = seen & (1u << SECRET | 1u << SEED);
    if (secret != 0)
        need |= 1u << SECRET | 1u << SEED;
    for (uint32_t f = 0; f < N_FIELDS; f++) {
        if ((need & ~seen) >> f & 1u)
            return gn_fail(err, GN_E_DATA, "the line '%s' is missing", names[f]);
    }
    key->has_secret = secret != 0;
    return check_sizes(key, err);
}

static gn_status parse(char *text, struct gn_ga_key *key, struct gn_error *err)
{
    uint32_t seen = 0;
    char *rest = NULL;
    int32_t i_line = 1;
    const char *head = strtok_r(text, "\n", &rest);

    if (head == NULL || strcmp(head, first_line) != 0)
        return gn_fail_at(err, GN_E_DATA, 1, 1, "not a gpsauth key: the first line is not '%s'", first_line);
    for (char *line = strtok_r(NULL, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        const gn_status st = parse_line(line, ++i_line, key, &seen, err);
        if (st != GN_OK)
            return st;
    }
    return check_seen(key, seen, err);
}

gn_status gn_ga_key_parse(const char *text, size_t n, struct gn_ga_key *ret, struct gn_error *err)
{
    if (n >= GN_GA_KEY_TEXT_MAX || memchr(text, '\0', n) != NULL)
        return gn_fail(err, GN_E_DATA, "not a gpsauth key: too long or not text");
    char *copy = malloc(n + 1);
    if (copy == NULL)
        return gn_fail(err, GN_E_NOMEM, "no memory");
    memcpy(copy, text, n);
    copy[n] = '\0';
    memset(ret, 0, sizeof *ret);
    const gn_status st = parse(copy, ret, err);
    OPENSSL_cleanse(copy, n + 1);
    free(copy);
    if (st != GN_OK)
        gn_ga_key_wipe(ret);
    return st;
}

static size_t print_hex(char *text, const char *name, const struct gn_ga_wide *v, size_t n_bytes)
{
    uint8_t bytes[GN_GA_BYTES];
    size_t n = (size_t)sprintf(text, "%s ", name);

    gn_ga_wide_to_bytes(v, bytes, n_bytes);
    for (size_t i = 0; i < n_bytes; i++)
        n += (size_t)sprintf(text + n, "%02x", bytes[i]);
    text[n++] = '\n';
    text[n] = '\0';
    OPENSSL_cleanse(bytes, sizeof bytes);
    return n;
}

size_t gn_ga_key_print(const struct gn_ga_key *k, bool with_secret, char *text)
{
    size_t n = (size_t)sprintf(text, "%s\nkind %s\n", first_line, k->kind == GN_GA_P256 ? "p256" : "modulus");

    if (k->kind == GN_GA_MODULUS)
        n += (size_t)sprintf(text + n, "n %s\ng %s\n", k->n, k->g);
    n += (size_t)sprintf(text + n, "public %s\ns_bits %u\nc_bits %u\nr_bits %u\nx_bits %u\n", k->public_key, k->shape.s_bits,
            k->shape.c_bits, k->shape.r_bits, k->x_bits);
    if (with_secret && k->has_secret) {
        struct gn_ga_wide seed;
        n += print_hex(text + n, "s", &k->s, (k->shape.s_bits + 7) / 8);
        if (gn_ga_wide_from_bytes(k->seed, sizeof k->seed, &seed) == GN_OK)
            n += print_hex(text + n, "seed", &seed, sizeof k->seed);
        gn_ga_wide_wipe(&seed);
    }
    return n;
}

gn_status gn_ga_key_id(const struct gn_ga_key *key, uint8_t id[GN_GA_KEY_ID_BYTES])
{
    uint8_t hash[32];
    char *text = malloc(GN_GA_KEY_TEXT_MAX);
    if (text == NULL)
        return GN_E_NOMEM;
    const size_t n = gn_ga_key_print(key, false, text);
    const bool good = EVP_Digest(text, n, hash, NULL, EVP_sha256(), NULL) == 1;
    free(text);
    if (!good)
        return GN_E_NOMEM;
    memcpy(id, hash, GN_GA_KEY_ID_BYTES);
    return GN_OK;
}

void gn_ga_key_wipe(struct gn_ga_key *key)
{
    OPENSSL_cleanse(key, sizeof *key);
}

/* ---- the group --------------------------------------------------------------------------------------------------------- */
static gn_status check_secret(const struct gn_ga_key *key, struct gn_ga_group *g, struct gn_error *err)
{
    uint8_t a[GN_GA_ELEMENT_BYTES], b[GN_GA_ELEMENT_BYTES];
    if (gn_ga_group_public(g, &key->s, key->shape.s_bits, a) != GN_OK || gn_ga_group_key(g, b) != GN_OK)
        return gn_fail(err, GN_E_NOMEM, "the public key cannot be made");
    if (memcmp(a, b, gn_ga_group_element_bytes(g)) != 0)
        return gn_fail(err, GN_E_DATA, "the secret does not belong to the public key");
    return GN_OK;
}

gn_status gn_ga_key_open(
        const struct gn_ga_key *key, uint32_t n_bits_min, struct gn_ga_group **ret, struct gn_error *err)
{
    const struct gn_ga_public open = {.kind = key->kind,
            .n = key->n,
            .g = key->g,
            .public_key = key->public_key,
            .n_bits_min = n_bits_min};
    gn_status st = gn_ga_group_open(&open, ret, err);

    if (st == GN_OK && key->has_secret)
        st = check_secret(key, *ret, err);
    if (st != GN_OK) {
        gn_ga_group_close(*ret);
        *ret = NULL;
    }
    return st;
}
