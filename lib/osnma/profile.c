/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/osnma/profile.h"

#include "lib/osnma/format.h"
#include "lib/osnma/tesla.h"

#include <math.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KEY_BYTES   12 /* KS 96 */
#define CHEAP_BATCH 64u
#define MAC_BYTES   76 /* PRN_D, PRN_A, GST, CTR, then 2 + 549 bits */
#define MACSEQ_BYTES 9 /* PRN_A, GST and two flexible tags */
#define ROOT_BYTES  (1 + 12 + KEY_BYTES)

const char *const gn_profile_names[GN_PROFILE_FUNCTIONS] = {"TESLA key, one step", "MAC", "MACSEQ", "digital signature",
        "... by a new key", "public key"};
const char *const gn_part_names[GN_PARTS] = {"key from its point", "ASN.1 encoding", "verify init", "verify update",
        "verify final"};
const enum gn_osnma_curve gn_profile_curves[GN_PROFILE_SETS] = {GN_OSNMA_P224, GN_OSNMA_P256, GN_OSNMA_P384, GN_OSNMA_P521};

struct bench { /* all that the timed calls use, made beforehand */
    struct gn_osnma_crypto *crypto;
    enum gn_osnma_curve curve;
    struct gn_tesla_chain chain;
    struct gn_tesla_key key;
    uint8_t msg[128], out[64], root[GN_OSNMA_HASH_BYTES], itn[4 * GN_OSNMA_HASH_BYTES];
    uint8_t point[GN_OSNMA_POINT_BYTES], sig[GN_OSNMA_SIG_BYTES], leaf[1 + GN_OSNMA_POINT_BYTES];
    struct gn_osnma_ready_key *ready;
    EVP_PKEY *pkey; /* of the bare check and the parts */
    unsigned char *der;
    int n_der;
    EVP_MD *sha256;
    EVP_MD_CTX *md;
    EVP_MAC *hmac;
    EVP_MAC_CTX *mac;
    EVP_MD_CTX *part; /* of the parts: init, update, final in turn */
};

/* ---- the functions ----------------------------------------------------------------------------------------------------------- */
static bool call_tesla(struct bench *b)
{
    b->key.sf = 1000000;
    return gn_tesla_step(b->crypto, &b->chain, &b->key);
}
static bool call_mac(struct bench *b)
{
    return gn_osnma_mac(b->crypto, GN_OSNMA_HMAC_SHA256, b->key.bytes, KEY_BYTES, b->msg, MAC_BYTES, b->out);
}
static bool call_macseq(struct bench *b)
{
    return gn_osnma_mac(b->crypto, GN_OSNMA_HMAC_SHA256, b->key.bytes, KEY_BYTES, b->msg, MACSEQ_BYTES, b->out);
}
static bool call_signature(struct bench *b)
{
    const struct gn_osnma_curve_info *c = &gn_osnma_curves[b->curve];
    return gn_osnma_signature_verify(b->curve, b->point, c->point_bytes, b->msg, ROOT_BYTES, b->sig, c->sig_bytes) ==
           GN_AUTHENTIC;
}
static bool call_ready(struct bench *b)
{
    return gn_osnma_key_verify(b->ready, b->msg, ROOT_BYTES, b->sig, gn_osnma_curves[b->curve].sig_bytes) == GN_AUTHENTIC;
}
static bool call_public_key(struct bench *b)
{
    gn_osnma_merkle_root(b->crypto, b->leaf, 1 + gn_osnma_curves[b->curve].point_bytes, 5, b->itn, b->root);
    return true;
}

/* ---- the bare primitives over the same bytes --------------------------------------------------------------------------------- */
static bool bare_hash(struct bench *b, size_t n)
{
    return EVP_DigestInit_ex2(b->md, b->sha256, NULL) == 1 && EVP_DigestUpdate(b->md, b->msg, n) == 1 &&
           EVP_DigestFinal_ex(b->md, b->out, NULL) == 1;
}
static bool bare_tesla(struct bench *b)
{
    return bare_hash(b, KEY_BYTES + 4 + 6);
}
static bool bare_hmac(struct bench *b, size_t n)
{
    size_t n_out = 0;
    return EVP_MAC_init(b->mac, b->key.bytes, KEY_BYTES, NULL) == 1 && EVP_MAC_update(b->mac, b->msg, n) == 1 &&
           EVP_MAC_final(b->mac, b->out, &n_out, sizeof b->out) == 1;
}
static bool bare_mac(struct bench *b)
{
    return bare_hmac(b, MAC_BYTES);
}
static bool bare_macseq(struct bench *b)
{
    return bare_hmac(b, MACSEQ_BYTES);
}
static bool bare_signature(struct bench *b)
{
    return EVP_DigestVerifyInit_ex(b->part, NULL, gn_osnma_curves[b->curve].digest, NULL, NULL, b->pkey, NULL) == 1 &&
           EVP_DigestVerify(b->part, b->der, (size_t)b->n_der, b->msg, ROOT_BYTES) == 1;
}
static bool bare_public_key(struct bench *b)
{
    bool ok = bare_hash(b, 1 + gn_osnma_curves[b->curve].point_bytes);
    for (unsigned i = 0; i < 4; i++)
        ok = bare_hash(b, 2 * (size_t)GN_OSNMA_HASH_BYTES) && ok;
    return ok;
}

