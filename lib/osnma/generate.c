/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* One sub-frame of one satellite: tags, key, a block of the signed message. */
#include "lib/bits/bits.h"
#include "lib/osnma/generate_internal.h"

#include <string.h>

struct ask {
    struct gn_osnma_gen *g;
    int64_t sf;
    const struct gn_osnma_gen_step *step;
    const struct gn_tesla_chain *layout;
    const struct gn_osnma_maclt *table;
    const struct gn_osnma_gen_sat *sats;
    unsigned n_sats, i; /* sender */
};

static const struct gn_tesla_chain *chain_at(const struct gn_osnma_gen *g, int64_t sf)
{
    return &g->chains[gen_step(g, sf)->chain].p;
}

static uint64_t mac_bits(const struct ask *a, int64_t key_sf, const uint8_t *msg, size_t n_bits, unsigned n)
{
    uint8_t mac[GN_OSNMA_HASH_BYTES];
    const struct gn_tesla_chain *p = chain_at(a->g, key_sf);
    const uint8_t *key = gen_key(a->g, key_sf);
    if (key == NULL || !gn_osnma_mac(a->g->crypto, p->mf, key, p->key_bytes, msg, (n_bits + 7) / 8, mac))
        return 0;
    return gn_bits_get(mac, 8 * sizeof mac, 0, n);
}

/* parts of the words: {index, first bit, bits}, OSNMA SIS ICD 1.1 section 3.2.3.1 */
static void put_data(struct gn_bit_writer *w, const struct gn_osnma_gen_sat *s, unsigned adkd, bool is_dummy)
{
    static const uint8_t part[GN_OSNMA_GEN_WORDS][3] = {
            {0, 6, 120}, {1, 6, 120}, {2, 6, 122}, {3, 6, 120}, {4, 6, 67}, {5, 6, 99}, {6, 86, 42}};
    for (unsigned k = adkd == 4 ? 5 : 0; k < (adkd == 4 ? 7u : 5u); k++) {
        for (unsigned b = 0; b < part[k][2]; b++)
            gn_bits_put(w, is_dummy ? 0 : gn_bits_get(s->words[part[k][0]], 128, part[k][1] + b, 1), 1);
    }
}

/* Tag number k: the value; its Tag-Info (PRN_D, ADKD, COP) in *info. */
static uint64_t make_tag(const struct ask *a, unsigned k, unsigned adkd, const struct gn_osnma_gen_sat *d, unsigned *info)
{
    uint8_t msg[80] = {0};
    struct gn_bit_writer w = gn_bit_writer_of(msg, 8 * sizeof msg);
    unsigned cop = adkd == 4 ? d->cop_timing : d->cop_ced;
    cop = cop > 15 ? 15 : cop;
    *info = (unsigned)d->prn << 8 | adkd << 4 | cop;
    if (k > 0)
        gn_bits_put(&w, d->prn, 8);
    gn_bits_put(&w, a->sats[a->i].prn, 8);
    gn_bits_put(&w, gn_osnma_gst(a->sf), 32);
    gn_bits_put(&w, k + 1, 8);
    gn_bits_put(&w, a->step->nmas, 2);
    put_data(&w, d, adkd, cop == 0);
    return mac_bits(a, a->sf + (adkd == 12 ? GEN_SLOW : 1), msg, w.at, a->layout->tag_bits);
}

static unsigned make_macseq(const struct ask *a, const struct gn_osnma_slot *slots, const unsigned *info)
{
    uint8_t msg[5 + 2 * GN_OSNMA_TAGS_MAX] = {0};
    struct gn_bit_writer w = gn_bit_writer_of(msg, 8 * sizeof msg);
    gn_bits_put(&w, a->sats[a->i].prn, 8);
    gn_bits_put(&w, gn_osnma_gst(a->sf), 32);
    for (unsigned k = 1; k < a->table->n_tags; k++)
        if (slots[k].kind == GN_SLOT_FLEX)
            gn_bits_put(&w, info[k], 16);
    return (unsigned)mac_bits(a, a->sf + 1, msg, w.at, 12);
}

