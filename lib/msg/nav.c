/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/msg/nav.h"

#include "gnomon/status.h"
#include "lib/gnss/signal.h"

#define SIGNAL(struct_)                                                                            \
    GN_FIELD_X(struct_, signal, GN_F_ENUM, "", .names = gn_signal_names, .n_names = GN_SIG_COUNT)

static const char *const page_kind_names[GN_PAGE_KIND_COUNT] = {
        NULL, "lnav_subframe", "inav_page", "sbas_message"};

static const struct gn_field page_fields[] = {
        SIGNAL(struct gn_msg_page),
        GN_FIELD(struct gn_msg_page, prn, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_page, channel, GN_F_U8, ""),
        GN_FIELD_X(struct gn_msg_page, kind, GN_F_ENUM, "", .names = page_kind_names,
                .n_names = GN_PAGE_KIND_COUNT),
        GN_FIELD(struct gn_msg_page, word_type, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_page, time_ok, GN_F_BOOL, ""),
        GN_FIELD(struct gn_msg_page, from_e5b, GN_F_BOOL, ""),
        GN_FIELD(struct gn_msg_page, words_ok, GN_F_BOOL, ""),
        GN_FIELD(struct gn_msg_page, wn, GN_F_I32, "wk"),
        GN_FIELD_X(struct gn_msg_page, tow_s, GN_F_F64, "s", .decimals = 3),
        GN_FIELD(struct gn_msg_page, symbol, GN_F_U64, ""),
        GN_FIELD_X(struct gn_msg_page, bits, GN_F_HEX, "",
                .count = sizeof(((struct gn_msg_page *)0)->bits)),
};
const struct gn_schema gn_schema_page = {.name = "nav.page/1",
        .doc = "a checked sub-frame, page or message",
        .fields = page_fields,
        .n_fields = GN_COUNT(page_fields),
        .size = sizeof(struct gn_msg_page)};

static const struct gn_field time_fields[] = {
        SIGNAL(struct gn_msg_nav_time),
        GN_FIELD(struct gn_msg_nav_time, prn, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_nav_time, channel, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_nav_time, valid, GN_F_BOOL, ""),
        GN_FIELD(struct gn_msg_nav_time, life, GN_F_U32, ""),
        GN_FIELD(struct gn_msg_nav_time, symbol, GN_F_U64, ""),
        GN_FIELD(struct gn_msg_nav_time, wn, GN_F_I32, "wk"),
        GN_FIELD_X(struct gn_msg_nav_time, tow_s, GN_F_F64, "s", .decimals = 3),
};
const struct gn_schema gn_schema_nav_time = {.name = "nav.time/1",
        .doc = "when a symbol of a channel was sent",
        .fields = time_fields,
        .n_fields = GN_COUNT(time_fields),
        .size = sizeof(struct gn_msg_nav_time)};

const char *const gn_eph_source_names[] = {
        NULL, "lnav", "inav", "inav_rs", "inav_reduced", "rinex"};

/* the log's "week" is unknown, not -1, without a week era */
#define EPH(name_, member_, type_, unit_, ...)                                                     \
    {                                                                                              \
        .name = (name_), .unit = (unit_), .type = (type_),                                         \
        .offset = (uint32_t)offsetof(struct gn_msg_ephemeris, eph.member_), __VA_ARGS__            \
    }

static const struct gn_field ephemeris_fields[] = {
        EPH("signal", signal, GN_F_ENUM, "", .names = gn_signal_names, .n_names = GN_SIG_COUNT),
        EPH("prn", prn, GN_F_U8, "", .decimals = 0),
        EPH("week", week, GN_F_I32, "wk", .decimals = 0),
        EPH("toe_s", toe_s, GN_F_F64, "s", .decimals = 0),
        EPH("iod", iode, GN_F_U16, "", .decimals = 0),
        EPH("health", health, GN_F_U8, "", .decimals = 0),
        EPH("source", source, GN_F_ENUM, "", .names = gn_eph_source_names,
                .n_names = GN_COUNT(gn_eph_source_names)),
};
const struct gn_schema gn_schema_ephemeris = {.name = "nav.ephemeris/1",
        .event = "nav.ephemeris",
        .doc = "orbit and clock of a satellite are complete",
        .fields = ephemeris_fields,
        .n_fields = GN_COUNT(ephemeris_fields),
        .size = sizeof(struct gn_msg_ephemeris)};

static const char *const model_kind_names[GN_MODEL_KIND_COUNT] = {
        NULL, "klobuchar", "nequick", "utc", "ggto"};

static const struct gn_field model_fields[] = {
        SIGNAL(struct gn_msg_nav_model),
        GN_FIELD(struct gn_msg_nav_model, prn, GN_F_U8, ""),
        GN_FIELD_X(struct gn_msg_nav_model, kind, GN_F_ENUM, "", .names = model_kind_names,
                .n_names = GN_MODEL_KIND_COUNT),
        GN_FIELD_X(struct gn_msg_nav_model, v, GN_F_F64, "", .count = 8, .decimals = 17),
        GN_FIELD_X(struct gn_msg_nav_model, tow_s, GN_F_F64, "s", .decimals = 3),
        GN_FIELD(struct gn_msg_nav_model, wn, GN_F_I32, "wk"),
};
const struct gn_schema gn_schema_nav_model = {.name = "nav.model/1",
        .doc = "system-wide parameters as broadcast",
        .fields = model_fields,
        .n_fields = GN_COUNT(model_fields),
        .size = sizeof(struct gn_msg_nav_model)};
