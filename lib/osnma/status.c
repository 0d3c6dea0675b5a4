/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* State of chains, keys and service. Acts only on what a signature, the Merkle tree or a tag vouches for.
 * Source: OSNMA SIS ICD 1.1 sections 5, 6; receiver guidelines. */
#include "lib/osnma/internal.h"

#include <stdio.h>
#include <string.h>

void osnma_key_event(struct gn_osnma *o, enum gn_osnma_key_event kind, int64_t sf, unsigned cid,
        unsigned pkid, gn_verdict verdict, uint32_t steps, const char *reason)
{
    int64_t t_s = sf * GN_OSNMA_SUBFRAME_S;
    struct gn_msg_osnma_key m = {.wn = (uint32_t)(t_s / 604800), .tow = (uint32_t)(t_s % 604800),
            .cid = (uint8_t)cid, .pkid = (uint8_t)pkid, .verdict = (uint8_t)verdict, .steps = steps};
    (void)snprintf(m.reason, sizeof m.reason, "%s", reason);
    if (o->sink != NULL && o->sink->key != NULL)
        o->sink->key(o->sink->arg, kind, &m);
}

static void status_event(struct gn_osnma *o, int64_t sf, uint8_t header, bool is_authenticated, const char *state)
{
    int64_t t_s = sf * GN_OSNMA_SUBFRAME_S;
    struct gn_msg_osnma_status m = {.wn = (uint32_t)(t_s / 604800), .tow = (uint32_t)(t_s % 604800),
            .nmas = (uint8_t)gn_nma_nmas(header), .cid = (uint8_t)gn_nma_cid(header),
            .cpks = (uint8_t)gn_nma_cpks(header), .authenticated = is_authenticated};
    (void)snprintf(m.state, sizeof m.state, "%s", state);
    if (o->sink != NULL && o->sink->status != NULL)
        o->sink->status(o->sink->arg, &m);
}

/* what the satellites say, before anybody vouched for it */
void osnma_header_tell(struct gn_osnma *o, int64_t sf)
{
    uint8_t header = 0;
    if (!osnma_vote_header(o, sf, &header) || (o->has_header_told && header == o->header_told))
        return;
    o->has_header_told = 1;
    o->header_told = header;
    bool is_known = o->is_authenticated && gn_nma_nmas(header) == o->nmas && gn_nma_cid(header) == o->cid &&
                    gn_nma_cpks(header) == o->cpks;
    if (!is_known)
        status_event(o, sf, header, false, "header");
    else if (o->is_header_last) /* back to what was vouched for */
        status_event(o, sf, header, true, o->state);
    o->is_header_last = !is_known;
}

static const char *state_of(const struct gn_osnma *o)
{
    static const char *const by_cpks[8] = {[GN_CPKS_END_OF_CHAIN] = "end-of-chain",
            [GN_CPKS_CHAIN_REVOKED] = "chain-revoked", [GN_CPKS_NEW_KEY] = "new-key",
            [GN_CPKS_KEY_REVOKED] = "key-revoked", [GN_CPKS_NEW_MERKLE] = "new-merkle-tree"};
    const struct gn_osnma_anchor *a = &o->config.anchor;
    bool has_key = false, has_chain = false;
    for (unsigned i = 0; i < GN_OSNMA_PUBKEYS_MAX; i++)
        has_key = has_key || a->pubkeys[i].is_used;
    for (unsigned i = 0; i < 4; i++)
        has_chain = has_chain || o->chains[i].is_known;
    if (o->is_alert)
        return "alert";
    if (!a->has_root && !a->has_new_root && !has_key)
        return "no-keys";
    if (o->has_status && o->nmas == GN_NMAS_DONT_USE)
        return by_cpks[o->cpks] != NULL ? by_cpks[o->cpks] : "dont-use";
    if (!has_chain)
        return has_key ? "warm" : "cold";
    if (!o->has_status)
        return "hot";
    return by_cpks[o->cpks] != NULL ? by_cpks[o->cpks] : o->nmas == GN_NMAS_TEST ? "test" : "operational";
}

/* say it when it changed */
void osnma_status_tell(struct gn_osnma *o)
{
    const char *state = state_of(o);
    if (o->now_sf < 0 || strcmp(state, o->state) == 0)
        return;
    (void)snprintf(o->state, sizeof o->state, "%s", state);
    o->is_header_last = 0;
    uint8_t header = (uint8_t)(o->nmas << 6 | o->cid << 4 | o->cpks << 1);
    status_event(o, o->now_sf, header, o->is_authenticated || o->is_alert, state);
}

