/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Digital signature messages: pieced together byte by byte from all satellites, then checked. Only the
 * signature and the Merkle tree decide; a wrong piece costs time, not trust. */
#include "lib/osnma/internal.h"

#include <string.h>

#define DSM_AGE_SF (3600 / GN_OSNMA_SUBFRAME_S) /* an incomplete message is dropped after an hour */
#define PKR_ID     12u

static void kroot_checked(struct gn_osnma *o, const struct gn_osnma_task *t);

#define BLOCK_ALL  ((1u << GN_OSNMA_BLOCK_BYTES) - 1u)
#define RECENT_SF  20

/* Of the contents heard for a block: heard lately, by most satellites, last. NULL when none is whole. */
static const struct block *best(const struct dsm *d, unsigned i_block)
{
    const struct block *ret = NULL;
    for (unsigned i = 0; i < N_ALTS; i++) {
        const struct block *b = &d->blocks[i_block][i];
        if (b->have != BLOCK_ALL)
            continue;
        bool b_recent = b->sf + RECENT_SF >= d->last_sf, r_recent = ret != NULL && ret->sf + RECENT_SF >= d->last_sf;
        int b_n = __builtin_popcountll(b->prns), r_n = ret != NULL ? __builtin_popcountll(ret->prns) : 0;
        if (ret == NULL || b_recent > r_recent || (b_recent == r_recent && (b_n > r_n || (b_n == r_n && b->sf > ret->sf))))
            ret = b;
    }
    return ret;
}

/* the bytes of one satellite's block join the content they fit, else they start another one */
static void put_block(struct dsm *d, unsigned i_block, unsigned i_prn, const struct block *heard)
{
    struct block *list = d->blocks[i_block], *to = NULL, *worst = &list[0];
    for (unsigned i = 0; i < N_ALTS; i++) {
        struct block *b = &list[i];
        bool fits = b->have != 0;
        for (unsigned k = 0; k < GN_OSNMA_BLOCK_BYTES; k++)
            fits = fits && ((b->have & heard->have) >> k & 1u ? b->bytes[k] == heard->bytes[k] : true);
        if (fits && (to == NULL || __builtin_popcountll(b->prns) > __builtin_popcountll(to->prns)))
            to = b;
        int b_n = __builtin_popcountll(b->prns), w_n = __builtin_popcountll(worst->prns);
        if (b_n < w_n || (b_n == w_n && b->sf < worst->sf))
            worst = b;
    }
    for (unsigned i = 0; i < N_ALTS; i++)
        list[i].prns &= ~(1ULL << i_prn); /* one voice each */
    if (to == NULL) {
        to = worst;
        *to = (struct block){0};
    }
    to->prns |= 1ULL << i_prn;
    to->sf = heard->sf;
    for (unsigned k = 0; k < GN_OSNMA_BLOCK_BYTES; k++)
        if (heard->have >> k & 1u)
            to->bytes[k] = heard->bytes[k];
    to->have |= heard->have;
}

/* Put the message together from the best blocks; true when it is whole and other than before. */
static bool assemble(struct dsm *d, unsigned id)
{
    uint8_t bytes[GN_OSNMA_DSM_BYTES] = {0};
    const struct block *b = best(d, 0);
    unsigned n = b == NULL ? 0 : id < PKR_ID ? gn_osnma_kroot_blocks(b->bytes[0]) : gn_osnma_pkr_blocks(b->bytes[0]);
    for (unsigned i = 0; i < n; i++) {
        b = best(d, i);
        if (b == NULL)
            return false;
        memcpy(bytes + (size_t)i * GN_OSNMA_BLOCK_BYTES, b->bytes, GN_OSNMA_BLOCK_BYTES);
    }
    if (n == 0 || (n == d->n_blocks && memcmp(bytes, d->bytes, sizeof bytes) == 0))
        return false;
    d->n_blocks = (uint8_t)n;
    memcpy(d->bytes, bytes, sizeof bytes);
    d->is_done = d->n_tried = d->waits_key = 0;
    return true;
}

