/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Pages in: checks, time of arrival, and where their bits are kept. */
#include "lib/bits/bits.h"
#include "lib/bits/crc24q.h"
#include "lib/osnma/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BITS 240u
#define ALONE_PAGES 4 /* so many pages in a row from one satellite: it is the only one */

gn_status gn_osnma_new(const struct gn_osnma_config *config, struct gn_osnma **ret)
{
    struct gn_osnma *o = calloc(1, sizeof *o);
    if (o == NULL)
        return GN_E_NOMEM;
    o->crypto = gn_osnma_crypto_new();
    if (o->crypto == NULL) {
        free(o);
        return GN_E_NOMEM;
    }
    o->config = *config;
    if (o->config.tag_bits == 0)
        o->config.tag_bits = 40;
    if (o->config.macs_max == 0)
        o->config.macs_max = 400;
    o->now_sf = -1;
    o->kroot_pending = config->anchor.has_kroot;
    for (unsigned i = 0; i < config->n_revoked && i < GN_COUNT(config->revoked); i++)
        o->chains[config->revoked[i].cid & 3u] = (struct chain){.is_revoked = 1, .p = config->revoked[i]};
    for (unsigned i = 0; i < GN_OSNMA_RETENTION; i++)
        o->subs[i].sf = -1;
    for (unsigned i = 0; i < N_KEYS; i++)
        o->keys[i].sf = -1;
    for (unsigned p = 0; p < GN_OSNMA_PRNS; p++) {
        for (unsigned i = 0; i < N_RS; i++)
            o->sats[p].rs_sf[i] = -1;
        for (unsigned i = 0; i < GN_OSNMA_WORDS; i++)
            o->sats[p].ring[i].sf = -1;
    }
    *ret = o;
    return GN_OK;
}

void gn_osnma_free(struct gn_osnma *o)
{
    if (o == NULL)
        return;
    gn_osnma_crypto_free(o->crypto);
    free(o);
}

const struct gn_osnma_stats *gn_osnma_stats(const struct gn_osnma *o)
{
    return &o->stats;
}

struct subframe *osnma_sub(struct gn_osnma *o, int64_t sf)
{
    if (sf < 0)
        return NULL;
    struct subframe *s = &o->subs[sf % GN_OSNMA_RETENTION];
    return s->sf == sf ? s : NULL;
}

struct subframe *osnma_sub_open(struct gn_osnma *o, int64_t sf)
{
    struct subframe *s = &o->subs[sf % GN_OSNMA_RETENTION];
    if (s->sf == sf)
        return s;
    if (s->sf > sf)
        return NULL; /* long gone */
    if (s->sf >= 0)
        osnma_evict(o, s);
    *s = (struct subframe){.sf = sf};
    return s;
}

/* The header most satellites sent: one forged signal does not speak for all. */
bool osnma_vote_header(struct gn_osnma *o, int64_t sf, uint8_t *header)
{
    uint8_t value[GN_OSNMA_PRNS], count[GN_OSNMA_PRNS];
    unsigned n = 0, best = 0;
    const struct subframe *s = osnma_sub(o, sf);
    for (unsigned p = 0; s != NULL && p < GN_OSNMA_PRNS; p++) {
        if ((s->sat[p].pages & 1u) == 0)
            continue;
        unsigned i = 0;
        while (i < n && value[i] != s->sat[p].hkroot[0])
            i++;
        if (i == n) {
            value[n] = s->sat[p].hkroot[0];
            count[n++] = 0;
        }
        count[i]++;
        if (count[i] > count[best])
            best = i;
    }
    if (n == 0)
        return false;
    *header = value[best];
    return true;
}

