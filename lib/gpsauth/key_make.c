/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* New keys, and key files. */
#include "lib/base/error.h"
#include "lib/base/slurp.h"
#include "lib/gpsauth/key.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A prime of n_bits whose two top bits are set, as OpenSSL does not promise for a wanted remainder. */
static bool make_prime(BIGNUM *p, int n_bits, BN_ULONG remainder, BN_CTX *ctx)
{
    BIGNUM *eight = BN_new(), *rest = BN_new();
    bool good = eight != NULL && rest != NULL && BN_set_word(eight, 8) == 1 && BN_set_word(rest, remainder) == 1;

    for (int tries = 0; good && tries < 128; tries++) {
        good = BN_generate_prime_ex2(p, n_bits, 0, eight, rest, NULL, ctx) == 1;
        if (good && BN_num_bits(p) == n_bits && BN_is_bit_set(p, n_bits - 2))
            break;
    }
    BN_free(eight);
    BN_free(rest);
    return good;
}

/* n = p q with p = 3 and q = 7 modulo 8: then 2 is no square modulo n, and n = 5 modulo 8. */
static gn_status make_modulus(uint32_t n_bits, char *hex)
{
    BIGNUM *p = BN_secure_new(), *q = BN_secure_new(), *n = BN_new();
    BN_CTX *ctx = BN_CTX_secure_new();
    char *text = NULL;

    if (p != NULL && q != NULL && n != NULL && ctx != NULL && make_prime(p, (int)n_bits / 2, 3, ctx)
            && make_prime(q, (int)n_bits / 2, 7, ctx) && BN_mul(n, p, q, ctx) == 1 && BN_num_bits(n) == (int)n_bits)
        text = BN_bn2hex(n);
    const bool good = text != NULL && strlen(text) <= 2 * GN_GA_ELEMENT_BYTES;
    if (good)
        memcpy(hex, text, strlen(text) + 1);
    OPENSSL_free(text);
    BN_clear_free(p);
    BN_clear_free(q);
    BN_free(n);
    BN_CTX_free(ctx);
    return good ? GN_OK : GN_E_INTERNAL;
}

/* s_bits random bits, the top one set. */
static gn_status draw_secret(uint32_t s_bits, struct gn_ga_wide *s)
{
    uint8_t bytes[GN_GA_S_BITS_MAX / 8];
    const size_t n = (s_bits + 7) / 8;
    gn_status st = GN_E_INTERNAL;

    if (RAND_priv_bytes(bytes, (int)n) == 1) {
        st = gn_ga_wide_from_bytes(bytes, n, s);
        gn_ga_wide_mask(s, s_bits);
        s->limb[(s_bits - 1) / 64] |= (uint64_t)1 << ((s_bits - 1) % 64);
    }
    OPENSSL_cleanse(bytes, sizeof bytes);
    return st;
}

/* The group before there is a public key: any valid element stands for it. */
static gn_status make_public(struct gn_ga_key *key, struct gn_error *err)
{
    static const char generator[] = "036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"; /* SEC 2, 2.4.2 */
    uint8_t element[GN_GA_ELEMENT_BYTES];
    struct gn_ga_group *g = NULL;
    const struct gn_ga_public open = {
            .kind = key->kind, .n = key->n, .g = key->g, .public_key = key->kind == GN_GA_P256 ? generator : "4"};
    gn_status st = gn_ga_group_open(&open, &g, err);

    if (st == GN_OK)
        st = gn_ga_group_public(g, &key->s, key->shape.s_bits, element);
    for (uint32_t i = 0; st == GN_OK && i < gn_ga_group_element_bytes(g); i++)
        (void)snprintf(key->public_key + 2 * (size_t)i, 3, "%02x", element[i]);
    gn_ga_group_close(g);
    return st;
}

