/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/pvt/meas.h"

#include "lib/gnss/signal.h"

#include <math.h>
#include <stddef.h>

#define SIGMA_CODE_M    0.5
#define SIGMA_35DB_M    4.0
#define SIS_SHARE       0.25 /* URA and SISA are bounds: the usual error is a quarter of them */
#define SIGMA_REDUCED_M 10.0 /* reduced CED leaves out the harmonic corrections */
#define IONO_TOP_M      1.0e6 /* above the F layer: no delay; in between it fades */
#define IONO_FOOT_M     8.0e4
#define IONO_ERROR      0.5  /* a broadcast model removes about half */
#define IONO_BLIND_M    5.0  /* at the zenith, when a model is wanted and its parameters are not here yet */
#define TROPO_ERROR     0.05

double gn_pvt_sigma_m(double cn0_dbhz)
{
    double thermal = SIGMA_35DB_M * SIGMA_35DB_M * pow(10, -(cn0_dbhz - 35) / 10);
    return sqrt(SIGMA_CODE_M * SIGMA_CODE_M + thermal);
}

void gn_pvt_meas_set(struct gn_pvt_meas *m, const struct gn_ephemeris *eph, int32_t week, double t_tx_s,
        double raw_m, double cn0_dbhz)
{
    /* the satellite's clock is off by at most a millisecond: twice is exact */
    gn_orbit_at(eph, week, t_tx_s, &m->sat);
    gn_orbit_at(eph, week, t_tx_s - gn_orbit_clock_l1_s(eph, &m->sat), &m->sat);
    double code = gn_pvt_sigma_m(cn0_dbhz), sis = SIS_SHARE * gn_orbit_sigma_m(eph);
    if (eph->source == GN_EPH_SRC_INAV_RED)
        sis = SIGMA_REDUCED_M;
    m->eph = eph;
    m->signal = eph->signal;
    m->prn = eph->prn;
    m->is_galileo = eph->signal == GN_SIG_GAL_E1;
    m->pr_m = raw_m + GN_C_MPS * gn_orbit_clock_l1_s(eph, &m->sat);
    m->sigma_m = sqrt(code * code + sis * sis);
    m->use = true;
}

/* *error_m: one sigma of what the model leaves. */
static double iono_m(const struct gn_pvt_air *air, const struct gn_geo *geo,
        const struct gn_pvt_predicted *p, double *error_m)
{
    double az = p->azimuth_rad, el = p->elevation_rad, delay = 0, fade = 1;
    *error_m = 0;
    if (air->iono == GN_IONO_OFF || !(geo->height_m < IONO_TOP_M))
        return 0;
    if (geo->height_m > IONO_FOOT_M)
        fade = (IONO_TOP_M - geo->height_m) / (IONO_TOP_M - IONO_FOOT_M);
    if (air->has_klobuchar && air->iono != GN_IONO_NTCM)
        delay = fade * gn_iono_klobuchar_m(air->klobuchar, geo, az, el, air->tow_s);
    else if (air->has_ai && air->iono != GN_IONO_KLOBUCHAR)
        delay = fade * gn_iono_ntcm_m(air->ai, geo, az, el, air->day);
    *error_m = delay > 0 ? IONO_ERROR * delay : fade * IONO_BLIND_M / fmax(sin(el), 0.3);
    return delay;
}

static void add_air(const struct gn_pvt_air *air, const double pos_m[3], struct gn_pvt_predicted *p)
{
    struct gn_geo geo = gn_geo_from_ecef(pos_m);
    if (geo.height_m < -1e5) /* still on the way from the first guess */
        return;
    double error_i, iono = iono_m(air, &geo, p, &error_i);
    double tropo = air->tropo ? gn_tropo_m(&geo, p->elevation_rad) : 0;
    double error_t = TROPO_ERROR * tropo;
    p->range_m += iono + tropo;
    p->variance_m2 = error_i * error_i + error_t * error_t;
}

void gn_pvt_predict(const struct gn_pvt_meas *m, const double pos_m[3], const double vel_mps[3],
        const struct gn_pvt_air *air, struct gn_pvt_predicted *ret)
{
    struct gn_sat_state s = m->sat;
    double tau_s = 0, range = 0;
    for (int i = 0; i < 3; i++) {
        s = m->sat;
        gn_orbit_turn(&s, tau_s);
        double d2 = 0;
        for (int k = 0; k < 3; k++) {
            ret->e[k] = s.pos_ecef_m[k] - pos_m[k];
            d2 += ret->e[k] * ret->e[k];
        }
        range = sqrt(d2);
        tau_s = range / GN_C_MPS;
    }
    double closing = 0, sweep;
    for (int k = 0; k < 3; k++) {
        ret->e[k] /= range;
        closing += ret->e[k] * (s.vel_ecef_mps[k] - vel_mps[k]);
    }
    /* the signal was sent tau ago and tau itself changes: the satellite's share shrinks by tau', and the
     * frame turns by omega tau' */
    double tau_rate = closing / GN_C_MPS;
    sweep = GN_OMEGA_E_RPS * (ret->e[0] * s.pos_ecef_m[1] - ret->e[1] * s.pos_ecef_m[0]);
    for (int k = 0; k < 3; k++)
        sweep -= ret->e[k] * s.vel_ecef_mps[k];
    ret->range_m = range;
    ret->rate_mps = closing + sweep * tau_rate - GN_C_MPS * m->sat.clock_drift;
    ret->variance_m2 = 0;
    gn_azel(pos_m, s.pos_ecef_m, &ret->azimuth_rad, &ret->elevation_rad);
    if (air != NULL)
        add_air(air, pos_m, ret);
}
