/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Out of a recording: the tags of a sub-frame and the pages that settle them. The engine runs over all pages to find
 * what each tag covers; the signed messages and the key are looked for here. Only the check decides. */
#include "lib/base/error.h"
#include "lib/bits/bits.h"
#include "lib/osnma/evidence_pages.h"

#include <stdlib.h>
#include <string.h>

#define SLOW_SF    11
#define DSM_SF     120 /* a message is sent whole within an hour */
#define KEY_LATER  64  /* a lost key is got from one that came so much later */
#define CONTENTS   32

struct heard { /* contents the engine settled tags on, newest last; by satellite and kind */
    uint8_t n;
    struct {
        char data[9];
        uint8_t content[GN_OSNMA_CONTENT_BYTES];
    } list[CONTENTS];
};

struct build {
    struct ev_pages received, all; /* in the order of reception; by sub-frame */
    const struct gn_evidence_wish *wish;
    struct gn_evidence *e;
    char data[GN_EVIDENCE_TAGS_MAX][9]; /* hash of what the tag covers, as the engine found */
    uint8_t prn_d[GN_EVIDENCE_TAGS_MAX], adkd[GN_EVIDENCE_TAGS_MAX];
    struct heard heard[GN_OSNMA_PRNS][2];
    bool is_full;
};

/* ---- what the engine finds -------------------------------------------------------------------------------------------- */
static void on_tag(void *arg, const struct gn_msg_osnma_tag *m)
{
    struct build *b = arg;
    const struct gn_evidence_wish *w = b->wish;
    if (gn_osnma_sf(m->wn, m->tow) != w->sf || (w->ctr != 0 && m->ctr != w->ctr) ||
            (m->prn_a != w->prn && (w->sent_only || m->prn_d != w->prn)) || b->e->n_tags == GN_EVIDENCE_TAGS_MAX ||
            m->ctr < 1 || m->ctr > GN_OSNMA_TAGS_MAX)
        return;
    uint32_t i = b->e->n_tags++;
    b->e->tags[i] = (struct gn_evidence_tag){.sf = w->sf, .key_sf = -1, .prn_a = m->prn_a, .ctr = m->ctr};
    memcpy(b->data[i], m->data, sizeof b->data[i]);
    b->prn_d[i] = m->prn_d;
    b->adkd[i] = m->adkd;
}

static void on_data(void *arg, const struct gn_msg_osnma_data *m)
{
    struct build *b = arg;
    if (m->prn < 1 || m->prn > GN_OSNMA_PRNS)
        return;
    struct heard *h = &b->heard[m->prn - 1][m->adkd == 4];
    for (unsigned i = 0; i < h->n; i++)
        if (strcmp(h->list[i].data, m->data) == 0)
            return;
    if (h->n == CONTENTS) {
        memmove(&h->list[0], &h->list[1], sizeof h->list - sizeof h->list[0]);
        h->n--;
    }
    memcpy(h->list[h->n].data, m->data, sizeof m->data);
    memcpy(h->list[h->n].content, m->content, sizeof m->content);
    h->n++;
}

static gn_status run_engine(struct build *b, const struct gn_osnma_anchor *anchor, struct gn_error *err)
{
    struct gn_osnma *o = NULL;
    struct gn_osnma_config config = {.anchor = *anchor, .tag_bits = 1}; /* each content is told at its first tag */
    struct gn_osnma_sink sink = {.arg = b, .tag = on_tag, .data = on_data};
    if (gn_osnma_new(&config, &o) != GN_OK)
        return gn_fail(err, GN_E_NOMEM, "evidence: out of memory");
    for (size_t i = 0; i < b->received.n; i++)
        gn_osnma_feed(o, &b->received.p[i], &sink);
    gn_osnma_finish(o, &sink);
    gn_osnma_free(o);
    return GN_OK;
}

