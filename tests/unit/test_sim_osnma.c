/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Pages of the simulated satellites, decoded from their symbols, through the OSNMA receiver: from a
 * cold start with the public key all tags fit, over a week's edge too, and within two minutes data
 * are authentic. */
#include "lib/osnma/engine.h"
#include "lib/sim/sky.h"

#include "tests/support/gn_test.h"

#include <math.h>
#include <string.h>

#define SECONDS 180

struct count {
    uint32_t verdicts[3], n_tags, n_authentic_data, first_data_s;
    int64_t now_s;
};

static void on_tag(void *arg, const struct gn_msg_osnma_tag *tag)
{
    struct count *c = arg;
    c->verdicts[tag->verdict]++;
    c->n_tags++;
}

static void on_data(void *arg, const struct gn_msg_osnma_data *data)
{
    struct count *c = arg;
    if (data->authentic == 0)
        return;
    if (c->n_authentic_data++ == 0)
        c->first_data_s = (uint32_t)c->now_s;
}

static void read_page(struct gn_sim_message *m, int64_t first, uint8_t bits[30])
{
    float soft[240];
    for (int part = 0; part < 2; part++) {
        for (int k = 0; k < 240; k++)
            soft[k] = gn_sim_message_symbol(m, first + 250 * part + 10 + k);
        (void)gn_inav_part_decode(soft, bits + 15 * part);
    }
}

static void feed_all(struct gn_sim_sky *sky, struct gn_osnma *o, const struct gn_osnma_sink *sink,
        struct count *c)
{
    const struct gn_sim_time start = sky->scene.start;
    for (int64_t t = 1; t < SECONDS; t += 2) { /* pages that start at odd seconds of the week */
        for (uint32_t i = 0; i < sky->n_channels; i++) {
            int64_t tow = (int64_t)start.tow_s + t;
            struct gn_osnma_page page = {.wn = start.week - 1024 + (int32_t)(tow / 604800),
                    .tow_s = (uint32_t)(tow % 604800),
                    .prn = sky->channels[i].message.eph.prn,
                    .has_rx = 1};
            page.rx_gst_s = (double)page.wn * 604800 + (double)page.tow_s + 0.08;
            read_page(&sky->channels[i].message, t * 250, page.bits);
            c->now_s = t + 2;
            gn_osnma_feed(o, &page, sink);
        }
    }
    gn_osnma_finish(o, sink);
}

static void run(int32_t week, double tow_s)
{
    struct gn_sim_scene scene = {.start = {week, tow_s},
            .rate_sps = 4e6,
            .mask_rad = 0.1,
            .level = 12,
            .seed = 1,
            .n_galileo = 8,
            .seconds_s = SECONDS,
            .osnma_seed = 1,
            .has_osnma = true};
    struct gn_sim_sky *sky = calloc(1, sizeof *sky);
    struct gn_osnma_config *config = calloc(1, sizeof *config);
    struct gn_osnma *o = NULL;
    struct count count = {.now_s = 0};
    struct gn_error err = {0};
    char keys[8192];
    assert_true(sky != NULL && config != NULL);
    gn_sim_ecef(0.8, 0.04, 100, scene.ecef_m);
    assert_int_equal(gn_sim_sky_init(sky, &scene, NULL), GN_OK);
    assert_true(sky->n_channels >= 6);
    size_t n = gn_osnma_gen_keys_json(sky->gen, keys, sizeof keys);
    assert_int_equal(gn_osnma_keys_parse(keys, n, NULL, false, &config->anchor, &err),
            GN_E_DATA); /* TEST keys */
    assert_int_equal(gn_osnma_keys_parse(keys, n, NULL, true, &config->anchor, &err), GN_OK);
    config->has_trusted_time = 1;
    assert_int_equal(gn_osnma_new(config, &o), GN_OK);
    const struct gn_osnma_sink sink = {.arg = &count, .tag = on_tag, .data = on_data};
    feed_all(sky, o, &sink, &count);
    print_message("%u tags: %u authentic, %u forged, %u undecided; data from %u s\n", count.n_tags,
            count.verdicts[GN_AUTHENTIC], count.verdicts[GN_FORGED], count.verdicts[GN_UNDECIDED],
            count.first_data_s);
    assert_int_equal(count.verdicts[GN_FORGED], 0);
    assert_true(count.verdicts[GN_AUTHENTIC] > 4 * sky->n_channels);
    assert_true(count.n_authentic_data > 0 && count.first_data_s <= 125);
    gn_osnma_free(o);
    gn_sim_sky_done(sky);
    free(sky);
    free(config);
}

static void test_plain(void **state)
{
    (void)state;
    run(2421, 158400);
}

static void test_week_edge(void **state)
{
    (void)state;
    run(2420, 604740);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_plain), cmocka_unit_test(test_week_edge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
