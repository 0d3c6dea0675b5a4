/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The coarse search: for each Doppler bin the correlation with one code at all delays, by FFT,
 * summed as powers over blocks of one code period.
 *
 *   block k   one code period of samples, hop apart -> FFT once, plus once moved by half a bin
 *   bin j     spectrum of the block shifted by j/2 points, times the conjugate spectrum of the
 * code, inverse FFT, |.|^2, rotated by the code's own Doppler, added to sum[delay]
 *
 * E1 blocks are 6 ms apart: an edge of the 4 ms symbols that falls into the middle of one block
 * (where it costs most) falls on the edge of the next one, so no delay is lost for good. */
#ifndef GN_ACQ_GRID_H
#define GN_ACQ_GRID_H

#include "lib/acq/replica.h"
#include "lib/acq/resample.h"

#include <stdbool.h>

#define GN_ACQ_CELLS_MAX 8u

/* Shape of the search for a signal. */
struct gn_acq_band {
    uint32_t n_fft; /* samples in a code period */
    uint32_t period_ms;
    uint32_t hop;         /* samples from block to block */
    uint32_t group_ms;    /* coherent sum of the second look */
    uint32_t n_codes;     /* components sent together: 1, E1: 2 */
    uint32_t n_cells_lag; /* independent delays: 3 per chip, BOC 3.5; the measured false alarms
                             agree */
    double bin_hz;        /* half the FFT's own spacing */
};
extern const struct gn_acq_band gn_acq_bands[]; /* by enum gn_signal */

/* A place in the grid worth a second look. */
struct gn_acq_cell {
    int32_t bin;  /* Doppler = bin * bin_hz */
    uint32_t lag; /* delay in samples from the window's start */
    float ratio;  /* sum / mean of its bin, the peak itself left out of the mean */
    float noise;  /* mean |sum over one period|^2 of noise in that bin */
};

struct gn_acq_scan {
    unsigned signal;
    uint32_t n_blocks;
    uint32_t n_codes; /* of these components, 1 or 2 */
    int32_t bin_lo, bin_hi;
    float loose; /* least ratio of a cell worth returning */
};

/* Polled between bins; not 0: give up. */
struct gn_acq_stop {
    int (*is_set)(void *arg);
    void *arg;
};

struct gn_acq_grid;

/* Plans (FFTW_ESTIMATE) and buffers. Not safe beside another thread that plans. [control] */
GN_NODISCARD gn_status gn_acq_grid_new(uint32_t n_blocks_max, struct gn_acq_grid **ret);
void gn_acq_grid_free(struct gn_acq_grid *g);

/* Transform the blocks of a window: one set of spectra serves all codes and bins of a signal.
 * The window holds (n_blocks - 1) * hop + n_fft samples. [job] */
void gn_acq_grid_load(
        struct gn_acq_grid *g, unsigned signal, const struct gn_acq_window *w, uint32_t n_blocks);

/* Search the loaded blocks for the codes r[scan->n_codes]. The best cells, strongest first, one per
 * delay. Returns how many; 0 after a stop. [job] */
uint32_t gn_acq_grid_scan(struct gn_acq_grid *g, const struct gn_acq_scan *scan,
        const struct gn_acq_replica *r, const struct gn_acq_stop *stop,
        struct gn_acq_cell ret[GN_ACQ_CELLS_MAX]);

/* Does code r alone have its highest peak within `within` samples of the spot, among all delays at
 * the spot's Doppler, over n_periods periods from the spot on? One-code check of E1. [job] */
bool gn_acq_grid_peak_is_at(struct gn_acq_grid *g, unsigned signal, const struct gn_acq_replica *r,
        const struct gn_acq_window *w, const struct gn_acq_spot *spot, uint32_t n_periods,
        uint32_t within);

#endif
