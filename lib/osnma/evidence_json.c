/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Bundles as JSON; the form is told in docs/osnma.md. */
#include "lib/base/error.h"
#include "lib/bits/hex.h"
#include "lib/osnma/evidence_pages.h"
#include "lib/osnma/pagefile.h"

#include <stdlib.h>
#include <string.h>

#define VERSION 1
#define WN_MAX  32767

static bool take_int(const json_t *o, const char *name, int64_t min, int64_t max, int64_t *ret)
{
    const json_t *v = json_object_get(o, name);
    *ret = json_integer_value(v);
    return json_is_integer(v) && *ret >= min && *ret <= max;
}

/* {"wn", "tow"} of a sub-frame's start */
static bool take_sf(const json_t *o, int64_t *sf)
{
    int64_t wn = 0, tow_s = 0;
    if (!take_int(o, "wn", 0, WN_MAX, &wn) || !take_int(o, "tow", 0, 604799, &tow_s) || tow_s % GN_OSNMA_SUBFRAME_S != 0)
        return false;
    *sf = gn_osnma_sf(wn, tow_s);
    return true;
}

static json_t *put_sf(int64_t sf)
{
    int64_t t_s = sf * GN_OSNMA_SUBFRAME_S;
    return json_pack("{s:I, s:I}", "wn", (json_int_t)(t_s / 604800), "tow", (json_int_t)(t_s % 604800));
}

static gn_status take_tag(const json_t *o, struct gn_evidence_tag *ret, struct gn_error *err)
{
    int64_t prn = 0, ctr = 0;
    const json_t *key = json_object_get(o, "key"), *content = json_object_get(o, "content");
    if (!take_sf(o, &ret->sf) || !take_int(o, "prn_a", 1, GN_OSNMA_PRNS, &prn) ||
            !take_int(o, "ctr", 1, GN_OSNMA_TAGS_MAX, &ctr))
        return gn_fail(err, GN_E_PARSE, "evidence: each of 'tags' needs wn, tow, prn_a and ctr");
    ret->prn_a = (uint8_t)prn;
    ret->ctr = (uint8_t)ctr;
    ret->key_sf = -1;
    if (key != NULL && !take_sf(key, &ret->key_sf))
        return gn_fail(err, GN_E_PARSE, "evidence: 'key' of a tag needs wn and tow of a sub-frame");
    ret->has_content = content != NULL;
    ret->is_guess = json_is_true(json_object_get(o, "guess"));
    size_t n = json_string_length(content);
    if (content != NULL && (n != 2 * sizeof ret->content ||
                                   !gn_hex_parse(json_string_value(content), n, ret->content, sizeof ret->content)))
        return gn_fail(err, GN_E_PARSE, "evidence: 'content' of a tag must be %zu hexadecimal digits", 2 * sizeof ret->content);
    return GN_OK;
}

static gn_status take_dsm(const json_t *o, const char *name, int64_t id_min, int64_t id_max, struct gn_evidence_dsm *ret,
        struct gn_error *err)
{
    const json_t *d = json_object_get(o, name);
    int64_t id = 0;
    if (d == NULL)
        return GN_OK;
    if (!take_int(d, "dsm_id", id_min, id_max, &id) || !take_sf(json_object_get(d, "from"), &ret->from_sf) ||
            !take_sf(json_object_get(d, "to"), &ret->to_sf))
        return gn_fail(err, GN_E_PARSE, "evidence: '%s' needs dsm_id (%d to %d), from and to", name, (int)id_min, (int)id_max);
    ret->id = (uint8_t)id;
    ret->is_there = 1;
    return GN_OK;
}

static gn_status take_pages(const json_t *list, struct gn_evidence *e, struct gn_error *err)
{
    if (!json_is_array(list) || json_array_size(list) > GN_EVIDENCE_PAGES_MAX)
        return gn_fail(err, GN_E_DATA, "evidence: 'pages' must be a list of at most %d rows", GN_EVIDENCE_PAGES_MAX);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i);
        struct gn_osnma_page *p = &e->pages[i];
        if (!json_is_string(row) || !gn_osnma_row_parse(json_string_value(row), json_string_length(row), p) || p->wn > WN_MAX)
            return gn_fail(err, GN_E_DATA, "evidence: page %zu is no row `wn,tow,prn,sig,page`", i + 1);
    }
    e->n_pages = (uint32_t)json_array_size(list);
    struct gn_osnma_page *scratch = calloc(GN_EVIDENCE_PAGES_MAX, sizeof *scratch);
    if (scratch == NULL)
        return gn_fail(err, GN_E_NOMEM, "evidence: out of memory");
    ev_sort(e->pages, e->n_pages, scratch);
    free(scratch);
    return GN_OK;
}

static gn_status take_all(const json_t *top, struct gn_evidence *e, struct gn_error *err)
{
    int64_t version = 0;
    const json_t *tags = json_object_get(top, "tags"), *claimed = json_object_get(top, "claimed");
    gn_status st = GN_OK;
    if (!take_int(top, "gnomon_osnma_evidence", VERSION, VERSION, &version))
        return gn_fail(err, GN_E_PARSE, "evidence: this is no evidence bundle of version %d", VERSION);
    if (!json_is_array(tags) || json_array_size(tags) > GN_EVIDENCE_TAGS_MAX)
        return gn_fail(err, GN_E_DATA, "evidence: 'tags' must be a list of at most %d", GN_EVIDENCE_TAGS_MAX);
    for (size_t i = 0; st == GN_OK && i < json_array_size(tags); i++)
        st = take_tag(json_array_get(tags, i), &e->tags[i], err);
    e->n_tags = (uint32_t)json_array_size(tags);
    if (st == GN_OK)
        st = take_dsm(top, "kroot", 0, 11, &e->kroot, err);
    if (st == GN_OK)
        st = take_dsm(top, "pkr", 12, 15, &e->pkr, err);
    if (st == GN_OK)
        st = take_pages(json_object_get(top, "pages"), e, err);
    if (st != GN_OK || claimed == NULL)
        return st;
    char *text = json_dumps(claimed, 0);
    if (text == NULL)
        return gn_fail(err, GN_E_NOMEM, "evidence: out of memory");
    st = gn_osnma_keys_parse(text, strlen(text), NULL, true, &e->claimed, err);
    free(text);
    return st;
}

