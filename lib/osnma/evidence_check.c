/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Every step computed anew from the pages. Source: OSNMA SIS ICD 1.1 sections 3.2, 6. */
#include "lib/bits/bits.h"
#include "lib/bits/hex.h"
#include "lib/osnma/evidence_pages.h"

#include <string.h>

#define SLOW_SF 11

struct check {
    struct ev_pages pages;
    const struct gn_evidence *e;
    const struct gn_osnma_anchor *mine;
    struct gn_osnma_crypto *crypto;
    json_t *nodes;           /* of the tag under way */
    gn_verdict verdict;      /* worst of its nodes */
    char reason[GN_OSNMA_REASON];
    bool has_chain;          /* the signed root key is known, and so is what it is worth */
    struct gn_osnma_kroot_fields kroot;
    struct gn_tesla_chain chain;
    struct gn_tesla_key root;
    json_t *chain_nodes;     /* signature, public key, Merkle tree: the same for all tags */
    gn_verdict chain_verdict;
    char chain_reason[GN_OSNMA_REASON];
};

static const char *const verdict_names[] = {[GN_UNDECIDED] = "undecided", [GN_AUTHENTIC] = "authentic",
        [GN_FORGED] = "forged"};

/* forged beats undecided beats authentic; the first reason of the worst verdict stays */
static void worsen(gn_verdict *worst, char *reason, gn_verdict v, const char *why)
{
    bool is_worse = (v == GN_FORGED && *worst != GN_FORGED) || (v == GN_UNDECIDED && *worst == GN_AUTHENTIC);
    if (!is_worse)
        return;
    *worst = v;
    (void)snprintf(reason, GN_OSNMA_REASON, "%s", why);
}

static json_t *make_node(const char *name, gn_verdict v, const char *reason)
{
    return json_pack("{s:s, s:s, s:s}", "node", name, "verdict", verdict_names[v], "reason", reason);
}

static void put_hex(json_t *node, const char *name, const uint8_t *bytes, size_t n)
{
    char hex[2 * 256 + 1];
    gn_hex_print(bytes, n < 256 ? n : 256, hex);
    (void)json_object_set_new(node, name, json_string(hex));
}

static void put_int(json_t *node, const char *name, int64_t v)
{
    (void)json_object_set_new(node, name, json_integer(v));
}

static void put_gst(json_t *node, const char *name, int64_t sf)
{
    char text[40];
    int64_t t_s = sf * GN_OSNMA_SUBFRAME_S;
    (void)snprintf(text, sizeof text, "%lld:%lld", (long long)(t_s / 604800), (long long)(t_s % 604800));
    (void)json_object_set_new(node, name, json_string(text));
}

static json_t *add(struct check *c, const char *name, gn_verdict v, const char *reason)
{
    json_t *node = make_node(name, v, reason);
    (void)json_array_append_new(c->nodes, node);
    worsen(&c->verdict, c->reason, v, reason);
    return node;
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
        if (a->pubkeys[i].is_used && a->pubkeys[i].pkid == pkid)
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

static void add_chain(struct check *c, json_t *node, gn_verdict v, const char *reason)
{
    (void)json_array_append_new(c->chain_nodes, node);
    worsen(&c->chain_verdict, c->chain_reason, v, reason);
}

/* the public key off the air and its way up the Merkle tree; false: none in the pages */
static bool key_by_tree(struct check *c, unsigned pkid, struct gn_osnma_pubkey *ret, gn_verdict *verdict, json_t **node)
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
    *node = make_node("merkle", *verdict, is_mine ? "" : *verdict == GN_FORGED ? "other-root" : "root-not-vouched-for");
    put_hex(*node, "leaf", p.leaf, p.leaf_bytes);
    put_int(*node, "mid", p.mid);
    for (unsigned j = 0; j < 4; j++) {
        char name[8];
        (void)snprintf(name, sizeof name, "itn%u", j);
        put_hex(*node, name, p.itn[j], GN_OSNMA_HASH_BYTES);
    }
    put_hex(*node, "root", root, sizeof root);
    *ret = (struct gn_osnma_pubkey){.pkid = p.npkid, .curve = p.curve, .is_used = 1};
    memcpy(ret->point, p.leaf + 1, gn_osnma_curves[p.curve].point_bytes);
    return true;
}

static bool is_same_key(const struct gn_osnma_pubkey *a, const struct gn_osnma_pubkey *b)
{
    return a != NULL && b != NULL && a->pkid == b->pkid && a->curve == b->curve &&
           memcmp(a->point, b->point, sizeof a->point) == 0;
}

