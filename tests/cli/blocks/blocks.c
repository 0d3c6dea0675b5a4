/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Blocks that do nothing, with one of each kind of port and parameter: for flowgraphs that are only checked. */
#include "gnomon/block.h"

#include <string.h>

struct state {
    const char *path, *note;
    double rate_hz, length_s, offset;
    int64_t gain;
    uint64_t signals;
    int32_t format;
    uint8_t is_loud;
    struct gn_list map;
};

static gn_status work(void *state, const struct gn_host *h, struct gn_work *w)
{
    (void)state;
    (void)h;
    w->is_done = 1;
    return GN_OK;
}

struct hit {
    double doppler_hz;
};

static const struct gn_field hit_fields[] = {GN_FIELD_X(struct hit, doppler_hz, GN_F_F64, "Hz", .decimals = 1)};
static const struct gn_schema hit = {.name = "test.hit/1", .event = "test.hit", .fields = hit_fields, .n_fields = 1,
        .size = sizeof(struct hit)};
static const struct gn_schema request = {.name = "test.request/1", .fields = hit_fields, .n_fields = 1,
        .size = sizeof(struct hit)};

static const char *const formats[] = {"auto", "ci8", "ci16", NULL};
static const char *const signals[] = {"GPS_L1CA", "GAL_E1", "SBAS_L1", NULL};

static const struct gn_param source_params[] = {
        GN_PARAM_X("path", struct state, path, GN_P_PATH, "", NULL, 0, 0, "file of samples", .flags = 0),
        GN_PARAM_X("rate", struct state, rate_hz, GN_P_F64, "Hz", "auto", 1, 1e9, "samples a second", .flags = GN_PARAM_AUTO),
        GN_PARAM_X("length", struct state, length_s, GN_P_F64, "s", "1 s", 0, 1e6, "how much", .flags = 0),
        GN_PARAM_X("offset", struct state, offset, GN_P_F64, "", "0", -1e-3, 1e-3, "clock error", .flags = 0),
        GN_PARAM(struct state, gain, GN_P_I64, "", "0", 0, 10, "steps of gain"),
        GN_PARAM_X("format", struct state, format, GN_P_ENUM, "", "auto", 0, 0, "kind of samples", .choices = formats),
        GN_PARAM_X("signals", struct state, signals, GN_P_SET, "", "GPS_L1CA,GAL_E1", 0, 0, "what is in it", .choices = signals),
        GN_PARAM_X("loud", struct state, is_loud, GN_P_BOOL, "", "no", 0, 0, "say more", .flags = 0),
        GN_PARAM(struct state, note, GN_P_TEXT, "", "~", 0, 0, "a remark"),
        GN_PARAM(struct state, map, GN_P_LIST, "", "[1, 3, -3, -1]", -127, 127, "value of each code"),
};

static gn_status source_plan(void *state, const struct gn_host *h, struct gn_plan *plan)
{
    const struct state *s = state;

    if (strchr(s->path, '!') != NULL)
        return h->fail(h, GN_E_DATA, "path", "%s is empty", s->path);
    if (s->format > 0)
        plan->out[0].format = s->format == 1 ? GN_FMT_CI8 : GN_FMT_CI16;
    plan->anchor.rate_sps = isnan(s->rate_hz) ? 1e6 : s->rate_hz;
    return GN_OK;
}

static gn_status decimate_plan(void *state, const struct gn_host *h, struct gn_plan *plan)
{
    (void)state;
    (void)h;
    plan->out[0].tick_num = plan->in[0].tick_num * 4;
    return GN_OK;
}

#define IN_STREAM(name_, formats_)  {.name = (name_), .formats = (formats_), .dir = GN_IN}
#define OUT_STREAM(name_, formats_) {.name = (name_), .formats = (formats_), .dir = GN_OUT}
#define IN_MSG(name_, schema_)      {.name = (name_), .schema = (schema_), .dir = GN_IN}
#define OUT_MSG(name_, schema_)     {.name = (name_), .schema = (schema_), .dir = GN_OUT}

static const struct gn_port source_ports[] = {OUT_STREAM("out", "ci8 ci16")};
static const struct gn_port convert_ports[] = {IN_STREAM("in", "ci8 ci16"), OUT_STREAM("out", "cf32")};
static const struct gn_port copy_ports[] = {IN_STREAM("in", "any"), OUT_STREAM("out", "any")};
static const struct gn_port decimate_ports[] = {IN_STREAM("in", "cf32"), OUT_STREAM("out", "cf32")};
static const struct gn_port mix_ports[] = {IN_STREAM("a", "cf32"), IN_STREAM("b", "cf32"), OUT_STREAM("out", "cf32")};
static const struct gn_port sink8_ports[] = {IN_STREAM("in", "ci8")};
static const struct gn_port sinkf_ports[] = {IN_STREAM("in", "cf32")};
static const struct gn_port search_ports[] = {IN_STREAM("iq", "ci8 ci16 cf32"),
        {.name = "requests", .schema = &request, .dir = GN_IN, .flags = GN_PORT_OPTIONAL}, OUT_MSG("hits", &hit)};
static const struct gn_port late_ports[] = {IN_STREAM("iq", "ci8 ci16 cf32"),
        {.name = "requests", .schema = &request, .dir = GN_IN, .flags = GN_PORT_OPTIONAL},
        {.name = "hits", .schema = &hit, .dir = GN_OUT, .delay_s = 0.01}};
static const struct gn_port manage_ports[] = {IN_MSG("hits", &hit), OUT_MSG("requests", &request)};
static const struct gn_port pair_ports[] = {IN_MSG("hits", &hit), OUT_MSG("good", &hit), OUT_MSG("bad", &hit)};
static const struct gn_port log_ports[] = {{.name = "in", .dir = GN_IN}};

#define BLOCK(var_, name_, ports_, ...)                                                                          \
    static const struct gn_block var_ = {.name = (name_), .summary = "for tests", .ports = (ports_),             \
            .n_ports = GN_COUNT(ports_), .state_size = sizeof(struct state), .work = work, __VA_ARGS__}

BLOCK(source, "test.source", source_ports, .params = source_params, .n_params = GN_COUNT(source_params),
        .plan = source_plan);
BLOCK(convert, "test.convert", convert_ports, .n_params = 0);
BLOCK(convert2, "test.convert_fast", convert_ports, .impl_of = "test.convert");
BLOCK(copy, "test.copy", copy_ports, .n_params = 0);
BLOCK(decimate, "test.decimate", decimate_ports, .plan = decimate_plan);
BLOCK(mix, "test.mix", mix_ports, .n_params = 0);
BLOCK(sink8, "test.sink8", sink8_ports, .n_params = 0);
BLOCK(sinkf, "test.sinkf", sinkf_ports, .n_params = 0);
BLOCK(search, "test.search", search_ports, .n_params = 0);
BLOCK(late, "test.late", late_ports, .n_params = 0);
BLOCK(manage, "test.manage", manage_ports, .n_params = 0);
BLOCK(pair, "test.pair", pair_ports, .n_params = 0);
BLOCK(log_block, "test.log", log_ports, .n_params = 0);

static const struct gn_block *const blocks[] = {&source, &convert, &convert2, &copy, &decimate, &mix, &sink8, &sinkf,
        &search, &late, &manage, &pair, &log_block};

GN_PLUGIN("test", "0.1.0", "GPL-3.0-or-later", blocks);
