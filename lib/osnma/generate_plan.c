/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* From the configuration to who signs what, and when it is sent. */
#include "lib/osnma/generate_internal.h"

#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_SF 120

const struct gn_osnma_gen_step *gen_step(const struct gn_osnma_gen *g, int64_t sf)
{
    unsigned i = 0;
    while (i + 1 < g->c.n_steps && g->start_sf + g->c.steps[i + 1].from <= sf)
        i++;
    return &g->c.steps[i];
}

const struct gn_osnma_gen_step *gn_osnma_gen_step_at(const struct gn_osnma_gen *g, uint32_t n)
{
    return gen_step(g, g->start_sf + n);
}

/* the slot of a sub-frame; *since: sub-frames since it began */
const struct gen_msg *gen_msg_at(const struct gn_osnma_gen *g, int64_t sf, uint32_t *since)
{
    uint32_t lo = 0, hi = g->n_slots;
    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (g->slots[mid].sf <= sf)
            lo = mid;
        else
            hi = mid;
    }
    *since = (uint32_t)(sf - g->slots[lo].sf);
    return &g->msgs[g->slots[lo].i_msg];
}

/* ---- signed messages --------------------------------------------------------------------------------------------- */
static uint8_t index_of(const uint8_t *table, unsigned n, unsigned value)
{
    uint8_t i = 0;
    while (i < n && table[i] != value)
        i++;
    return i;
}

/* NB PKID | CIDKR res(01) HF MF | KS TS | MACLT | res WN | WN | TOWH | alpha | KROOT | DS | padding */
static bool make_kroot(struct gn_osnma_gen *g, struct gen_msg *m)
{
    static const uint8_t key_bytes[] = {12, 13, 14, 15, 16, 20, 24, 28, 32}, tag_bits[] = {0, 0, 0, 0, 0, 20, 24, 28, 32, 40};
    const struct gen_chain *c = &g->chains[m->chain];
    const struct gen_pubkey *k = &g->trees[m->tree].keys[m->pkid];
    size_t sig_at = 13u + c->p.key_bytes, n_sig = gn_osnma_curves[k->curve].sig_bytes;
    unsigned n_blocks = (unsigned)(sig_at + n_sig + GN_OSNMA_BLOCK_BYTES - 1) / GN_OSNMA_BLOCK_BYTES;
    n_blocks = n_blocks < 7 ? 7 : n_blocks;
    int64_t t_s = (m->root_sf + 1) * GN_OSNMA_SUBFRAME_S;
    uint32_t wn = (uint32_t)(t_s / 604800 % 4096);
    uint8_t *d = m->bytes, msg[GN_OSNMA_DSM_BYTES + 1], pad[GN_OSNMA_HASH_BYTES];
    m->n_blocks = (uint8_t)n_blocks;
    d[0] = (uint8_t)((n_blocks - 6) << 4 | m->pkid);
    d[1] = (uint8_t)((m->chain & 3u) << 6 | 1u << 4 | (unsigned)c->p.hf << 2 | c->p.mf);
    d[2] = (uint8_t)(index_of(key_bytes, 9, c->p.key_bytes) << 4 | index_of(tag_bits, 10, c->p.tag_bits));
    d[3] = c->p.maclt;
    d[4] = (uint8_t)(wn >> 8);
    d[5] = (uint8_t)wn;
    d[6] = (uint8_t)(t_s % 604800 / 3600);
    memcpy(d + 7, c->p.alpha, sizeof c->p.alpha);
    memcpy(d + 13, m->root_sf == c->root_sf ? c->root : c->keys[m->root_sf - c->first_sf], c->p.key_bytes);
    msg[0] = m->header;
    memcpy(msg + 1, d + 1, sig_at - 1);
    if (n_blocks > 14 || !gn_osnma_sign(k->curve, k->secret, msg, sig_at, d + sig_at))
        return false;
    memcpy(msg + sig_at, d + sig_at, n_sig);
    bool ok = gn_osnma_hash(g->crypto, GN_OSNMA_SHA256, msg, sig_at + n_sig, pad);
    size_t n_pad = n_blocks * GN_OSNMA_BLOCK_BYTES - sig_at - n_sig;
    memcpy(d + sig_at + n_sig, pad, n_pad < sizeof pad ? n_pad : sizeof pad);
    return ok;
}

