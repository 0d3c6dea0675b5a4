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

void gn_shift_ci8(const int8_t *x, size_t n_items, int32_t gain, const double dc[2],
        bool is_conjugate, int8_t *y)
{
    gain = gain < GN_SHIFT_GAIN_MIN   ? GN_SHIFT_GAIN_MIN
           : gain > GN_SHIFT_GAIN_MAX ? GN_SHIFT_GAIN_MAX
                                      : gain;
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

/* 1.5 * 2^23 added to |x| < 2^22 leaves the rounded x in the low bits of the float. Above -1.5 *
 * 2^23 the sum is positive and its bits grow with it, below they are negative: clamping the bits
 * clamps any x. */
static int32_t round_even(float x, int32_t limit)
{
    float shifted = x + 12582912.0f;
    int32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = bits < 0x4B400000 + limit ? bits : 0x4B400000 + limit;
    bits = bits > 0x4B400000 - limit ? bits : 0x4B400000 - limit;
    return bits - 0x4B400000;
}

#define PART 256U /* values in a scratch that stays in the L1 cache */

/* Two plain passes vectorise where one that interleaves floats does not. */
static void round_all(const float *x, size_t n, float scale, int32_t limit, int16_t *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = (int16_t)round_even(x[i] * scale, limit);
}

void gn_quantise_ci8(const float *re, const float *im, size_t n, float scale, int8_t *y)
{
    int16_t a[PART], b[PART];
    for (size_t at = 0; at < n; at += PART) {
        size_t n_now = n - at < PART ? n - at : PART;
        round_all(re + at, n_now, scale, 127, a);
        round_all(im + at, n_now, scale, 127, b);
        for (size_t i = 0; i < n_now; i++) {
            y[2 * (at + i)] = (int8_t)a[i];
            y[2 * (at + i) + 1] = (int8_t)b[i];
        }
    }
}

void gn_quantise_ci16(const float *re, const float *im, size_t n, float scale, int16_t *y)
{
    int16_t a[PART], b[PART];
    for (size_t at = 0; at < n; at += PART) {
        size_t n_now = n - at < PART ? n - at : PART;
        round_all(re + at, n_now, scale, 32767, a);
        round_all(im + at, n_now, scale, 32767, b);
        for (size_t i = 0; i < n_now; i++) {
            y[2 * (at + i)] = a[i];
            y[2 * (at + i) + 1] = b[i];
        }
    }
}
