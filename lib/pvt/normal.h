/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Normal equations of a small least-squares problem, solved by Cholesky. [any thread] */
#ifndef GN_PVT_NORMAL_H
#define GN_PVT_NORMAL_H

#include <stdbool.h>

#define GN_NORMAL_MAX 6

struct gn_normal {
    int n;                                       /* unknowns, 1..GN_NORMAL_MAX */
    double a[GN_NORMAL_MAX][GN_NORMAL_MAX];      /* sum of w h h^T, lower half */
    double b[GN_NORMAL_MAX];                     /* sum of w h v */
    double inverse[GN_NORMAL_MAX][GN_NORMAL_MAX]; /* result: covariance when w = 1/sigma^2 */
};

/* One observation: v = h x + noise, weight w. */
void gn_normal_add(struct gn_normal *eq, const double *h, double v, double w);

/* x[n] and eq->inverse. False: singular (fewer observations than unknowns, or no geometry). */
bool gn_normal_solve(struct gn_normal *eq, double *x);

#endif
