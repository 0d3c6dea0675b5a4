/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/gpsauth/vectors_internal.h"

#include "lib/gpsauth/lhw.h"

#include <string.h>

#define MALFORMED "a member is missing or malformed"

/* ---- answers ------------------------------------------------------------------------------------------------------------ */
static const char *check_arch(const char *name, const struct gn_ga_shape *shape, const struct gn_ga_wide *s,
        const struct gn_ga_wide *r, uint64_t c, const struct gn_ga_wide *y, const uint32_t *cycles)
{
    struct gn_ga_mac mac;
    struct gn_ga_wide ours;
    enum gn_ga_arch arch;
    uint32_t width;
    const char *what = NULL;

    if (!gn_ga_arch_parse(name, &arch, &width))
        return "no such architecture";
    if (gn_ga_mac_open(&mac, arch, width, shape, s) != GN_OK)
        return "sizes refused";
    const uint32_t n = gn_ga_mac_answer(&mac, c, r, &ours);
    gn_ga_mac_close(&mac);
    if (!ga_equal(&ours, y))
        what = "y differs";
    else if (cycles != NULL && (n != *cycles || gn_ga_core_cycles(arch, width, shape) != n))
        what = "core cycles differ";
    return what;
}

const char *ga_check_answers(const json_t *item, const struct gn_ga_shape *shape, const struct gn_ga_wide *s,
        const struct gn_ga_wide *r, uint64_t c, const struct gn_ga_wide *y)
{
    static const char *const always[] = {"native", "serial8", "serial16", "serial32", "hybrid3", "hybrid4", "hybrid8",
            "parallel3", "parallel4", "parallel8"};
    const char *what = NULL, *name;
    json_t *cycles;

    for (size_t i = 0; i < GN_COUNT(always) && what == NULL; i++)
        what = check_arch(always[i], shape, s, r, c, y, NULL);
    json_object_foreach(json_object_get(item, "core_cycles"), name, cycles) {
        const uint32_t n = (uint32_t)json_integer_value(cycles);
        if (what == NULL)
            what = check_arch(name, shape, s, r, c, y, &n);
    }
    return what;
}

const char *ga_check_mac(const json_t *root, const json_t *item)
{
    struct gn_ga_shape shape;
    struct gn_ga_wide s, c, r, y;
    (void)root;

    if (!ga_shape_of(item, &shape) || !ga_wide(item, "s", &s) || !ga_wide(item, "c", &c) || !ga_wide(item, "r", &r)
            || !ga_wide(item, "y", &y) || gn_ga_wide_bits(&c) > shape.c_bits)
        return MALFORMED;
    return ga_check_answers(item, &shape, &s, &r, c.limb[0], &y);
}

/* ---- keys --------------------------------------------------------------------------------------------------------------- */
const char *ga_check_key(const json_t *root, const json_t *item)
{
    struct gn_error err = {.status = GN_OK};
    struct gn_ga_shape shape;
    struct gn_ga_wide s;
    uint8_t element[GN_GA_ELEMENT_BYTES];
    const char *what = NULL;

    if (!ga_shape_of(item, &shape) || !ga_wide(item, "s", &s))
        return MALFORMED;
    if (shape.r_bits < shape.s_bits + shape.c_bits + GN_GA_MARGIN_BITS)
        return "r_bits below s_bits + c_bits + 80";
    if (gn_ga_wide_bits(&s) != shape.s_bits)
        return "the secret's top bit is not set";
    struct gn_ga_group *g = ga_group_of(root, item, NULL, &err);
    if (g == NULL)
        return "the key was refused";
    if (gn_ga_group_public(g, &s, shape.s_bits, element) != GN_OK
            || !ga_is_element(item, "I", element, gn_ga_group_element_bytes(g)))
        what = "I is not g^-s";
    gn_ga_group_close(g);
    return what;
}

const char *ga_check_bad_key(const json_t *root, const json_t *item)
{
    struct gn_ga_public pub = {.kind = GN_GA_MODULUS, .n_bits_min = 1024};
    struct gn_ga_group *g = NULL;
    struct gn_error err = {.status = GN_OK};
    (void)root;

    if (!ga_text(item, "n", &pub.n) || !ga_text(item, "g", &pub.g) || !ga_text(item, "I", &pub.public_key))
        return MALFORMED;
    const bool is_loaded = gn_ga_group_open(&pub, &g, &err) == GN_OK;
    gn_ga_group_close(g);
    return is_loaded ? "a bad key was loaded" : NULL;
}

