/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Last step of conditioning: to 8 or 16 bits, saturating, symmetric (never the most negative code).
 * Plain loops without branches; compilers turn them into vector code with equal results. */
#ifndef GN_FRONTEND_QUANTISE_H
#define GN_FRONTEND_QUANTISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GN_SHIFT_GAIN_MIN (-7)
#define GN_SHIFT_GAIN_MAX 6

/* Integer only: out = (in - dc) 2^gain, Q negated when is_conjugate. gain within
 * GN_SHIFT_GAIN_MIN..MAX (clamped), dc in input units, rounded to an output step. x[n_items][2],
 * y[n_items][2]. [any thread] */
void gn_shift_ci8(const int8_t *x, size_t n_items, int32_t gain, const double dc[2],
        bool is_conjugate, int8_t *y);

/* Planar floats to interleaved items, times scale, rounded to nearest even. [any thread] */
void gn_quantise_ci8(const float *re, const float *im, size_t n, float scale, int8_t *y);
void gn_quantise_ci16(const float *re, const float *im, size_t n, float scale, int16_t *y);

#endif
