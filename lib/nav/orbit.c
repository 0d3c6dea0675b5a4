/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/nav/orbit.h"

#include "lib/gnss/signal.h"

#include <math.h>

#define KEPLER_STEPS_MAX   20
#define LIGHT_STEPS        4 /* each gains a factor v/c: after three the rest is below a micrometre */
#define GALILEO_VALIDITY_S 14400.0

static double seconds_between(int32_t week, double tow_s, int32_t week_ref, double tow_ref_s)
{
    double dt = tow_s - tow_ref_s;
    if (week >= 0 && week_ref >= 0)
        return dt + (double)(week - week_ref) * GN_WEEK_S;
    return dt - GN_WEEK_S * floor(dt / GN_WEEK_S + 0.5);
}

double gn_orbit_age_s(const struct gn_ephemeris *eph, int32_t week, double tow_s)
{
    return seconds_between(week, tow_s, eph->week, eph->toe_s);
}

double gn_orbit_clock_age_s(const struct gn_ephemeris *eph, int32_t week, double tow_s)
{
    return seconds_between(week, tow_s, eph->week_toc, eph->toc_s);
}

/* E - e sin E = M by Newton. e below 1 is the reader's duty; a bounded walk ends whatever it is. */
static double eccentric_anomaly(double m_rad, double e)
{
    double big_e = m_rad + e * sin(m_rad);
    for (int i = 0; i < KEPLER_STEPS_MAX; i++) {
        double step = (big_e - e * sin(big_e) - m_rad) / (1 - e * cos(big_e));
        big_e -= step;
        if (fabs(step) < 1e-14)
            break;
    }
    return big_e;
}

/* The ellipse after harmonic correction, with rates: argument of latitude, radius, inclination,
 * node. */
struct plane {
    double u, r, i, node;
    double u_rate, r_rate, i_rate, node_rate;
};

static void correct_plane(
        const struct gn_ephemeris *eph, double tk, double big_e, double e_rate, struct plane *p)
{
    double a = eph->sqrt_a * eph->sqrt_a;
    double root = sqrt(1 - eph->e * eph->e);
    double nu = atan2(root * sin(big_e), cos(big_e) - eph->e);
    double phi = nu + eph->omega_rad;
    double phi_rate = root * e_rate / (1 - eph->e * cos(big_e));
    double s2 = sin(2 * phi), c2 = cos(2 * phi);

    p->u = phi + eph->cus_rad * s2 + eph->cuc_rad * c2;
    p->r = a * (1 - eph->e * cos(big_e)) + eph->crs_m * s2 + eph->crc_m * c2;
    p->i = eph->i0_rad + eph->idot_rps * tk + eph->cis_rad * s2 + eph->cic_rad * c2;
    p->u_rate = phi_rate * (1 + 2 * (eph->cus_rad * c2 - eph->cuc_rad * s2));
    p->r_rate =
            a * eph->e * sin(big_e) * e_rate + 2 * phi_rate * (eph->crs_m * c2 - eph->crc_m * s2);
    p->i_rate = eph->idot_rps + 2 * phi_rate * (eph->cis_rad * c2 - eph->cic_rad * s2);
    p->node_rate = eph->omegadot_rps - GN_OMEGA_E_RPS;
    p->node = eph->omega0_rad + p->node_rate * tk - GN_OMEGA_E_RPS * eph->toe_s;
}

static void place(const struct plane *p, struct gn_sat_state *ret)
{
    double cu = cos(p->u), su = sin(p->u), ci = cos(p->i), si = sin(p->i);
    double cn = cos(p->node), sn = sin(p->node);
    double x = p->r * cu, y = p->r * su; /* in the orbital plane */
    double vx = p->r_rate * cu - y * p->u_rate, vy = p->r_rate * su + x * p->u_rate;
    double level = y * ci, level_rate = vy * ci - y * si * p->i_rate; /* y seen on the equator */

    ret->pos_ecef_m[0] = x * cn - level * sn;
    ret->pos_ecef_m[1] = x * sn + level * cn;
    ret->pos_ecef_m[2] = y * si;
    ret->vel_ecef_mps[0] = vx * cn - level_rate * sn - ret->pos_ecef_m[1] * p->node_rate;
    ret->vel_ecef_mps[1] = vx * sn + level_rate * cn + ret->pos_ecef_m[0] * p->node_rate;
    ret->vel_ecef_mps[2] = vy * si + y * ci * p->i_rate;
}

