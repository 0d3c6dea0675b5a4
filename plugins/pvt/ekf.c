/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* pvt.ekf: messages only. Epochs fall on round GPS seconds; each is worked off 100 ms later, when the
 * observations on both of its sides are here. */
#include "lib/pvt/engine.h"
#include "plugins/pvt/blocks.h"

#include <string.h>

enum { IN_OBS, IN_TIMES, IN_EPH, IN_MODELS, IN_VERDICTS, IN_ALARMS, OUT_FIX, OUT_OBS, OUT_STATE };
enum { DATA_ALL, DATA_AUTHENTICATED };
enum { IONO_OFF, IONO_AUTO, IONO_KLOBUCHAR, IONO_NTCM, IONO_NEQUICK };

struct ekf {
    int32_t data, ionosphere, troposphere, dynamics;
    int64_t rate_hz;
    double elevation_mask_deg;
    uint32_t has_told_apart;
    struct gn_engine engine;
};

static const char *const data_words[] = {"all", "authenticated", NULL};
static const char *const iono_words[] = {"off", "auto", "klobuchar", "ntcm", "nequick", NULL};
static const char *const switch_words[] = {"off", "on", NULL};
static const char *const dynamics_words[] = {"static", "car", "dynamic", NULL};

static const struct gn_param params[] = {
        GN_PARAM_X("data", struct ekf, data, GN_P_ENUM, "", "all", 0, 0,
                "which solutions are sent: both, or only the one from authenticated data",
                .choices = data_words),
        GN_PARAM_X("ionosphere", struct ekf, ionosphere, GN_P_ENUM, "", "auto", 0, 0,
                "ionosphere model; auto takes Klobuchar, else NTCM-G, as soon as parameters were received",
                .choices = iono_words),
        GN_PARAM_X("troposphere", struct ekf, troposphere, GN_P_ENUM, "", "on", 0, 0,
                "troposphere model", .choices = switch_words),
        GN_PARAM_X("dynamics", struct ekf, dynamics, GN_P_ENUM, "", "static", 0, 0,
                "how the receiver usually moves; harder motion is followed too, with more noise",
                .choices = dynamics_words),
        GN_PARAM_X("rate", struct ekf, rate_hz, GN_P_I64, "Hz", "1", 1, 10,
                "fixes per second: 1, 2, 5 or 10", .flags = 0),
        GN_PARAM_X("elevation_mask", struct ekf, elevation_mask_deg, GN_P_F64, "deg", "5", -90, 90,
                "satellites below are left out once there is a position", .flags = 0),
};

static const struct gn_port ports[] = {
        [IN_OBS] = {.name = "observations", .dir = GN_IN, .schema = &gn_schema_track_obs,
                .doc = "code and carrier of the channels, every 100 ms"},
        [IN_TIMES] = {.name = "times", .dir = GN_IN, .schema = &gn_schema_nav_time,
                .doc = "when a symbol of a channel was sent"},
        [IN_EPH] = {.name = "ephemerides", .dir = GN_IN, .schema = &gn_schema_ephemeris,
                .doc = "orbits and clocks"},
        [IN_MODELS] = {.name = "models", .dir = GN_IN, .flags = GN_PORT_OPTIONAL,
                .schema = &gn_schema_nav_model, .doc = "ionosphere and UTC parameters"},
        [IN_VERDICTS] = {.name = "verdicts", .dir = GN_IN, .flags = GN_PORT_OPTIONAL,
                .schema = &gn_schema_osnma_data, .doc = "which ephemeris contents are authentic"},
        [IN_ALARMS] = {.name = "alarms", .dir = GN_IN, .flags = GN_PORT_OPTIONAL,
                .schema = &gn_schema_guard, .doc = "what a guard of the signals suspects"},
        [OUT_FIX] = {.name = "fix", .dir = GN_OUT, .schema = &gn_schema_pvt_fix, .n_msgs_max = 64,
                .doc = "position, velocity, clock; one message per solution and epoch"},
        [OUT_OBS] = {.name = "obs", .dir = GN_OUT, .schema = &gn_schema_obs, .n_msgs_max = 32,
                .doc = "observations of one receive time"},
        [OUT_STATE] = {.name = "state", .dir = GN_OUT, .schema = &gn_schema_fix_state,
                .n_msgs_max = 32, .delay_s = 0.1,
                .doc = "where and when the receiver is, for whoever plans the search"},
};

