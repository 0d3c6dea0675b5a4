/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/osnma/generate.h"

#include "lib/bits/bits.h"
#include "lib/bits/hex.h"
#include "lib/osnma/sign.h"
#include "lib/osnma/tesla.h"

#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_BYTES  16u
#define TAG_BITS   40u
#define N_TAGS     6u
#define MACLT_ID   34u
#define N_BLOCKS   8u
#define POINT_BYTES 33u
#define NMA_HEADER 0x82u /* operational, chain 0, nominal */
#define SLOW       11

struct gn_osnma_gen {
    struct gn_osnma_crypto *crypto;
    int64_t root_sf;  /* keys[0] is the root key */
    uint32_t n_keys;
    uint8_t (*keys)[KEY_BYTES]; /* secret until sent */
    struct gn_tesla_chain chain;
    uint8_t dsm[N_BLOCKS * GN_OSNMA_BLOCK_BYTES];
    uint8_t merkle_root[GN_OSNMA_HASH_BYTES];
    uint8_t point[POINT_BYTES];
};

/* 32 bytes from seed, purpose and number */
static bool derive(struct gn_osnma_crypto *c, uint64_t seed, const char *purpose, unsigned n,
        uint8_t out[GN_OSNMA_HASH_BYTES])
{
    uint8_t msg[64] = {0};
    int len = snprintf((char *)msg, sizeof msg, "gnomon TEST %s %u %016llx", purpose, n, (unsigned long long)seed);
    bool ok = len > 0 && gn_osnma_hash(c, GN_OSNMA_SHA256, msg, (size_t)len, out);
    OPENSSL_cleanse(msg, sizeof msg);
    return ok;
}

static bool make_chain(struct gn_osnma_gen *g, uint64_t seed)
{
    uint8_t x[GN_OSNMA_HASH_BYTES];
    bool ok = derive(g->crypto, seed, "alpha", 0, x);
    g->chain = (struct gn_tesla_chain){.key_bytes = KEY_BYTES, .tag_bits = TAG_BITS, .maclt = MACLT_ID, .pkid = 1};
    memcpy(g->chain.alpha, x, sizeof g->chain.alpha);
    ok = ok && derive(g->crypto, seed, "chain", 0, x);
    struct gn_tesla_key key = {.sf = g->root_sf + g->n_keys - 1};
    memcpy(key.bytes, x, KEY_BYTES);
    for (uint32_t i = g->n_keys; ok && i-- > 0;) {
        memcpy(g->keys[i], key.bytes, KEY_BYTES);
        ok = i == 0 || gn_tesla_step(g->crypto, &g->chain, &key);
    }
    OPENSSL_cleanse(x, sizeof x);
    OPENSSL_cleanse(&key, sizeof key);
    return ok;
}

/* leaf 0 is our key, the other fifteen belong to nobody */
static bool make_tree(struct gn_osnma_gen *g, uint64_t seed)
{
    uint8_t node[16][GN_OSNMA_HASH_BYTES], leaf[1 + POINT_BYTES], pair[2 * GN_OSNMA_HASH_BYTES];
    leaf[0] = GN_NPKT_P256 << 4 | 1;
    memcpy(leaf + 1, g->point, POINT_BYTES);
    bool ok = gn_osnma_hash(g->crypto, GN_OSNMA_SHA256, leaf, sizeof leaf, node[0]);
    for (unsigned i = 1; i < 16; i++)
        ok = derive(g->crypto, seed, "leaf", i, node[i]) && ok;
    for (unsigned n = 8; n > 0; n /= 2)
        for (unsigned i = 0; i < n; i++) {
            memcpy(pair, node[2 * i], GN_OSNMA_HASH_BYTES);
            memcpy(pair + GN_OSNMA_HASH_BYTES, node[2 * i + 1], GN_OSNMA_HASH_BYTES);
            ok = gn_osnma_hash(g->crypto, GN_OSNMA_SHA256, pair, sizeof pair, node[i]) && ok;
        }
    memcpy(g->merkle_root, node[0], GN_OSNMA_HASH_BYTES);
    return ok;
}