/* ---- one session: r from its seed, W from r, x from W, y from r and s, and the verdict ------------------------------------- */
static const char *check_commitment(struct gn_ga_group *g, const json_t *item, const struct gn_ga_claim *claim,
        const struct gn_ga_wide *r)
{
    uint8_t element[GN_GA_ELEMENT_BYTES], x[GN_GA_X_BYTES];
    const size_t n = gn_ga_group_element_bytes(g);

    if (gn_ga_group_commit(g, r, claim->shape.r_bits, element) != GN_OK || !ga_is_element(item, "W", element, n))
        return "W differs";
    if (gn_ga_coupon_commitment(element, n, claim->bind, claim->n_bind, claim->x_bits, x) != GN_OK
            || memcmp(x, claim->x, claim->x_bits / 8) != 0)
        return "x differs";
    return NULL;
}

static const char *check_exponent(const json_t *seed_from, const json_t *item, uint32_t r_bits, const struct gn_ga_wide *r)
{
    uint8_t seed[GN_GA_SEED_BYTES];
    struct gn_ga_wide ours;
    uint32_t i;
    size_t n;

    if (json_object_get(item, "i") == NULL || json_is_null(json_object_get(item, "i")))
        return NULL;
    if (!ga_count(item, "i", INT32_MAX, &i) || !ga_bytes(seed_from, "coupon_seed", seed, sizeof seed, &n) || n != sizeof seed)
        return MALFORMED;
    return gn_ga_coupon_exponent(seed, i, r_bits, &ours) == GN_OK && ga_equal(&ours, r) ? NULL : "r differs";
}

static const char *check_made(struct gn_ga_group *g, const json_t *key, const json_t *item, const struct gn_ga_claim *claim,
        const struct gn_ga_wide *c, const struct gn_ga_wide *y)
{
    struct gn_ga_wide r, s;

    if (!ga_wide(item, "r", &r) || !ga_wide(key, "s", &s))
        return MALFORMED;
    const char *what = check_exponent(key, item, claim->shape.r_bits, &r);
    if (what == NULL)
        what = check_commitment(g, item, claim, &r);
    return what != NULL || gn_ga_wide_bits(c) > claim->shape.c_bits
            ? what
            : ga_check_answers(item, &claim->shape, &s, &r, c->limb[0], y);
}

/* A cheater has no r that goes with s: only the verdict is checked. */
static bool is_cheater(const json_t *item)
{
    const char *note;
    return json_object_get(item, "r") == NULL || json_is_null(json_object_get(item, "r"))
            || (ga_text(item, "note", &note) && strstr(note, "cheater") != NULL);
}

const char *ga_check_session(const json_t *root, const json_t *item)
{
    const json_t *key = ga_key_of(root, item);
    struct gn_error err = {.status = GN_OK};
    struct gn_ga_shape shape;
    struct gn_ga_wide c, y, y_max, theirs;
    struct gn_ga_claim claim;
    uint8_t x[GN_GA_X_BYTES], bind[GA_BIND_MAX];
    const char *what = NULL;

    if (key == NULL || !ga_shape_of(key, &shape) || !ga_claim_of(item, &shape, x, bind, sizeof bind, &claim)
            || !ga_wide(item, "c", &c) || !ga_wide(item, "y", &y))
        return MALFORMED;
    struct gn_ga_group *g = ga_group_of(root, key, NULL, &err);
    if (g == NULL)
        return "the key was refused";
    gn_ga_y_max(&shape, &y_max);
    if (ga_wide(item, "y_max", &theirs) && !ga_equal(&theirs, &y_max))
        what = "y_max differs";
    if (what == NULL && !is_cheater(item))
        what = check_made(g, key, item, &claim, &c, &y);
    const bool is_accepted = gn_ga_verify(g, &claim, &c, &y) == GN_GA_ACCEPT;
    if (what == NULL && is_accepted != json_is_true(json_object_get(item, "accept")))
        what = is_accepted ? "accepted, should be rejected" : "rejected, should be accepted";
    gn_ga_group_close(g);
    return what;
}

