/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* From the root key up: signature, public key, Merkle tree. Source: OSNMA SIS ICD 1.1 sections 3.2.3, 6.2, 6.3. */
#include "lib/bits/hex.h"
#include "lib/osnma/evidence_nodes.h"

#include <stdio.h>
#include <string.h>

const char *const ev_verdict_names[3] = {[GN_UNDECIDED] = "undecided", [GN_AUTHENTIC] = "authentic",
        [GN_FORGED] = "forged"};

void ev_worsen(gn_verdict *worst, char *reason, gn_verdict v, const char *why)
{
    bool is_worse = (v == GN_FORGED && *worst != GN_FORGED) || (v == GN_UNDECIDED && *worst == GN_AUTHENTIC);
    if (!is_worse)
        return;
    *worst = v;
    (void)snprintf(reason, GN_OSNMA_REASON, "%s", why);
}

json_t *ev_node(const char *name, gn_verdict v, const char *reason)
{
    return json_pack("{s:s, s:s, s:s}", "node", name, "verdict", ev_verdict_names[v], "reason", reason);
}

void ev_put_hex(json_t *node, const char *name, const uint8_t *bytes, size_t n)
{
    char hex[2 * 256 + 1];
    gn_hex_print(bytes, n < 256 ? n : 256, hex);
    (void)json_object_set_new(node, name, json_string(hex));
}

void ev_put_int(json_t *node, const char *name, int64_t v)
{
    (void)json_object_set_new(node, name, json_integer(v));
}

void ev_put_gst(json_t *node, const char *name, int64_t sf)
{
    char text[40];
    int64_t t_s = sf * GN_OSNMA_SUBFRAME_S;
    (void)snprintf(text, sizeof text, "%lld:%lld", (long long)(t_s / 604800), (long long)(t_s % 604800));
    (void)json_object_set_new(node, name, json_string(text));
}

/* ---- the signed root key ------------------------------------------------------------------------------------------------ */
struct vouched {
    const struct gn_osnma_pubkey *key;
    gn_verdict verdict; /* who vouches for it */
    const char *by;
};

static const struct gn_osnma_pubkey *find_key(const struct gn_osnma_anchor *a, unsigned pkid)
{
    for (unsigned i = 0; a != NULL && i < GN_OSNMA_PUBKEYS_MAX; i++)
        if (a->pubkeys[i].is_used && a->pubkeys[i].pkid == pkid &&
                gn_osnma_curve_ok(GN_OSNMA_STANDARD, a->pubkeys[i].curve))
            return &a->pubkeys[i];
    return NULL;
}

static gn_verdict check_signature(const struct ev_dsm *d, const struct gn_osnma_kroot_fields *k,
        const struct gn_osnma_pubkey *key)
{
    size_t n_sig = gn_osnma_curves[key->curve].sig_bytes;
    const uint8_t *sig = gn_osnma_kroot_signature(k, d->bytes, d->n_bytes, n_sig);
    if (sig == NULL)
        return GN_FORGED;
    return gn_osnma_signature_verify(key->curve, key->point, gn_osnma_curves[key->curve].point_bytes, k->msg, k->msg_bytes,
            sig, n_sig);
}

static bool is_root(const struct gn_osnma_anchor *a, const uint8_t *root)
{
    return a != NULL && ((a->has_root && memcmp(a->root, root, GN_OSNMA_HASH_BYTES) == 0) ||
                                (a->has_new_root && memcmp(a->new_root, root, GN_OSNMA_HASH_BYTES) == 0));
}

static void add_chain(struct ev_check *c, json_t *node, gn_verdict v, const char *reason)
{
    (void)json_array_append_new(c->chain_nodes, node);
    ev_worsen(&c->chain_verdict, c->chain_reason, v, reason);
}

