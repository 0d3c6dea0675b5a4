/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The correlator everything else is compared with: per sample, in double precision, no trick. */
#ifndef GN_CORR_ORACLE_H
#define GN_CORR_ORACLE_H

#include "lib/corr/grid.h"

enum gn_corr_edges {
    GN_EDGES_NEAREST = 0, /* a sample belongs to the bin in which its middle lies */
    GN_EDGES_SHARED = 1,  /* a sample cut by an edge is shared between both bins */
};

/* Taps of a grid. iq: samples of format GN_FMT_CI8 or GN_FMT_CI16 from the grid's first sample on,
 * at least up to the last edge. The carrier turns with every sample. tap[n_taps]. [any thread] */
void gn_corr_oracle_run(const void *iq, uint32_t format, enum gn_corr_edges edges,
        const struct gn_corr_grid *grid, struct gn_cplx *tap);

#endif