/* NB PKID | CIDKR res(01) HF MF | KS TS | MACLT | res WN | WN | TOWH | alpha | KROOT | DS | padding */
static bool make_kroot(struct gn_osnma_gen *g, const uint8_t secret[GN_OSNMA_HASH_BYTES])
{
    enum { SIG_AT = 13 + KEY_BYTES, SIG_BYTES = 64, PAD_AT = SIG_AT + SIG_BYTES };
    int64_t t_s = (g->root_sf + 1) * GN_OSNMA_SUBFRAME_S;
    uint32_t wn = (uint32_t)(t_s / 604800 % 4096);
    uint8_t *d = g->dsm, msg[SIG_AT + SIG_BYTES], pad[GN_OSNMA_HASH_BYTES];
    d[0] = 2u << 4 | 1; /* 8 blocks, PKID 1 */
    d[1] = 1u << 4;
    d[2] = 4u << 4 | 9;
    d[3] = MACLT_ID;
    d[4] = (uint8_t)(wn >> 8);
    d[5] = (uint8_t)wn;
    d[6] = (uint8_t)(t_s % 604800 / 3600);
    memcpy(d + 7, g->chain.alpha, sizeof g->chain.alpha);
    memcpy(d + 13, g->keys[0], KEY_BYTES);
    msg[0] = NMA_HEADER;
    memcpy(msg + 1, d + 1, SIG_AT - 1);
    if (!gn_osnma_sign_p256(g->crypto, secret, msg, SIG_AT, d + SIG_AT))
        return false;
    memcpy(msg + SIG_AT, d + SIG_AT, SIG_BYTES);
    bool ok = gn_osnma_hash(g->crypto, GN_OSNMA_SHA256, msg, sizeof msg, pad);
    memcpy(d + PAD_AT, pad, sizeof g->dsm - PAD_AT);
    return ok;
}

gn_status gn_osnma_gen_new(uint64_t seed, int32_t wn, uint32_t tow_s, uint32_t n_subframes, struct gn_osnma_gen **ret)
{
    uint8_t secret[GN_OSNMA_HASH_BYTES];
    if (wn < 1 || tow_s >= 604800 || tow_s % GN_OSNMA_SUBFRAME_S != 0 || n_subframes == 0 ||
            n_subframes > GN_OSNMA_GEN_SUBFRAMES_MAX)
        return GN_E_ARG;
    struct gn_osnma_gen *g = calloc(1, sizeof *g);
    if (g == NULL)
        return GN_E_NOMEM;
    int64_t first = gn_osnma_sf(wn, tow_s);
    g->root_sf = first - first % 120 - 1; /* the hour's start, less one */
    g->n_keys = (uint32_t)(first - g->root_sf) + n_subframes + SLOW;
    g->keys = calloc(g->n_keys, sizeof *g->keys);
    g->crypto = gn_osnma_crypto_new();
    gn_status st = g->keys != NULL && g->crypto != NULL ? GN_OK : GN_E_NOMEM;
    if (st == GN_OK && !(derive(g->crypto, seed, "private key", 1, secret) &&
                               gn_osnma_public_p256(secret, g->point) && make_tree(g, seed) &&
                               make_chain(g, seed) && make_kroot(g, secret)))
        st = GN_E_INTERNAL;
    OPENSSL_cleanse(secret, sizeof secret);
    if (st != GN_OK) {
        gn_osnma_gen_free(g);
        return st;
    }
    *ret = g;
    return GN_OK;
}

void gn_osnma_gen_free(struct gn_osnma_gen *g)
{
    if (g == NULL)
        return;
    if (g->keys != NULL)
        OPENSSL_cleanse(g->keys, g->n_keys * sizeof *g->keys);
    free(g->keys);
    gn_osnma_crypto_free(g->crypto);
    free(g);
}

/* ---- one sub-frame ----------------------------------------------------------------------------------------------- */
struct ask {
    struct gn_osnma_gen *g;
    int64_t sf;
    const struct gn_osnma_gen_sat *sats;
    unsigned n_sats, i; /* sender */
};

static const uint8_t *key_of(const struct ask *a, int64_t sf)
{
    return a->g->keys[sf - a->g->root_sf];
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
    uint8_t msg[80] = {0}, mac[GN_OSNMA_HASH_BYTES];
    struct gn_bit_writer w = gn_bit_writer_of(msg, 8 * sizeof msg);
    unsigned cop = adkd == 4 ? d->cop_timing : d->cop_ced;
    cop = cop > 15 ? 15 : cop;
    *info = (unsigned)d->prn << 8 | adkd << 4 | cop;
    if (k > 0)
        gn_bits_put(&w, d->prn, 8);
    gn_bits_put(&w, a->sats[a->i].prn, 8);
    gn_bits_put(&w, gn_osnma_gst(a->sf), 32);
    gn_bits_put(&w, k + 1, 8);
    gn_bits_put(&w, NMA_HEADER >> 6, 2);
    put_data(&w, d, adkd, cop == 0);
    const uint8_t *key = key_of(a, a->sf + (adkd == 12 ? SLOW : 1));
    (void)gn_osnma_mac(a->g->crypto, GN_OSNMA_HMAC_SHA256, key, KEY_BYTES, msg, (w.at + 7) / 8, mac);
    return gn_bits_get(mac, 8 * sizeof mac, 0, TAG_BITS);
}

