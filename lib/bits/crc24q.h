/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* CRC-24Q of Galileo I/NAV, SBAS and RTCM 3: polynomial 0x1864CFB, start 0, no final exclusive or.
 * Source: Galileo OS SIS ICD 2.1 section 5.1.9.4; RTCA DO-229 appendix A.4.3.3. */
#ifndef GN_BITS_CRC24Q_H
#define GN_BITS_CRC24Q_H

#include "lib/bits/bits.h"

#include <stdint.h>

/* Continue crc (0 at first) over the next n bits of r. Any n, no padding to bytes. Bits that
 * are not there count as 0. [any thread] */
uint32_t gn_crc24q(uint32_t crc, struct gn_bit_reader *r, size_t n);

#endif