/* What the engine did not rely on (a tag under "don't use"): the newest words before the tag, if they belong together. */
static bool guess(const struct build *b, unsigned prn, bool is_timing, uint8_t content[GN_OSNMA_CONTENT_BYTES])
{
    static const struct {
        bool is_timing;
        unsigned type, from, n;
    } parts[] = {{false, 1, 6, 120}, {false, 2, 6, 120}, {false, 3, 6, 122}, {false, 4, 6, 120}, {false, 5, 6, 67},
            {true, 6, 6, 99}, {true, 10, 86, 42}};
    struct gn_bit_writer w = gn_bit_writer_of(content, 8u * GN_OSNMA_CONTENT_BYTES);
    struct ev_pages in = ev_range(&b->all, b->wish->sf - DSM_SF, b->wish->sf - 1);
    uint64_t iod = UINT64_MAX;
    for (size_t k = 0; k < GN_COUNT(parts); k++) {
        uint8_t word[GN_OSNMA_WORD_BYTES];
        bool found = parts[k].is_timing != is_timing;
        for (size_t i = in.n; i-- > 0 && !found;) {
            const struct gn_osnma_page *p = &in.p[i];
            if (p->prn != prn || !ev_is_good(p) || (parts[k].type == 10 && p->is_e5b))
                continue;
            ev_word(p, word);
            found = word[0] >> 2 == parts[k].type;
        }
        if (!found)
            return false;
        if (parts[k].is_timing != is_timing)
            continue;
        uint64_t its = gn_bits_get(word, 128, 6, 10);
        if (parts[k].type <= 4 && iod != UINT64_MAX && its != iod)
            return false;
        iod = parts[k].type <= 4 ? its : iod;
        struct gn_bit_reader in_word = gn_bit_reader_of(word, 128);
        gn_bits_skip(&in_word, parts[k].from);
        gn_bits_copy(&w, &in_word, parts[k].n);
    }
    return true;
}

static void give_contents(struct build *b)
{
    for (uint32_t i = 0; i < b->e->n_tags; i++) {
        struct gn_evidence_tag *t = &b->e->tags[i];
        if (b->prn_d[i] < 1 || b->prn_d[i] > GN_OSNMA_PRNS)
            continue;
        const struct heard *h = &b->heard[b->prn_d[i] - 1][b->adkd[i] == 4];
        for (unsigned k = 0; k < h->n; k++)
            if (strcmp(h->list[k].data, b->data[i]) == 0) {
                memcpy(t->content, h->list[k].content, sizeof t->content);
                t->has_content = 1;
            }
        if (!t->has_content)
            t->has_content = t->is_guess = guess(b, b->prn_d[i], b->adkd[i] == 4, t->content);
    }
}

/* ---- pages into the bundle ------------------------------------------------------------------------------------------------ */
static void keep(struct build *b, const struct gn_osnma_page *p)
{
    struct gn_evidence *e = b->e;
    if (p == NULL)
        return;
    for (uint32_t i = 0; i < e->n_pages; i++)
        if (e->pages[i].wn == p->wn && e->pages[i].tow_s == p->tow_s && e->pages[i].prn == p->prn &&
                e->pages[i].is_e5b == p->is_e5b)
            return;
    if (e->n_pages == GN_EVIDENCE_PAGES_MAX) {
        b->is_full = true;
        return;
    }
    e->pages[e->n_pages] = *p;
    e->pages[e->n_pages++].has_rx = 0;
}

static void keep_all(struct build *b, int64_t sf, unsigned prn)
{
    for (unsigned k = 0; k < GN_OSNMA_PAGES; k++)
        keep(b, ev_find(&b->all, sf, prn, k));
}

/* ---- signed messages ------------------------------------------------------------------------------------------------------- */
/* DSM IDs sent in a sub-frame, a bit each */
static unsigned ids_of(const struct ev_pages *in, int64_t sf)
{
    unsigned ids = 0;
    for (size_t i = 0; i < in->n; i++)
        if (ev_sf(&in->p[i]) == sf && ev_index(&in->p[i]) == 1 && ev_has_osnma(&in->p[i]))
            ids |= 1u << gn_bits_get(in->p[i].bits, 240, 138, 4);
    return ids;
}