static gn_status check_wish(
        enum gn_ga_kind kind, uint32_t n_bits, uint32_t s_bits, bool allow_weak, struct gn_error *err)
{
    if (kind == GN_GA_MODULUS && (n_bits < GN_GA_N_BITS_MIN || n_bits > GN_GA_N_BITS_MAX || n_bits % 16 != 0))
        return gn_fail(err, GN_E_ARG, "a modulus has 2048 to 8192 bits in steps of 16");
    if (s_bits > GN_GA_S_BITS_MAX || s_bits < 128 || (kind == GN_GA_P256 && s_bits > 256))
        return gn_fail(err, GN_E_ARG, "a secret has 128 to 1024 bits, to 256 on the curve");
    if (s_bits < 160 && !allow_weak)
        return gn_fail(err, GN_E_ARG, "a secret of %u bits resists 2^%u steps only (Pollard's kangaroos): allow it as weak",
                s_bits, s_bits / 2);
    return GN_OK;
}

gn_status gn_ga_key_generate(enum gn_ga_kind kind, uint32_t n_bits, uint32_t s_bits, uint32_t c_bits, uint32_t x_bits,
        bool allow_weak, struct gn_ga_key *ret, struct gn_error *err)
{
    gn_status st = check_wish(kind, n_bits, s_bits, allow_weak, err);
    if (st != GN_OK)
        return st;
    if (c_bits < 16 || c_bits > 64 || x_bits < GN_GA_X_BITS_MIN || x_bits > GN_GA_X_BITS_MAX || x_bits % 8 != 0)
        return gn_fail(err, GN_E_ARG, "a challenge has 16 to 64 bits, a commitment 48 to 256 in steps of 8");
    memset(ret, 0, sizeof *ret);
    ret->kind = kind;
    ret->shape = (struct gn_ga_shape){.s_bits = s_bits, .c_bits = c_bits, .r_bits = s_bits + c_bits + GN_GA_MARGIN_BITS};
    ret->x_bits = x_bits;
    ret->has_secret = true;
    if (kind == GN_GA_MODULUS) {
        memcpy(ret->g, "2", 2);
        st = make_modulus(n_bits, ret->n);
    }
    if (st == GN_OK)
        st = draw_secret(s_bits, &ret->s);
    if (st == GN_OK && RAND_priv_bytes(ret->seed, sizeof ret->seed) != 1)
        st = GN_E_INTERNAL;
    if (st == GN_OK)
        st = make_public(ret, err);
    if (st != GN_OK)
        gn_ga_key_wipe(ret);
    return st;
}

/* ---- files --------------------------------------------------------------------------------------------------------------- */
gn_status gn_ga_key_load(const char *path, struct gn_ga_key *ret, struct gn_error *err)
{
    char *text = NULL;
    size_t n = 0;
    struct stat info;
    gn_status st = gn_slurp(path, GN_GA_KEY_TEXT_MAX - 1, &text, &n, err);

    if (st != GN_OK)
        return st;
    st = gn_ga_key_parse(text, n, ret, err);
    OPENSSL_cleanse(text, n);
    free(text);
    if (st == GN_OK && ret->has_secret && (stat(path, &info) != 0 || (info.st_mode & (S_IRWXG | S_IRWXO)) != 0)) {
        gn_ga_key_wipe(ret);
        st = gn_fail(err, GN_E_DATA, "%.150s: others may read this secret: chmod 600", path);
    }
    return st;
}

static bool write_all(int fd, const char *p, size_t n)
{
    while (n > 0) {
        const ssize_t k = write(fd, p, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        p += k;
        n -= (size_t)k;
    }
    return fsync(fd) == 0;
}

gn_status gn_ga_key_save(const char *path, const struct gn_ga_key *key, bool with_secret, struct gn_error *err)
{
    char *text = malloc(GN_GA_KEY_TEXT_MAX);
    if (text == NULL)
        return gn_fail(err, GN_E_NOMEM, "no memory");
    const size_t n = gn_ga_key_print(key, with_secret, text);
    const mode_t mode = with_secret ? S_IRUSR | S_IWUSR : S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    gn_status st = GN_OK;
    if (fd < 0)
        st = gn_fail(err, GN_E_OUTPUT, "%.150s: cannot be made: %s", path, strerrordesc_np(errno));
    else if (!write_all(fd, text, n)) {
        st = gn_fail(err, GN_E_OUTPUT, "%.150s: cannot be written", path);
        (void)unlink(path);
    }
    if (fd >= 0)
        (void)close(fd);
    OPENSSL_cleanse(text, GN_GA_KEY_TEXT_MAX);
    free(text);
    return st;
}
