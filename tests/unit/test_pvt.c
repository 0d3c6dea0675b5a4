/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The positioning engine on skies with known truth. */
#include "tests/support/gn_test.h"

#include "tests/support/gn_scene.h"

/* statistics of a run from settle_s on */
struct tally {
    int n_fix, n_obs, n_authentic, n_suspected;
    double first_s, worst_m, worst_mps, worst_drift, worst_pr_ms, best_pr_ms;
    double sum_h2, sum_v2;
    uint32_t least_used, most_excluded;
    int32_t last_week;
    double last_tow_s;
    int trust_last;
    double worst_bias_s;
};

static const double paris[3] = {4201792.3, 177945.2, 4780286.4};

static struct gn_engine *new_engine(enum gn_dynamics dynamics)
{
    struct gn_engine *g = malloc(sizeof *g);
    struct gn_engine_config c = {.rate_sps = SCENE_RATE, .epochs_per_s = 1, .dynamics = dynamics,
            .mask_rad = 5 * SCENE_DEG};
    assert_non_null(g);
    gn_engine_init(g, &c);
    return g;
}

static void note(struct tally *t, const struct scene *s, const struct gn_msg_pvt_fix *f, double settle_s)
{
    double t_s = f->tow_s - s->tow0_s + (double)(f->week - s->week) * GN_WEEK_S;
    double pos[3], vel[3], d2 = 0, v2 = 0, enu[3] = {0}, r[3][3];
    scene_truth(s, t_s, pos, vel);
    struct gn_geo geo = gn_geo_from_ecef(pos);
    gn_enu_rotation(&geo, r);
    if (t->n_fix == 0)
        t->first_s = t_s;
    t->n_fix++;
    t->last_week = f->week;
    t->last_tow_s = f->tow_s;
    t->trust_last = f->trust;
    t->n_suspected += f->trust == GN_TRUST_SPOOFING_SUSPECTED;
    if (t_s < t->first_s + settle_s)
        return;
    for (int k = 0; k < 3; k++) {
        d2 += (f->ecef_m[k] - pos[k]) * (f->ecef_m[k] - pos[k]);
        v2 += (f->vel_ecef_mps[k] - vel[k]) * (f->vel_ecef_mps[k] - vel[k]);
        for (int j = 0; j < 3; j++)
            enu[j] += r[j][k] * (f->ecef_m[k] - pos[k]);
    }
    t->sum_h2 += enu[0] * enu[0] + enu[1] * enu[1];
    t->sum_v2 += enu[2] * enu[2];
    t->worst_m = fmax(t->worst_m, sqrt(d2));
    t->worst_mps = fmax(t->worst_mps, sqrt(v2));
    t->worst_drift = fmax(t->worst_drift, fabs(f->clock_drift - s->drift - s->drift_rate * t_s));
    if (f->n_used < t->least_used)
        t->least_used = f->n_used;
    if (f->raim_excluded > t->most_excluded)
        t->most_excluded = f->raim_excluded;
}

static void note_obs(struct tally *t, const struct gn_msg_obs *o)
{
    t->n_obs++;
    for (uint32_t i = 0; i < o->n_sats; i++) {
        double ms = o->sats[i].pseudorange_m / GN_C_MPS * 1e3;
        t->worst_pr_ms = fmax(t->worst_pr_ms, ms);
        t->best_pr_ms = t->best_pr_ms == 0 ? ms : fmin(t->best_pr_ms, ms);
    }
}

/* from when on a system is heard, and its ephemerides known */
struct arrival {
    double time_s[GN_SIG_COUNT], eph_s[GN_SIG_COUNT];
};

static void arrive(struct gn_engine *g, const struct scene *s, const struct arrival *a, int k)
{
    for (int i = 0; i < s->n; i++) {
        struct gn_msg_nav_time nt = scene_nav_time(s, i);
        if (k == (int)(10 * a->time_s[s->eph[i].signal]))
            gn_observe_time(&g->observe, &nt);
        if (k == (int)(10 * a->eph_s[s->eph[i].signal]))
            gn_shelf_put(&g->shelf, &s->eph[i]);
    }
}

static struct tally run_as(struct gn_engine *g, struct scene *s, double seconds, double settle_s,
        const struct arrival *a)
{
    struct tally t = {.least_used = 99};
    for (int k = 0; k < seconds * 10; k++) {
        uint64_t tick = (uint64_t)(k * SCENE_RATE / 10);
        arrive(g, s, a, k);
        for (int i = 0; i < s->n; i++) {
            struct gn_msg_track_obs o;
            scene_obs(s, i, tick, &o);
            gn_observe_obs(&g->observe, tick, &o);
        }
        struct gn_engine_out out;
        while (gn_engine_step(g, false, &out)) {
            struct gn_msg_obs o;
            struct gn_msg_pvt_fix f;
            gn_engine_obs(g, &o);
            note_obs(&t, &o);
            if (out.has_all) {
                memset(&f, 0, sizeof f);
                gn_engine_fix(g, GN_SOLUTION_ALL, &f);
                note(&t, s, &f, settle_s);
            }
            t.n_authentic += out.has_authentic;
            gn_engine_done(g);
        }
    }
    return t;
}

