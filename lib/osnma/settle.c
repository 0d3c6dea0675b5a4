/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Tags whose key is known: what they cover, whether they fit, and what may be relied on after that.
 * Source: OSNMA SIS ICD 1.1 sections 3.2.3, 6.5 to 6.7. */
#include "lib/bits/bits.h"
#include "lib/bits/hex.h"
#include "lib/osnma/internal.h"

#include <stdio.h>
#include <string.h>

struct tag { /* one tag and all that goes into its MAC */
    int64_t sf;
    unsigned i, prn_a, prn_d, adkd, cop;
    uint64_t value;
    bool is_fast;      /* all its bits came in time for ADKD 0 and 4 */
    const struct gn_tesla_chain *chain; /* of the key */
    const struct key_slot *key;
};

/* ---- what to say about it --------------------------------------------------------------------------------- */
static void tell(struct gn_osnma *o, const struct tag *t, gn_verdict verdict, const char *reason, const char *data)
{
    int64_t t_s = t->sf * GN_OSNMA_SUBFRAME_S;
    struct gn_msg_osnma_tag m = {.wn = (uint32_t)(t_s / 604800), .tow = (uint32_t)(t_s % 604800),
            .prn_a = (uint8_t)t->prn_a, .prn_d = (uint8_t)t->prn_d, .adkd = (uint8_t)t->adkd,
            .ctr = (uint8_t)(t->i + 1), .verdict = (uint8_t)verdict};
    (void)snprintf(m.reason, sizeof m.reason, "%s", reason);
    (void)snprintf(m.data, sizeof m.data, "%s", data);
    o->stats.tags[verdict][t->adkd & 15u]++;
    if (o->sink != NULL && o->sink->tag != NULL)
        o->sink->tag(o->sink->arg, &m);
}

static void tell_data(struct gn_osnma *o, unsigned i_prn, unsigned adkd, struct content *c)
{
    int64_t t_s = c->sf * GN_OSNMA_SUBFRAME_S;
    bool is_enough = c->bits >= o->config.tag_bits && !c->forged;
    c->touched = 0;
    if (!is_enough && !c->forged)
        return;
    struct gn_msg_osnma_data m = {.prn = (uint8_t)(i_prn + 1), .adkd = (uint8_t)adkd,
            .authentic = is_enough && o->config.has_trusted_time,
            .time_trusted = o->config.has_trusted_time, .iod = c->iod, .bits = c->bits, .forged = c->forged,
            .content_bits = adkd == 4 ? GN_OSNMA_TIMING_BITS : GN_OSNMA_CED_BITS,
            .wn = (uint32_t)(t_s / 604800), .tow = (uint32_t)(t_s % 604800)};
    memcpy(m.data, c->data, sizeof m.data);
    memcpy(m.content, c->content, sizeof m.content);
    if (o->sink != NULL && o->sink->data != NULL)
        o->sink->data(o->sink->arg, &m);
}

void osnma_flush_data(struct gn_osnma *o)
{
    for (unsigned p = 0; p < GN_OSNMA_PRNS; p++)
        for (unsigned k = 0; k < 2; k++)
            for (unsigned i = 0; i < N_CONTENTS; i++)
                if (o->sats[p].contents[k][i].touched)
                    tell_data(o, p, k == 0 ? 0 : 4, &o->sats[p].contents[k][i]);
}

/* ---- contents: exact bits, not issue numbers ------------------------------------------------------------------ */
static struct content *content_of(struct gn_osnma *o, const struct tag *t, const struct candidate *c)
{
    struct content *list = o->sats[t->prn_d - 1].contents[t->adkd == 4], *oldest = &list[0];
    for (unsigned i = 0; i < N_CONTENTS; i++) {
        struct content *e = &list[i];
        if (e->is_used && memcmp(e->content, c->content, sizeof e->content) == 0)
            return e;
        if (!e->is_used || (oldest->is_used && e->sf < oldest->sf))
            oldest = e;
    }
    uint8_t hash[GN_OSNMA_HASH_BYTES];
    *oldest = (struct content){.is_used = 1, .iod = c->iod, .sf = t->sf};
    memcpy(oldest->content, c->content, sizeof oldest->content);
    size_t n = t->adkd == 4 ? (GN_OSNMA_TIMING_BITS + 7) / 8 : GN_OSNMA_CONTENT_BYTES;
    (void)gn_osnma_hash(o->crypto, GN_OSNMA_SHA256, c->content, n, hash);
    gn_hex_print(hash, 4, oldest->data);
    return oldest;
}

