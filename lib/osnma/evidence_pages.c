/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/osnma/evidence_pages.h"

#include "lib/bits/bits.h"
#include "lib/bits/crc24q.h"

#include <string.h>

#define PAGE_BITS 240u

static bool is_crc_good(const uint8_t *bits)
{
    struct gn_bit_reader in = gn_bit_reader_of(bits, PAGE_BITS);
    uint32_t crc = gn_crc24q(0, &in, 114);
    gn_bits_skip(&in, 6);
    crc = gn_crc24q(crc, &in, 82);
    return crc == gn_bits_u(&in, 24);
}

bool ev_is_good(const struct gn_osnma_page *p)
{
    bool is_nominal = (p->bits[0] & 0xc0u) == 0 && (p->bits[15] & 0xc0u) == 0x80;
    bool is_dummy = (p->bits[0] & 0x3fu) == 0x3f;
    return p->prn >= 1 && p->prn <= GN_OSNMA_PRNS && p->wn >= 0 && p->tow_s < 604800 && is_nominal && !is_dummy &&
           is_crc_good(p->bits);
}

bool ev_has_osnma(const struct gn_osnma_page *p)
{
    return !p->is_e5b && ev_is_good(p);
}

int64_t ev_sf(const struct gn_osnma_page *p)
{
    return gn_osnma_sf(p->wn, p->tow_s);
}

unsigned ev_index(const struct gn_osnma_page *p)
{
    return p->tow_s % GN_OSNMA_SUBFRAME_S / 2;
}

static uint8_t hkroot(const struct gn_osnma_page *p)
{
    return (uint8_t)gn_bits_get(p->bits, PAGE_BITS, 138, 8);
}

static uint32_t mack(const struct gn_osnma_page *p)
{
    return (uint32_t)gn_bits_get(p->bits, PAGE_BITS, 146, 32);
}

