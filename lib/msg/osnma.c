/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/msg/osnma.h"

#include "gnomon/status.h"

/* index is a gn_verdict */
static const char *const verdict_names[] = {"undecided", "authentic", "forged"};

#define VERDICT(struct_)                                                                           \
    GN_FIELD_X(struct_, verdict, GN_F_ENUM, "", .names = verdict_names,                            \
            .n_names = GN_COUNT(verdict_names))
#define GST(struct_) GN_FIELD(struct_, wn, GN_F_U32, "wk"), GN_FIELD(struct_, tow, GN_F_U32, "s")

static const struct gn_field tag_fields[] = {
        GST(struct gn_msg_osnma_tag),
        GN_FIELD(struct gn_msg_osnma_tag, prn_a, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_osnma_tag, prn_d, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_osnma_tag, adkd, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_osnma_tag, ctr, GN_F_U8, ""),
        VERDICT(struct gn_msg_osnma_tag),
        GN_FIELD_X(struct gn_msg_osnma_tag, reason, GN_F_TEXT, "", .count = GN_OSNMA_REASON),
        GN_FIELD_X(struct gn_msg_osnma_tag, data, GN_F_TEXT, "", .count = 9),
};
const struct gn_schema gn_schema_osnma_tag = {.name = "osnma.tag/1", .event = "osnma.tag",
        .doc = "a tag was checked, or why it could not be", .fields = tag_fields,
        .n_fields = GN_COUNT(tag_fields), .size = sizeof(struct gn_msg_osnma_tag)};

static const struct gn_field data_fields[] = {
        GN_FIELD(struct gn_msg_osnma_data, prn, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_osnma_data, adkd, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_osnma_data, iod, GN_F_U16, ""),
        GN_FIELD(struct gn_msg_osnma_data, bits, GN_F_U16, "bit"),
        GN_FIELD_X(struct gn_msg_osnma_data, data, GN_F_TEXT, "", .count = 9),
        GN_FIELD(struct gn_msg_osnma_data, authentic, GN_F_BOOL, ""),
        GN_FIELD(struct gn_msg_osnma_data, time_trusted, GN_F_BOOL, ""),
        GN_FIELD(struct gn_msg_osnma_data, forged, GN_F_BOOL, ""),
        GST(struct gn_msg_osnma_data),
        GN_FIELD_X(struct gn_msg_osnma_data, content_bits, GN_F_U16, "bit", .flags = GN_F_HIDDEN),
        GN_FIELD_X(struct gn_msg_osnma_data, content, GN_F_HEX, "", .flags = GN_F_HIDDEN,
                .count = sizeof((struct gn_msg_osnma_data){0}.content)),
};
const struct gn_schema gn_schema_osnma_data = {.name = "osnma.data/1", .event = "osnma.data",
        .doc = "navigation data that may be relied on", .fields = data_fields,
        .n_fields = GN_COUNT(data_fields), .size = sizeof(struct gn_msg_osnma_data)};

static const struct gn_field key_fields[] = {
        GST(struct gn_msg_osnma_key),
        GN_FIELD(struct gn_msg_osnma_key, cid, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_osnma_key, pkid, GN_F_U8, ""),
        VERDICT(struct gn_msg_osnma_key),
        GN_FIELD(struct gn_msg_osnma_key, steps, GN_F_U32, ""),
        GN_FIELD_X(struct gn_msg_osnma_key, reason, GN_F_TEXT, "", .count = GN_OSNMA_REASON),
};
const struct gn_schema gn_schema_osnma_key = {.name = "osnma.key/1", .event = "osnma.key",
        .doc = "a TESLA key was checked against its chain", .fields = key_fields,
        .n_fields = GN_COUNT(key_fields), .size = sizeof(struct gn_msg_osnma_key)};
const struct gn_schema gn_schema_osnma_kroot = {.name = "osnma.kroot/1", .event = "osnma.kroot",
        .doc = "a signed root key (DSM-KROOT) was checked", .fields = key_fields,
        .n_fields = GN_COUNT(key_fields), .size = sizeof(struct gn_msg_osnma_key)};
const struct gn_schema gn_schema_osnma_pkr = {.name = "osnma.pkr/1", .event = "osnma.pkr",
        .doc = "a public key (DSM-PKR) was checked against the Merkle root", .fields = key_fields,
        .n_fields = GN_COUNT(key_fields), .size = sizeof(struct gn_msg_osnma_key)};
const struct gn_schema gn_schema_osnma_oam = {.name = "osnma.oam/1", .event = "osnma.oam",
        .doc = "an OSNMA alert message was checked", .fields = key_fields,
        .n_fields = GN_COUNT(key_fields), .size = sizeof(struct gn_msg_osnma_key)};

static const struct gn_field status_fields[] = {
        GST(struct gn_msg_osnma_status),
        GN_FIELD(struct gn_msg_osnma_status, nmas, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_osnma_status, cid, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_osnma_status, cpks, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_osnma_status, authenticated, GN_F_BOOL, ""),
        GN_FIELD_X(struct gn_msg_osnma_status, state, GN_F_TEXT, "", .count = GN_OSNMA_REASON),
};
const struct gn_schema gn_schema_osnma_status = {.name = "osnma.status/1",
        .event = "osnma.status", .doc = "state of the service as far as it is known",
        .fields = status_fields, .n_fields = GN_COUNT(status_fields),
        .size = sizeof(struct gn_msg_osnma_status)};

#define TIME(f, t, u) GN_FIELD(struct gn_msg_osnma_time, f, t, u)
static const struct gn_field time_fields[] = {
        GST(struct gn_msg_osnma_time),
        TIME(prn, GN_F_U8, ""),
        TIME(has_ggto, GN_F_BOOL, ""),
        TIME(leap_s, GN_F_I32, "s"),
        TIME(leap_next_s, GN_F_I32, "s"),
        TIME(leap_wn8, GN_F_U8, ""),
        TIME(leap_dn, GN_F_U8, ""),
        TIME(utc_wn8, GN_F_U8, ""),
        TIME(ggto_wn6, GN_F_U8, ""),
        TIME(utc_t0_s, GN_F_U32, "s"),
        TIME(ggto_t0_s, GN_F_U32, "s"),
        TIME(utc_a0_s, GN_F_F64, "s"),
        TIME(utc_a1_sps, GN_F_F64, ""),
        TIME(ggto_a0_s, GN_F_F64, "s"),
        TIME(ggto_a1_sps, GN_F_F64, ""),
        GN_FIELD_X(struct gn_msg_osnma_time, data, GN_F_TEXT, "", .count = 9),
};
#undef TIME
const struct gn_schema gn_schema_osnma_time = {.name = "osnma.time/1", .event = "osnma.time",
        .doc = "authenticated UTC and GGTO parameters", .fields = time_fields,
        .n_fields = GN_COUNT(time_fields), .size = sizeof(struct gn_msg_osnma_time)};