static unsigned make_macseq(const struct ask *a, const struct gn_osnma_slot *slots, const unsigned *info)
{
    uint8_t msg[5 + 2 * N_TAGS] = {0}, mac[GN_OSNMA_HASH_BYTES];
    struct gn_bit_writer w = gn_bit_writer_of(msg, 8 * sizeof msg);
    gn_bits_put(&w, a->sats[a->i].prn, 8);
    gn_bits_put(&w, gn_osnma_gst(a->sf), 32);
    for (unsigned k = 1; k < N_TAGS; k++)
        if (slots[k].kind == GN_SLOT_FLEX)
            gn_bits_put(&w, info[k], 16);
    (void)gn_osnma_mac(a->g->crypto, GN_OSNMA_HMAC_SHA256, key_of(a, a->sf + 1), KEY_BYTES, msg, w.at / 8, mac);
    return (unsigned)gn_bits_get(mac, 8 * sizeof mac, 0, 12);
}

/* tag_0 MACSEQ COP | tag_k Tag-Info ... | key | zeros; others are covered in turn */
static void make_mack(const struct ask *a, uint8_t mack[GN_OSNMA_MACK_BYTES])
{
    const struct gn_osnma_slot *slots = gn_osnma_maclt_find(MACLT_ID)->slots[a->sf % 2];
    unsigned info[N_TAGS], turn = (unsigned)(a->sf % 64);
    uint64_t tag[N_TAGS];
    for (unsigned k = 0; k < N_TAGS; k++) {
        unsigned other = (a->i + 1 + (turn + k) % (a->n_sats > 1 ? a->n_sats - 1 : 1)) % a->n_sats;
        unsigned adkd = slots[k].kind == GN_SLOT_FLEX ? 0 : slots[k].adkd;
        tag[k] = make_tag(a, k, adkd, &a->sats[slots[k].kind == GN_SLOT_SELF ? a->i : other], &info[k]);
    }
    struct gn_bit_writer w = gn_bit_writer_of(mack, GN_OSNMA_MACK_BITS);
    for (unsigned k = 0; k < N_TAGS; k++) {
        gn_bits_put(&w, tag[k], TAG_BITS);
        gn_bits_put(&w, k == 0 ? make_macseq(a, slots, info) << 4 | (info[0] & 15u) : info[k], 16);
    }
    for (unsigned i = 0; i < KEY_BYTES; i++)
        gn_bits_put(&w, key_of(a, a->sf)[i], 8);
}

/* all satellites send the same message, each another block: spread them, so that few sub-frames give all */
static unsigned block_of(const struct ask *a)
{
    unsigned n = 0, rank = 0;
    for (unsigned k = 0; k < a->n_sats; k++) {
        rank += k < a->i && a->sats[k].has_osnma;
        n += a->sats[k].has_osnma != 0;
    }
    return (unsigned)((uint64_t)a->sf + rank * N_BLOCKS / (n > 0 ? n : 1)) % N_BLOCKS;
}

gn_status gn_osnma_gen_bits(struct gn_osnma_gen *g, int32_t wn, uint32_t tow_s, const struct gn_osnma_gen_sat *sats,
        unsigned n_sats, unsigned i, uint8_t bits[GN_OSNMA_PAGES][5])
{
    struct ask a = {.g = g, .sf = gn_osnma_sf(wn, tow_s), .sats = sats, .n_sats = n_sats, .i = i};
    uint8_t mack[GN_OSNMA_MACK_BYTES] = {0};
    if (tow_s % GN_OSNMA_SUBFRAME_S != 0 || i >= n_sats || n_sats > GN_OSNMA_PRNS || a.sf <= g->root_sf ||
            a.sf + SLOW >= g->root_sf + g->n_keys)
        return GN_E_ARG;
    memset(bits, 0, (size_t)GN_OSNMA_PAGES * 5);
    if (!sats[i].has_osnma)
        return GN_OK;
    make_mack(&a, mack);
    unsigned block = block_of(&a);
    for (unsigned p = 0; p < GN_OSNMA_PAGES; p++) {
        bits[p][0] = p == 0 ? NMA_HEADER : p == 1 ? (uint8_t)block : g->dsm[block * GN_OSNMA_BLOCK_BYTES + p - 2];
        memcpy(&bits[p][1], mack + (size_t)4 * p, 4);
    }
    return GN_OK;
}

size_t gn_osnma_gen_keys_json(const struct gn_osnma_gen *g, char *text, size_t room)
{
    char root[2 * GN_OSNMA_HASH_BYTES + 1], point[2 * POINT_BYTES + 1];
    gn_hex_print(g->merkle_root, sizeof g->merkle_root, root);
    gn_hex_print(g->point, sizeof g->point, point);
    int n = snprintf(text, room,
            "{\n \"note\": \"TEST keys of a simulator: they prove nothing about a real sky\",\n \"test\": true,\n"
            " \"merkle_root\": \"%s\",\n \"pubkeys\": [{\"pkid\": 1, \"curve\": \"P-256\", \"point\": \"%s\"}]\n}\n",
            root, point);
    return n > 0 && (size_t)n < room ? (size_t)n : 0;
}