static struct tally run(struct gn_engine *g, struct scene *s, double seconds, double settle_s)
{
    return run_as(g, s, seconds, settle_s, &(struct arrival){.time_s = {0}});
}

static struct scene static_scene(void)
{
    struct scene s = {.week = 2275, .tow0_s = 277200.1, .noise_m = 1, .noise_mps = 0.1, .seed = 1};
    memcpy(s.start, paris, sizeof paris);
    scene_sky(&s, 8, 8);
    return s;
}

static void test_static(void **unused)
{
    (void)unused;
    struct gn_engine *g = new_engine(GN_DYNAMICS_STATIC);
    struct scene s = static_scene();
    s.isb_m = 12;
    assert_int_equal(s.n, 16);
    struct tally t = run(g, &s, 60, 10);
    GN_CHECK("a fix a second from the first", t.n_fix == 59 && t.n_obs == 59);
    GN_NEAR("round seconds", t.last_tow_s, 277259, 1e-9);
    GN_CHECK("all used", t.least_used == 16 && t.most_excluded == 0);
    GN_NEAR("worst error", t.worst_m, 0, 1.5);
    GN_NEAR("velocity", t.worst_mps, 0, 0.1);
    GN_CHECK("pseudoranges", t.best_pr_ms > 60 && t.worst_pr_ms < 100);
    GN_NEAR("inter-system offset", g->all.filter.x[8], 12, 1.5);
    GN_CHECK("never suspected", t.n_suspected == 0);
    free(g);
}

/* R09: the common error of carrier and sampling does not move the place */
static void test_clock_20ppm(void **unused)
{
    (void)unused;
    const double ppm[] = {20, -20, 50};
    for (size_t i = 0; i < GN_COUNT(ppm); i++) {
        struct gn_engine *g = new_engine(GN_DYNAMICS_STATIC);
        struct scene s = static_scene();
        s.drift = ppm[i] * 1e-6;
        struct tally t = run(g, &s, 40, 10);
        GN_CHECK("fixes", t.n_fix >= 38);
        GN_NEAR("drift", t.worst_drift, 0, 1e-9);
        GN_NEAR("place", t.worst_m, 0, 1.5);
        free(g);
    }
}

/* R16: Sunday midnight passes without a gap, the week counts once */
static void test_week_edge(void **unused)
{
    (void)unused;
    struct gn_engine *g = new_engine(GN_DYNAMICS_STATIC);
    struct scene s = static_scene();
    s.tow0_s = 604770.1;
    scene_sky(&s, 8, 8);
    struct tally t = run(g, &s, 90, 10);
    GN_CHECK("no epoch missing", t.n_fix == 89);
    GN_CHECK("no satellite lost", t.least_used == 16);
    assert_int_equal(t.last_week, 2276);
    GN_NEAR("time of week", t.last_tow_s, 59, 1e-9);
    GN_NEAR("place", t.worst_m, 0, 1.5);
    free(g);
}

/* Two generators summed: Galileo 100 ms away from GPS, in whatever order the two come. */
static void test_systems_apart(void **unused)
{
    (void)unused;
    static const struct arrival rows[] = {
            {{0, 0, 0}, {0, 0, 0}},      /* together */
            {{0, 0, 5}, {0, 0, 12}},     /* GPS first */
            {{0, 5, 0}, {0, 12, 0}},     /* Galileo first, GPS unheard at the first fix */
            {{0, 0, 0}, {0, 15, 0}},     /* Galileo first, GPS heard but without orbits */
    };
    const double ahead_s[] = {0.1, -0.0031, 0, 3};
    for (size_t i = 0; i < GN_COUNT(rows); i++)
        for (size_t k = 0; k < GN_COUNT(ahead_s); k++) {
            char name[40];
            struct gn_engine *g = new_engine(GN_DYNAMICS_STATIC);
            struct scene s = static_scene();
            s.galileo_ahead_s = ahead_s[k];
            struct tally t = run_as(g, &s, 45, 25, &rows[i]);
            struct gn_msg_pvt_fix f = {0};
            gn_engine_fix(g, GN_SOLUTION_ALL, &f);
            (void)snprintf(name, sizeof name, "row %zu, %g s", i, ahead_s[k]);
            GN_CHECK(name, t.n_fix > 29 && t.least_used == 16 && t.n_suspected == 0);
            GN_NEAR(name, t.worst_m, 0, 1.5);
            GN_NEAR(name, f.tow_s, s.tow0_s + 43.9, 1e-6);
            GN_NEAR(name, f.ggto_m, -GN_C_MPS * ahead_s[k], 3);
            GN_CHECK(name, t.best_pr_ms > 60 && t.worst_pr_ms < (ahead_s[k] >= 0.1 && i < 2 ? 90 : 100));
            free(g);
        }
}

