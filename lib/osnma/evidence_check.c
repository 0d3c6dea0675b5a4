/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Every step computed anew from the pages. Source: OSNMA SIS ICD 1.1 sections 3.2, 6. */
#include "lib/bits/bits.h"
#include "lib/osnma/evidence_nodes.h"

#include <stdio.h>
#include <string.h>

#define SLOW_SF 11

static json_t *add(struct ev_check *c, const char *name, gn_verdict v, const char *reason)
{
    json_t *node = ev_node(name, v, reason);
    (void)json_array_append_new(c->nodes, node);
    ev_worsen(&c->verdict, c->reason, v, reason);
    return node;
}

/* ---- the key -------------------------------------------------------------------------------------------------------------- */
/* The newer of the two must lead back to the older. *key becomes the key of sub-frame want_sf. */
static gn_verdict walk(struct ev_check *c, struct gn_tesla_key *key, int64_t want_sf, int64_t *n_steps)
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

static bool load_key(struct ev_check *c, const struct gn_evidence_tag *t, int64_t want_sf, struct gn_tesla_key *ret)
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
    ev_put_gst(node, "sent_in", t->key_sf);
    ev_put_hex(node, "sent", sent.bytes, c->chain.key_bytes);
    ev_put_gst(node, "of_subframe", want_sf);
    ev_put_hex(node, "key", ret->bytes, c->chain.key_bytes);
    ev_put_int(node, "steps_to_kroot", n_steps);
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
static bool read_tag(struct ev_check *c, const struct gn_evidence_tag *e, struct tag *t)
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

static gn_verdict check_macseq(struct ev_check *c, const struct gn_evidence_tag *e, const struct gn_tesla_key *key,
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
static bool check_flex(struct ev_check *c, const struct gn_evidence_tag *e, const struct tag *t, const struct gn_tesla_key *key)
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
    ev_put_hex(node, "message", msg, n_msg);
    return v == GN_AUTHENTIC;
}

/* the words that make up the content, where the pages hold them */
static void list_words(struct ev_check *c, json_t *node, const struct tag *t, const struct gn_evidence_tag *e)
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
static void check_mac(struct ev_check *c, const struct gn_evidence_tag *e, const struct tag *t, unsigned nmas,
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
    ev_put_hex(data, "content", content, (n + 7) / 8);
    (void)gn_osnma_hash(c->crypto, GN_OSNMA_SHA256, content, t->adkd == 4 ? (n + 7) / 8 : GN_OSNMA_CONTENT_BYTES, hash);
    ev_put_hex(data, "data", hash, 4);
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
    gn_verdict wrong = e->is_guess ? GN_UNDECIDED : GN_FORGED;
    gn_verdict v = !ok ? GN_UNDECIDED : want == t->value ? GN_AUTHENTIC : wrong;
    uint8_t value[8] = {0};
    (void)gn_bits_set(value, 64, 0, c->chain.tag_bits, t->value);
    json_t *node = add(c, "tag", v, v == GN_AUTHENTIC ? "" : e->is_guess ? "data-incomplete" : "mac");
    ev_put_hex(node, "tag", value, (c->chain.tag_bits + 7u) / 8);
    ev_put_hex(node, "mac", mac, sizeof mac);
    ev_put_hex(node, "message", msg, (w.at + 7) / 8);
    ev_put_hex(node, "key", key->bytes, c->chain.key_bytes);
    ev_put_int(node, "cop", t->cop);
}

static void check_header(struct ev_check *c, uint8_t header)
{
    unsigned nmas = gn_nma_nmas(header);
    const char *why = nmas == GN_NMAS_DONT_USE ? "dont-use" : nmas == GN_NMAS_RESERVED ? "reserved-nmas" : "";
    json_t *node = add(c, "nmas", why[0] == '\0' ? GN_AUTHENTIC : GN_UNDECIDED, why);
    ev_put_hex(node, "nma_header", &header, 1);
}

static void check_one(struct ev_check *c, const struct gn_evidence_tag *e, struct tag *t)
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

static json_t *report_of(struct ev_check *c, const struct gn_evidence_tag *e)
{
    struct tag t = {.prn_d = e->prn_a};
    c->nodes = json_array();
    c->verdict = GN_AUTHENTIC;
    c->reason[0] = '\0';
    check_one(c, e, &t);
    ev_worsen(&c->verdict, c->reason, c->chain_verdict, c->chain_reason);
    if (json_array_size(c->nodes) == 0)
        ev_worsen(&c->verdict, c->reason, GN_UNDECIDED, "no-kroot");
    (void)json_array_extend(c->nodes, c->chain_nodes);
    int64_t t_s = e->sf * GN_OSNMA_SUBFRAME_S;
    return json_pack("{s:I, s:I, s:i, s:i, s:i, s:i, s:s, s:s, s:o}", "wn", (json_int_t)(t_s / 604800), "tow",
            (json_int_t)(t_s % 604800), "prn_a", (int)e->prn_a, "prn_d", (int)t.prn_d, "adkd", (int)t.adkd, "ctr",
            (int)e->ctr, "verdict", ev_verdict_names[c->verdict], "reason", c->reason, "nodes", c->nodes);
}

json_t *gn_evidence_check(const struct gn_evidence *e, const struct gn_osnma_anchor *mine, gn_verdict *verdict)
{
    struct ev_check c = {.pages = {e->pages, e->n_pages}, .e = e, .mine = mine, .chain_verdict = GN_AUTHENTIC};
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
        ev_load_chain(&c, e->tags[0].sf);
    for (uint32_t i = 0; i < e->n_tags; i++) {
        (void)json_array_append_new(list, report_of(&c, &e->tags[i]));
        ev_worsen(&worst, reason, c.verdict, c.reason);
    }
    gn_osnma_crypto_free(c.crypto);
    json_decref(c.chain_nodes);
    *verdict = worst;
    return json_pack("{s:s, s:o}", "verdict", ev_verdict_names[worst], "tags", list);
}