static gn_status ekf_start(void *state, const struct gn_host *h)
{
    struct ekf *s = state;
    if (s->rate_hz != 1 && s->rate_hz != 2 && s->rate_hz != 5 && s->rate_hz != 10)
        return h->fail(h, GN_E_ARG, "rate", "rate must be 1, 2, 5 or 10 fixes per second");
    if (s->ionosphere == IONO_NEQUICK)
        return h->fail(h, GN_E_ARG, "ionosphere",
                "NeQuick-G needs the CCIR coefficient tables, which this build does not carry; ntcm uses "
                "the same broadcast parameters");
    if (h->anchor == NULL || !(h->anchor->rate_sps > 0))
        return h->fail(h, GN_E_ARG, "observations", "positions need a source with a sample clock");
    static const enum gn_iono_mode modes[] = {
            GN_IONO_OFF, GN_IONO_AUTO, GN_IONO_KLOBUCHAR, GN_IONO_NTCM};
    const struct gn_engine_config config = {.rate_sps = h->anchor->rate_sps,
            .epochs_per_s = (uint32_t)s->rate_hz, .iono = modes[s->ionosphere],
            .tropo = s->troposphere != 0, .dynamics = (enum gn_dynamics)s->dynamics,
            .mask_rad = s->elevation_mask_deg * (3.14159265358979323846 / 180),
            .anchor = h->anchor};
    gn_engine_init(&s->engine, &config);
    return GN_OK;
}

static void take(struct gn_engine *g, const struct gn_msg *m)
{
    switch (m->port) {
    case IN_OBS:
        gn_observe_obs(&g->observe, m->index, m->data);
        break;
    case IN_TIMES:
        gn_observe_time(&g->observe, m->data);
        break;
    case IN_EPH:
        gn_shelf_put(&g->shelf, &((const struct gn_msg_ephemeris *)m->data)->eph);
        break;
    case IN_MODELS:
        gn_engine_model(g, m->data);
        break;
    case IN_VERDICTS:
        gn_trust_take(&g->trust, m->data);
        break;
    case IN_ALARMS:
        gn_engine_alarm(g, m->data);
        break;
    default:
        break;
    }
}

static void send(struct ekf *s, const struct gn_host *h, const struct gn_engine_out *out, uint64_t at)
{
    enum gn_solution leading =
            s->data == DATA_AUTHENTICATED ? GN_SOLUTION_AUTHENTICATED : GN_SOLUTION_ALL;
    if (out->has_obs) {
        gn_engine_obs(&s->engine, h->msg_new(h, OUT_OBS));
        h->msg_send(h, OUT_OBS, out->index, at);
    }
    if (out->has_all && s->data == DATA_ALL) {
        gn_engine_fix(&s->engine, GN_SOLUTION_ALL, h->msg_new(h, OUT_FIX));
        h->msg_send(h, OUT_FIX, out->index, at);
    }
    if (out->has_authentic) {
        gn_engine_fix(&s->engine, GN_SOLUTION_AUTHENTICATED, h->msg_new(h, OUT_FIX));
        h->msg_send(h, OUT_FIX, out->index, at);
    }
    gn_engine_state(&s->engine, leading, h->msg_new(h, OUT_STATE));
    h->msg_send(h, OUT_STATE, out->index, at);
}

/* No sky does this: two recordings summed, a repeater, or one system is forged. */
static void tell_apart(struct ekf *s, const struct gn_host *h)
{
    double ahead_s = s->engine.observe.galileo_ahead_s;
    if (s->has_told_apart || (ahead_s < 1e-3 && ahead_s > -1e-3))
        return;
    s->has_told_apart = 1;
    h->log(h, GN_LOG_WARN, "Galileo time is about %.3f s ahead of GPS time; each system is used in its own time",
            ahead_s);
}

static void run(struct ekf *s, const struct gn_host *h, uint64_t at, bool flush)
{
    struct gn_engine_out out;
    while (gn_engine_step(&s->engine, flush, &out)) {
        tell_apart(s, h);
        send(s, h, &out, at);
        gn_engine_done(&s->engine);
    }
}

static gn_status ekf_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct ekf *s = state;
    for (uint32_t i = 0; i < w->n_msgs; i++)
        take(&s->engine, &w->msgs[i]);
    run(s, h, w->now, false);
    return GN_OK;
}

static gn_status ekf_finish(void *state, const struct gn_host *h)
{
    struct ekf *s = state;
    run(s, h, s->engine.observe.newest, true);
    return GN_OK;
}

const struct gn_block gn_pvt_ekf = {
        .name = "pvt.ekf",
        .summary = "position, velocity and clock by an extended Kalman filter, with RAIM and trust",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct ekf),
        .start = ekf_start,
        .work = ekf_work,
        .finish = ekf_finish,
};