static void keep_dsm(struct build *b, const struct gn_evidence_dsm *d)
{
    struct ev_pages in = ev_range(&b->all, d->from_sf, d->to_sf);
    uint16_t have[GN_OSNMA_BLOCKS_MAX] = {0};
    for (size_t i = 0; i < in.n; i++) {
        const struct gn_osnma_page *p = &in.p[i], *one = ev_find(&in, ev_sf(p), p->prn, 1);
        if (!ev_has_osnma(p) || one == NULL || gn_bits_get(one->bits, 240, 138, 4) != d->id)
            continue;
        unsigned block = (unsigned)gn_bits_get(one->bits, 240, 142, 4), bit = 1u << ev_index(p);
        if ((have[block] & bit) != 0)
            continue;
        have[block] |= (uint16_t)bit;
        keep(b, p);
        keep(b, one);
    }
}

struct found {
    struct gn_evidence_dsm where;
    struct gn_osnma_kroot_fields k;
};

static const struct gn_osnma_pubkey *own_key(const struct gn_osnma_anchor *a, unsigned pkid)
{
    for (unsigned i = 0; i < GN_OSNMA_PUBKEYS_MAX; i++)
        if (a->pubkeys[i].is_used && a->pubkeys[i].pkid == pkid &&
                gn_osnma_curve_ok(GN_OSNMA_STANDARD, a->pubkeys[i].curve))
            return &a->pubkeys[i];
    return NULL;
}

/* a root key of chain cid that its signature holds, or that nobody's key is here for */
static bool try_kroot(struct build *b, const struct gn_osnma_anchor *a, const struct gn_evidence_dsm *where, unsigned cid,
        struct found *ret)
{
    struct ev_dsm d;
    ret->where = *where;
    if (!ev_dsm(&b->all, where, &d) || !gn_osnma_kroot_parse(d.header, d.bytes, d.n_bytes, &ret->k) ||
            ret->k.cid != cid)
        return false;
    const struct gn_osnma_pubkey *key = own_key(a, ret->k.pkid);
    if (key == NULL)
        return true;
    size_t n_sig = gn_osnma_curves[key->curve].sig_bytes;
    const uint8_t *sig = gn_osnma_kroot_signature(&ret->k, d.bytes, d.n_bytes, n_sig);
    return sig != NULL && gn_osnma_signature_verify(key->curve, key->point, gn_osnma_curves[key->curve].point_bytes, ret->k.msg,
                                  ret->k.msg_bytes, sig, n_sig) == GN_AUTHENTIC;
}

/* Signed messages near a time, the shortest first, among them the nearest. `is_it` says whether one will do. */
struct search {
    unsigned id_min, id_max;
    int64_t near_sf, reach_sf;
    bool (*is_it)(struct build *b, const struct gn_evidence_dsm *where, void *arg);
    void *arg;
};

static bool try_at(struct build *b, const struct search *s, int64_t sf, int64_t n_sf)
{
    struct ev_pages at = ev_range(&b->all, sf, sf);
    unsigned ids = at.n > 0 ? ids_of(&at, sf) : 0;
    for (unsigned id = s->id_min; id <= s->id_max; id++) {
        struct gn_evidence_dsm where = {.is_there = 1, .id = (uint8_t)id, .from_sf = sf, .to_sf = sf + n_sf - 1};
        if ((ids >> id & 1u) != 0 && s->is_it(b, &where, s->arg))
            return true;
    }
    return false;
}

static bool search(struct build *b, const struct search *s)
{
    for (int64_t n_sf = 1; n_sf <= DSM_SF; n_sf *= 2)
        for (int64_t off = 0; off < s->reach_sf; off += n_sf / 2 + 1)
            if (try_at(b, s, s->near_sf - off, n_sf) || (off > 0 && try_at(b, s, s->near_sf + off, n_sf)))
                return true;
    return false;
}

