/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Satellite states. A second opinion is RTKLIB's eph2pos, asked at run time where the library is
 * installed; the velocity is checked against differences of the position. */
#include "tests/support/gn_test.h"
#include "gnomon/status.h"
#include "lib/gnss/signal.h"
#include "lib/nav/orbit.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>
#include <time.h>

/* One GPS set of 2012-01-27 (IGS broadcast file, PRN 2 style) and a nominal Galileo set. */
static struct gn_ephemeris sample(int signal)
{
    struct gn_ephemeris e = {.signal = (uint8_t)signal, .prn = 2, .week = 1672, .week_toc = 1672,
            .toe_s = 460800, .toc_s = 460800, .sqrt_a = 5153.75, .e = 0.01057, .i0_rad = 0.9402,
            .idot_rps = 1.6e-10, .omega0_rad = -1.234, .omegadot_rps = -8.2e-9,
            .omega_rad = -2.913, .m0_rad = 1.7, .delta_n_rps = 4.9e-9, .cuc_rad = -3.1e-6,
            .cus_rad = 7.7e-6, .crc_m = 230.5, .crs_m = -61.2, .cic_rad = 1.7e-7,
            .cis_rad = -9.1e-8, .af0_s = 3.1e-4, .af1 = 2.3e-12, .tgd_s = -1.7e-8};
    if (signal == GN_SIG_GAL_E1) {
        e.sqrt_a = 5440.6;
        e.e = 0.00023;
        e.omegadot_rps = -5.6e-9;
        e.i0_rad = 0.97;
        e.af0_s = -4.4e-4;
        e.af1 = -7.1e-12;
        e.af2 = 1e-19;
    }
    return e;
}

/* ---- RTKLIB 2.4.3 b34, as Debian 12 ships it: layout of its ephemeris record --------------------- */
struct rtk_time {
    time_t time;
    double sec;
};
struct rtk_eph {
    int sat, iode, iodc, sva, svh, week, code, flag;
    struct rtk_time toe, toc, ttr;
    double a, e, i0, omg0, omg, m0, deln, omgd, idot;
    double crc, crs, cuc, cus, cic, cis, toes, fit, f0, f1, f2, tgd[6], adot, ndot, spare[8];
};
struct rtk {
    void (*eph2pos)(struct rtk_time, const struct rtk_eph *, double *, double *, double *);
    struct rtk_time (*gpst2time)(int, double);
    int (*satno)(int, int);
};

static int open_rtk(struct rtk *r)
{
    void *lib = dlopen("libRTKLib.so.1.0.0", RTLD_LAZY); /* it leaves showmsg() to its user */
    if (lib == NULL)
        return 0;
    void *f[3] = {dlsym(lib, "eph2pos"), dlsym(lib, "gpst2time"), dlsym(lib, "satno")};
    memcpy(&r->eph2pos, &f[0], sizeof f[0]); /* ISO C has no cast from void * to a function */
    memcpy(&r->gpst2time, &f[1], sizeof f[1]);
    memcpy(&r->satno, &f[2], sizeof f[2]);
    return r->eph2pos != NULL && r->gpst2time != NULL && r->satno != NULL;
}

static struct rtk_eph rtk_from(const struct rtk *r, const struct gn_ephemeris *e)
{
    int sys = e->signal == GN_SIG_GAL_E1 ? 8 : 1;
    struct rtk_eph x = {.sat = r->satno(sys, e->prn), .week = e->week, .a = e->sqrt_a * e->sqrt_a,
            .e = e->e, .i0 = e->i0_rad, .omg0 = e->omega0_rad, .omg = e->omega_rad,
            .m0 = e->m0_rad, .deln = e->delta_n_rps, .omgd = e->omegadot_rps,
            .idot = e->idot_rps, .crc = e->crc_m, .crs = e->crs_m, .cuc = e->cuc_rad,
            .cus = e->cus_rad, .cic = e->cic_rad, .cis = e->cis_rad, .toes = e->toe_s,
            .f0 = e->af0_s, .f1 = e->af1, .f2 = e->af2};
    x.toe = r->gpst2time(e->week, e->toe_s);
    x.toc = r->gpst2time(e->week_toc, e->toc_s);
    return x;
}

static void test_rtklib_agrees(void **unused)
{
    (void)unused;
    struct rtk rtk = {0};
    if (!open_rtk(&rtk)) {
        print_message("not run: libRTKLib is not installed\n");
        return;
    }
    for (int signal = GN_SIG_GPS_L1CA; signal <= GN_SIG_GAL_E1; signal++)
        for (int edge = 0; edge < 2; edge++)
            for (double age = -7200; age <= 7200; age += 900) {
                struct gn_ephemeris e = sample(signal);
                if (edge)
                    e.toe_s = e.toc_s = 0; /* the week begins inside the interval */
                struct gn_sat_state s;
                double rs[6] = {0}, dts[2] = {0}, var = 0;
                struct rtk_eph x = rtk_from(&rtk, &e);
                gn_orbit_at(&e, e.week, e.toe_s + age, &s);
                rtk.eph2pos(rtk.gpst2time(e.week, e.toe_s + age), &x, rs, dts, &var);
                for (int i = 0; i < 3; i++)
                    GN_NEAR("position", s.pos_ecef_m[i], rs[i], 1e-3);
                GN_NEAR("clock", s.clock_s, dts[0], 1e-13);
            }
}

