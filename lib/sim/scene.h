/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* All that a simulated sky is made from, and the way of a signal from a satellite to the antenna. */
#ifndef GN_SIM_SCENE_H
#define GN_SIM_SCENE_H

#include "lib/nav/rinex.h"
#include "lib/sim/constellation.h"
#include "lib/sim/disturb.h"
#include "lib/sim/motion.h"

#include <stdbool.h>
#include <stdint.h>

#define GN_SIM_CHANNELS_MAX 72U
#define GN_SIM_GAINS_MAX    16U

struct gn_sim_cn0 { /* of one satellite, in place of the common one */
    uint8_t signal, prn;
    double cn0_dbhz;
};

struct gn_sim_scene {
    double ecef_m[3];                   /* the antenna when motion is NULL */
    const struct gn_sim_motion *motion; /* borrowed */
    struct gn_sim_time start;           /* true GPS time of sample 0 */
    double rate_sps;
    double clock_ppm;       /* receiver oscillator fast by so much: sampling and mixing alike */
    double clock_ppm_per_s; /* and more so every second */
    double clock_adev;      /* Allan deviation at 1 s of its flicker noise; 0: none */
    double cn0_dbhz;        /* of each satellite; Galileo: E1-B and E1-C together */
    double fade_cn0_dbhz;   /* from fade_at_s on; not a number: no fade */
    double fade_at_s;
    const struct gn_sim_cn0 *cn0s; /* [n_cn0s], borrowed */
    double gain_db[GN_SIM_GAINS_MAX]; /* antenna: [n_gains] at equal steps of elevation, 0 to 90 degrees */
    uint32_t n_cn0s, n_gains;
    double mask_rad; /* satellites must be higher than this */
    double level;    /* rms of the noise in output steps, per component */
    double noise;    /* 1; 0: none */
    uint64_t seed;
    uint32_t n_gps, n_galileo; /* at most so many, the highest first */
    double seconds_s;          /* length of the OSNMA chain */
    uint64_t osnma_seed;       /* of its keys */
    uint32_t osnma_event;      /* enum gn_osnma_gen_event, */
    uint32_t osnma_at[3];      /* at these sub-frames of the chain, which begins two before the start's */
    struct gn_sim_disturb disturb; /* zeroed: a calm sky */
    const struct gn_rinex_nav *nav; /* ephemerides and models, borrowed; NULL: made up */
    bool has_osnma;                 /* Galileo pages are signed by a TEST chain */
    bool has_ionosphere;            /* Klobuchar; the same parameters are broadcast */
    bool has_troposphere;           /* Saastamoinen */
    bool has_all;                   /* every satellite there is, also under the ground */
    bool is_sine_boc;               /* E1 as BOC(1,1) in place of CBOC(6,1,1/11) */
    double if_hz;                   /* real output around it */
    double filter_hz;               /* two-sided width of the front end; 0: none */
    bool is_real;
    uint32_t bits;                  /* of the converter; 0: rounding to steps */
};

/* Parameters the sky uses and broadcasts: of nav, else typical ones. [any thread] */
void gn_sim_klobuchar(const struct gn_sim_scene *s, double klobuchar[8]);

/* How far the oscillator is ahead of true time when it shows t_s since sample 0. [any thread] */
double gn_sim_clock_s(const struct gn_sim_scene *s, double t_s);

/* The antenna at that reading of the oscillator. [any thread] */
void gn_sim_antenna(const struct gn_sim_scene *s, double t_s, double ecef_m[3], double vel_mps[3]);

struct gn_sim_way {
    double code_s;    /* t_sv - start - t of the code, t the oscillator's reading */
    double advance_s; /* the carrier's t_sv is ahead of the code's by twice the ionosphere */
    double range_m, azimuth_rad, elevation_rad, ionosphere_m, troposphere_m;
};
/* Light time, Sagnac, relativity, satellite clock and group delay, atmosphere, oscillator. [any thread] */
void gn_sim_way(const struct gn_sim_scene *s, const struct gn_ephemeris *eph, double t_s,
        struct gn_sim_way *ret);

/* C/N0 of a satellite: its own or the common one, fade and antenna. [any thread] */
double gn_sim_cn0_dbhz(const struct gn_sim_scene *s, const struct gn_ephemeris *eph, double t_s,
        double elevation_rad);

#endif