static void add_pubkey(struct check *c, const struct gn_osnma_pubkey *key, gn_verdict v, const char *reason,
        const char *source)
{
    json_t *node = make_node("public-key", v, reason);
    put_int(node, "pkid", key->pkid);
    (void)json_object_set_new(node, "curve", json_string(gn_osnma_curves[key->curve].name));
    put_hex(node, "point", key->point, gn_osnma_curves[key->curve].point_bytes);
    (void)json_object_set_new(node, "source", json_string(source));
    add_chain(c, node, v, reason);
}

/* Who vouches for the key of the signature? The checker's own keys, his Merkle root, else nobody here. */
static bool choose_key(struct check *c, unsigned pkid, struct gn_osnma_pubkey *ret)
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

static void add_kroot(struct check *c, const struct ev_dsm *d, const char *source)
{
    const struct gn_osnma_kroot_fields *k = &c->kroot;
    json_t *node = make_node("kroot", GN_AUTHENTIC, "");
    (void)json_object_set_new(node, "source", json_string(source));
    put_hex(node, "dsm", d->bytes, d->n_bytes);
    put_hex(node, "nma_header", &d->header, 1);
    put_int(node, "cid", k->cid);
    put_int(node, "pkid", k->pkid);
    put_int(node, "hf", k->hf);
    put_int(node, "mf", k->mf);
    put_int(node, "key_bits", 8 * k->key_bytes);
    put_int(node, "tag_bits", k->tag_bits);
    put_int(node, "maclt", k->maclt);
    put_hex(node, "alpha", k->alpha, sizeof k->alpha);
    put_hex(node, "kroot", k->kroot, k->key_bytes);
    put_gst(node, "of_subframe", c->root.sf);
    (void)json_array_append_new(c->chain_nodes, node);
}

static void no_chain(struct check *c, const char *node, const char *reason)
{
    add_chain(c, make_node(node, GN_UNDECIDED, reason), GN_UNDECIDED, reason);
}

static void load_chain(struct check *c, int64_t near_sf)
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
    json_t *node = make_node("signature", v, why);
    put_hex(node, "message", k->msg, k->msg_bytes);
    const uint8_t *bytes = has_key ? gn_osnma_kroot_signature(k, d.bytes, d.n_bytes, gn_osnma_curves[key.curve].sig_bytes)
                                   : NULL;
    if (bytes != NULL)
        put_hex(node, "r_s", bytes, gn_osnma_curves[key.curve].sig_bytes);
    add_chain(c, node, v, why);
    (void)json_array_extend(c->chain_nodes, sig);
    json_decref(sig);
}

/* ---- the key -------------------------------------------------------------------------------------------------------------- */
/* The newer of the two must lead back to the older. *key becomes the key of sub-frame want_sf. */
static gn_verdict walk(struct check *c, struct gn_tesla_key *key, int64_t want_sf, int64_t *n_steps)
{
    struct gn_tesla_key from = *key, back = *key;
    const struct gn_tesla_key *goal = &c->root;
    if (c->root.sf > key->sf) {
        back = c->root;
        goal = &from;
    }
    *n_steps = back.sf - goal->sf;
    if (from.sf < want_sf || *n_steps < 0 || *n_steps > GN_TESLA_STEPS_MAX ||
            gn_tesla_walk(c->crypto, &c->chain, &back, *n_steps, NULL, NULL) != GN_OK)
        return GN_UNDECIDED;
    bool ok = memcmp(back.bytes, goal->bytes, c->chain.key_bytes) == 0;
    if (gn_tesla_walk(c->crypto, &c->chain, key, from.sf - want_sf, NULL, NULL) != GN_OK)
        return GN_UNDECIDED;
    return ok ? GN_AUTHENTIC : GN_FORGED;
}

static bool load_key(struct check *c, const struct gn_evidence_tag *t, int64_t want_sf, struct gn_tesla_key *ret)
{
    uint8_t header = 0;
    int64_t n_steps = 0;
    struct gn_tesla_key sent;
    if (t->key_sf < want_sf || !ev_key(&c->pages, t->key_sf, 0, &c->chain, &sent)) {
        (void)add(c, "key", GN_UNDECIDED, "no-key");
        return false;
    }
    if (!ev_header(&c->pages, t->key_sf, 0, &header) || gn_nma_cid(header) != c->chain.cid) {
        (void)add(c, "key", GN_UNDECIDED, "other-chain");
        return false;
    }
    *ret = sent;
    gn_verdict v = walk(c, ret, want_sf, &n_steps);
    json_t *node = add(c, "key", v, v == GN_AUTHENTIC ? "" : v == GN_FORGED ? "not-in-chain" : "too-far");
    put_gst(node, "sent_in", t->key_sf);
    put_hex(node, "sent", sent.bytes, c->chain.key_bytes);
    put_gst(node, "of_subframe", want_sf);
    put_hex(node, "key", ret->bytes, c->chain.key_bytes);
    put_int(node, "steps_to_kroot", n_steps);
    return v == GN_AUTHENTIC;
}