static void test_velocity_is_the_derivative(void **unused)
{
    (void)unused;
    for (int signal = GN_SIG_GPS_L1CA; signal <= GN_SIG_GAL_E1; signal++)
        for (double age = -7200; age <= 7200; age += 400) {
            struct gn_ephemeris e = sample(signal);
            struct gn_sat_state s, a, b;
            double h = 0.125; /* exact in tow */
            gn_orbit_at(&e, e.week, e.toe_s + age, &s);
            gn_orbit_at(&e, e.week, e.toe_s + age - h, &a);
            gn_orbit_at(&e, e.week, e.toe_s + age + h, &b);
            for (int i = 0; i < 3; i++)
                GN_NEAR("velocity", s.vel_ecef_mps[i],
                        (b.pos_ecef_m[i] - a.pos_ecef_m[i]) / (2 * h), 1e-6);
            GN_NEAR("drift", s.clock_drift, (b.clock_s - a.clock_s) / (2 * h), 1e-16);
        }
}

/* the same instant named three ways over Sunday midnight gives the same place */
static void test_week_edge(void **unused)
{
    (void)unused;
    struct gn_ephemeris e = sample(GN_SIG_GPS_L1CA);
    e.toe_s = 603000;
    e.toc_s = 603000;
    struct gn_sat_state a, b, c;
    gn_orbit_at(&e, e.week, 604800 + 30, &a);
    gn_orbit_at(&e, e.week + 1, 30, &b);
    gn_orbit_at(&e, -1, 30, &c);
    for (int i = 0; i < 3; i++) {
        GN_NEAR("named by week", a.pos_ecef_m[i], b.pos_ecef_m[i], 1e-6);
        GN_NEAR("week unknown", a.pos_ecef_m[i], c.pos_ecef_m[i], 1e-6);
    }
    GN_NEAR("age", gn_orbit_age_s(&e, e.week + 1, 30), 1830, 0);
    GN_NEAR("age", gn_orbit_age_s(&e, -1, 30), 1830, 0);
}

/* heard = state at transmission, turned; range closes on the light time */
static void test_heard(void **unused)
{
    (void)unused;
    struct gn_ephemeris e = sample(GN_SIG_GAL_E1);
    double rx[3] = {4201792, 177945, 4780286};
    struct gn_sat_state s, direct;
    double range = gn_orbit_heard(&e, e.week, e.toe_s + 100, rx, &s);
    double tau = range / GN_C_MPS, dot = 0;
    gn_orbit_at(&e, e.week, e.toe_s + 100 - tau, &direct);
    /* first order in the Earth's turn: rho + omega/c (x_s y_r - y_s x_r) */
    for (int i = 0; i < 3; i++)
        dot += (direct.pos_ecef_m[i] - rx[i]) * (direct.pos_ecef_m[i] - rx[i]);
    double sagnac = GN_OMEGA_E_RPS / GN_C_MPS *
            (direct.pos_ecef_m[0] * rx[1] - direct.pos_ecef_m[1] * rx[0]);
    GN_NEAR("range", range, sqrt(dot) + sagnac, 1e-3);
}

static void test_accuracy_words(void **unused)
{
    (void)unused;
    struct gn_ephemeris e = sample(GN_SIG_GPS_L1CA);
    e.ura_sisa = 2;
    GN_NEAR("URA 2", gn_orbit_sigma_m(&e), 4.85, 0);
    e.ura_sisa = 15;
    GN_CHECK("URA 15", isinf(gn_orbit_sigma_m(&e)));
    e.signal = GN_SIG_GAL_E1;
    e.ura_sisa = 107;
    GN_NEAR("SISA 107", gn_orbit_sigma_m(&e), 3.12, 1e-12);
    e.ura_sisa = 255;
    GN_CHECK("SISA 255", isinf(gn_orbit_sigma_m(&e)));
    GN_NEAR("TGD is taken off", gn_orbit_clock_l1_s(&e, &(struct gn_sat_state){.clock_s = 1e-4}),
            1e-4 + 1.7e-8, 1e-18);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_rtklib_agrees),
            cmocka_unit_test(test_velocity_is_the_derivative),
            cmocka_unit_test(test_week_edge),
            cmocka_unit_test(test_heard),
            cmocka_unit_test(test_accuracy_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
