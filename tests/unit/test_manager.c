/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* track.manager on a clock of the test's own: every work call is one step of 50 ms. */
#include "tests/support/gn_test.h"

#include "tests/support/track_host.h"

/* fail() of cmocka hides a member of the host */
#pragma push_macro("fail")
#undef fail
#include "plugins/track/manager.c"
#include "plugins/track/schedule.c"
#pragma pop_macro("fail")

#define RATE_SPS 4e6
#define STEP     200000u

struct rig {
    struct fake fake;
    struct fake_group group;
    struct manager m;
    uint64_t now;
    struct gn_msg_acq_request requests[64];
    double request_s[64];
    struct gn_msg_track_assign assigns[64];
    uint32_t n_requests, n_assigns;
};

static void sink(
        void *arg, struct fake *fake, uint32_t port, const void *msg, uint64_t index, uint64_t at)
{
    struct rig *r = arg;
    (void)fake;
    (void)index;
    if (port == PORT_REQUESTS && r->n_requests < 64) {
        r->request_s[r->n_requests] = (double)at / RATE_SPS;
        r->requests[r->n_requests++] = *(const struct gn_msg_acq_request *)msg;
    }
    if (port == PORT_ASSIGN && r->n_assigns < 64)
        r->assigns[r->n_assigns++] = *(const struct gn_msg_track_assign *)msg;
}

static struct rig *rig_new(int64_t channels)
{
    struct rig *r = calloc(1, sizeof *r);
    r->group.anchor.rate_sps = RATE_SPS;
    r->fake = (struct fake){
            .block = &gn_track_manager, .group = &r->group, .sink = sink, .sink_arg = r};
    r->fake.host = (struct gn_host){.size = sizeof r->fake.host,
            .anchor = &r->group.anchor,
            .fail = fake_fail,
            .log = fake_log,
            .msg_new = fake_msg_new,
            .msg_send = fake_msg_send};
    r->m.signals = 3;
    r->m.channels = channels;
    assert_int_equal(start(&r->m, &r->fake.host), GN_OK);
    return r;
}

static void step(struct rig *r, const struct gn_msg *msgs, uint32_t n_msgs)
{
    for (uint32_t left = STEP; left > 0;) {
        struct gn_in in = {.index = r->now, .n_items = left};
        struct gn_work w = {.in = &in, .n_in = 1, .now = r->now, .msgs = msgs, .n_msgs = n_msgs};
        assert_int_equal(work(&r->m, &r->fake.host, &w), GN_OK);
        assert_in_range(in.n_used, 1, left);
        left -= in.n_used;
        r->now += in.n_used;
        n_msgs = 0;
    }
}

static void run_to(struct rig *r, double seconds)
{
    while ((double)r->now < seconds * RATE_SPS)
        step(r, NULL, 0);
}

static void hit(struct rig *r, uint8_t signal, uint8_t prn, double cn0_dbhz, double doppler_hz)
{
    struct gn_msg_acq_hit h = {.signal = signal,
            .prn = prn,
            .cn0_dbhz = cn0_dbhz,
            .doppler_hz = doppler_hz,
            .code_phase_chips = 100.25};
    struct gn_msg m = {.data = &h,
            .port = PORT_HITS,
            .index = r->now - (uint64_t)(0.44 * RATE_SPS),
            .at = r->now};
    step(r, &m, 1);
}

static void state(struct rig *r, uint8_t signal, uint8_t prn, uint8_t channel, uint8_t what,
        double doppler_hz)
{
    struct gn_msg_track_state s = {.signal = signal,
            .prn = prn,
            .channel = channel,
            .state = what,
            .doppler_hz = doppler_hz,
            .cn0_dbhz = 40};
    struct gn_msg m = {.data = &s, .port = PORT_STATE, .index = r->now, .at = r->now};
    step(r, &m, 1);
}

/* The whole sky at tick 0, offset unknown; deeper and rarer while nothing is found, never two at
 * once. */
static void test_empty_sky(void **unused)
{
    struct rig *r = rig_new(8);
    uint32_t deepest = 0;

    (void)unused;
    run_to(r, 60);
    assert_true(r->n_requests >= 6 && r->n_requests < 30);
    GN_NEAR("first", r->request_s[0], 0, 0);
    assert_int_equal(r->requests[0].prn_mask[GN_SIG_GPS_L1CA], 0xffffffff);
    assert_true(r->requests[0].prn_mask[GN_SIG_GAL_E1] == 0xfffffffffu);
    assert_int_equal(r->requests[0].prn_mask[GN_SIG_SBAS_L1], 0);
    assert_int_equal(r->requests[0].effort, 0);
    assert_true(isnan(r->requests[0].doppler_center_hz));
    for (uint32_t i = 1; i < r->n_requests; i++) {
        assert_true(r->request_s[i] > r->request_s[i - 1] + 0.5);
        deepest = r->requests[i].effort > deepest ? r->requests[i].effort : deepest;
    }
    assert_int_equal(deepest, 3);
    free(r);
}

