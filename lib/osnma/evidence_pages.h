/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Inside of the evidence: what lies in some pages. */
#ifndef GN_OSNMA_EVIDENCE_PAGES_H
#define GN_OSNMA_EVIDENCE_PAGES_H

#include "lib/osnma/evidence.h"

struct ev_pages { /* borrowed; by sub-frame, within one in the order of reception */
    const struct gn_osnma_page *p;
    size_t n;
};

/* Is it a page whose OSNMA bits may be read: E1-B, CRC, nominal, no dummy? */
bool ev_has_osnma(const struct gn_osnma_page *p);
bool ev_is_good(const struct gn_osnma_page *p); /* the same for its word: also E5b-I */
int64_t ev_sf(const struct gn_osnma_page *p);
unsigned ev_index(const struct gn_osnma_page *p); /* in its sub-frame */

/* The pages of sub-frames from_sf..to_sf. */
struct ev_pages ev_range(const struct ev_pages *in, int64_t from_sf, int64_t to_sf);
/* Put pages in that order; scratch[n]. */
void ev_sort(struct gn_osnma_page *p, size_t n, struct gn_osnma_page *scratch);

/* The page of a satellite (prn 0: any that has it) in a sub-frame; NULL when it is not there. */
const struct gn_osnma_page *ev_find(const struct ev_pages *in, int64_t sf, unsigned prn, unsigned index);

/* n (up to 64) bits of a satellite's MACK; false when a page is missing. */
bool ev_mack(const struct ev_pages *in, int64_t sf, unsigned prn, unsigned at, unsigned n, uint64_t *ret);
/* The NMA header of a sub-frame: the satellite's own, else any other's. */
bool ev_header(const struct ev_pages *in, int64_t sf, unsigned prn, uint8_t *ret);

/* The TESLA key a sub-frame sent, page by page from the satellite (0: from any). */
bool ev_key(const struct ev_pages *in, int64_t sf, unsigned prn, const struct gn_tesla_chain *chain,
        struct gn_tesla_key *ret);

/* A message put together from pages of from_sf..to_sf. Two pages that differ in a byte: false. */
struct ev_dsm {
    size_t n_bytes;
    uint8_t header;
    uint8_t bytes[GN_OSNMA_DSM_BYTES];
};
bool ev_dsm(const struct ev_pages *in, const struct gn_evidence_dsm *where, struct ev_dsm *ret);

/* The 128-bit word of a page. */
void ev_word(const struct gn_osnma_page *p, uint8_t word[GN_OSNMA_WORD_BYTES]);

#endif
