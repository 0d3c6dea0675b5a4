/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/frontend/quantise.h"

#include <math.h>
#include <string.h>

#define LANES 32U

/* The same two constants for I and Q all along a vector. */
struct lanes {
    int16_t mul[LANES], add[LANES];
    int shift;
};

static int8_t shift_one(int8_t x, int16_t mul, int16_t add, int shift)
{
    int16_t v = (int16_t)((int16_t)(x * mul + add) >> shift);
    v = v > 127 ? 127 : v;
    v = v < -127 ? -127 : v;
    return (int8_t)v;
}

static void shift_all(const struct lanes *l, const int8_t *x, size_t n_values, int8_t *y)
{
    size_t i = 0;
    for (; i + LANES <= n_values; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            y[i + k] = shift_one(x[i + k], l->mul[k], l->add[k], l->shift);
    for (size_t k = 0; i + k < n_values; k++)
        y[i + k] = shift_one(x[i + k], l->mul[k], l->add[k], l->shift);
}

void gn_shift_ci8(const int8_t *x, size_t n_items, int32_t gain, const double dc[2], bool is_conjugate, int8_t *y)
{
    gain = gain < GN_SHIFT_GAIN_MIN ? GN_SHIFT_GAIN_MIN : gain > GN_SHIFT_GAIN_MAX ? GN_SHIFT_GAIN_MAX : gain;
    struct lanes l = {.shift = gain < 0 ? -gain : 0};
    int mul = gain > 0 ? 1 << gain : 1;
    for (size_t k = 0; k < LANES; k++) {
        double sign = (k & 1) != 0 && is_conjugate ? -1 : 1;
        double offset = -sign * dc[k & 1] * mul + (l.shift > 0 ? 1 << (l.shift - 1) : 0);
        offset = fmin(fmax(offset, -16000), 16000);
        l.mul[k] = (int16_t)(sign * mul);
        l.add[k] = (int16_t)lrint(offset);
    }
    shift_all(&l, x, 2 * n_items, y);
}

/* 1.5 * 2^23 added to |x| < 2^22 leaves the rounded x in the low bits of the float */
static int32_t round_even(float x)
{
    float shifted = x + 12582912.0f;
    int32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return bits - 0x4B400000;
}

static float clamp(float x, float limit)
{
    x = x < limit ? x : limit; /* not a number: limit */
    return x > -limit ? x : -limit;
}

void gn_quantise_ci8(const float *re, const float *im, size_t n, float scale, int8_t *y)
{
    for (size_t i = 0; i < n; i++) {
        y[2 * i] = (int8_t)round_even(clamp(re[i] * scale, 127));
        y[2 * i + 1] = (int8_t)round_even(clamp(im[i] * scale, 127));
    }
}

void gn_quantise_ci16(const float *re, const float *im, size_t n, float scale, int16_t *y)
{
    for (size_t i = 0; i < n; i++) {
        y[2 * i] = (int16_t)round_even(clamp(re[i] * scale, 32767));
        y[2 * i + 1] = (int16_t)round_even(clamp(im[i] * scale, 32767));
    }
}
