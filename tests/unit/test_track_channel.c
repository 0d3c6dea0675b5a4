/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* track.channel on signals whose truth is known: alignment, symbols, code, carrier, gaps, loss,
 * chunking. ctest: slow */
#include "lib/msg/track.h"
#include "tests/support/gn_test.h"
#include "tests/support/signal_gen.h"
#include "tests/support/track_host.h"

#define RATE_SPS  4e6
#define SYMBOLS   4000u
#define BLOCK     40000u
#define LOG_BYTES (1u << 20)

/* what a run is made of */
struct plan_of_run {
    const char *name;
    unsigned signal;
    double cn0_dbhz, later_cn0_dbhz, seconds, doppler_error_hz, code_error_chips;
    uint32_t chunk;
    double gap_at_s, gap_s;
    int is_one_bit, is_noise;
    const char *kernels;
    uint64_t seed;
};

/* and what came out */
struct outcome {
    struct gen g;
    uint32_t state, n_states, n_obs, n_flush;
    double tracking_s, lost_s;
    int64_t symbol0; /* true number of symbol 0 */
    int has_symbol0, is_torn;
    double code_m, code_m2, phase_turns2, doppler_hz2, n_settled, cn0_dbhz;
    float soft[SYMBOLS];
    uint8_t has[SYMBOLS];
    uint64_t n_symbols, digest;
};

static struct outcome out;

static void digest(const void *data, size_t n)
{
    const uint8_t *p = data;
    for (size_t i = 0; i < n; i++)
        out.digest = (out.digest ^ p[i]) * 1099511628211u;
}

static void on_obs(const struct gn_msg_track_obs *o, uint64_t index)
{
    double symbol_s = gn_signal_table[o->signal].symbol_s, t = (double)index / RATE_SPS;
    double late_s = gen_signal_time(&out.g, t) - ((double)o->symbol * symbol_s + o->symbol_phase_s);
    int64_t symbol0 = llround(late_s / symbol_s);

    out.is_torn |= out.has_symbol0 && symbol0 != out.symbol0;
    out.has_symbol0 = 1;
    out.symbol0 = symbol0;
    out.cn0_dbhz = o->cn0_dbhz;
    out.n_obs++;
    if (!(o->flags & GN_OBS_CODE_VALID) || o->lock_s < 1.5)
        return;
    double code = (late_s - (double)symbol0 * symbol_s) * GN_C_MPS;
    double half = 2 * (o->carrier_cycles + gen_turns(&out.g, t));
    double phase = (half - floor(half + 0.5)) / 2;
    double doppler = o->doppler_hz - out.g.doppler_hz - out.g.doppler_rate_hzps * t;
    out.code_m += code;
    out.code_m2 += code * code;
    out.phase_turns2 += phase * phase;
    out.doppler_hz2 += doppler * doppler;
    out.n_settled++;
}

static void sink(
        void *arg, struct fake *f, uint32_t port, const void *msg, uint64_t index, uint64_t at)
{
    (void)arg;
    digest(msg, f->block->ports[port].schema->size);
    digest(&index, sizeof index);
    digest(&at, sizeof at);
    if (port == 2) {
        const struct gn_msg_track_state *s = msg;
        out.state = s->state;
        out.n_states++;
        if (s->state == GN_TRACK_TRACKING)
            out.tracking_s = (double)at / RATE_SPS;
        if (s->state == GN_TRACK_LOST)
            out.lost_s = (double)at / RATE_SPS;
    } else if (port == 3) {
        const struct gn_msg_symbols *s = msg;
        for (uint32_t i = 0; i < s->n && s->first + i < SYMBOLS; i++) {
            out.soft[s->first + i] = s->soft[i];
            out.has[s->first + i] = 1;
            out.n_symbols++;
        }
        out.n_flush++;
    } else {
        on_obs(msg, index);
    }
}

