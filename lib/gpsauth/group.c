/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/gpsauth/group.h"

#include "lib/base/error.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <stdlib.h>
#include <string.h>

struct gn_ga_group {
    enum gn_ga_kind kind;
    uint32_t n_element;
    BN_CTX *ctx;
    BIGNUM *n, *g, *key;
    BN_MONT_CTX *mont;
    EC_GROUP *curve;
    EC_POINT *point;
};

void gn_ga_group_close(struct gn_ga_group *g)
{
    if (g == NULL)
        return;
    BN_free(g->n);
    BN_free(g->g);
    BN_free(g->key);
    BN_MONT_CTX_free(g->mont);
    EC_POINT_free(g->point);
    EC_GROUP_free(g->curve);
    BN_CTX_free(g->ctx);
    free(g);
}

uint32_t gn_ga_group_element_bytes(const struct gn_ga_group *g)
{
    return g->n_element;
}

/* ---- numbers from outside --------------------------------------------------------------------------------------------- */
static gn_status number(const char *what, const char *hex, BIGNUM **ret, struct gn_error *err)
{
    const size_t n = hex == NULL ? 0 : strlen(hex);

    if (n == 0 || n > 2 * (GN_GA_ELEMENT_BYTES + 64) || strspn(hex, "0123456789abcdefABCDEF") != n)
        return gn_fail(err, GN_E_DATA, "%s is not a hexadecimal number of at most %u bits", what, GN_GA_N_BITS_MAX);
    return BN_hex2bn(ret, hex) > 0 ? GN_OK : GN_E_NOMEM;
}

static bool is_coprime(const BIGNUM *a, const BIGNUM *n, BN_CTX *ctx)
{
    BIGNUM *gcd = BN_new();
    const bool is = gcd != NULL && BN_gcd(gcd, a, n, ctx) == 1 && BN_is_one(gcd);

    BN_free(gcd);
    return is;
}

/* 2 <= a <= n - 2 */
static bool is_inside(const BIGNUM *a, const BIGNUM *n)
{
    BIGNUM *top = BN_dup(n);
    const bool is = top != NULL && BN_sub_word(top, 2) == 1 && !BN_is_negative(a) && !BN_is_zero(a) && !BN_is_one(a)
            && BN_cmp(a, top) <= 0;

    BN_free(top);
    return is;
}

/* ---- load-time checks: each refusal has its reason -------------------------------------------------------------------- */
static gn_status check_modulus(const struct gn_ga_group *g, uint32_t n_bits_min, struct gn_error *err)
{
    const int bits = BN_num_bits(g->n);

    if (!BN_is_odd(g->n) || BN_is_one(g->n))
        return gn_fail(err, GN_E_DATA, "the modulus n is even or 1");
    if (bits < (int)n_bits_min)
        return gn_fail(err, GN_E_DATA, "the modulus n has %d bits, fewer than %u", bits, n_bits_min);
    if (bits > (int)GN_GA_N_BITS_MAX)
        return gn_fail(err, GN_E_DATA, "the modulus n has %d bits, more than %u", bits, GN_GA_N_BITS_MAX);
    if (BN_is_word(g->g, 2) && BN_mod_word(g->n, 8) != 5)
        return gn_fail(err, GN_E_DATA, "the modulus n is not 5 modulo 8, as the base 2 needs it");
    if (BN_check_prime(g->n, g->ctx, NULL) != 0)
        return gn_fail(err, GN_E_DATA, "the modulus n is prime");
    return GN_OK;
}

static gn_status check_element(const char *what, const BIGNUM *a, const struct gn_ga_group *g, struct gn_error *err)
{
    if (!is_inside(a, g->n))
        return gn_fail(err, GN_E_DATA, "%s is not between 2 and n - 2", what);
    if (!is_coprime(a, g->n, g->ctx))
        return gn_fail(err, GN_E_DATA, "%s has a factor in common with n", what);
    return GN_OK;
}

