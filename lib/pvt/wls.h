/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* One epoch alone: weighted least squares, and RAIM by its residuals. All functions: [any thread]. */
#ifndef GN_PVT_WLS_H
#define GN_PVT_WLS_H

#include "lib/pvt/meas.h"

/* States of a single epoch: x, y, z, clock, and Galileo minus GPS when both are used. */
#define GN_WLS_STATES 5

struct gn_pvt_dops {
    double g, p, h, v;
};

struct gn_pvt_point {
    double pos_m[3], clock_m, isb_m;
    double vel_mps[3], drift_mps;
    double cov[GN_WLS_STATES][GN_WLS_STATES]; /* formal, m^2 */
    double chi2;
    int n_used, n_states, n_excluded;
    bool has_isb, has_velocity, is_galileo_only;
    bool is_checked; /* there was redundancy and the residuals passed */
};

struct gn_pvt_search {
    const struct gn_pvt_air *air;
    const double *guess_m;   /* [3], NULL: the centre of the Earth will do */
    double mask_rad;         /* elevation mask; applied once there is a position, while enough remain */
};

/* chi-square that n degrees of freedom exceed with probability 1e-5 (n 1..60, larger taken as 60). */
double gn_pvt_chi2_limit(int n);

/* Solve from the measurements with use set. False: too few, or no convergence. use of satellites under the
 * mask is cleared. */
bool gn_pvt_wls(struct gn_pvt_meas *m, int n, const struct gn_pvt_search *how, struct gn_pvt_point *ret);

/* The same; while the residuals fail the chi-square test, leave out the one satellite whose absence helps
 * most, as long as redundancy remains to test the rest. False: no solution that can be believed. */
bool gn_pvt_raim(struct gn_pvt_meas *m, int n, const struct gn_pvt_search *how, struct gn_pvt_point *ret);

/* Dilution of precision of the used measurements at pos_m; all NaN when undetermined. */
struct gn_pvt_dops gn_pvt_dop(const struct gn_pvt_meas *m, int n, const double pos_m[3]);

#endif
