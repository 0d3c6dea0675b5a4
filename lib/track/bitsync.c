/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/track/bitsync.h"

#include <math.h>

#define BITS_MIN 8u

void gn_bitsync_init(struct gn_bitsync *sync, uint32_t n_periods)
{
    *sync = (struct gn_bitsync){.n_periods = n_periods};
}

void gn_bitsync_push(struct gn_bitsync *sync, struct gn_cplx prompt)
{
    uint32_t n = sync->n_periods,
             ends = (sync->count + 1) % n; /* bits that start here end with this prompt */

    for (uint32_t start = 0; start < n; start++) {
        sync->sum[start].re += prompt.re;
        sync->sum[start].im += prompt.im;
    }
    struct gn_cplx *sum = &sync->sum[ends];
    if (sync->count + 1 >= n + ends || ends == 0) {
        sync->energy[ends] += (double)sum->re * (double)sum->re + (double)sum->im * (double)sum->im;
        sync->n_bits[ends]++;
    }
    *sum = (struct gn_cplx){0, 0};
    sync->count++;
}

/* Starts one prompt apart share all but one prompt. With S the signal's energy in a bit and N its
 * noise, the difference of two energies has a variance of 4 noise (S + N) a bit. */
int gn_bitsync_phase(const struct gn_bitsync *sync, double noise, double sigmas)
{
    uint32_t n = sync->n_periods, best = 0;
    double second = 0;

    for (uint32_t i = 0; i < n; i++)
        if (sync->n_bits[i] < BITS_MIN)
            return -1;
    for (uint32_t i = 1; i < n; i++)
        if (sync->energy[i] / sync->n_bits[i] > sync->energy[best] / sync->n_bits[best])
            best = i;
    for (uint32_t i = 0; i < n; i++)
        if (i != best && sync->energy[i] / sync->n_bits[i] > second)
            second = sync->energy[i] / sync->n_bits[i];
    double mean = sync->energy[best] / sync->n_bits[best];
    double sigma = sqrt(4 * noise * mean / sync->n_bits[best]);
    return mean - second > sigmas * sigma ? (int)best : -1;
}
