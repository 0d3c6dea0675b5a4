/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* frontend.sim: a sky made up on the spot, for demonstrations and tests. */
#include "lib/frontend/recording.h"
#include "lib/gnss/signal.h"
#include "lib/geo/geo.h"
#include "lib/sim/sky.h"
#include "lib/sim/truth.h"
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
static const char *const switch_names[] = {"off", "on", "klobuchar", NULL};
static const char *const sat_names[] = {"visible", "all", NULL};
static const char *const boc_names[] = {"auto", "cboc", "sine_boc", NULL};
enum { BOC_AUTO = 0, BOC_SINE = 2 };
#define CBOC_RATE_MIN 14.4e6 /* holds the lobes at 6.138 MHz; below, a front end would have filtered them */
static const char *const motion_names[] = {"static", "circle", "straight", "rocket", "file", NULL};
enum { MOTION_FILE = 4 };
static const char *const format_names[] = {
        "ci8", "cu8", "ci16_le", "cf32_le", "s8", "s16_le", "packed", NULL};
static const uint8_t format_streams[] = {GN_FMT_CI8, GN_FMT_CI8, GN_FMT_CI16, GN_FMT_CF32,
        GN_FMT_S8, GN_FMT_S16, GN_FMT_CI8};
enum { OUT_SAMPLES = 0, OUT_TRUTH = 1 };
#define ITEM_BYTES_MAX 8U
#define CN0S_MAX       GN_SIM_CHANNELS_MAX

struct sim {
    double lat_deg, lon_deg, height_m, rate_sps, seconds_s, cn0_dbhz, fade_cn0_dbhz,
            fade_at_s; /* parameters */
    double clock_ppm, clock_ppm_per_s, clock_adev, mask_deg, level, filter_hz, truth_every_s;
    double speed_mps, heading_deg, pitch_deg, accel_mps2, radius_m, burn_s, if_hz;
    const char *nav_path, *track_path, *cn0_text;
    int32_t ionosphere, troposphere, satellites, modulation, motion, format;
    int64_t bits;
    uint8_t is_real;
    struct gn_list gains;
    struct gn_rinex_nav nav; /* owned */
    struct gn_sim_motion track; /* owned */
    struct gn_sim_cn0 cn0s[CN0S_MAX];
    uint32_t n_cn0s;
    uint64_t next_truth;
    const char *start;
    uint64_t signals;
    int64_t seed, n_gps, n_galileo;
    uint8_t noise, osnma;
    int64_t osnma_seed;
    int32_t osnma_event;
    struct gn_list osnma_at;
    const char *keys_out;
    double forge_east_m, forge_clock_m, forge_from_s, s4, s4_tau_s, ray_db, ray_m, disturb_from_s,
            disturb_until_s;
    int64_t forge_issue, n_rays;
    uint64_t forge_signals;
    uint8_t forge_signed;
    struct gn_list forge_prns;
    struct gn_sim_sky *sky; /* owned: start() makes it, stop() frees it */
    uint64_t n_total, n_done;
    uint64_t i_tile; /* tile[] holds tile i_tile - 1 */
    _Alignas(16) uint8_t tile[ITEM_BYTES_MAX * GN_SIM_TILE];
};

static bool is_real(const struct sim *s)
{
    uint8_t stream = format_streams[s->format];
    return stream == GN_FMT_S8 || stream == GN_FMT_S16 || s->is_real != 0;
}

static enum gn_format stream_of(const struct sim *s)
{
    return is_real(s) && format_streams[s->format] == GN_FMT_CI8
                   ? GN_FMT_S8
                   : (enum gn_format)format_streams[s->format];
}

static gn_status start_of(const struct sim *s, const struct gn_host *h, struct gn_time *t0)
{
    struct gn_error err = {0};
    int32_t week = 0, tow_s = 0;
    if (gn_time_parse(s->start != NULL ? s->start : "", t0, NULL, &err) != GN_OK)
        return h->fail(h, GN_E_ARG, "start", "%s", err.text);
    gn_gps_from_tai(t0->tai_s, &week, &tow_s);
    if (week < 1024)
        return h->fail(h, GN_E_ARG, "start",
                "the simulated sky begins with Galileo's time, 1999-08-22T00:00:00GPST");
    return GN_OK;
}