/* NB MID | four nodes | NPKT NPKID | key or message | padding */
static bool make_pkr(struct gn_osnma_gen *g, struct gen_msg *m)
{
    enum { LEAF_AT = 1 + 4 * GN_OSNMA_HASH_BYTES };
    const struct gen_tree *t = &g->trees[m->tree];
    uint8_t leaf[1 + GN_OSNMA_DSM_BYTES], msg[GN_OSNMA_HASH_BYTES + GN_OSNMA_DSM_BYTES], pad[GN_OSNMA_HASH_BYTES];
    size_t n_leaf = gen_leaf(g, m->tree, m->pkid, leaf);
    unsigned mid = (m->pkid + GEN_LEAVES - 1u) % GEN_LEAVES, at = GEN_LEAVES + mid;
    unsigned n_blocks = (unsigned)(LEAF_AT + n_leaf + GN_OSNMA_BLOCK_BYTES - 1) / GN_OSNMA_BLOCK_BYTES;
    n_blocks = n_blocks < 13 ? 13 : n_blocks;
    m->n_blocks = (uint8_t)n_blocks;
    m->bytes[0] = (uint8_t)((n_blocks - 6) << 4 | mid);
    for (unsigned j = 0; j < 4; j++, at /= 2)
        memcpy(m->bytes + 1 + (size_t)j * GN_OSNMA_HASH_BYTES, t->nodes[at ^ 1u], GN_OSNMA_HASH_BYTES);
    memcpy(m->bytes + LEAF_AT, leaf, n_leaf);
    memcpy(msg, t->nodes[1], GN_OSNMA_HASH_BYTES);
    memcpy(msg + GN_OSNMA_HASH_BYTES, leaf, n_leaf);
    bool ok = n_leaf > 0 && gn_osnma_hash(g->crypto, GN_OSNMA_SHA256, msg, GN_OSNMA_HASH_BYTES + n_leaf, pad);
    size_t n_pad = n_blocks * GN_OSNMA_BLOCK_BYTES - LEAF_AT - n_leaf;
    memcpy(m->bytes + LEAF_AT + n_leaf, pad, n_pad < sizeof pad ? n_pad : sizeof pad);
    return ok;
}

/* the newest root key at hand: of the last full hour, or the first */
static int64_t root_of(const struct gn_osnma_gen *g, unsigned chain, int64_t sf)
{
    const struct gen_chain *c = &g->chains[chain];
    int64_t hour = sf - sf % HOUR_SF - 1;
    bool floats = !g->c.is_root_fixed && g->c.root_age == 0 && hour >= c->first_sf;
    return floats && hour > c->root_sf ? hour : c->root_sf;
}

static uint8_t header_of(const struct gn_osnma_gen_step *s)
{
    return (uint8_t)((unsigned)s->nmas << 6 | (s->chain & 3u) << 4 | (unsigned)s->cpks << 1);
}

/* the message dsm says in a step at sf: the same one again, or a new one under the next DSM ID */
static gn_status find_msg(struct gn_osnma_gen *g, const struct gn_osnma_gen_step *s, const struct gn_osnma_gen_dsm *dsm,
        int64_t sf, uint32_t *ret)
{
    bool is_kroot = dsm->kind == GN_GEN_KROOT;
    struct gen_msg m = {.kind = dsm->kind, .chain = is_kroot ? dsm->chain : 0,
            .pkid = dsm->kind == GN_GEN_OAM ? 0 : dsm->pkid, .tree = dsm->tree, .header = header_of(s)};
    m.root_sf = is_kroot ? root_of(g, dsm->chain, sf) : 0;
    for (uint32_t i = g->n_msgs; i-- > 0;) {
        const struct gen_msg *o = &g->msgs[i];
        if (o->kind == m.kind && o->chain == m.chain && o->pkid == m.pkid && o->tree == m.tree &&
                o->header == m.header && o->root_sf == m.root_sf) {
            *ret = i;
            return GN_OK;
        }
    }
    if (g->n_msgs == GEN_MSGS_MAX)
        return GN_E_ARG;
    m.id = (uint8_t)(is_kroot ? g->n_kroots++ % 12 : 12 + g->n_pkrs++ % 4);
    if (!(is_kroot ? make_kroot(g, &m) : make_pkr(g, &m)))
        return GN_E_INTERNAL;
    *ret = g->n_msgs;
    g->msgs[g->n_msgs++] = m;
    return GN_OK;
}

/* Who is sent when: the messages of a step in turn; alone, one until the step or (a floating root key) the hour ends. */
gn_status gen_schedule(struct gn_osnma_gen *g)
{
    int64_t sf = g->start_sf;
    const struct gn_osnma_gen_step *last = NULL;
    unsigned turn = 0;
    while (sf < g->end_sf) {
        const struct gn_osnma_gen_step *s = gen_step(g, sf);
        int64_t end = s + 1 < g->c.steps + g->c.n_steps ? g->start_sf + s[1].from : g->end_sf;
        turn = s == last ? turn + 1 : 0;
        last = s;
        uint32_t i_msg = 0;
        gn_status st = find_msg(g, s, &s->dsms[turn % s->n_dsms], sf, &i_msg);
        if (st != GN_OK)
            return st;
        g->slots[g->n_slots++] = (struct gen_slot){.sf = sf, .i_msg = i_msg};
        int64_t hour = sf - sf % HOUR_SF + HOUR_SF;
        int64_t n = g->c.dsm_subframes != 0 ? g->c.dsm_subframes : g->msgs[i_msg].n_blocks;
        int64_t next = s->n_dsms > 1 ? sf + n : hour;
        sf = next < end ? next : end;
    }
    return GN_OK;
}

