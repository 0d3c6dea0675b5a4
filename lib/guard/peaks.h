/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Looks for the code of a satellite where it is not tracked.
 *
 *   correlation    |            tracked
 *                  |               ^            second peak: a repeater, a spoofer, or (after a
 * take-over) |   noise      /|\     ^     the true signal
 *                  |_____________/_|_\____|____ delay
 *                             ### +-2.2 chips: the peak itself and near reflections, not looked at
 *
 * What counts: above noise (chance 1e-6 a look), at most 12 dB below the tracked one (a code's own
 * side peaks and other satellites' lie 21 dB and more below), at the same place in several looks
 * running. */
#ifndef GN_GUARD_PEAKS_H
#define GN_GUARD_PEAKS_H

#include "lib/acq/grid.h"

#include <stdbool.h>
#include <stdint.h>

#define GN_PEAKS_WINDOW_MS 24u
#define GN_PEAKS_SATS      64u
#define GN_PEAKS_ALONE     3 /* looks running for one satellite */
#define GN_PEAKS_TOGETHER  2 /* looks running when several satellites show it */

struct gn_peaks_sat { /* what is asked about */
    uint8_t signal, prn;
    double delay_s; /* of the tracked code start after the window's first sample, any multiple of
                       the period off */
    double doppler_hz;
    double cn0_dbhz;
};

struct gn_peaks_found {
    uint8_t signal, prn;
    bool is_there;
    double offset_chips; /* of the second peak, later is positive, -half to half a period */
    double cn0_dbhz;
};

struct gn_peaks; /* transforms and buffers */

GN_NODISCARD gn_status gn_peaks_new(struct gn_peaks **ret); /* [control] */
void gn_peaks_free(struct gn_peaks *p);

/* w: samples at GN_ACQ_RATE_SPS, GN_PEAKS_WINDOW_MS long; rate_sps: of the stream they were made
 * from. ret[n]. [job] */
void gn_peaks_look(struct gn_peaks *p, const struct gn_acq_window *w, double rate_sps,
        const struct gn_peaks_sat *sats, uint32_t n, const struct gn_acq_stop *stop,
        struct gn_peaks_found *ret);

/* Memory of looks. Zeroed: none. */
struct gn_peaks_memory {
    struct {
        uint8_t signal, prn, n_running;
        double offset_chips;
    } sats[GN_PEAKS_SATS];
};

/* Add one look at all satellites; index of the one that gives reason for an alarm, or -1. [stream]
 */
int gn_peaks_judge(struct gn_peaks_memory *m, const struct gn_peaks_found *found, uint32_t n);

#endif
