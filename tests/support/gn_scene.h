/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A sky with known truth, as the channels of a receiver would tell it: no signal, only geometry. */
#ifndef GN_SCENE_H
#define GN_SCENE_H

#include "lib/geo/geo.h"
#include "lib/gnss/signal.h"
#include "lib/nav/orbit.h"
#include "lib/pvt/engine.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define SCENE_SATS 40
#define SCENE_RATE 4e6
#define SCENE_DEG  (3.14159265358979323846 / 180)

struct scene {
    int32_t week;
    double tow0_s;             /* GPS time of tick 0 */
    double drift;              /* of the receiver clock, s/s */
    double drift_rate;         /* 1/s */
    double noise_m, noise_mps;
    double start[3], vel_enu[3];
    double isb_m;              /* Galileo late by */
    double galileo_ahead_s;    /* all of Galileo lives in a time of its own */
    double (*fault_m)(const struct scene *s, int i_sat, double t_s);
    void (*motion)(double t_s, double enu[3], double vel_enu[3]); /* over the start, overrides vel_enu */
    double jump_at_s, jump_s;  /* the recorder slips: ticks lost without being counted */
    uint64_t seed;
    int n;
    struct gn_ephemeris eph[SCENE_SATS];
};

static inline double scene_noise(struct scene *s)
{
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        s->seed = s->seed * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(s->seed >> 11) / 9007199254740992.0;
    }
    return sum - 6;
}

/* Satellites on nominal shells that stand above 12 deg at the start, six to eight of each system. */
static inline void scene_sky(struct scene *s, int n_gps, int n_galileo)
{
    s->n = 0;
    for (int system = GN_SIG_GPS_L1CA; system <= GN_SIG_GAL_E1; system++)
        for (int slot = 0, found = 0; slot < 36 && found < (system == 1 ? n_gps : n_galileo); slot++) {
            bool galileo = system == GN_SIG_GAL_E1;
            struct gn_ephemeris e = {.signal = (uint8_t)system, .prn = (uint8_t)(slot % 36 + 1),
                    .source = galileo ? GN_EPH_SRC_INAV : GN_EPH_SRC_LNAV, .week = s->week,
                    .week_toc = s->week, .iode = 7, .iodc = 7, .ura_sisa = galileo ? 107 : 0,
                    .sqrt_a = galileo ? 5440.6 : 5153.6, .e = 0.002 + 0.0003 * slot,
                    .i0_rad = (galileo ? 56 : 55) * SCENE_DEG, .omegadot_rps = -8e-9,
                    .omega0_rad = slot % (galileo ? 3 : 6) * (galileo ? 120 : 60) * SCENE_DEG,
                    .m0_rad = slot * 77 * SCENE_DEG, .omega_rad = slot * 0.3, .cus_rad = 5e-6,
                    .crc_m = 200, .af0_s = (slot - 15) * 2e-5, .af1 = 1e-11,
                    .tgd_s = (slot - 10) * 1e-9, .has_ced = galileo};
            double toe = s->tow0_s - fmod(s->tow0_s, 600);
            e.toe_s = e.toc_s = toe;
            memset(e.ced, slot + 1, sizeof e.ced);
            e.ced[GN_EPH_CED_BYTES - 1] &= 0xf8; /* 549 bits */
            struct gn_sat_state st;
            double az, el;
            (void)gn_orbit_heard(&e, s->week, s->tow0_s, s->start, &st);
            gn_azel(s->start, st.pos_ecef_m, &az, &el);
            if (el > 12 * SCENE_DEG) {
                s->eph[s->n++] = e;
                found++;
            }
        }
}

