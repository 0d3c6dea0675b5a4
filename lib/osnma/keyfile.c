/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/osnma/keyfile.h"

#include "lib/base/error.h"
#include "lib/bits/hex.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>

/* "...PKID_7..." or "...PKID-07..."; 0: none */
static unsigned pkid_in(const char *text)
{
    const char *at = text != NULL ? strstr(text, "PKID") : NULL;
    if (at == NULL || (at[4] != '_' && at[4] != '-'))
        return 0;
    unsigned long v = strtoul(at + 5, NULL, 10);
    return v >= 1 && v <= 15 ? (unsigned)v : 0;
}

/* the public key as a compressed point */
static gn_status take_pkey(EVP_PKEY *pkey, struct gn_osnma_keyfile *f, struct gn_error *err)
{
    char group[64] = "";
    uint8_t raw[2 * GN_OSNMA_POINT_BYTES];
    size_t n = 0, n_x = 0;
    if (EVP_PKEY_get_utf8_string_param(pkey, OSSL_PKEY_PARAM_GROUP_NAME, group, sizeof group, NULL) != 1)
        return gn_fail(err, GN_E_DATA, "this is no key of an elliptic curve");
    unsigned curve = strcmp(group, "prime256v1") == 0 || strcmp(group, "P-256") == 0 ? GN_OSNMA_P256
                     : strcmp(group, "secp521r1") == 0 || strcmp(group, "P-521") == 0 ? GN_OSNMA_P521
                                                                                     : GN_OSNMA_CURVE_NONE;
    if (curve == GN_OSNMA_CURVE_NONE)
        return gn_fail(err, GN_E_DATA, "the key is on curve %.30s; OSNMA uses P-256 and P-521", group);
    n_x = gn_osnma_curves[curve].point_bytes - 1;
    if (EVP_PKEY_get_octet_string_param(pkey, OSSL_PKEY_PARAM_PUB_KEY, raw, sizeof raw, &n) != 1 ||
            (n != 1 + 2 * n_x && n != 1 + n_x))
        return gn_fail(err, GN_E_DATA, "the key's point cannot be read");
    f->key.point[0] = n == 1 + n_x ? raw[0] : (uint8_t)(2 + (raw[n - 1] & 1)); /* odd or even y */
    memcpy(f->key.point + 1, raw + 1, n_x);
    f->key.curve = (uint8_t)curve;
    f->has_key = 1;
    return GN_OK;
}

static gn_status take_certificate(X509 *cert, X509 *issuer, struct gn_osnma_keyfile *f, struct gn_error *err)
{
    char name[128] = "";
    EVP_PKEY *by = issuer != NULL ? X509_get0_pubkey(issuer) : NULL;
    if (X509_NAME_get_text_by_NID(X509_get_subject_name(cert), NID_commonName, name, sizeof name) < 0)
        name[0] = '\0';
    if (strstr(name, "Merkle") != NULL)
        return gn_fail(err, GN_E_DATA, "'%.60s' signs a Merkle tree file, it is no OSNMA public key; import the XML", name);
    f->key.pkid = (uint8_t)pkid_in(name);
    f->is_certified = by != NULL && X509_verify(cert, by) == 1;
    EVP_PKEY *pkey = X509_get0_pubkey(cert);
    return pkey != NULL ? take_pkey(pkey, f, err) : gn_fail(err, GN_E_DATA, "the certificate's key cannot be read");
}

static gn_status take_pem(BIO *in, bool is_certificate, struct gn_osnma_keyfile *f, struct gn_error *err)
{
    gn_status st = GN_OK;
    if (is_certificate) {
        X509 *cert = PEM_read_bio_X509(in, NULL, NULL, NULL), *issuer = PEM_read_bio_X509(in, NULL, NULL, NULL);
        st = cert != NULL ? take_certificate(cert, issuer, f, err) : gn_fail(err, GN_E_PARSE, "damaged PEM certificate");
        X509_free(cert);
        X509_free(issuer);
    } else {
        EVP_PKEY *pkey = PEM_read_bio_PUBKEY(in, NULL, NULL, NULL);
        st = pkey != NULL ? take_pkey(pkey, f, err) : gn_fail(err, GN_E_PARSE, "damaged PEM public key");
        EVP_PKEY_free(pkey);
    }
    return st;
}

static gn_status take_der(const uint8_t *data, size_t n, struct gn_osnma_keyfile *f, struct gn_error *err)
{
    const unsigned char *p = data;
    X509 *cert = d2i_X509(NULL, &p, (long)n);
    gn_status st = GN_OK;
    if (cert != NULL) {
        st = take_certificate(cert, NULL, f, err);
        X509_free(cert);
        return st;
    }
    p = data;
    EVP_PKEY *pkey = d2i_PUBKEY(NULL, &p, (long)n);
    st = pkey != NULL ? take_pkey(pkey, f, err) : gn_fail(err, GN_E_PARSE, "neither a certificate nor a public key (DER)");
    EVP_PKEY_free(pkey);
    return st;
}

static bool has_text(const uint8_t *data, size_t n, const char *text)
{
    return memmem(data, n, text, strlen(text)) != NULL;
}