static void set_status(struct gn_osnma *o, int64_t sf, uint8_t header)
{
    bool is_same = o->has_status && o->nmas == gn_nma_nmas(header) && o->cid == gn_nma_cid(header) &&
                   o->cpks == gn_nma_cpks(header);
    o->status_sf = sf;
    o->has_status = 1;
    o->is_authenticated = 1;
    o->nmas = (uint8_t)gn_nma_nmas(header);
    o->cid = (uint8_t)gn_nma_cid(header);
    o->cpks = (uint8_t)gn_nma_cpks(header);
    if (is_same)
        return;
    (void)snprintf(o->state, sizeof o->state, "%s", state_of(o));
    o->is_header_last = 0;
    status_event(o, o->now_sf, header, true, o->state);
}

/* a tag covers NMAS of its sub-frame, not the rest of the header; slow tags speak of the past */
void osnma_status_by_tag(struct gn_osnma *o, int64_t sf, unsigned nmas)
{
    if (!o->has_status || o->nmas == nmas || sf <= o->status_sf)
        return;
    set_status(o, sf, (uint8_t)(nmas << 6 | o->cid << 4 | o->cpks << 1));
}

void osnma_alert(struct gn_osnma *o)
{
    o->is_alert = 1;
    o->has_status = 1;
    o->nmas = GN_NMAS_DONT_USE;
    o->cpks = GN_CPKS_ALERT;
    for (unsigned i = 0; i < 4; i++)
        osnma_chain_drop(o, i);
    memset(&o->config.anchor, 0, sizeof o->config.anchor);
}

/* ---- public keys -------------------------------------------------------------------------------------------- */
static bool is_older(const struct gn_osnma *o, unsigned pkid, bool is_new_root)
{
    return o->pkid != 0 && pkid < o->pkid && is_new_root == (o->pkid_is_new_root != 0);
}

struct gn_osnma_pubkey *osnma_pubkey_add(struct gn_osnma *o, const struct gn_osnma_pubkey *key)
{
    struct gn_osnma_pubkey *free_slot = NULL;
    if (is_older(o, key->pkid, key->is_new_root) || !gn_osnma_point_ok(key->curve, key->point,
                                                              gn_osnma_curves[key->curve].point_bytes))
        return NULL;
    for (unsigned i = 0; i < GN_OSNMA_PUBKEYS_MAX; i++) {
        struct gn_osnma_pubkey *k = &o->config.anchor.pubkeys[i];
        if (k->is_used && k->pkid == key->pkid && k->is_new_root == key->is_new_root) {
            *k = *key; /* the tree outranks a file */
            return k;
        }
        if (!k->is_used && free_slot == NULL)
            free_slot = k;
    }
    if (free_slot != NULL)
        *free_slot = *key;
    return free_slot;
}

/* a chain signed with `key` was accepted: keys before it are over */
static void pkid_in_force(struct gn_osnma *o, const struct gn_osnma_pubkey *key)
{
    struct gn_osnma_anchor *a = &o->config.anchor;
    unsigned pkid = key->pkid;
    bool is_new_root = key->is_new_root != 0;
    for (unsigned i = 0; i < GN_OSNMA_PUBKEYS_MAX; i++) {
        struct gn_osnma_pubkey *k = &a->pubkeys[i];
        bool is_over = (k->is_new_root != 0) == is_new_root ? k->pkid < pkid : is_new_root;
        if (k->is_used && is_over)
            *k = (struct gn_osnma_pubkey){0};
    }
    if (is_new_root && a->has_new_root) {
        memcpy(a->root, a->new_root, sizeof a->root);
        a->has_root = 1;
        a->has_new_root = 0;
        for (unsigned i = 0; i < GN_OSNMA_PUBKEYS_MAX; i++)
            a->pubkeys[i].is_new_root = 0;
        is_new_root = false;
    }
    o->pkid = (uint8_t)pkid;
    o->pkid_is_new_root = is_new_root;
}

/* ---- chains ------------------------------------------------------------------------------------------------- */
static bool is_same_chain(const struct gn_tesla_chain *a, const struct gn_tesla_chain *b)
{
    return a->hf == b->hf && a->mf == b->mf && a->key_bytes == b->key_bytes && a->tag_bits == b->tag_bits &&
           a->maclt == b->maclt && memcmp(a->alpha, b->alpha, sizeof a->alpha) == 0;
}

