/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* osnma.generate: signed Galileo pages by a TEST chain, as messages and as a page file. */
#include "lib/bits/bits.h"
#include "lib/bits/hex.h"
#include "lib/gnss/signal.h"
#include "lib/msg/nav.h"
#include "lib/nav/inav_words.h"
#include "lib/osnma/generate_sky.h"
#include "lib/pagein/feed.h"
#include "lib/sim/constellation.h"
#include "lib/sim/message.h"
#include "lib/time/time.h"
#include "plugins/osnma/blocks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SATS_MAX   GN_OSNMA_PRNS
#define KEYS_BYTES 8192u
#define WAIT_MS    100

struct generate {
    const char *start; /* parameters */
    double seconds_s, at1_s, at2_s, at3_s, root_age_s;
    int32_t setup, event, hash, mac, curve, next_curve;
    int64_t seed, n_sats, n_osnma, key_bits, tag_bits, maclt, pkid;
    uint8_t sends_pkr, flex_mix;
    const char *words, *out, *keys_out;
    struct gn_osnma_gen *gen; /* owned: start() makes it, stop() frees it */
    struct gn_osnma_gen_sky *sky; /* owned */
    FILE *f;                  /* owned */
    int64_t t_s, end_s;       /* GST seconds; odd */
    uint64_t n_pages;
    struct gn_osnma_gen_sat given[SATS_MAX]; /* words of a page file */
    int64_t eph_sf[SATS_MAX];
    struct gn_ephemeris eph[SATS_MAX];
};

static const char *const hash_names[] = {"SHA-256", "SHA3-256", NULL};
static const char *const mac_names[] = {"HMAC-SHA-256", "CMAC-AES", NULL};
static const char *const curve_names[] = {"same", "P-256", "P-521", "P-224", "P-384", NULL}; /* enum gn_osnma_curve */
static const char *const setups[] = {"own", "S1", "S2", "S3", "S4", NULL};

static const struct gn_port ports[] = {
        {.name = "pages", .doc = "E1-B pages of all satellites, second by second.", .schema = &gn_schema_page,
                .dir = GN_OUT, .n_msgs_max = SATS_MAX},
};

#define F64(name_, field_, unit_, def_, min_, max_, doc_)                                          \
    GN_PARAM_X(name_, struct generate, field_, GN_P_F64, unit_, def_, min_, max_, doc_, .flags = 0)

