/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Runs decode.nav on made-up channels and keeps what it says. */
#ifndef GN_TEST_NAV_RUN_H
#define GN_TEST_NAV_RUN_H

#include "lib/gnss/signal.h"
#include "lib/msg/nav.h"
#include "lib/msg/track.h"
#include "lib/nav/inav_words.h"
#include "lib/nav/lnav.h"
#include "tests/support/fake_host.h"

#include <math.h>

#define NAV_RUN_MAX 4096

struct nav_run {
    struct fake fake; /* first: callbacks find the rest by it */
    union {
        struct gn_msg_page page;
        struct gn_msg_ephemeris eph;
        struct gn_msg_nav_time time;
        struct gn_msg_nav_model model;
    } scratch;
    struct gn_msg_page pages[NAV_RUN_MAX];
    struct gn_msg_ephemeris ephs[NAV_RUN_MAX];
    struct gn_msg_nav_time times[NAV_RUN_MAX];
    struct gn_msg_nav_model models[NAV_RUN_MAX];
    uint64_t eph_at[NAV_RUN_MAX]; /* tick (here ms) of each */
    uint32_t n_pages, n_ephs, n_times, n_models;
    uint32_t chunk; /* symbols a message, 0: 10 */
};

static inline void *nav_run_new(const struct gn_host *h, uint32_t port)
{
    struct nav_run *r = (struct nav_run *)(uintptr_t)h;
    (void)port;
    memset(&r->scratch, 0, sizeof r->scratch);
    return &r->scratch;
}

static inline void nav_run_send(const struct gn_host *h, uint32_t port, uint64_t index, uint64_t at)
{
    struct nav_run *r = (struct nav_run *)(uintptr_t)h;
    (void)at;
    if (port == 1 && r->n_pages < NAV_RUN_MAX)
        r->pages[r->n_pages++] = r->scratch.page;
    if (port == 2 && r->n_ephs < NAV_RUN_MAX) {
        r->eph_at[r->n_ephs] = index;
        r->ephs[r->n_ephs++] = r->scratch.eph;
    }
    if (port == 3 && r->n_times < NAV_RUN_MAX)
        r->times[r->n_times++] = r->scratch.time;
    if (port == 4 && r->n_models < NAV_RUN_MAX)
        r->models[r->n_models++] = r->scratch.model;
}

/* gps_week: what the recording claims, -1 nothing */
static inline struct nav_run *nav_run_open(int32_t gps_week)
{
    struct nav_run *r = calloc(1, sizeof *r);
    assert_non_null(r);
    fake_open(&r->fake, "decode", "decode.nav", NULL);
    r->fake.host.msg_new = nav_run_new;
    r->fake.host.msg_send = nav_run_send;
    r->fake.plan.anchor.has_t0 = gps_week >= 0;
    r->fake.plan.anchor.t0_tai_s = 694656019LL + (int64_t)gps_week * 604800 + 300000;
    assert_int_equal(fake_start(&r->fake), GN_OK);
    return r;
}

static inline void nav_run_close(struct nav_run *r)
{
    fake_close(&r->fake);
    free(r);
}

struct nav_chan {
    uint8_t signal, prn, channel;
    uint32_t life;
    uint64_t next;
};

/* Soft symbols (numbered from ch->next) into the block; the message index is the millisecond of
 * their end. */
static inline void nav_run_feed(struct nav_run *r, struct nav_chan *ch, const float *soft, size_t n)
{
    uint64_t ms = ch->signal == GN_SIG_GPS_L1CA ? 20 : 4;
    while (n > 0) {
        struct gn_msg_symbols m = {.signal = ch->signal,
                .prn = ch->prn,
                .channel = ch->channel,
                .life = ch->life,
                .first = ch->next};
        uint32_t most = r->chunk != 0 ? r->chunk : 10;
        m.n = n < most ? (uint32_t)n : most;
        memcpy(m.soft, soft, m.n * sizeof *soft);
        ch->next += m.n;
        struct gn_msg msg = {.data = &m,
                .schema = &gn_schema_symbols,
                .index = ch->next * ms,
                .at = ch->next * ms};
        struct gn_work w = {.msgs = &msg, .n_msgs = 1, .now = msg.at};
        assert_int_equal(r->fake.block->work(r->fake.state, &r->fake.host, &w), GN_OK);
        soft += m.n;
        n -= m.n;
    }
}

/* Hard symbols 0/1 as soft ones of this amplitude in noise of sigma 1. */
static inline float nav_soft(unsigned symbol, float amplitude, uint32_t *seed)
{
    double sum = -6;
    for (int i = 0; i < 12 && seed != NULL; i++)
        sum += fake_random(seed) / 16777216.0;
    return (symbol != 0 ? -amplitude : amplitude) + (float)(seed != NULL ? sum : 0);
}

/* A GPS ephemeris with every field different from zero. Values of the ICD's order of size. */
static inline struct gn_ephemeris nav_gps_eph(uint8_t prn)
{
    return (struct gn_ephemeris){.signal = GN_SIG_GPS_L1CA,
            .prn = prn,
            .source = GN_EPH_SRC_LNAV,
            .fit_interval_flag = 0,
            .ura_sisa = 2,
            .iode = 0x4D,
            .iodc = 0x14D,
            .toe_s = 280800,
            .toc_s = 280800,
            .sqrt_a = 5153.65,
            .e = 0.0123,
            .i0_rad = 0.96,
            .idot_rps = 3e-10,
            .omega0_rad = -2.5,
            .omegadot_rps = -8.1e-9,
            .omega_rad = 1.7,
            .m0_rad = 3.1,
            .delta_n_rps = 4.5e-9,
            .cuc_rad = -2e-6,
            .cus_rad = 8e-6,
            .crc_m = 210.5,
            .crs_m = -44.25,
            .cic_rad = 1e-7,
            .cis_rad = -9e-8,
            .af0_s = -1.2e-4,
            .af1 = -3e-12,
            .af2 = 0x1p-55,
            .tgd_s = -1.1e-8};
}

static inline struct gn_ephemeris nav_gal_eph(uint8_t prn)
{
    struct gn_ephemeris e = nav_gps_eph(prn);
    e.signal = GN_SIG_GAL_E1;
    e.source = GN_EPH_SRC_INAV;
    e.sqrt_a = 5440.6;
    e.e = 0.0003;
    e.iode = e.iodc = 0x2A7;
    e.ura_sisa = 107;
    e.af2 = 0;
    e.bgd_e5a_s = 3e-9;
    e.tgd_s = 4e-9;
    return e;
}

/* Bits of sub-frames count..count + n - 1 (300 n of them). */
static inline void nav_gps_bits(
        const struct gn_lnav_source *src, int32_t week, uint32_t count, unsigned n, uint8_t *bits)
{
    for (unsigned i = 0; i < n; i++) {
        uint8_t data[30], sent[38];
        uint32_t c = (count + i) % GN_LNAV_COUNTS_A_WEEK;
        assert_true(
                gn_lnav_build(src, week + (int32_t)((count + i) / GN_LNAV_COUNTS_A_WEEK), c, data));
        gn_lnav_encode(data, sent);
        for (unsigned k = 0; k < 300; k++)
            *bits++ = (uint8_t)(sent[k / 8] >> (7 - k % 8) & 1);
    }
}

#endif