/* does the newer of the two lead to the older? */
static bool is_on_chain(struct gn_osnma *o, const struct chain *c, const struct gn_tesla_key *root)
{
    bool is_newer = root->sf > c->newest.sf;
    struct gn_tesla_key back = is_newer ? *root : c->newest;
    const struct gn_tesla_key *goal = is_newer ? &c->newest : root;
    int64_t n = back.sf - goal->sf;
    return n <= WALK_INLINE && gn_tesla_walk(o->crypto, &c->p, &back, n, NULL, NULL) == GN_OK &&
           memcmp(back.bytes, goal->bytes, c->p.key_bytes) == 0;
}

/* Put a signed root key into its place; a floating one of the same chain must lead to what we have. False: the
 * chain we have is newer, this is an old message sent again. */
static bool chain_set(struct gn_osnma *o, const struct gn_tesla_chain *p, const struct gn_tesla_key *root)
{
    struct chain *c = &o->chains[p->cid];
    if (c->is_revoked && is_same_chain(&c->p, p))
        return false;
    if (c->is_known && is_same_chain(&c->p, p)) {
        if (root->sf < c->root.sf)
            return false; /* its header is history */
        c->p.pkid = p->pkid;
        if (is_on_chain(o, c, root)) {
            c->root = *root;
            if (root->sf > c->newest.sf && root->sf <= o->now_sf)
                c->newest = *root;
            return true;
        }
    } else if (c->is_known && root->sf < c->root.sf) {
        return false;
    }
    if (c->is_known)
        osnma_chain_drop(o, p->cid);
    *c = (struct chain){.is_known = 1, .p = *p, .root = *root, .newest = *root};
    return true;
}

static void act(struct gn_osnma *o, unsigned cid, uint8_t header)
{
    unsigned cpks = gn_nma_cpks(header), in_force = gn_nma_cid(header);
    bool is_revocation = cpks == GN_CPKS_CHAIN_REVOKED || cpks == GN_CPKS_KEY_REVOKED;
    if (is_revocation && gn_nma_nmas(header) == GN_NMAS_DONT_USE && in_force != cid)
        osnma_chain_drop(o, in_force);
    if (is_revocation && gn_nma_nmas(header) != GN_NMAS_DONT_USE)
        for (unsigned i = 0; i < 4; i++)
            if (i != cid && i != in_force && o->chains[i].is_known)
                osnma_chain_drop(o, i);
}

void osnma_kroot_accept(struct gn_osnma *o, const struct gn_osnma_kroot_fields *k, uint8_t header,
        const struct gn_osnma_pubkey *key, bool is_stored)
{
    struct gn_tesla_chain p = {.hf = k->hf, .mf = k->mf, .key_bytes = k->key_bytes, .tag_bits = k->tag_bits,
            .maclt = k->maclt, .cid = k->cid, .pkid = k->pkid};
    if (o->config.profile == GN_OSNMA_DRAFT && o->config.draft_keys > 1)
        p.keys_a_sf = o->config.draft_keys;
    memcpy(p.alpha, k->alpha, sizeof p.alpha);
    int64_t wn = gn_osnma_full_week(k->wn12, o->now_sf * GN_OSNMA_SUBFRAME_S / 604800);
    struct gn_tesla_key root = {.sf = gn_osnma_sf(wn, k->towh * 3600L) - 1};
    memcpy(root.bytes, k->kroot, sizeof root.bytes);
    const struct gn_osnma_maclt *t = gn_osnma_maclt_find(k->maclt);
    const char *why = "";
    if (is_older(o, k->pkid, key->is_new_root))
        why = "old-pkid";
    else if (t != NULL && t->n_tags != gn_osnma_n_tags(k->key_bytes, k->tag_bits))
        why = "sizes-and-maclt";
    else if (root.sf < 0 || !chain_set(o, &p, &root))
        why = "old-chain";
    osnma_key_event(o, GN_OSNMA_EV_KROOT, o->now_sf, k->cid, k->pkid,
            why[0] == '\0' ? GN_AUTHENTIC : GN_UNDECIDED, 0, why);
    if (why[0] != '\0')
        return;
    if (is_stored) { /* what its header said was then: only the keys count */
        const struct gn_osnma_config *start = &o->config;
        struct chain *c = &o->chains[k->cid];
        if (start->has_start_key && start->start_key_cid == k->cid && start->start_key.sf > c->newest.sf &&
                is_on_chain(o, c, &start->start_key))
            c->newest = start->start_key;
        osnma_keys_from_store(o, k->cid);
        return;
    }
    if (gn_nma_cpks(header) == GN_CPKS_ALERT && gn_nma_nmas(header) == GN_NMAS_DONT_USE) {
        set_status(o, o->now_sf, header);
        osnma_alert(o);
        return;
    }
    pkid_in_force(o, key);
    act(o, k->cid, header);
    set_status(o, o->now_sf, header);
    osnma_keys_from_store(o, k->cid);
}
