/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/osnma/sign.h"

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <string.h>

#define N_MAX    GN_OSNMA_SECRET_BYTES
#define HASH_MAX 64u /* SHA-512 */

struct work {
    BN_CTX *ctx;
    EC_GROUP *group;
    EC_POINT *point;
    BIGNUM *d, *k, *r, *s, *z, *x;
    const char *digest;
    int n_bytes, n_bits; /* of the order */
};

size_t gn_osnma_secret_bytes(unsigned curve)
{
    return curve < GN_OSNMA_CURVE_COUNT ? gn_osnma_curves[curve].sig_bytes / 2 : 0;
}

static void work_done(struct work *w)
{
    BN_clear_free(w->d);
    BN_clear_free(w->k);
    BN_free(w->r);
    BN_clear_free(w->s);
    BN_free(w->z);
    BN_free(w->x);
    EC_POINT_clear_free(w->point);
    EC_GROUP_free(w->group);
    BN_CTX_free(w->ctx);
}

/* the secret modulo the order of the curve; false when that is 0 */
static bool work_init(struct work *w, unsigned curve, const uint8_t *secret)
{
    *w = (struct work){0};
    if (curve == GN_OSNMA_CURVE_NONE || curve >= GN_OSNMA_CURVE_COUNT)
        return false;
    *w = (struct work){.ctx = BN_CTX_secure_new(),
            .group = EC_GROUP_new_by_curve_name(OBJ_txt2nid(gn_osnma_curves[curve].group)),
            .d = BN_new(), .k = BN_new(), .r = BN_new(), .s = BN_new(), .z = BN_new(), .x = BN_new(),
            .digest = gn_osnma_curves[curve].digest, .n_bytes = (int)gn_osnma_secret_bytes(curve)};
    if (w->ctx == NULL || w->group == NULL || w->d == NULL || w->k == NULL || w->r == NULL || w->s == NULL ||
            w->z == NULL || w->x == NULL)
        return false;
    w->point = EC_POINT_new(w->group);
    w->n_bits = EC_GROUP_order_bits(w->group);
    BN_set_flags(w->d, BN_FLG_CONSTTIME);
    BN_set_flags(w->k, BN_FLG_CONSTTIME);
    const BIGNUM *order = EC_GROUP_get0_order(w->group);
    return w->point != NULL && BN_bin2bn(secret, w->n_bytes, w->d) != NULL &&
           BN_nnmod(w->d, w->d, order, w->ctx) == 1 && !BN_is_zero(w->d);
}

bool gn_osnma_public(unsigned curve, const uint8_t *secret, uint8_t point[GN_OSNMA_POINT_BYTES])
{
    struct work w;
    bool ok = work_init(&w, curve, secret) && EC_POINT_mul(w.group, w.point, w.d, NULL, NULL, w.ctx) == 1;
    size_t n = ok ? gn_osnma_curves[curve].point_bytes : 0;
    ok = ok && EC_POINT_point2oct(w.group, w.point, POINT_CONVERSION_COMPRESSED, point, n, w.ctx) == n;
    work_done(&w);
    return ok;
}

/* state of RFC 6979, section 3.2 */
struct drbg {
    const char *digest;
    size_t n; /* bytes of the digest */
    uint8_t k[HASH_MAX], v[HASH_MAX];
};

static bool drbg_mac(const struct drbg *g, const uint8_t *msg, size_t n, uint8_t out[HASH_MAX])
{
    size_t n_out = 0;
    return EVP_Q_mac(NULL, "HMAC", NULL, g->digest, NULL, g->k, g->n, msg, n, out, HASH_MAX, &n_out) != NULL &&
           n_out == g->n;
}

static bool drbg_next(struct drbg *g)
{
    uint8_t v[HASH_MAX];
    bool ok = drbg_mac(g, g->v, g->n, v);
    if (ok)
        memcpy(g->v, v, g->n);
    OPENSSL_cleanse(v, sizeof v);
    return ok;
}

/* K = HMAC(V || extra), V = HMAC(V) */
static bool drbg_step(struct drbg *g, const uint8_t *extra, size_t n)
{
    uint8_t buf[HASH_MAX + 1 + 2 * N_MAX], k[HASH_MAX];
    memcpy(buf, g->v, g->n);
    memcpy(buf + g->n, extra, n);
    bool ok = drbg_mac(g, buf, g->n + n, k);
    if (ok)
        memcpy(g->k, k, g->n);
    ok = ok && drbg_next(g);
    OPENSSL_cleanse(k, sizeof k);
    OPENSSL_cleanse(buf, sizeof buf);
    return ok;
}