/* ---- the tag -------------------------------------------------------------------------------------------------------------- */
struct tag {
    uint64_t value;
    unsigned prn_d, adkd, cop, i;
    const struct gn_osnma_slot *slot;
    bool is_slow;
};

/* its fields, and its place in the table */
static bool read_tag(struct check *c, const struct gn_evidence_tag *e, struct tag *t)
{
    const struct gn_osnma_maclt *table = gn_osnma_maclt_find(c->chain.maclt);
    uint64_t info = 0;
    unsigned step = c->chain.tag_bits + 16u;
    t->i = e->ctr - 1u;
    if (table == NULL || t->i >= table->n_tags || table->n_tags != gn_osnma_n_tags(c->chain.key_bytes, c->chain.tag_bits)) {
        (void)add(c, "tag", GN_UNDECIDED, "maclt");
        return false;
    }
    if (!ev_mack(&c->pages, e->sf, e->prn_a, t->i * step, c->chain.tag_bits, &t->value) ||
            !ev_mack(&c->pages, e->sf, e->prn_a, t->i * step + c->chain.tag_bits, 16, &info)) {
        (void)add(c, "tag", GN_UNDECIDED, "page-missing");
        return false;
    }
    t->slot = &table->slots[e->sf % 2][t->i];
    t->prn_d = t->i == 0 ? e->prn_a : (unsigned)(info >> 8);
    t->adkd = t->i == 0 ? 0 : (unsigned)(info >> 4 & 15u);
    t->cop = (unsigned)(info & 15u);
    t->is_slow = t->adkd == 12;
    bool fits = (t->adkd == 0 || t->adkd == 4 || t->adkd == 12) && t->prn_d >= 1 && t->prn_d <= GN_OSNMA_PRNS &&
                (t->slot->kind == GN_SLOT_FLEX ||
                        (t->adkd == t->slot->adkd && (t->slot->kind != GN_SLOT_SELF || t->prn_d == e->prn_a)));
    if (!fits)
        (void)add(c, "tag", GN_UNDECIDED, "maclt");
    return fits;
}

static gn_verdict check_macseq(struct check *c, const struct gn_evidence_tag *e, const struct gn_tesla_key *key,
        uint8_t *msg, size_t *n_msg)
{
    uint8_t mac[GN_OSNMA_HASH_BYTES];
    struct gn_bit_writer w = gn_bit_writer_of(msg, 8 * (5 + 2 * (size_t)GN_OSNMA_TAGS_MAX));
    const struct gn_osnma_maclt *table = gn_osnma_maclt_find(c->chain.maclt);
    uint64_t v = 0, macseq = 0;
    if (!ev_mack(&c->pages, e->sf, e->prn_a, c->chain.tag_bits, 12, &macseq))
        return GN_UNDECIDED;
    gn_bits_put(&w, e->prn_a, 8);
    gn_bits_put(&w, gn_osnma_gst(e->sf), 32);
    for (unsigned i = 1; i < table->n_tags; i++) {
        if (table->slots[e->sf % 2][i].kind != GN_SLOT_FLEX)
            continue;
        if (!ev_mack(&c->pages, e->sf, e->prn_a, i * (c->chain.tag_bits + 16u) + c->chain.tag_bits, 16, &v))
            return GN_UNDECIDED;
        gn_bits_put(&w, v, 16);
    }
    *n_msg = w.at / 8;
    if (!gn_osnma_mac(c->crypto, c->chain.mf, key->bytes, c->chain.key_bytes, msg, *n_msg, mac))
        return GN_UNDECIDED;
    return gn_bits_get(mac, 8 * sizeof mac, 0, 12) == macseq ? GN_AUTHENTIC : GN_FORGED;
}

