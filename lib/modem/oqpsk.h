/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* IEEE 802.15.4 O-QPSK at 2450 MHz: chips, frame check sequence, the transmitted signal.
 *
 *   byte -> two symbols (low half first) -> 32 chips each -> half-sine pulses, two chips long
 *
 *   I  _/^\_/^\_     even chips     2 Mchip/s; the envelope is constant (MSK)
 *   Q    _/^\_/^\_   odd chips, one chip later
 *
 * Source: IEEE 802.15.4-2006, sections 6.3 (PPDU), 6.5.2 (chips, pulse), 7.2.1.9 (FCS). */
#ifndef GN_MODEM_OQPSK_H
#define GN_MODEM_OQPSK_H

#include "gnomon/status.h"

#include <stdbool.h>

#define GN_OQPSK_CHIP_SPS   2e6
#define GN_OQPSK_CHIPS      32u /* of a symbol */
#define GN_OQPSK_SPC_MIN    2u  /* samples of a chip: 4 Msps */
#define GN_OQPSK_SPC_MAX    16u /* 32 Msps */
#define GN_OQPSK_BYTES_MAX  127u
#define GN_OQPSK_HEAD       6u  /* preamble 4, SFD, length: bytes before the PSDU */

/* Bit 31 is chip 0. */
extern const uint32_t gn_oqpsk_chips[16];

/* CRC-16 of ITU-T, least significant bit first from 0; over a PSDU with its FCS it is 0. [any thread] */
uint16_t gn_fcs(const uint8_t *bytes, size_t n);

/* Samples of a chip at this rate; 0: the rate is no multiple of 2 MHz or out of range. [any thread] */
unsigned gn_oqpsk_spc(double rate_sps);

/* Chips of a whole frame: preamble, SFD, length, psdu[n]. Writes (6 + n) * 64 chips of value +1 or -1. */
size_t gn_oqpsk_chips_of(const uint8_t *psdu, size_t n, int8_t *chips);

/* Samples gn_oqpsk_modulate() writes for a PSDU of n bytes. [any thread] */
size_t gn_oqpsk_samples(size_t n, unsigned spc);

/* iq[samples][2] with amplitude 1; sample 0 is the start of chip 0. n <= 127. [any thread] */
void gn_oqpsk_modulate(const uint8_t *psdu, size_t n, unsigned spc, float *iq);

/* The same signal at any instant u_chips since the start of chip 0; 0 outside the frame. [any thread] */
void gn_oqpsk_at(const int8_t *chips, size_t n_chips, double u_chips, float iq[2]);

#endif
