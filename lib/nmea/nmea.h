/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* NMEA 0183 4.11 sentences from fixes. Talker GN; GSA carries the system id (1 GPS, 3 Galileo), GSV the talkers GP
 * and GA with signal ids 1 (L1 C/A) and 7 (E1). Every line: at most 82 bytes with CR LF. Numbers are rounded
 * once, as integers of their last digit, so no carry is lost. [any thread], nothing is allocated. */
#ifndef GN_NMEA_NMEA_H
#define GN_NMEA_NMEA_H

#include "lib/msg/pvt.h"

#include <stddef.h>
#include <stdint.h>

#define GN_NMEA_LINE_MAX 82
#define GN_NMEA_ROOM     8192 /* for all sentences of one fix */

enum gn_nmea_sentence {
    GN_NMEA_GGA = 0,
    GN_NMEA_RMC,
    GN_NMEA_GSA,
    GN_NMEA_GSV,
    GN_NMEA_GST,
    GN_NMEA_VTG,
    GN_NMEA_ZDA,
    GN_NMEA_COUNT,
};

extern const char *const gn_nmea_names[]; /* by enum, NULL-ended: choices of a set */

struct gn_nmea_text {
    size_t n;
    char s[GN_NMEA_ROOM]; /* zero-ended */
};

/* Exclusive or of the bytes between $ and *. */
uint8_t gn_nmea_checksum(const char *body);

/* "3801.4808" from 38.024680: degrees (2 or 3 digits), minutes with n_decimals (1..7). is_negative says whether the
 * rounded value is below zero. */
void gn_nmea_angle(double deg, int n_degree_digits, int n_decimals, char text[20], int *is_negative);

/* Append the sentences of the mask (bit = enum) for a fix. obs: observations of the same epoch for the signal
 * strengths, NULL when there are none. n_decimals of minutes: 2..5. */
void gn_nmea_fix(const struct gn_msg_pvt_fix *fix, const struct gn_msg_obs *obs, uint64_t mask, int n_decimals,
        struct gn_nmea_text *ret);

#endif
