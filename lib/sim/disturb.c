/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/sim/disturb.h"

#include "lib/gnss/signal.h"

#include <math.h>

#define PI          3.14159265358979323846
#define WAVES       16U
#define LOW_RAD     (45 * PI / 180)
#define RAY_LEAST_M 15.0
#define RAY_MPS     0.4 /* the satellite climbs, a lorry passes: a fade every half second */

bool gn_sim_is_forged(const struct gn_sim_forge *f, const struct gn_ephemeris *eph)
{
    uint64_t mask = eph->signal == GN_SIG_GAL_E1 ? f->galileo : f->gps;
    return f->is_set && eph->prn >= 1 && eph->prn <= 64 && (mask >> (eph->prn - 1) & 1) != 0;
}

void gn_sim_forge_eph(const struct gn_sim_forge *f, struct gn_ephemeris *eph)
{
    bool is_gal = eph->signal == GN_SIG_GAL_E1;
    eph->omega0_rad += f->node_rad;
    if (eph->omega0_rad > PI)
        eph->omega0_rad -= 2 * PI;
    eph->af0_s += f->clock_m / GN_C_MPS;
    eph->iode = (uint16_t)((eph->iode + f->issue) & (is_gal ? 1023U : 255U));
    eph->iodc = is_gal ? eph->iode : (uint16_t)((eph->iodc & 0x300U) | eph->iode);
}

/* 0..1 from a hash of three numbers; splitmix64's finaliser */
static double draw(uint64_t seed, uint32_t satellite, uint32_t i)
{
    uint64_t x = seed * 0x9E3779B97F4A7C15ULL + ((uint64_t)satellite << 32 | i);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    x ^= x >> 31;
    return (double)(x >> 11) * 0x1p-53;
}

static double normal(uint64_t seed, uint32_t satellite, uint32_t i)
{
    double u = 1 - draw(seed, satellite, 2 * i), v = draw(seed, satellite, 2 * i + 1);
    return sqrt(-2 * log(u)) * cos(2 * PI * v);
}

static bool is_on(const struct gn_sim_disturb *d, double t_s)
{
    return t_s >= d->from_s && !(t_s >= d->until_s);
}

/* Diffuse part of mean power 1 and Gaussian spectrum: correlation falls to 1/e after tau. */
void gn_sim_scintillate(
        const struct gn_sim_disturb *d, uint32_t satellite, double t_s, double *gain, double *turns)
{
    *gain = 1;
    *turns = 0;
    if (!(d->s4 > 0) || !is_on(d, t_s))
        return;
    double s4 = fmin(d->s4, 0.99), root = sqrt(1 - s4 * s4), k = root / (1 - root);
    double re = sqrt(k / (k + 1)), im = 0, share = sqrt(1 / (k + 1) / WAVES);
    for (uint32_t i = 0; i < WAVES; i++) {
        double f_hz = normal(d->seed, satellite, i) * sqrt(2) / (2 * PI * d->tau_s);
        double phase = 2 * PI * (f_hz * t_s + draw(d->seed + 1, satellite, i));
        re += share * cos(phase);
        im += share * sin(phase);
    }
    *gain = hypot(re, im);
    *turns = atan2(im, re) / (2 * PI);
}

double gn_sim_ray(const struct gn_sim_disturb *d, uint32_t satellite, double elevation_rad,
        uint32_t i, double t_s, double *extra_m)
{
    if (i >= d->n_rays || elevation_rad > LOW_RAD || !is_on(d, t_s))
        return 0;
    uint64_t seed = d->seed + 100 + i;
    double reach_m = RAY_LEAST_M + (d->ray_m - RAY_LEAST_M) * draw(seed, satellite, 0);
    *extra_m = fmax(reach_m + RAY_MPS * (2 * draw(seed, satellite, 1) - 1) * t_s, 1);
    return pow(10, (d->ray_db - 6 * draw(seed, satellite, 2)) / 20);
}
