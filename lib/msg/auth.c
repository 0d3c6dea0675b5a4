/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/msg/auth.h"

#include "gnomon/status.h"

static const struct gn_field answer_fields[] = {
        GN_FIELD(struct gn_msg_auth_answer, coupon, GN_F_U32, ""),
        GN_FIELD_X(struct gn_msg_auth_answer, arch, GN_F_TEXT, "", .count = 24),
        GN_FIELD(struct gn_msg_auth_answer, core_cycles, GN_F_U32, ""),
        GN_FIELD_X(struct gn_msg_auth_answer, model_us, GN_F_F32, "us", .decimals = 3),
};
const struct gn_schema gn_schema_auth_answer = {.name = "gpsauth.answer/1",
        .event = "auth.answer",
        .doc = "a prover answered a challenge",
        .fields = answer_fields,
        .n_fields = GN_COUNT(answer_fields),
        .size = sizeof(struct gn_msg_auth_answer)};

static const struct gn_field result_fields[] = {
        GN_FIELD(struct gn_msg_auth_result, coupon, GN_F_U32, ""),
        GN_FIELD(struct gn_msg_auth_result, peer, GN_F_U16, ""),
        GN_FIELD(struct gn_msg_auth_result, ok, GN_F_BOOL, ""),
        GN_FIELD_X(struct gn_msg_auth_result, reason, GN_F_TEXT, "", .count = 48),
        GN_FIELD_X(struct gn_msg_auth_result, rtt_us, GN_F_F32, "us", .decimals = 1),
        GN_FIELD(struct gn_msg_auth_result, lqi, GN_F_U8, ""),
        GN_FIELD(struct gn_msg_auth_result, c_bits, GN_F_U32, ""),
};
const struct gn_schema gn_schema_auth_result = {.name = "gpsauth.result/1",
        .event = "auth.result",
        .doc = "a verifier's decision about a peer",
        .fields = result_fields,
        .n_fields = GN_COUNT(result_fields),
        .size = sizeof(struct gn_msg_auth_result)};
