/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/gpsauth/vectors.h"

#include "lib/base/error.h"
#include "lib/gpsauth/vectors_internal.h"

#include <string.h>

static const struct {
    const char *name;
    ga_check *check;
} lists[] = {
        {"keys", ga_check_key}, {"sessions", ga_check_session}, {"reuse", ga_check_reuse}, {"reject", ga_check_reject},
        {"mac", ga_check_mac}, {"lhw", ga_check_lhw}, {"coupons", ga_check_coupons}, {"ec", ga_check_ec},
        {"prover_refuse", ga_check_refusal}, {"bad_keys", ga_check_bad_key},
};
_Static_assert(GN_COUNT(lists) == GN_GA_VECTOR_LISTS, "one score a list");

/* ---- members ------------------------------------------------------------------------------------------------------------ */
bool ga_text(const json_t *o, const char *name, const char **ret)
{
    *ret = json_string_value(json_object_get(o, name));
    return *ret != NULL;
}

bool ga_count(const json_t *o, const char *name, uint32_t max, uint32_t *ret)
{
    const json_t *v = json_object_get(o, name);
    const json_int_t n = json_integer_value(v);

    *ret = (uint32_t)n;
    return json_is_integer(v) && n >= 0 && n <= (json_int_t)max;
}

bool ga_wide(const json_t *o, const char *name, struct gn_ga_wide *ret)
{
    const char *text;
    return ga_text(o, name, &text) && gn_ga_wide_from_hex(text, ret) == GN_OK;
}

bool ga_bytes(const json_t *o, const char *name, uint8_t *bytes, size_t room, size_t *n_ret)
{
    const char *text = json_string_value(json_object_get(o, name));
    const size_t n = text == NULL ? 0 : strlen(text);

    *n_ret = n / 2;
    if (n % 2 != 0 || n / 2 > room || (n > 0 && strspn(text, "0123456789abcdefABCDEF") != n))
        return false;
    for (size_t i = 0; i < n / 2; i++) {
        const char two[3] = {text[2 * i], text[2 * i + 1], '\0'};
        bytes[i] = (uint8_t)strtoul(two, NULL, 16);
    }
    return true;
}

bool ga_equal(const struct gn_ga_wide *a, const struct gn_ga_wide *b)
{
    return gn_ga_wide_compare(a, b) == 0;
}

bool ga_is_element(const json_t *o, const char *name, const uint8_t *element, size_t n)
{
    const char *text;
    char digits[2 * GN_GA_ELEMENT_BYTES + 1];

    if (!ga_text(o, name, &text))
        return false;
    for (size_t i = 0; i < n; i++)
        (void)snprintf(digits + 2 * i, 3, "%02x", element[i]);
    const char *ours = digits + strspn(digits, "0");
    return strcasecmp(ours, text + strspn(text, "0")) == 0;
}

/* ---- keys ---------------------------------------------------------------------------------------------------------------- */
const json_t *ga_find(const json_t *root, const char *list, const char *id)
{
    size_t i;
    json_t *item;
    const char *name;

    json_array_foreach(json_object_get(root, list), i, item)
        if (ga_text(item, "id", &name) && strcmp(name, id) == 0)
            return item;
    return NULL;
}

const json_t *ga_key_of(const json_t *root, const json_t *item)
{
    const char *id;
    return ga_text(item, "key", &id) ? ga_find(root, "keys", id) : NULL;
}

bool ga_shape_of(const json_t *key, struct gn_ga_shape *ret)
{
    return ga_count(key, "s_bits", GN_GA_S_BITS_MAX, &ret->s_bits) && ga_count(key, "c_bits", 64, &ret->c_bits)
            && ga_count(key, "r_bits", GN_GA_R_BITS_MAX, &ret->r_bits);
}

struct gn_ga_group *ga_group_of(const json_t *root, const json_t *key, const char *public_key, struct gn_error *err)
{
    struct gn_ga_public pub = {.kind = GN_GA_MODULUS, .n_bits_min = 1024};
    struct gn_ga_group *group = NULL;
    const char *id;
    const json_t *params = ga_text(key, "params", &id) ? ga_find(root, "params", id) : NULL;

    if (params == NULL || !ga_text(params, "n", &pub.n) || !ga_text(params, "g", &pub.g)
            || !ga_text(key, "I", &pub.public_key)) {
        (void)gn_fail(err, GN_E_DATA, "the key or its params are missing");
        return NULL;
    }
    if (public_key != NULL)
        pub.public_key = public_key;
    return gn_ga_group_open(&pub, &group, err) == GN_OK ? group : NULL;
}

bool ga_claim_of(const json_t *item, const struct gn_ga_shape *shape, uint8_t *x, uint8_t *bind, size_t room,
        struct gn_ga_claim *ret)
{
    size_t n_x;

    ret->shape = *shape;
    ret->x = x;
    ret->bind = bind;
    return ga_count(item, "x_bits", GN_GA_X_BITS_MAX, &ret->x_bits) && ga_bytes(item, "x", x, GN_GA_X_BYTES, &n_x)
            && n_x * 8 == ret->x_bits && ga_bytes(item, "bind", bind, room, &ret->n_bind);
}

/* ---- the lists ----------------------------------------------------------------------------------------------------------- */
static void check_list(const json_t *root, size_t k, gn_ga_mismatch_fn mismatch, void *user, struct gn_ga_score *score)
{
    size_t i;
    json_t *item;

    *score = (struct gn_ga_score){.list = lists[k].name};
    json_array_foreach(json_object_get(root, lists[k].name), i, item) {
        const char *what = json_is_object(item) ? lists[k].check(root, item) : "not an object";
        score->n_total++;
        if (what == NULL)
            score->n_passed++;
        else
            mismatch(user, lists[k].name, i, what);
    }
}

gn_status gn_ga_vectors_check(const char *text, size_t n_bytes, gn_ga_mismatch_fn mismatch, void *user,
        struct gn_ga_score *scores, struct gn_error *err)
{
    json_error_t at;
    json_t *root = json_loadb(text, n_bytes, JSON_REJECT_DUPLICATES, &at);
    uint32_t n_total = 0;

    if (root == NULL)
        return gn_fail_at(err, GN_E_PARSE, at.line, at.column, "%s", at.text);
    for (size_t k = 0; k < GN_COUNT(lists); k++) {
        check_list(root, k, mismatch, user, &scores[k]);
        n_total += scores[k].n_total;
    }
    json_decref(root);
    return n_total > 0 ? GN_OK : gn_fail(err, GN_E_PARSE, "no list of vectors in it (keys, sessions, mac, ...)");
}
