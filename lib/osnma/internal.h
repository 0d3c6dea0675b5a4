/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Inside of the OSNMA engine; not for others. sf = sub-frames since GST week 0. */
#ifndef GN_OSNMA_INTERNAL_H
#define GN_OSNMA_INTERNAL_H

#include "lib/osnma/engine.h"

#define N_WORDS    7 /* word types 1 to 6 and 10, in this order */
#define N_VARIANTS 2 /* differing contents of a word kept for one sub-frame */
#define N_KEYS     (GN_OSNMA_RETENTION + 16)
#define N_CONTENTS 4
#define N_RS       4 /* words 17 to 20 */
#define SLOW_SF    11 /* an ADKD 12 tag's key comes so many sub-frames later */
#define WORD_AGE_SF (4 * 120)
#define TIME_FAST_S 15.0  /* T_L / 2 */
#define TIME_SLOW_S 165.0 /* T_L / 2 + 150 s */
#define KEY_TRIES   24    /* differing claims hashed per sub-frame */
#define WALK_INLINE 2000  /* steps taken at once; longer walks may become tasks */

#define RS_AGE_SF 8        /* words 17 to 20 help for so long */

#define WORD_REPAIRED 0x40u /* by Reed-Solomon */
#define WORD_SLOW     0x80u /* came so late that only slow tags may use it */

struct words { /* what one satellite said in one sub-frame */
    int64_t sf;
    uint8_t n[N_WORDS];              /* variants */
    uint8_t at[N_WORDS][N_VARIANTS]; /* second in the sub-frame, WORD_SLOW */
    uint8_t w[N_WORDS][N_VARIANTS][GN_OSNMA_WORD_BYTES];
};

struct content { /* the exact bits that tags cover */
    uint8_t is_used, forged, touched, is_slow_only;
    uint16_t bits, iod;
    int64_t sf; /* of the newest tag */
    char data[9];
    uint8_t content[GN_OSNMA_CONTENT_BYTES];
};

struct sat {
    int32_t newest; /* in ring */
    struct words ring[GN_OSNMA_WORDS];
    struct content contents[2][N_CONTENTS]; /* CED, timing */
    uint16_t rs_iod;  /* last repair: IODnav, words it had */
    uint8_t rs_tried;
    int64_t rs_sf[N_RS];
    uint8_t rs[N_RS][GN_OSNMA_WORD_BYTES];
};

enum macseq { MACSEQ_UNKNOWN = 0, MACSEQ_GOOD, MACSEQ_BAD };

struct mack { /* what one satellite sent in one sub-frame */
    uint16_t pages;   /* bit p: page p arrived */
    uint16_t fast;    /* bit p: ... in time for all tags */
    uint16_t settled; /* bit i: tag i */
    uint8_t macseq;   /* enum macseq */
    uint8_t is_key_told;
    uint8_t hkroot[GN_OSNMA_PAGES]; /* [0] NMA header, [1] DSM header */
    uint8_t bytes[GN_OSNMA_MACK_BYTES];
};

struct subframe {
    int64_t sf; /* -1: empty */
    uint8_t is_due; /* has tags whose key is known */
    uint8_t n_failed;
    uint8_t failed[KEY_TRIES][GN_OSNMA_KEY_BYTES]; /* claims that are not of the chain: none is hashed twice */
    struct mack sat[GN_OSNMA_PRNS];
};

struct key_slot {
    int64_t sf; /* -1: empty */
    uint8_t cid;
    uint8_t bytes[GN_OSNMA_KEY_BYTES];
};

struct chain {
    uint8_t is_known, is_revoked, is_used; /* is_used: a key off the air fitted */
    struct gn_tesla_chain p;
    struct gn_tesla_key root, newest;
};

#define N_ALTS 3 /* differing contents of a block that are kept: forgers may not shout down the rest */

struct block {
    uint16_t have; /* bit i: byte i */
    int64_t sf;    /* last heard */
    uint64_t prns; /* who sent it */
    uint8_t bytes[GN_OSNMA_BLOCK_BYTES];
};

struct dsm {
    int64_t last_sf;
    uint8_t is_done;   /* what is in bytes was verified */
    uint8_t n_tried;   /* headers tried on these bytes */
    uint8_t tried[3];
    uint8_t waits_key; /* its public key is not there yet */
    uint8_t n_blocks;  /* bytes is whole when not 0 */
    uint8_t bytes[GN_OSNMA_DSM_BYTES];
    struct block blocks[GN_OSNMA_BLOCKS_MAX][N_ALTS];
};