/* ---- checks and sizes -------------------------------------------------------------------------------------------- */
static bool is_key_size(unsigned n)
{
    return (n >= 12 && n <= 16) || n == 20 || n == 24 || n == 28 || n == 32;
}

static bool is_tag_size(unsigned n)
{
    return n == 20 || n == 24 || n == 28 || n == 32 || n == 40;
}

static bool set_chain(struct gn_osnma_gen *g, unsigned i)
{
    static const struct gn_osnma_gen_chain none;
    struct gen_chain *c = &g->chains[i];
    const struct gn_osnma_gen_chain *p = &g->c.chains[i];
    if (memcmp(p, &none, sizeof none) == 0)
        p = &g->c.chains[0];
    c->is_used = 1;
    c->p = (struct gn_tesla_chain){.hf = p->hf, .mf = p->mf, .key_bytes = p->key_bytes != 0 ? p->key_bytes : 16,
            .tag_bits = p->tag_bits != 0 ? p->tag_bits : 40, .maclt = p->maclt != 0 ? p->maclt : 34,
            .cid = i & 3u, .pkid = 1};
    const struct gn_osnma_maclt *t = gn_osnma_maclt_find(c->p.maclt);
    bool hf_ok = c->p.hf <= GN_OSNMA_SHA3_256 && (c->p.hf != GN_OSNMA_SHA3_224 || c->p.key_bytes <= GN_OSNMA_SHA3_224_BYTES);
    bool is_cmac = c->p.mf == GN_OSNMA_CMAC_AES;
    bool mf_ok = c->p.mf == GN_OSNMA_HMAC_SHA256 ||
                 (is_cmac && (c->p.key_bytes == 16 || c->p.key_bytes == 24 || c->p.key_bytes == 32));
    return hf_ok && mf_ok && is_key_size(c->p.key_bytes) && is_tag_size(c->p.tag_bits) && t != NULL &&
           t->n_tags == gn_osnma_n_tags(c->p.key_bytes, c->p.tag_bits);
}

static void use_key(struct gn_osnma_gen *g, unsigned tree, unsigned pkid)
{
    const struct gn_osnma_gen_config *c = &g->c;
    const struct gn_osnma_gen_dsm *first = c->steps[0].dsms;
    unsigned curve = c->curve[0] != 0 ? c->curve[0] : GN_OSNMA_P256;
    if (tree == 1 && c->curve[1] != 0)
        curve = c->curve[1];
    if (c->next_curve != 0 && (tree != first->tree || pkid != first->pkid))
        curve = c->next_curve;
    g->trees[tree].is_used = 1;
    g->trees[tree].keys[pkid].is_used = 1;
    g->trees[tree].keys[pkid].curve = (uint8_t)curve;
}

static bool use_dsm(struct gn_osnma_gen *g, const struct gn_osnma_gen_dsm *d)
{
    bool ok = d->kind <= GN_GEN_OAM && d->chain < GN_OSNMA_GEN_CHAINS_MAX && d->tree < 2 &&
              (d->kind == GN_GEN_OAM || (d->pkid >= 1 && d->pkid < GEN_LEAVES));
    if (!ok)
        return false;
    g->trees[d->tree].is_used = 1;
    if (d->kind != GN_GEN_OAM)
        use_key(g, d->tree, d->pkid);
    return d->kind != GN_GEN_KROOT || set_chain(g, d->chain);
}

static bool check_steps(struct gn_osnma_gen *g)
{
    const struct gn_osnma_gen_config *c = &g->c;
    bool ok = c->steps[0].from == 0 && c->steps[0].n_dsms > 0 && c->steps[0].dsms[0].kind == GN_GEN_KROOT;
    for (unsigned i = 0; ok && i < c->n_steps; i++) {
        const struct gn_osnma_gen_step *s = &c->steps[i];
        ok = (i == 0 || s->from > s[-1].from) && s->nmas < 4 && s->cpks < 8 && s->chain < GN_OSNMA_GEN_CHAINS_MAX &&
             s->n_dsms >= 1 && s->n_dsms <= GN_OSNMA_GEN_DSMS_MAX && set_chain(g, s->chain);
        for (unsigned k = 0; ok && k < s->n_dsms; k++)
            ok = use_dsm(g, &s->dsms[k]);
    }
    return ok && c->curve[0] < GN_OSNMA_CURVE_COUNT && c->curve[1] < GN_OSNMA_CURVE_COUNT &&
           c->next_curve < GN_OSNMA_CURVE_COUNT;
}