static void count_good(const struct tag *t, struct content *c, unsigned tag_bits)
{
    c->bits = (uint16_t)(c->bits > 60000 ? c->bits : c->bits + tag_bits);
    c->forged = 0;
    c->touched = 1;
    if (t->sf > c->sf)
        c->sf = t->sf;
}

/* a tag that fails starts the sum anew */
static void count_bad(const struct tag *t, struct content *c)
{
    c->bits = 0;
    c->forged = 1;
    c->touched = 1;
    if (t->sf > c->sf)
        c->sf = t->sf;
}

/* ---- the MAC ---------------------------------------------------------------------------------------------------- */
/* PRN_D (not in tag_0) || PRN_A || GST_SF || CTR || NMAS || navdata || zeros to a whole byte */
static bool fits(struct gn_osnma *o, const struct tag *t, unsigned nmas, const uint8_t *content)
{
    uint8_t msg[8 + GN_OSNMA_CONTENT_BYTES + 1] = {0}, mac[GN_OSNMA_HASH_BYTES];
    unsigned n_content = t->adkd == 4 ? GN_OSNMA_TIMING_BITS : GN_OSNMA_CED_BITS;
    struct gn_bit_writer w = gn_bit_writer_of(msg, 8 * sizeof msg);
    struct gn_bit_reader in = gn_bit_reader_of(content, 8 * (size_t)GN_OSNMA_CONTENT_BYTES);
    if (t->i > 0)
        gn_bits_put(&w, t->prn_d, 8);
    gn_bits_put(&w, t->prn_a, 8);
    gn_bits_put(&w, gn_osnma_gst(t->sf), 32);
    gn_bits_put(&w, t->i + 1, 8);
    gn_bits_put(&w, nmas, 2);
    gn_bits_copy(&w, &in, n_content);
    o->stats.macs++;
    if (o->budget > 0)
        o->budget--;
    if (w.is_past_end || !gn_osnma_mac(o->crypto, t->chain->mf, t->key->bytes, t->chain->key_bytes, msg,
                                 (w.at + 7) / 8, mac))
        return false;
    return gn_bits_get(mac, 8 * sizeof mac, 0, t->chain->tag_bits) == t->value;
}

/* NMAS to try: what the sender said, then what most said in that sub-frame, else in the next one */
static unsigned nmas_list(struct gn_osnma *o, const struct tag *t, unsigned ret[2])
{
    unsigned n = 0;
    uint8_t header = 0;
    const struct subframe *s = osnma_sub(o, t->sf);
    if ((s->sat[t->prn_a - 1].pages & 1u) != 0)
        ret[n++] = gn_nma_nmas(s->sat[t->prn_a - 1].hkroot[0]);
    if (osnma_vote_header(o, t->sf, &header) || (n == 0 && osnma_vote_header(o, t->sf + 1, &header)))
        if (n == 0 || ret[0] != gn_nma_nmas(header))
            ret[n++] = gn_nma_nmas(header);
    return n;
}

/* why a tag that fits is still not authentic; NULL: it is */
static const char *objection(const struct gn_osnma *o, const struct tag *t, unsigned nmas)
{
    bool is_slow = t->adkd == 12;
    double u_s = o->config.time_uncertainty_s;
    if (nmas == GN_NMAS_DONT_USE)
        return "dont-use";
    if (nmas == GN_NMAS_RESERVED)
        return "reserved-nmas";
    if (!o->config.has_trusted_time)
        return "no-trusted-time";
    if (!(u_s < (is_slow ? TIME_SLOW_S : TIME_FAST_S)))
        return "time-uncertain";
    if (!is_slow && !t->is_fast)
        return "late";
    return NULL;
}

static void settle_dummy(struct gn_osnma *o, const struct tag *t, const unsigned *nmas, unsigned n_nmas)
{
    static const uint8_t zeros[GN_OSNMA_CONTENT_BYTES];
    for (unsigned i = 0; i < n_nmas; i++)
        if (fits(o, t, nmas[i], zeros)) {
            const char *no = objection(o, t, nmas[i]);
            tell(o, t, no == NULL ? GN_AUTHENTIC : GN_UNDECIDED, no == NULL ? "dummy" : no, "");
            return;
        }
    tell(o, t, GN_FORGED, "dummy", "");
}