static gn_status open_modulus(const struct gn_ga_public *key, struct gn_ga_group *g, struct gn_error *err)
{
    gn_status st = number("the modulus n", key->n, &g->n, err);

    if (st == GN_OK)
        st = number("the base g", key->g, &g->g, err);
    if (st == GN_OK)
        st = number("the public key I", key->public_key, &g->key, err);
    if (st == GN_OK)
        st = check_modulus(g, key->n_bits_min != 0 ? key->n_bits_min : GN_GA_N_BITS_MIN, err);
    if (st == GN_OK)
        st = check_element("the base g", g->g, g, err);
    if (st == GN_OK)
        st = check_element("the public key I", g->key, g, err);
    if (st != GN_OK)
        return st;
    g->n_element = (uint32_t)BN_num_bytes(g->n);
    g->mont = BN_MONT_CTX_new();
    return g->mont != NULL && BN_MONT_CTX_set(g->mont, g->n, g->ctx) == 1 ? GN_OK : GN_E_NOMEM;
}

static gn_status open_curve(const struct gn_ga_public *key, struct gn_ga_group *g, struct gn_error *err)
{
    struct gn_ga_wide bytes;
    uint8_t sec1[33];

    g->n_element = sizeof sec1;
    g->curve = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    g->point = g->curve == NULL ? NULL : EC_POINT_new(g->curve);
    if (g->point == NULL)
        return GN_E_NOMEM;
    if (key->public_key == NULL || strlen(key->public_key) != 66 || gn_ga_wide_from_hex(key->public_key, &bytes) != GN_OK)
        return gn_fail(err, GN_E_DATA, "the public key V is not 66 hexadecimal digits (SEC 1, compressed)");
    gn_ga_wide_to_bytes(&bytes, sec1, sizeof sec1);
    if (EC_POINT_oct2point(g->curve, g->point, sec1, sizeof sec1, g->ctx) != 1)
        return gn_fail(err, GN_E_DATA, "the public key V is no point of P-256");
    if (EC_POINT_is_at_infinity(g->curve, g->point))
        return gn_fail(err, GN_E_DATA, "the public key V is the point at infinity");
    return GN_OK;
}

gn_status gn_ga_group_open(const struct gn_ga_public *key, struct gn_ga_group **ret, struct gn_error *err)
{
    struct gn_ga_group *g = calloc(1, sizeof *g);
    gn_status st = GN_E_NOMEM;

    *ret = NULL;
    if (g == NULL)
        return gn_fail(err, GN_E_NOMEM, "no memory");
    g->kind = key->kind;
    g->ctx = BN_CTX_secure_new();
    if (g->ctx != NULL)
        st = key->kind == GN_GA_P256 ? open_curve(key, g, err) : open_modulus(key, g, err);
    if (st == GN_OK)
        *ret = g;
    else
        gn_ga_group_close(g);
    return st;
}

/* ---- arithmetic --------------------------------------------------------------------------------------------------------- */
/* n_bits of a number that may be secret: as many bytes whatever its value. */
static BIGNUM *exponent(const struct gn_ga_wide *a, uint32_t n_bits, bool is_secret)
{
    uint8_t bytes[GN_GA_BYTES];
    const size_t n = (n_bits + 7) / 8;
    BIGNUM *e = is_secret ? BN_secure_new() : BN_new();

    gn_ga_wide_to_bytes(a, bytes, n);
    if (e != NULL && BN_bin2bn(bytes, (int)n, e) == NULL) {
        BN_clear_free(e);
        e = NULL;
    }
    if (e != NULL && is_secret)
        BN_set_flags(e, BN_FLG_CONSTTIME);
    OPENSSL_cleanse(bytes, sizeof bytes);
    return e;
}

static gn_status point_out(const struct gn_ga_group *g, const EC_POINT *p, uint8_t *element)
{
    /* infinity is one byte: no commitment, refused */
    const size_t n = EC_POINT_point2oct(g->curve, p, POINT_CONVERSION_COMPRESSED, element, g->n_element, g->ctx);
    return n == g->n_element ? GN_OK : GN_E_DATA;
}

