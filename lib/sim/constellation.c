/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/sim/constellation.h"

#include "gnomon/status.h"
#include "lib/gnss/signal.h"
#include "lib/nav/inav_words.h"
#include "lib/nav/lnav.h"
#include "lib/nav/orbit.h"

#include <math.h>
#include <string.h>

#define DEG      (GN_PI / 180)
#define GPS_A_M  26560.0e3
#define GAL_A_M  29600.318e3
#define WGS84_A  6378137.0
#define WGS84_E2 6.69437999014e-3

/* argument of latitude (degrees) at GPS time 0 in planes A..F; the fifth and sixth fill the gaps */
static const struct {
    double node_deg, u_deg[6];
    int n;
} gps_planes[6] = {
        {272.847, {268.126, 161.786, 11.676, 41.806, 100.0, 0}, 5},
        {332.847, {80.956, 173.336, 309.976, 204.376, 20.0, 0}, 5},
        {32.847, {111.876, 11.796, 339.666, 241.556, 60.0, 175.0}, 6},
        {92.847, {135.226, 265.446, 35.156, 167.356, 315.0, 0}, 5},
        {152.847, {197.046, 302.596, 66.066, 333.686, 130.0, 250.0}, 6},
        {212.847, {238.886, 345.226, 105.206, 135.346, 45.0, 0}, 5},
};
static const uint8_t gal_prns[GN_SIM_GAL_ALL] = {1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15,
        16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 29, 30, 31, 34, 36, 6,
        17, 28, 32, 33, 35};

/* -1 .. 1, the same for ever for a satellite and a purpose */
static double hash(unsigned signal, unsigned i, unsigned purpose)
{
    uint64_t x = (uint64_t)signal << 40 | (uint64_t)i << 20 | purpose;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL + 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    x ^= x >> 31;
    return (double)(int64_t)x * 0x1p-63;
}

static double wrap_pi(double x)
{
    return x - 2 * GN_PI * floor(x / (2 * GN_PI) + 0.5);
}

/* Where the slot is: node in the inertial frame and argument of latitude at GPS time 0. */
static void slot(unsigned signal, unsigned i, double *node_rad, double *u_rad)
{
    if (signal == GN_SIG_GAL_E1) {
        unsigned plane = i < 30 ? i / 10 : (i - 30) / 2, place = i < 30 ? i % 10 : 10 + i % 2;
        double u_deg = place < 8 ? 45.0 * place : 22.5 + 180.0 * (place % 2) + (place < 10 ? 0 : 45.0);
        *node_rad = DEG * 120.0 * plane;
        *u_rad = DEG * (u_deg + 15.0 * plane);
        return;
    }
    unsigned plane = 0;
    while (i >= (unsigned)gps_planes[plane].n)
        i -= (unsigned)gps_planes[plane++].n;
    *node_rad = DEG * gps_planes[plane].node_deg;
    *u_rad = DEG * gps_planes[plane].u_deg[i];
}

/* Small things that make satellites differ. */
static void fill_details(unsigned signal, unsigned i, struct gn_ephemeris *e)
{
    e->e = 0.006 + 0.005 * hash(signal, i, 1);
    e->omega_rad = GN_PI * hash(signal, i, 2);
    e->i0_rad = DEG * ((signal == GN_SIG_GAL_E1 ? 56.0 : 55.0) + 0.8 * hash(signal, i, 3));
    e->idot_rps = 3e-10 * hash(signal, i, 4);
    e->omegadot_rps = (signal == GN_SIG_GAL_E1 ? -5.6e-9 : -8.1e-9) + 3e-10 * hash(signal, i, 5);
    e->delta_n_rps = (signal == GN_SIG_GAL_E1 ? 3.0e-9 : 4.6e-9) + 4e-10 * hash(signal, i, 6);
    e->cuc_rad = 4e-6 * hash(signal, i, 7);
    e->cus_rad = 7e-6 + 3e-6 * hash(signal, i, 8);
    e->crc_m = 220 + 90 * hash(signal, i, 9);
    e->crs_m = 80 * hash(signal, i, 10);
    e->cic_rad = 1.2e-7 * hash(signal, i, 11);
    e->cis_rad = 1.2e-7 * hash(signal, i, 12);
    e->af0_s = 3e-4 * hash(signal, i, 13);
    e->af1 = 8e-12 * hash(signal, i, 14);
    e->tgd_s = signal == GN_SIG_GAL_E1 ? 4e-9 * hash(signal, i, 15)
                                       : -8e-9 + 5e-9 * hash(signal, i, 15);
    e->bgd_e5a_s = signal == GN_SIG_GAL_E1 ? e->tgd_s * 0.9 : 0;
}

/* Broadcast reference time; may lie in the week before or after t. */
static void fill_epoch(unsigned signal, struct gn_sim_time t, struct gn_ephemeris *e)
{
    double grid_s = signal == GN_SIG_GAL_E1 ? 600 : 7200;
    double toe_s = grid_s * floor(t.tow_s / grid_s + (signal == GN_SIG_GAL_E1 ? 0 : 0.5));
    int32_t week = t.week + (int32_t)floor(toe_s / GN_WEEK_S);
    toe_s -= GN_WEEK_S * floor(toe_s / GN_WEEK_S);
    e->week = e->week_toc = week;
    e->toe_s = e->toc_s = toe_s;
    e->iode = (uint16_t)((int64_t)(toe_s / grid_s) % 240 + 1);
    e->iodc = e->iode;
}

