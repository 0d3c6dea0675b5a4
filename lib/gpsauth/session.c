/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/gpsauth/session.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <string.h>

#define MARK 0xA6u

const char *gn_ga_reason_text(enum gn_ga_reason reason)
{
    static const char *const texts[] = {"ok", "malformed", "not-open", "late", "out-of-range", "busy", "limited", "locked",
            "replay", "wrong", "exhausted", "internal"};
    return texts[reason];
}

bool gn_ga_budget_take(struct gn_ga_budget *b, double now_s)
{
    if (b->depth <= 0)
        return true;
    if (!b->is_started)
        b->level = b->depth;
    else if (now_s > b->t_s)
        b->level += (now_s - b->t_s) * b->rate_hz;
    if (b->level > b->depth)
        b->level = b->depth;
    b->is_started = true;
    b->t_s = now_s;
    if (b->level < 1)
        return false;
    b->level -= 1;
    return true;
}

/* ---- bytes ------------------------------------------------------------------------------------------------------------- */
static void put_be(uint8_t *p, uint64_t v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (uint8_t)(v >> (8 * (n - 1 - i)));
}

static uint64_t get_be(const uint8_t *p, size_t n)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++)
        v = v << 8 | p[i];
    return v;
}

static void put_head(uint8_t *out, enum gn_ga_msg_kind kind, uint64_t index)
{
    out[0] = MARK;
    out[1] = (uint8_t)kind;
    put_be(out + 2, index, 4);
}

enum gn_ga_msg_kind gn_ga_msg_kind_of(const uint8_t *bytes, size_t n)
{
    if (n < GN_GA_MSG_HEAD || bytes[0] != MARK || bytes[1] < GN_GA_MSG_HELLO || bytes[1] > GN_GA_MSG_RESULT)
        return GN_GA_MSG_NONE;
    return (enum gn_ga_msg_kind)bytes[1];
}

static size_t c_bytes(const struct gn_ga_shape *s)
{
    return (s->c_bits + 7) / 8;
}

static size_t y_bytes(const struct gn_ga_shape *s)
{
    return (s->r_bits + 8) / 8;
}

/* ---- prover ------------------------------------------------------------------------------------------------------------ */
static void prover_end(struct gn_ga_prover *p)
{
    gn_ga_wide_wipe(&p->r);
    p->is_open = false;
}

enum gn_ga_reason gn_ga_prover_commit(struct gn_ga_prover *p, double now_s, uint8_t *out, size_t *n_out)
{
    uint64_t index = 0;

    *n_out = 0;
    prover_end(p);
    if (!gn_ga_budget_take(&p->budget, now_s))
        return GN_GA_LIMITED;
    if (gn_ga_store_burn(p->store, &index, out + GN_GA_MSG_HEAD, NULL) != GN_OK)
        return GN_GA_EXHAUSTED;
    if (gn_ga_coupon_exponent(p->seed, index, p->mac->shape.r_bits, &p->r) != GN_OK)
        return GN_GA_INTERNAL;
    p->index = index;
    p->t_s = now_s;
    p->is_open = true;
    put_head(out, GN_GA_MSG_COMMITMENT, index);
    *n_out = GN_GA_MSG_HEAD + gn_ga_store_x_bits(p->store) / 8;
    return GN_GA_OK;
}

static enum gn_ga_reason read_challenge(
        const struct gn_ga_prover *p, double now_s, const uint8_t *msg, size_t n, uint64_t *c)
{
    const struct gn_ga_shape *s = &p->mac->shape;

    if (n != GN_GA_MSG_HEAD + c_bytes(s))
        return GN_GA_MALFORMED;
    if (!(now_s - p->t_s <= p->timeout_s))
        return GN_GA_LATE;
    *c = get_be(msg + GN_GA_MSG_HEAD, c_bytes(s));
    return s->c_bits < 64 && *c >> s->c_bits != 0 ? GN_GA_OUT_OF_RANGE : GN_GA_OK;
}

enum gn_ga_reason gn_ga_prover_answer(
        struct gn_ga_prover *p, double now_s, const uint8_t *msg, size_t n, uint8_t *out, size_t *n_out)
{
    struct gn_ga_wide y;
    uint64_t c = 0;

    *n_out = 0;
    if (gn_ga_msg_kind_of(msg, n) != GN_GA_MSG_CHALLENGE || p->mac->shape.c_bits > 64)
        return GN_GA_MALFORMED;
    if (!p->is_open || get_be(msg + 2, 4) != p->index)
        return GN_GA_NOT_OPEN;
    const enum gn_ga_reason reason = read_challenge(p, now_s, msg, n, &c);
    if (reason == GN_GA_OK) {
        p->core_cycles = gn_ga_mac_answer(p->mac, c, &p->r, &y);
        put_head(out, GN_GA_MSG_ANSWER, p->index);
        gn_ga_wide_to_bytes(&y, out + GN_GA_MSG_HEAD, y_bytes(&p->mac->shape));
        *n_out = GN_GA_MSG_HEAD + y_bytes(&p->mac->shape);
    }
    prover_end(p);
    return reason;
}

void gn_ga_prover_wipe(struct gn_ga_prover *p)
{
    prover_end(p);
    OPENSSL_cleanse(p->seed, sizeof p->seed);
}