static void settle_tag(struct gn_osnma *o, const struct tag *t)
{
    struct candidate list[CANDIDATES_MAX];
    unsigned nmas[2], n_nmas = nmas_list(o, t, nmas), i = 0, k = 0;
    if (n_nmas == 0) {
        tell(o, t, GN_UNDECIDED, "no-header", "");
        return;
    }
    if (t->cop == 0) {
        settle_dummy(o, t, nmas, n_nmas);
        return;
    }
    unsigned n = osnma_candidates(&o->sats[t->prn_d - 1], t->adkd, t->cop, t->sf, list);
    if (n == 0) {
        tell(o, t, GN_UNDECIDED, "no-data", "");
        return;
    }
    bool ok = false;
    for (i = 0; i < n && !ok; i += !ok)
        for (k = 0; k < n_nmas && !ok; k += !ok)
            ok = fits(o, t, nmas[k], list[i].content);
    if (!ok && !list[0].is_strict) {
        tell(o, t, GN_UNDECIDED, "data-incomplete", "");
        return;
    }
    struct content *c = content_of(o, t, &list[ok ? i : 0]);
    const char *no = ok ? objection(o, t, nmas[k]) : NULL;
    if (!ok)
        count_bad(t, c);
    else if (no == NULL || strcmp(no, "no-trusted-time") == 0)
        count_good(t, c, t->chain->tag_bits);
    tell(o, t, !ok ? GN_FORGED : no == NULL ? GN_AUTHENTIC : GN_UNDECIDED, !ok ? "mac" : no == NULL ? "" : no,
            c->data);
    if (ok)
        osnma_status_by_tag(o, t->sf, nmas[k]);
}

/* ---- MACSEQ: vouches for the flexible slots ------------------------------------------------------------------- */
static void check_macseq(struct gn_osnma *o, const struct subframe *s, unsigned i_prn, struct mack *m,
        const struct gn_tesla_chain *layout, const struct gn_osnma_maclt *table)
{
    uint8_t msg[5 + 2 * GN_OSNMA_TAGS_MAX] = {0}, mac[GN_OSNMA_HASH_BYTES];
    struct gn_bit_writer w = gn_bit_writer_of(msg, 8 * sizeof msg);
    const struct key_slot *key = osnma_key_at(o, s->sf + 1);
    const struct gn_osnma_slot *slots = table->slots[s->sf % 2];
    uint64_t v = 0, macseq = 0;
    unsigned step = layout->tag_bits + 16u;
    if (key == NULL || m->macseq != MACSEQ_UNKNOWN || !osnma_mack_bits(m, layout->tag_bits, 12, false, &macseq))
        return;
    gn_bits_put(&w, i_prn + 1, 8);
    gn_bits_put(&w, gn_osnma_gst(s->sf), 32);
    for (unsigned i = 1; i < table->n_tags; i++) {
        if (slots[i].kind != GN_SLOT_FLEX)
            continue;
        if (!osnma_mack_bits(m, i * step + layout->tag_bits, 16, false, &v))
            return;
        gn_bits_put(&w, v, 16);
    }
    const struct gn_tesla_chain *chain = &o->chains[key->cid].p;
    o->stats.macs++;
    bool ok = gn_osnma_mac(o->crypto, chain->mf, key->bytes, chain->key_bytes, msg, w.at / 8, mac) &&
              gn_bits_get(mac, 8 * sizeof mac, 0, 12) == macseq;
    m->macseq = ok ? MACSEQ_GOOD : MACSEQ_BAD;
}

/* ---- which tags are due ------------------------------------------------------------------------------------------ */
/* fields of tag i; false when its pages did not all arrive */
static bool read_tag(const struct mack *m, const struct gn_tesla_chain *layout, unsigned i, unsigned i_prn, struct tag *t)
{
    unsigned at = i * (layout->tag_bits + 16u);
    uint64_t info = 0, unused = 0;
    if (!osnma_mack_bits(m, at, layout->tag_bits, false, &t->value) ||
            !osnma_mack_bits(m, at + layout->tag_bits, 16, false, &info))
        return false;
    t->is_fast = osnma_mack_bits(m, at, layout->tag_bits + 16u > 64 ? 64 : layout->tag_bits + 16u, true, &unused);
    t->i = i;
    t->prn_a = i_prn + 1;
    t->prn_d = i == 0 ? t->prn_a : (unsigned)(info >> 8);
    t->adkd = i == 0 ? 0 : (unsigned)(info >> 4 & 15u);
    t->cop = (unsigned)(info & 15u);
    return true;
}

