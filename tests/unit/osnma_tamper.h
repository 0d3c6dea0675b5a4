/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What forgers and bad reception do to a stream of signed pages: fields, pages, the list, anchors and clocks. */
#ifndef GN_TEST_OSNMA_TAMPER_H
#define GN_TEST_OSNMA_TAMPER_H

#include "tests/unit/osnma_help.h"

#include <math.h>

#define K 18u /* sub-frames */
#define N_PAGES (K * SKY_SATS * GN_OSNMA_PAGES)
#define ALL 99u /* satellite number: all of them */

struct stream {
    struct sky sky;
    struct gn_osnma_config config;
    struct gn_osnma_page pages[K][SKY_SATS][GN_OSNMA_PAGES];
    uint8_t drop[K][SKY_SATS][GN_OSNMA_PAGES];
    struct gn_osnma_page list[3 * N_PAGES];
    unsigned n;
    uint32_t x; /* pseudo-random, fixed seed */
};

struct kind {
    const char *name;
    void (*tamper)(struct stream *s, const struct kind *k);
    unsigned sat, at, n_bits; /* of the tampering: satellite, first bit, bits */
    unsigned value;
    unsigned percent_min, percent_max; /* authentic tags left, of an untouched stream's */
    bool early_list;                   /* tampers with the list, not with the grid */
};

static uint32_t dice(struct stream *s)
{
    s->x ^= s->x << 13; /* xorshift32 */
    s->x ^= s->x >> 17;
    s->x ^= s->x << 5;
    return s->x >> 4;
}

static bool hits(const struct kind *k, unsigned i)
{
    return k->sat == ALL || k->sat == i;
}

/* ---- fields ------------------------------------------------------------------------------------------------------- */
static void xor_bits(struct gn_osnma_page *p, unsigned at, unsigned n_bits, unsigned value)
{
    uint64_t v = gn_bits_get(p->bits, 240, at, n_bits);
    (void)gn_bits_set(p->bits, 240, at, n_bits, v ^ value);
    page_crc(p->bits);
}

#define EACH(s_, k_, i_)                                                                            \
    for (unsigned k_ = 0; k_ < K; k_++)                                                            \
        for (unsigned i_ = 0; i_ < SKY_SATS; i_++)

/* bit `at` of the NMA header (0..7) or DSM header (8..15) ^ value */
static void header(struct stream *s, const struct kind *k)
{
    EACH(s, f, i)
        if (hits(k, i) && s->sky.sats[i].has_osnma)
            xor_bits(&s->pages[f][i][k->at / 8], 138 + k->at % 8, k->n_bits, k->value);
}

/* bit `at` of the whole DSM, wherever its block is sent */
static void dsm(struct stream *s, const struct kind *k)
{
    unsigned block = k->at / 104, byte = k->at % 104 / 8;
    EACH(s, f, i)
    {
        unsigned sent = (unsigned)gn_bits_get(s->pages[f][i][1].bits, 240, 142, 4);
        if (hits(k, i) && s->sky.sats[i].has_osnma && sent == block)
            xor_bits(&s->pages[f][i][2 + byte], 138 + k->at % 8, k->n_bits, k->value);
    }
}

/* bit `at` of the MACK */
static void mack(struct stream *s, const struct kind *k)
{
    EACH(s, f, i)
        if (hits(k, i) && s->sky.sats[i].has_osnma)
            xor_bits(&s->pages[f][i][k->at / 32], 146 + k->at % 32, k->n_bits, k->value);
}

/* bit at % 112 of the word on page at / 112 */
static void word(struct stream *s, const struct kind *k)
{
    EACH(s, f, i)
        if (hits(k, i))
            xor_bits(&s->pages[f][i][k->at / 112], 2 + k->at % 112, k->n_bits, k->value);
}

/* the same from the tenth sub-frame on: true data were known before */
static void word_later(struct stream *s, const struct kind *k)
{
    EACH(s, f, i)
        if (hits(k, i) && f >= 9)
            xor_bits(&s->pages[f][i][k->at / 112], 2 + k->at % 112, k->n_bits, k->value);
}

/* ---- pages ---------------------------------------------------------------------------------------------------------- */
static void lose(struct stream *s, const struct kind *k)
{
    EACH(s, f, i)
        for (unsigned p = 0; p < GN_OSNMA_PAGES; p++)
            s->drop[f][i][p] = dice(s) % 100 < k->value;
}

static void lose_page(struct stream *s, const struct kind *k)
{
    EACH(s, f, i) s->drop[f][i][k->value] = 1;
}

static void bad_crc(struct stream *s, const struct kind *k)
{
    EACH(s, f, i)
        for (unsigned p = 0; p < GN_OSNMA_PAGES; p++)
            if (hits(k, i))
                s->pages[f][i][p].bits[k->at / 8] ^= (uint8_t)(0x80u >> k->at % 8);
}

static void page_type(struct stream *s, const struct kind *k)
{
    EACH(s, f, i)
        for (unsigned p = 0; p < GN_OSNMA_PAGES; p++)
            if (hits(k, i)) {
                struct gn_osnma_page *page = &s->pages[f][i][p];
                if (k->value == 1) { /* alert */
                    page->bits[0] |= 0x40;
                } else { /* dummy word, OSNMA filler as on air */
                    (void)gn_bits_set(page->bits, 240, 2, 6, 63);
                    (void)gn_bits_set(page->bits, 240, 138, 8, 0x4f);
                }
                page_crc(page->bits);
            }
}

