/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The OSNMA receiver as one object fed with I/NAV pages: no input or output, no clock, bounded memory
 * (about 1.2 MB). Source: OSNMA SIS ICD 1.1 and its receiver guidelines.
 *
 * What is kept: the tags of the last GN_OSNMA_RETENTION sub-frames (32 minutes) and the words of the last
 * GN_OSNMA_WORDS sub-frames in which a satellite was heard, at most 4 hours old, from the first page on.
 * Tags are settled when the key arrives, whether the chain was known before or becomes known later.
 *
 * Trust. Only `anchor` is trusted. Nothing is deleted on the word of a header nobody signed. A tag whose key
 * may have been public when the tag arrived is never used: pages come with the time of reception by the
 * receiver's own clock (rx_gst_s) or, where there is none, are held against the run of all pages.
 * Without trusted time verdicts stay GN_UNDECIDED with reason "no-trusted-time". */
#ifndef GN_OSNMA_ENGINE_H
#define GN_OSNMA_ENGINE_H

#include "lib/msg/osnma.h"
#include "lib/osnma/keys.h"
#include "lib/osnma/tesla.h"

#define GN_OSNMA_RETENTION 64
#define GN_OSNMA_WORDS     96

struct gn_osnma_page {
    int32_t wn;      /* full GST week (12 bits of it are signed) */
    uint32_t tow_s;  /* GST second of week of the page's start */
    uint8_t prn;     /* 1..36 */
    uint8_t is_e5b;  /* words count, OSNMA bits do not */
    uint8_t has_rx;  /* rx_gst_s holds */
    uint8_t reserved;
    double rx_gst_s; /* trusted clock: seconds since GST week 0 when the page's start was received */
    uint8_t bits[GN_OSNMA_PAGE_BYTES]; /* 240 bits: even part, odd part, tails included */
};

struct gn_osnma_config {
    struct gn_osnma_anchor anchor; /* all zero: runs, nothing is ever authentic */
    uint8_t has_trusted_time;
    uint8_t no_reed_solomon;
    uint8_t defers;                /* signatures and long walks become tasks: see gn_osnma_task */
    uint8_t profile;               /* enum gn_osnma_profile: never changed by the signal */
    uint16_t tag_bits;             /* data are authentic from so many tag bits on; 0 = 40 */
    uint32_t macs_max;             /* MACs checked per page fed, the rest waits; 0 = 400 */
    double time_uncertainty_s;     /* of the trusted clock */
    /* kept over a restart (lib/osnma/state.h); the key counts only if it leads to anchor.kroot */
    uint8_t has_start_key, start_key_cid, n_revoked;
    uint8_t draft_keys;            /* draft profile: keys of the chain in a sub-frame, 0 is 1 (the paper: 72) */
    struct gn_tesla_key start_key;
    struct gn_tesla_chain revoked[4]; /* never taken again */
};

enum gn_osnma_key_event { GN_OSNMA_EV_KEY = 0, GN_OSNMA_EV_KROOT, GN_OSNMA_EV_PKR, GN_OSNMA_EV_OAM };

/* Where results go, called inside the functions below. Members may be NULL. */
struct gn_osnma_sink {
    void *arg;
    void (*tag)(void *arg, const struct gn_msg_osnma_tag *tag);
    void (*data)(void *arg, const struct gn_msg_osnma_data *data);
    void (*key)(void *arg, enum gn_osnma_key_event kind, const struct gn_msg_osnma_key *key);
    void (*status)(void *arg, const struct gn_msg_osnma_status *status);
};

struct gn_osnma_stats {
    uint64_t pages, bad_crc, alert, dummy, bad_page, out_of_time;
    uint64_t macs, macs_put_off, tesla_steps, signatures;
    uint64_t tags[3][16];          /* [gn_verdict][adkd] */
};

struct gn_osnma; /* opaque */

/* *ret is made on GN_OK. Errors: GN_E_NOMEM. [control] */
GN_NODISCARD gn_status gn_osnma_new(const struct gn_osnma_config *config, struct gn_osnma **ret);
void gn_osnma_free(struct gn_osnma *o);

/* One page; anything may be in it. [stream] */
void gn_osnma_feed(struct gn_osnma *o, const struct gn_osnma_page *page, const struct gn_osnma_sink *sink);

/* Settle what waits because of macs_max, then name the tags that will never be settled. [stream] */
void gn_osnma_finish(struct gn_osnma *o, const struct gn_osnma_sink *sink);

const struct gn_osnma_stats *gn_osnma_stats(const struct gn_osnma *o);

/* ---- heavy work, for a pool ------------------------------------------------------------------------------- */
#define GN_OSNMA_SLICE_HASHES 65536

enum gn_osnma_task_kind { GN_OSNMA_TASK_NONE = 0, GN_OSNMA_TASK_SIGNATURE, GN_OSNMA_TASK_WALK };

/* A copy of all it needs: run it anywhere, then give it back. */
struct gn_osnma_task {
    uint8_t kind, verdict, dsm_id, header;
    uint8_t curve, i_pubkey, is_more; /* is_more: a slice of the walk is done, others are left */
    uint8_t reserved;
    uint32_t n_dsm, n_msg, n_sig;
    uint8_t dsm[GN_OSNMA_DSM_BYTES];
    uint8_t point[GN_OSNMA_POINT_BYTES];
    uint8_t msg[64];
    uint8_t sig[GN_OSNMA_SIG_BYTES];
    struct gn_tesla_chain chain;
    struct gn_tesla_key from;  /* walked back n_steps ... */
    struct gn_tesla_key goal;  /* ... it must equal this */
    int64_t n_steps;
    struct gn_tesla_key at;    /* how far the walk has come; no key before the verdict */
    int64_t n_left;
};

/* Is there a task to run? Copies it out; the engine waits for gn_osnma_task_done(). Only if config.defers. [stream] */
bool gn_osnma_task_take(struct gn_osnma *o, struct gn_osnma_task *ret);
/* A signature, or a walk's next GN_OSNMA_SLICE_HASHES (15 to 50 ms): a month of a draft's chain takes a hundred slices, each
 * given back through gn_osnma_task_done(), which has the next one ready. Touches nothing but *task. GN_E_CANCELLED leaves it undecided. [job] */
gn_status gn_osnma_task_run(struct gn_osnma_task *task, int (*is_cancelled)(void *arg), void *arg);
void gn_osnma_task_done(struct gn_osnma *o, const struct gn_osnma_task *task, const struct gn_osnma_sink *sink);

#endif