void gn_orbit_at(
        const struct gn_ephemeris *eph, int32_t week, double tow_s, struct gn_sat_state *ret)
{
    int is_galileo = eph->signal == GN_SIG_GAL_E1;
    double mu = is_galileo ? GN_MU_GAL : GN_MU_GPS;
    double f_rel = is_galileo ? GN_F_REL_GAL : GN_F_REL_GPS;
    double a = eph->sqrt_a * eph->sqrt_a;
    double tk = gn_orbit_age_s(eph, week, tow_s);
    double n = sqrt(mu / (a * a * a)) + eph->delta_n_rps;
    double big_e = eccentric_anomaly(eph->m0_rad + n * tk, eph->e);
    double e_rate = n / (1 - eph->e * cos(big_e));

    struct plane p;
    correct_plane(eph, tk, big_e, e_rate, &p);
    place(&p, ret);

    double tc = gn_orbit_clock_age_s(eph, week, tow_s);
    double rel = f_rel * eph->e * eph->sqrt_a;
    ret->clock_s = eph->af0_s + tc * (eph->af1 + tc * eph->af2) + rel * sin(big_e);
    ret->clock_drift = eph->af1 + 2 * tc * eph->af2 + rel * cos(big_e) * e_rate;
}

double gn_orbit_clock_l1_s(const struct gn_ephemeris *eph, const struct gn_sat_state *state)
{
    return state->clock_s - eph->tgd_s;
}

static void turn(double v[3], double c, double s)
{
    double x = v[0], y = v[1];
    v[0] = c * x + s * y;
    v[1] = c * y - s * x;
}

void gn_orbit_turn(struct gn_sat_state *state, double tau_s)
{
    double angle = GN_OMEGA_E_RPS * tau_s, c = cos(angle), s = sin(angle);
    turn(state->pos_ecef_m, c, s);
    turn(state->vel_ecef_mps, c, s);
}

double gn_orbit_heard(const struct gn_ephemeris *eph, int32_t week, double tow_rx_s,
        const double rx_ecef_m[3], struct gn_sat_state *ret)
{
    double range_m = 0, tau_s = 0.075;
    for (int i = 0; i < LIGHT_STEPS; i++) {
        gn_orbit_at(eph, week, tow_rx_s - tau_s, ret);
        gn_orbit_turn(ret, tau_s);
        double dx = ret->pos_ecef_m[0] - rx_ecef_m[0], dy = ret->pos_ecef_m[1] - rx_ecef_m[1],
               dz = ret->pos_ecef_m[2] - rx_ecef_m[2];
        range_m = sqrt(dx * dx + dy * dy + dz * dz);
        tau_s = range_m / GN_C_MPS;
    }
    return range_m;
}

double gn_orbit_validity_s(const struct gn_ephemeris *eph)
{
    if (eph->signal == GN_SIG_GAL_E1)
        return GALILEO_VALIDITY_S;
    return eph->fit_interval_flag ? 10800.0 : 7200.0; /* fit interval above 4 h: at least 6 h */
}

static double ura_m(unsigned index)
{
    static const double table_m[15] = {
            2.4, 3.4, 4.85, 6.85, 9.65, 13.65, 24, 48, 96, 192, 384, 768, 1536, 3072, 6144};
    return index < 15 ? table_m[index] : HUGE_VAL;
}

static double sisa_m(unsigned index)
{
    if (index < 50)
        return 0.01 * index;
    if (index < 75)
        return 0.5 + 0.02 * (index - 50);
    if (index < 100)
        return 1 + 0.04 * (index - 75);
    if (index <= 125)
        return 2 + 0.16 * (index - 100);
    return HUGE_VAL; /* 126..254 spare, 255 no accuracy prediction available */
}

double gn_orbit_sigma_m(const struct gn_ephemeris *eph)
{
    if (eph->signal == GN_SIG_GAL_E1)
        return sisa_m(eph->ura_sisa);
    return ura_m(eph->ura_sisa);
}