/* first page of a sub-frame not before sf */
static size_t lower(const struct ev_pages *in, int64_t sf)
{
    size_t from = 0, to = in->n;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (ev_sf(&in->p[mid]) < sf)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

struct ev_pages ev_range(const struct ev_pages *in, int64_t from_sf, int64_t to_sf)
{
    size_t i = lower(in, from_sf), k = lower(in, to_sf + 1);
    return (struct ev_pages){in->p + i, k > i ? k - i : 0};
}

/* merge sort: the order of reception stays within a sub-frame */
void ev_sort(struct gn_osnma_page *p, size_t n, struct gn_osnma_page *scratch)
{
    size_t half = n / 2, i = 0, k = half, at = 0;
    if (n < 2)
        return;
    ev_sort(p, half, scratch);
    ev_sort(p + half, n - half, scratch);
    if (ev_sf(&p[half - 1]) <= ev_sf(&p[half]))
        return;
    while (i < half && k < n)
        scratch[at++] = ev_sf(&p[i]) <= ev_sf(&p[k]) ? p[i++] : p[k++];
    while (i < half)
        scratch[at++] = p[i++];
    memcpy(p, scratch, at * sizeof *p); /* what is left lies in its place */
}

/* the first one counts: a repetition proves nothing */
const struct gn_osnma_page *ev_find(const struct ev_pages *in, int64_t sf, unsigned prn, unsigned index)
{
    for (size_t i = lower(in, sf); i < in->n && ev_sf(&in->p[i]) == sf; i++) {
        const struct gn_osnma_page *p = &in->p[i];
        if (ev_index(p) == index && (prn == 0 || p->prn == prn) && ev_has_osnma(p) &&
                (prn != 0 || hkroot(p) != 0 || mack(p) != 0))
            return p;
    }
    return NULL;
}

bool ev_mack(const struct ev_pages *in, int64_t sf, unsigned prn, unsigned at, unsigned n, uint64_t *ret)
{
    uint8_t bytes[GN_OSNMA_MACK_BYTES] = {0};
    for (unsigned k = at / 32; k <= (at + n - 1) / 32; k++) {
        const struct gn_osnma_page *p = k < GN_OSNMA_PAGES ? ev_find(in, sf, prn, k) : NULL;
        if (p == NULL)
            return false;
        (void)gn_bits_set(bytes, 8 * sizeof bytes, 32u * k, 32, mack(p));
    }
    *ret = gn_bits_get(bytes, 8 * sizeof bytes, at, n);
    return true;
}

bool ev_header(const struct ev_pages *in, int64_t sf, unsigned prn, uint8_t *ret)
{
    const struct gn_osnma_page *p = ev_find(in, sf, prn, 0);
    if (p == NULL || (hkroot(p) == 0 && mack(p) == 0))
        p = ev_find(in, sf, 0, 0);
    if (p == NULL)
        return false;
    *ret = hkroot(p);
    return true;
}

bool ev_key(const struct ev_pages *in, int64_t sf, unsigned prn, const struct gn_tesla_chain *chain,
        struct gn_tesla_key *ret)
{
    unsigned at = gn_osnma_n_tags(chain->key_bytes, chain->tag_bits) * (chain->tag_bits + 16u);
    *ret = (struct gn_tesla_key){.sf = sf};
    for (unsigned i = 0; i < chain->key_bytes; i++) {
        uint64_t v = 0;
        if (!ev_mack(in, sf, prn, at + 8 * i, 8, &v))
            return false;
        ret->bytes[i] = (uint8_t)v;
    }
    return true;
}

/* ---- signed messages -------------------------------------------------------------------------------------------------- */
struct pieces {
    uint16_t have[GN_OSNMA_BLOCKS_MAX]; /* bit i: byte i */
    uint8_t bytes[GN_OSNMA_DSM_BYTES];
    bool has_header, contradicts;
    uint8_t header;
};

static void put_piece(struct pieces *d, unsigned i_block, unsigned i_byte, uint8_t v)
{
    uint8_t *to = &d->bytes[i_block * GN_OSNMA_BLOCK_BYTES + i_byte];
    if ((d->have[i_block] >> i_byte & 1u) != 0 && *to != v)
        d->contradicts = true;
    *to = v;
    d->have[i_block] |= (uint16_t)(1u << i_byte);
}

/* a satellite's sub-frame tells the block by its page 1; the header by its page 0 */
static void put_page(struct pieces *d, const struct ev_pages *in, const struct gn_osnma_page *p, unsigned id)
{
    unsigned index = ev_index(p);
    const struct gn_osnma_page *one = ev_find(in, ev_sf(p), p->prn, 1);
    if (one == NULL || hkroot(one) >> 4 != id || index == 1)
        return;
    if (index > 1) {
        put_piece(d, hkroot(one) & 15u, index - 2, hkroot(p));
        return;
    }
    if (d->has_header && d->header != hkroot(p))
        d->contradicts = true;
    d->has_header = true;
    d->header = hkroot(p);
}

bool ev_dsm(const struct ev_pages *in, const struct gn_evidence_dsm *where, struct ev_dsm *ret)
{
    struct pieces d = {0};
    struct ev_pages near = ev_range(in, where->from_sf, where->to_sf);
    for (size_t i = 0; i < near.n; i++)
        if (ev_has_osnma(&near.p[i]))
            put_page(&d, &near, &near.p[i], where->id);
    if (d.contradicts || !d.has_header || d.have[0] == 0)
        return false;
    unsigned n = where->id < 12 ? gn_osnma_kroot_blocks(d.bytes[0]) : gn_osnma_pkr_blocks(d.bytes[0]);
    for (unsigned i = 0; i < n; i++)
        if (d.have[i] != (1u << GN_OSNMA_BLOCK_BYTES) - 1u)
            return false;
    *ret = (struct ev_dsm){.n_bytes = (size_t)n * GN_OSNMA_BLOCK_BYTES, .header = d.header};
    memcpy(ret->bytes, d.bytes, ret->n_bytes);
    return n > 0;
}

void ev_word(const struct gn_osnma_page *p, uint8_t word[GN_OSNMA_WORD_BYTES])
{
    struct gn_bit_writer w = gn_bit_writer_of(word, 8u * GN_OSNMA_WORD_BYTES);
    struct gn_bit_reader even = gn_bit_reader_of(p->bits, PAGE_BITS), odd = even;
    gn_bits_skip(&even, 2);
    gn_bits_skip(&odd, 122);
    gn_bits_copy(&w, &even, 112);
    gn_bits_copy(&w, &odd, 16);
}
