/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/osnma/keys.h"

#include "lib/base/error.h"
#include "lib/bits/hex.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* member `name` of obj as exactly min..max bytes of hex; *n stays 0 when it is absent */
static gn_status take_hex(const json_t *obj, const char *name, size_t min, size_t max, uint8_t *out,
        size_t *n, struct gn_error *err)
{
    const json_t *v = json_object_get(obj, name);
    *n = 0;
    if (v == NULL || json_is_null(v))
        return GN_OK;
    size_t n_chars = json_string_length(v);
    if (!json_is_string(v) || n_chars % 2 != 0 || n_chars / 2 < min || n_chars / 2 > max ||
            !gn_hex_parse(json_string_value(v), n_chars, out, max))
        return gn_fail(err, GN_E_PARSE, "keys: '%s' must be %zu to %zu hexadecimal digits", name,
                2 * min, 2 * max);
    *n = n_chars / 2;
    return GN_OK;
}

static unsigned curve_by_name(const char *name)
{
    for (unsigned i = 1; name != NULL && i < GN_OSNMA_CURVE_COUNT; i++)
        if (strcmp(gn_osnma_curves[i].name, name) == 0)
            return i;
    return GN_OSNMA_CURVE_NONE;
}

static gn_status take_pubkey(const json_t *obj, struct gn_osnma_pubkey *ret, struct gn_error *err)
{
    const json_t *pkid = json_object_get(obj, "pkid");
    json_int_t id = json_integer_value(pkid);
    unsigned curve = curve_by_name(json_string_value(json_object_get(obj, "curve")));
    if (!json_is_integer(pkid) || id < 1 || id > 15)
        return gn_fail(err, GN_E_PARSE, "keys: each of 'pubkeys' needs a 'pkid' from 1 to 15");
    if (curve == GN_OSNMA_CURVE_NONE)
        return gn_fail(err, GN_E_PARSE, "keys: 'curve' of PKID %d must be P-256 or P-521 (drafts: P-224, P-384)", (int)id);
    size_t n = 0, want = gn_osnma_curves[curve].point_bytes;
    gn_status st = take_hex(obj, "point", want, want, ret->point, &n, err);
    if (st != GN_OK)
        return st;
    if (!gn_osnma_point_ok(curve, ret->point, n))
        return gn_fail(err, GN_E_DATA, "keys: 'point' of PKID %d is not on curve %s", (int)id,
                gn_osnma_curves[curve].name);
    ret->pkid = (uint8_t)id;
    ret->curve = (uint8_t)curve;
    ret->is_new_root = json_is_true(json_object_get(obj, "new_merkle_tree"));
    ret->is_used = 1;
    return GN_OK;
}

static gn_status take_pubkeys(const json_t *obj, struct gn_osnma_anchor *a, struct gn_error *err)
{
    const json_t *list = json_object_get(obj, "pubkeys");
    if (list != NULL && !json_is_array(list))
        return gn_fail(err, GN_E_PARSE, "keys: 'pubkeys' must be a list");
    if (json_array_size(list) > GN_OSNMA_PUBKEYS_MAX)
        return gn_fail(err, GN_E_PARSE, "keys: more than %d public keys", GN_OSNMA_PUBKEYS_MAX);
    for (size_t i = 0; i < json_array_size(list); i++) {
        gn_status st = take_pubkey(json_array_get(list, i), &a->pubkeys[i], err);
        if (st != GN_OK)
            return st;
    }
    return GN_OK;
}

static gn_status take_kroot(const json_t *obj, struct gn_osnma_anchor *a, struct gn_error *err)
{
    const json_t *k = json_object_get(obj, "stored_kroot");
    size_t n = 0, n_header = 0;
    if (k == NULL || json_is_null(k))
        return GN_OK;
    gn_status st = take_hex(k, "dsm_kroot", 7 * GN_OSNMA_BLOCK_BYTES, GN_OSNMA_DSM_BYTES, a->kroot, &n, err);
    if (st == GN_OK)
        st = take_hex(k, "nma_header", 1, 1, &a->nma_header, &n_header, err);
    if (st != GN_OK)
        return st;
    if (n == 0 || n_header == 0)
        return gn_fail(err, GN_E_PARSE, "keys: 'stored_kroot' needs 'dsm_kroot' and 'nma_header'");
    a->has_kroot = 1;
    a->kroot_bytes = (uint32_t)n;
    return GN_OK;
}

