/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The engine's own observations, written as RINEX 3, go through RTKLIB's rnx2rtkp: another program's position
 * from the same pseudoranges must be the true one, at the same round seconds. */
#include "tests/support/gn_test.h"

#include "tests/support/gn_scene.h"

#include <string.h>
#include <unistd.h>

#define N_EPOCHS_MAX 64

static const double paris[3] = {4201792.3, 177945.2, 4780286.4};

static void calendar(int32_t week, double tow_s, int *ymdhm, double *s)
{
    long days = week * 7L + (long)(tow_s / 86400)  + 3657; /* since 1970: 1980-01-06 is day 3657 */
    /* civil from days, proleptic Gregorian */
    long z = days + 719468, era = z / 146097, doe = z - era * 146097;
    long yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    long doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    ymdhm[2] = (int)(doy - (153 * mp + 2) / 5 + 1);
    ymdhm[1] = (int)(mp < 10 ? mp + 3 : mp - 9);
    ymdhm[0] = (int)(yoe + era * 400 + (ymdhm[1] <= 2));
    double day_s = fmod(tow_s, 86400);
    ymdhm[3] = (int)(day_s / 3600);
    ymdhm[4] = (int)(fmod(day_s, 3600) / 60);
    *s = fmod(day_s, 60);
}

static void nav_line(FILE *f, double a, double b, double c, double d)
{
    (void)fprintf(f, "    %19.12E%19.12E%19.12E%19.12E\n", a, b, c, d);
}

static void write_nav(const struct scene *s, const char *path)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    (void)fprintf(f, "%9.2f%11s%-20s%-20s%-20s\n%60s%-20s\n", 3.03, "", "N: GNSS NAV DATA", "M: MIXED",
            "RINEX VERSION / TYPE", "", "END OF HEADER");
    for (int i = 0; i < s->n; i++) {
        const struct gn_ephemeris *e = &s->eph[i];
        bool gal = e->signal == GN_SIG_GAL_E1;
        int t[5];
        double sec;
        calendar(e->week_toc, e->toc_s, t, &sec);
        (void)fprintf(f, "%c%02d %04d %02d %02d %02d %02d %02.0f%19.12E%19.12E%19.12E\n", gal ? 'E' : 'G',
                e->prn, t[0], t[1], t[2], t[3], t[4], sec, e->af0_s, e->af1, e->af2);
        nav_line(f, e->iode, e->crs_m, e->delta_n_rps, e->m0_rad);
        nav_line(f, e->cuc_rad, e->e, e->cus_rad, e->sqrt_a);
        nav_line(f, e->toe_s, e->cic_rad, e->omega0_rad, e->cis_rad);
        nav_line(f, e->i0_rad, e->crc_m, e->omega_rad, e->omegadot_rps);
        nav_line(f, e->idot_rps, gal ? 517 : 0, e->week, 0); /* 517: I/NAV E1-B, clock E5b,E1 */
        nav_line(f, gal ? 3.12 : 2.0, 0, e->tgd_s, gal ? e->tgd_s : e->iodc);
        nav_line(f, s->tow0_s, 4, 0, 0);
    }
    (void)fclose(f);
}

static void write_header(FILE *f)
{
    (void)fprintf(f, "%9.2f%11s%-20s%-20s%-20s\n", 3.03, "", "OBSERVATION DATA", "M: MIXED",
            "RINEX VERSION / TYPE");
    (void)fprintf(f, "%-60s%-20s\n", "G    4 C1C L1C D1C S1C", "SYS / # / OBS TYPES");
    (void)fprintf(f, "%-60s%-20s\n", "E    4 C1C L1C D1C S1C", "SYS / # / OBS TYPES");
    (void)fprintf(f, "%60s%-20s\n", "", "END OF HEADER");
}

static void write_epoch(FILE *f, const struct gn_msg_obs *o)
{
    int t[5];
    double sec;
    calendar(o->week, o->tow_s, t, &sec);
    (void)fprintf(f, "> %04d %02d %02d %02d %02d%11.7f  0%3u\n", t[0], t[1], t[2], t[3], t[4], sec, o->n_sats);
    for (uint32_t i = 0; i < o->n_sats; i++) {
        const struct gn_obs_sat *x = &o->sats[i];
        (void)fprintf(f, "%c%02d%14.3f  %14.3f  %14.3f  %14.3f  \n", x->signal == GN_SIG_GAL_E1 ? 'E' : 'G',
                x->prn, x->pseudorange_m, fmod(x->carrier_cycles, 1e9), x->doppler_hz, x->cn0_dbhz);
    }
}