gn_status gn_osnma_keyfile_parse(const uint8_t *data, size_t n_bytes, const char *name, struct gn_osnma_keyfile *ret,
        struct gn_error *err)
{
    struct gn_osnma_keyfile f = {0};
    gn_status st = GN_OK;
    if (n_bytes == 0 || n_bytes > GN_OSNMA_KEYS_FILE_MAX)
        return gn_fail(err, GN_E_DATA, "the file is %s", n_bytes == 0 ? "empty" : "too large");
    bool is_certificate = has_text(data, n_bytes, "-----BEGIN CERTIFICATE-----");
    if (is_certificate || has_text(data, n_bytes, "-----BEGIN PUBLIC KEY-----")) {
        BIO *in = BIO_new_mem_buf(data, (int)n_bytes);
        st = in != NULL ? take_pem(in, is_certificate, &f, err) : gn_fail(err, GN_E_NOMEM, "out of memory");
        BIO_free(in);
    } else if (has_text(data, n_bytes, "PRIVATE KEY-----")) {
        st = gn_fail(err, GN_E_DATA, "this is a private key: keep it away from receivers");
    } else if (data[0] == 0x30) {
        st = take_der(data, n_bytes, &f, err);
    } else if (memchr(data, '<', n_bytes < 64 ? n_bytes : 64) != NULL) {
        st = gn_osnma_keyxml_parse((const char *)data, n_bytes, &f, err);
    } else {
        st = gn_fail(err, GN_E_PARSE, "neither XML, PEM nor a certificate");
    }
    ERR_clear_error();
    if (st != GN_OK)
        return st;
    if (f.has_key && f.key.pkid == 0)
        f.key.pkid = (uint8_t)pkid_in(name);
    f.key.is_used = f.has_key;
    *ret = f;
    return GN_OK;
}

/* ---- into KEYS.json --------------------------------------------------------------------------------------------------- */
static gn_status put_root(json_t *set, const char *member, const uint8_t *root, const struct gn_osnma_merge *how,
        bool *changed, struct gn_error *err)
{
    char hex[2 * GN_OSNMA_HASH_BYTES + 1];
    const char *old = json_string_value(json_object_get(set, member));
    gn_hex_print(root, GN_OSNMA_HASH_BYTES, hex);
    if (old != NULL && strcasecmp(old, hex) == 0)
        return GN_OK;
    if (old != NULL && !how->replaces)
        return gn_fail(err, GN_E_DATA,
                "another '%s' is there already: --new-tree stores the file's as that of the next tree, --replace takes it "
                "instead", member);
    *changed = true;
    return json_object_set_new(set, member, json_string(hex)) == 0 ? GN_OK : gn_fail(err, GN_E_NOMEM, "out of memory");
}

/* the entry of that PKID and tree, NULL when there is none */
static json_t *find_key(json_t *list, unsigned pkid, bool is_new_tree)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *k = json_array_get(list, i);
        if (json_integer_value(json_object_get(k, "pkid")) == (json_int_t)pkid &&
                json_is_true(json_object_get(k, "new_merkle_tree")) == is_new_tree)
            return k;
    }
    return NULL;
}

static gn_status put_key(json_t *set, const struct gn_osnma_pubkey *key, const struct gn_osnma_merge *how, bool *changed,
        struct gn_error *err)
{
    char hex[2 * GN_OSNMA_POINT_BYTES + 1];
    json_t *list = json_object_get(set, "pubkeys");
    if (!json_is_array(list)) {
        if (json_object_set_new(set, "pubkeys", json_array()) != 0)
            return gn_fail(err, GN_E_NOMEM, "out of memory");
        list = json_object_get(set, "pubkeys");
    }
    gn_hex_print(key->point, gn_osnma_curves[key->curve].point_bytes, hex);
    json_t *entry = find_key(list, key->pkid, how->as_new_tree);
    const char *old = json_string_value(json_object_get(entry, "point"));
    if (old != NULL && strcasecmp(old, hex) == 0)
        return GN_OK;
    if (entry != NULL && !how->replaces)
        return gn_fail(err, GN_E_DATA, "another key of PKID %u is there already: --replace takes the file's instead",
                key->pkid);
    if (entry == NULL && json_array_size(list) >= GN_OSNMA_PUBKEYS_MAX)
        return gn_fail(err, GN_E_DATA, "there are %d public keys already", GN_OSNMA_PUBKEYS_MAX);
    bool ok = true;
    if (entry == NULL) {
        entry = json_object();
        ok = json_array_append_new(list, entry) == 0;
    }
    ok = ok && json_object_set_new(entry, "pkid", json_integer(key->pkid)) == 0 &&
         json_object_set_new(entry, "curve", json_string(gn_osnma_curves[key->curve].name)) == 0 &&
         json_object_set_new(entry, "point", json_string(hex)) == 0 &&
         (!how->as_new_tree || json_object_set_new(entry, "new_merkle_tree", json_true()) == 0);
    *changed = true;
    return ok ? GN_OK : gn_fail(err, GN_E_NOMEM, "out of memory");
}

gn_status gn_osnma_keyfile_merge(const struct gn_osnma_keyfile *f, const struct gn_osnma_merge *how, json_t *set,
        bool *changed, struct gn_error *err)
{
    gn_status st = GN_OK;
    *changed = false;
    if (f->has_key && f->key.pkid == 0)
        return gn_fail(err, GN_E_DATA, "neither the file nor its name says the key's PKID: give --pkid");
    if (f->has_root)
        st = put_root(set, how->as_new_tree ? "new_merkle_root" : "merkle_root", f->root, how, changed, err);
    if (st == GN_OK && f->has_key)
        st = put_key(set, &f->key, how, changed, err);
    return st;
}