static const struct gn_param params[] = {
        GN_PARAM(struct generate, start, GN_P_TEXT, "", "2026-06-01T20:00:00GST", 0, 0,
                "Start with its scale (Z, GPST, GST, TAI); taken back to the full half minute of Galileo time."),
        F64("seconds", seconds_s, "s", "3600", 30, 2419200, "Length, whole half minutes."),
        GN_PARAM(struct generate, n_sats, GN_P_I64, "", "20", 1, GN_SIM_GAL_SATS,
                "Satellites of the made-up sky; with `words` those of the file."),
        GN_PARAM(struct generate, n_osnma, GN_P_I64, "", "20", 0, SATS_MAX, "So many of them send OSNMA."),
        GN_PARAM(struct generate, words, GN_P_PATH, "", "~", 0, 0,
                "Page file whose last words 1 to 6 and 10 of each satellite are signed instead of a made-up sky's."),
        GN_PARAM_X("setup", struct generate, setup, GN_P_ENUM, "", "own", 0, 0,
                "S1 to S4: seven satellites, key 96 bits, root key 32 min 11 s old, DSM-PKR in turn, P-224, P-256, "
                "P-384, P-521; own: as the other parameters say.",
                .choices = setups),
        GN_PARAM_X("event", struct generate, event, GN_P_ENUM, "", "nominal", 0, 0,
                "What happens at `at1`, `at2`, `at3` (OSNMA SIS ICD 1.1, section 5).", .choices = gn_osnma_gen_events),
        F64("at1", at1_s, "s", "900", 0, 2419200, "First step of the event, after the start."),
        F64("at2", at2_s, "s", "1800", 0, 2419200, "Second step."),
        F64("at3", at3_s, "s", "2700", 0, 2419200, "Third step."),
        GN_PARAM_X("hash", struct generate, hash, GN_P_ENUM, "", "SHA-256", 0, 0, "Of the chain.", .choices = hash_names),
        GN_PARAM_X("mac", struct generate, mac, GN_P_ENUM, "", "HMAC-SHA-256", 0, 0, "Of the tags.", .choices = mac_names),
        GN_PARAM(struct generate, key_bits, GN_P_I64, "", "128", 96, 256, "Of a TESLA key."),
        GN_PARAM(struct generate, tag_bits, GN_P_I64, "", "40", 20, 40, "Of a tag."),
        GN_PARAM(struct generate, maclt, GN_P_I64, "", "34", 0, 255, "MAC look-up table."),
        GN_PARAM_X("curve", struct generate, curve, GN_P_ENUM, "", "P-256", 0, 0, "Of the public key.",
                .choices = curve_names),
        GN_PARAM_X("next_curve", struct generate, next_curve, GN_P_ENUM, "", "same", 0, 0, "Of the keys after it.",
                .choices = curve_names),
        GN_PARAM(struct generate, pkid, GN_P_I64, "", "1", 1, 14, "Number of the public key."),
        F64("root_age", root_age_s, "s", "0", 0, 30e6,
                "The root key is so old and stays; 0: the hour's, signed again each hour."),
        GN_PARAM(struct generate, sends_pkr, GN_P_BOOL, "", "no", 0, 0, "DSM-PKR and DSM-KROOT take turns."),
        GN_PARAM(struct generate, flex_mix, GN_P_BOOL, "", "no", 0, 0, "Flexible slots carry ADKD 0, 4 and 12 in turn."),
        GN_PARAM(struct generate, seed, GN_P_I64, "", "1", 0, 1e15, "Of keys and chains: equal seeds give equal pages."),
        GN_PARAM(struct generate, out, GN_P_PATH, "", "~", 0, 0, "Page file to write (rows wn,tow,prn,sig,page)."),
        GN_PARAM(struct generate, keys_out, GN_P_PATH, "", "~", 0, 0, "Trust anchors to write, marked as test keys."),
};

/* ---- where words come from --------------------------------------------------------------------------------------- */
static void made_up_word(void *arg, unsigned i, unsigned type, int32_t wn, uint32_t tow_s, uint8_t word[16])
{
    struct generate *s = arg;
    int64_t sf = gn_osnma_sf(wn, tow_s);
    if (s->eph_sf[i] != sf) {
        const struct gn_sim_time t = {.week = wn + GN_GST_WEEK_0, .tow_s = (double)(tow_s - tow_s % 30)};
        gn_sim_ephemeris(GN_SIG_GAL_E1, i % GN_SIM_GAL_SATS, t, &s->eph[i]);
        s->eph[i].prn = s->sky->sats[i].prn;
        s->eph_sf[i] = sf;
    }
    gn_sim_inav_word_of(&s->eph[i], type == GN_OSNMA_GEN_SPARE ? GN_SIM_WORD_SPARE : type, wn, tow_s, word);
}

static void given_word(void *arg, unsigned i, unsigned type, int32_t wn, uint32_t tow_s, uint8_t word[16])
{
    const struct generate *s = arg;
    const struct gn_osnma_gen_sat *g = &s->given[i];
    uint8_t rs[GN_INAV_RS_WORDS][GN_INAV_WORD_BYTES];
    unsigned k = type == 10 ? 6 : type - 1;
    gn_inav_filler_write(0, word);
    if ((type >= 1 && type <= 6) || type == 10)
        memcpy(word, g->words[k], 16);
    if (type == 0)
        gn_inav_word0_write(wn, tow_s, word);
    if (type == 5)
        (void)gn_bits_set(word, 128, 73, 32, (uint64_t)(wn & 4095) << 20 | tow_s);
    if (type == 6)
        (void)gn_bits_set(word, 128, 105, 20, tow_s);
    if (type >= 17 && type <= 20) {
        gn_inav_rs_write((const uint8_t(*)[GN_INAV_WORD_BYTES])g->words, rs);
        memcpy(word, rs[type - 17], 16);
    }
}

