/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What happens to single satellites of a simulated sky: forged data, scintillation, reflections.
 * All of it is a function of seed, satellite and time: any stretch can be made alone. */
#ifndef GN_SIM_DISTURB_H
#define GN_SIM_DISTURB_H

#include "lib/nav/ephemeris.h"

#include <stdbool.h>
#include <stdint.h>

#define GN_SIM_RAYS_MAX 4U

/* Other data in the same signal. Turning all orbits about the Earth's axis by node_rad moves every
 * position made from them along its parallel by that angle, and no range contradicts it. */
struct gn_sim_forge {
    bool is_set;
    double node_rad;       /* added to omega0 */
    double clock_m;        /* added to the satellite clock, as range */
    double from_s;         /* frames that begin from then on */
    uint32_t issue;        /* added to the issue numbers; 0: under the old issue */
    bool is_signed;        /* tags are made over the forged data; else over the true ones */
    uint64_t gps, galileo; /* bit prn - 1 of those concerned */
};

struct gn_sim_disturb {
    struct gn_sim_forge forge;
    double s4, tau_s;       /* scintillation index and correlation time; s4 0: none */
    uint32_t n_rays;        /* reflections of each satellite below 45 degrees */
    double ray_db, ray_m;   /* strongest of them against the direct way, longest extra way */
    double from_s, until_s; /* scintillation and reflections; until not a number: to the end */
    uint64_t seed;
};

/* Is satellite one of the forger's, and what does he have it say. [any thread] */
bool gn_sim_is_forged(const struct gn_sim_forge *f, const struct gn_ephemeris *eph);
void gn_sim_forge_eph(const struct gn_sim_forge *f, struct gn_ephemeris *eph);

/* Amplitude factor and phase that the ionosphere gives a satellite at t_s. Rice fading with the S4
 * asked for (T. E. Humphreys et al., 2009: strong equatorial scintillation), the diffuse part a sum
 * of sixteen waves. [any thread] */
void gn_sim_scintillate(const struct gn_sim_disturb *d, uint32_t satellite, double t_s,
        double *gain, double *turns);

/* Reflection i (< n_rays) of a satellite at t_s: amplitude factor and extra way; 0 when there is
 * none. */
double gn_sim_ray(const struct gn_sim_disturb *d, uint32_t satellite, double elevation_rad,
        uint32_t i, double t_s, double *extra_m);

#endif
