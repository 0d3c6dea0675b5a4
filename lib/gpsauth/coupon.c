/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/gpsauth/coupon.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <string.h>

static void put_be(uint8_t *p, uint64_t v, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = (uint8_t)(v >> (8 * (n - 1 - i)));
}

/* HKDF-Expand with SHA-256. */
static bool expand(const uint8_t *key, uint8_t *info, size_t n_info, uint8_t *out, size_t n_out)
{
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *ctx = kdf == NULL ? NULL : EVP_KDF_CTX_new(kdf);
    int mode = EVP_KDF_HKDF_MODE_EXPAND_ONLY;
    char digest[] = "SHA256";
    uint8_t prk[GN_GA_SEED_BYTES];
    memcpy(prk, key, sizeof prk);
    const OSSL_PARAM params[] = {
            OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode),
            OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
            OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, prk, sizeof prk),
            OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info, n_info),
            OSSL_PARAM_construct_end(),
    };
    const bool good = ctx != NULL && EVP_KDF_derive(ctx, out, n_out, params) == 1;

    OPENSSL_cleanse(prk, sizeof prk);
    EVP_KDF_CTX_free(ctx);
    EVP_KDF_free(kdf);
    return good;
}

gn_status gn_ga_coupon_exponent(
        const uint8_t seed[GN_GA_SEED_BYTES], uint64_t i, uint32_t r_bits, struct gn_ga_wide *ret)
{
    static const char label[] = "gpsauth/r/v1";
    uint8_t info[sizeof label - 1 + 8 + 2], bytes[GN_GA_BYTES];
    const size_t n = (r_bits + 7) / 8;

    if (r_bits == 0 || r_bits > GN_GA_R_BITS_MAX)
        return GN_E_ARG;
    memcpy(info, label, sizeof label - 1);
    put_be(info + sizeof label - 1, i, 8);
    put_be(info + sizeof label - 1 + 8, r_bits, 2);
    gn_status st = GN_E_NOMEM;
    if (expand(seed, info, sizeof info, bytes, n)) {
        st = gn_ga_wide_from_bytes(bytes, n, ret);
        gn_ga_wide_mask(ret, r_bits);
    }
    OPENSSL_cleanse(bytes, sizeof bytes);
    return st;
}

gn_status gn_ga_coupon_commitment(
        const uint8_t *element, size_t n_element, const uint8_t *bind, size_t n_bind, uint32_t x_bits, uint8_t *x)
{
    uint8_t hash[32];

    if (x_bits < GN_GA_X_BITS_MIN || x_bits > GN_GA_X_BITS_MAX || x_bits % 8 != 0)
        return GN_E_ARG;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    const bool good = ctx != NULL && EVP_DigestInit_ex2(ctx, EVP_sha256(), NULL) == 1
            && EVP_DigestUpdate(ctx, element, n_element) == 1 && (n_bind == 0 || EVP_DigestUpdate(ctx, bind, n_bind) == 1)
            && EVP_DigestFinal_ex(ctx, hash, NULL) == 1;
    EVP_MD_CTX_free(ctx);
    if (!good)
        return GN_E_NOMEM;
    memcpy(x, hash, x_bits / 8);
    return GN_OK;
}

/* ---- verification -------------------------------------------------------------------------------------------------------- */
const char *gn_ga_verdict_text(enum gn_ga_verdict verdict)
{
    static const char *const texts[] = {"accepted", "challenge out of range", "answer out of range",
            "commitment does not match", "not decided"};
    return texts[verdict];
}

bool gn_ga_is_challenge(const struct gn_ga_shape *shape, const struct gn_ga_wide *c)
{
    return gn_ga_wide_bits(c) <= shape->c_bits;
}

void gn_ga_y_max(const struct gn_ga_shape *p, struct gn_ga_wide *ret)
{
    static const uint64_t one = 1;
    struct gn_ga_wide minus;

    /* 2^r + 2^(s+c) - 2^s - 2^c, the ones cancel: as 2^r + (2^(s+c) - 2^s - 2^c) with two's complement at full width */
    memset(ret, 0, sizeof *ret);
    gn_ga_wide_add_shifted(ret, &one, 1, p->r_bits);
    gn_ga_wide_add_shifted(ret, &one, 1, p->s_bits + p->c_bits);
    memset(&minus, 0, sizeof minus);
    gn_ga_wide_add_shifted(&minus, &one, 1, p->s_bits);
    gn_ga_wide_add_shifted(&minus, &one, 1, p->c_bits);
    for (uint32_t i = 0; i < GN_GA_LIMBS; i++)
        minus.limb[i] = ~minus.limb[i];
    gn_ga_wide_add_shifted(ret, minus.limb, GN_GA_LIMBS, 0);
    gn_ga_wide_add_shifted(ret, &one, 1, 0);
}

enum gn_ga_verdict gn_ga_verify(struct gn_ga_group *g, const struct gn_ga_claim *claim, const struct gn_ga_wide *c,
        const struct gn_ga_wide *y)
{
    uint8_t element[GN_GA_ELEMENT_BYTES], x[GN_GA_X_BYTES];
    struct gn_ga_wide y_max;

    if (!gn_ga_is_challenge(&claim->shape, c))
        return GN_GA_REJECT_CHALLENGE;
    gn_ga_y_max(&claim->shape, &y_max);
    if (gn_ga_wide_compare(y, &y_max) > 0)
        return GN_GA_REJECT_RANGE;
    if (gn_ga_group_recombine(g, y, c, element) != GN_OK
            || gn_ga_coupon_commitment(element, gn_ga_group_element_bytes(g), claim->bind, claim->n_bind, claim->x_bits, x)
                    != GN_OK)
        return GN_GA_REJECT_INTERNAL;
    return CRYPTO_memcmp(x, claim->x, claim->x_bits / 8) == 0 ? GN_GA_ACCEPT : GN_GA_REJECT_COMMITMENT;
}

/* ---- why coupons burn ---------------------------------------------------------------------------------------------------- */
static BIGNUM *to_bn(const struct gn_ga_wide *a)
{
    uint8_t bytes[GN_GA_BYTES];
    gn_ga_wide_to_bytes(a, bytes, sizeof bytes);
    return BN_bin2bn(bytes, sizeof bytes, NULL);
}

gn_status gn_ga_recover_secret(const struct gn_ga_wide *y1, const struct gn_ga_wide *c1, const struct gn_ga_wide *y2,
        const struct gn_ga_wide *c2, struct gn_ga_wide *ret)
{
    BIGNUM *a = to_bn(y1), *b = to_bn(y2), *c = to_bn(c1), *d = to_bn(c2), *rest = BN_new();
    BN_CTX *ctx = BN_CTX_new();
    uint8_t bytes[GN_GA_BYTES];
    gn_status st = GN_E_DATA;

    if (a != NULL && b != NULL && c != NULL && d != NULL && rest != NULL && ctx != NULL && BN_sub(a, a, b) == 1
            && BN_sub(c, c, d) == 1 && !BN_is_zero(c) && BN_div(a, rest, a, c, ctx) == 1 && BN_is_zero(rest)
            && !BN_is_negative(a) && BN_bn2binpad(a, bytes, sizeof bytes) > 0)
        st = gn_ga_wide_from_bytes(bytes, sizeof bytes, ret);
    BN_clear_free(a);
    BN_free(b);
    BN_free(c);
    BN_free(d);
    BN_free(rest);
    BN_CTX_free(ctx);
    return st;
}
