/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Receiver of IEEE 802.15.4 O-QPSK frames in a stream of samples.
 *
 *   samples -> filter, 1 value a chip -> likeness to 16 us ago over 7 symbols (any carrier offset)
 *           -> 6 preamble symbols folded into one, each 62.5 kHz step tried: offset, chip timing
 *           -> 16 correlators a symbol with early/late timing and frequency loops -> SFD -> PSDU, FCS
 *
 * Payload symbols 1..7 are symbol 0 turned by multiples of four chips, so one correlation peak may lie four
 * chips off. Only a run of symbols that ends in the SFD is taken, and the search goes on behind a frame.
 * What is found depends on the samples alone, not on how they were cut. Not thread-safe; one a stream. */
#ifndef GN_MODEM_RX_H
#define GN_MODEM_RX_H

#include "lib/modem/oqpsk.h"

struct gn_oqpsk_rx; /* opaque */

struct gn_oqpsk_frame {
    uint64_t start;    /* first sample of the preamble, nearest */
    uint64_t end;      /* first sample after the frame */
    uint64_t known_at; /* samples the receiver had to see to be sure */
    float snr_db;      /* in 2 MHz */
    float cfo_hz, sfo_ppm, power_dbfs; /* sfo_ppm NaN: shorter than 64 symbols */
    uint8_t lqi;       /* 0..255: SNR from -5 dB on in steps of 1/8 dB */
    uint8_t fcs_ok;
    uint8_t n, psdu[GN_OQPSK_BYTES_MAX];
};

struct gn_oqpsk_counts {
    uint64_t n_preambles, n_headers, n_frames, n_bad_fcs;
};

/* Errors: GN_E_ARG for a rate that is no multiple of 2 MHz between 4 and 32 MHz, GN_E_NOMEM. [control] */
GN_NODISCARD gn_status gn_oqpsk_rx_new(double rate_sps, struct gn_oqpsk_rx **ret, struct gn_error *err);
void gn_oqpsk_rx_free(struct gn_oqpsk_rx *rx); /* NULL is fine */

/* Forget all samples; the next one has this index. */
void gn_oqpsk_rx_reset(struct gn_oqpsk_rx *rx, uint64_t index);

/* Take up to n samples iq[n][2]; returns how many: less than n only while frames wait in gn_oqpsk_rx_next(). */
size_t gn_oqpsk_rx_push(struct gn_oqpsk_rx *rx, const float *iq, size_t n);

/* The next frame among the samples pushed; bad_too: also those with a wrong FCS. False: push more. [stream] */
bool gn_oqpsk_rx_next(struct gn_oqpsk_rx *rx, bool bad_too, struct gn_oqpsk_frame *ret);

/* Zeros to push after the last sample so that nothing stays inside. */
size_t gn_oqpsk_rx_tail(const struct gn_oqpsk_rx *rx);

struct gn_oqpsk_counts gn_oqpsk_rx_counts(const struct gn_oqpsk_rx *rx);

/* For measuring: decide n symbols from a known start and offset, loops running. iq must reach 2 symbols beyond. */
void gn_oqpsk_symbols(const struct gn_oqpsk_rx *rx, const float *iq, double start, double cfo_hz, size_t n,
        uint8_t *symbols);

#endif
