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
        o->stats.tesla_steps++;
    }
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

static void accept(struct gn_osnma *o, unsigned cid, const struct gn_tesla_key *key, uint32_t steps)
{
    struct chain *c = &o->chains[cid];
    if (key->sf > c->newest.sf || !c->is_used)
        c->newest = *key;
    c->is_used = 1;
    keys_fill(o, cid, key);
    osnma_key_event(o, GN_OSNMA_EV_KEY, key->sf, cid, c->p.pkid, GN_AUTHENTIC, steps, "");
}

/* Compare `from`, walked back n steps, with goal: at once, or as a task. */
static gn_verdict walk(struct gn_osnma *o, const struct chain *c, const struct gn_tesla_key *from,
        const struct gn_tesla_key *goal)
{
    struct gn_tesla_key key = *from;
    int64_t n = from->sf - goal->sf;
    if (n < 0 || n > GN_TESLA_STEPS_MAX)
        return GN_UNDECIDED;
    if (o->config.defers && n > WALK_INLINE) {
        if (o->task.kind == GN_OSNMA_TASK_NONE)
            o->task = (struct gn_osnma_task){.kind = GN_OSNMA_TASK_WALK, .chain = c->p, .from = *from,
                    .goal = *goal, .n_steps = n};
        return GN_UNDECIDED;
    }
    if (gn_tesla_walk(o->crypto, &c->p, &key, n, NULL, NULL) != GN_OK)
        return GN_UNDECIDED;
    o->stats.tesla_steps += (uint64_t)n;
    return memcmp(key.bytes, goal->bytes, c->p.key_bytes) == 0 ? GN_AUTHENTIC : GN_FORGED;
}

/* A claim newer than the last key must lead back to it; an older one must be what it leads to. */
static gn_verdict check(struct gn_osnma *o, const struct chain *c, const struct gn_tesla_key *claim)
{
    bool is_newer = claim->sf > c->newest.sf;
    return is_newer ? walk(o, c, claim, &c->newest) : walk(o, c, &c->newest, claim);
}

/* the key's pages: this satellite's where it has them, another's where not */
static bool gather(const struct subframe *s, unsigned i_prn, unsigned at, unsigned n_bytes, bool mixed,
        struct gn_tesla_key *ret)
{
    *ret = (struct gn_tesla_key){.sf = s->sf};
    for (unsigned i = 0; i < n_bytes; i++) { /* KS and TS are whole bytes or nibbles: at may be odd */
        uint64_t v = 0;
        bool ok = osnma_mack_bits(&s->sat[i_prn], at + 8 * i, 8, false, &v);
        for (unsigned p = 0; mixed && !ok && p < GN_OSNMA_PRNS; p++)
            ok = osnma_mack_bits(&s->sat[p], at + 8 * i, 8, false, &v);
        if (!ok)
            return false;
        ret->bytes[i] = (uint8_t)v;
    }
    return true;
}

/* Where this satellite's key differs from the one already known, someone lies. */
static void compare(struct gn_osnma *o, struct subframe *s, unsigned i_prn, unsigned at)
{
    struct gn_tesla_key key;
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
    struct gn_tesla_key claim;
    unsigned n_tags = gn_osnma_n_tags(c->p.key_bytes, c->p.tag_bits);
    unsigned at = n_tags * (c->p.tag_bits + 16u);
    const struct key_slot *known = osnma_key_at(o, s->sf);
    if (known != NULL) {
        compare(o, s, i_prn, at);
        return;
    }
    for (unsigned mixed = 0; mixed < 2; mixed++) {
        if (!gather(s, i_prn, at, c->p.key_bytes, mixed != 0, &claim))
            continue;
        if (s->key_tries >= KEY_TRIES)
            return;
        s->key_tries++;
        int64_t steps = claim.sf > c->newest.sf ? claim.sf - c->newest.sf : c->newest.sf - claim.sf;
        gn_verdict v = check(o, c, &claim);
        if (v == GN_AUTHENTIC)
            accept(o, cid, &claim, (uint32_t)steps);
        if (v == GN_FORGED && mixed == 0 && !s->sat[i_prn].is_key_told) {
            s->sat[i_prn].is_key_told = 1;
            osnma_key_event(o, GN_OSNMA_EV_KEY, s->sf, cid, c->p.pkid, GN_FORGED, (uint32_t)steps, "not-in-chain");
        }
        if (v != GN_FORGED)
            return;
    }
}

void osnma_key_claims(struct gn_osnma *o, int64_t sf, unsigned i_prn)
{
    unsigned cid = 0;
    struct subframe *s = osnma_sub(o, sf);
    if (s == NULL || !osnma_cid_of(o, sf, &cid) || !o->chains[cid].is_known)
        return;
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
        s->key_tries = 0;
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
    struct gn_tesla_key key = task->from;
    gn_status st = gn_tesla_walk(crypto, &task->chain, &key, task->n_steps, is_cancelled, arg);
    if (st == GN_OK)
        task->verdict = memcmp(key.bytes, task->goal.bytes, task->chain.key_bytes) == 0 ? GN_AUTHENTIC
                                                                                       : GN_FORGED;
    gn_osnma_crypto_free(crypto);
    return st;
}

/* the claim is the newer end when the chain's newest key is the goal, else the older one */
void osnma_walk_done(struct gn_osnma *o, const struct gn_osnma_task *task)
{
    unsigned cid = task->chain.cid & 3u;
    struct chain *c = &o->chains[cid];
    o->stats.tesla_steps += (uint64_t)task->n_steps;
    if (!c->is_known || memcmp(&c->p, &task->chain, sizeof c->p) != 0)
        return;
    bool is_newer = memcmp(&task->goal, &c->newest, sizeof c->newest) == 0;
    const struct gn_tesla_key *claim = is_newer ? &task->from : &task->goal;
    if (task->verdict == GN_AUTHENTIC)
        accept(o, cid, claim, (uint32_t)task->n_steps);
    else if (task->verdict == GN_FORGED)
        osnma_key_event(o, GN_OSNMA_EV_KEY, claim->sf, cid, c->p.pkid, GN_FORGED, (uint32_t)task->n_steps,
                "not-in-chain");
}