static void no_osnma(struct stream *s, const struct kind *k)
{
    EACH(s, f, i)
        for (unsigned p = 0; p < GN_OSNMA_PAGES; p++)
            if (hits(k, i)) {
                (void)gn_bits_set(s->pages[f][i][p].bits, 240, 138, 40, 0);
                page_crc(s->pages[f][i][p].bits);
            }
}

static void e5b(struct stream *s, const struct kind *k)
{
    EACH(s, f, i)
        for (unsigned p = 0; p < GN_OSNMA_PAGES; p++)
            if (hits(k, i))
                s->pages[f][i][p].is_e5b = 1;
}

static void swap(struct stream *s, const struct kind *k)
{
    for (unsigned f = 0; f < K; f++)
        for (unsigned p = 0; p < GN_OSNMA_PAGES; p++) {
            uint8_t prn = s->pages[f][k->sat][p].prn;
            s->pages[f][k->sat][p].prn = s->pages[f][k->value][p].prn;
            s->pages[f][k->value][p].prn = prn;
        }
}

/* time tags that are wrong by value seconds: the satellite claims another time */
static void shift(struct stream *s, const struct kind *k)
{
    EACH(s, f, i)
        for (unsigned p = 0; p < GN_OSNMA_PAGES; p++)
            if (hits(k, i))
                s->pages[f][i][p].tow_s += k->value;
}

static void bogus(struct stream *s, const struct kind *k)
{
    struct gn_osnma_page *p = &s->pages[3][0][3];
    if (k->value == 0)
        p->prn = 0;
    if (k->value == 1)
        p->prn = 37;
    if (k->value == 2)
        p->prn = 255;
    if (k->value == 3)
        p->wn = -1;
    if (k->value == 4)
        p->tow_s = UINT32_MAX;
    if (k->value == 5)
        p->wn += 40; /* far ahead */
    if (k->value == 6)
        p->wn -= 40; /* far behind */
    if (k->value == 7)
        memset(p->bits, 0xff, sizeof p->bits);
    if (k->value == 8)
        memset(p->bits, 0, sizeof p->bits);
    if (k->value == 9)
        p->wn = INT32_MAX;
}

/* ---- the list ---------------------------------------------------------------------------------------------------------- */
static void twice(struct stream *s, const struct kind *k)
{
    for (unsigned n = s->n; n-- > 0;)
        s->list[2 * n] = s->list[2 * n + 1] = s->list[n];
    s->n *= 2;
    (void)k;
}

/* the whole stream once more at its end */
static void replay(struct stream *s, const struct kind *k)
{
    memcpy(s->list + s->n, s->list, s->n * sizeof s->list[0]);
    s->n *= 2;
    (void)k;
}

/* order within 2 s: who is decoded first does not matter */
static void shuffle(struct stream *s, const struct kind *k)
{
    for (unsigned n = 0; n + SKY_SATS <= s->n; n += SKY_SATS)
        for (unsigned i = SKY_SATS - 1; i > 0; i--) {
            unsigned j = dice(s) % (i + 1);
            struct gn_osnma_page t = s->list[n + i];
            s->list[n + i] = s->list[n + j];
            s->list[n + j] = t;
        }
    (void)k;
}

/* one satellite's pages come value pages (2 s each) later than the others' */
static void delay(struct stream *s, const struct kind *k)
{
    static struct gn_osnma_page out[N_PAGES];
    unsigned n = 0, n_rounds = s->n / SKY_SATS;
    for (unsigned r = 0; r < n_rounds + k->value; r++)
        for (unsigned i = 0; i < SKY_SATS; i++) {
            unsigned from = hits(k, i) ? r - k->value : r;
            if (from < n_rounds)
                out[n++] = s->list[from * SKY_SATS + i];
        }
    memcpy(s->list, out, n * sizeof out[0]);
    s->n = n;
}

/* ---- anchors and time ----------------------------------------------------------------------------------------------------- */
static void anchor(struct stream *s, const struct kind *k)
{
    struct gn_osnma_anchor *a = &s->config.anchor;
    struct sky other;
    if (k->value == 0) /* nothing at all */
        memset(a, 0, sizeof *a);
    if (k->value == 1) { /* somebody else's key */
        sky_init(&other, 99, 1400, 600, 5);
        *a = other.anchor;
        gn_osnma_gen_free(other.gen);
    }
    if (k->value == 2) /* root alone: no DSM-PKR is sent here */
        memset(a->pubkeys, 0, sizeof a->pubkeys);
    if (k->value == 3) /* the key under another number */
        a->pubkeys[0].pkid = 2;
    if (k->value == 4)
        s->config.has_trusted_time = 0;
    if (k->value == 5)
        s->config.time_uncertainty_s = 165;
    if (k->value == 6)
        s->config.time_uncertainty_s = 15;
    if (k->value == 7)
        s->config.time_uncertainty_s = 14.9;
    if (k->value == 8)
        s->config.tag_bits = 60000;
    if (k->value == 9)
        s->config.time_uncertainty_s = (double)NAN;
}

/* the receiver's own clock stands value - 200 s away from the signal's time */
static void clock_off(struct stream *s, const struct kind *k)
{
    for (unsigned n = 0; n < s->n; n++) {
        s->list[n].has_rx = 1;
        s->list[n].rx_gst_s = s->list[n].wn * 604800.0 + s->list[n].tow_s + (double)k->value - 200.0;
    }
}

static void nothing(struct stream *s, const struct kind *k)
{
    (void)s;
    (void)k;
}

#endif