/* Through the bits and back, so that the signal follows exactly what it says. */
void gn_sim_quantise(struct gn_ephemeris *e)
{
    const struct gn_ephemeris exact = *e;
    if (e->signal == GN_SIG_GAL_E1) {
        uint8_t ced[GN_INAV_CED_WORDS][GN_INAV_WORD_BYTES] = {{0}}, word5[GN_INAV_WORD_BYTES] = {0};
        const double nequick[8] = {0};
        (void)gn_inav_ced_write(&exact, ced);
        (void)gn_inav_word5_write(&exact, nequick, exact.week - GN_GST_WEEK_0, 0, word5);
        gn_inav_ced_read((const uint8_t(*)[GN_INAV_WORD_BYTES])ced, word5, e);
    } else {
        uint8_t sf[3][GN_LNAV_DATA_BYTES] = {{0}};
        const struct gn_lnav_source source = {.eph = &exact};
        for (uint32_t k = 0; k < 3; k++)
            (void)gn_lnav_build(&source, exact.week, k, sf[k]);
        (void)gn_lnav_ephemeris_read((const uint8_t(*)[GN_LNAV_DATA_BYTES])sf, e);
    }
    e->signal = exact.signal;
    e->prn = exact.prn;
    e->source = exact.source;
    e->week = exact.week;
    e->week_toc = exact.week_toc;
}

void gn_sim_ephemeris(unsigned signal, unsigned i, struct gn_sim_time t, struct gn_ephemeris *ret)
{
    bool is_gal = signal == GN_SIG_GAL_E1;
    struct gn_ephemeris e = {
            .signal = (uint8_t)signal, .prn = is_gal ? gal_prns[i] : (uint8_t)(i + 1)};
    double node_rad = 0, u_rad = 0, a_m = is_gal ? GAL_A_M : GPS_A_M,
           mu = is_gal ? GN_MU_GAL : GN_MU_GPS;
    slot(signal, i, &node_rad, &u_rad);
    fill_details(signal, i, &e);
    fill_epoch(signal, t, &e);
    e.source = is_gal ? GN_EPH_SRC_INAV : GN_EPH_SRC_LNAV;
    e.ura_sisa = is_gal ? 107 : 0;
    e.sqrt_a = sqrt(a_m);
    double week_s = (double)e.week * GN_WEEK_S, toe_s = week_s + e.toe_s;
    double n_rps = sqrt(mu / (a_m * a_m * a_m)) + e.delta_n_rps;
    e.m0_rad = wrap_pi(u_rad - e.omega_rad + n_rps * toe_s);
    /* node of the week's first second in the Earth-fixed frame, carried to toe as the ICDs' formula
     * wants it */
    e.omega0_rad = wrap_pi(node_rad + e.omegadot_rps * toe_s - GN_OMEGA_E_RPS * week_s);
    gn_sim_quantise(&e);
    *ret = e;
}

void gn_sim_ecef(double lat_rad, double lon_rad, double height_m, double ecef_m[3])
{
    double s = sin(lat_rad), n = WGS84_A / sqrt(1 - WGS84_E2 * s * s);
    ecef_m[0] = (n + height_m) * cos(lat_rad) * cos(lon_rad);
    ecef_m[1] = (n + height_m) * cos(lat_rad) * sin(lon_rad);
    ecef_m[2] = (n * (1 - WGS84_E2) + height_m) * s;
}

/* up is taken along the ellipsoid's normal at the geocentric direction: good to 0.2 degrees, enough
 * for a mask */
double gn_sim_elevation(const double rx_ecef_m[3], const double sat_ecef_m[3])
{
    double up[3] = {rx_ecef_m[0], rx_ecef_m[1], rx_ecef_m[2] / (1 - WGS84_E2)}, d[3], dot = 0,
           uu = 0, dd = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = sat_ecef_m[k] - rx_ecef_m[k];
        dot += up[k] * d[k];
        uu += up[k] * up[k];
        dd += d[k] * d[k];
    }
    return asin(dot / sqrt(uu * dd));
}

size_t gn_sim_visible(unsigned signal, struct gn_sim_time t, const double ecef_m[3],
        double mask_rad, size_t n_max, struct gn_ephemeris ret[])
{
    double elevation[GN_SIM_SATS_MAX];
    size_t n = 0;
    unsigned n_sats = signal == GN_SIG_GAL_E1 ? GN_SIM_GAL_SATS : GN_SIM_GPS_SATS;
    for (unsigned i = 0; i < n_sats && n_max > 0; i++) {
        struct gn_ephemeris e;
        struct gn_sat_state s;
        gn_sim_ephemeris(signal, i, t, &e);
        (void)gn_orbit_heard(&e, t.week, t.tow_s, ecef_m, &s);
        double el = gn_sim_elevation(ecef_m, s.pos_ecef_m);
        if (el < mask_rad || (n == n_max && el <= elevation[n - 1]))
            continue;
        size_t at = n < n_max ? n++ : n - 1;
        for (; at > 0 && elevation[at - 1] < el; at--) {
            elevation[at] = elevation[at - 1];
            ret[at] = ret[at - 1];
        }
        elevation[at] = el;
        ret[at] = e;
    }
    return n;
}