/* what is wrong with the tag's place in the table; NULL: nothing */
static const char *misfit(const struct tag *t, const struct gn_osnma_slot *slot, const struct mack *m)
{
    if (slot->kind == GN_SLOT_FLEX && m->macseq != MACSEQ_GOOD)
        return m->macseq == MACSEQ_BAD ? "macseq" : "macseq-incomplete";
    if (t->adkd != 0 && t->adkd != 4 && t->adkd != 12)
        return "reserved-adkd";
    if (slot->kind != GN_SLOT_FLEX && t->adkd != slot->adkd)
        return "maclt";
    if (slot->kind == GN_SLOT_SELF && t->prn_d != t->prn_a)
        return "maclt";
    return t->prn_d < 1 || t->prn_d > GN_OSNMA_PRNS ? "reserved-prn" : NULL;
}

static void due_tag(struct gn_osnma *o, struct subframe *s, unsigned i_prn, unsigned i,
        const struct gn_tesla_chain *layout, const struct gn_osnma_maclt *table)
{
    struct mack *m = &s->sat[i_prn];
    struct tag t = {.sf = s->sf};
    if ((m->settled >> i & 1u) != 0 || !read_tag(m, layout, i, i_prn, &t))
        return;
    const struct gn_osnma_slot *slot = &table->slots[s->sf % 2][i];
    bool is_slow = slot->kind == GN_SLOT_FLEX ? t.adkd == 12 : slot->adkd == 12;
    t.key = osnma_key_at(o, s->sf + (is_slow ? SLOW_SF : 1));
    if (t.key == NULL || !o->chains[t.key->cid].is_known)
        return;
    t.chain = &o->chains[t.key->cid].p;
    const char *no = misfit(&t, slot, m);
    if (t.chain->tag_bits != layout->tag_bits)
        no = "sizes-changed";
    m->settled |= (uint16_t)(1u << i);
    if (no != NULL)
        tell(o, &t, GN_UNDECIDED, no, "");
    else
        settle_tag(o, &t);
}

/* the chain whose sizes and table the sub-frame was laid out by */
static const struct gn_tesla_chain *layout_of(struct gn_osnma *o, int64_t sf)
{
    unsigned cid = 0;
    if (osnma_cid_of(o, sf, &cid) && o->chains[cid].p.key_bytes != 0)
        return &o->chains[cid].p;
    const struct key_slot *k = osnma_key_at(o, sf + 1);
    return k != NULL ? &o->chains[k->cid].p : NULL;
}

static bool settle_subframe(struct gn_osnma *o, struct subframe *s)
{
    const struct gn_tesla_chain *layout = layout_of(o, s->sf);
    const struct gn_osnma_maclt *table = layout != NULL ? gn_osnma_maclt_find(layout->maclt) : NULL;
    if (table == NULL)
        return true;
    for (unsigned p = 0; p < GN_OSNMA_PRNS; p++) {
        if (s->sat[p].pages == 0)
            continue;
        if (o->budget == 0)
            return false;
        check_macseq(o, s, p, &s->sat[p], layout, table);
        for (unsigned i = 0; i < table->n_tags; i++)
            due_tag(o, s, p, i, layout, table);
    }
    return true;
}

/* newest first: what was sent last is what positioning waits for */
void osnma_settle(struct gn_osnma *o)
{
    bool any = false;
    for (int64_t sf = o->now_sf; sf > o->now_sf - GN_OSNMA_RETENTION && sf >= 0; sf--) {
        struct subframe *s = osnma_sub(o, sf);
        if (s == NULL || !s->is_due)
            continue;
        if (o->budget == 0) {
            o->stats.macs_put_off++;
            break;
        }
        any = true;
        s->is_due = !settle_subframe(o, s);
    }
    if (any)
        osnma_flush_data(o);
}

void osnma_settle_due(struct gn_osnma *o, int64_t sf)
{
    struct subframe *s = osnma_sub(o, sf);
    if (s != NULL && (osnma_key_at(o, sf + 1) != NULL || osnma_key_at(o, sf + SLOW_SF) != NULL))
        s->is_due = 1;
}

/* a sub-frame leaves: its unsettled tags never got a key */
void osnma_evict(struct gn_osnma *o, struct subframe *s)
{
    const struct gn_tesla_chain *layout = layout_of(o, s->sf);
    const struct gn_osnma_maclt *table = layout != NULL ? gn_osnma_maclt_find(layout->maclt) : NULL;
    for (unsigned p = 0; table != NULL && p < GN_OSNMA_PRNS; p++) {
        for (unsigned i = 0; i < table->n_tags; i++) {
            struct tag t = {.sf = s->sf};
            if ((s->sat[p].settled >> i & 1u) == 0 && read_tag(&s->sat[p], layout, i, p, &t))
                tell(o, &t, GN_UNDECIDED, "no-key", "");
        }
    }
}
