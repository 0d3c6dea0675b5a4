/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Where may a preamble be? Eight equal symbols look like themselves 16 us earlier, whatever the carrier offset; and
 * six of them folded into one tell timing and offset. Private to lib/modem. */
#ifndef GN_MODEM_SEARCH_H
#define GN_MODEM_SEARCH_H

#include "lib/modem/track.h"

struct gn_oqpsk_search; /* opaque */

struct gn_oqpsk_search *gn_oqpsk_search_new(unsigned spc); /* NULL: no memory */
void gn_oqpsk_search_free(struct gn_oqpsk_search *s);
void gn_oqpsk_search_from(struct gn_oqpsk_search *s, uint64_t index);
uint64_t gn_oqpsk_search_first(const struct gn_oqpsk_search *s); /* earliest sample it may still name */
uint64_t gn_oqpsk_search_next(const struct gn_oqpsk_search *s);  /* first sample of the next step ... */
uint64_t gn_oqpsk_search_need(const struct gn_oqpsk_search *s);  /* ... and the end of it */
/* iq: from gn_oqpsk_search_next() to gn_oqpsk_search_need(). True: a preamble begins near *t0. */
bool gn_oqpsk_search_step(struct gn_oqpsk_search *s, const float *iq, uint64_t *t0);
double gn_oqpsk_search_cfo_hz(const struct gn_oqpsk_search *s); /* of that preamble, less a multiple of 62.5 kHz */

struct gn_oqpsk_fold {
    unsigned spc;
    float x[GN_OQPSK_PERIOD_MAX][2];
};

/* Sum of n periods from iq, turned back by step_rad a sample. */
void gn_oqpsk_fold(const float *iq, unsigned spc, unsigned n, double step_rad, struct gn_oqpsk_fold *f);

/* Height of the best correlation with symbol 0 when the offset is i * 62.5 kHz more, and its place in the period in
 * samples with fraction. */
double gn_oqpsk_fold_peak(const struct gn_oqpsk_fold *f, const struct gn_oqpsk_signs *signs, int i, double *place);

#endif
