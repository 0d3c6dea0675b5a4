/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Interference as a function of sample index and seed: no state, any part can be made alone.
 *
 *   CW      one tone at offset_hz
 *   CHIRP   sweeps offset_hz -+ span_hz / 2 once every period_s, a saw tooth
 *   PULSE   a tone that is on for duty * period_s out of every period_s
 *   BAND    Gaussian noise within offset_hz -+ span_hz / 2
 *
 * Shapes and levels of civil jammers: R. H. Mitch et al., ION GNSS 2011; D. Borio et al., 2013. */
#ifndef GN_LAB_JAM_H
#define GN_LAB_JAM_H

#include "lib/frontend/fir.h"
#include "lib/sim/noise.h"

#include <stddef.h>
#include <stdint.h>

#define GN_JAM_TILE 1024U

enum gn_jam_kind { GN_JAM_CW = 0, GN_JAM_CHIRP, GN_JAM_PULSE, GN_JAM_BAND };

struct gn_jam_shape {
    enum gn_jam_kind kind;
    double rate_sps, offset_hz, span_hz, period_s, duty;
    uint64_t seed;
};

struct gn_jam {
    struct gn_jam_shape shape;
    uint64_t step;     /* of the offset */
    uint64_t n_period; /* samples, at least 1 */
    uint64_t n_on;
    struct gn_fir fir; /* BAND */
    struct gn_noise noise;
    float w_re[GN_JAM_TILE + 2 * GN_FIR_SIDE_MAX], w_im[GN_JAM_TILE + 2 * GN_FIR_SIDE_MAX];
};

void gn_jam_init(struct gn_jam *jam, const struct gn_jam_shape *shape);

/* re, im[n] = the interference of sample index + i, mean power 1 (PULSE: while it is on); n at most
 * GN_JAM_TILE. [stream] */
void gn_jam_fill(struct gn_jam *jam, uint64_t index, size_t n, float *re, float *im);

#endif