struct want { /* of a root key or a public key */
    const struct gn_osnma_anchor *anchor;
    unsigned cid, pkid;
    struct found f;
};

static bool is_kroot(struct build *b, const struct gn_evidence_dsm *where, void *arg)
{
    struct want *w = arg;
    return try_kroot(b, w->anchor, where, w->cid, &w->f);
}

static bool is_pkr(struct build *b, const struct gn_evidence_dsm *where, void *arg)
{
    struct want *w = arg;
    struct gn_osnma_pkr_fields p;
    struct ev_dsm d;
    w->f.where = *where;
    return ev_dsm(&b->all, where, &d) && gn_osnma_pkr_parse(d.bytes, d.n_bytes, &p) && p.npkid == w->pkid;
}

/* ---- keys --------------------------------------------------------------------------------------------------------------------- */
static struct gn_tesla_chain chain_of(const struct gn_osnma_kroot_fields *k)
{
    return (struct gn_tesla_chain){.key_bytes = k->key_bytes, .tag_bits = k->tag_bits, .maclt = k->maclt};
}

/* satellites without OSNMA send zeros, and a header is never zero */
static bool sends_osnma(const struct ev_pages *in, int64_t sf, unsigned prn)
{
    const struct gn_osnma_page *p = ev_find(in, sf, prn, 0);
    return p != NULL && gn_bits_get(p->bits, 240, 138, 8) != 0;
}

/* the first sub-frame from sf on whose key arrived, whole from one satellite if possible */
static int64_t find_key(struct build *b, int64_t sf, const struct gn_tesla_chain *chain, bool must_keep)
{
    struct gn_tesla_key key;
    for (int64_t at = sf; at < sf + KEY_LATER; at++) {
        struct ev_pages in = ev_range(&b->all, at, at);
        for (unsigned prn = 1; prn <= GN_OSNMA_PRNS; prn++)
            if (sends_osnma(&in, at, prn) && ev_key(&in, at, prn, chain, &key)) {
                if (must_keep)
                    keep_all(b, at, prn);
                return at;
            }
        if (in.n > 0 && ev_key(&in, at, 0, chain, &key)) {
            for (unsigned k = 0; must_keep && k < GN_OSNMA_PAGES; k++)
                keep(b, ev_find(&in, at, 0, k));
            return at;
        }
    }
    return -1;
}

static void keep_words(struct build *b, uint32_t i)
{
    struct ev_pages in = ev_range(&b->all, b->wish->sf - 120, b->wish->sf);
    uint8_t word[GN_OSNMA_WORD_BYTES];
    unsigned have = 0;
    for (size_t k = in.n; k-- > 0;) {
        const struct gn_osnma_page *p = &in.p[k];
        if (p->prn != b->prn_d[i] || !ev_is_good(p))
            continue;
        ev_word(p, word);
        unsigned type = word[0] >> 2, seen = have >> (2 * (type & 15u)) & 3u;
        bool is_wanted = b->adkd[i] == 4 ? type == 6 || (type == 10 && !p->is_e5b) : type >= 1 && type <= 5;
        if (!is_wanted || seen >= 3) /* the newest three: one of them is the one */
            continue;
        have += 1u << (2 * (type & 15u));
        keep(b, p);
    }
}

/* ---- all --------------------------------------------------------------------------------------------------------------------- */
static bool cid_at(struct build *b, int64_t sf, unsigned *cid)
{
    uint8_t header = 0;
    for (int64_t at = sf; at < sf + KEY_LATER; at++) {
        struct ev_pages in = ev_range(&b->all, at, at);
        if (in.n > 0 && ev_header(&in, at, 0, &header)) {
            *cid = gn_nma_cid(header);
            return true;
        }
    }
    return false;
}

