/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/sim/almanac.h"

#include "lib/bits/bits.h"
#include "lib/gnss/signal.h"

#include <math.h>

#define GAL_SQRT_A   5440.588203494177 /* of 29,600 km */
#define GAL_I_SC     (56.0 / 180)
#define GPS_I_SC     0.30
#define IODA         1U
#define WORD_BITS    128U
#define DATA_ID      0x40U /* data ID 1 in front of the page's number */
#define SUMMARY_51   51U
#define SUMMARY_63   63U
#define CONFIG_IIRM  2U /* figure 20.3.3.5.1.4: block II and later */

/* Mean elements at the time of applicability, angles in semicircles. */
struct elements {
    double sqrt_a, e, i_sc, node_sc, node_rate_sc, omega_sc, m_sc, af0_s, af1;
};

static struct elements carry(const struct gn_ephemeris *eph, int32_t week, double toa_s)
{
    double mu = eph->signal == GN_SIG_GAL_E1 ? GN_MU_GAL : GN_MU_GPS, a = eph->sqrt_a * eph->sqrt_a;
    double n_rps = sqrt(mu / (a * a * a)) + eph->delta_n_rps;
    double dt = (double)(week - eph->week) * GN_WEEK_S + toa_s - eph->toe_s;
    double dc = (double)(week - eph->week_toc) * GN_WEEK_S + toa_s - eph->toc_s;
    return (struct elements){.sqrt_a = sqrt(cbrt(mu / (n_rps * n_rps))),
            .e = eph->e,
            .i_sc = (eph->i0_rad + eph->idot_rps * dt) / GN_PI,
            /* the node of the week's first second; toe and toa may lie in two weeks */
            .node_sc = (eph->omega0_rad + eph->omegadot_rps * dt +
                               GN_OMEGA_E_RPS * GN_WEEK_S * (double)(eph->week - week)) / GN_PI,
            .node_rate_sc = eph->omegadot_rps / GN_PI,
            .omega_sc = eph->omega_rad / GN_PI,
            .m_sc = (eph->m0_rad + n_rps * dt) / GN_PI,
            .af0_s = eph->af0_s + eph->af1 * dc,
            .af1 = eph->af1};
}

/* x in steps, two's complement of n bits; circles wrap, others stop at their ends */
static uint64_t code(double x, double step, unsigned n, bool is_circle)
{
    double half = ldexp(1, (int)n - 1);
    if (is_circle)
        x -= 2 * floor(x / 2 + 0.5);
    double v = nearbyint(x / step);
    v = is_circle && v >= half ? -half : fmin(fmax(v, -half), half - 1);
    return (uint64_t)(int64_t)v & ((1ULL << n) - 1);
}

struct pen {
    uint8_t *bits;
    size_t n_bits, at;
};

static void put(struct pen *p, unsigned n, uint64_t value)
{
    (void)gn_bits_set(p->bits, p->n_bits, p->at, n, value & ((1ULL << n) - 1));
    p->at += n;
}

/* ---- GPS ----------------------------------------------------------------------------------------
 */

static void put_gps(const struct gn_sim_almanac *a, unsigned prn, uint8_t *data)
{
    const struct gn_ephemeris *eph = &a->gps[prn - 1];
    struct elements e = carry(eph, a->week, a->toa_s);
    struct pen p = {data, GN_LNAV_DATA_BITS, 48};
    uint64_t af0 = code(e.af0_s, 0x1p-20, 11, false);
    put(&p, 8, DATA_ID | prn);
    put(&p, 16, (uint64_t)nearbyint(e.e * 0x1p21));
    put(&p, 8, (uint64_t)(a->toa_s / 4096));
    put(&p, 16, code(e.i_sc - GPS_I_SC, 0x1p-19, 16, false));
    put(&p, 16, code(e.node_rate_sc, 0x1p-38, 16, false));
    put(&p, 8, eph->health != 0 ? 0xFF : 0);
    put(&p, 24, (uint64_t)nearbyint(e.sqrt_a * 2048));
    put(&p, 24, code(e.node_sc, 0x1p-23, 24, true));
    put(&p, 24, code(e.omega_sc, 0x1p-23, 24, true));
    put(&p, 24, code(e.m_sc, 0x1p-23, 24, true));
    put(&p, 8, af0 >> 3);
    put(&p, 11, code(e.af1, 0x1p-38, 11, false));
    put(&p, 3, af0);
}

static unsigned health_of(const struct gn_sim_almanac *a, unsigned prn)
{
    return a->has_gps[prn - 1] ? a->gps[prn - 1].health & 63u : 63u;
}

/* Sub-frame 5 page 25: toa, WNa, health of 1 to 24. */
static void put_page51(const struct gn_sim_almanac *a, uint8_t *data)
{
    struct pen p = {data, GN_LNAV_DATA_BITS, 48};
    put(&p, 8, DATA_ID | SUMMARY_51);
    put(&p, 8, (uint64_t)(a->toa_s / 4096));
    put(&p, 8, (uint64_t)a->week);
    for (unsigned prn = 1; prn <= 24; prn++)
        put(&p, 6, health_of(a, prn));
}