static void pkr_check(struct gn_osnma *o, struct dsm *d)
{
    struct gn_osnma_pkr_fields p;
    uint8_t root[GN_OSNMA_HASH_BYTES], header = 0;
    size_t n = (size_t)d->n_blocks * GN_OSNMA_BLOCK_BYTES;
    (void)osnma_vote_header(o, d->last_sf, &header);
    unsigned cid = gn_nma_cid(header);
    if (!gn_osnma_pkr_parse_as(o->config.profile, d->bytes, n, &p)) {
        d->n_tried = GN_COUNT(d->tried);
        if (gn_osnma_pkr_parse_as(GN_OSNMA_DRAFT, d->bytes, n, &p))
            osnma_key_event(o, GN_OSNMA_EV_PKR, d->last_sf, cid, p.npkid, GN_UNDECIDED, 0, "draft-option");
        return;
    }
    enum gn_osnma_key_event kind = p.npkt == GN_NPKT_OAM ? GN_OSNMA_EV_OAM : GN_OSNMA_EV_PKR;
    gn_osnma_merkle_root(o->crypto, p.leaf, p.leaf_bytes, p.mid, p.itn[0], root);
    const struct gn_osnma_anchor *a = &o->config.anchor;
    bool is_old = a->has_root && memcmp(root, a->root, sizeof root) == 0;
    bool is_new = a->has_new_root && memcmp(root, a->new_root, sizeof root) == 0;
    d->n_tried = GN_COUNT(d->tried);
    if (!is_old && !is_new) {
        bool has_any = a->has_root || a->has_new_root;
        osnma_key_event(o, kind, d->last_sf, cid, p.npkid, has_any ? GN_FORGED : GN_UNDECIDED, 0,
                has_any ? "merkle" : "no-merkle-root");
        return;
    }
    d->is_done = 1;
    osnma_key_event(o, kind, d->last_sf, cid, p.npkid, GN_AUTHENTIC, 0, is_old ? "" : "new-merkle-root");
    if (kind == GN_OSNMA_EV_OAM) {
        osnma_alert(o);
        return;
    }
    struct gn_osnma_pubkey key = {.pkid = p.npkid, .curve = p.curve, .is_new_root = !is_old, .is_used = 1};
    memcpy(key.point, p.leaf + 1, gn_osnma_curves[p.curve].point_bytes);
    if (osnma_pubkey_add(o, &key) != NULL)
        for (unsigned i = 0; i < PKR_ID; i++)
            if (o->dsms[i].waits_key) {
                o->dsms[i].waits_key = 0;
                o->dsms[i].n_tried = 0;
            }
}

/* the i-th key of that PKID: the old and the new Merkle tree may both have one */
static const struct gn_osnma_pubkey *pubkey_of(const struct gn_osnma *o, unsigned pkid, unsigned i)
{
    for (unsigned k = 0; k < GN_OSNMA_PUBKEYS_MAX; k++) {
        const struct gn_osnma_pubkey *key = &o->config.anchor.pubkeys[k];
        bool is_allowed = gn_osnma_curve_ok(o->config.profile, key->curve);
        if (key->is_used && is_allowed && key->pkid == pkid && i-- == 0)
            return key;
    }
    return NULL;
}