static gn_status make_motion(struct sim *s, const struct gn_host *h)
{
    struct gn_error err = {0};
    if (s->motion == MOTION_FILE) {
        if (s->track_path == NULL)
            return h->fail(h, GN_E_ARG, "track", "motion file needs a track: NMEA, GPX or CSV");
        return gn_sim_motion_read(&s->track, s->track_path, &err) == GN_OK
                       ? GN_OK
                       : h->fail(h, err.status, "track", "%s", err.text);
    }
    gn_sim_motion_init(&s->track, s->lat_deg * DEG, s->lon_deg * DEG, s->height_m);
    s->track.kind = (uint32_t)s->motion;
    s->track.speed_mps = s->speed_mps;
    s->track.heading_rad = s->heading_deg * DEG;
    s->track.pitch_rad = s->pitch_deg * DEG;
    s->track.accel_mps2 = s->accel_mps2;
    s->track.radius_m = s->radius_m;
    s->track.burn_s = s->burn_s;
    return GN_OK;
}

/* "G05:40,E11:38.5" */
static gn_status read_cn0s(struct sim *s, const struct gn_host *h)
{
    const char *at = s->cn0_text != NULL ? s->cn0_text : "";
    s->n_cn0s = 0;
    while (*at != '\0') {
        char system = 0, extra = 0;
        unsigned prn = 0;
        double cn0 = 0;
        int n = sscanf(at, " %c%2u:%lf%c", &system, &prn, &cn0, &extra);
        if (n < 3 || (n == 4 && extra != ',') || (system != 'G' && system != 'E') ||
                !(cn0 >= 0 && cn0 <= 90) || s->n_cn0s == CN0S_MAX)
            return h->fail(h, GN_E_ARG, "cn0_of", "expected as in G05:40,E11:38.5 at '%.20s'", at);
        s->cn0s[s->n_cn0s++] = (struct gn_sim_cn0){
                system == 'G' ? GN_SIG_GPS_L1CA : GN_SIG_GAL_E1, (uint8_t)prn, cn0};
        const char *comma = strchr(at, ',');
        at = comma != NULL ? comma + 1 : "";
    }
    return GN_OK;
}

static gn_status read_nav(struct sim *s, const struct gn_host *h)
{
    struct gn_error err = {0};
    if (s->nav_path == NULL)
        return GN_OK;
    return gn_rinex_nav_read(s->nav_path, &s->nav, &err) == GN_OK
                   ? GN_OK
                   : h->fail(h, err.status, "nav", "%s", err.text);
}

static struct gn_sim_disturb disturb_of(const struct sim *s)
{
    struct gn_sim_disturb d = {.s4 = s->s4, .tau_s = s->s4_tau_s, .n_rays = (uint32_t)s->n_rays,
            .ray_db = s->ray_db, .ray_m = s->ray_m, .from_s = s->disturb_from_s,
            .until_s = s->disturb_until_s, .seed = (uint64_t)s->seed};
    uint64_t prns = s->forge_prns.n == 0 ? UINT64_MAX : 0;
    double ecef_m[3];
    for (uint32_t i = 0; i < s->forge_prns.n; i++)
        prns |= UINT64_C(1) << ((uint64_t)s->forge_prns.v[i] - 1);
    gn_sim_ecef(s->lat_deg * DEG, s->lon_deg * DEG, s->height_m, ecef_m);
    d.forge = (struct gn_sim_forge){.is_set = s->forge_east_m != 0 || s->forge_clock_m != 0,
            .node_rad = s->forge_east_m / fmax(hypot(ecef_m[0], ecef_m[1]), 1e3),
            .clock_m = s->forge_clock_m, .from_s = s->forge_from_s, .issue = (uint32_t)s->forge_issue,
            .is_signed = s->forge_signed != 0,
            .gps = (s->forge_signals & BIT_GPS) != 0 ? prns : 0,
            .galileo = (s->forge_signals & BIT_GAL) != 0 ? prns : 0};
    return d;
}

