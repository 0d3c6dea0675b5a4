/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/osnma/crypto.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <string.h>

#define BLOCK_BYTES 64 /* of SHA-256 */

struct gn_osnma_crypto {
    EVP_MD *sha256, *sha3, *sha3_224;
    EVP_MD_CTX *md;
    EVP_MAC *cmac;
    EVP_MAC_CTX *mac;
};

const struct gn_osnma_curve_info gn_osnma_curves[GN_OSNMA_CURVE_COUNT] = {
        [GN_OSNMA_P256] = {"P-256", "prime256v1", "SHA256", 33, 64},
        [GN_OSNMA_P521] = {"P-521", "secp521r1", "SHA512", 67, 132},
        [GN_OSNMA_P224] = {"P-224", "secp224r1", "SHA224", 29, 56},
        [GN_OSNMA_P384] = {"P-384", "secp384r1", "SHA384", 49, 96},
};

struct gn_osnma_crypto *gn_osnma_crypto_new(void)
{
    struct gn_osnma_crypto *c = OPENSSL_zalloc(sizeof *c);
    if (c == NULL)
        return NULL;
    c->sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    c->sha3 = EVP_MD_fetch(NULL, "SHA3-256", NULL);
    c->sha3_224 = EVP_MD_fetch(NULL, "SHA3-224", NULL);
    c->cmac = EVP_MAC_fetch(NULL, "CMAC", NULL);
    c->md = EVP_MD_CTX_new();
    c->mac = c->cmac != NULL ? EVP_MAC_CTX_new(c->cmac) : NULL;
    if (c->sha256 == NULL || c->sha3 == NULL || c->sha3_224 == NULL || c->md == NULL || c->mac == NULL) {
        gn_osnma_crypto_free(c);
        return NULL;
    }
    return c;
}

void gn_osnma_crypto_free(struct gn_osnma_crypto *c)
{
    if (c == NULL)
        return;
    EVP_MAC_CTX_free(c->mac);
    EVP_MAC_free(c->cmac);
    EVP_MD_CTX_free(c->md);
    EVP_MD_free(c->sha3_224);
    EVP_MD_free(c->sha3);
    EVP_MD_free(c->sha256);
    OPENSSL_free(c);
}

static bool digest(struct gn_osnma_crypto *c, const EVP_MD *md, const uint8_t *msg, size_t n_bytes,
        uint8_t out[GN_OSNMA_HASH_BYTES])
{
    return EVP_DigestInit_ex2(c->md, md, NULL) == 1 && EVP_DigestUpdate(c->md, msg, n_bytes) == 1 &&
           EVP_DigestFinal_ex(c->md, out, NULL) == 1;
}

bool gn_osnma_hash(struct gn_osnma_crypto *c, unsigned hf, const uint8_t *msg, size_t n_bytes,
        uint8_t out[GN_OSNMA_HASH_BYTES])
{
    const EVP_MD *const by_hf[] = {c->sha256, c->sha3_224, c->sha3};
    const EVP_MD *md = hf < sizeof by_hf / sizeof by_hf[0] ? by_hf[hf] : NULL;
    if (hf == GN_OSNMA_SHA3_224)
        memset(out + GN_OSNMA_SHA3_224_BYTES, 0, GN_OSNMA_HASH_BYTES - GN_OSNMA_SHA3_224_BYTES);
    if (md != NULL && digest(c, md, msg, n_bytes, out))
        return true;
    memset(out, 0, GN_OSNMA_HASH_BYTES);
    return false;
}

/* FIPS 198-1 for keys up to a block: two digests of contiguous buffers */
static bool hmac(struct gn_osnma_crypto *c, const uint8_t *key, size_t key_bytes, const uint8_t *msg,
        size_t n_bytes, uint8_t out[GN_OSNMA_HASH_BYTES])
{
    uint8_t buf[BLOCK_BYTES + GN_OSNMA_MAC_MSG_MAX];
    memset(buf, 0x36, BLOCK_BYTES);
    for (size_t i = 0; i < key_bytes; i++)
        buf[i] ^= key[i];
    memcpy(buf + BLOCK_BYTES, msg, n_bytes);
    if (!digest(c, c->sha256, buf, BLOCK_BYTES + n_bytes, out))
        return false;
    for (size_t i = 0; i < BLOCK_BYTES; i++)
        buf[i] ^= 0x36 ^ 0x5c;
    memcpy(buf + BLOCK_BYTES, out, GN_OSNMA_HASH_BYTES);
    return digest(c, c->sha256, buf, BLOCK_BYTES + GN_OSNMA_HASH_BYTES, out);
}

