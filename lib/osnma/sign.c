/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/osnma/sign.h"

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <string.h>

#define N 32u

struct work {
    BN_CTX *ctx;
    EC_GROUP *group;
    EC_POINT *point;
    BIGNUM *d, *k, *r, *s, *z, *x;
};

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
static bool work_init(struct work *w, const uint8_t secret[N])
{
    *w = (struct work){.ctx = BN_CTX_secure_new(), .group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1),
            .d = BN_new(), .k = BN_new(), .r = BN_new(), .s = BN_new(), .z = BN_new(), .x = BN_new()};
    if (w->ctx == NULL || w->group == NULL || w->d == NULL || w->k == NULL || w->r == NULL || w->s == NULL ||
            w->z == NULL || w->x == NULL)
        return false;
    w->point = EC_POINT_new(w->group);
    BN_set_flags(w->d, BN_FLG_CONSTTIME);
    BN_set_flags(w->k, BN_FLG_CONSTTIME);
    const BIGNUM *order = EC_GROUP_get0_order(w->group);
    return w->point != NULL && BN_bin2bn(secret, (int)N, w->d) != NULL &&
           BN_nnmod(w->d, w->d, order, w->ctx) == 1 && !BN_is_zero(w->d);
}

bool gn_osnma_public_p256(const uint8_t secret[32], uint8_t point[33])
{
    struct work w;
    bool ok = work_init(&w, secret) && EC_POINT_mul(w.group, w.point, w.d, NULL, NULL, w.ctx) == 1 &&
              EC_POINT_point2oct(w.group, w.point, POINT_CONVERSION_COMPRESSED, point, 33, w.ctx) == 33;
    work_done(&w);
    return ok;
}

/* state of RFC 6979, section 3.2 */
struct drbg {
    uint8_t k[N], v[N];
};

static bool drbg_next(struct gn_osnma_crypto *c, struct drbg *g)
{
    uint8_t v[N];
    bool ok = gn_osnma_mac(c, GN_OSNMA_HMAC_SHA256, g->k, N, g->v, N, v);
    memcpy(g->v, v, N);
    OPENSSL_cleanse(v, sizeof v);
    return ok;
}

static bool drbg_step(struct gn_osnma_crypto *c, struct drbg *g, const uint8_t *extra, size_t n)
{
    uint8_t buf[N + 1 + 2 * N];
    memcpy(buf, g->v, N);
    if (n > 0)
        memcpy(buf + N, extra, n);
    uint8_t k[N];
    bool ok = gn_osnma_mac(c, GN_OSNMA_HMAC_SHA256, g->k, N, buf, N + n, k);
    memcpy(g->k, k, N);
    OPENSSL_cleanse(k, sizeof k);
    ok = ok && drbg_next(c, g);
    OPENSSL_cleanse(buf, sizeof buf);
    return ok;
}

static bool drbg_init(struct gn_osnma_crypto *c, struct drbg *g, const struct work *w)
{
    uint8_t extra[1 + 2 * N];
    memset(g->v, 1, N);
    memset(g->k, 0, N);
    bool ok = BN_bn2binpad(w->d, extra + 1, (int)N) == (int)N && BN_bn2binpad(w->z, extra + 1 + N, (int)N) == (int)N;
    for (uint8_t i = 0; ok && i < 2; i++) {
        extra[0] = i;
        ok = drbg_step(c, g, extra, sizeof extra);
    }
    OPENSSL_cleanse(extra, sizeof extra);
    return ok;
}

/* s = (z + r d) / k; the masks of BN_FLG_CONSTTIME hold for k and d */
static bool finish(struct work *w, const BIGNUM *order)
{
    return BN_mod_mul(w->s, w->r, w->d, order, w->ctx) == 1 && BN_mod_add(w->s, w->s, w->z, order, w->ctx) == 1 &&
           BN_mod_inverse(w->x, w->k, order, w->ctx) != NULL && BN_mod_mul(w->s, w->s, w->x, order, w->ctx) == 1 &&
           !BN_is_zero(w->s);
}

static bool try_nonce(struct work *w, const uint8_t v[N], const BIGNUM *order)
{
    return BN_bin2bn(v, (int)N, w->k) != NULL && !BN_is_zero(w->k) && BN_cmp(w->k, order) < 0 &&
           EC_POINT_mul(w->group, w->point, w->k, NULL, NULL, w->ctx) == 1 &&
           EC_POINT_get_affine_coordinates(w->group, w->point, w->x, NULL, w->ctx) == 1 &&
           BN_nnmod(w->r, w->x, order, w->ctx) == 1 && !BN_is_zero(w->r) && finish(w, order);
}

bool gn_osnma_sign_p256(struct gn_osnma_crypto *c, const uint8_t secret[32], const uint8_t *msg, size_t n_bytes,
        uint8_t sig[64])
{
    struct work w;
    struct drbg g;
    uint8_t hash[GN_OSNMA_HASH_BYTES];
    static const uint8_t zero = 0;
    bool ok = work_init(&w, secret) && gn_osnma_hash(c, GN_OSNMA_SHA256, msg, n_bytes, hash);
    const BIGNUM *order = ok ? EC_GROUP_get0_order(w.group) : NULL;
    ok = ok && BN_bin2bn(hash, sizeof hash, w.z) != NULL && BN_nnmod(w.z, w.z, order, w.ctx) == 1 &&
         drbg_init(c, &g, &w) && drbg_next(c, &g);
    bool done = false;
    for (int i = 0; ok && !done && i < 100; i++) {
        done = try_nonce(&w, g.v, order);
        if (!done)
            ok = drbg_step(c, &g, &zero, 1) && drbg_next(c, &g);
    }
    ok = ok && done && BN_bn2binpad(w.r, sig, (int)N) == (int)N && BN_bn2binpad(w.s, sig + N, (int)N) == (int)N;
    OPENSSL_cleanse(&g, sizeof g);
    work_done(&w);
    return ok;
}