/* One satellite, one channel, the lowest free one; with seats short the strongest of a search sit.
 */
static void test_seats(void **unused)
{
    struct rig *r = rig_new(2);
    struct gn_msg_acq_hit h[3] = {{.signal = 1, .prn = 5, .cn0_dbhz = 38},
            {.signal = 2, .prn = 9, .cn0_dbhz = 44}, {.signal = 1, .prn = 7, .cn0_dbhz = 41}};
    struct gn_msg m[3];

    (void)unused;
    run_to(r, 0.45);
    for (int i = 0; i < 3; i++)
        m[i] = (struct gn_msg){.data = &h[i], .port = PORT_HITS, .at = r->now};
    step(r, m, 3);
    assert_int_equal(r->n_assigns, 2);
    assert_int_equal(r->assigns[0].prn, 9);
    assert_int_equal(r->assigns[0].channel, 0);
    assert_int_equal(r->assigns[1].prn, 7);
    assert_int_equal(r->assigns[1].channel, 1);
    hit(r, 2, 9, 50, 0);  /* again, however strong */
    hit(r, 1, 40, 50, 0); /* no such satellite */
    assert_int_equal(r->n_assigns, 2);
    state(r, 2, 9, 0, GN_TRACK_LOST, 0);
    hit(r, 1, 5, 38, 0);
    assert_int_equal(r->n_assigns, 3);
    assert_int_equal(r->assigns[2].channel, 0);
    free(r);
}

/* The code at the tick of the assignment: 0.46 s after the window, of a code 20 ppm fast, 9.4 chips
 * earlier than a nominal one. */
static void test_carried_code(void **unused)
{
    struct rig *r = rig_new(4);

    (void)unused;
    run_to(r, 0.5);
    uint64_t window = r->now - (uint64_t)(0.44 * RATE_SPS);
    hit(r, 1, 3, 45, 31508.4);
    double since_s = (double)(r->assigns[0].hit_index - window) / RATE_SPS;
    GN_NEAR("tick", since_s, 0.46, 1e-9);
    double chips = (since_s * 1.023e6 - 100.25) *
                   (1 + 31508.4 / 1575.42e6); /* past since the code started */
    GN_NEAR("code", r->assigns[0].code_phase_chips, (1023 - fmod(chips, 1023)) / 1.00002, 1e-3);
    free(r);
}

/* Tracked, then lost: looked for at once, narrow, around where it was. Never tracked: left alone
 * for a while. */
static void test_lost(void **unused)
{
    struct rig *r = rig_new(4);
    bool is_narrow = false;

    (void)unused;
    run_to(r, 0.5);
    hit(r, 1, 3, 45, 1500);
    state(r, 1, 3, 0, GN_TRACK_TRACKING, 1502);
    run_to(r, 20);
    state(r, 1, 3, 0, GN_TRACK_LOST, 1490);
    uint32_t before = r->n_requests;
    run_to(r, 23);
    for (uint32_t i = before; i < r->n_requests; i++)
        if (r->requests[i].prn_mask[1] == 4 && r->requests[i].prn_mask[2] == 0) {
            GN_NEAR("center", r->requests[i].doppler_center_hz, 1502, 1);
            GN_NEAR("half", r->requests[i].doppler_half_hz, 500, 1);
            is_narrow = true;
        }
    assert_true(is_narrow);

    struct rig *f = rig_new(4);
    run_to(f, 0.5);
    hit(f, 1, 3, 30, 0);
    state(f, 1, 3, 0, GN_TRACK_LOST, 0);
    run_to(f, 1.5);
    for (uint32_t i = 1; i < f->n_requests; i++)
        assert_int_equal(f->requests[i].prn_mask[1] & 4, 0);
    free(r);
    free(f);
}

/* With enough satellites searches are cheap and rare. */
static void test_full_sky(void **unused)
{
    struct rig *r = rig_new(24);

    (void)unused;
    run_to(r, 0.2);
    for (uint8_t i = 1; i <= 8; i++) {
        hit(r, 1, i, 45, 100.0 * i);
        hit(r, 2, i, 42, 100.0 * i);
    }
    for (uint8_t i = 0; i < 16; i++)
        state(r, i % 2 == 0 ? 1 : 2, (uint8_t)(i / 2 + 1), i, GN_TRACK_TRACKING, 100.0 * i);
    uint32_t before = r->n_requests;
    run_to(r, 100);
    assert_in_range(r->n_requests - before, 1, 5);
    for (uint32_t i = before; i < r->n_requests; i++) {
        assert_int_equal(r->requests[i].effort, 0);
        assert_int_equal(r->requests[i].prn_mask[1], 0xffffff00);
    }
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_empty_sky),
            cmocka_unit_test(test_seats),
            cmocka_unit_test(test_carried_code),
            cmocka_unit_test(test_lost),
            cmocka_unit_test(test_full_sky),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