/* the public key off the air and its way up the Merkle tree; false: none in the pages */
static bool key_by_tree(struct ev_check *c, unsigned pkid, struct gn_osnma_pubkey *ret, gn_verdict *verdict, json_t **node)
{
    struct ev_dsm d;
    struct gn_osnma_pkr_fields p;
    uint8_t root[GN_OSNMA_HASH_BYTES];
    if (!c->e->pkr.is_there || !ev_dsm(&c->pages, &c->e->pkr, &d) || !gn_osnma_pkr_parse(d.bytes, d.n_bytes, &p) ||
            p.curve == GN_OSNMA_CURVE_NONE || p.npkid != pkid)
        return false;
    gn_osnma_merkle_root(c->crypto, p.leaf, p.leaf_bytes, p.mid, p.itn[0], root);
    bool is_mine = is_root(c->mine, root), is_claimed = is_root(&c->e->claimed, root);
    bool has_mine = c->mine != NULL && (c->mine->has_root || c->mine->has_new_root);
    *verdict = is_mine ? GN_AUTHENTIC : has_mine || !is_claimed ? GN_FORGED : GN_UNDECIDED;
    *node = ev_node("merkle", *verdict, is_mine ? "" : *verdict == GN_FORGED ? "other-root" : "root-not-vouched-for");
    ev_put_hex(*node, "leaf", p.leaf, p.leaf_bytes);
    ev_put_int(*node, "mid", p.mid);
    for (unsigned j = 0; j < 4; j++) {
        char name[8];
        (void)snprintf(name, sizeof name, "itn%u", j);
        ev_put_hex(*node, name, p.itn[j], GN_OSNMA_HASH_BYTES);
    }
    ev_put_hex(*node, "root", root, sizeof root);
    *ret = (struct gn_osnma_pubkey){.pkid = p.npkid, .curve = p.curve, .is_used = 1};
    memcpy(ret->point, p.leaf + 1, gn_osnma_curves[p.curve].point_bytes);
    return true;
}

static bool is_same_key(const struct gn_osnma_pubkey *a, const struct gn_osnma_pubkey *b)
{
    return a != NULL && b != NULL && a->pkid == b->pkid && a->curve == b->curve &&
           memcmp(a->point, b->point, sizeof a->point) == 0;
}

static void add_pubkey(struct ev_check *c, const struct gn_osnma_pubkey *key, gn_verdict v, const char *reason,
        const char *source)
{
    json_t *node = ev_node("public-key", v, reason);
    ev_put_int(node, "pkid", key->pkid);
    (void)json_object_set_new(node, "curve", json_string(gn_osnma_curves[key->curve].name));
    ev_put_hex(node, "point", key->point, gn_osnma_curves[key->curve].point_bytes);
    (void)json_object_set_new(node, "source", json_string(source));
    add_chain(c, node, v, reason);
}

/* Who vouches for the key of the signature? The checker's own keys, his Merkle root, else nobody here. */
static bool choose_key(struct ev_check *c, unsigned pkid, struct gn_osnma_pubkey *ret)
{
    struct gn_osnma_pubkey aired;
    gn_verdict tree = GN_UNDECIDED;
    json_t *node = NULL;
    const struct gn_osnma_pubkey *own = find_key(c->mine, pkid), *claimed = find_key(&c->e->claimed, pkid);
    bool has_tree = key_by_tree(c, pkid, &aired, &tree, &node);
    if (own == NULL && !has_tree && claimed == NULL)
        return false;
    *ret = own != NULL ? *own : has_tree ? aired : *claimed;
    if (own != NULL)
        add_pubkey(c, own, GN_AUTHENTIC, "", has_tree && is_same_key(own, &aired) ? "your keys, and DSM-PKR" : "your keys");
    else if (has_tree)
        add_pubkey(c, &aired, tree, tree == GN_AUTHENTIC ? "" : "merkle", "DSM-PKR");
    else
        add_pubkey(c, claimed, GN_UNDECIDED, "key-not-vouched-for", "the bundle says so");
    bool is_needed = own == NULL; /* else the tree is a second witness */
    if (has_tree && (is_needed || is_same_key(own, &aired)) && (tree == GN_AUTHENTIC || is_needed))
        add_chain(c, node, tree, tree == GN_AUTHENTIC ? "" : "merkle");
    else
        json_decref(node);
    return true;
}