static gn_status commit_curve(struct gn_ga_group *g, BIGNUM *e, bool is_inverse, uint8_t *element)
{
    EC_POINT *p = EC_POINT_new(g->curve);
    const BIGNUM *order = EC_GROUP_get0_order(g->curve);
    gn_status st = GN_E_NOMEM;

    if (p != NULL && BN_nnmod(e, e, order, g->ctx) == 1 && EC_POINT_mul(g->curve, p, e, NULL, NULL, g->ctx) == 1
            && (!is_inverse || EC_POINT_invert(g->curve, p, g->ctx) == 1))
        st = point_out(g, p, element);
    EC_POINT_clear_free(p);
    return st;
}

static gn_status commit_modulus(struct gn_ga_group *g, BIGNUM *e, bool is_inverse, uint8_t *element)
{
    BIGNUM *w = BN_secure_new();
    gn_status st = GN_E_NOMEM;

    if (w != NULL && BN_mod_exp_mont_consttime(w, g->g, e, g->n, g->ctx, g->mont) == 1) {
        BN_set_flags(w, BN_FLG_CONSTTIME);
        if (!is_inverse || BN_mod_inverse(w, w, g->n, g->ctx) != NULL)
            st = BN_bn2binpad(w, element, (int)g->n_element) > 0 ? GN_OK : GN_E_NOMEM;
    }
    BN_clear_free(w);
    return st;
}

static gn_status power(struct gn_ga_group *g, const struct gn_ga_wide *a, uint32_t n_bits, bool is_inverse, uint8_t *element)
{
    BIGNUM *e = exponent(a, n_bits, true);

    if (e == NULL)
        return GN_E_NOMEM;
    const gn_status st = g->kind == GN_GA_P256 ? commit_curve(g, e, is_inverse, element)
                                               : commit_modulus(g, e, is_inverse, element);
    BN_clear_free(e);
    return st;
}

gn_status gn_ga_group_commit(struct gn_ga_group *g, const struct gn_ga_wide *r, uint32_t r_bits, uint8_t *element)
{
    return power(g, r, r_bits, false, element);
}

gn_status gn_ga_group_public(struct gn_ga_group *g, const struct gn_ga_wide *s, uint32_t s_bits, uint8_t *element)
{
    return power(g, s, s_bits, true, element);
}

static gn_status recombine_curve(struct gn_ga_group *g, BIGNUM *y, BIGNUM *c, uint8_t *element)
{
    EC_POINT *p = EC_POINT_new(g->curve);
    gn_status st = GN_E_NOMEM;

    if (p != NULL && EC_POINT_mul(g->curve, p, y, g->point, c, g->ctx) == 1)
        st = point_out(g, p, element);
    EC_POINT_free(p);
    return st;
}

static gn_status recombine_modulus(struct gn_ga_group *g, BIGNUM *y, BIGNUM *c, uint8_t *element)
{
    BIGNUM *w = BN_new();
    gn_status st = GN_E_NOMEM;

    if (w != NULL && BN_mod_exp2_mont(w, g->g, y, g->key, c, g->n, g->ctx, g->mont) == 1)
        st = BN_bn2binpad(w, element, (int)g->n_element) > 0 ? GN_OK : GN_E_NOMEM;
    BN_free(w);
    return st;
}

gn_status gn_ga_group_recombine(
        struct gn_ga_group *g, const struct gn_ga_wide *y, const struct gn_ga_wide *c, uint8_t *element)
{
    BIGNUM *yb = exponent(y, gn_ga_wide_bits(y), false), *cb = exponent(c, gn_ga_wide_bits(c), false);
    gn_status st = GN_E_NOMEM;

    if (yb != NULL && cb != NULL)
        st = g->kind == GN_GA_P256 ? recombine_curve(g, yb, cb, element) : recombine_modulus(g, yb, cb, element);
    BN_free(yb);
    BN_free(cb);
    return st;
}

gn_status gn_ga_group_key(const struct gn_ga_group *g, uint8_t *element)
{
    if (g->kind == GN_GA_P256)
        return point_out(g, g->point, element);
    return BN_bn2binpad(g->key, element, (int)g->n_element) > 0 ? GN_OK : GN_E_DATA;
}
