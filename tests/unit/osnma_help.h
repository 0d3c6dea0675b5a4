/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Shared by the OSNMA tests: pages from words, a collecting sink, a small signed sky. */
#ifndef GN_TEST_OSNMA_HELP_H
#define GN_TEST_OSNMA_HELP_H

#include "tests/support/gn_test.h"
#include "lib/bits/bits.h"
#include "lib/bits/crc24q.h"
#include "lib/osnma/engine.h"
#include "lib/osnma/generate.h"

#include <string.h>

#define SKY_SATS 8u
#define SKY_OSNMA 6u

/* what came out, counted */
struct got {
    unsigned tags[3], data_authentic, data_forged, data_untrusted;
    unsigned keys[4][3]; /* [kind][verdict] */
    unsigned n_status;
    char reason[GN_OSNMA_REASON]; /* of the last tag that was not authentic */
    struct gn_msg_osnma_data last;
    struct gn_msg_osnma_status status;
};

static inline void got_tag(void *arg, const struct gn_msg_osnma_tag *t)
{
    struct got *g = arg;
    g->tags[t->verdict]++;
    if (t->verdict != GN_AUTHENTIC)
        memcpy(g->reason, t->reason, sizeof g->reason);
}
static inline void got_data(void *arg, const struct gn_msg_osnma_data *d)
{
    struct got *g = arg;
    g->data_authentic += d->authentic;
    g->data_forged += d->forged;
    g->data_untrusted += !d->time_trusted;
    if (d->authentic)
        g->last = *d;
}
static inline void got_key(void *arg, enum gn_osnma_key_event kind, const struct gn_msg_osnma_key *k)
{
    ((struct got *)arg)->keys[kind][k->verdict]++;
}
static inline void got_status(void *arg, const struct gn_msg_osnma_status *s)
{
    struct got *g = arg;
    g->n_status++;
    g->status = *s;
}
static inline struct gn_osnma_sink got_sink(struct got *g)
{
    return (struct gn_osnma_sink){.arg = g, .tag = got_tag, .data = got_data, .key = got_key, .status = got_status};
}

/* a nominal page: type, word, OSNMA bits, CRC */
static inline void page_crc(uint8_t bits[30])
{
    struct gn_bit_reader in = gn_bit_reader_of(bits, 240);
    uint32_t crc = gn_crc24q(0, &in, 114);
    gn_bits_skip(&in, 6);
    crc = gn_crc24q(crc, &in, 82);
    (void)gn_bits_set(bits, 240, 202, 24, crc);
}
static inline void page_make(const uint8_t word[16], const uint8_t osnma[5], uint8_t bits[30])
{
    memset(bits, 0, 30);
    for (unsigned i = 0; i < 112; i++)
        (void)gn_bits_set(bits, 240, 2 + i, 1, gn_bits_get(word, 128, i, 1));
    (void)gn_bits_set(bits, 240, 120, 1, 1);
    for (unsigned i = 0; i < 16; i++)
        (void)gn_bits_set(bits, 240, 122 + i, 1, gn_bits_get(word, 128, 112 + i, 1));
    for (unsigned i = 0; i < 40; i++)
        (void)gn_bits_set(bits, 240, 138 + i, 1, gn_bits_get(osnma, 40, i, 1));
    page_crc(bits);
}

/* eight satellites with words of pseudo-random bits (fixed seed), six of them with OSNMA */
struct sky {
    struct gn_osnma_gen *gen;
    struct gn_osnma_gen_sat sats[SKY_SATS];
    struct gn_osnma_anchor anchor;
    int32_t wn;
    uint32_t tow_s;
};

static inline void sky_init(struct sky *s, uint64_t seed, int32_t wn, uint32_t tow_s, uint32_t n_subframes)
{
    static const uint8_t types[GN_OSNMA_GEN_WORDS] = {1, 2, 3, 4, 5, 6, 10};
    char json[1024];
    uint32_t x = 12345;
    memset(s, 0, sizeof *s);
    s->wn = wn;
    s->tow_s = tow_s;
    assert_int_equal(gn_osnma_gen_new(seed, wn, tow_s, n_subframes, &s->gen), GN_OK);
    size_t n = gn_osnma_gen_keys_json(s->gen, json, sizeof json);
    assert_int_not_equal(n, 0);
    assert_int_equal(gn_osnma_keys_parse(json, n, NULL, true, &s->anchor, NULL), GN_OK);
    for (unsigned i = 0; i < SKY_SATS; i++) {
        struct gn_osnma_gen_sat *t = &s->sats[i];
        t->prn = (uint8_t)(3 + 4 * i);
        t->has_osnma = i < SKY_OSNMA;
        t->cop_ced = t->cop_timing = 15;
        for (unsigned k = 0; k < GN_OSNMA_GEN_WORDS; k++) {
            for (unsigned b = 0; b < 16; b++)
                t->words[k][b] = (uint8_t)((x = x * 1664525u + 1013904223u) >> 24);
            (void)gn_bits_set(t->words[k], 128, 0, 6, types[k]);
            if (k < 4)
                (void)gn_bits_set(t->words[k], 128, 6, 10, 40 + i);
        }
    }
}

/* Page `p` of satellite i in the sub-frame k after the start. Words 1 to 6 go on pages 0 to 5, 10 on page 6. */
static inline struct gn_osnma_page sky_page(const struct sky *s, unsigned k, unsigned i, unsigned p)
{
    static const uint8_t spare[16] = {0}; /* word type 0 */
    uint8_t osnma[GN_OSNMA_PAGES][5];
    int64_t t_s = (int64_t)s->wn * 604800 + s->tow_s + 30 * (int64_t)k;
    struct gn_osnma_page page = {.wn = (int32_t)(t_s / 604800), .tow_s = (uint32_t)(t_s % 604800 + 1 + 2 * p),
            .prn = s->sats[i].prn};
    assert_int_equal(gn_osnma_gen_bits(s->gen, page.wn, (uint32_t)(t_s % 604800), s->sats, SKY_SATS, i, osnma), GN_OK);
    page_make(p < GN_OSNMA_GEN_WORDS ? s->sats[i].words[p] : spare, osnma[p], page.bits);
    return page;
}

#endif