static void choose_chain(struct build *b, const struct gn_osnma_anchor *a, struct gn_tesla_chain *chain)
{
    struct gn_osnma_kroot_fields stored;
    struct gn_evidence *e = b->e;
    struct want w = {.anchor = a};
    int64_t sf = b->wish->sf, span = b->all.n > 0 ? ev_sf(&b->all.p[b->all.n - 1]) - ev_sf(&b->all.p[0]) : 0;
    if (!cid_at(b, sf + 1, &w.cid))
        return;
    if (search(b, &(struct search){0, 11, sf + 1, 4 * DSM_SF, is_kroot, &w})) {
        e->kroot = w.f.where;
        keep_dsm(b, &e->kroot);
        *chain = chain_of(&w.f.k);
        w.pkid = w.f.k.pkid;
    } else if (a->has_kroot && gn_osnma_kroot_parse(a->nma_header, a->kroot, a->kroot_bytes, &stored) && stored.cid == w.cid) {
        *chain = chain_of(&stored);
        w.pkid = stored.pkid;
    }
    if (chain->key_bytes == 0 || !search(b, &(struct search){12, 15, sf, span + 1, is_pkr, &w}))
        return;
    e->pkr = w.f.where;
    keep_dsm(b, &e->pkr);
}

static void collect(struct build *b, const struct gn_osnma_anchor *a)
{
    struct gn_tesla_chain chain = {0};
    struct gn_evidence *e = b->e;
    give_contents(b);
    for (uint32_t i = 0; i < e->n_tags; i++) {
        keep_all(b, e->tags[i].sf, e->tags[i].prn_a);
        if (ev_find(&b->all, e->tags[i].sf, e->tags[i].prn_a, 0) == NULL)
            keep(b, ev_find(&b->all, e->tags[i].sf, 0, 0));
        keep_words(b, i);
    }
    choose_chain(b, a, &chain);
    for (uint32_t i = 0; chain.key_bytes != 0 && i < e->n_tags; i++)
        e->tags[i].key_sf = find_key(b, e->tags[i].sf + (b->adkd[i] == 12 ? SLOW_SF : 1), &chain, true);
}

static int by_tag(const void *a, const void *b)
{
    const struct gn_evidence_tag *x = a, *y = b;
    return x->prn_a != y->prn_a ? (int)x->prn_a - (int)y->prn_a : (int)x->ctr - (int)y->ctr;
}

gn_status gn_evidence_build(const struct gn_osnma_page *pages, size_t n_pages, const struct gn_osnma_anchor *anchor,
        const struct gn_evidence_wish *wish, struct gn_evidence **ret, struct gn_error *err)
{
    struct build *b = calloc(1, sizeof *b);
    struct gn_evidence *e = calloc(1, sizeof *e);
    struct gn_osnma_page *sorted = calloc(n_pages + 1, 2 * sizeof *sorted);
    bool is_there = b != NULL && e != NULL && sorted != NULL;
    gn_status st = is_there ? GN_OK : gn_fail(err, GN_E_NOMEM, "evidence: out of memory");
    if (st == GN_OK) {
        memcpy(sorted, pages, n_pages * sizeof *pages);
        ev_sort(sorted, n_pages, sorted + n_pages);
        *b = (struct build){.received = {pages, n_pages}, .all = {sorted, n_pages}, .wish = wish, .e = e};
        e->claimed = *anchor;
        st = run_engine(b, anchor, err);
    }
    if (st == GN_OK)
        collect(b, anchor);
    if (st == GN_OK && b->is_full)
        st = gn_fail(err, GN_E_DATA, "evidence: more than %d pages are needed", GN_EVIDENCE_PAGES_MAX);
    free(b);
    free(sorted);
    if (st != GN_OK) {
        free(e);
        return st;
    }
    struct gn_osnma_page *scratch = calloc(GN_EVIDENCE_PAGES_MAX, sizeof *scratch);
    if (scratch == NULL) {
        free(e);
        return gn_fail(err, GN_E_NOMEM, "evidence: out of memory");
    }
    ev_sort(e->pages, e->n_pages, scratch);
    free(scratch);
    qsort(e->tags, e->n_tags, sizeof e->tags[0], by_tag);
    *ret = e;
    return GN_OK;
}
