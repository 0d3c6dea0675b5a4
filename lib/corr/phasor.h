/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Angles as turns in 32-bit fixed point (0x40000000 = 90 degrees, wraps by itself) and their
 * phasor. Plain arithmetic without libm, so that every machine gives the same bits. */
#ifndef GN_CORR_PHASOR_H
#define GN_CORR_PHASOR_H

#include <stdint.h>

struct gn_cplx {
    float re, im;
};

/* exp(+j 2 pi turns / 2^32) within 1e-9. Taylor series on +-45 degrees. [any thread] */
static inline void gn_phasor(uint32_t turns_q32, double *re, double *im)
{
    uint32_t quadrant = (turns_q32 + 0x20000000u) >> 30;
    int32_t rest = (int32_t)(turns_q32 - (quadrant << 30)); /* +-2^29: an eighth of a turn */
    double a = (double)rest * (6.283185307179586 / 4294967296.0);
    double a2 = a * a;
    double s = a * (1 - a2 / 6 * (1 - a2 / 20 * (1 - a2 / 42 * (1 - a2 / 72))));
    double c = 1 - a2 / 2 * (1 - a2 / 12 * (1 - a2 / 30 * (1 - a2 / 56 * (1 - a2 / 90))));
    double x = (quadrant & 1u) ? -s : c, y = (quadrant & 1u) ? c : s;
    *re = (quadrant & 2u) ? -x : x;
    *im = (quadrant & 2u) ? -y : y;
}

/* A fraction of turns (any size) as fixed point. [any thread] */
static inline uint32_t gn_turns_q32(double turns)
{
    double frac = turns - (double)(int64_t)turns;
    return (uint32_t)(int64_t)(frac * 4294967296.0);
}

#endif
