/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Keys off the air: put together from pages, checked against the chain in force, kept for the tags. */
#include "lib/bits/bits.h"
#include "lib/osnma/internal.h"

#include <string.h>

const struct key_slot *osnma_key_at(const struct gn_osnma *o, int64_t sf)
{
    if (sf < 0)
        return NULL;
    const struct key_slot *k = &o->keys[sf % N_KEYS];
    return k->sf == sf ? k : NULL;
}

/* false: it was there */
static bool key_keep(struct gn_osnma *o, unsigned cid, const struct gn_tesla_key *key)
{
    struct key_slot *k = &o->keys[key->sf % N_KEYS];
    if (k->sf >= key->sf)
        return false;
    *k = (struct key_slot){.sf = key->sf, .cid = (uint8_t)cid};
    memcpy(k->bytes, key->bytes, sizeof k->bytes);
    for (unsigned i = 0; i < 2; i++) {
        struct subframe *s = osnma_sub(o, key->sf - (i == 0 ? 1 : SLOW_SF));
        if (s != NULL)
            s->is_due = 1;
    }
    return true;
}

/* the newest key gives all before it: those of sub-frames in which this chain was in force */
static void keys_fill(struct gn_osnma *o, unsigned cid, const struct gn_tesla_key *newest)
{
    struct gn_tesla_key key = *newest;
    int64_t last = newest->sf - N_KEYS + 1;
    for (;;) {
        unsigned in_force = 4;
        bool is_new = false;
        if (key.sf == newest->sf || (osnma_cid_of(o, key.sf, &in_force) && in_force == cid))
            is_new = key_keep(o, cid, &key);
        if (is_new && key.sf != newest->sf && osnma_sub(o, key.sf) != NULL)
            osnma_key_event(o, GN_OSNMA_EV_KEY, key.sf, cid, o->chains[cid].p.pkid, GN_AUTHENTIC, 0, "derived");
        if (key.sf <= last || key.sf <= 0 || osnma_key_at(o, key.sf - 1) != NULL)
            return;
        if (!gn_tesla_step(o->crypto, &o->chains[cid].p, &key))
            return;
        o->stats.tesla_steps += (uint64_t)gn_tesla_keys_a_sf(&o->chains[cid].p);
    }
}

int64_t osnma_newest_key(const struct gn_osnma *o)
{
    int64_t ret = -1;
    for (unsigned i = 0; i < GN_COUNT(o->chains); i++)
        if (o->chains[i].is_known && o->chains[i].is_used && o->chains[i].newest.sf > ret)
            ret = o->chains[i].newest.sf;
    return ret;
}

void osnma_chain_drop(struct gn_osnma *o, unsigned cid)
{
    o->chains[cid].is_known = 0;
    o->chains[cid].is_revoked = 1;
    for (unsigned i = 0; i < N_KEYS; i++)
        if (o->keys[i].sf >= 0 && o->keys[i].cid == cid)
            o->keys[i].sf = -1;
    if (o->task.kind == GN_OSNMA_TASK_WALK && o->task.chain.cid == cid)
        o->task.verdict = GN_UNDECIDED;
}

/* the claim belongs to the chain: from here on it is a key */
static void accept(struct gn_osnma *o, unsigned cid, const struct gn_tesla_claim *claim, uint32_t steps)
{
    struct chain *c = &o->chains[cid];
    struct gn_tesla_key key = {.sf = claim->sf};
    memcpy(key.bytes, claim->bytes, sizeof key.bytes);
    if (key.sf > c->newest.sf || !c->is_used)
        c->newest = key;
    c->is_used = 1;
    keys_fill(o, cid, &key);
    osnma_key_event(o, GN_OSNMA_EV_KEY, key.sf, cid, c->p.pkid, GN_AUTHENTIC, steps, "");
}

/* Compare `from`, walked back n steps, with goal: at once, or as a task. */
static gn_verdict walk(struct gn_osnma *o, const struct chain *c, const struct gn_tesla_key *from,
        const struct gn_tesla_key *goal)
{
    struct gn_tesla_key key = *from;
    int64_t n = from->sf - goal->sf;
    int64_t n_hashes = n * gn_tesla_keys_a_sf(&c->p);
    if (!gn_tesla_is_walkable(&c->p, n))
        return GN_UNDECIDED;
    if (o->config.defers && n_hashes > WALK_INLINE) {
        if (o->task.kind == GN_OSNMA_TASK_NONE)
            o->task = (struct gn_osnma_task){.kind = GN_OSNMA_TASK_WALK, .chain = c->p, .from = *from,
                    .goal = *goal, .n_steps = n, .at = *from, .n_left = n};
        return GN_UNDECIDED;
    }
    if (gn_tesla_walk(o->crypto, &c->p, &key, n, NULL, NULL) != GN_OK)
        return GN_UNDECIDED;
    o->stats.tesla_steps += (uint64_t)n_hashes;
    return memcmp(key.bytes, goal->bytes, c->p.key_bytes) == 0 ? GN_AUTHENTIC : GN_FORGED;
}

