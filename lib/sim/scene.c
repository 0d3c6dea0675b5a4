/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/sim/scene.h"

#include "lib/atmo/atmo.h"
#include "lib/gnss/signal.h"
#include "lib/nav/orbit.h"

#include <math.h>
#include <string.h>

#define TAU         6.283185307179586
#define FLICKER     24   /* lines of the oscillator's noise, */
#define FLICKER_LOW 1e-3 /* from this frequency, */
#define FLICKER_OCT 0.5  /* so many octaves apart */

void gn_sim_klobuchar(const struct gn_sim_scene *s, double klobuchar[8])
{
    static const double typical[8] = {0x1p-30 * 11, 0x1p-27 * 2, -0x1p-24, -0x1p-24, 0x1p11 * 44,
            0x1p14 * 4, -0x1p16, -0x1p16 * 3};
    memcpy(klobuchar, s->nav != NULL && s->nav->has_klobuchar ? s->nav->klobuchar : typical,
            sizeof typical);
}

/* Flicker of frequency as sines at equal steps of log f: each octave carries the same power. Its
 * Allan variance is 2 ln 2 h, h the power in a unit of ln f. No state: any instant can be asked for. */
static double flicker_s(const struct gn_sim_scene *s, double t_s)
{
    double h = s->clock_adev * s->clock_adev / (2 * log(2)), x = 0;
    double line = sqrt(2 * h * FLICKER_OCT * log(2));
    for (int i = 0; i < FLICKER; i++) {
        double f = FLICKER_LOW * exp2(FLICKER_OCT * i);
        double phase = TAU * fmod(0.7548776662 * (i + 1) * (double)(s->seed % 1009 + 1), 1);
        x += line / (TAU * f) * (sin(TAU * f * t_s + phase) - sin(phase));
    }
    return x;
}

double gn_sim_clock_s(const struct gn_sim_scene *s, double t_s)
{
    double fast = s->clock_ppm * 1e-6;
    double ahead_s = t_s * (fast / (1 + fast)) + s->clock_ppm_per_s * 1e-6 * t_s * t_s / 2;
    return s->clock_adev > 0 ? ahead_s + flicker_s(s, t_s) : ahead_s;
}

void gn_sim_antenna(const struct gn_sim_scene *s, double t_s, double ecef_m[3], double vel_mps[3])
{
    memset(vel_mps, 0, 3 * sizeof *vel_mps);
    if (s->motion != NULL)
        gn_sim_motion_at(s->motion, t_s - gn_sim_clock_s(s, t_s), ecef_m, vel_mps);
    else
        memcpy(ecef_m, s->ecef_m, 3 * sizeof *ecef_m);
}

static void atmosphere(const struct gn_sim_scene *s, const double rx_m[3], double tow_s,
        struct gn_sim_way *w)
{
    const struct gn_geo geo = gn_geo_from_ecef(rx_m);
    double el = fmax(w->elevation_rad, 0.02), klobuchar[8];
    if (s->has_ionosphere && geo.height_m < 1000e3) {
        gn_sim_klobuchar(s, klobuchar);
        double tod_s = tow_s - 86400 * floor(tow_s / 86400);
        w->ionosphere_m = gn_iono_klobuchar_m(klobuchar, &geo, w->azimuth_rad, el, tod_s);
        w->ionosphere_m *= fmin(1, fmax(0, (1000e3 - geo.height_m) / 920e3));
    }
    if (s->has_troposphere)
        w->troposphere_m = gn_tropo_m(&geo, el);
}

void gn_sim_way(const struct gn_sim_scene *s, const struct gn_ephemeris *eph, double t_s,
        struct gn_sim_way *ret)
{
    struct gn_sat_state sat;
    double rx_m[3], vel[3], ahead_s = gn_sim_clock_s(s, t_s);
    double tow_s = s->start.tow_s + t_s - ahead_s;
    *ret = (struct gn_sim_way){0};
    gn_sim_antenna(s, t_s, rx_m, vel);
    ret->range_m = gn_orbit_heard(eph, s->start.week, tow_s, rx_m, &sat);
    gn_azel(rx_m, sat.pos_ecef_m, &ret->azimuth_rad, &ret->elevation_rad);
    if (s->has_ionosphere || s->has_troposphere)
        atmosphere(s, rx_m, tow_s, ret);
    double delay_m = ret->range_m + ret->troposphere_m + ret->ionosphere_m;
    ret->code_s = -ahead_s - delay_m / GN_C_MPS + gn_orbit_clock_l1_s(eph, &sat);
    ret->advance_s = 2 * ret->ionosphere_m / GN_C_MPS;
}

static double antenna_db(const struct gn_sim_scene *s, double elevation_rad)
{
    if (s->n_gains == 0)
        return 0;
    double x = fmax(elevation_rad, 0) / (TAU / 4) * (s->n_gains - 1);
    uint32_t i = (uint32_t)fmin(x, s->n_gains - 1);
    uint32_t next = i + 1 < s->n_gains ? i + 1 : i;
    return s->gain_db[i] + (x - i) * (s->gain_db[next] - s->gain_db[i]);
}

double gn_sim_cn0_dbhz(const struct gn_sim_scene *s, const struct gn_ephemeris *eph, double t_s,
        double elevation_rad)
{
    bool is_faded = !isnan(s->fade_cn0_dbhz) && t_s >= s->fade_at_s;
    double cn0 = is_faded ? s->fade_cn0_dbhz : s->cn0_dbhz;
    for (uint32_t i = 0; i < s->n_cn0s && !is_faded; i++)
        if (s->cn0s[i].signal == eph->signal && s->cn0s[i].prn == eph->prn)
            cn0 = s->cn0s[i].cn0_dbhz;
    return cn0 + antenna_db(s, elevation_rad);
}