const char *ga_check_reject(const json_t *root, const json_t *item)
{
    const json_t *key = ga_key_of(root, item);
    struct gn_error err = {.status = GN_OK};
    struct gn_ga_shape shape;
    struct gn_ga_wide c, y;
    struct gn_ga_claim claim;
    uint8_t x[GN_GA_X_BYTES], bind[GA_BIND_MAX];
    const char *why, *public_key = json_string_value(json_object_get(item, "I"));

    if (key == NULL || !ga_shape_of(key, &shape) || !ga_claim_of(item, &shape, x, bind, sizeof bind, &claim)
            || !ga_wide(item, "c", &c) || !ga_wide(item, "y", &y) || !ga_text(item, "why", &why))
        return MALFORMED;
    struct gn_ga_group *g = ga_group_of(root, key, public_key, &err);
    if (g == NULL)
        return "the key was refused";
    const enum gn_ga_verdict verdict = gn_ga_verify(g, &claim, &c, &y);
    gn_ga_group_close(g);
    if (verdict == GN_GA_ACCEPT)
        return "accepted, should be rejected";
    if ((strstr(why, "out of range") != NULL) != (verdict == GN_GA_REJECT_RANGE)
            || (strstr(why, "longer than c_bits") != NULL) != (verdict == GN_GA_REJECT_CHALLENGE))
        return "rejected for another reason";
    return NULL;
}

/* ---- two answers to one commitment ------------------------------------------------------------------------------------------ */
const char *ga_check_reuse(const json_t *root, const json_t *item)
{
    struct gn_ga_wide y1, y2, c1, c2, s, want, own;
    const json_t *key = ga_key_of(root, item);

    if (key == NULL || !ga_wide(item, "y1", &y1) || !ga_wide(item, "y2", &y2) || !ga_wide(item, "c1", &c1)
            || !ga_wide(item, "c2", &c2) || !ga_wide(item, "recovered_s", &want) || !ga_wide(key, "s", &own))
        return MALFORMED;
    if (gn_ga_recover_secret(&y1, &c1, &y2, &c2, &s) != GN_OK)
        return "no secret recovered";
    return ga_equal(&s, &want) && ga_equal(&s, &own) ? NULL : "another secret recovered";
}

/* ---- coupons ---------------------------------------------------------------------------------------------------------------- */
static const char *check_coupon(struct gn_ga_group *g, const uint8_t *seed, uint64_t i, const struct gn_ga_claim *claim,
        const json_t *want)
{
    struct gn_ga_wide r;
    uint8_t element[GN_GA_ELEMENT_BYTES], x[GN_GA_X_BYTES], theirs[GN_GA_X_BYTES];
    json_t *box = json_pack("{s:O}", "x", want);
    size_t n;
    const bool is_read = ga_bytes(box, "x", theirs, sizeof theirs, &n) && n * 8 == claim->x_bits;

    json_decref(box);
    if (!is_read)
        return MALFORMED;
    if (gn_ga_coupon_exponent(seed, i, claim->shape.r_bits, &r) != GN_OK
            || gn_ga_group_commit(g, &r, claim->shape.r_bits, element) != GN_OK
            || gn_ga_coupon_commitment(element, gn_ga_group_element_bytes(g), claim->bind, claim->n_bind, claim->x_bits, x) != GN_OK
            || memcmp(x, theirs, n) != 0)
        return "a coupon's x differs";
    return NULL;
}

const char *ga_check_coupons(const json_t *root, const json_t *item)
{
    const json_t *key = ga_key_of(root, item);
    struct gn_error err = {.status = GN_OK};
    struct gn_ga_claim claim = {.n_bind = 0};
    uint8_t seed[GN_GA_SEED_BYTES], bind[GA_BIND_MAX];
    const char *what = NULL;
    uint32_t first;
    size_t n, i;
    json_t *x;

    claim.bind = bind;
    if (key == NULL || !ga_shape_of(key, &claim.shape) || !ga_count(item, "x_bits", GN_GA_X_BITS_MAX, &claim.x_bits)
            || !ga_count(item, "first", INT32_MAX, &first) || !ga_bytes(item, "bind", bind, sizeof bind, &claim.n_bind)
            || !ga_bytes(key, "coupon_seed", seed, sizeof seed, &n) || n != sizeof seed)
        return MALFORMED;
    struct gn_ga_group *g = ga_group_of(root, key, NULL, &err);
    if (g == NULL)
        return "the key was refused";
    json_array_foreach(json_object_get(item, "x"), i, x)
        if (what == NULL)
            what = check_coupon(g, seed, (uint64_t)first + i, &claim, x);
    gn_ga_group_close(g);
    return what;
}