static double uniform(uint64_t *seed)
{
    *seed = gen_hash(*seed);
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static struct gn_msg_track_assign assignment(const struct plan_of_run *p)
{
    uint64_t seed = p->seed;
    struct gen *g = &out.g;
    double n_chips = gn_signal_table[p->signal].code_chips;

    *g = (struct gen){.signal = p->signal,
            .rate_sps = RATE_SPS,
            .cn0_dbhz = p->cn0_dbhz,
            .seed = p->seed,
            .is_one_bit = p->is_one_bit};
    g->prn = gn_signal_table[p->signal].prn_min + (unsigned)(uniform(&seed) * 30);
    g->doppler_hz = uniform(&seed) * 8000 - 4000;
    g->doppler_rate_hzps = uniform(&seed) * 2 - 1;
    g->phase0 = uniform(&seed);
    g->s0_s = 1 + 2 * uniform(&seed);
    assert_int_equal(gen_init(g), 0);
    double left = n_chips - fmod(g->s0_s * 1.023e6, n_chips); /* chips until the next code start */
    return (struct gn_msg_track_assign){.signal = (uint8_t)p->signal,
            .prn = (uint8_t)g->prn,
            .doppler_hz = g->doppler_hz + p->doppler_error_hz,
            .code_phase_chips =
                    fmod(left / (1 + g->doppler_hz / GN_F_L1_HZ) + p->code_error_chips + n_chips,
                            n_chips)};
}

static const struct gn_block *block(void)
{
    static const struct gn_block *b;
    if (b == NULL)
        b = fake_load(GN_BINARY_DIR "/plugins/track.so", "track.channel");
    return b;
}

static void run(const struct plan_of_run *p)
{
    static int8_t iq[2 * (BLOCK + 2 * 65536)];
    memset(&out, 0, sizeof out);
    struct gn_msg_track_assign a = assignment(p);
    struct gn_msg msg = {.data = &a, .schema = &gn_schema_track_assign, .port = 1};
    struct fake_group group = {.anchor = {.rate_sps = RATE_SPS}, .kernels = p->kernels};
    struct fake *f = fake_new(block(), &group, 0, GN_FMT_CI8, sink, NULL);
    uint32_t have = 0, n_msgs = 1, chunk = p->chunk != 0 ? p->chunk : BLOCK, need = 0;
    uint64_t pos = 0, gap_at = (uint64_t)(p->gap_at_s * RATE_SPS),
             n = (uint64_t)(p->seconds * RATE_SPS);

    for (uint64_t made = 0; made < n; made += chunk) {
        if (gap_at != 0 && made >= gap_at) { /* what was not used before the gap is lost as well */
            uint64_t lost = (uint64_t)(p->gap_s * RATE_SPS);
            pos += have + lost;
            made += lost;
            have = 0;
            gap_at = 0;
        }
        if (p->later_cn0_dbhz != 0.0 && (double)made / RATE_SPS > 3)
            out.g.cn0_dbhz = p->later_cn0_dbhz;
        if (p->is_noise)
            out.g.cn0_dbhz = -100;
        gen_run(&out.g, made, chunk, iq + 2 * have);
        have += chunk;
        while (have >= need || need == 0) {
            uint32_t used = fake_work(f, iq, pos, have, 0, &msg, n_msgs, &need);
            n_msgs = 0;
            memmove(iq, iq + 2 * used, 2 * (size_t)(have - used));
            have -= used;
            pos += used;
            if (have == 0 || (used == 0 && need > have))
                break;
            assert_true(used > 0 || need > 0);
        }
        assert_true(have + chunk < BLOCK + 2 * 65536);
    }
    if (f->block->finish != NULL)
        (void)f->block->finish(f->state, &f->host);
    free(f->state);
    free(f);
    for (int i = 0; i < FAKE_SHARES; i++)
        free(group.share[i].memory);
}

/* Wrong symbols among those received; data's sign is open but on E1 */
static uint64_t symbol_errors(void)
{
    uint64_t wrong = 0, n = 0;
    for (uint64_t i = 0; i < SYMBOLS; i++)
        if (out.has[i]) {
            n++;
            wrong += (out.soft[i] > 0 ? 1 : -1) !=
                     gen_symbol(&out.g, (uint64_t)(out.symbol0 + (int64_t)i));
        }
    return out.g.signal != GN_SIG_GAL_E1 && wrong > n / 2 ? n - wrong : wrong;
}

static void check_tracked(const char *name, double code_rms_m)
{
    GN_CHECK(name, out.state == GN_TRACK_TRACKING && !out.is_torn && out.n_settled > 0);
    GN_CHECK(name, out.n_states == 4); /* each state once */
    GN_NEAR(name, sqrt(out.code_m2 / out.n_settled), 0, code_rms_m);
    GN_NEAR(name, sqrt(out.phase_turns2 / out.n_settled), 0, 0.03);
    GN_NEAR(name, sqrt(out.doppler_hz2 / out.n_settled), 0, 0.5);
    GN_NEAR(name, out.cn0_dbhz, out.g.cn0_dbhz - (out.g.is_one_bit ? 1.96 : 0), 1.2);
}

static void test_signals(void **state)
{
    (void)state;
    static const struct plan_of_run rows[] = {
            {"GPS 45", GN_SIG_GPS_L1CA, 45, .seconds = 4, .doppler_error_hz = 200,
                    .code_error_chips = 0.3, .seed = 1},
            {"GPS 36", GN_SIG_GPS_L1CA, 36, .seconds = 4, .doppler_error_hz = -150,
                    .code_error_chips = -0.2, .seed = 2},
            {"GPS 1 bit", GN_SIG_GPS_L1CA, 42, .seconds = 4, .doppler_error_hz = 90,
                    .is_one_bit = 1, .seed = 3},
            {"E1 45", GN_SIG_GAL_E1, 45, .seconds = 4, .doppler_error_hz = 55,
                    .code_error_chips = 0.2, .seed = 4},
            {"E1 37", GN_SIG_GAL_E1, 37, .seconds = 4, .doppler_error_hz = -40,
                    .code_error_chips = 0.1, .seed = 5},
            {"E1 side peak", GN_SIG_GAL_E1, 45, .seconds = 4, .code_error_chips = 0.5, .seed = 6},
            {"SBAS", GN_SIG_SBAS_L1, 43, .seconds = 4, .doppler_error_hz = 80, .seed = 7},
    };
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        run(&rows[i]);
        check_tracked(
                rows[i].name, rows[i].signal == GN_SIG_GPS_L1CA && rows[i].cn0_dbhz < 40 ? 6 : 3);
        uint64_t wrong = symbol_errors(), n = out.n_symbols;
        GN_CHECK(rows[i].name, wrong * 100 <= n && n > 0);
        /* from the first samples on: all of 4 s but the start and the last batch */
        GN_CHECK(rows[i].name, (double)n * gn_signal_table[rows[i].signal].symbol_s > 3.8);
        GN_CHECK(rows[i].name, out.has[0]);
    }
}