static bool make_task(struct gn_osnma *o, const uint8_t *dsm, size_t n, unsigned id, uint8_t header,
        const struct gn_osnma_kroot_fields *k, const struct gn_osnma_pubkey *key)
{
    size_t n_sig = gn_osnma_curves[key->curve].sig_bytes;
    const uint8_t *sig = gn_osnma_kroot_signature(k, dsm, n, n_sig);
    if (sig == NULL)
        return false;
    struct gn_osnma_task *t = &o->task;
    *t = (struct gn_osnma_task){.kind = GN_OSNMA_TASK_SIGNATURE, .dsm_id = (uint8_t)id, .header = header,
            .curve = key->curve, .i_pubkey = (uint8_t)(key - o->config.anchor.pubkeys),
            .n_dsm = (uint32_t)n, .n_msg = (uint32_t)k->msg_bytes, .n_sig = (uint32_t)n_sig};
    memcpy(t->dsm, dsm, n);
    memcpy(t->point, key->point, sizeof t->point);
    memcpy(t->msg, k->msg, k->msg_bytes);
    memcpy(t->sig, sig, n_sig);
    return true;
}

static void run_task_now(struct gn_osnma *o)
{
    struct gn_osnma_task t = o->task;
    if (o->config.defers)
        return;
    (void)gn_osnma_task_run(&t, NULL, NULL);
    o->task.kind = GN_OSNMA_TASK_NONE;
    kroot_checked(o, &t);
}

static void kroot_check(struct gn_osnma *o, struct dsm *d, unsigned id)
{
    struct gn_osnma_kroot_fields k;
    uint8_t header = 0;
    size_t n = (size_t)d->n_blocks * GN_OSNMA_BLOCK_BYTES;
    if (o->task.kind != GN_OSNMA_TASK_NONE || d->waits_key)
        return;
    if (!osnma_vote_header(o, d->last_sf, &header) && !osnma_vote_header(o, d->last_sf + 1, &header))
        return; /* a lost header page: the next one will do */
    for (unsigned i = 0; i < d->n_tried; i++)
        if (i < GN_COUNT(d->tried) && d->tried[i] == header)
            return;
    if (d->n_tried >= GN_COUNT(d->tried))
        return;
    d->tried[d->n_tried++] = header;
    if (!gn_osnma_kroot_parse_as(o->config.profile, header, d->bytes, n, &k)) {
        bool is_drafts = gn_osnma_kroot_parse_as(GN_OSNMA_DRAFT, header, d->bytes, n, &k);
        osnma_key_event(o, GN_OSNMA_EV_KROOT, d->last_sf, gn_nma_cid(header), d->bytes[0] & 15u, GN_UNDECIDED,
                0, is_drafts ? "draft-option" : "reserved-value");
        return;
    }
    const struct gn_osnma_pubkey *key = pubkey_of(o, k.pkid, 0);
    if (key == NULL) {
        d->waits_key = 1;
        osnma_key_event(o, GN_OSNMA_EV_KROOT, d->last_sf, k.cid, k.pkid, GN_UNDECIDED, 0, "no-public-key");
        return;
    }
    if (make_task(o, d->bytes, n, id, header, &k, key))
        run_task_now(o);
    else
        osnma_key_event(o, GN_OSNMA_EV_KROOT, d->last_sf, k.cid, k.pkid, GN_FORGED, 0, "signature-length");
}

/* ---- a signature has been checked ------------------------------------------------------------------------ */
static void kroot_checked(struct gn_osnma *o, const struct gn_osnma_task *t)
{
    struct gn_osnma_kroot_fields k;
    struct dsm *d = t->dsm_id < PKR_ID ? &o->dsms[t->dsm_id] : NULL;
    int64_t sf = d != NULL ? d->last_sf : o->now_sf;
    const struct gn_osnma_pubkey *key = &o->config.anchor.pubkeys[t->i_pubkey % GN_OSNMA_PUBKEYS_MAX];
    o->stats.signatures++;
    if (!gn_osnma_kroot_parse_as(o->config.profile, t->header, t->dsm, t->n_dsm, &k))
        return;
    bool is_same_key = key->is_used && key->curve == t->curve && memcmp(key->point, t->point, sizeof t->point) == 0;
    if (t->verdict == GN_FORGED && is_same_key) {
        const struct gn_osnma_pubkey *other = pubkey_of(o, k.pkid, 1);
        if (other != NULL && other != key && make_task(o, t->dsm, t->n_dsm, t->dsm_id, t->header, &k, other)) {
            run_task_now(o);
            return;
        }
    }
    if (t->verdict != GN_AUTHENTIC || !is_same_key) {
        gn_verdict v = t->verdict == GN_FORGED ? GN_FORGED : GN_UNDECIDED;
        osnma_key_event(o, GN_OSNMA_EV_KROOT, sf, k.cid, k.pkid, v, 0, v == GN_FORGED ? "signature" : "not-checked");
        return;
    }
    if (d != NULL && memcmp(d->bytes, t->dsm, t->n_dsm) == 0)
        d->is_done = 1;
    osnma_kroot_accept(o, &k, t->header, key, d == NULL);
}