static gn_status read_words(struct generate *s, const struct gn_host *h)
{
    struct gn_pagefeed *f = NULL;
    enum gn_pagefeed_got got = GN_PAGEFEED_PAGE;
    struct gn_osnma_gen_sat by_prn[GN_OSNMA_PRNS + 1];
    uint8_t has[GN_OSNMA_PRNS + 1] = {0}, word[GN_INAV_WORD_BYTES];
    struct gn_osnma_page p;
    struct gn_error err = {0};
    memset(by_prn, 0, sizeof by_prn);
    gn_status st = gn_pagefeed_open(s->words, GN_PAGEIN_AUTO, false, &f, &err);
    while (st == GN_OK && got != GN_PAGEFEED_END) {
        st = gn_pagefeed_next(f, WAIT_MS, &p, &got, &err);
        if (st != GN_OK || got != GN_PAGEFEED_PAGE || p.prn > GN_OSNMA_PRNS || !gn_inav_page_is_good(p.bits))
            continue;
        unsigned type = gn_inav_word(p.bits, word), k = type == 10 ? 6 : type - 1;
        if ((type < 1 || type > 6) && type != 10)
            continue;
        memcpy(by_prn[p.prn].words[k], word, sizeof word);
        has[p.prn] |= (uint8_t)(1u << k);
    }
    gn_pagefeed_close(f);
    if (st != GN_OK)
        return h->fail(h, st, "words", "%s", err.text);
    s->n_sats = 0;
    for (unsigned prn = 1; prn <= GN_OSNMA_PRNS; prn++) {
        const uint8_t(*w)[16] = (const uint8_t(*)[16])by_prn[prn].words;
        bool one_iod = gn_inav_iod(w[0]) == gn_inav_iod(w[1]) && gn_inav_iod(w[0]) == gn_inav_iod(w[2]) &&
                       gn_inav_iod(w[0]) == gn_inav_iod(w[3]);
        if (has[prn] != 0x7f || !one_iod)
            continue;
        by_prn[prn].prn = (uint8_t)prn;
        s->given[s->n_sats++] = by_prn[prn];
    }
    return s->n_sats > 0 ? GN_OK : h->fail(h, GN_E_DATA, "words", "no satellite's words are whole in '%s'", s->words);
}

/* ---- start ------------------------------------------------------------------------------------------------------- */
/* table 3 of the paper as far as OSNMA SIS ICD 1.1 can say it: tags of 20 bits where it had 10, one chain for all */
static void apply_setup(struct generate *s)
{
    static const uint8_t curve[] = {0, GN_OSNMA_P224, GN_OSNMA_P256, GN_OSNMA_P384, GN_OSNMA_P521};
    if (s->setup == 0)
        return;
    s->curve = curve[s->setup];
    s->n_sats = s->n_osnma = 7;
    s->key_bits = 96;
    s->tag_bits = 20;
    s->maclt = 28;
    s->root_age_s = 32 * 60 + 11;
    s->sends_pkr = 1;
}

