/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Samples at any rate to the one rate of acquisition, as a stream, by a running sum.
 *
 *   input    |  x0  |  x1  |  x2  |  x3  |      sample n is taken to hold from edge n to edge n + 1
 *   output   |    y0    |    y1    |    y2      y = mean of the input between its own edges
 *
 * The sum is read between samples, so nothing is biased; the holding itself delays everything by
 * half an input sample, which gn_acq_delay_s() takes off again. */
#ifndef GN_ACQ_RESAMPLE_H
#define GN_ACQ_RESAMPLE_H

#include <stddef.h>
#include <stdint.h>

#define GN_ACQ_RATE_SPS 4.096e6 /* 4096 points a millisecond: 2^12 for C/A, 2^14 for E1 */
#define GN_ACQ_MS       4096u   /* samples of that rate in a millisecond */

struct gn_acq_resample {
    double step;    /* input samples per output sample */
    double edge;    /* where the next output sample ends, in input samples from the start */
    uint64_t n_in;  /* input samples taken */
    uint64_t n_out; /* output samples made */
    double sum[2];  /* input since the last edge */
};

void gn_acq_resample_init(struct gn_acq_resample *r, double rate_sps);

/* The most output samples that one input sample can close. [any thread] */
size_t gn_acq_resample_burst(const struct gn_acq_resample *r);

/* Take n samples (ci8 or ci16) into ret[room]: in[2 n] holds I, Q, I, Q ...; stops at a full ret.
 * *n_taken says how many were used. Returns how many were made. [stream] */
size_t gn_acq_resample_ci8(struct gn_acq_resample *r, const int8_t *in, size_t n, float (*ret)[2],
        size_t room, size_t *n_taken);
size_t gn_acq_resample_ci16(struct gn_acq_resample *r, const int16_t *in, size_t n, float (*ret)[2],
        size_t room, size_t *n_taken);

/* The most output samples one input sample can make: with room for n + burst - 1 the stream stops at the
 * first input sample that brings n, wherever it is cut. */
size_t gn_acq_resample_burst(const struct gn_acq_resample *r);

/* Delay from the first input sample, of something delay_samples after the first output edge. */
double gn_acq_delay_s(double delay_samples, double rate_sps);

#endif