/* flexible slots count only when MACSEQ, under the key of the next sub-frame, vouches for them */
static bool check_flex(struct check *c, const struct gn_evidence_tag *e, const struct tag *t, const struct gn_tesla_key *key)
{
    uint8_t msg[5 + 2 * GN_OSNMA_TAGS_MAX] = {0};
    struct gn_tesla_key next = *key;
    size_t n_msg = 0;
    gn_verdict v = GN_UNDECIDED;
    if (t->slot->kind != GN_SLOT_FLEX)
        return true;
    if (gn_tesla_walk(c->crypto, &c->chain, &next, key->sf - (e->sf + 1), NULL, NULL) == GN_OK)
        v = check_macseq(c, e, &next, msg, &n_msg);
    json_t *node = add(c, "macseq", v == GN_AUTHENTIC ? v : GN_UNDECIDED, v == GN_AUTHENTIC ? "" : "macseq");
    put_hex(node, "message", msg, n_msg);
    return v == GN_AUTHENTIC;
}

/* the words that make up the content, where the pages hold them */
static void list_words(struct check *c, json_t *node, const struct tag *t, const struct gn_evidence_tag *e)
{
    static const struct {
        unsigned adkd, type, from, n;
    } parts[] = {{0, 1, 6, 120}, {0, 2, 6, 120}, {0, 3, 6, 122}, {0, 4, 6, 120}, {0, 5, 6, 67}, {4, 6, 6, 99},
            {4, 10, 86, 42}};
    json_t *list = json_array();
    unsigned at = 0;
    for (size_t k = 0; k < GN_COUNT(parts); k++) {
        if (parts[k].adkd != (t->adkd == 4 ? 4u : 0u))
            continue;
        for (size_t i = 0; i < c->pages.n; i++) {
            const struct gn_osnma_page *p = &c->pages.p[i];
            uint8_t word[GN_OSNMA_WORD_BYTES];
            struct gn_bit_reader a = gn_bit_reader_of(word, 128), b = gn_bit_reader_of(e->content, 8 * sizeof e->content);
            bool same = p->prn == t->prn_d && ev_is_good(p) && ev_sf(p) <= e->sf;
            ev_word(p, word);
            gn_bits_skip(&a, parts[k].from);
            gn_bits_skip(&b, at);
            for (unsigned n = 0; same && n < parts[k].n; n++)
                same = gn_bits_u(&a, 1) == gn_bits_u(&b, 1);
            if (!same || word[0] >> 2 != parts[k].type)
                continue;
            char text[64];
            (void)snprintf(text, sizeof text, "word %u of E%02u at %d:%u, %s", parts[k].type, p->prn, p->wn, p->tow_s,
                    p->is_e5b ? "E5b-I" : "E1-B");
            (void)json_array_append_new(list, json_string(text));
            break;
        }
        at += parts[k].n;
    }
    (void)json_object_set_new(node, "words", list);
}

/* PRN_D (not in tag_0) || PRN_A || GST_SF || CTR || NMAS || content || zeros to a whole byte */
static void check_mac(struct check *c, const struct gn_evidence_tag *e, const struct tag *t, unsigned nmas,
        const struct gn_tesla_key *key)
{
    static const uint8_t zeros[GN_OSNMA_CONTENT_BYTES];
    uint8_t msg[8 + GN_OSNMA_CONTENT_BYTES + 1] = {0}, mac[GN_OSNMA_HASH_BYTES] = {0}, hash[GN_OSNMA_HASH_BYTES];
    unsigned n = t->adkd == 4 ? GN_OSNMA_TIMING_BITS : GN_OSNMA_CED_BITS;
    const uint8_t *content = t->cop == 0 ? zeros : e->content;
    struct gn_bit_writer w = gn_bit_writer_of(msg, 8 * sizeof msg);
    struct gn_bit_reader in = gn_bit_reader_of(content, 8 * sizeof e->content);
    if (t->cop != 0 && !e->has_content) {
        (void)add(c, "data", GN_UNDECIDED, "no-data");
        return;
    }
    json_t *data = add(c, "data", GN_AUTHENTIC, t->cop == 0 ? "dummy" : "");
    put_hex(data, "content", content, (n + 7) / 8);
    (void)gn_osnma_hash(c->crypto, GN_OSNMA_SHA256, content, t->adkd == 4 ? (n + 7) / 8 : GN_OSNMA_CONTENT_BYTES, hash);
    put_hex(data, "data", hash, 4);
    if (t->cop != 0)
        list_words(c, data, t, e);
    if (t->i > 0)
        gn_bits_put(&w, t->prn_d, 8);
    gn_bits_put(&w, e->prn_a, 8);
    gn_bits_put(&w, gn_osnma_gst(e->sf), 32);
    gn_bits_put(&w, t->i + 1, 8);
    gn_bits_put(&w, nmas, 2);
    gn_bits_copy(&w, &in, n);
    bool ok = gn_osnma_mac(c->crypto, c->chain.mf, key->bytes, c->chain.key_bytes, msg, (w.at + 7) / 8, mac);
    uint64_t want = gn_bits_get(mac, 8 * sizeof mac, 0, c->chain.tag_bits);
    gn_verdict v = !ok ? GN_UNDECIDED : want == t->value ? GN_AUTHENTIC : GN_FORGED;
    uint8_t value[8] = {0};
    (void)gn_bits_set(value, 64, 0, c->chain.tag_bits, t->value);
    json_t *node = add(c, "tag", v, v == GN_AUTHENTIC ? "" : "mac");
    put_hex(node, "tag", value, (c->chain.tag_bits + 7u) / 8);
    put_hex(node, "mac", mac, sizeof mac);
    put_hex(node, "message", msg, (w.at + 7) / 8);
    put_hex(node, "key", key->bytes, c->chain.key_bytes);
    put_int(node, "cop", t->cop);
}