static gn_status make_chain(struct generate *s, const struct gn_host *h, int32_t wn, uint32_t tow_s)
{
    struct gn_osnma_gen_config c = {.seed = (uint64_t)s->seed, .wn = wn, .tow_s = tow_s,
            .n_subframes = (uint32_t)(s->seconds_s / 30), .curve = {(uint8_t)s->curve},
            .next_curve = (uint8_t)s->next_curve, .pkid = (uint8_t)s->pkid, .flex_mix = s->flex_mix,
            .sends_pkr = s->sends_pkr, .root_age = (uint32_t)((s->root_age_s + 29) / 30)};
    c.chains[0] = (struct gn_osnma_gen_chain){.hf = (uint8_t)(s->hash == 1 ? GN_OSNMA_SHA3_256 : GN_OSNMA_SHA256),
            .mf = (uint8_t)s->mac, .key_bytes = (uint8_t)(s->key_bits / 8), .tag_bits = (uint8_t)s->tag_bits,
            .maclt = (uint8_t)s->maclt};
    const uint32_t at[3] = {(uint32_t)(s->at1_s / 30), (uint32_t)(s->at2_s / 30), (uint32_t)(s->at3_s / 30)};
    if (!gn_osnma_gen_event(&c, (enum gn_osnma_gen_event)s->event, at))
        return h->fail(h, GN_E_ARG, "at1", "the times of the event must rise, the first after half a minute or more");
    gn_status st = gn_osnma_gen_make(&c, &s->gen);
    if (st == GN_E_ARG)
        return h->fail(h, st, "maclt", "sizes, functions and MAC look-up table do not fit together (key %d, tag %d bits, "
                                       "table %d)",
                (int)s->key_bits, (int)s->tag_bits, (int)s->maclt);
    return st == GN_OK ? st : h->fail(h, st, NULL, "the chain cannot be made");
}

static gn_status make_sky(struct generate *s, const struct gn_host *h)
{
    s->sky = calloc(1, sizeof *s->sky);
    if (s->sky == NULL)
        return h->fail(h, GN_E_NOMEM, NULL, "no memory");
    *s->sky = (struct gn_osnma_gen_sky){.gen = s->gen, .n_sats = (unsigned)s->n_sats, .sf = -1,
            .source = {.arg = s, .word = s->words != NULL ? given_word : made_up_word}};
    static const uint8_t table3[] = {5, 6, 7, 14, 24, 25, 26};
    for (unsigned i = 0; i < s->sky->n_sats; i++) {
        struct gn_ephemeris eph;
        gn_sim_ephemeris(GN_SIG_GAL_E1, i % GN_SIM_GAL_SATS, (struct gn_sim_time){.week = 2000}, &eph);
        s->eph_sf[i] = -1;
        s->sky->sats[i].prn = s->words != NULL ? s->given[i].prn : s->setup != 0 ? table3[i % 7] : eph.prn;
        s->sky->sats[i].has_osnma = i < (unsigned)s->n_osnma;
    }
    return GN_OK;
}

/* Complete or not at all: written beside and renamed. */
static gn_status write_keys(const struct generate *s, const struct gn_host *h)
{
    char text[KEYS_BYTES], beside[4200];
    size_t n = gn_osnma_gen_keys_json(s->gen, text, sizeof text);
    int n_path = snprintf(beside, sizeof beside, "%s.part", s->keys_out);
    if (n == 0 || n_path < 0 || (size_t)n_path >= sizeof beside)
        return h->fail(h, GN_E_OUTPUT, "keys_out", "keys or path are too long");
    FILE *f = fopen(beside, "wb");
    bool is_good = f != NULL && fwrite(text, 1, n, f) == n;
    if (f != NULL && fclose(f) != 0)
        is_good = false;
    if (!is_good || rename(beside, s->keys_out) != 0)
        return h->fail(h, GN_E_OUTPUT, "keys_out", "cannot write %s: %s", s->keys_out, strerror(errno));
    return GN_OK;
}

static gn_status generate_start(void *state, const struct gn_host *h)
{
    struct generate *s = state;
    struct gn_time t0;
    struct gn_error err = {0};
    int32_t wn = 0, tow_s = 0;
    if (gn_time_parse(s->start != NULL ? s->start : "", &t0, NULL, &err) != GN_OK)
        return h->fail(h, GN_E_ARG, "start", "%s", err.text);
    gn_gst_from_tai(t0.tai_s, &wn, &tow_s);
    if (wn < 1)
        return h->fail(h, GN_E_ARG, "start", "Galileo's time began in 1999");
    tow_s -= tow_s % 30;
    s->t_s = (int64_t)wn * 604800 + tow_s + 1;
    s->end_s = s->t_s - 1 + (int64_t)(s->seconds_s / 30) * 30;
    apply_setup(s);
    gn_status st = s->words != NULL ? read_words(s, h) : GN_OK;
    if (st == GN_OK)
        st = make_chain(s, h, wn, (uint32_t)tow_s);
    if (st == GN_OK)
        st = make_sky(s, h);
    if (st == GN_OK && s->keys_out != NULL)
        st = write_keys(s, h);
    if (st != GN_OK || s->out == NULL)
        return st;
    s->f = fopen(s->out, "wb");
    if (s->f == NULL || fputs("wn,tow,prn,sig,page\n", s->f) < 0)
        return h->fail(h, GN_E_OUTPUT, "out", "cannot write %s: %s", s->out, strerror(errno));
    return GN_OK;
}

