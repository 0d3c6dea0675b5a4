/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* frontend.sim: a sky made up on the spot, for demonstrations and tests. */
#include "lib/frontend/recording.h"
#include "lib/gnss/signal.h"
#include "lib/sim/sky.h"
#include "plugins/frontend/blocks.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEG        (3.14159265358979323846 / 180)
#define KEYS_BYTES 8192U
#define BIT_GPS    1U /* gn_signal_choices: bit 0 is GPS_L1CA, bit 1 GAL_E1 */
#define BIT_GAL    2U

static const char *const signal_names[] = {"GPS_L1CA", "GAL_E1", NULL};

struct sim {
    double lat_deg, lon_deg, height_m, rate_sps, seconds_s, cn0_dbhz, fade_cn0_dbhz,
            fade_at_s; /* parameters */
    double clock_ppm, mask_deg, level;
    const char *start;
    uint64_t signals;
    int64_t seed, n_gps, n_galileo;
    uint8_t noise, osnma;
    int64_t osnma_seed;
    const char *keys_out;
    struct gn_sim_sky *sky; /* owned: start() makes it, stop() frees it */
    uint64_t n_total, n_done;
    uint64_t i_tile; /* tile[] holds tile i_tile - 1 */
    int8_t tile[2 * GN_SIM_TILE];
};

static gn_status scene_of(
        const struct sim *s, const struct gn_host *h, struct gn_sim_scene *ret, struct gn_time *t0)
{
    struct gn_error err = {0};
    if (gn_time_parse(s->start != NULL ? s->start : "", t0, NULL, &err) != GN_OK)
        return h->fail(h, GN_E_ARG, "start", "%s", err.text);
    int32_t week = 0, tow_s = 0;
    gn_gps_from_tai(t0->tai_s, &week, &tow_s);
    if (week < 1024)
        return h->fail(h, GN_E_ARG, "start",
                "the simulated sky begins with Galileo's time, 1999-08-22T00:00:00GPST");
    *ret = (struct gn_sim_scene){.start = {week, tow_s + (double)t0->frac_ps / (double)GN_PS_PER_S},
            .rate_sps = s->rate_sps,
            .clock_ppm = s->clock_ppm,
            .cn0_dbhz = s->cn0_dbhz,
            .fade_cn0_dbhz = s->fade_cn0_dbhz,
            .fade_at_s = s->fade_at_s,
            .mask_rad = s->mask_deg * DEG,
            .level = s->level,
            .noise = s->noise != 0,
            .seed = (uint64_t)s->seed,
            .seconds_s = s->seconds_s,
            .osnma_seed = (uint64_t)s->osnma_seed,
            .has_osnma = s->osnma != 0};
    ret->n_gps = (s->signals & BIT_GPS) != 0 ? (uint32_t)s->n_gps : 0;
    ret->n_galileo = (s->signals & BIT_GAL) != 0 ? (uint32_t)s->n_galileo : 0;
    gn_sim_ecef(s->lat_deg * DEG, s->lon_deg * DEG, s->height_m, ret->ecef_m);
    return GN_OK;
}

static gn_status sim_plan(void *state, const struct gn_host *h, struct gn_plan *plan)
{
    struct sim *s = state;
    struct gn_sim_scene scene;
    struct gn_time t0;
    gn_status st = scene_of(s, h, &scene, &t0);
    if (st != GN_OK)
        return st;
    s->n_total = (uint64_t)llround(s->seconds_s * s->rate_sps);
    plan->out[0] = (struct gn_plan_stream){.format = GN_FMT_CI8, .tick_num = 1, .tick_den = 1};
    plan->anchor = (struct gn_anchor){.rate_sps = s->rate_sps,
            .n_ticks = s->n_total,
            .t0_tai_s = t0.tai_s,
            .t0_frac_s = (double)t0.frac_ps / (double)GN_PS_PER_S,
            .has_t0 = 1,
            .has_if = 1};
    return GN_OK;
}

/* Complete or not at all: written beside and renamed. */
static gn_status write_keys(const struct sim *s, const struct gn_host *h)
{
    char text[KEYS_BYTES], beside[GN_PATH_MAX_BYTES];
    size_t n = gn_osnma_gen_keys_json(s->sky->gen, text, sizeof text);
    int n_path = snprintf(beside, sizeof beside, "%s.part", s->keys_out);
    if (n == 0 || n_path < 0 || (size_t)n_path >= sizeof beside)
        return h->fail(h, GN_E_OUTPUT, "keys_out", "keys or path are too long");
    FILE *f = fopen(beside, "wb");
    bool is_good = f != NULL && fwrite(text, 1, n, f) == n;
    if (f != NULL && fclose(f) != 0)
        is_good = false;
    if (!is_good || rename(beside, s->keys_out) != 0)
        return h->fail(
                h, GN_E_OUTPUT, "keys_out", "cannot write %s: %s", s->keys_out, strerror(errno));
    return GN_OK;
}

static gn_status sim_start(void *state, const struct gn_host *h)
{
    struct sim *s = state;
    struct gn_sim_scene scene;
    struct gn_time t0;
    struct gn_error err = {0};
    gn_status st = scene_of(s, h, &scene, &t0);
    if (st != GN_OK)
        return st;
    s->sky = calloc(1, sizeof *s->sky);
    if (s->sky == NULL)
        return h->fail(h, GN_E_NOMEM, NULL, "no memory");
    if (gn_sim_sky_init(s->sky, &scene, &err) != GN_OK)
        return h->fail(h, err.status, NULL, "%s", err.text);
    if (s->sky->n_channels < scene.n_gps + scene.n_galileo)
        h->log(h, GN_LOG_WARN, "only %u of %u satellites stand above the mask here and now",
                s->sky->n_channels, scene.n_gps + scene.n_galileo);
    s->n_done = 0;
    s->i_tile = 0;
    return s->keys_out != NULL && s->osnma != 0 ? write_keys(s, h) : GN_OK;
}

