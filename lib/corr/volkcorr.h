/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Correlation with VOLK: samples times a carrier pattern tile, planar, one float dot product a tap
 * and component.
 *
 *   sum x[n+k] e^-jw(n+k) c = e^-jwn  sum x[n+k] p[k] c[n+k],   p[k] = e^-jwk made once a call
 *
 * so no oscillator runs from sample to sample, and the phase is exact at every tile. Debian's
 * VOLK 2.5.2 crashes in volk_32fc_32f_dot_prod_32fc when taps are off a 32-byte boundary on
 * AVX2+FMA machines: the planar volk_32f_x2_dot_prod_32f used here has no such fault. Edges are
 * rounded to samples. */
#ifndef GN_CORR_VOLKCORR_H
#define GN_CORR_VOLKCORR_H

#include "lib/corr/grid.h"

#define GN_VOLK_TILE 1024u

/* Scratch of one caller; borrowed memory, about 50 kB, 64-byte aligned. */
struct gn_volk_scratch {
    _Alignas(64) float pattern[2 * GN_VOLK_TILE], in[2 * GN_VOLK_TILE], mixed[2 * GN_VOLK_TILE];
    _Alignas(64) float re[GN_VOLK_TILE], im[GN_VOLK_TILE], replica[GN_VOLK_TILE];
};

/* Taps of a grid, as gn_corr_oracle_run() with GN_EDGES_NEAREST. [any thread] */
void gn_corr_volk_run(struct gn_volk_scratch *scratch, const void *iq, uint32_t format,
        const struct gn_corr_grid *grid, struct gn_cplx *tap);

#endif
