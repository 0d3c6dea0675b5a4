/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/osnma/generate_sky.h"

#include "lib/nav/inav.h"

#include <string.h>

static const uint8_t types[GN_OSNMA_GEN_WORDS] = {1, 2, 3, 4, 5, 6, 10};

/* Galileo OS SIS ICD 2.1, table 36; almanac words are sent as spare ones */
static unsigned type_at(uint32_t tow_s)
{
    enum { S = GN_OSNMA_GEN_SPARE };
    static const uint8_t layout[2][GN_OSNMA_PAGES] = {{2, 4, 6, S, S, 17, 19, 16, 0, 0, 1, 3, 5, 0, 16},
            {2, 4, 6, S, 10, 18, 20, 16, 0, 0, 1, 3, 5, 0, 16}};
    return layout[tow_s / GN_OSNMA_SUBFRAME_S % 2][tow_s % GN_OSNMA_SUBFRAME_S / 2];
}

/* do two words cover the same bits? Times of week and almanac pieces are not covered. */
static bool is_same(unsigned k, const uint8_t *a, const uint8_t *b)
{
    static const uint8_t first[GN_OSNMA_GEN_WORDS] = {0, 0, 0, 0, 6, 6, 86}, end[GN_OSNMA_GEN_WORDS] = {128, 128, 128,
                                                                                     128, 73, 105, 128};
    for (unsigned i = first[k]; i < end[k]; i++)
        if (((a[i / 8] ^ b[i / 8]) & 0x80u >> i % 8) != 0)
            return false;
    return true;
}

static void words_at(const struct gn_osnma_gen_sky *sky, unsigned i, int64_t sf, uint8_t ret[GN_OSNMA_GEN_WORDS][16])
{
    int64_t t_s = sf * GN_OSNMA_SUBFRAME_S;
    for (unsigned k = 0; k < GN_OSNMA_GEN_WORDS; k++)
        sky->source.word(sky->source.arg, i, types[k], (int32_t)(t_s / 604800), (uint32_t)(t_s % 604800), ret[k]);
}

/* What the sub-frame before sent is what the tags of this one cover. */
static void advance(struct gn_osnma_gen_sky *sky, unsigned i, int64_t sf, bool is_first)
{
    struct gn_osnma_gen_sat *s = &sky->sats[i];
    words_at(sky, i, sf - 1, s->words);
    bool same_ced = true, same_timing = true;
    for (unsigned k = 0; k < GN_OSNMA_GEN_WORDS && !is_first; k++) {
        bool same = is_same(k, s->words[k], sky->before[i][k]);
        same_ced = same_ced && (same || k >= 5);
        same_timing = same_timing && (same || k < 5);
    }
    if (is_first)
        s->cop_ced = s->cop_timing = 15;
    else {
        s->cop_ced = (uint8_t)(same_ced ? s->cop_ced + (s->cop_ced < 15) : 1);
        s->cop_timing = (uint8_t)(same_timing ? s->cop_timing + (s->cop_timing < 15) : 1);
    }
    memcpy(sky->before[i], s->words, sizeof sky->before[i]);
}

static gn_status enter(struct gn_osnma_gen_sky *sky, int64_t sf)
{
    int64_t t_s = sf * GN_OSNMA_SUBFRAME_S;
    gn_status st = GN_OK;
    if (sf < 1 || (sky->sf >= 0 && sf < sky->sf))
        return GN_E_ARG;
    for (int64_t k = sky->sf < 0 || sf - sky->sf > 16 ? sf : sky->sf + 1; k <= sf; k++)
        for (unsigned i = 0; i < sky->n_sats; i++)
            advance(sky, i, k, sky->sf < 0 || sf - sky->sf > 16);
    sky->sf = sf;
    for (unsigned i = 0; st == GN_OK && i < sky->n_sats; i++)
        st = gn_osnma_gen_bits(sky->gen, (int32_t)(t_s / 604800), (uint32_t)(t_s % 604800), sky->sats, sky->n_sats, i,
                sky->bits[i]);
    return st;
}

gn_status gn_osnma_gen_sky_page(struct gn_osnma_gen_sky *sky, unsigned i, int32_t wn, uint32_t tow_s,
        struct gn_osnma_page *ret)
{
    uint8_t word[16];
    struct gn_inav_extra extra = {0};
    int64_t sf = gn_osnma_sf(wn, tow_s);
    if (sky->n_sats > GN_OSNMA_PRNS || i >= sky->n_sats || tow_s % 2 != 1 || tow_s >= 604800)
        return GN_E_ARG;
    gn_status st = sf != sky->sf ? enter(sky, sf) : GN_OK;
    if (st != GN_OK)
        return st;
    memcpy(extra.osnma, sky->bits[i][tow_s % GN_OSNMA_SUBFRAME_S / 2], sizeof extra.osnma);
    sky->source.word(sky->source.arg, i, type_at(tow_s), wn, tow_s, word);
    *ret = (struct gn_osnma_page){.wn = wn, .tow_s = tow_s, .prn = sky->sats[i].prn};
    gn_inav_page_build(word, &extra, ret->bits);
    return GN_OK;
}