static bool cmac(struct gn_osnma_crypto *c, const uint8_t *key, size_t key_bytes, const uint8_t *msg,
        size_t n_bytes, uint8_t out[GN_OSNMA_HASH_BYTES])
{
    char cipher[] = "AES-128-CBC";
    if (key_bytes != 16 && key_bytes != 24 && key_bytes != 32)
        return false;
    memcpy(cipher + 4, key_bytes == 16 ? "128" : key_bytes == 24 ? "192" : "256", 3);
    OSSL_PARAM params[] = {
            OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, cipher, 0),
            OSSL_PARAM_construct_end(),
    };
    size_t n_out = 0;
    return EVP_MAC_init(c->mac, key, key_bytes, params) == 1 &&
           EVP_MAC_update(c->mac, msg, n_bytes) == 1 &&
           EVP_MAC_final(c->mac, out, &n_out, GN_OSNMA_HASH_BYTES) == 1 && n_out == 16;
}

bool gn_osnma_mac(struct gn_osnma_crypto *c, unsigned mf, const uint8_t *key, size_t key_bytes,
        const uint8_t *msg, size_t n_bytes, uint8_t out[GN_OSNMA_HASH_BYTES])
{
    bool ok = false;
    memset(out, 0, GN_OSNMA_HASH_BYTES);
    if (n_bytes > GN_OSNMA_MAC_MSG_MAX || key_bytes > GN_OSNMA_KEY_BYTES)
        return false;
    if (mf == GN_OSNMA_HMAC_SHA256)
        ok = hmac(c, key, key_bytes, msg, n_bytes, out);
    else if (mf == GN_OSNMA_CMAC_AES)
        ok = cmac(c, key, key_bytes, msg, n_bytes, out);
    if (!ok)
        memset(out, 0, GN_OSNMA_HASH_BYTES);
    return ok;
}

/* OpenSSL wants writable pointers in its parameters but only reads them */
static EVP_PKEY *pkey_of(const struct gn_osnma_curve_info *curve, const uint8_t *point)
{
    char group[16];
    uint8_t pub[GN_OSNMA_POINT_BYTES];
    memcpy(group, curve->group, strlen(curve->group) + 1);
    memcpy(pub, point, curve->point_bytes);
    OSSL_PARAM params[] = {
            OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0),
            OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, pub, curve->point_bytes),
            OSSL_PARAM_construct_end(),
    };
    EVP_PKEY *pkey = NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (ctx == NULL || EVP_PKEY_fromdata_init(ctx) != 1 ||
            EVP_PKEY_fromdata(ctx, &pkey, EVP_PKEY_PUBLIC_KEY, params) != 1)
        pkey = NULL;
    EVP_PKEY_CTX_free(ctx);
    return pkey;
}

static const struct gn_osnma_curve_info *curve_of(unsigned curve, const uint8_t *point, size_t n)
{
    if (curve == GN_OSNMA_CURVE_NONE || curve >= GN_OSNMA_CURVE_COUNT)
        return NULL;
    const struct gn_osnma_curve_info *info = &gn_osnma_curves[curve];
    return n == info->point_bytes && (point[0] == 2 || point[0] == 3) ? info : NULL;
}

bool gn_osnma_point_ok(unsigned curve, const uint8_t *point, size_t point_bytes)
{
    const struct gn_osnma_curve_info *info = curve_of(curve, point, point_bytes);
    EVP_PKEY *pkey = info != NULL ? pkey_of(info, point) : NULL;
    EVP_PKEY_free(pkey);
    return pkey != NULL;
}