static unsigned adkd_of(const struct ask *a, const struct gn_osnma_slot *slot, unsigned turn)
{
    static const uint8_t mix[4] = {0, 12, 0, 4};
    if (slot->kind != GN_SLOT_FLEX)
        return slot->adkd;
    return a->g->c.flex_mix ? mix[turn % 4] : 0;
}

/* tag_0 MACSEQ COP | tag_k Tag-Info ... | key | zeros; others are covered in turn */
static void make_mack(const struct ask *a, uint8_t mack[GN_OSNMA_MACK_BYTES])
{
    const struct gn_osnma_slot *slots = a->table->slots[a->sf % 2];
    unsigned info[GN_OSNMA_TAGS_MAX], turn = (unsigned)(a->sf % 64);
    uint64_t tag[GN_OSNMA_TAGS_MAX];
    for (unsigned k = 0; k < a->table->n_tags; k++) {
        unsigned other = (a->i + 1 + (turn + k) % (a->n_sats > 1 ? a->n_sats - 1 : 1)) % a->n_sats;
        unsigned d = slots[k].kind == GN_SLOT_SELF ? a->i : other;
        tag[k] = make_tag(a, k, adkd_of(a, &slots[k], turn + k), &a->sats[d], &info[k]);
    }
    struct gn_bit_writer w = gn_bit_writer_of(mack, GN_OSNMA_MACK_BITS);
    for (unsigned k = 0; k < a->table->n_tags; k++) {
        gn_bits_put(&w, tag[k], a->layout->tag_bits);
        gn_bits_put(&w, k == 0 ? make_macseq(a, slots, info) << 4 | (info[0] & 15u) : info[k], 16);
    }
    const uint8_t *key = gen_key(a->g, a->sf);
    for (unsigned i = 0; key != NULL && i < a->layout->key_bytes; i++)
        gn_bits_put(&w, key[i], 8);
}

/* all satellites send the same message, each another block: spread them, so that few sub-frames give all */
static unsigned block_of(const struct ask *a, unsigned n_blocks, uint64_t turn)
{
    unsigned n = 0, rank = 0;
    for (unsigned k = 0; k < a->n_sats; k++) {
        rank += k < a->i && a->sats[k].has_osnma;
        n += a->sats[k].has_osnma != 0;
    }
    return (unsigned)(turn + rank * n_blocks / (n > 0 ? n : 1)) % n_blocks;
}

gn_status gn_osnma_gen_bits(struct gn_osnma_gen *g, int32_t wn, uint32_t tow_s, const struct gn_osnma_gen_sat *sats,
        unsigned n_sats, unsigned i, uint8_t bits[GN_OSNMA_PAGES][5])
{
    struct ask a = {.g = g, .sf = gn_osnma_sf(wn, tow_s), .sats = sats, .n_sats = n_sats, .i = i};
    uint8_t mack[GN_OSNMA_MACK_BYTES] = {0};
    if (wn < 0 || tow_s % GN_OSNMA_SUBFRAME_S != 0 || i >= n_sats || n_sats > GN_OSNMA_PRNS || a.sf < g->start_sf ||
            a.sf >= g->end_sf)
        return GN_E_ARG;
    memset(bits, 0, (size_t)GN_OSNMA_PAGES * 5);
    if (!sats[i].has_osnma)
        return GN_OK;
    a.step = gen_step(g, a.sf);
    a.layout = &g->chains[a.step->chain].p;
    a.table = gn_osnma_maclt_find(a.layout->maclt);
    make_mack(&a, mack);
    uint32_t turn = 0;
    const struct gen_msg *m = gen_msg_at(g, a.sf, &turn);
    unsigned block = block_of(&a, m->n_blocks, turn);
    for (unsigned p = 0; p < GN_OSNMA_PAGES; p++) {
        bits[p][0] = p == 0 ? m->header : p == 1 ? (uint8_t)(m->id << 4 | block)
                                                 : m->bytes[block * GN_OSNMA_BLOCK_BYTES + p - 2];
        memcpy(&bits[p][1], mack + (size_t)4 * p, 4);
    }
    return GN_OK;
}