void gn_osnma_task_done(struct gn_osnma *o, const struct gn_osnma_task *task, const struct gn_osnma_sink *sink)
{
    o->sink = sink;
    o->budget = o->config.macs_max;
    o->task.kind = GN_OSNMA_TASK_NONE;
    o->task_out = 0;
    if (task->kind == GN_OSNMA_TASK_SIGNATURE && !o->is_alert)
        kroot_checked(o, task);
    else if (task->kind == GN_OSNMA_TASK_WALK && !o->is_alert)
        osnma_walk_done(o, task);
    osnma_dsm_try_all(o);
    osnma_settle(o);
    osnma_status_tell(o);
    o->sink = NULL;
}

/* ---- pieces ------------------------------------------------------------------------------------------------- */
static void try_one(struct gn_osnma *o, unsigned id)
{
    struct dsm *d = &o->dsms[id];
    if (d->is_done || o->is_alert || d->n_blocks == 0 || d->n_tried >= GN_COUNT(d->tried))
        return;
    if (id >= PKR_ID)
        pkr_check(o, d);
    else
        kroot_check(o, d, id);
}

void osnma_dsm_try_all(struct gn_osnma *o)
{
    for (unsigned id = 0; id < GN_COUNT(o->dsms); id++)
        try_one(o, id);
}

void osnma_dsm_put(struct gn_osnma *o, int64_t sf, unsigned i_prn, unsigned i_page)
{
    struct subframe *s = osnma_sub(o, sf);
    const struct mack *m = &s->sat[i_prn];
    if ((m->pages & 2u) == 0) /* without the DSM header nobody knows what a byte is */
        return;
    unsigned id = m->hkroot[1] >> 4;
    struct dsm *d = &o->dsms[id];
    struct block heard = {.sf = sf};
    if (d->last_sf + DSM_AGE_SF < sf)
        *d = (struct dsm){.last_sf = sf};
    for (unsigned p = 2; p < GN_OSNMA_PAGES; p++) {
        heard.have |= (uint16_t)((m->pages >> p & 1u) << (p - 2));
        heard.bytes[p - 2] = m->hkroot[p];
    }
    if (i_page != 0 && heard.have != 0)
        put_block(d, m->hkroot[1] & 15u, i_prn, &heard);
    if (sf > d->last_sf)
        d->last_sf = sf;
    if (assemble(d, id) || i_page == 0)
        try_one(o, id);
}

/* the DSM-KROOT the user kept: placed in time by the first page, checked like one off the air */
void osnma_kroot_stored(struct gn_osnma *o, int64_t sf)
{
    struct gn_osnma_kroot_fields k;
    const struct gn_osnma_anchor *a = &o->config.anchor;
    o->kroot_pending = 0;
    o->now_sf = sf;
    if (!gn_osnma_kroot_parse_as(o->config.profile, a->nma_header, a->kroot, a->kroot_bytes, &k))
        return;
    const struct gn_osnma_pubkey *key = pubkey_of(o, k.pkid, 0);
    if (key != NULL && make_task(o, a->kroot, a->kroot_bytes, 15, a->nma_header, &k, key))
        run_task_now(o);
}