/* ---- work -------------------------------------------------------------------------------------------------------- */
static void send(const struct generate *s, const struct gn_host *h, const struct gn_osnma_page *page)
{
    struct gn_msg_page *m = h->msg_new(h, 0);
    if (m == NULL)
        return;
    m->signal = GN_SIG_GAL_E1;
    m->prn = m->channel = page->prn;
    m->kind = GN_PAGE_INAV;
    m->time_ok = m->words_ok = 1;
    m->word_type = page->bits[0] & 0x3f;
    m->n_bits = 240;
    m->wn = page->wn;
    m->tow_s = page->tow_s;
    memcpy(m->bits, page->bits, sizeof page->bits);
    h->msg_send(h, 0, s->n_pages, s->n_pages);
}

static gn_status generate_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct generate *s = state;
    for (unsigned i = 0; i < s->sky->n_sats; i++) {
        struct gn_osnma_page page;
        char hex[2 * GN_OSNMA_PAGE_BYTES + 1];
        gn_status st = gn_osnma_gen_sky_page(s->sky, i, (int32_t)(s->t_s / 604800), (uint32_t)(s->t_s % 604800), &page);
        if (st != GN_OK)
            return h->fail(h, st, NULL, "the page of second %lld cannot be made", (long long)s->t_s);
        s->n_pages++;
        send(s, h, &page);
        gn_hex_print(page.bits, GN_OSNMA_PAGE_BYTES, hex);
        if (s->f != NULL && fprintf(s->f, "%d,%u,%u,1,%s\n", page.wn, page.tow_s, page.prn, hex) < 0)
            return h->fail(h, GN_E_OUTPUT, "out", "cannot write %s: %s", s->out, strerror(errno));
    }
    s->t_s += 2;
    w->is_done = s->t_s >= s->end_s;
    return GN_OK;
}

static gn_status generate_finish(void *state, const struct gn_host *h)
{
    struct generate *s = state;
    FILE *f = s->f;
    s->f = NULL;
    if (f != NULL && fclose(f) != 0)
        return h->fail(h, GN_E_OUTPUT, "out", "cannot write %s: %s", s->out, strerror(errno));
    h->log(h, GN_LOG_INFO, "%llu pages signed with TEST keys", (unsigned long long)s->n_pages);
    return GN_OK;
}

static void generate_stop(void *state, const struct gn_host *h)
{
    struct generate *s = state;
    (void)h;
    if (s->f != NULL)
        (void)fclose(s->f);
    s->f = NULL;
    gn_osnma_gen_free(s->gen);
    s->gen = NULL;
    free(s->sky);
    s->sky = NULL;
}

const struct gn_block gn_osnma_generate = {
        .name = "osnma.generate",
        .summary = "Galileo pages signed by a TEST chain",
        .doc = "Pages of a made-up or a recorded sky's words with OSNMA fields of any size, function and table, and with "
               "the events of the ICD: for tests and simulators. What it signs proves nothing about a real sky.",
        .ports = ports,
        .n_ports = GN_COUNT(ports),
        .params = params,
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct generate),
        .flags = GN_BLOCK_BLOCKS,
        .start = generate_start,
        .work = generate_work,
        .finish = generate_finish,
        .stop = generate_stop,
};
