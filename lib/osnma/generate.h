/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The other side: TEST chains, keys and trees that sign I/NAV words, for simulators and tests. All of it comes from a
 * seed: equal configurations give equal bits. Private keys are wiped as soon as the messages are signed.
 *
 * What is sent is a list of steps; each says from when on, the NMA header, the chain in force and the signed messages
 * that take turns. gn_osnma_gen_event() writes the steps of the events the ICD knows.
 * Source: OSNMA SIS ICD 1.1 sections 3, 5, 6. */
#ifndef GN_OSNMA_GENERATE_H
#define GN_OSNMA_GENERATE_H

#include "gnomon/status.h"
#include "lib/osnma/format.h"

struct gn_osnma_gen; /* opaque */

#define GN_OSNMA_GEN_WORDS 7 /* word types 1 to 6 and 10, in this order */
#define GN_OSNMA_GEN_SUBFRAMES_MAX (28 * 2880)
#define GN_OSNMA_GEN_ROOT_AGE_MAX 1000000 /* sub-frames */
#define GN_OSNMA_GEN_STEPS_MAX  24
#define GN_OSNMA_GEN_DSMS_MAX   4
#define GN_OSNMA_GEN_CHAINS_MAX 8

struct gn_osnma_gen_chain {
    uint8_t hf, mf;              /* as in DSM-KROOT */
    uint8_t key_bytes, tag_bits; /* 0: 16 and 40 */
    uint8_t maclt;               /* 0: 34 */
};

enum gn_osnma_gen_kind { GN_GEN_KROOT = 0, GN_GEN_PKR, GN_GEN_OAM };

struct gn_osnma_gen_dsm {
    uint8_t kind;       /* enum gn_osnma_gen_kind */
    uint8_t chain;      /* KROOT: of which chain; its CID is chain % 4 */
    uint8_t pkid, tree; /* KROOT: signed by; PKR: brings. tree 1 is the new Merkle tree. OAM: tree only */
};

struct gn_osnma_gen_step {
    uint32_t from;      /* sub-frames after the start, rising; the first step's is 0 */
    uint8_t nmas, cpks;
    uint8_t chain;      /* in force */
    uint8_t n_dsms;
    struct gn_osnma_gen_dsm dsms[GN_OSNMA_GEN_DSMS_MAX]; /* in turn */
};

struct gn_osnma_gen_config {
    uint64_t seed;
    int32_t wn;               /* start: full GST week, second a multiple of 30 */
    uint32_t tow_s, n_subframes;
    struct gn_osnma_gen_chain chains[GN_OSNMA_GEN_CHAINS_MAX]; /* all zero: as the first one */
    uint8_t curve[2];         /* of the keys of each tree, enum gn_osnma_curve; 0: P-256, the new tree as the old */
    uint8_t next_curve;       /* of all keys but the first step's signer, 0: as the others of the tree */
    uint8_t is_root_fixed;    /* else KROOT floats: re-signed at each full hour */
    uint32_t root_age;        /* 0: the hour's start; else the first root key is so many sub-frames old, and stays */
    uint32_t dsm_subframes;   /* each message's turn; 0: as many as it has blocks */
    uint8_t pkid;             /* the first step's signer, 0: 1 */
    uint8_t sends_pkr;        /* the signer's DSM-PKR takes its turn where only DSM-KROOT would be sent */
    uint8_t flex_mix;         /* flexible slots take turns with ADKD 0, 4 and 12; else ADKD 0 */
    uint8_t n_steps;          /* 0: nominal */
    struct gn_osnma_gen_step steps[GN_OSNMA_GEN_STEPS_MAX];
};

/* Events of ICD section 5: what happens at at[0], at[1], at[2] (sub-frames after the start, rising). */
enum gn_osnma_gen_event {
    GN_GEN_NOMINAL = 0, /* nothing */
    GN_GEN_TEST,        /* NMAS test throughout */
    GN_GEN_DONT_USE,    /* [0] don't use, [1] operational again */
    GN_GEN_EOC,         /* [0] chain ends, next root key announced, [1] next chain in force */
    GN_GEN_CREV,        /* [0] don't use, new root key, [1] new chain in force, [2] nominal */
    GN_GEN_NPK,         /* [0] new key sent, [1] root key signed with it, [2] nominal */
    GN_GEN_PKREV,       /* [0] don't use, new key and chain sent, [1] in force, [2] nominal */
    GN_GEN_NMT,         /* [0] key of the new tree sent, [1] root key signed with it, [2] nominal */
    GN_GEN_ALERT,       /* [0] alert message and don't use, for good */
    GN_GEN_EVENT_COUNT,
};
extern const char *const gn_osnma_gen_events[]; /* names, NULL-ended */

/* Append the steps of one event to a configuration that has none, or whose last steps end in nominal service.
 * False: no room, or times that do not rise. [any thread] */
GN_NODISCARD bool gn_osnma_gen_event(struct gn_osnma_gen_config *c, enum gn_osnma_gen_event event, const uint32_t at[3]);

struct gn_osnma_gen_sat {
    uint8_t prn;       /* 1..36 */
    uint8_t has_osnma; /* sends OSNMA itself; any satellite's data may be covered */
    uint8_t cop_ced, cop_timing; /* 1..15: the words were the same for so many sub-frames; 0: not at all yet */
    /* 128-bit words as sent in the sub-frame BEFORE the one asked for (words, not pages: type in the first 6 bits).
     * Time-of-week fields and reserved bits do not matter; word 10 is sent every other sub-frame. */
    uint8_t words[GN_OSNMA_GEN_WORDS][16];
};

/* Errors: GN_E_ARG (a value out of range), GN_E_NOMEM, GN_E_INTERNAL. [control] */
GN_NODISCARD gn_status gn_osnma_gen_make(const struct gn_osnma_gen_config *c, struct gn_osnma_gen **ret);
/* The service of today (KS 128, TS 40, MACLT 34, SHA-256, HMAC-SHA-256, P-256, PKID 1), nominal. */
GN_NODISCARD gn_status gn_osnma_gen_new(uint64_t seed, int32_t wn, uint32_t tow_s, uint32_t n_subframes,
        struct gn_osnma_gen **ret);
void gn_osnma_gen_free(struct gn_osnma_gen *g); /* wipes */

/* The 40 bits (HKROOT 8, MACK 32) of each page 0..14 of satellite sats[i] in the sub-frame that starts at
 * (wn, tow_s); zeros when it has no OSNMA. sats[n_sats], n_sats <= 36, lists the whole sky in one order.
 * Errors: GN_E_ARG (off the grid or outside the chain). Neither allocates nor locks. [one thread at a time] */
GN_NODISCARD gn_status gn_osnma_gen_bits(struct gn_osnma_gen *g, int32_t wn, uint32_t tow_s,
        const struct gn_osnma_gen_sat *sats, unsigned n_sats, unsigned i, uint8_t bits[GN_OSNMA_PAGES][5]);

/* The trust anchors a receiver starts from (Merkle roots, the first step's public key) as JSON, marked "test": true.
 * Returns the length, 0 when it does not fit in room. */
size_t gn_osnma_gen_keys_json(const struct gn_osnma_gen *g, char *text, size_t room);

/* The step in force in a sub-frame n after the start, for tests. */
const struct gn_osnma_gen_step *gn_osnma_gen_step_at(const struct gn_osnma_gen *g, uint32_t n);

#endif
