/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Extended Kalman filter over position, velocity, receiver clock and the Galileo-GPS offset.
 *
 *   x = [ x y z | vx vy vz | c b | c b' | isb ]      b = receiver clock - GPS time
 *
 * White noise drives velocity and clock drift. When an epoch contradicts the model (the receiver moves harder
 * than its profile says) the noise of that epoch is raised until it fits, else the filter starts anew: a profile
 * is a preference, never a limit. [any thread], state is the caller's. */
#ifndef GN_PVT_FILTER_H
#define GN_PVT_FILTER_H

#include "lib/pvt/wls.h"

#define GN_FILTER_STATES 9

enum gn_dynamics { GN_DYNAMICS_STATIC = 0, GN_DYNAMICS_CAR, GN_DYNAMICS_HIGH };

struct gn_filter {
    bool is_set;
    double x[GN_FILTER_STATES];
    double p[GN_FILTER_STATES][GN_FILTER_STATES];
};

/* Result of one epoch. */
struct gn_filter_result {
    bool has_fix;
    bool is_filtered;   /* false: this epoch started the filter */
    int n_used, n_galileo, n_excluded; /* n_galileo: of n_used */
    double clock_jump_m; /* the receiver clock jumped so far since the last epoch, 0 when it did not */
};

struct gn_filter_how {
    const struct gn_pvt_air *air;
    enum gn_dynamics dynamics;
    double mask_rad;
    double isb_m;        /* where a start without both systems takes the offset between them to be */
};

/* Start from a point solution. isb_m: used when it does not know the offset between the systems. */
void gn_filter_start(struct gn_filter *f, const struct gn_pvt_point *x, double isb_m);

/* The offset between the systems is isb_m, from outside the filter. */
void gn_filter_set_isb(struct gn_filter *f, double isb_m);

/* Move dt_s ahead. boost >= 1 multiplies the noise on velocity. */
void gn_filter_predict(struct gn_filter *f, double dt_s, enum gn_dynamics dynamics, double boost);

/* One epoch, dt_s after the last: RAIM, prediction, update; m[].use says afterwards what was used and
 * m[].residual_m what is left. Starts the filter when it is not set. */
struct gn_filter_result gn_filter_epoch(struct gn_filter *f, double dt_s, struct gn_pvt_meas *m, int n,
        const struct gn_filter_how *how);

#endif