/* Truth at GPS time tow0_s + t_s. */
static inline void scene_truth(const struct scene *s, double t_s, double pos[3], double vel[3])
{
    struct gn_geo geo = gn_geo_from_ecef(s->start);
    double r[3][3], enu[3], ven[3];
    gn_enu_rotation(&geo, r);
    for (int k = 0; k < 3; k++) {
        enu[k] = s->vel_enu[k] * t_s;
        ven[k] = s->vel_enu[k];
    }
    if (s->motion != NULL)
        s->motion(t_s, enu, ven);
    for (int k = 0; k < 3; k++) {
        pos[k] = s->start[k];
        vel[k] = 0;
        for (int j = 0; j < 3; j++) {
            pos[k] += r[j][k] * enu[j];
            vel[k] += r[j][k] * ven[j];
        }
    }
}

/* GPS time after tow0_s at a tick: the receiver's clock counts tick / rate, running fast by drift. */
static inline double scene_time(const struct scene *s, double tick)
{
    double local_s = tick / SCENE_RATE, t_s = local_s;
    if (s->jump_s != 0 && local_s > s->jump_at_s)
        local_s += s->jump_s;
    for (int i = 0; i < 6; i++) /* local = t (1 + drift + drift_rate t / 2) */
        t_s = local_s / (1 + s->drift + s->drift_rate * t_s / 2);
    return t_s;
}

/* Transmit time of satellite i by its own clock, after tow0_s. */
static inline double scene_transmit(const struct scene *s, int i, double t_s)
{
    const struct gn_ephemeris *e = &s->eph[i];
    struct gn_sat_state st;
    double pos[3], vel[3];
    scene_truth(s, t_s, pos, vel);
    double ahead_s = e->signal == GN_SIG_GAL_E1 ? s->galileo_ahead_s : 0;
    double range = gn_orbit_heard(e, s->week, s->tow0_s + t_s + ahead_s, pos, &st);
    if (s->fault_m != NULL)
        range += s->fault_m(s, i, t_s);
    if (e->signal == GN_SIG_GAL_E1)
        range += s->isb_m;
    return t_s + ahead_s - range / GN_C_MPS + gn_orbit_clock_l1_s(e, &st);
}

static inline void scene_obs(struct scene *s, int i, uint64_t tick, struct gn_msg_track_obs *o)
{
    const struct gn_ephemeris *e = &s->eph[i];
    double symbol_s = gn_signal_table[e->signal].symbol_s;
    double h = 0.01, tx = scene_transmit(s, i, scene_time(s, (double)tick));
    double slope = (scene_transmit(s, i, scene_time(s, (double)tick + h * SCENE_RATE)) -
                           scene_transmit(s, i, scene_time(s, (double)tick - h * SCENE_RATE))) /
            (2 * h);
    double noisy = tx + s->noise_m * scene_noise(s) / GN_C_MPS;
    double since = noisy - floor(scene_transmit(s, i, 0)) + 10; /* symbol 0: ten seconds before */
    *o = (struct gn_msg_track_obs){.signal = e->signal, .prn = e->prn, .channel = (uint8_t)i, .life = 1,
            .doppler_hz = (slope - 1) * GN_F_L1_HZ +
                    s->noise_mps * scene_noise(s) * GN_F_L1_HZ / GN_C_MPS,
            .cn0_dbhz = 45, .lock_s = 10, .flags = GN_OBS_CODE_VALID | GN_OBS_CARRIER_VALID};
    o->symbol = (uint64_t)floor(since / symbol_s);
    o->symbol_phase_s = since - (double)o->symbol * symbol_s;
    o->carrier_cycles = ((double)tick / SCENE_RATE - tx) * GN_F_L1_HZ;
}

static inline struct gn_msg_nav_time scene_nav_time(const struct scene *s, int i)
{
    const struct gn_ephemeris *e = &s->eph[i];
    double t = s->tow0_s + floor(scene_transmit(s, i, 0)) - 10;
    int32_t wn = s->week;
    if (t < 0) {
        t += GN_WEEK_S;
        wn--;
    }
    return (struct gn_msg_nav_time){.signal = e->signal, .prn = e->prn, .channel = (uint8_t)i, .valid = 1,
            .life = 1, .symbol = 0, .tow_s = t, .wn = wn};
}

#endif