/* A claim newer than the last key must lead back to it; an older one must be what it leads to. */
static gn_verdict check(struct gn_osnma *o, const struct chain *c, const struct gn_tesla_claim *claim)
{
    struct gn_tesla_key end = {.sf = claim->sf}; /* of the walk; no key before the verdict */
    memcpy(end.bytes, claim->bytes, sizeof end.bytes);
    bool is_newer = claim->sf > c->newest.sf;
    return is_newer ? walk(o, c, &end, &c->newest) : walk(o, c, &c->newest, &end);
}

/* Which satellite's page to take: its own, else the one most others agree on. -1: nobody has it. */
static int page_source(const struct subframe *s, unsigned i_prn, unsigned p, bool mixed)
{
    int ret = -1;
    unsigned most = 0;
    if ((s->sat[i_prn].pages >> p & 1u) != 0)
        return (int)i_prn;
    for (unsigned i = 0; mixed && i < GN_OSNMA_PRNS; i++) {
        unsigned n = 0;
        if ((s->sat[i].pages >> p & 1u) == 0)
            continue;
        for (unsigned k = 0; k < GN_OSNMA_PRNS; k++)
            n += (s->sat[k].pages >> p & 1u) != 0 && memcmp(s->sat[k].bytes + 4 * p, s->sat[i].bytes + 4 * p, 4) == 0;
        if (n > most) {
            most = n;
            ret = (int)i;
        }
    }
    return ret;
}

/* the key of a sub-frame: this satellite's pages, with mixed another's where it lost some */
static bool gather(const struct subframe *s, unsigned i_prn, unsigned at, unsigned n_bytes, bool mixed,
        struct gn_tesla_claim *ret)
{
    struct mack m = {0};
    *ret = (struct gn_tesla_claim){.sf = s->sf};
    for (unsigned p = at / 32; p <= (at + 8 * n_bytes - 1) / 32 && p < GN_OSNMA_PAGES; p++) {
        int from = page_source(s, i_prn, p, mixed);
        if (from < 0)
            return false;
        m.pages |= (uint16_t)(1u << p);
        memcpy(m.bytes + 4 * p, s->sat[from].bytes + 4 * p, 4);
    }
    for (unsigned i = 0; i < n_bytes; i++) { /* tags may be of 20 or 28 bits: at need not be a whole byte */
        uint64_t v = 0;
        if (!osnma_mack_bits(&m, at + 8 * i, 8, false, &v))
            return false;
        ret->bytes[i] = (uint8_t)v;
    }
    return true;
}

static bool has_failed(const struct subframe *s, const struct gn_tesla_claim *claim)
{
    for (unsigned i = 0; i < s->n_failed; i++)
        if (memcmp(s->failed[i], claim->bytes, sizeof claim->bytes) == 0)
            return true;
    return s->n_failed == KEY_TRIES;
}

/* Where this satellite's key differs from the one already known, someone lies. */
static void compare(struct gn_osnma *o, struct subframe *s, unsigned i_prn, unsigned at)
{
    struct gn_tesla_claim key;
    const struct key_slot *k = osnma_key_at(o, s->sf);
    const struct chain *c = &o->chains[k->cid];
    struct mack *m = &s->sat[i_prn];
    if (m->is_key_told || !gather(s, i_prn, at, c->p.key_bytes, false, &key))
        return;
    m->is_key_told = 1;
    if (memcmp(key.bytes, k->bytes, c->p.key_bytes) != 0)
        osnma_key_event(o, GN_OSNMA_EV_KEY, s->sf, k->cid, c->p.pkid, GN_FORGED, 0, "differs");
}

static void try_claim(struct gn_osnma *o, struct subframe *s, unsigned i_prn, unsigned cid)
{
    struct chain *c = &o->chains[cid];
    struct gn_tesla_claim claim;
    unsigned n_tags = gn_osnma_n_tags(c->p.key_bytes, c->p.tag_bits);
    unsigned at = n_tags * (c->p.tag_bits + 16u);
    const struct key_slot *known = osnma_key_at(o, s->sf);
    if (known != NULL) {
        compare(o, s, i_prn, at);
        return;
    }
    for (unsigned mixed = 0; mixed < 2; mixed++) {
        if (!gather(s, i_prn, at, c->p.key_bytes, mixed != 0, &claim) || has_failed(s, &claim))
            continue;
        int64_t steps = claim.sf > c->newest.sf ? claim.sf - c->newest.sf : c->newest.sf - claim.sf;
        gn_verdict v = check(o, c, &claim);
        if (v == GN_AUTHENTIC)
            accept(o, cid, &claim, (uint32_t)steps);
        if (v != GN_FORGED)
            return;
        memcpy(s->failed[s->n_failed++], claim.bytes, sizeof claim.bytes);
        if (mixed != 0 || s->sat[i_prn].is_key_told)
            continue;
        s->sat[i_prn].is_key_told = 1;
        osnma_key_event(o, GN_OSNMA_EV_KEY, s->sf, cid, c->p.pkid, GN_FORGED, (uint32_t)steps, "not-in-chain");
    }
}

