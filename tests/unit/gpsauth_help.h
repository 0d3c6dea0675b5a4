/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A prover and a verifier with the first TEST key of the `ec` list of the shared vectors (P-256, |s| 160, |c| 20). */
#ifndef GN_GPSAUTH_HELP_H
#define GN_GPSAUTH_HELP_H

#include "tests/support/gn_test.h"
#include "lib/gpsauth/session.h"

#include <string.h>
#include <unistd.h>

#define TEST_SECRET "e863c064d7559670f0179d723331a1e9b6c1ecaf"
#define TEST_PUBLIC "03ef623bf8b007cb45ef56180e8f4a7a7ef70f0470fcfbac86d6c2c44c5b6a15a8"

static const uint8_t test_seed[GN_GA_SEED_BYTES] = {0xa8, 0x83, 0x03, 0x3d, 0xd9, 0x81, 0xfa, 0x3f, 0x3a, 0x17, 0xbd, 0x67,
        0xad, 0x68, 0xc3, 0x95, 0xb9, 0x52, 0x4d, 0x59, 0xbd, 0x85, 0x94, 0x90, 0x26, 0x72, 0x26, 0xeb, 0x74, 0xf2, 0xfc, 0xb9};
static const uint8_t test_id[GN_GA_KEY_ID_BYTES] = {7};
static const struct gn_ga_shape test_shape = {.s_bits = 160, .c_bits = 20, .r_bits = 260};

struct pair {
    struct gn_ga_group *group;
    struct gn_ga_mac mac;
    struct gn_ga_store *store;
    struct gn_ga_prover p;
    struct gn_ga_verifier v;
    char path[64];
};

static inline void make_coupons(struct pair *t, uint32_t n)
{
    const struct gn_ga_store_head head = {.n = n, .x_bits = 64, .block = 16, .key_id = {7}};
    uint8_t *xs = malloc((size_t)n * 8);
    assert_non_null(xs);
    for (uint32_t i = 0; i < n; i++) {
        struct gn_ga_wide r;
        uint8_t element[GN_GA_ELEMENT_BYTES];
        assert_int_equal(gn_ga_coupon_exponent(test_seed, i, test_shape.r_bits, &r), GN_OK);
        assert_int_equal(gn_ga_group_commit(t->group, &r, test_shape.r_bits, element), GN_OK);
        assert_int_equal(gn_ga_coupon_commitment(element, 33, NULL, 0, 64, xs + 8 * (size_t)i), GN_OK);
    }
    (void)snprintf(t->path, sizeof t->path, "/tmp/gn_ses_%ld.cpn", (long)getpid());
    (void)unlink(t->path);
    assert_int_equal(gn_ga_store_create(t->path, &head, xs, NULL), GN_OK);
    assert_int_equal(gn_ga_store_open(t->path, test_id, NULL, &t->store, NULL), GN_OK);
    free(xs);
}

static inline void pair_open(struct pair *t, const char *arch, uint32_t n_coupons)
{
    const struct gn_ga_public key = {.kind = GN_GA_P256, .public_key = TEST_PUBLIC};
    enum gn_ga_arch kind = GN_GA_NATIVE;
    struct gn_ga_wide s;
    uint32_t width = 0;

    memset(t, 0, sizeof *t);
    assert_int_equal(gn_ga_group_open(&key, &t->group, NULL), GN_OK);
    assert_int_equal(gn_ga_wide_from_hex(TEST_SECRET, &s), GN_OK);
    assert_true(gn_ga_arch_parse(arch, &kind, &width));
    assert_int_equal(gn_ga_mac_open(&t->mac, kind, width, &test_shape, &s), GN_OK);
    make_coupons(t, n_coupons);
    t->p = (struct gn_ga_prover){.mac = &t->mac, .store = t->store, .timeout_s = 1};
    memcpy(t->p.seed, test_seed, sizeof test_seed);
    t->v = (struct gn_ga_verifier){.group = t->group, .shape = test_shape, .x_bits = 64, .timeout_s = 1, .lock_s = 60};
}

static inline void pair_close(struct pair *t)
{
    gn_ga_prover_wipe(&t->p);
    gn_ga_mac_close(&t->mac);
    gn_ga_group_close(t->group);
    gn_ga_store_close(t->store);
    (void)unlink(t->path);
}

/* A message on its way. */
struct wire {
    uint8_t b[GN_GA_MSG_MAX];
    size_t n;
};

#define COMMIT(t, now, w)        gn_ga_prover_commit(&(t)->p, (now), (w)->b, &(w)->n)
#define CHALLENGE(t, now, in, w) gn_ga_verifier_challenge(&(t)->v, (now), (in)->b, (in)->n, (w)->b, &(w)->n)
#define ANSWER(t, now, in, w)    gn_ga_prover_answer(&(t)->p, (now), (in)->b, (in)->n, (w)->b, &(w)->n)
#define CHECK(t, now, in, w)     gn_ga_verifier_check(&(t)->v, (now), (in)->b, (in)->n, (w)->b, &(w)->n)

#endif
