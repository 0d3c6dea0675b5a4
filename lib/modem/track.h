/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* One symbol after the other from a known place: 16 correlators, timing and frequency loops. Private to lib/modem. */
#ifndef GN_MODEM_TRACK_H
#define GN_MODEM_TRACK_H

#include "lib/modem/oqpsk.h"

#define GN_OQPSK_PERIOD_MAX (GN_OQPSK_CHIPS * GN_OQPSK_SPC_MAX)
#define GN_OQPSK_MARGIN     (4u * GN_OQPSK_SPC_MAX) /* samples that must exist around a symbol */

/* Signs of symbols 0..7 by chip; 8..15 differ in the odd chips alone. */
struct gn_oqpsk_signs {
    float of[GN_OQPSK_CHIPS][8];
};

struct gn_oqpsk_track {
    const float *iq;     /* [.][2] */
    const struct gn_oqpsk_signs *signs;
    unsigned spc;
    double step_rad_per_hz; /* 2 pi / rate */
    double t;            /* start of the symbol, samples from iq */
    double drift;        /* samples a symbol */
    double cfo_hz, phase_rad;
    float last[2];       /* correlation of the symbol before */
    bool has_last;
    /* of the symbol just decided */
    float corr[2];       /* of the winner; amplitude 1: 32 spc */
    float energy;        /* of the 32 spc samples */
};

void gn_oqpsk_signs_fill(struct gn_oqpsk_signs *s);

/* Correlations c[16][2] of the symbol at k->t + offset, without moving on. */
void gn_oqpsk_correlate(struct gn_oqpsk_track *k, float c[16][2]);

/* Decide one symbol and move on. */
unsigned gn_oqpsk_step(struct gn_oqpsk_track *k);

#endif
