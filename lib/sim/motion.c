/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/sim/motion.h"

#include "lib/geo/geo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GM_M3S2 3.986004418e14

void gn_sim_motion_init(struct gn_sim_motion *m, double lat_rad, double lon_rad, double height_m)
{
    const struct gn_geo geo = {lat_rad, lon_rad, height_m};
    *m = (struct gn_sim_motion){.kind = GN_SIM_STATIC};
    gn_ecef_from_geo(&geo, m->origin_ecef_m);
    gn_enu_rotation(&geo, m->enu);
}

void gn_sim_motion_done(struct gn_sim_motion *m)
{
    free(m->points);
    free(m->slopes);
    m->points = NULL;
    m->slopes = NULL;
    m->n_points = 0;
}

static void from_local(const struct gn_sim_motion *m, const double p[3], const double v[3],
        double ecef_m[3], double vel_mps[3])
{
    for (int k = 0; k < 3; k++) {
        ecef_m[k] = m->origin_ecef_m[k];
        vel_mps[k] = 0;
        for (int j = 0; j < 3; j++) {
            ecef_m[k] += m->enu[j][k] * p[j];
            vel_mps[k] += m->enu[j][k] * v[j];
        }
    }
}

static void direction(const struct gn_sim_motion *m, double d[3])
{
    d[0] = cos(m->pitch_rad) * sin(m->heading_rad);
    d[1] = cos(m->pitch_rad) * cos(m->heading_rad);
    d[2] = sin(m->pitch_rad);
}

static void circle(const struct gn_sim_motion *m, double t_s, double p[3], double v[3])
{
    double r = m->radius_m, a = r > 0 ? m->speed_mps / r * t_s : 0;
    double ahead = r * sin(a), right = r * (1 - cos(a));
    double v_ahead = m->speed_mps * cos(a), v_right = m->speed_mps * sin(a);
    double s = sin(m->heading_rad), c = cos(m->heading_rad);
    p[0] = ahead * s + right * c;
    p[1] = ahead * c - right * s;
    v[0] = v_ahead * s + v_right * c;
    v[1] = v_ahead * c - v_right * s;
    p[2] = v[2] = 0;
}

/* Thrust, then a fall in the constant gravity of the place where the engine stopped. */
static void rocket(const struct gn_sim_motion *m, double t_s, double p[3], double v[3])
{
    double d[3], on_s = fmin(fmax(t_s, 0), m->burn_s), off_s = fmax(t_s - m->burn_s, 0);
    double along = m->speed_mps * on_s + m->accel_mps2 * on_s * on_s / 2;
    double speed = m->speed_mps + m->accel_mps2 * on_s, r2 = 0;
    direction(m, d);
    for (int k = 0; k < 3; k++) {
        double x = m->origin_ecef_m[k];
        for (int j = 0; j < 3; j++)
            x += m->enu[j][k] * d[j] * along;
        r2 += x * x;
    }
    double g = GM_M3S2 / r2;
    for (int k = 0; k < 3; k++) {
        p[k] = d[k] * (along + speed * off_s);
        v[k] = d[k] * speed;
    }
    p[2] -= g * off_s * off_s / 2;
    v[2] -= g * off_s;
}

/* Cubic Hermite between the two points around t: position and velocity are continuous. */
static void waypoints(
        const struct gn_sim_motion *m, double t_s, double ecef_m[3], double vel_mps[3])
{
    size_t low = 0, high = m->n_points - 1;
    const struct gn_sim_point *p = m->points;
    if (t_s <= p[0].t_s || t_s >= p[high].t_s) {
        memcpy(ecef_m, p[t_s <= p[0].t_s ? 0 : high].ecef_m, 3 * sizeof *ecef_m);
        memset(vel_mps, 0, 3 * sizeof *vel_mps);
        return;
    }
    while (high - low > 1) {
        size_t mid = (low + high) / 2;
        *(p[mid].t_s <= t_s ? &low : &high) = mid;
    }
    double h = p[high].t_s - p[low].t_s, x = (t_s - p[low].t_s) / h;
    for (int k = 0; k < 3; k++) {
        double a = p[low].ecef_m[k], b = p[high].ecef_m[k];
        double sa = m->slopes[3 * low + (size_t)k] * h, sb = m->slopes[3 * high + (size_t)k] * h;
        double c2 = 3 * (b - a) - 2 * sa - sb, c3 = 2 * (a - b) + sa + sb;
        ecef_m[k] = a + x * (sa + x * (c2 + x * c3));
        vel_mps[k] = (sa + x * (2 * c2 + 3 * x * c3)) / h;
    }
}

void gn_sim_motion_at(
        const struct gn_sim_motion *m, double t_s, double ecef_m[3], double vel_mps[3])
{
    double p[3] = {0}, v[3] = {0};
    switch (m->kind) {
    case GN_SIM_WAYPOINTS:
        waypoints(m, t_s, ecef_m, vel_mps);
        return;
    case GN_SIM_CIRCLE:
        circle(m, t_s, p, v);
        break;
    case GN_SIM_ROCKET:
        rocket(m, t_s, p, v);
        break;
    case GN_SIM_STRAIGHT: {
        double d[3], along = m->speed_mps * t_s + m->accel_mps2 * t_s * t_s / 2;
        direction(m, d);
        for (int k = 0; k < 3; k++) {
            p[k] = d[k] * along;
            v[k] = d[k] * (m->speed_mps + m->accel_mps2 * t_s);
        }
        break;
    }
    default:
        break;
    }
    from_local(m, p, v, ecef_m, vel_mps);
}