static double ramp(const struct scene *s, int i, double t_s)
{
    (void)s;
    return i == 3 && t_s > 20 ? 60 + 3 * (t_s - 20) : 0;
}

static double two_faults(const struct scene *s, int i, double t_s)
{
    (void)s;
    (void)t_s;
    return i == 3 ? 300 : i == 12 ? -150000 : 0;
}

static void test_raim(void **unused)
{
    (void)unused;
    struct gn_engine *g = new_engine(GN_DYNAMICS_STATIC);
    struct scene s = static_scene();
    s.fault_m = ramp;
    struct tally t = run(g, &s, 50, 5);
    GN_CHECK("one excluded", t.most_excluded == 1 && t.least_used == 15);
    GN_NEAR("place", t.worst_m, 0, 2);
    struct gn_msg_fix_state st = {0};
    gn_engine_state(g, GN_SOLUTION_ALL, &st);
    GN_CHECK("reported", st.reject_mask[GN_SIG_GPS_L1CA] ==
                    (uint64_t)1 << (s.eph[3].prn - 1) && st.reject_mask[GN_SIG_GAL_E1] == 0);
    free(g);
    g = new_engine(GN_DYNAMICS_STATIC);
    s.fault_m = two_faults; /* from the very first epoch */
    t = run(g, &s, 30, 5);
    GN_CHECK("two excluded", t.n_fix >= 28 && t.least_used == 14);
    GN_NEAR("place", t.worst_m, 0, 2);
    free(g);
}

/* turns and brakes at 3 g, in the profile for standing still */
static void jerky(double t_s, double enu[3], double vel[3])
{
    double w = 0.15, r = 30 / (w * w);
    enu[0] = r * sin(w * t_s);
    enu[1] = r * (1 - cos(w * t_s));
    enu[2] = 0;
    vel[0] = r * w * cos(w * t_s);
    vel[1] = r * w * sin(w * t_s);
    vel[2] = 0;
}

static void test_motion(void **unused)
{
    (void)unused;
    for (int dynamics = GN_DYNAMICS_STATIC; dynamics <= GN_DYNAMICS_HIGH; dynamics++) {
        struct gn_engine *g = new_engine((enum gn_dynamics)dynamics);
        struct scene s = static_scene();
        s.motion = jerky;
        struct tally t = run(g, &s, 60, 10);
        GN_CHECK("no epoch missing", t.n_fix == 59);
        GN_NEAR("place", t.worst_m, 0, 8);
        GN_NEAR("velocity", t.worst_mps, 0, 6);
        free(g);
    }
}

/* no ceiling on height or speed: 7.5 km/s at 500 km */
static void test_orbit_receiver(void **unused)
{
    (void)unused;
    struct gn_engine *g = new_engine(GN_DYNAMICS_STATIC);
    struct scene s = static_scene();
    for (int k = 0; k < 3; k++)
        s.start[k] *= 1 + 500e3 / 6378e3;
    s.vel_enu[0] = 7500;
    scene_sky(&s, 8, 8);
    struct tally t = run(g, &s, 40, 10);
    GN_CHECK("fixes", t.n_fix == 39);
    GN_NEAR("place", t.worst_m, 0, 5);
    free(g);
}

/* the recorder slips by 80 us at 30 s, as one of the real recordings does */
static void test_clock_jump(void **unused)
{
    (void)unused;
    struct gn_engine *g = new_engine(GN_DYNAMICS_STATIC);
    struct scene s = static_scene();
    s.jump_at_s = 30.05;
    s.jump_s = 80.4e-6;
    struct tally t = run(g, &s, 60, 10);
    GN_CHECK("no epoch missing", t.n_fix >= 58);
    GN_NEAR("place", t.worst_m, 0, 2.5);
    GN_CHECK("said", t.n_suspected >= 25 && t.n_suspected <= 31);
    free(g);
}

