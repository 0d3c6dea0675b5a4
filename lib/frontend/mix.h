/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Mixing to baseband with a phase that is a function of the item's index alone, so that cutting a
 * stream anywhere gives the same bits. Phases are turns in units of 2^-64 and wrap by themselves.
 * Plain float arithmetic in source order: the same on every CPU. */
#ifndef GN_FRONTEND_MIX_H
#define GN_FRONTEND_MIX_H

#include <stddef.h>
#include <stdint.h>

#define GN_MIX_BLOCK 256U /* items between two phasors computed from scratch, on an index grid */

struct gn_mixer {
    uint64_t step;                            /* turns an item */
    float re[GN_MIX_BLOCK], im[GN_MIX_BLOCK]; /* e^(2 pi j step i) */
};

/* e^(2 pi j phase / 2^64), good to 1e-7; no library function: equal on every machine. [any thread]
 */
void gn_phasor(uint64_t phase, float *re, float *im);

/* Turns per item (any sign) as a phase step; exact to 2^-53 turns. [any thread] */
uint64_t gn_phase_step(double turns);

/* Turn items by +turns each: a carrier at f ends at zero with turns = -f / rate. [any thread] */
void gn_mixer_init(struct gn_mixer *m, double turns);

/* re, im[n] *= e^(2 pi j step (index + i)). [any thread] */
void gn_mixer_run(const struct gn_mixer *m, uint64_t index, size_t n, float *re, float *im);
/* The same with real input: im is written only. [any thread] */
void gn_mixer_run_real(const struct gn_mixer *m, uint64_t index, size_t n, float *re, float *im);

#endif