/* from the full hour before it is in force (or the stream's start) to the last slow tag's key */
static gn_status size_chain(struct gn_osnma_gen *g, unsigned i)
{
    struct gen_chain *c = &g->chains[i];
    int64_t first = g->end_sf;
    for (unsigned k = g->c.n_steps; k-- > 0;)
        if (g->c.steps[k].chain == i)
            first = g->start_sf + g->c.steps[k].from;
    c->first_sf = first - first % HOUR_SF - 1;
    c->root_sf = c->first_sf;
    if (g->c.root_age > 0) {
        int64_t oldest = first - g->c.root_age;
        c->root_sf = oldest - oldest % HOUR_SF - 1;
        if (c->root_sf > c->first_sf)
            c->root_sf = c->first_sf;
    }
    if (c->root_sf < 0)
        return GN_E_ARG;
    c->n_keys = (uint32_t)(g->end_sf + GEN_SLOW - c->first_sf);
    c->keys = calloc(c->n_keys, sizeof *c->keys);
    return c->keys != NULL ? GN_OK : GN_E_NOMEM;
}

/* ---- making ------------------------------------------------------------------------------------------------------ */
static gn_status make(struct gn_osnma_gen *g)
{
    gn_status st = GN_OK;
    if (g->c.n_steps == 0 && !gn_osnma_gen_event(&g->c, GN_GEN_NOMINAL, (const uint32_t[3]){0}))
        return GN_E_ARG;
    if (!check_steps(g))
        return GN_E_ARG;
    for (unsigned i = 0; st == GN_OK && i < GN_OSNMA_GEN_CHAINS_MAX; i++)
        if (g->chains[i].is_used)
            st = size_chain(g, i);
    g->msgs = calloc(GEN_MSGS_MAX, sizeof *g->msgs);
    g->slots = calloc((size_t)(g->end_sf - g->start_sf), sizeof *g->slots);
    g->crypto = gn_osnma_crypto_new();
    if (st != GN_OK || g->msgs == NULL || g->slots == NULL || g->crypto == NULL)
        return st != GN_OK ? st : GN_E_NOMEM;
    for (unsigned i = 0; i < 2; i++)
        if (g->trees[i].is_used && !gen_tree_make(g, i))
            return GN_E_INTERNAL;
    for (unsigned i = 0; i < GN_OSNMA_GEN_CHAINS_MAX; i++)
        if (g->chains[i].is_used && !gen_chain_make(g, i))
            return GN_E_INTERNAL;
    st = gen_schedule(g);
    for (unsigned i = 0; i < 2; i++)
        for (unsigned p = 0; p < GEN_LEAVES; p++)
            OPENSSL_cleanse(g->trees[i].keys[p].secret, sizeof g->trees[i].keys[p].secret);
    return st;
}

gn_status gn_osnma_gen_make(const struct gn_osnma_gen_config *c, struct gn_osnma_gen **ret)
{
    if (c->wn < 1 || c->tow_s >= 604800 || c->tow_s % GN_OSNMA_SUBFRAME_S != 0 || c->n_subframes == 0 ||
            c->n_subframes > GN_OSNMA_GEN_SUBFRAMES_MAX || c->root_age > GN_OSNMA_GEN_ROOT_AGE_MAX)
        return GN_E_ARG;
    struct gn_osnma_gen *g = calloc(1, sizeof *g);
    if (g == NULL)
        return GN_E_NOMEM;
    g->c = *c;
    g->start_sf = gn_osnma_sf(c->wn, c->tow_s);
    g->end_sf = g->start_sf + c->n_subframes;
    gn_status st = make(g);
    if (st != GN_OK) {
        gn_osnma_gen_free(g);
        return st;
    }
    *ret = g;
    return GN_OK;
}

gn_status gn_osnma_gen_new(uint64_t seed, int32_t wn, uint32_t tow_s, uint32_t n_subframes, struct gn_osnma_gen **ret)
{
    const struct gn_osnma_gen_config c = {.seed = seed, .wn = wn, .tow_s = tow_s, .n_subframes = n_subframes,
            .is_root_fixed = 1};
    return gn_osnma_gen_make(&c, ret);
}

void gn_osnma_gen_free(struct gn_osnma_gen *g)
{
    if (g == NULL)
        return;
    for (unsigned i = 0; i < GN_OSNMA_GEN_CHAINS_MAX; i++) {
        if (g->chains[i].keys != NULL)
            OPENSSL_cleanse(g->chains[i].keys, g->chains[i].n_keys * sizeof *g->chains[i].keys);
        free(g->chains[i].keys);
    }
    OPENSSL_cleanse(g->trees, sizeof g->trees);
    free(g->msgs);
    free(g->slots);
    gn_osnma_crypto_free(g->crypto);
    free(g);
}