/* Chain in force in a sub-frame: by its own header, else when the headers around it agree. */
bool osnma_cid_of(struct gn_osnma *o, int64_t sf, unsigned *cid)
{
    uint8_t before = 0, after = 0;
    if (osnma_vote_header(o, sf, &before)) {
        *cid = gn_nma_cid(before);
        return true;
    }
    bool has_before = false, has_after = false;
    for (int i = 1; i <= GN_OSNMA_RETENTION && !has_before; i++)
        has_before = osnma_vote_header(o, sf - i, &before);
    for (int i = 1; i <= GN_OSNMA_RETENTION && !has_after; i++)
        has_after = osnma_vote_header(o, sf + i, &after);
    if (!has_before && !has_after)
        return false;
    *cid = gn_nma_cid(has_before ? before : after);
    return !has_before || !has_after || gn_nma_cid(before) == gn_nma_cid(after);
}

/* n bits from bit `at` of a MACK when their pages arrived (in time for all tags, with `fast`) */
bool osnma_mack_bits(const struct mack *m, unsigned at, unsigned n, bool fast, uint64_t *ret)
{
    unsigned pages = fast ? m->fast : m->pages;
    for (unsigned p = at / 32; p <= (at + n - 1) / 32; p++)
        if (p >= GN_OSNMA_PAGES || (pages >> p & 1u) == 0)
            return false;
    *ret = gn_bits_get(m->bytes, GN_OSNMA_MACK_BITS, at, n);
    return true;
}

static bool is_crc_good(const uint8_t *bits)
{
    struct gn_bit_reader in = gn_bit_reader_of(bits, PAGE_BITS);
    uint32_t crc = gn_crc24q(0, &in, 114);
    gn_bits_skip(&in, 6);
    crc = gn_crc24q(crc, &in, 82);
    return crc == gn_bits_u(&in, 24);
}

/* layout, CRC, alert and dummy pages: false drops the page */
static bool is_usable(struct gn_osnma *o, const struct gn_osnma_page *p)
{
    if (p->prn < 1 || p->prn > GN_OSNMA_PRNS || p->wn < 0 || p->tow_s >= 604800 ||
            (p->bits[0] & 0x80u) != 0 || (p->bits[15] & 0x80u) == 0) {
        o->stats.bad_page++;
        return false;
    }
    if (!is_crc_good(p->bits)) {
        o->stats.bad_crc++;
        return false;
    }
    bool is_alert = (p->bits[0] & 0x40u) != 0 || (p->bits[15] & 0x40u) != 0;
    bool is_dummy = (p->bits[0] & 0x3fu) == 0x3f; /* word type 63: its OSNMA field is filler */
    o->stats.alert += is_alert;
    o->stats.dummy += !is_alert && is_dummy;
    return !is_alert && !is_dummy;
}

static void put_osnma(struct gn_osnma *o, const struct gn_osnma_page *page, bool is_slow)
{
    int64_t sf = gn_osnma_sf(page->wn, page->tow_s);
    unsigned i_page = page->tow_s % GN_OSNMA_SUBFRAME_S / 2, i_prn = page->prn - 1u;
    uint64_t bits = gn_bits_get(page->bits, PAGE_BITS, 138, 40);
    /* 40 zeros = no OSNMA, but for a last page whose other fourteen were not zero */
    struct subframe *s = osnma_sub_open(o, sf);
    if (s == NULL)
        return;
    struct mack *m = &s->sat[i_prn];
    unsigned bit = 1u << i_page;
    if (bits == 0 && (i_page != GN_OSNMA_PAGES - 1 || m->pages != bit - 1u))
        return;
    if ((m->pages & bit) != 0)
        return; /* the first one counts: a repetition proves nothing */
    m->pages |= (uint16_t)bit;
    if (!is_slow)
        m->fast |= (uint16_t)bit;
    m->hkroot[i_page] = (uint8_t)(bits >> 32);
    for (unsigned k = 0; k < 4; k++)
        m->bytes[4 * i_page + k] = (uint8_t)(bits >> (24 - 8 * k));
    osnma_dsm_put(o, sf, i_prn, i_page);
    osnma_key_claims(o, sf, i_prn, i_page);
    osnma_settle_due(o, sf);
}

