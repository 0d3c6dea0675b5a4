/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* RINEX 3 and 4 navigation files: GPS LNAV and Galileo I/NAV ephemerides, ionosphere and time system
 * corrections. Records of other systems and messages are passed over and counted. The text is hostile
 * until parsed: size, records and every number are bounded.
 * Source: RINEX 3.05 section 6 and appendix A5 to A8; RINEX 4.01 sections 5.4 and A. */
#ifndef GN_NAV_RINEX_H
#define GN_NAV_RINEX_H

#include "gnomon/status.h"
#include "lib/nav/ephemeris.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GN_RINEX_TEXT_MAX_BYTES (256U << 20)
#define GN_RINEX_RECORDS_MAX    200000U

/* a0 + a1 (t - (week, t_ref_s)) */
struct gn_rinex_correction {
    double a0_s, a1;
    double t_ref_s;
    int32_t week; /* full GPS week as the file says it */
    bool is_set;
};

struct gn_rinex_nav {
    struct gn_ephemeris *eph; /* [n_eph], owned, in the order of the file */
    uint32_t n_eph, n_skipped; /* records of other kinds */
    double version;            /* 3.04 */
    double klobuchar[8];       /* alpha0..3, beta0..3 */
    double gal_ai[3];
    struct gn_rinex_correction gps_utc, gal_utc, gps_gal; /* GPUT, GAUT, GAGP */
    int32_t leap_s;                                       /* GPS - UTC, 0: not said */
    bool has_klobuchar, has_gal_ai;
};

/* Parse text[n]. *ret changes only on GN_OK. GN_E_DATA with line and words. GN_E_NOMEM. [control] */
GN_NODISCARD gn_status gn_rinex_nav_parse(
        const char *text, size_t n, struct gn_rinex_nav *ret, struct gn_error *err);
/* The same from a file; words name it. GN_E_IO: cannot be read. [control] */
GN_NODISCARD gn_status gn_rinex_nav_read(
        const char *path, struct gn_rinex_nav *ret, struct gn_error *err);
void gn_rinex_nav_done(struct gn_rinex_nav *nav);

/* The record of that satellite to use at (week, tow_s): the healthy one with toe nearest, within its
 * validity; NULL: none. [any thread] */
const struct gn_ephemeris *gn_rinex_nav_find(const struct gn_rinex_nav *nav, unsigned signal,
        unsigned prn, int32_t week, double tow_s);

#endif
