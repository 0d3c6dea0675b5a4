/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/pvt/normal.h"

#include <math.h>

#define PIVOT_MIN 1e-10 /* of the diagonal: a geometry with a DOP beyond 1e5 is none */

void gn_normal_add(struct gn_normal *eq, const double *h, double v, double w)
{
    for (int i = 0; i < eq->n; i++) {
        for (int k = 0; k <= i; k++)
            eq->a[i][k] += w * h[i] * h[k];
        eq->b[i] += w * h[i] * v;
    }
}

/* a = l l^T */
static bool factor(const struct gn_normal *eq, double l[GN_NORMAL_MAX][GN_NORMAL_MAX])
{
    for (int i = 0; i < eq->n; i++)
        for (int k = 0; k <= i; k++) {
            double sum = eq->a[i][k];
            for (int j = 0; j < k; j++)
                sum -= l[i][j] * l[k][j];
            if (i == k) {
                if (!(sum > PIVOT_MIN * eq->a[i][i]))
                    return false;
                l[i][i] = sqrt(sum);
            } else {
                l[i][k] = sum / l[k][k];
            }
        }
    return true;
}

static void substitute(int n, double l[GN_NORMAL_MAX][GN_NORMAL_MAX], double *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= l[i][k] * x[k];
        x[i] /= l[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= l[k][i] * x[k];
        x[i] /= l[i][i];
    }
}

bool gn_normal_solve(struct gn_normal *eq, double *x)
{
    double l[GN_NORMAL_MAX][GN_NORMAL_MAX] = {{0}};
    if (!factor(eq, l))
        return false;
    for (int i = 0; i < eq->n; i++)
        x[i] = eq->b[i];
    substitute(eq->n, l, x);
    for (int k = 0; k < eq->n; k++) {
        double column[GN_NORMAL_MAX] = {0};
        column[k] = 1;
        substitute(eq->n, l, column);
        for (int i = 0; i < eq->n; i++)
            eq->inverse[i][k] = column[i];
    }
    return true;
}