/* ---- P-256 ------------------------------------------------------------------------------------------------------------------ */
const char *ga_check_ec(const json_t *root, const json_t *item)
{
    struct gn_ga_public pub = {.kind = GN_GA_P256};
    struct gn_ga_group *g = NULL;
    struct gn_error err = {.status = GN_OK};
    struct gn_ga_shape shape;
    struct gn_ga_wide s, c, y;
    struct gn_ga_claim claim;
    uint8_t x[GN_GA_X_BYTES], bind[GA_BIND_MAX], element[33];
    const char *what = NULL;
    (void)root;

    if (!ga_shape_of(item, &shape) || !ga_claim_of(item, &shape, x, bind, sizeof bind, &claim) || !ga_wide(item, "s", &s)
            || !ga_wide(item, "c", &c) || !ga_wide(item, "y", &y) || !ga_text(item, "V", &pub.public_key))
        return MALFORMED;
    if (gn_ga_group_open(&pub, &g, &err) != GN_OK)
        return "the key was refused";
    const bool is_accepted = gn_ga_verify(g, &claim, &c, &y) == GN_GA_ACCEPT, must = json_is_true(json_object_get(item, "accept"));
    if (is_accepted != must)
        what = is_accepted ? "accepted, should be rejected" : "rejected, should be accepted";
    else if (gn_ga_group_public(g, &s, shape.s_bits, element) != GN_OK || !ga_is_element(item, "V", element, sizeof element))
        what = "V is not -s P";
    else if (must)
        what = check_made(g, item, item, &claim, &c, &y);
    gn_ga_group_close(g);
    return what;
}

/* ---- low Hamming weight --------------------------------------------------------------------------------------------------------- */
static bool lhw_of(const json_t *item, struct gn_ga_lhw *ret)
{
    return ga_count(item, "s_bits", GN_GA_S_BITS_MAX, &ret->s_bits) && ga_count(item, "w", GN_GA_WEIGHT_MAX, &ret->weight)
            && ga_count(item, "L", GN_GA_C_BITS_MAX, &ret->length);
}

static bool positions_of(const json_t *item, uint32_t *positions, uint32_t *n)
{
    const json_t *list = json_object_get(item, "positions");
    size_t i;
    json_t *v;

    *n = (uint32_t)json_array_size(list);
    if (*n == 0 || *n > GN_GA_WEIGHT_MAX)
        return false;
    json_array_foreach(list, i, v) {
        if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > INT32_MAX)
            return false;
        positions[i] = (uint32_t)json_integer_value(v);
    }
    return true;
}

/* indices and spaces are decimal text */
static bool decimal(const json_t *item, const char *name, uint64_t *ret)
{
    const char *text;
    char *end;

    if (!ga_text(item, name, &text) || text[0] < '0' || text[0] > '9')
        return false;
    *ret = strtoull(text, &end, 10);
    return *end == '\0';
}

static const char *check_lhw_answer(const json_t *item, const struct gn_ga_lhw *p, const uint32_t *positions)
{
    static const char *const circuits[] = {"serial8", "serial16", "native"};
    struct gn_ga_shape shape = {.s_bits = p->s_bits, .c_bits = p->length};
    struct gn_ga_wide s, r, y, ours;
    struct gn_ga_mac mac;
    enum gn_ga_arch arch;
    uint32_t width, n;

    if (!ga_count(item, "r_bits", GN_GA_R_BITS_MAX, &shape.r_bits) || !ga_wide(item, "s", &s) || !ga_wide(item, "r", &r)
            || !ga_wide(item, "y", &y))
        return MALFORMED;
    for (size_t i = 0; i < GN_COUNT(circuits); i++) {
        if (!gn_ga_arch_parse(circuits[i], &arch, &width) || gn_ga_mac_open(&mac, arch, width, &shape, &s) != GN_OK)
            return "sizes refused";
        const uint32_t cycles = gn_ga_mac_answer_lhw(&mac, positions, p->weight, &r, &ours);
        gn_ga_mac_close(&mac);
        if (!ga_equal(&ours, &y))
            return "y differs";
        if (ga_count(json_object_get(item, "core_cycles"), circuits[i], UINT16_MAX, &n) && n != cycles)
            return "core cycles differ";
    }
    return NULL;
}