/* ---- verifier ---------------------------------------------------------------------------------------------------------- */
static bool was_seen(const struct gn_ga_verifier *v, const uint8_t *x)
{
    const uint32_t n = v->n_seen < GN_GA_SEEN ? v->n_seen : GN_GA_SEEN;
    for (uint32_t i = 0; i < n; i++) {
        if (memcmp(v->seen[i], x, v->x_bits / 8) == 0)
            return true;
    }
    return false;
}

static enum gn_ga_reason may_open(struct gn_ga_verifier *v, double now_s, const uint8_t *msg, size_t n)
{
    if (gn_ga_msg_kind_of(msg, n) != GN_GA_MSG_COMMITMENT || n != GN_GA_MSG_HEAD + v->x_bits / 8)
        return GN_GA_MALFORMED;
    if (now_s < v->locked_until_s)
        return GN_GA_LOCKED;
    if (v->is_open && now_s - v->t_s <= v->timeout_s)
        return GN_GA_BUSY;
    /* seen before the mark moves: it moves with accepted runs alone, or a stranger could push it to the end */
    if (get_be(msg + 2, 4) < v->next_index || was_seen(v, msg + GN_GA_MSG_HEAD))
        return GN_GA_REPLAY;
    return gn_ga_budget_take(&v->budget, now_s) ? GN_GA_OK : GN_GA_LIMITED;
}

enum gn_ga_reason gn_ga_verifier_challenge(
        struct gn_ga_verifier *v, double now_s, const uint8_t *msg, size_t n, uint8_t *out, size_t *n_out)
{
    uint8_t bytes[8];

    *n_out = 0;
    const enum gn_ga_reason reason = may_open(v, now_s, msg, n);
    if (reason != GN_GA_OK)
        return reason;
    if (v->shape.c_bits > 64 || RAND_bytes(bytes, sizeof bytes) != 1)
        return GN_GA_INTERNAL;
    v->c = get_be(bytes, sizeof bytes) >> (64 - v->shape.c_bits);
    v->index = get_be(msg + 2, 4);
    memcpy(v->x, msg + GN_GA_MSG_HEAD, v->x_bits / 8);
    memcpy(v->seen[v->n_seen++ % GN_GA_SEEN], v->x, sizeof v->x);
    if (v->n_seen == 2 * GN_GA_SEEN)
        v->n_seen = GN_GA_SEEN; /* the same place, and no overflow */
    v->t_s = now_s;
    v->is_open = true;
    put_head(out, GN_GA_MSG_CHALLENGE, v->index);
    put_be(out + GN_GA_MSG_HEAD, v->c, c_bytes(&v->shape));
    *n_out = GN_GA_MSG_HEAD + c_bytes(&v->shape);
    return GN_GA_OK;
}

static enum gn_ga_reason judge(struct gn_ga_verifier *v, double now_s, const uint8_t *msg, size_t n)
{
    const struct gn_ga_claim claim = {.shape = v->shape, .x_bits = v->x_bits, .x = v->x};
    struct gn_ga_wide c, y;
    uint8_t bytes[8];

    if (!(now_s - v->t_s <= v->timeout_s))
        return GN_GA_LATE;
    put_be(bytes, v->c, 8);
    if (n != GN_GA_MSG_HEAD + y_bytes(&v->shape) || gn_ga_wide_from_bytes(bytes, 8, &c) != GN_OK
            || gn_ga_wide_from_bytes(msg + GN_GA_MSG_HEAD, n - GN_GA_MSG_HEAD, &y) != GN_OK)
        return GN_GA_MALFORMED;
    switch (gn_ga_verify(v->group, &claim, &c, &y)) {
    case GN_GA_ACCEPT:
        return GN_GA_OK;
    case GN_GA_REJECT_CHALLENGE:
    case GN_GA_REJECT_RANGE:
        return GN_GA_OUT_OF_RANGE;
    case GN_GA_REJECT_COMMITMENT:
        return GN_GA_WRONG;
    case GN_GA_REJECT_INTERNAL:
        break;
    }
    return GN_GA_INTERNAL;
}

static void count(struct gn_ga_verifier *v, double now_s, enum gn_ga_reason reason)
{
    if (reason == GN_GA_OK) {
        v->n_wrong = 0;
        v->next_index = v->index + 1;
    } else if (++v->n_wrong >= v->n_wrong_max && v->n_wrong_max != 0) {
        v->locked_until_s = now_s + v->lock_s;
        v->n_wrong = 0;
    }
}

enum gn_ga_reason gn_ga_verifier_check(
        struct gn_ga_verifier *v, double now_s, const uint8_t *msg, size_t n, uint8_t *out, size_t *n_out)
{
    enum gn_ga_reason reason = GN_GA_MALFORMED;

    *n_out = 0;
    if (gn_ga_msg_kind_of(msg, n) != GN_GA_MSG_ANSWER)
        return GN_GA_MALFORMED;
    if (!v->is_open || get_be(msg + 2, 4) != v->index)
        reason = GN_GA_NOT_OPEN;
    else {
        reason = judge(v, now_s, msg, n);
        v->is_open = false;
        count(v, now_s, reason);
    }
    put_head(out, GN_GA_MSG_RESULT, get_be(msg + 2, 4));
    out[GN_GA_MSG_HEAD] = reason != GN_GA_OK;
    *n_out = GN_GA_MSG_HEAD + 1;
    return reason;
}
