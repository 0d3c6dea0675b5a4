/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What an answer costs against other ways to prove a key, and a verification against its bare arithmetic, all by turns in
 * one run: the least of the rounds. */
#include "lib/gpsauth/coupon.h"

#include <openssl/bn.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 15

static double now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static struct gn_ga_wide s, r, y;
static struct gn_ga_mac macs[5];
static uint64_t c = 0x9e3779b9;
static EVP_PKEY *ed25519, *ecdsa;
static struct gn_ga_group *group;
static struct gn_ga_wide challenge;
static BIGNUM *n_bn, *g_bn, *i_bn, *y_bn, *c_bn, *w_bn;
static BN_MONT_CTX *mont;
static BN_CTX *ctx;
static uint8_t x[8];
static const struct gn_ga_shape shape = {128, 32, 240};

static void answer(int which)
{
    (void)gn_ga_mac_answer(&macs[which], c & 0xffffffff, &r, &y);
    c += y.limb[0] & 1; /* the next depends on this one */
}

static void sign(EVP_PKEY *key, const EVP_MD *md)
{
    uint8_t sig[128];
    size_t n = sizeof sig;
    EVP_MD_CTX *m = EVP_MD_CTX_new();
    if (EVP_DigestSignInit(m, NULL, md, NULL, key) != 1 || EVP_DigestSign(m, sig, &n, (const uint8_t *)&c, sizeof c) != 1)
        abort();
    EVP_MD_CTX_free(m);
}

static void verify(int which)
{
    const struct gn_ga_claim claim = {.shape = shape, .x_bits = 64, .x = x};
    (void)which;
    if (gn_ga_verify(group, &claim, &challenge, &y) == GN_GA_REJECT_INTERNAL)
        abort();
}

static void bare(int which)
{
    (void)which;
    if (BN_mod_exp2_mont(w_bn, g_bn, y_bn, i_bn, c_bn, n_bn, ctx, mont) != 1)
        abort();
}

static void sign_ed25519(int which)
{
    (void)which;
    sign(ed25519, NULL);
}

static void sign_ecdsa(int which)
{
    (void)which;
    sign(ecdsa, EVP_sha256());
}

static const struct {
    const char *name;
    void (*run)(int which);
    int which, n;
} rows[] = {
        {"answer native", answer, 0, 100000}, {"answer hybrid4", answer, 1, 20000}, {"answer parallel4", answer, 2, 20000},
        {"answer serial16", answer, 3, 500}, {"answer serial8", answer, 4, 500}, {"Ed25519 sign", sign_ed25519, 0, 50},
        {"ECDSA P-256 sign", sign_ecdsa, 0, 50}, {"verify, n = 2048", verify, 0, 20}, {"bare g^y I^c", bare, 0, 20},
};

static void set_up(void)
{
    static const char *const archs[] = {"native", "hybrid4", "parallel4", "serial16", "serial8"};
    enum gn_ga_arch arch;
    uint32_t width;
    uint8_t bytes[30];

    for (uint32_t i = 0; i < 4; i++)
        s.limb[i / 2] |= 0xd1b54a32d192ed03u >> i, r.limb[i] = 0x123456789abcdef1u * (i + 3);
    gn_ga_wide_mask(&r, shape.r_bits);
    for (size_t i = 0; i < GN_COUNT(archs); i++)
        if (!gn_ga_arch_parse(archs[i], &arch, &width) || gn_ga_mac_open(&macs[i], arch, width, &shape, &s) != GN_OK)
            abort();
    ed25519 = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    ecdsa = EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
    ctx = BN_CTX_new();
    n_bn = BN_new();
    i_bn = BN_new();
    w_bn = BN_new();
    g_bn = BN_new();
    mont = BN_MONT_CTX_new();
    BIGNUM *p = BN_new(), *q = BN_new(), *eight = BN_new(), *rest = BN_new();
    (void)BN_set_word(eight, 8);
    (void)BN_set_word(rest, 3);
    (void)BN_generate_prime_ex2(p, 1024, 0, eight, rest, NULL, ctx);
    (void)BN_set_word(rest, 7);
    do
        (void)BN_generate_prime_ex2(q, 1024, 0, eight, rest, NULL, ctx);
    while (BN_mul(n_bn, p, q, ctx) == 1 && BN_num_bits(n_bn) < 2048);
    (void)BN_set_word(g_bn, 2);
    (void)BN_rand_range(i_bn, n_bn);
    (void)BN_MONT_CTX_set(mont, n_bn, ctx);
    const struct gn_ga_public pub = {.n = BN_bn2hex(n_bn), .g = "2", .public_key = BN_bn2hex(i_bn)};
    if (gn_ga_group_open(&pub, &group, NULL) != GN_OK)
        abort();
    challenge.limb[0] = 0xfedcba98;
    (void)gn_ga_mac_answer(&macs[0], challenge.limb[0], &r, &y);
    gn_ga_wide_to_bytes(&y, bytes, sizeof bytes);
    y_bn = BN_bin2bn(bytes, sizeof bytes, NULL);
    c_bn = BN_new();
    (void)BN_set_word(c_bn, challenge.limb[0]);
}

int main(void)
{
    double least[GN_COUNT(rows)];

    set_up();
    for (size_t i = 0; i < GN_COUNT(rows); i++)
        least[i] = 1e18;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < GN_COUNT(rows); i++) {
            const double t0 = now_ns();
            for (int k = 0; k < rows[i].n; k++)
                rows[i].run(rows[i].which);
            const double t = (now_ns() - t0) / rows[i].n;
            least[i] = t < least[i] ? t : least[i];
        }
    for (size_t i = 0; i < GN_COUNT(rows); i++)
        (void)printf("%-18s %12.1f ns\n", rows[i].name, least[i]);
    (void)printf("native answer: %.0f times less than Ed25519, %.0f than ECDSA; verification %.3f times its arithmetic\n",
            least[5] / least[0], least[6] / least[0], least[7] / least[8]);
    return 0;
}