static void add_kroot(struct ev_check *c, const struct ev_dsm *d, const char *source)
{
    const struct gn_osnma_kroot_fields *k = &c->kroot;
    json_t *node = ev_node("kroot", GN_AUTHENTIC, "");
    (void)json_object_set_new(node, "source", json_string(source));
    ev_put_hex(node, "dsm", d->bytes, d->n_bytes);
    ev_put_hex(node, "nma_header", &d->header, 1);
    ev_put_int(node, "cid", k->cid);
    ev_put_int(node, "pkid", k->pkid);
    ev_put_int(node, "hf", k->hf);
    ev_put_int(node, "mf", k->mf);
    ev_put_int(node, "key_bits", 8 * k->key_bytes);
    ev_put_int(node, "tag_bits", k->tag_bits);
    ev_put_int(node, "maclt", k->maclt);
    ev_put_hex(node, "alpha", k->alpha, sizeof k->alpha);
    ev_put_hex(node, "kroot", k->kroot, k->key_bytes);
    ev_put_gst(node, "of_subframe", c->root.sf);
    (void)json_array_append_new(c->chain_nodes, node);
}

static void no_chain(struct ev_check *c, const char *node, const char *reason)
{
    add_chain(c, ev_node(node, GN_UNDECIDED, reason), GN_UNDECIDED, reason);
}

void ev_load_chain(struct ev_check *c, int64_t near_sf)
{
    struct ev_dsm d = {0};
    struct gn_osnma_pubkey key;
    const struct gn_osnma_anchor *stored = c->e->claimed.has_kroot ? &c->e->claimed : NULL;
    bool is_aired = c->e->kroot.is_there && ev_dsm(&c->pages, &c->e->kroot, &d);
    if (!is_aired && stored != NULL) {
        d = (struct ev_dsm){.n_bytes = stored->kroot_bytes, .header = stored->nma_header};
        memcpy(d.bytes, stored->kroot, d.n_bytes);
    }
    if (!is_aired && stored == NULL) {
        no_chain(c, "kroot", "no-kroot");
        return;
    }
    if (!gn_osnma_kroot_parse(d.header, d.bytes, d.n_bytes, &c->kroot)) {
        no_chain(c, "kroot", "reserved-value");
        return;
    }
    const struct gn_osnma_kroot_fields *k = &c->kroot;
    c->chain = (struct gn_tesla_chain){.hf = k->hf, .mf = k->mf, .key_bytes = k->key_bytes, .tag_bits = k->tag_bits,
            .maclt = k->maclt, .cid = k->cid, .pkid = k->pkid};
    memcpy(c->chain.alpha, k->alpha, sizeof k->alpha);
    int64_t wn = gn_osnma_full_week(k->wn12, near_sf * GN_OSNMA_SUBFRAME_S / 604800);
    c->root = (struct gn_tesla_key){.sf = gn_osnma_sf(wn, k->towh * 3600L) - 1};
    memcpy(c->root.bytes, k->kroot, sizeof k->kroot);
    add_kroot(c, &d, is_aired ? "pages" : "stored");
    c->has_chain = true;
    json_t *sig = json_array();
    json_t *keep = c->chain_nodes;
    c->chain_nodes = sig; /* the key's nodes come after the signature's */
    bool has_key = choose_key(c, k->pkid, &key);
    c->chain_nodes = keep;
    gn_verdict v = has_key ? check_signature(&d, k, &key) : GN_UNDECIDED;
    const char *why = v == GN_AUTHENTIC ? "" : has_key ? "signature" : "no-public-key";
    json_t *node = ev_node("signature", v, why);
    ev_put_hex(node, "message", k->msg, k->msg_bytes);
    const uint8_t *bytes = has_key ? gn_osnma_kroot_signature(k, d.bytes, d.n_bytes, gn_osnma_curves[key.curve].sig_bytes)
                                   : NULL;
    if (bytes != NULL)
        ev_put_hex(node, "r_s", bytes, gn_osnma_curves[key.curve].sig_bytes);
    add_chain(c, node, v, why);
    (void)json_array_extend(c->chain_nodes, sig);
    json_decref(sig);
}