static void test_fade_is_survived(void **state)
{
    (void)state;
    static const struct plan_of_run rows[] = {
            {"GPS", GN_SIG_GPS_L1CA, 40, 28, .seconds = 8, .seed = 11},
            {"E1", GN_SIG_GAL_E1, 40, 28, .seconds = 8, .seed = 12},
    };
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        run(&rows[i]);
        GN_CHECK(rows[i].name, out.state == GN_TRACK_TRACKING && !out.is_torn);
        GN_NEAR(rows[i].name, out.cn0_dbhz, 28, 1.5);
        GN_NEAR(rows[i].name, sqrt(out.phase_turns2 / out.n_settled), 0, 0.05);
    }
}

static void test_a_gap_is_coasted_over(void **state)
{
    (void)state;
    static const struct plan_of_run rows[] = {
            {"GPS", GN_SIG_GPS_L1CA, 44, .seconds = 5, .gap_at_s = 3, .gap_s = 0.0537, .seed = 21},
            {"E1", GN_SIG_GAL_E1, 44, .seconds = 5, .gap_at_s = 3, .gap_s = 0.0537, .seed = 22},
            {"before alignment", GN_SIG_GPS_L1CA, 40, .seconds = 4, .gap_at_s = 0.2, .gap_s = 0.013,
                    .seed = 23},
    };
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        run(&rows[i]);
        GN_CHECK(rows[i].name, out.state == GN_TRACK_TRACKING && !out.is_torn && out.n_states == 4);
        GN_CHECK(rows[i].name, symbol_errors() * 50 <= out.n_symbols);
    }
}

static void test_loss_is_seen(void **state)
{
    (void)state;
    static const struct plan_of_run rows[] = {
            {"GPS", GN_SIG_GPS_L1CA, 42, -50, .seconds = 8, .seed = 31},
            {"E1", GN_SIG_GAL_E1, 42, -50, .seconds = 8, .seed = 32},
    };
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        run(&rows[i]);
        GN_CHECK(rows[i].name, out.state == GN_TRACK_LOST && out.lost_s > 3.5 && out.lost_s < 7.5);
    }
}

static void test_noise_is_not_tracked(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        run(&(struct plan_of_run){"noise", seed % 2 ? GN_SIG_GAL_E1 : GN_SIG_GPS_L1CA,
                .is_noise = 1, .seconds = 1.2, .seed = 400 + seed});
        GN_CHECK(
                "noise", out.state == GN_TRACK_LOST && out.tracking_s == 0.0 && out.n_symbols == 0);
    }
}

/* Same samples in other spans, other kernels: the same messages, bit by bit */
static void test_spans_and_kernels_change_nothing(void **state)
{
    (void)state;
    for (unsigned signal = GN_SIG_GPS_L1CA; signal <= GN_SIG_GAL_E1; signal++) {
        uint64_t want = 0;
        static const uint32_t chunks[] = {40000, 1000, 20000, 8000};
        for (size_t i = 0; i < GN_COUNT(chunks); i++) {
            run(&(struct plan_of_run){"spans", signal, 41, .seconds = 1.2, .doppler_error_hz = 30,
                    .chunk = chunks[i], .kernels = i == 3 ? "portable" : "auto", .seed = 50});
            if (i == 0)
                want = out.digest;
            GN_CHECK("spans", out.digest == want && out.n_symbols > 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_signals),
            cmocka_unit_test(test_fade_is_survived),
            cmocka_unit_test(test_a_gap_is_coasted_over),
            cmocka_unit_test(test_loss_is_seen),
            cmocka_unit_test(test_noise_is_not_tracked),
            cmocka_unit_test(test_spans_and_kernels_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
