/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Level and DC of a sample stream, measured in integers so that cutting the stream anywhere gives
 * the same numbers, and what follows from them: a gain that is a power of two, and the DC to take
 * off.
 *
 *   index    0        4096       8192 ...                  one grid block (about 0.1 s)
 *            ####     ####       ####    only # is looked at: 256 items of each 4096
 *
 * The last measured item of a block lies 3840 items before its end. */
#ifndef GN_FRONTEND_LEVEL_H
#define GN_FRONTEND_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GN_LEVEL_PERIOD 4096U
#define GN_LEVEL_WINDOW 256U

/* What was seen; values are input / unit. */
struct gn_level_sums {
    int64_t n;         /* items */
    int64_t sum[2];    /* I, Q (real: Q stays 0) */
    int64_t square;    /* I^2 + Q^2 */
    int64_t n_not_one; /* values other than +1 and -1 */
};

/* What follows. Valid for one grid block. */
struct gn_level {
    double unit;    /* of the sums: 1 for integer inputs, a power of two for floats */
    double dc[2];   /* input units */
    int32_t gain;   /* output = (input - dc) * 2^gain */
    bool is_passed; /* input is fit as it is: gain 0, no DC */
    bool is_set;
};

struct gn_level_goal {
    double rms_min,
            rms_max;   /* of the output, per component; at most a factor 4 apart and at least 2.5 */
    double noise_gain; /* output rms / input rms of what lies between (filter), without 2^gain */
    int32_t n_components; /* of the input: 1 or 2 */
    bool may_pass;        /* input and output are both ci8 and nothing lies between */
};

void gn_level_add_s8(struct gn_level_sums *s, const int8_t *x, size_t n_items, int n_components);
void gn_level_add_s16(struct gn_level_sums *s, const int16_t *x, size_t n_items, int n_components);
void gn_level_add_f32(struct gn_level_sums *s, const float *x, size_t n_items, double unit);

/* Unit for the floats x[n_items][2] so that their rms is some thousand units. [any thread] */
double gn_level_unit(const float *x, size_t n_items);

/* The unit for the next block, when the level has moved far. [any thread] */
double gn_level_next_unit(double unit, const struct gn_level_sums *s);

/* Settle *level anew from what was seen;. Without power everything stays. */
void gn_level_update(
        struct gn_level *level, const struct gn_level_sums *s, const struct gn_level_goal *goal);

#endif