/* r || s into the DER that OpenSSL takes; returns the length, 0 on failure; *der is OPENSSL_free()d */
static int der_of(const uint8_t *sig, size_t sig_bytes, unsigned char **der)
{
    int n = 0;
    ECDSA_SIG *ec = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(sig, (int)(sig_bytes / 2), NULL);
    BIGNUM *s = BN_bin2bn(sig + sig_bytes / 2, (int)(sig_bytes / 2), NULL);
    if (ec != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(ec, r, s) == 1) {
        r = s = NULL; /* moved */
        n = i2d_ECDSA_SIG(ec, der);
    }
    BN_free(r);
    BN_free(s);
    ECDSA_SIG_free(ec);
    return n > 0 ? n : 0;
}

struct gn_osnma_ready_key {
    const struct gn_osnma_curve_info *info;
    EVP_PKEY *pkey;
};

struct gn_osnma_ready_key *gn_osnma_key_new(unsigned curve, const uint8_t *point, size_t point_bytes)
{
    const struct gn_osnma_curve_info *info = curve_of(curve, point, point_bytes);
    struct gn_osnma_ready_key *key = info != NULL ? OPENSSL_zalloc(sizeof *key) : NULL;
    if (key == NULL)
        return NULL;
    key->info = info;
    key->pkey = pkey_of(info, point);
    if (key->pkey != NULL)
        return key;
    OPENSSL_free(key);
    return NULL;
}

void gn_osnma_key_free(struct gn_osnma_ready_key *key)
{
    if (key == NULL)
        return;
    EVP_PKEY_free(key->pkey);
    OPENSSL_free(key);
}

gn_verdict gn_osnma_key_verify(const struct gn_osnma_ready_key *key, const uint8_t *msg, size_t n_bytes,
        const uint8_t *sig, size_t sig_bytes)
{
    gn_verdict verdict = GN_UNDECIDED;
    unsigned char *der = NULL;
    if (sig_bytes != key->info->sig_bytes)
        return GN_UNDECIDED;
    int n_der = der_of(sig, sig_bytes, &der);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    if (n_der > 0 && ctx != NULL &&
            EVP_DigestVerifyInit_ex(ctx, NULL, key->info->digest, NULL, NULL, key->pkey, NULL) == 1)
        verdict = EVP_DigestVerify(ctx, der, (size_t)n_der, msg, n_bytes) == 1 ? GN_AUTHENTIC
                                                                              : GN_FORGED;
    EVP_MD_CTX_free(ctx);
    OPENSSL_free(der);
    return verdict;
}

gn_verdict gn_osnma_signature_verify(unsigned curve, const uint8_t *point, size_t point_bytes,
        const uint8_t *msg, size_t n_bytes, const uint8_t *sig, size_t sig_bytes)
{
    struct gn_osnma_ready_key *key = gn_osnma_key_new(curve, point, point_bytes);
    gn_verdict verdict = key != NULL ? gn_osnma_key_verify(key, msg, n_bytes, sig, sig_bytes) : GN_UNDECIDED;
    gn_osnma_key_free(key);
    return verdict;
}

void gn_osnma_merkle_root(struct gn_osnma_crypto *c, const uint8_t *leaf, size_t n_bytes,
        unsigned mid, const uint8_t *itn, uint8_t root[GN_OSNMA_HASH_BYTES])
{
    uint8_t pair[2 * GN_OSNMA_HASH_BYTES], x[GN_OSNMA_HASH_BYTES];
    bool ok = digest(c, c->sha256, leaf, n_bytes, x);
    for (unsigned j = 0; j < 4; j++) { /* bit j of MID: is our node the right one of its pair? */
        bool is_right = (mid >> j & 1u) != 0;
        memcpy(pair + (is_right ? GN_OSNMA_HASH_BYTES : 0), x, GN_OSNMA_HASH_BYTES);
        memcpy(pair + (is_right ? 0 : GN_OSNMA_HASH_BYTES), itn + (size_t)j * GN_OSNMA_HASH_BYTES,
                GN_OSNMA_HASH_BYTES);
        ok = ok && digest(c, c->sha256, pair, sizeof pair, x);
    }
    memset(root, 0, GN_OSNMA_HASH_BYTES);
    if (ok)
        memcpy(root, x, GN_OSNMA_HASH_BYTES);
}
