/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* One run between a prover and a verifier, as bytes:
 *
 *   P -> V  commitment  0xA6 2 u32 index, x          V: draws c only now
 *   V -> P  challenge   0xA6 3 u32 index, c
 *   P -> V  answer      0xA6 4 u32 index, y
 *   V -> P  result      0xA6 5 u32 index, 0 yes or 1 no    one word for every reason; reasons stay in the verifier's log
 *
 * Lengths are fixed by the key: x_bits / 8, ceil(c_bits / 8), ceil((r_bits + 1) / 8); numbers are big-endian. Time is
 * whatever clock the caller has, seconds, never going back. Only the prover's seed and secret are not public.
 * One run at a time for each key. */
#ifndef GN_GPSAUTH_SESSION_H
#define GN_GPSAUTH_SESSION_H

#include "lib/gpsauth/coupon.h"
#include "lib/gpsauth/store.h"

#define GN_GA_MSG_HEAD 6u
#define GN_GA_MSG_MAX  (GN_GA_MSG_HEAD + GN_GA_BYTES)
#define GN_GA_SEEN     64u

enum gn_ga_msg_kind { GN_GA_MSG_NONE, GN_GA_MSG_HELLO, GN_GA_MSG_COMMITMENT, GN_GA_MSG_CHALLENGE, GN_GA_MSG_ANSWER, GN_GA_MSG_RESULT };

/* What the bytes say they are; GN_GA_MSG_NONE: none of ours. */
enum gn_ga_msg_kind gn_ga_msg_kind_of(const uint8_t *bytes, size_t n);

enum gn_ga_reason {
    GN_GA_OK,
    GN_GA_MALFORMED,     /* another kind or length */
    GN_GA_NOT_OPEN,      /* no run is open, or another index */
    GN_GA_LATE,          /* after the deadline; the coupon is gone */
    GN_GA_OUT_OF_RANGE,  /* c or y too large */
    GN_GA_BUSY,          /* another run is open */
    GN_GA_LIMITED,       /* the budget of runs is used up for now */
    GN_GA_LOCKED,        /* too many wrong answers */
    GN_GA_REPLAY,        /* x or index was there before: a copy of the prover, or a recording. Revoke the key */
    GN_GA_WRONG,         /* the equation does not hold */
    GN_GA_EXHAUSTED,     /* no coupon left, or the store failed */
    GN_GA_INTERNAL,
};
const char *gn_ga_reason_text(enum gn_ga_reason reason);

/* Runs allowed: `depth` at once, refilled at rate_hz. depth 0: no limit. */
struct gn_ga_budget {
    double rate_hz, depth, level, t_s;
    bool is_started;
};
bool gn_ga_budget_take(struct gn_ga_budget *b, double now_s);

/* ---- prover ---------------------------------------------------------------------------------------------------------- */
struct gn_ga_prover {
    const struct gn_ga_mac *mac; /* borrowed */
    struct gn_ga_store *store;   /* borrowed */
    uint8_t seed[GN_GA_SEED_BYTES];
    double timeout_s;
    struct gn_ga_budget budget;
    /* of the run */
    struct gn_ga_wide r; /* secret, made before the challenge comes */
    uint64_t index;
    double t_s;
    bool is_open;
    uint32_t core_cycles; /* of the last answer */
};

/* Burns a coupon and opens a run; out[GN_GA_MSG_MAX], *n_out bytes to send. A run that was open is dropped. May block on
 * the disk. */
enum gn_ga_reason gn_ga_prover_commit(struct gn_ga_prover *p, double now_s, uint8_t *out, size_t *n_out);
/* Answers a challenge, once. Any challenge for the open run ends it, also a malformed one. */
enum gn_ga_reason gn_ga_prover_answer(
        struct gn_ga_prover *p, double now_s, const uint8_t *msg, size_t n, uint8_t *out, size_t *n_out);
/* Forgets r and the seed. */
void gn_ga_prover_wipe(struct gn_ga_prover *p);

/* ---- verifier -------------------------------------------------------------------------------------------------------- */
struct gn_ga_verifier {
    struct gn_ga_group *group; /* borrowed; with the pinned public key */
    struct gn_ga_shape shape;
    uint32_t x_bits;
    double timeout_s, lock_s;
    uint32_t n_wrong_max; /* wrong answers in a row until the key is locked for lock_s; 0: never */
    struct gn_ga_budget budget;
    /* kept between runs */
    uint64_t next_index; /* high-water mark: one above the last accepted */
    uint8_t seen[GN_GA_SEEN][GN_GA_X_BYTES];
    uint32_t n_seen, n_wrong;
    double locked_until_s;
    /* of the run */
    uint64_t index;
    uint64_t c;
    uint8_t x[GN_GA_X_BYTES];
    double t_s;
    bool is_open;
};

/* Takes a commitment, draws a challenge. */
enum gn_ga_reason gn_ga_verifier_challenge(
        struct gn_ga_verifier *v, double now_s, const uint8_t *msg, size_t n, uint8_t *out, size_t *n_out);
/* GN_GA_OK: the prover has the key. out: what to say to it, the same for every refusal. The run ends. */
enum gn_ga_reason gn_ga_verifier_check(
        struct gn_ga_verifier *v, double now_s, const uint8_t *msg, size_t n, uint8_t *out, size_t *n_out);

#endif