struct clock { /* the run of all pages, where the receiver has no clock of its own */
    uint8_t is_on, n_held, n_same, prn; /* n_same: pages in a row from prn */
    int64_t t_s;                        /* two satellites have come so far */
    int64_t last_s[GN_OSNMA_PRNS];      /* 0: not heard */
    struct gn_osnma_page held[4];       /* ahead of the others: wait for company */
};

struct gn_osnma {
    struct gn_osnma_config config;
    struct gn_osnma_crypto *crypto;
    struct gn_osnma_stats stats;
    const struct gn_osnma_sink *sink; /* of the call under way */
    struct clock clock;
    int64_t now_sf;                   /* newest sub-frame with a page, -1 before the first */
    int64_t status_sf;                /* the status is of this sub-frame */
    uint32_t budget;                  /* MACs left in this call */
    uint8_t is_alert;                 /* authenticated alert: nothing is used any more */
    uint8_t has_status, nmas, cid, cpks, is_authenticated;
    uint8_t has_header_told, header_told;
    uint8_t is_header_last;           /* the last status told is a header nobody vouched for */
    uint8_t pkid;                     /* in force, 0 unknown */
    uint8_t pkid_is_new_root;
    uint8_t task_out;                 /* a task was taken */
    uint8_t kroot_pending;            /* stored KROOT not yet placed in time */
    char state[GN_OSNMA_REASON];
    struct gn_osnma_task task;        /* kind != 0: ready to be taken or out */
    struct chain chains[4];           /* by CID */
    struct key_slot keys[N_KEYS];
    struct dsm dsms[16];
    struct subframe subs[GN_OSNMA_RETENTION];
    struct sat sats[GN_OSNMA_PRNS];
};

/* store.c: where things lie */
struct subframe *osnma_sub(struct gn_osnma *o, int64_t sf); /* NULL when not kept */
struct subframe *osnma_sub_open(struct gn_osnma *o, int64_t sf);
bool osnma_vote_header(struct gn_osnma *o, int64_t sf, uint8_t *header);
bool osnma_cid_of(struct gn_osnma *o, int64_t sf, unsigned *cid);
bool osnma_mack_bits(const struct mack *m, unsigned at, unsigned n, bool fast, uint64_t *ret);

/* words.c: navigation data */
struct candidate {
    uint8_t is_strict; /* exactly what the tag says, nothing guessed */
    uint16_t iod;
    uint8_t content[GN_OSNMA_CONTENT_BYTES];
};
#define CANDIDATES_MAX 3
void osnma_words_put(struct gn_osnma *o, const struct gn_osnma_page *page, bool is_slow);
unsigned osnma_candidates(const struct sat *sat, unsigned adkd, unsigned cop, int64_t sf,
        struct candidate ret[CANDIDATES_MAX]);

/* dsm.c */
void osnma_dsm_put(struct gn_osnma *o, int64_t sf, unsigned i_prn, unsigned i_page);
void osnma_dsm_try_all(struct gn_osnma *o);
void osnma_kroot_stored(struct gn_osnma *o, int64_t sf);

/* status.c */
void osnma_kroot_accept(struct gn_osnma *o, const struct gn_osnma_kroot_fields *k, uint8_t header,
        const struct gn_osnma_pubkey *key, bool is_stored);
void osnma_alert(struct gn_osnma *o);
void osnma_status_by_tag(struct gn_osnma *o, int64_t sf, unsigned nmas);
void osnma_status_tell(struct gn_osnma *o);
void osnma_header_tell(struct gn_osnma *o, int64_t sf);
struct gn_osnma_pubkey *osnma_pubkey_add(struct gn_osnma *o, const struct gn_osnma_pubkey *key);
void osnma_key_event(struct gn_osnma *o, enum gn_osnma_key_event kind, int64_t sf, unsigned cid,
        unsigned pkid, gn_verdict verdict, uint32_t steps, const char *reason);

/* chain.c */
void osnma_key_claims(struct gn_osnma *o, int64_t sf, unsigned i_prn, unsigned i_page);
void osnma_keys_from_store(struct gn_osnma *o, unsigned cid);
int64_t osnma_newest_key(const struct gn_osnma *o); /* verified and taken off the air; -1 none */
void osnma_chain_drop(struct gn_osnma *o, unsigned cid);
void osnma_walk_done(struct gn_osnma *o, const struct gn_osnma_task *task);
const struct key_slot *osnma_key_at(const struct gn_osnma *o, int64_t sf);

/* settle.c */
void osnma_settle(struct gn_osnma *o);
void osnma_settle_due(struct gn_osnma *o, int64_t sf);
void osnma_evict(struct gn_osnma *o, struct subframe *sub);
void osnma_flush_data(struct gn_osnma *o);

#endif
