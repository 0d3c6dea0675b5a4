/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The shortened Reed-Solomon code that lets Galileo receivers rebuild lost ephemeris words:
 * 58 information and 60 parity octets over GF(256), field polynomial 0x11D, roots
 * alpha^1..alpha^60. Source: Galileo OS SIS ICD 2.1 section 5.1.13 and annex F (FEC2). */
#ifndef GN_NAV_RS_H
#define GN_NAV_RS_H

#include <stdbool.h>
#include <stdint.h>

#define GN_RS_INFO   58u
#define GN_RS_PARITY 60u
#define GN_RS_OCTETS (GN_RS_INFO + GN_RS_PARITY)

/* code[0..57] are information octets in the order they are sent, code[58..117] parity octets in the
 * order they are sent. Fill the parity. [any thread] */
void gn_rs_encode(uint8_t code[GN_RS_OCTETS]);

/* Fill in the octets with is_lost != 0 (at most 60; their values are not read). False, with code
 * undefined, when there are too many or the rest contradicts itself: with k lost, 60 - k octets of
 * check are left. [any thread] */
bool gn_rs_fill(uint8_t code[GN_RS_OCTETS], const uint8_t is_lost[GN_RS_OCTETS]);

#endif