static void check_header(struct check *c, uint8_t header)
{
    unsigned nmas = gn_nma_nmas(header);
    const char *why = nmas == GN_NMAS_DONT_USE ? "dont-use" : nmas == GN_NMAS_RESERVED ? "reserved-nmas" : "";
    json_t *node = add(c, "nmas", why[0] == '\0' ? GN_AUTHENTIC : GN_UNDECIDED, why);
    put_hex(node, "nma_header", &header, 1);
}

static void check_one(struct check *c, const struct gn_evidence_tag *e, struct tag *t)
{
    uint8_t header = 0;
    struct gn_tesla_key key;
    if (!c->has_chain || !read_tag(c, e, t))
        return;
    if (!ev_header(&c->pages, e->sf, e->prn_a, &header)) {
        (void)add(c, "nmas", GN_UNDECIDED, "no-header");
        return;
    }
    if (!load_key(c, e, e->sf + (t->is_slow ? SLOW_SF : 1), &key) || !check_flex(c, e, t, &key))
        return;
    check_mac(c, e, t, gn_nma_nmas(header), &key);
    check_header(c, header);
}

static json_t *report_of(struct check *c, const struct gn_evidence_tag *e)
{
    struct tag t = {.prn_d = e->prn_a};
    c->nodes = json_array();
    c->verdict = GN_AUTHENTIC;
    c->reason[0] = '\0';
    check_one(c, e, &t);
    worsen(&c->verdict, c->reason, c->chain_verdict, c->chain_reason);
    if (json_array_size(c->nodes) == 0)
        worsen(&c->verdict, c->reason, GN_UNDECIDED, "no-kroot");
    (void)json_array_extend(c->nodes, c->chain_nodes);
    int64_t t_s = e->sf * GN_OSNMA_SUBFRAME_S;
    return json_pack("{s:I, s:I, s:i, s:i, s:i, s:i, s:s, s:s, s:o}", "wn", (json_int_t)(t_s / 604800), "tow",
            (json_int_t)(t_s % 604800), "prn_a", (int)e->prn_a, "prn_d", (int)t.prn_d, "adkd", (int)t.adkd, "ctr",
            (int)e->ctr, "verdict", verdict_names[c->verdict], "reason", c->reason, "nodes", c->nodes);
}

json_t *gn_evidence_check(const struct gn_evidence *e, const struct gn_osnma_anchor *mine, gn_verdict *verdict)
{
    struct check c = {.pages = {e->pages, e->n_pages}, .e = e, .mine = mine, .chain_verdict = GN_AUTHENTIC};
    json_t *list = json_array();
    char reason[GN_OSNMA_REASON] = "";
    *verdict = GN_UNDECIDED;
    c.crypto = gn_osnma_crypto_new();
    c.chain_nodes = json_array();
    if (c.crypto == NULL || list == NULL || c.chain_nodes == NULL) {
        gn_osnma_crypto_free(c.crypto);
        json_decref(list);
        json_decref(c.chain_nodes);
        return NULL;
    }
    gn_verdict worst = e->n_tags > 0 ? GN_AUTHENTIC : GN_UNDECIDED;
    if (e->n_tags > 0)
        load_chain(&c, e->tags[0].sf);
    for (uint32_t i = 0; i < e->n_tags; i++) {
        (void)json_array_append_new(list, report_of(&c, &e->tags[i]));
        worsen(&worst, reason, c.verdict, c.reason);
    }
    gn_osnma_crypto_free(c.crypto);
    json_decref(c.chain_nodes);
    *verdict = worst;
    return json_pack("{s:s, s:o}", "verdict", verdict_names[worst], "tags", list);
}