static gn_status take_set(const json_t *set, bool allow_test, struct gn_osnma_anchor *ret, struct gn_error *err)
{
    struct gn_osnma_anchor a = {0};
    size_t n = 0;
    const json_t *test = json_object_get(set, "test");
    a.is_test = test != NULL && !json_is_false(test);
    if (a.is_test && !allow_test)
        return gn_fail(err, GN_E_DATA, "keys: these are TEST keys; set allow_test_keys to use them");
    gn_status st = take_hex(set, "merkle_root", sizeof a.root, sizeof a.root, a.root, &n, err);
    a.has_root = n != 0;
    if (st == GN_OK)
        st = take_hex(set, "new_merkle_root", sizeof a.root, sizeof a.root, a.new_root, &n, err);
    a.has_new_root = n != 0;
    if (st == GN_OK)
        st = take_pubkeys(set, &a, err);
    if (st == GN_OK)
        st = take_kroot(set, &a, err);
    if (st != GN_OK)
        return st;
    if (!a.has_root && !a.has_new_root && !a.pubkeys[0].is_used)
        return gn_fail(err, GN_E_DATA, "keys: neither 'merkle_root' nor 'pubkeys' is there: nothing to trust");
    *ret = a;
    return GN_OK;
}

static bool is_set(const json_t *obj)
{
    return json_object_get(obj, "merkle_root") != NULL || json_object_get(obj, "pubkeys") != NULL ||
           json_object_get(obj, "new_merkle_root") != NULL;
}

/* the object to read: the file itself, its member `name`, or its only member */
static const json_t *pick(const json_t *top, const char *name, struct gn_error *err)
{
    if (name != NULL && name[0] != '\0') {
        const json_t *set = json_object_get(top, name);
        if (!json_is_object(set))
            (void)gn_fail(err, GN_E_DATA, "keys: no set named '%.60s' in the file", name);
        return json_is_object(set) ? set : NULL;
    }
    if (is_set(top))
        return top;
    const json_t *only = json_object_iter_value(json_object_iter((json_t *)(uintptr_t)top));
    if (json_object_size(top) == 1 && is_set(only))
        return only;
    (void)gn_fail(err, GN_E_DATA, "keys: the file holds %zu sets: say which, as FILE#NAME",
            json_object_size(top));
    return NULL;
}

gn_status gn_osnma_keys_parse(const char *text, size_t n_bytes, const char *name, bool allow_test,
        struct gn_osnma_anchor *ret, struct gn_error *err)
{
    json_error_t je;
    json_t *top = json_loadb(text, n_bytes, JSON_REJECT_DUPLICATES, &je);
    if (top == NULL)
        return gn_fail_at(err, GN_E_PARSE, je.line, je.column, "keys: %.120s", je.text);
    struct gn_error why = {.status = GN_E_PARSE, .text = "keys: the file is not a JSON object"};
    const json_t *set = json_is_object(top) ? pick(top, name, &why) : NULL;
    gn_status st = why.status;
    if (set != NULL)
        st = take_set(set, allow_test, ret, err);
    else if (err != NULL)
        *err = why;
    json_decref(top);
    return st;
}

static gn_status read_file(const char *path, char *buf, size_t room, size_t *n, struct gn_error *err)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return gn_fail(err, GN_E_IO, "keys: cannot open '%s'", path);
    *n = fread(buf, 1, room, f);
    bool bad = ferror(f) != 0;
    (void)fclose(f);
    if (bad || *n == room)
        return gn_fail(err, GN_E_IO, "keys: '%s' %s", path, bad ? "cannot be read" : "is too large");
    return GN_OK;
}

gn_status gn_osnma_keys_load(const char *path, bool allow_test, struct gn_osnma_anchor *ret, struct gn_error *err)
{
    char file[4096];
    const char *hash = strrchr(path, '#');
    size_t n_path = hash != NULL ? (size_t)(hash - path) : strlen(path), n = 0;
    if (n_path == 0 || n_path >= sizeof file)
        return gn_fail(err, GN_E_ARG, "keys: bad file name");
    memcpy(file, path, n_path);
    file[n_path] = '\0';
    char *buf = malloc(GN_OSNMA_KEYS_FILE_MAX);
    if (buf == NULL)
        return gn_fail(err, GN_E_NOMEM, "keys: out of memory");
    gn_status st = read_file(file, buf, GN_OSNMA_KEYS_FILE_MAX, &n, err);
    if (st == GN_OK)
        st = gn_osnma_keys_parse(buf, n, hash != NULL ? hash + 1 : NULL, allow_test, ret, err);
    free(buf);
    return st;
}
