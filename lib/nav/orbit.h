/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Where a satellite is and what its clock reads, from broadcast elements.
 * Sources: IS-GPS-200N, 20.3.3.3.3 and table 20-IV; Galileo OS SIS ICD 2.1, 5.1.1 to 5.1.5;
 * velocity: derivative of the same equations. All functions: [any thread], no state. */
#ifndef GN_NAV_ORBIT_H
#define GN_NAV_ORBIT_H

#include "lib/nav/ephemeris.h"

/* In the Earth-fixed frame of the instant asked for (WGS-84; GTRF differs by centimetres). */
struct gn_sat_state {
    double pos_ecef_m[3];
    double vel_ecef_mps[3]; /* of the rotating frame */
    double clock_s; /* satellite clock minus system time, relativity included, group delay not */
    double clock_drift; /* s/s, relativity included */
};

/* State at a GPS (GST) time. week: full GPS week, -1 = unknown: the nearest to toe is taken.
 * tow_s may lie outside 0..604800. */
void gn_orbit_at(
        const struct gn_ephemeris *eph, int32_t week, double tow_s, struct gn_sat_state *ret);

/* Satellite clock minus system time for a single-frequency L1/E1 user: clock_s minus TGD, or minus
 * BGD(E1,E5b) of I/NAV. */
double gn_orbit_clock_l1_s(const struct gn_ephemeris *eph, const struct gn_sat_state *state);

/* Seconds from the reference time toe (toc) to (week, tow_s), over the week's edge. */
double gn_orbit_age_s(const struct gn_ephemeris *eph, int32_t week, double tow_s);
double gn_orbit_clock_age_s(const struct gn_ephemeris *eph, int32_t week, double tow_s);

/* Turn a state into the frame tau_s later (the Earth turns while the signal travels: Sagnac). */
void gn_orbit_turn(struct gn_sat_state *state, double tau_s);

/* What a receiver at rx_ecef_m hears at system time (week, tow_rx_s): the state at transmission, in
 * the frame of reception, and the geometric range in metres. Iterates the light time. */
double gn_orbit_heard(const struct gn_ephemeris *eph, int32_t week, double tow_rx_s,
        const double rx_ecef_m[3], struct gn_sat_state *ret);

/* How far from toe the elements may be used: GPS 2 h (fit interval 4 h), Galileo 4 h. Source:
 * IS-GPS-200N 20.3.4.4; Galileo OS SIS ICD: nominal 3 to 4 h. */
double gn_orbit_validity_s(const struct gn_ephemeris *eph);

/* Expected range error in metres (one sigma) from the URA or SISA index; infinite when the
 * satellite says not to be used. Source: IS-GPS-200N 20.3.3.3.1.3; Galileo OS SIS ICD 2.1 5.1.12.
 */
double gn_orbit_sigma_m(const struct gn_ephemeris *eph);

#endif