static void scene_of(const struct sim *s, struct gn_time t0, struct gn_sim_scene *ret)
{
    int32_t week = 0, tow_s = 0;
    bool all = s->satellites != 0;
    gn_gps_from_tai(t0.tai_s, &week, &tow_s);
    *ret = (struct gn_sim_scene){
            .start = {week, tow_s + (double)t0.frac_ps / (double)GN_PS_PER_S},
            .motion = &s->track,
            .rate_sps = s->rate_sps,
            .clock_ppm = s->clock_ppm,
            .clock_ppm_per_s = s->clock_ppm_per_s,
            .clock_adev = s->clock_adev,
            .cn0_dbhz = s->cn0_dbhz,
            .fade_cn0_dbhz = s->fade_cn0_dbhz,
            .fade_at_s = s->fade_at_s,
            .cn0s = s->cn0s,
            .n_cn0s = s->n_cn0s,
            .n_gains = s->gains.n,
            .mask_rad = s->mask_deg * DEG,
            .level = s->level,
            .noise = s->noise != 0,
            .seed = (uint64_t)s->seed,
            .seconds_s = s->seconds_s,
            .osnma_seed = (uint64_t)s->osnma_seed,
            .nav = s->nav.n_eph > 0 ? &s->nav : NULL,
            .has_osnma = s->osnma != 0,
            .has_ionosphere = s->ionosphere != 0,
            .has_troposphere = s->troposphere != 0,
            .has_all = all,
            .is_sine_boc = s->modulation == BOC_SINE ||
                    (s->modulation == BOC_AUTO && s->rate_sps < CBOC_RATE_MIN),
            .if_hz = is_real(s) ? s->if_hz : 0,
            .filter_hz = s->filter_hz,
            .is_real = is_real(s),
            .bits = (uint32_t)s->bits};
    memcpy(ret->gain_db, s->gains.v, sizeof ret->gain_db);
    ret->osnma_event = (uint32_t)s->osnma_event;
    for (uint32_t i = 0; i < 3; i++)
        ret->osnma_at[i] = i < s->osnma_at.n ? (uint32_t)s->osnma_at.v[i] : 0;
    ret->disturb = disturb_of(s);
    ret->n_gps = (s->signals & BIT_GPS) == 0 ? 0 : all ? GN_SIM_GPS_SATS : (uint32_t)s->n_gps;
    ret->n_galileo = (s->signals & BIT_GAL) == 0 ? 0 : all ? GN_SIM_GAL_ALL : (uint32_t)s->n_galileo;
}

