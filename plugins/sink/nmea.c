/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* sink.nmea: fixes as NMEA 0183 sentences. */
#include "lib/nmea/nmea.h"
#include "plugins/sink/blocks.h"

#include <string.h>

enum { IN_FIX, IN_OBS };

struct nmea {
    const char *path;
    uint64_t sentences;
    int32_t solution;
    uint32_t has_obs;
    int64_t decimals;
    struct sink_file file;
    struct gn_msg_obs obs; /* of the newest epoch: signal strengths for GSV */
    struct gn_nmea_text text;
};

static const char *const solution_words[] = {"all", "authenticated", NULL};

static const struct gn_param params[] = {
        GN_PARAM(struct nmea, path, GN_P_PATH, "", NULL, 0, 0, "file to write; - is standard output"),
        GN_PARAM_X("sentences", struct nmea, sentences, GN_P_SET, "", "[GGA, RMC, GSA, GSV, GST]", 0, 0,
                "which sentences", .choices = gn_nmea_names),
        GN_PARAM_X("solution", struct nmea, solution, GN_P_ENUM, "", "all", 0, 0, "which fixes are written",
                .choices = solution_words),
        GN_PARAM(struct nmea, decimals, GN_P_I64, "", "5", 2, 5, "digits of the minutes of arc"),
};

static const struct gn_port ports[] = {
        [IN_FIX] = {.name = "fix", .dir = GN_IN, .schema = &gn_schema_pvt_fix, .doc = "fixes to write"},
        [IN_OBS] = {.name = "obs", .dir = GN_IN, .flags = GN_PORT_OPTIONAL, .schema = &gn_schema_obs,
                .doc = "observations, for the signal strengths of GSV"},
};

static gn_status nmea_start(void *state, const struct gn_host *h)
{
    struct nmea *s = state;
    return sink_open(&s->file, h, s->path);
}

static gn_status write_fix(struct nmea *s, const struct gn_host *h, const struct gn_msg_pvt_fix *fix)
{
    static const uint8_t wanted[] = {GN_SOLUTION_ALL, GN_SOLUTION_AUTHENTICATED};
    if (fix->solution != wanted[s->solution])
        return GN_OK;
    s->text.n = 0;
    gn_nmea_fix(fix, s->has_obs ? &s->obs : NULL, s->sentences, (int)s->decimals, &s->text);
    return sink_write(&s->file, h, s->text.s, s->text.n);
}

static gn_status nmea_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct nmea *s = state;
    /* the observations of an epoch first: they may come after its fix */
    for (uint32_t i = 0; i < w->n_msgs; i++)
        if (w->msgs[i].port == IN_OBS) {
            memcpy(&s->obs, w->msgs[i].data, sizeof s->obs);
            s->has_obs = 1;
        }
    for (uint32_t i = 0; i < w->n_msgs; i++) {
        if (w->msgs[i].port != IN_FIX)
            continue;
        gn_status st = write_fix(s, h, w->msgs[i].data);
        if (st != GN_OK)
            return st;
    }
    return sink_flush(&s->file, h);
}

static gn_status nmea_finish(void *state, const struct gn_host *h)
{
    struct nmea *s = state;
    return sink_finish(&s->file, h);
}

static void nmea_stop(void *state, const struct gn_host *h)
{
    (void)h;
    struct nmea *s = state;
    sink_close(&s->file);
}

const struct gn_block gn_sink_nmea = {
        .name = "sink.nmea",
        .summary = "fixes as NMEA 0183 sentences",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct nmea),
        .flags = GN_BLOCK_BLOCKS,
        .start = nmea_start,
        .work = nmea_work,
        .finish = nmea_finish,
        .stop = nmea_stop,
};