static const char *check_lhw_verdict(const json_t *root, const json_t *item, const struct gn_ga_lhw *p,
        const struct gn_ga_wide *c)
{
    struct gn_ga_shape shape = {.s_bits = p->s_bits, .c_bits = p->length};
    struct gn_error err = {.status = GN_OK};
    struct gn_ga_claim claim;
    struct gn_ga_wide r, y;
    uint8_t x[GN_GA_X_BYTES], bind[GA_BIND_MAX];

    if (!ga_count(item, "r_bits", GN_GA_R_BITS_MAX, &shape.r_bits) || !ga_wide(item, "y", &y) || !ga_wide(item, "r", &r)
            || !ga_claim_of(item, &shape, x, bind, sizeof bind, &claim))
        return MALFORMED;
    struct gn_ga_group *g = ga_group_of(root, item, NULL, &err);
    if (g == NULL)
        return "the key was refused";
    const char *what = check_commitment(g, item, &claim, &r);
    const bool is_accepted = gn_ga_verify(g, &claim, c, &y) == GN_GA_ACCEPT;
    if (what == NULL && is_accepted != json_is_true(json_object_get(item, "accept")))
        what = is_accepted ? "accepted, should be rejected" : "rejected, should be accepted";
    gn_ga_group_close(g);
    return what;
}

const char *ga_check_lhw(const json_t *root, const json_t *item)
{
    struct gn_ga_lhw p;
    struct gn_ga_wide c, want;
    uint32_t theirs[GN_GA_WEIGHT_MAX], ours[GN_GA_WEIGHT_MAX], n;
    uint64_t index, space, back;

    if (!lhw_of(item, &p) || !decimal(item, "index", &index) || !positions_of(item, theirs, &n) || !ga_wide(item, "c", &want))
        return MALFORMED;
    if (decimal(item, "space", &space) && space != gn_ga_lhw_space(&p))
        return "the number of challenges differs";
    if (gn_ga_lhw_positions(&p, index, ours) != GN_OK || n != p.weight || memcmp(ours, theirs, n * sizeof ours[0]) != 0)
        return "positions differ";
    if (gn_ga_lhw_index(&p, theirs, n, &back) != GN_OK || back != index)
        return "the index of the positions differs";
    gn_ga_lhw_challenge(ours, n, &c);
    if (!ga_equal(&c, &want))
        return "c differs";
    const char *what = check_lhw_answer(item, &p, ours);
    return what != NULL ? what : check_lhw_verdict(root, item, &p, &c);
}

/* ---- challenges that a prover must not answer --------------------------------------------------------------------------------------- */
static const char *check_lhw_refusal(const json_t *item)
{
    struct gn_ga_lhw p;
    uint32_t positions[GN_GA_WEIGHT_MAX], n;
    uint64_t index, back;
    bool is_answered = false;

    if (!lhw_of(item, &p))
        return MALFORMED;
    if (decimal(item, "index", &index))
        is_answered = gn_ga_lhw_positions(&p, index, positions) == GN_OK;
    else if (positions_of(item, positions, &n))
        is_answered = gn_ga_lhw_index(&p, positions, n, &back) == GN_OK;
    return is_answered ? "a bad challenge was answered" : NULL;
}

const char *ga_check_refusal(const json_t *root, const json_t *item)
{
    const json_t *key = ga_key_of(root, item);
    struct gn_ga_shape shape;
    struct gn_ga_wide c;

    if (json_is_true(json_object_get(item, "lhw")))
        return check_lhw_refusal(item);
    if (key == NULL || !ga_shape_of(key, &shape))
        return MALFORMED;
    const bool is_answered = ga_wide(item, "c", &c) && gn_ga_is_challenge(&shape, &c);
    return is_answered ? "a bad challenge was answered" : NULL;
}
