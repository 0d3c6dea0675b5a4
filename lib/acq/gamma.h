/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Tail of the sum of n exponential variables of mean 1: what noise makes of n summed
 * |correlation|^2. */
#ifndef GN_ACQ_GAMMA_H
#define GN_ACQ_GAMMA_H

#include <stdint.h>

double gn_acq_gamma_tail(double x, uint32_t n); /* P(sum > x) = exp(-x) sum_{i<n} x^i / i! */
double gn_acq_gamma_isf(double p, uint32_t n);  /* x with P(sum > x) = p, 0 < p < 1, n >= 1 */

#endif