/* ---- parts of a signature check ------------------------------------------------------------------------------------------------ */
static EVP_PKEY *pkey_of(const struct bench *b)
{
    const struct gn_osnma_curve_info *c = &gn_osnma_curves[b->curve];
    char group[16];
    uint8_t point[GN_OSNMA_POINT_BYTES];
    (void)memcpy(group, c->group, strlen(c->group) + 1);
    memcpy(point, b->point, c->point_bytes);
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0),
            OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, c->point_bytes), OSSL_PARAM_construct_end()};
    EVP_PKEY *pkey = NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (ctx == NULL || EVP_PKEY_fromdata_init(ctx) != 1 || EVP_PKEY_fromdata(ctx, &pkey, EVP_PKEY_PUBLIC_KEY, params) != 1)
        pkey = NULL;
    EVP_PKEY_CTX_free(ctx);
    return pkey;
}

static int der_of(const struct bench *b, unsigned char **der)
{
    size_t half = gn_osnma_curves[b->curve].sig_bytes / 2;
    ECDSA_SIG *ec = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(b->sig, (int)half, NULL), *s = BN_bin2bn(b->sig + half, (int)half, NULL);
    int n = ec != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(ec, r, s) == 1 ? i2d_ECDSA_SIG(ec, der) : 0;
    ECDSA_SIG_free(ec);
    return n;
}

static bool part_point(struct bench *b)
{
    EVP_PKEY *pkey = pkey_of(b);
    EVP_PKEY_free(pkey);
    return pkey != NULL;
}
static bool part_asn1(struct bench *b)
{
    unsigned char *der = NULL;
    int n = der_of(b, &der);
    OPENSSL_free(der);
    return n > 0;
}
static bool part_init(struct bench *b)
{
    return EVP_DigestVerifyInit_ex(b->part, NULL, gn_osnma_curves[b->curve].digest, NULL, NULL, b->pkey, NULL) == 1;
}
static bool part_update(struct bench *b)
{
    return EVP_DigestVerifyUpdate(b->part, b->msg, ROOT_BYTES) == 1;
}
static bool part_final(struct bench *b)
{
    return EVP_DigestVerifyFinal(b->part, b->der, (size_t)b->n_der) == 1;
}

/* ---- a key and a signature to check ---------------------------------------------------------------------------------------------- */
static bool split(const unsigned char *der, size_t n, size_t half, uint8_t *sig)
{
    const unsigned char *p = der;
    ECDSA_SIG *ec = d2i_ECDSA_SIG(NULL, &p, (long)n);
    bool ok = ec != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(ec), sig, (int)half) > 0 &&
              BN_bn2binpad(ECDSA_SIG_get0_s(ec), sig + half, (int)half) > 0;
    ECDSA_SIG_free(ec);
    return ok;
}

static bool sign(struct bench *b)
{
    const struct gn_osnma_curve_info *c = &gn_osnma_curves[b->curve];
    unsigned char der[256];
    uint8_t raw[2 * GN_OSNMA_POINT_BYTES];
    size_t n = sizeof der, n_raw = 0, n_x = c->point_bytes - 1;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    EVP_PKEY *pair = EVP_EC_gen(c->group);
    bool ok = ctx != NULL && pair != NULL && EVP_DigestSignInit_ex(ctx, NULL, c->digest, NULL, NULL, pair, NULL) == 1 &&
              EVP_DigestSign(ctx, der, &n, b->msg, ROOT_BYTES) == 1 && split(der, n, c->sig_bytes / 2, b->sig) &&
              EVP_PKEY_get_octet_string_param(pair, OSSL_PKEY_PARAM_PUB_KEY, raw, sizeof raw, &n_raw) == 1 &&
              n_raw == 1 + 2 * n_x;
    if (ok) {
        b->point[0] = (uint8_t)(2 + (raw[n_raw - 1] & 1));
        memcpy(b->point + 1, raw + 1, n_x);
        memcpy(b->leaf + 1, b->point, c->point_bytes);
    }
    EVP_PKEY_free(pair);
    EVP_MD_CTX_free(ctx);
    return ok;
}