void osnma_key_claims(struct gn_osnma *o, int64_t sf, unsigned i_prn, unsigned i_page)
{
    unsigned cid = 0;
    struct subframe *s = osnma_sub(o, sf);
    if (s == NULL || !osnma_cid_of(o, sf, &cid) || !o->chains[cid].is_known)
        return;
    const struct gn_tesla_chain *p = &o->chains[cid].p;
    unsigned at = gn_osnma_n_tags(p->key_bytes, p->tag_bits) * (p->tag_bits + 16u);
    if (i_page == 0 || i_page >= at / 32) /* a header may tell the chain of a key that is already here */
        try_claim(o, s, i_prn, cid);
}

/* a chain has become known: the newest key in store settles the rest */
void osnma_keys_from_store(struct gn_osnma *o, unsigned cid)
{
    for (int64_t sf = o->now_sf; sf > o->now_sf - GN_OSNMA_RETENTION && sf >= 0; sf--) {
        unsigned in_force = 4;
        struct subframe *s = osnma_sub(o, sf);
        if (s == NULL || !osnma_cid_of(o, sf, &in_force) || in_force != cid)
            continue;
        s->n_failed = 0;
        for (unsigned p = 0; p < GN_OSNMA_PRNS && osnma_key_at(o, sf) == NULL; p++)
            if (s->sat[p].pages != 0)
                try_claim(o, s, p, cid);
        if (osnma_key_at(o, sf) != NULL || o->task.kind == GN_OSNMA_TASK_WALK)
            return;
    }
}

/* ---- tasks ------------------------------------------------------------------------------------------------ */
bool gn_osnma_task_take(struct gn_osnma *o, struct gn_osnma_task *ret)
{
    if (o->task.kind == GN_OSNMA_TASK_NONE || o->task_out)
        return false;
    o->task_out = 1;
    *ret = o->task;
    return true;
}

gn_status gn_osnma_task_run(struct gn_osnma_task *task, int (*is_cancelled)(void *arg), void *arg)
{
    task->verdict = GN_UNDECIDED;
    task->is_more = 0;
    if (task->kind == GN_OSNMA_TASK_SIGNATURE) {
        const struct gn_osnma_curve_info *curve = &gn_osnma_curves[task->curve % GN_OSNMA_CURVE_COUNT];
        task->verdict = gn_osnma_signature_verify(task->curve, task->point, curve->point_bytes, task->msg,
                task->n_msg, task->sig, task->n_sig);
        return GN_OK;
    }
    if (task->kind != GN_OSNMA_TASK_WALK)
        return GN_E_ARG;
    struct gn_osnma_crypto *crypto = gn_osnma_crypto_new();
    if (crypto == NULL)
        return GN_E_NOMEM;
    int64_t slice = GN_OSNMA_SLICE_HASHES / gn_tesla_keys_a_sf(&task->chain);
    int64_t n = task->n_left < slice ? task->n_left : slice;
    gn_status st = gn_tesla_walk(crypto, &task->chain, &task->at, n, is_cancelled, arg);
    task->n_left -= st == GN_OK ? n : 0;
    task->is_more = st == GN_OK && task->n_left > 0;
    if (st == GN_OK && !task->is_more)
        task->verdict = memcmp(task->at.bytes, task->goal.bytes, task->chain.key_bytes) == 0 ? GN_AUTHENTIC
                                                                                       : GN_FORGED;
    gn_osnma_crypto_free(crypto);
    return st;
}

/* the claim is the newer end when the chain's newest key is the goal, else the older one */
void osnma_walk_done(struct gn_osnma *o, const struct gn_osnma_task *task)
{
    unsigned cid = task->chain.cid & 3u;
    struct chain *c = &o->chains[cid];
    if (!c->is_known || memcmp(&c->p, &task->chain, sizeof c->p) != 0)
        return;
    if (task->is_more) {
        o->task = *task;
        return;
    }
    o->stats.tesla_steps += (uint64_t)(task->n_steps * gn_tesla_keys_a_sf(&c->p));
    bool is_newer = memcmp(&task->goal, &c->newest, sizeof c->newest) == 0;
    const struct gn_tesla_key *end = is_newer ? &task->from : &task->goal;
    struct gn_tesla_claim claim = {.sf = end->sf};
    struct subframe *s = osnma_sub(o, end->sf);
    memcpy(claim.bytes, end->bytes, sizeof claim.bytes);
    if (task->verdict == GN_AUTHENTIC)
        accept(o, cid, &claim, (uint32_t)task->n_steps);
    if (task->verdict != GN_FORGED)
        return;
    if (s != NULL && !has_failed(s, &claim))
        memcpy(s->failed[s->n_failed++], claim.bytes, sizeof claim.bytes);
    osnma_key_event(o, GN_OSNMA_EV_KEY, claim.sf, cid, c->p.pkid, GN_FORGED, (uint32_t)task->n_steps, "not-in-chain");
}