static bool drbg_init(struct drbg *g, const struct work *w, size_t n_hash)
{
    uint8_t extra[1 + 2 * N_MAX];
    *g = (struct drbg){.digest = w->digest, .n = n_hash};
    memset(g->v, 1, sizeof g->v);
    bool ok = BN_bn2binpad(w->d, extra + 1, w->n_bytes) == w->n_bytes &&
              BN_bn2binpad(w->z, extra + 1 + w->n_bytes, w->n_bytes) == w->n_bytes;
    for (uint8_t i = 0; ok && i < 2; i++) {
        extra[0] = i;
        ok = drbg_step(g, extra, 1 + 2 * (size_t)w->n_bytes);
    }
    OPENSSL_cleanse(extra, sizeof extra);
    return ok;
}

/* enough output for the order's bits into k */
static bool drbg_nonce(struct drbg *g, struct work *w)
{
    uint8_t t[2 * HASH_MAX];
    size_t n = 0;
    bool ok = true;
    while (ok && n < (size_t)w->n_bytes) {
        ok = drbg_next(g);
        memcpy(t + n, g->v, g->n);
        n += g->n;
    }
    ok = ok && BN_bin2bn(t, w->n_bytes, w->k) != NULL && BN_rshift(w->k, w->k, 8 * w->n_bytes - w->n_bits) == 1;
    OPENSSL_cleanse(t, sizeof t);
    return ok;
}

/* s = (z + r d) / k; the masks of BN_FLG_CONSTTIME hold for k and d */
static bool finish(struct work *w, const BIGNUM *order)
{
    return BN_mod_mul(w->s, w->r, w->d, order, w->ctx) == 1 && BN_mod_add(w->s, w->s, w->z, order, w->ctx) == 1 &&
           BN_mod_inverse(w->x, w->k, order, w->ctx) != NULL && BN_mod_mul(w->s, w->s, w->x, order, w->ctx) == 1 &&
           !BN_is_zero(w->s);
}

static bool try_nonce(struct work *w, const BIGNUM *order)
{
    return !BN_is_zero(w->k) && BN_cmp(w->k, order) < 0 &&
           EC_POINT_mul(w->group, w->point, w->k, NULL, NULL, w->ctx) == 1 &&
           EC_POINT_get_affine_coordinates(w->group, w->point, w->x, NULL, w->ctx) == 1 &&
           BN_nnmod(w->r, w->x, order, w->ctx) == 1 && !BN_is_zero(w->r) && finish(w, order);
}

/* no hash here is longer than its curve's order */
static bool hash_message(struct work *w, const uint8_t *msg, size_t n_bytes, size_t *n_hash)
{
    uint8_t hash[HASH_MAX];
    return EVP_Q_digest(NULL, w->digest, NULL, msg, n_bytes, hash, n_hash) == 1 &&
           BN_bin2bn(hash, (int)*n_hash, w->z) != NULL &&
           BN_nnmod(w->z, w->z, EC_GROUP_get0_order(w->group), w->ctx) == 1;
}

bool gn_osnma_sign(unsigned curve, const uint8_t *secret, const uint8_t *msg, size_t n_bytes,
        uint8_t sig[GN_OSNMA_SIG_BYTES])
{
    struct work w;
    struct drbg g = {0};
    static const uint8_t zero = 0;
    size_t n_hash = 0;
    bool done = false;
    bool ok = work_init(&w, curve, secret) && hash_message(&w, msg, n_bytes, &n_hash) && drbg_init(&g, &w, n_hash);
    for (int i = 0; ok && !done && i < 100; i++) {
        ok = drbg_nonce(&g, &w);
        done = ok && try_nonce(&w, EC_GROUP_get0_order(w.group));
        if (ok && !done)
            ok = drbg_step(&g, &zero, 1);
    }
    ok = ok && done && BN_bn2binpad(w.r, sig, w.n_bytes) == w.n_bytes &&
         BN_bn2binpad(w.s, sig + w.n_bytes, w.n_bytes) == w.n_bytes;
    OPENSSL_cleanse(&g, sizeof g);
    work_done(&w);
    return ok;
}