static bool prepare(struct bench *b, enum gn_osnma_curve curve)
{
    char digest[] = "SHA256"; /* OpenSSL wants it writable, and only reads it */
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0), OSSL_PARAM_construct_end()};
    *b = (struct bench){.curve = curve, .chain = {.hf = GN_OSNMA_SHA256, .key_bytes = KEY_BYTES, .alpha = {1, 2, 3}}};
    for (unsigned i = 0; i < sizeof b->msg; i++)
        b->msg[i] = (uint8_t)(i * 37);
    b->crypto = gn_osnma_crypto_new();
    b->sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    b->md = EVP_MD_CTX_new();
    b->part = EVP_MD_CTX_new();
    b->hmac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    b->mac = b->hmac != NULL ? EVP_MAC_CTX_new(b->hmac) : NULL;
    if (b->crypto == NULL || b->sha256 == NULL || b->md == NULL || b->part == NULL || b->mac == NULL ||
            EVP_MAC_CTX_set_params(b->mac, params) != 1 || !sign(b))
        return false;
    b->ready = gn_osnma_key_new(curve, b->point, gn_osnma_curves[curve].point_bytes);
    b->pkey = pkey_of(b);
    b->n_der = der_of(b, &b->der);
    return b->ready != NULL && b->pkey != NULL && b->n_der > 0;
}

static void clean(struct bench *b)
{
    gn_osnma_crypto_free(b->crypto);
    gn_osnma_key_free(b->ready);
    EVP_PKEY_free(b->pkey);
    OPENSSL_free(b->der);
    EVP_MD_CTX_free(b->md);
    EVP_MD_CTX_free(b->part);
    EVP_MD_free(b->sha256);
    EVP_MAC_CTX_free(b->mac);
    EVP_MAC_free(b->hmac);
}

/* ---- timing ------------------------------------------------------------------------------------------------------------------------ */
static double now_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static double time_of(struct bench *b, bool (*call)(struct bench *), unsigned n_batch, bool *ok)
{
    double t_us = now_us();
    for (unsigned i = 0; i < n_batch; i++)
        *ok = call(b) && *ok;
    return (now_us() - t_us) / n_batch;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static struct gn_profile_stat stat_of(double *t_us, unsigned n)
{
    struct gn_profile_stat s = {0};
    for (unsigned i = 0; i < n; i++)
        s.mean_us += t_us[i] / n;
    for (unsigned i = 0; i < n; i++)
        s.sigma_us += (t_us[i] - s.mean_us) * (t_us[i] - s.mean_us) / n;
    s.sigma_us = sqrt(s.sigma_us);
    s.accuracy_pct = s.mean_us > 0 ? 100 * s.sigma_us / s.mean_us : 0;
    qsort(t_us, n, sizeof *t_us, by_value);
    s.median_us = t_us[n / 2];
    return s;
}

static bool measure_pair(struct bench *b, enum gn_profile_function f, unsigned n, double *t_us, struct gn_profile_set *ret)
{
    static bool (*const calls[GN_PROFILE_FUNCTIONS][2])(struct bench *) = {{call_tesla, bare_tesla}, {call_mac, bare_mac},
            {call_macseq, bare_macseq}, {call_ready, bare_signature}, {call_signature, bare_signature}, {call_public_key, bare_public_key}};
    unsigned n_batch = f == GN_PROFILE_SIGNATURE || f == GN_PROFILE_SIGNATURE_NEW ? 1 : CHEAP_BATCH;
    bool ok = true;
    for (unsigned i = 0; i < 10; i++) /* warm up */
        ok = calls[f][0](b) && calls[f][1](b) && ok;
    for (unsigned i = 0; i < n; i++) { /* in turn: what disturbs one disturbs the other */
        t_us[i] = time_of(b, calls[f][0], n_batch, &ok);
        t_us[n + i] = time_of(b, calls[f][1], n_batch, &ok);
    }
    ret->ours[f] = stat_of(t_us, n);
    ret->bare[f] = stat_of(t_us + n, n);
    return ok;
}

static bool measure_parts(struct bench *b, unsigned n, double *t_us, struct gn_profile_set *ret)
{
    static bool (*const calls[GN_PARTS])(struct bench *) = {part_point, part_asn1, part_init, part_update, part_final};
    bool ok = true;
    for (unsigned i = 0; i < n; i++)
        for (unsigned p = 0; p < GN_PARTS; p++)
            t_us[p * n + i] = time_of(b, calls[p], 1, &ok);
    for (unsigned p = 0; p < GN_PARTS; p++)
        ret->parts[p] = stat_of(t_us + (size_t)p * n, n);
    return ok;
}

gn_status gn_profile_measure(enum gn_osnma_curve curve, unsigned n_runs, struct gn_profile_set *ret)
{
    struct bench b;
    double *t_us = calloc((size_t)n_runs * GN_PARTS, sizeof *t_us);
    gn_status st = t_us == NULL ? GN_E_NOMEM : GN_OK;
    if (st == GN_OK && !prepare(&b, curve))
        st = GN_E_INTERNAL;
    for (unsigned f = 0; st == GN_OK && f < GN_PROFILE_FUNCTIONS; f++)
        if (!measure_pair(&b, (enum gn_profile_function)f, n_runs, t_us, ret))
            st = GN_E_INTERNAL;
    if (st == GN_OK && !measure_parts(&b, n_runs, t_us, ret))
        st = GN_E_INTERNAL;
    if (t_us != NULL)
        clean(&b);
    free(t_us);
    return st;
}