/* a page whose time has been found plausible; late_s: seconds behind the clock */
static void take(struct gn_osnma *o, const struct gn_osnma_page *page, double late_s)
{
    int64_t sf = gn_osnma_sf(page->wn, page->tow_s);
    bool is_slow = !(fabs(late_s) < TIME_FAST_S);
    if (!(fabs(late_s) < TIME_SLOW_S)) {
        o->stats.out_of_time++;
        return;
    }
    if (!page->has_rx && osnma_newest_key(o) >= sf + SLOW_SF) {
        o->stats.out_of_time++; /* every key that could vouch for it is public */
        return;
    }
    is_slow = is_slow || (!page->has_rx && osnma_newest_key(o) > sf);
    if (o->kroot_pending)
        osnma_kroot_stored(o, sf);
    if (sf > o->now_sf) {
        int64_t was = o->now_sf;
        o->now_sf = sf;
        if (was >= 0)
            osnma_header_tell(o, was);
        osnma_dsm_try_all(o);
    }
    osnma_words_put(o, page, is_slow);
    if (!page->is_e5b)
        put_osnma(o, page, is_slow);
}

static int64_t time_of(const struct gn_osnma_page *p)
{
    return (int64_t)p->wn * 604800 + p->tow_s;
}

/* second newest time among the satellites: nobody alone moves the clock, unless he is alone */
static int64_t run_time(const struct clock *c)
{
    int64_t first = 0, second = 0;
    for (unsigned i = 0; i < GN_OSNMA_PRNS; i++) {
        int64_t t = c->last_s[i];
        if (t > first) {
            second = first;
            first = t;
        } else if (t > second) {
            second = t;
        }
    }
    return second == 0 || c->n_same >= ALONE_PAGES ? c->last_s[c->prn - 1] : second;
}

/* Without a clock of the receiver's own: the run of all pages. It never goes back. A page far ahead waits until
 * another satellite has come as far. */
static void take_by_run(struct gn_osnma *o, const struct gn_osnma_page *page)
{
    struct clock *c = &o->clock;
    c->n_same = c->prn == page->prn ? (uint8_t)(c->n_same + (c->n_same < 255)) : 1;
    c->prn = page->prn;
    c->last_s[page->prn - 1] = time_of(page);
    int64_t t_s = run_time(c);
    if (t_s > c->t_s)
        c->t_s = t_s;
    unsigned n_held = c->n_held;
    c->n_held = 0;
    for (unsigned i = 0; i < n_held; i++) {
        if (time_of(&c->held[i]) - c->t_s < (int64_t)TIME_FAST_S)
            take(o, &c->held[i], (double)(c->t_s - time_of(&c->held[i])));
        else
            c->held[c->n_held++] = c->held[i];
    }
    if (time_of(page) - c->t_s < (int64_t)TIME_FAST_S) {
        take(o, page, (double)(c->t_s - time_of(page)));
        return;
    }
    if (c->n_held == GN_COUNT(c->held)) {
        memmove(&c->held[0], &c->held[1], sizeof c->held - sizeof c->held[0]);
        c->n_held--;
        o->stats.out_of_time++;
    }
    c->held[c->n_held++] = *page;
}

void gn_osnma_feed(struct gn_osnma *o, const struct gn_osnma_page *page, const struct gn_osnma_sink *sink)
{
    o->stats.pages++;
    if (!is_usable(o, page) || o->is_alert)
        return;
    o->sink = sink;
    o->budget = o->config.macs_max;
    if (page->has_rx)
        take(o, page, page->rx_gst_s - (double)time_of(page));
    else
        take_by_run(o, page);
    osnma_settle(o);
    osnma_status_tell(o);
    o->sink = NULL;
}

void gn_osnma_finish(struct gn_osnma *o, const struct gn_osnma_sink *sink)
{
    o->sink = sink;
    o->budget = UINT32_MAX;
    osnma_settle(o);
    for (int64_t sf = o->now_sf - GN_OSNMA_RETENTION + 1; sf <= o->now_sf; sf++) {
        struct subframe *s = osnma_sub(o, sf);
        if (s != NULL)
            osnma_evict(o, s);
        if (s != NULL)
            s->sf = -1;
    }
    o->sink = NULL;
}