static gn_status sim_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct sim *s = state;
    struct gn_out *out = &w->out[0];
    (void)h;
    while (out->n_made < out->n_room && s->n_done < s->n_total) {
        uint64_t i_tile = s->n_done / GN_SIM_TILE, at = s->n_done % GN_SIM_TILE;
        if (i_tile == s->i_tile)
            gn_sim_sky_tile(s->sky, s->i_tile++, s->tile);
        uint64_t n = GN_SIM_TILE - at, room = out->n_room - out->n_made,
                 left = s->n_total - s->n_done;
        n = n < room ? n : room;
        n = n < left ? n : left;
        memcpy((int8_t *)out->items + 2 * (size_t)out->n_made, s->tile + 2 * at, 2 * n);
        out->n_made += (uint32_t)n;
        s->n_done += n;
    }
    w->is_done = s->n_done == s->n_total;
    return GN_OK;
}

static void sim_stop(void *state, const struct gn_host *h)
{
    struct sim *s = state;
    (void)h;
    if (s->sky != NULL)
        gn_sim_sky_done(s->sky);
    free(s->sky);
    s->sky = NULL;
}

static const struct gn_port ports[] = {
        {.name = "samples",
                .doc = "the simulated antenna's complex baseband",
                .dir = GN_OUT,
                .formats = "ci8"},
};

static const struct gn_param params[] = {
        GN_PARAM_X("lat", struct sim, lat_deg, GN_P_F64, "deg", "48.8584", -90, 90,
                "latitude of the antenna, WGS-84", .flags = 0),
        GN_PARAM_X("lon", struct sim, lon_deg, GN_P_F64, "deg", "2.2945", -180, 180,
                "longitude of the antenna, WGS-84", .flags = 0),
        GN_PARAM_X("height", struct sim, height_m, GN_P_F64, "m", "100", -1000, 20000,
                "height above the ellipsoid", .flags = 0),
        GN_PARAM(struct sim, start, GN_P_TEXT, "", "2026-06-01T20:00:00.1GPST", 0, 0,
                "time of the first sample, with its scale (Z, GPST, GST, TAI)"),
        GN_PARAM_X("seconds", struct sim, seconds_s, GN_P_F64, "s", "60", 0.001, 86400, "length",
                .flags = 0),
        GN_PARAM_X("rate", struct sim, rate_sps, GN_P_F64, "Hz", "4 MHz", GN_SIM_RATE_MIN,
                GN_SIM_RATE_MAX, "samples a second", .flags = 0),
        GN_PARAM_X("cn0", struct sim, cn0_dbhz, GN_P_F64, "dB-Hz", "45", 0, 80,
                "of every satellite; Galileo: data and pilot together", .flags = 0),
        GN_PARAM_X("fade_cn0", struct sim, fade_cn0_dbhz, GN_P_F64, "dB-Hz", "auto", 0, 80,
                "C/N0 of every satellite from fade_at on; auto: no fade", .flags = GN_PARAM_AUTO),
        GN_PARAM_X("fade_at", struct sim, fade_at_s, GN_P_F64, "s", "0", 0, 86400,
                "when the fade begins", .flags = 0),
        GN_PARAM_X("signals", struct sim, signals, GN_P_SET, "", "GPS_L1CA,GAL_E1", 0, 0,
                "systems in the sky", .choices = signal_names),
        GN_PARAM(struct sim, n_gps, GN_P_I64, "", "8", 0, GN_SIM_SATS_MAX,
                "most GPS satellites, the highest first"),
        GN_PARAM(struct sim, n_galileo, GN_P_I64, "", "8", 0, GN_SIM_SATS_MAX,
                "most Galileo satellites, the highest first"),
        GN_PARAM_X("mask", struct sim, mask_deg, GN_P_F64, "deg", "5", 0, 90,
                "satellites stand higher than this", .flags = 0),
        GN_PARAM(struct sim, clock_ppm, GN_P_F64, "", "0", -200, 200,
                "receiver oscillator fast by so many millionths: lowers Doppler and stretches "
                "sample time alike"),
        GN_PARAM(struct sim, level, GN_P_F64, "", "12", 0.1, 60,
                "rms of the noise in steps, per component"),
        GN_PARAM(struct sim, noise, GN_P_BOOL, "", "true", 0, 0,
                "false: signals only, for measurements"),
        GN_PARAM(struct sim, osnma, GN_P_BOOL, "", "true", 0, 0,
                "Galileo pages are signed by a TEST chain"),
        GN_PARAM(struct sim, osnma_seed, GN_P_I64, "", "1", 0, 1e15, "of that chain's keys"),
        GN_PARAM(struct sim, keys_out, GN_P_PATH, "", "~", 0, 0,
                "write the chain's public key and Merkle root there, in the form osnma.verify "
                "reads"),
        GN_PARAM(struct sim, seed, GN_P_I64, "", "1", 0, 1e15,
                "of the noise; equal seeds give equal samples"),
};

const struct gn_block gn_frontend_sim = {
        .name = "frontend.sim",
        .summary = "a simulated sky: GPS and Galileo with noise",
        .doc = "A receiver at rest under made-up GPS and Galileo satellites that broadcast real "
               "ephemerides: delay, Doppler, "
               "Sagnac, satellite clocks and relativity are true to them, code and carrier are "
               "coherent. No ionosphere, no "
               "troposphere.",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct sim),
        .plan = sim_plan,
        .start = sim_start,
        .work = sim_work,
        .stop = sim_stop,
};