gn_status gn_evidence_parse(const char *text, size_t n_bytes, struct gn_evidence **ret, struct gn_error *err)
{
    json_error_t je;
    if (n_bytes > GN_EVIDENCE_FILE_MAX)
        return gn_fail(err, GN_E_DATA, "evidence: the file is too large");
    struct gn_evidence *e = calloc(1, sizeof *e);
    if (e == NULL)
        return gn_fail(err, GN_E_NOMEM, "evidence: out of memory");
    json_t *top = json_loadb(text, n_bytes, JSON_REJECT_DUPLICATES, &je);
    gn_status st = top == NULL ? gn_fail_at(err, GN_E_PARSE, je.line, je.column, "evidence: %.120s", je.text)
                               : take_all(top, e, err);
    json_decref(top);
    if (st == GN_OK)
        *ret = e;
    else
        free(e);
    return st;
}

/* ---- out ------------------------------------------------------------------------------------------------------------------- */
static void set_hex(json_t *o, const char *name, const uint8_t *bytes, size_t n)
{
    char hex[2 * GN_OSNMA_DSM_BYTES + 1];
    gn_hex_print(bytes, n, hex);
    (void)json_object_set_new(o, name, json_string(hex));
}

static json_t *put_anchor(const struct gn_osnma_anchor *a)
{
    json_t *o = json_object(), *keys = json_array();
    if (a->has_root)
        set_hex(o, "merkle_root", a->root, sizeof a->root);
    if (a->has_new_root)
        set_hex(o, "new_merkle_root", a->new_root, sizeof a->new_root);
    for (unsigned i = 0; i < GN_OSNMA_PUBKEYS_MAX; i++) {
        const struct gn_osnma_pubkey *k = &a->pubkeys[i];
        if (!k->is_used)
            continue;
        json_t *key = json_pack("{s:i, s:s}", "pkid", (int)k->pkid, "curve", gn_osnma_curves[k->curve].name);
        set_hex(key, "point", k->point, gn_osnma_curves[k->curve].point_bytes);
        if (k->is_new_root)
            (void)json_object_set_new(key, "new_merkle_tree", json_true());
        (void)json_array_append_new(keys, key);
    }
    (void)json_object_set_new(o, "pubkeys", keys);
    if (a->has_kroot) {
        json_t *k = json_object();
        set_hex(k, "dsm_kroot", a->kroot, a->kroot_bytes);
        set_hex(k, "nma_header", &a->nma_header, 1);
        (void)json_object_set_new(o, "stored_kroot", k);
    }
    if (a->is_test)
        (void)json_object_set_new(o, "test", json_true());
    return o;
}

static json_t *put_tag(const struct gn_evidence_tag *t)
{
    json_t *o = put_sf(t->sf);
    (void)json_object_set_new(o, "prn_a", json_integer(t->prn_a));
    (void)json_object_set_new(o, "ctr", json_integer(t->ctr));
    if (t->key_sf >= 0)
        (void)json_object_set_new(o, "key", put_sf(t->key_sf));
    if (t->has_content)
        set_hex(o, "content", t->content, sizeof t->content);
    if (t->is_guess)
        (void)json_object_set_new(o, "guess", json_true());
    return o;
}

static void put_dsm(json_t *top, const char *name, const struct gn_evidence_dsm *d)
{
    if (d->is_there)
        (void)json_object_set_new(top, name, json_pack("{s:i, s:o, s:o}", "dsm_id", (int)d->id, "from", put_sf(d->from_sf),
                                                     "to", put_sf(d->to_sf)));
}

json_t *gn_evidence_json(const struct gn_evidence *e)
{
    json_t *top = json_object(), *tags = json_array(), *pages = json_array();
    for (uint32_t i = 0; i < e->n_tags; i++)
        (void)json_array_append_new(tags, put_tag(&e->tags[i]));
    for (uint32_t i = 0; i < e->n_pages; i++) {
        const struct gn_osnma_page *p = &e->pages[i];
        char row[128], hex[2 * GN_OSNMA_PAGE_BYTES + 1];
        gn_hex_print(p->bits, sizeof p->bits, hex);
        (void)snprintf(row, sizeof row, "%d,%u,%u,%d,%s", p->wn, p->tow_s, p->prn, p->is_e5b ? 5 : 1, hex);
        (void)json_array_append_new(pages, json_string(row));
    }
    (void)json_object_set_new(top, "gnomon_osnma_evidence", json_integer(VERSION));
    (void)json_object_set_new(top, "tags", tags);
    put_dsm(top, "kroot", &e->kroot);
    put_dsm(top, "pkr", &e->pkr);
    (void)json_object_set_new(top, "claimed", put_anchor(&e->claimed));
    (void)json_object_set_new(top, "pages", pages);
    return top;
}