static void test_too_few(void **unused)
{
    (void)unused;
    struct gn_engine *g = new_engine(GN_DYNAMICS_STATIC);
    struct scene s = static_scene();
    s.n = 3;
    struct tally t = run(g, &s, 10, 5);
    GN_CHECK("observations without a fix", t.n_fix == 0 && t.n_obs >= 8);
    GN_CHECK("pseudoranges from the first epoch", t.best_pr_ms > 60 && t.worst_pr_ms < 90);
    free(g);
}

static struct gn_msg_osnma_data verdict_of(const struct gn_ephemeris *e)
{
    struct gn_msg_osnma_data v = {.prn = e->prn, .adkd = 0, .authentic = 1, .time_trusted = 1, .bits = 40,
            .content_bits = 549};
    memcpy(v.content, e->ced, sizeof v.content);
    return v;
}

/* who says what, and what the fix is then called */
static void test_trust(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        int n_galileo, n_gps, authentic, trusted, forged_at, flip;
        int want, want_authentic;
    } rows[] = {
            {"nothing said", 8, 8, 0, 1, -1, 0, GN_TRUST_UNAUTHENTICATED, 0},
            {"partly", 8, 8, 1, 1, -1, 0, GN_TRUST_PARTLY, 1},
            {"all authentic", 8, 0, 1, 1, -1, 0, GN_TRUST_AUTHENTICATED, 1},
            {"no trusted time", 8, 0, 0, 0, -1, 0, GN_TRUST_TIME_UNVERIFIED, 0},
            {"authentic without trusted time is a lie", 8, 0, 1, 0, -1, 0, GN_TRUST_TIME_UNVERIFIED, 0},
            {"other content", 8, 0, 1, 1, -1, 1, GN_TRUST_UNAUTHENTICATED, 0},
            {"one forged", 8, 8, 1, 1, 9, 0, GN_TRUST_SPOOFING_SUSPECTED, 1},
    };
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        struct gn_engine *g = new_engine(GN_DYNAMICS_STATIC);
        struct scene s = static_scene();
        scene_sky(&s, rows[i].n_gps, rows[i].n_galileo);
        for (int k = 0; k < s.n && i > 0; k++) {
            struct gn_msg_osnma_data v = verdict_of(&s.eph[k]);
            if (s.eph[k].signal != GN_SIG_GAL_E1)
                continue;
            v.authentic = (uint8_t)rows[i].authentic;
            v.time_trusted = (uint8_t)rows[i].trusted;
            v.forged = k == rows[i].forged_at;
            v.content[40] ^= (uint8_t)rows[i].flip;
            gn_trust_take(&g->trust, &v);
        }
        struct tally t = run(g, &s, 8, 2);
        GN_CHECK(rows[i].name, t.n_fix >= 6);
        GN_CHECK(rows[i].name, t.trust_last == rows[i].want);
        GN_CHECK(rows[i].name, (t.n_authentic > 0) == rows[i].want_authentic);
        if (rows[i].forged_at >= 0)
            GN_CHECK("the forged one is not used", t.least_used == 15);
        free(g);
    }
}

/* every Galileo orbit is authentic, but the GPS signals are a spoofer's: 16 of 24 agree on another place */
static double pulled(const struct scene *s, int i, double t_s)
{
    if (s->eph[i].signal != GN_SIG_GPS_L1CA || t_s < 10)
        return 0;
    struct gn_sat_state st;
    double range = gn_orbit_heard(&s->eph[i], s->week, s->tow0_s + t_s, s->start, &st);
    double there[3] = {s->start[0] + 3 * (t_s - 10), s->start[1], s->start[2]};
    return gn_orbit_heard(&s->eph[i], s->week, s->tow0_s + t_s, there, &st) - range;
}

static void test_pulled_away(void **unused)
{
    (void)unused;
    struct gn_engine *g = new_engine(GN_DYNAMICS_STATIC);
    struct scene s = static_scene();
    s.fault_m = pulled;
    scene_sky(&s, 12, 5);
    for (int k = 0; k < s.n; k++)
        if (s.eph[k].signal == GN_SIG_GAL_E1) {
            struct gn_msg_osnma_data v = verdict_of(&s.eph[k]);
            gn_trust_take(&g->trust, &v);
        }
    struct tally t = run(g, &s, 60, 2);
    GN_CHECK("noticed, or not followed", t.n_suspected > 5 || t.worst_m < 10);
    free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_static),
            cmocka_unit_test(test_clock_20ppm),
            cmocka_unit_test(test_week_edge),
            cmocka_unit_test(test_systems_apart),
            cmocka_unit_test(test_raim),
            cmocka_unit_test(test_motion),
            cmocka_unit_test(test_orbit_receiver),
            cmocka_unit_test(test_clock_jump),
            cmocka_unit_test(test_too_few),
            cmocka_unit_test(test_trust),
            cmocka_unit_test(test_pulled_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