static int observe(struct scene *s, const char *path, struct gn_msg_obs *first_fixed)
{
    struct gn_engine *g = malloc(sizeof *g);
    struct gn_engine_config c = {.rate_sps = SCENE_RATE, .epochs_per_s = 1, .mask_rad = 5 * SCENE_DEG};
    FILE *f = fopen(path, "w");
    int n = 0;
    assert_true(g != NULL && f != NULL);
    gn_engine_init(g, &c);
    write_header(f);
    for (int i = 0; i < s->n; i++) {
        struct gn_msg_nav_time nt = scene_nav_time(s, i);
        gn_observe_time(&g->observe, &nt);
        gn_shelf_put(&g->shelf, &s->eph[i]);
    }
    for (int k = 0; k < 250; k++) {
        uint64_t tick = (uint64_t)(k * SCENE_RATE / 10);
        for (int i = 0; i < s->n; i++) {
            struct gn_msg_track_obs o;
            scene_obs(s, i, tick, &o);
            gn_observe_obs(&g->observe, tick, &o);
        }
        struct gn_engine_out out;
        while (gn_engine_step(g, false, &out)) {
            struct gn_msg_obs o = {0};
            gn_engine_obs(g, &o);
            write_epoch(f, &o);
            if (n++ == 0)
                *first_fixed = o;
            gn_engine_done(g);
        }
    }
    (void)fclose(f);
    free(g);
    return n;
}

static int judge(const char *dir, const struct scene *s)
{
    char command[900], line[400];
    int n = 0;
    (void)snprintf(command, sizeof command,
            "cd %s && printf 'pos1-posmode=single\\npos1-frequency=l1\\npos1-ionoopt=off\\npos1-tropopt=off\\n"
            "pos1-navsys=9\\npos1-elmask=5\\nout-solformat=xyz\\nout-timesys=gpst\\nout-timeform=tow\\n"
            "out-outvel=on\\n' > c.conf && rnx2rtkp -k c.conf -o c.pos a.obs a.nav 2>/dev/null",
            dir);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): a fixed command in our own folder */
    (void)snprintf(command, sizeof command, "%s/c.pos", dir);
    FILE *f = fopen(command, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        double v[5];
        if (line[0] == '%' || sscanf(line, "%lf %lf %lf %lf %lf", &v[0], &v[1], &v[2], &v[3], &v[4]) != 5)
            continue;
        double pos[3], vel[3];
        scene_truth(s, v[1] - s->tow0_s + (v[0] - s->week) * GN_WEEK_S, pos, vel);
        GN_NEAR("week", v[0], s->week, 0);
        GN_NEAR("round second", v[1], round(v[1]), 1e-6);
        for (int k = 0; k < 3; k++)
            GN_NEAR("RTKLIB's position", v[2 + k], pos[k], 0.05);
        n++;
    }
    (void)fclose(f);
    return n;
}

static void run(double drift, const double vel_enu[3])
{
    struct scene s = {.week = 2275, .tow0_s = 277200.1, .seed = 1, .drift = drift};
    char dir[] = "/tmp/gn_peer_XXXXXX", path[64], command[80];
    struct gn_msg_obs first = {0};
    memcpy(s.start, paris, sizeof paris);
    memcpy(s.vel_enu, vel_enu, sizeof s.vel_enu);
    scene_sky(&s, 8, 8);
    assert_non_null(mkdtemp(dir));
    (void)snprintf(path, sizeof path, "%s/a.nav", dir);
    write_nav(&s, path);
    (void)snprintf(path, sizeof path, "%s/a.obs", dir);
    int n = observe(&s, path, &first);
    int n_judged = judge(dir, &s);
    GN_CHECK("every epoch is solved", n >= 24 && n_judged == n);
    (void)snprintf(command, sizeof command, "rm -r %s", dir);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
}

static void test_rtklib_positions(void **unused)
{
    (void)unused;
    if (access("/usr/bin/rnx2rtkp", X_OK) != 0) {
        print_message("not run: rnx2rtkp is not installed\n");
        return;
    }
    run(0, (const double[3]){0, 0, 0});
    run(20e-6, (const double[3]){30, -200, 5});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rtklib_positions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
