/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/frontend/level.h"

#include <math.h>

#define FLOAT_MAX_UNITS 4194304.0f /* 2^22: squares of a block still fit 63 bits */
#define UNITS_RMS       1024.0

void gn_level_add_s8(struct gn_level_sums *s, const int8_t *x, size_t n_items, int n_components)
{
    int64_t square = 0, sum[2] = {0}, n_not_one = 0;
    for (size_t i = 0; i < n_items; i++) {
        for (int c = 0; c < n_components; c++) {
            int32_t v = x[i * (size_t)n_components + (size_t)c];
            sum[c] += v;
            square += v * v;
            n_not_one += v * v != 1;
        }
    }
    s->n += (int64_t)n_items;
    s->sum[0] += sum[0];
    s->sum[1] += sum[1];
    s->square += square;
    s->n_not_one += n_not_one;
}

void gn_level_add_s16(struct gn_level_sums *s, const int16_t *x, size_t n_items, int n_components)
{
    for (size_t i = 0; i < n_items; i++) {
        for (int c = 0; c < n_components; c++) {
            int64_t v = x[i * (size_t)n_components + (size_t)c];
            s->sum[c] += v;
            s->square += v * v;
            s->n_not_one += v * v != 1;
        }
    }
    s->n += (int64_t)n_items;
}

void gn_level_add_f32(struct gn_level_sums *s, const float *x, size_t n_items, double unit)
{
    float per_unit = (float)(1 / unit);
    for (size_t i = 0; i < 2 * n_items; i++) {
        float f = x[i] * per_unit;
        if (!(f > -FLOAT_MAX_UNITS)) /* also not a number */
            f = f < 0 ? -FLOAT_MAX_UNITS : 0;
        int64_t v = (int64_t)(f < FLOAT_MAX_UNITS ? f : FLOAT_MAX_UNITS);
        s->sum[i & 1] += v;
        s->square += v * v;
    }
    s->n += (int64_t)n_items;
    s->n_not_one++;
}

static double power_of_two(double x)
{
    int e = 0;
    (void)frexp(x, &e);
    return ldexp(1, e);
}

double gn_level_unit(const float *x, size_t n_items)
{
    double square = 0;
    for (size_t i = 0; i < 2 * n_items; i++)
        if (isfinite(x[i]))
            square += (double)x[i] * (double)x[i];
    double rms = sqrt(square / (double)(2 * n_items));
    return rms > 1e-30 ? power_of_two(rms / UNITS_RMS) : 1;
}

double gn_level_next_unit(double unit, const struct gn_level_sums *s)
{
    double rms = sqrt((double)s->square / (double)(2 * s->n)); /* in units */
    if (rms <= 0 || (rms > UNITS_RMS / 16 && rms < UNITS_RMS * 64))
        return unit;
    return power_of_two(unit * rms / UNITS_RMS);
}

/* Keep the gain while the output stays in the wide range; a new one aims at its geometric middle.
 */
static int32_t choose_gain(int32_t old, bool has_old, double rms, const struct gn_level_goal *goal)
{
    double now = ldexp(rms, old);
    if (has_old && now >= goal->rms_min && now <= goal->rms_max)
        return old;
    int e = 0;
    double m = frexp(sqrt(goal->rms_min * goal->rms_max) / rms, &e); /* 0.5 <= m < 1 */
    e -= m < 0.70710678;
    return e < -60 ? -60 : e > 60 ? 60 : e;
}

/* Fit as it is: all +-1, or a fair level without an offset. Leaving needs twice the offset that
 * entering does. */
static bool is_fit(const struct gn_level *level, const struct gn_level_sums *s, double rms,
        double dc_max, const struct gn_level_goal *goal)
{
    if (!goal->may_pass)
        return false;
    if (s->n_not_one == 0)
        return true;
    double share = level->is_passed || !level->is_set ? 1.0 / 24 : 1.0 / 48;
    return rms >= 0.9 && rms <= goal->rms_max && dc_max < rms * share;
}

void gn_level_update(
        struct gn_level *level, const struct gn_level_sums *s, const struct gn_level_goal *goal)
{
    if (s->n == 0 || s->square == 0)
        return;
    double mean[2], n = (double)s->n;
    for (int c = 0; c < 2; c++)
        mean[c] = (double)s->sum[c] / n;
    double power = (double)s->square / n - mean[0] * mean[0] - mean[1] * mean[1];
    double rms = level->unit * sqrt(fmax(power, 0) / goal->n_components);
    if (rms <= 0)
        return;
    for (int c = 0; c < 2; c++)
        level->dc[c] = mean[c] * level->unit;
    double dc_max = fmax(fabs(level->dc[0]), fabs(level->dc[1]));
    bool was_passed = level->is_passed;
    level->is_passed = is_fit(level, s, rms, dc_max, goal);
    if (level->is_passed) {
        level->gain = 0;
        level->dc[0] = level->dc[1] = 0;
    } else {
        level->gain = choose_gain(
                level->gain, level->is_set && !was_passed, rms * goal->noise_gain, goal);
    }
    level->is_set = true;
}
