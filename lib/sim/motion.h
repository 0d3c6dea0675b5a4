/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Where the simulated antenna is. No limit of height or speed.
 *
 * Local axes are east, north, up at the origin; heading is counted from north over east. Straight and
 * rocket begin at the origin with the given speed at time 0 and leave along a straight line of the
 * Earth-fixed frame (so a long straight flight leaves the ground). */
#ifndef GN_SIM_MOTION_H
#define GN_SIM_MOTION_H

#include "gnomon/status.h"

#include <stddef.h>
#include <stdint.h>

#define GN_SIM_POINTS_MAX 1000000U

enum gn_sim_motion_kind {
    GN_SIM_STATIC = 0,
    GN_SIM_CIRCLE,   /* radius_m to the right of the start, at speed_mps, level */
    GN_SIM_STRAIGHT, /* heading, pitch, speed, acceleration along the line */
    GN_SIM_ROCKET,   /* thrust acceleration along heading and pitch for burn_s, then free flight */
    GN_SIM_WAYPOINTS,
};

struct gn_sim_point {
    double t_s; /* since sample 0 */
    double ecef_m[3];
};

struct gn_sim_motion {
    uint32_t kind, n_points;
    double origin_ecef_m[3];
    double enu[3][3]; /* rows east, north, up */
    double speed_mps, heading_rad, pitch_rad, accel_mps2, radius_m, burn_s;
    struct gn_sim_point *points; /* [n_points], owned, t_s ascending */
    double *slopes;              /* [n_points][3], owned: velocity at the points */
};

/* At rest at that point until more fields are set. [any thread] */
void gn_sim_motion_init(
        struct gn_sim_motion *m, double lat_rad, double lon_rad, double height_m);
void gn_sim_motion_done(struct gn_sim_motion *m);

/* Before the first and after the last point the antenna stands there. [any thread] */
void gn_sim_motion_at(
        const struct gn_sim_motion *m, double t_s, double ecef_m[3], double vel_mps[3]);

/* Fill kind, points and origin from a file: NMEA (GGA lines), GPX (trkpt with time and ele) or CSV
 * (t_s, lat_deg, lon_deg, height_m; a head line and lines beginning with # are passed over). Times of
 * NMEA and GPX count from the first point. GN_E_DATA, GN_E_IO: words with file and line. [control] */
GN_NODISCARD gn_status gn_sim_motion_read(
        struct gn_sim_motion *m, const char *path, struct gn_error *err);
GN_NODISCARD gn_status gn_sim_motion_parse(
        struct gn_sim_motion *m, const char *text, size_t n, struct gn_error *err);

#endif