/* Sub-frame 4 page 25: anti-spoof and configuration of 1 to 32, health of 25 to 32. */
static void put_page63(const struct gn_sim_almanac *a, uint8_t *data)
{
    struct pen p = {data, GN_LNAV_DATA_BITS, 48};
    put(&p, 8, DATA_ID | SUMMARY_63);
    for (unsigned prn = 1; prn <= 32; prn++)
        put(&p, 4, a->has_gps[prn - 1] ? CONFIG_IIRM : 0);
    p.at += 2;
    for (unsigned prn = 25; prn <= 32; prn++)
        put(&p, 6, health_of(a, prn));
}

static unsigned prn_of_page(unsigned id, unsigned page)
{
    static const uint8_t of_4[26] = {[2] = 25, [3] = 26, [4] = 27, [5] = 28, [7] = 29, [8] = 30,
            [9] = 31, [10] = 32};
    return id == 5 ? (page <= 24 ? page : 0) : of_4[page];
}

bool gn_sim_lnav_almanac(const struct gn_sim_almanac *a, unsigned id, unsigned page,
        uint8_t data[GN_LNAV_DATA_BYTES])
{
    if (page < 1 || page > 25 || id < 4)
        return false;
    if (page == 25) {
        if (id == 5)
            put_page51(a, data);
        else
            put_page63(a, data);
        return true;
    }
    unsigned prn = prn_of_page(id, page);
    if (prn == 0 || !a->has_gps[prn - 1])
        return false;
    put_gps(a, prn, data);
    return true;
}

/* ---- Galileo ------------------------------------------------------------------------------------
 */

struct row {
    struct elements e;
    unsigned svid, health; /* svid 0: nobody */
};

static struct row row_of(const struct gn_sim_almanac *a, unsigned i_triple, unsigned k)
{
    unsigned i = 3 * i_triple + k;
    double t0a_s = 600 * floor(a->toa_s / 600);
    if (i >= GN_SIM_ALMANAC_SATS || !a->has_galileo[i])
        return (struct row){.svid = 0};
    return (struct row){carry(&a->galileo[i], a->week, t0a_s), i + 1, a->galileo[i].health >> 1};
}

static void put_shape(struct pen *p, const struct row *r)
{
    put(p, 6, r->svid);
    put(p, 13, r->svid == 0 ? 0 : code(r->e.sqrt_a - GAL_SQRT_A, 0x1p-9, 13, false));
    put(p, 11, (uint64_t)nearbyint(r->e.e * 0x1p16));
    put(p, 16, code(r->e.omega_sc, 0x1p-15, 16, true));
    put(p, 11, r->svid == 0 ? 0 : code(r->e.i_sc - GAL_I_SC, 0x1p-14, 11, false));
}

static void put_node(struct pen *p, const struct row *r)
{
    put(p, 16, code(r->e.node_sc, 0x1p-15, 16, true));
    put(p, 11, code(r->e.node_rate_sc, 0x1p-33, 11, false));
}

static void put_clock(struct pen *p, const struct row *r)
{
    put(p, 16, code(r->e.af0_s, 0x1p-19, 16, false));
    put(p, 13, code(r->e.af1, 0x1p-38, 13, false));
    put(p, 2, r->health);
    put(p, 2, r->health);
}

void gn_sim_inav_almanac(const struct gn_sim_almanac *a, unsigned type, unsigned i_triple,
        uint8_t word[GN_INAV_WORD_BYTES])
{
    struct row r[3];
    struct pen p = {word, WORD_BITS, 0};
    for (unsigned k = 0; k < 3; k++)
        r[k] = row_of(a, i_triple, k);
    put(&p, 6, type);
    put(&p, 4, IODA);
    if (type == 7 || type == 9) {
        put(&p, 2, (uint64_t)(a->week - GN_GST_WEEK_0));
        put(&p, 10, (uint64_t)(a->toa_s / 600));
    }
    if (type == 7) {
        put_shape(&p, &r[0]);
        put_node(&p, &r[0]);
        put(&p, 16, code(r[0].e.m_sc, 0x1p-15, 16, true));
    } else if (type == 8) {
        put_clock(&p, &r[0]);
        put_shape(&p, &r[1]);
        put_node(&p, &r[1]);
    } else if (type == 9) {
        put(&p, 16, code(r[1].e.m_sc, 0x1p-15, 16, true));
        put_clock(&p, &r[1]);
        put_shape(&p, &r[2]);
    } else {
        put_node(&p, &r[2]);
        put(&p, 16, code(r[2].e.m_sc, 0x1p-15, 16, true));
        put_clock(&p, &r[2]);
    }
}