static gn_status sim_plan(void *state, const struct gn_host *h, struct gn_plan *plan)
{
    struct sim *s = state;
    struct gn_time t0;
    gn_status st = start_of(s, h, &t0);
    if (st != GN_OK)
        return st;
    s->n_total = (uint64_t)llround(s->seconds_s * s->rate_sps);
    plan->out[0] = (struct gn_plan_stream){.format = stream_of(s), .tick_num = 1, .tick_den = 1};
    plan->anchor = (struct gn_anchor){.rate_sps = s->rate_sps,
            .n_ticks = s->n_total,
            .t0_tai_s = t0.tai_s,
            .t0_frac_s = (double)t0.frac_ps / (double)GN_PS_PER_S,
            .has_t0 = 1,
            .if_hz = is_real(s) ? s->if_hz : 0,
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

static gn_status make_sky(struct sim *s, const struct gn_host *h, struct gn_time t0)
{
    struct gn_sim_scene scene;
    struct gn_error err = {0};
    scene_of(s, t0, &scene);
    s->sky = calloc(1, sizeof *s->sky);
    if (s->sky == NULL)
        return h->fail(h, GN_E_NOMEM, NULL, "no memory");
    if (gn_sim_sky_init(s->sky, &scene, &err) != GN_OK)
        return h->fail(h, err.status, NULL, "%s", err.text);
    if (s->nav_path != NULL && s->sky->n_channels == 0)
        return h->fail(h, GN_E_DATA, "nav",
                "%s: no healthy satellite above the mask with an ephemeris near %s", s->nav_path,
                s->start);
    if (!scene.has_all && s->sky->n_channels < scene.n_gps + scene.n_galileo)
        h->log(h, GN_LOG_WARN, "only %u of %u satellites stand above the mask here and now",
                s->sky->n_channels, scene.n_gps + scene.n_galileo);
    return GN_OK;
}

static gn_status sim_start(void *state, const struct gn_host *h)
{
    struct sim *s = state;
    struct gn_time t0;
    gn_status st = start_of(s, h, &t0);
    if (st == GN_OK)
        st = make_motion(s, h);
    if (st == GN_OK)
        st = read_cn0s(s, h);
    if (st == GN_OK)
        st = read_nav(s, h);
    if (st == GN_OK)
        st = make_sky(s, h, t0);
    s->n_done = s->i_tile = s->next_truth = 0;
    return st == GN_OK && s->keys_out != NULL && s->sky->gen != NULL ? write_keys(s, h) : st;
}

/* The truth of the samples to come, at most one of a call: a call makes less than a second. */
static void send_truth(struct sim *s, const struct gn_host *h)
{
    double every_s = isnan(s->truth_every_s) ? fmax(1, s->seconds_s / 120) : s->truth_every_s;
    if (s->n_done < s->next_truth)
        return;
    struct gn_msg_sim_truth *t = h->msg_new(h, OUT_TRUTH);
    gn_sim_truth(s->sky, s->n_done, t);
    h->msg_send(h, OUT_TRUTH, s->n_done, s->n_done);
    s->next_truth += (uint64_t)llround(every_s * s->rate_sps);
}

static gn_status sim_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct sim *s = state;
    struct gn_out *out = &w->out[0];
    enum gn_format stream = stream_of(s);
    size_t item = gn_format_item_bytes(stream);
    uint64_t stop = s->n_done + out->n_room;
    send_truth(s, h);
    stop = stop < s->n_total ? stop : s->n_total;
    stop = stop < s->next_truth ? stop : s->next_truth;
    while (s->n_done < stop) {
        uint64_t i_tile = s->n_done / GN_SIM_TILE, at = s->n_done % GN_SIM_TILE;
        if (i_tile == s->i_tile)
            gn_sim_sky_out(s->sky, s->i_tile++, stream, s->tile);
        uint64_t n = GN_SIM_TILE - at, left = stop - s->n_done;
        n = n < left ? n : left;
        memcpy((uint8_t *)out->items + item * out->n_made, s->tile + item * at, item * n);
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
    gn_rinex_nav_done(&s->nav);
    gn_sim_motion_done(&s->track);
}

static const struct gn_port ports[] = {
        {.name = "samples",
                .doc = "the simulated front end's samples",
                .dir = GN_OUT,
                .formats = "ci8 ci16 cf32 s8 s16"},
        {.name = "truth",
                .doc = "what the samples hold",
                .dir = GN_OUT,
                .schema = &gn_schema_sim_truth},
};

static const struct gn_param params[] = {
        GN_PARAM_X("lat", struct sim, lat_deg, GN_P_F64, "deg", "48.8584", -90, 90,
                "latitude of the antenna, WGS-84", .flags = 0),
        GN_PARAM_X("lon", struct sim, lon_deg, GN_P_F64, "deg", "2.2945", -180, 180,
                "longitude of the antenna, WGS-84", .flags = 0),
        GN_PARAM_X("height", struct sim, height_m, GN_P_F64, "m", "100", -6e6, 4e8,
                "height above the ellipsoid", .flags = 0),
        GN_PARAM(struct sim, start, GN_P_TEXT, "", "2026-06-01T20:00:00.1GPST", 0, 0,
                "time of the first sample, with its scale (Z, GPST, GST, TAI)"),
        GN_PARAM_X("seconds", struct sim, seconds_s, GN_P_F64, "s", "60", 0.001, 2.6e6, "length",
                .flags = 0),
        GN_PARAM_X("rate", struct sim, rate_sps, GN_P_F64, "Hz", "4 MHz", GN_SIM_RATE_MIN,
                GN_SIM_RATE_MAX, "samples a second", .flags = 0),
        GN_PARAM_X("cn0", struct sim, cn0_dbhz, GN_P_F64, "dB-Hz", "45", 0, 90,
                "of every satellite; Galileo: data and pilot together", .flags = 0),
        GN_PARAM_X("fade_cn0", struct sim, fade_cn0_dbhz, GN_P_F64, "dB-Hz", "auto", 0, 90,
                "C/N0 of every satellite from fade_at on; auto: no fade", .flags = GN_PARAM_AUTO),
        GN_PARAM_X("fade_at", struct sim, fade_at_s, GN_P_F64, "s", "0", 0, 2.6e6,
                "when the fade begins", .flags = 0),
        GN_PARAM_X("signals", struct sim, signals, GN_P_SET, "", "GPS_L1CA,GAL_E1", 0, 0,
                "systems in the sky", .choices = signal_names),
        GN_PARAM(struct sim, n_gps, GN_P_I64, "", "8", 0, GN_SIM_SATS_MAX,
                "most GPS satellites, the highest first"),
        GN_PARAM(struct sim, n_galileo, GN_P_I64, "", "8", 0, GN_SIM_SATS_MAX,
                "most Galileo satellites, the highest first"),
        GN_PARAM_X("mask", struct sim, mask_deg, GN_P_F64, "deg", "5", -90, 90,
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
        GN_PARAM_X("osnma_event", struct sim, osnma_event, GN_P_ENUM, "", "nominal", 0, 0,
                "what happens to the service (OSNMA SIS ICD section 5)", .choices = gn_osnma_gen_events),
        GN_PARAM(struct sim, osnma_at, GN_P_LIST, "", "[]", 0, 1e6,
                "at these sub-frames: 2 is the one the start lies in"),
        GN_PARAM(struct sim, keys_out, GN_P_PATH, "", "~", 0, 0,
                "write the chain's public key and Merkle root there, in the form osnma.verify "
                "reads"),
        GN_PARAM_X("nav", struct sim, nav_path, GN_P_PATH, "", "~", 0, 0,
                "RINEX 3 or 4 navigation file the satellites come from; ~: a made-up constellation",
                .flags = 0),
        GN_PARAM_X("satellites", struct sim, satellites, GN_P_ENUM, "", "visible", 0, 0,
                "all: every satellite, 32 and 36, also those under the ground", .choices = sat_names),
        GN_PARAM_X("modulation", struct sim, modulation, GN_P_ENUM, "", "auto", 0, 0,
                "of E1: CBOC(6,1,1/11), BOC(1,1); auto: CBOC where the rate holds its lobes, from 14.4 MHz", .choices = boc_names),
        GN_PARAM_X("ionosphere", struct sim, ionosphere, GN_P_ENUM, "", "off", 0, 0,
                "on: Klobuchar, with the parameters of nav", .choices = switch_names),
        GN_PARAM_X("troposphere", struct sim, troposphere, GN_P_ENUM, "", "off", 0, 0,
                "on: Saastamoinen's standard", .choices = switch_names),
        GN_PARAM_X("motion", struct sim, motion, GN_P_ENUM, "", "static", 0, 0,
                "of the antenna, from lat, lon, height on; file: as track says", .choices = motion_names),
        GN_PARAM_X("track", struct sim, track_path, GN_P_PATH, "", "~", 0, 0,
                "waypoints: NMEA, GPX, or CSV with seconds, latitude, longitude, height", .flags = 0),
        GN_PARAM_X("speed", struct sim, speed_mps, GN_P_F64, "m/s", "10", 0, 1e6, "at the start",
                .flags = 0),
        GN_PARAM_X("heading", struct sim, heading_deg, GN_P_F64, "deg", "90", -360, 360,
                "from north over east", .flags = 0),
        GN_PARAM_X("pitch", struct sim, pitch_deg, GN_P_F64, "deg", "0", -90, 90,
                "of a straight way or a rocket over the horizon", .flags = 0),
        GN_PARAM_X("acceleration", struct sim, accel_mps2, GN_P_F64, "m/s2", "0", -1e4, 1e4,
                "along a straight way; of a rocket's thrust", .flags = 0),
        GN_PARAM_X("radius", struct sim, radius_m, GN_P_F64, "m", "100", 0.1, 1e9, "of a circle",
                .flags = 0),
        GN_PARAM_X("burn", struct sim, burn_s, GN_P_F64, "s", "60", 0, 1e5,
                "how long a rocket's engine runs", .flags = 0),
        GN_PARAM_X("cn0_of", struct sim, cn0_text, GN_P_TEXT, "", "~", 0, 0,
                "C/N0 of single satellites, as in G05:40,E11:38.5", .flags = 0),
        GN_PARAM_X("gains", struct sim, gains, GN_P_LIST, "dB", "[]", -60, 60,
                "of the antenna at equal steps of elevation, 0 to 90 deg", .flags = 0),
        GN_PARAM(struct sim, clock_ppm_per_s, GN_P_F64, "", "0", -10, 10,
                "drift of clock_ppm"),
        GN_PARAM(struct sim, clock_adev, GN_P_F64, "", "0", 0, 1e-6,
                "Allan deviation at 1 s of the oscillator's flicker noise"),
        GN_PARAM_X("filter", struct sim, filter_hz, GN_P_F64, "Hz", "0", 0, 200e6,
                "two-sided width of the front end's low pass; 0: none", .flags = 0),
        GN_PARAM_X("format", struct sim, format, GN_P_ENUM, "", "ci8", 0, 0,
                "of the samples; cu8 and packed leave here as 8 bits", .choices = format_names),
        GN_PARAM_X("real", struct sim, is_real, GN_P_BOOL, "", "false", 0, 0,
                "real samples around if (s8 and s16_le are always real)", .flags = 0),
        GN_PARAM_X("if", struct sim, if_hz, GN_P_F64, "Hz", "0", -100e6, 100e6,
                "intermediate frequency of real samples", .flags = 0),
        GN_PARAM(struct sim, bits, GN_P_I64, "", "0", 0, 16,
                "of the converter, behind a gain that holds the level; 0: steps of 1, noise at level"),
        GN_PARAM_X("truth_every", struct sim, truth_every_s, GN_P_F64, "s", "auto", 0.001, 1e6,
                "between two messages of truth; auto: 1 s, at most 121 in all", .flags = GN_PARAM_AUTO),
        GN_PARAM(struct sim, seed, GN_P_I64, "", "1", 0, 1e15,
                "of the noise; equal seeds give equal samples"),
        GN_PARAM_X("forge_east", struct sim, forge_east_m, GN_P_F64, "m", "0", -1e6, 1e6,
                "the data sent turn all orbits: positions made from them lie so far east", .flags = 0),
        GN_PARAM_X("forge_clock", struct sim, forge_clock_m, GN_P_F64, "m", "0", -1e5, 1e5,
                "the data sent claim another satellite clock, as range", .flags = 0),
        GN_PARAM_X("forge_from", struct sim, forge_from_s, GN_P_F64, "s", "0", 0, 2.6e6,
                "frames that begin then or later are forged", .flags = 0),
        GN_PARAM(struct sim, forge_issue, GN_P_I64, "", "0", 0, 255,
                "added to the issue numbers of forged data; 0: under the old issue"),
        GN_PARAM(struct sim, forge_signed, GN_P_BOOL, "", "false", 0, 0,
                "OSNMA tags are made over the forged data (else over the true ones)"),
        GN_PARAM_X("forge_signals", struct sim, forge_signals, GN_P_SET, "", "GPS_L1CA,GAL_E1", 0, 0,
                "systems whose data are forged", .choices = signal_names),
        GN_PARAM_X("forge_prns", struct sim, forge_prns, GN_P_LIST, "", "[]", 1, 36,
                "satellites whose data are forged; empty: all", .flags = 0),
        GN_PARAM(struct sim, s4, GN_P_F64, "", "0", 0, 0.99, "scintillation index of every satellite"),
        GN_PARAM_X("s4_tau", struct sim, s4_tau_s, GN_P_F64, "s", "0.5", 0.01, 100,
                "time after which scintillation has changed", .flags = 0),
        GN_PARAM_X("rays", struct sim, n_rays, GN_P_I64, "", "0", 0, GN_SIM_RAYS_MAX,
                "reflections of each satellite below 45 degrees", .flags = 0),
        GN_PARAM_X("ray_gain", struct sim, ray_db, GN_P_F64, "dB", "-4", -60, 10,
                "of the strongest reflection against the direct way", .flags = 0),
        GN_PARAM_X("ray_length", struct sim, ray_m, GN_P_F64, "m", "150", 15, 3000,
                "the most a reflection's way is longer", .flags = 0),
        GN_PARAM_X("disturb_from", struct sim, disturb_from_s, GN_P_F64, "s", "0", 0, 2.6e6,
                "when scintillation and reflections begin", .flags = 0),
        GN_PARAM_X("disturb_until", struct sim, disturb_until_s, GN_P_F64, "s", "auto", 0, 2.6e6,
                "when they end; auto: never", .flags = GN_PARAM_AUTO),
};

const struct gn_block gn_frontend_sim = {
        .name = "frontend.sim",
        .summary = "a simulated sky: GPS and Galileo with noise",
        .doc = "An antenna at rest or in motion under GPS and Galileo satellites from a RINEX file or "
               "made up: delay, Doppler, Sagnac, clocks, relativity, atmosphere and oscillator are "
               "true to what the satellites broadcast, code and carrier are coherent.",
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
