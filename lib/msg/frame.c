/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/msg/frame.h"

#include "gnomon/status.h"

static const struct gn_field frame_fields[] = {
        GN_FIELD_X(struct gn_msg_frame, psdu, GN_F_HEX, "", .count = GN_PSDU_MAX,
                .n_offset_plus1 = 1 + offsetof(struct gn_msg_frame, n)),
        GN_FIELD(struct gn_msg_frame, fcs_ok, GN_F_BOOL, ""),
        GN_FIELD(struct gn_msg_frame, lqi, GN_F_U8, ""),
        GN_FIELD_X(struct gn_msg_frame, cfo_hz, GN_F_F32, "Hz", .decimals = 1),
        GN_FIELD_X(struct gn_msg_frame, snr_db, GN_F_F32, "dB", .decimals = 2),
        GN_FIELD_X(struct gn_msg_frame, sfo_ppm, GN_F_F32, "[ppm]", .decimals = 1),
        GN_FIELD_X(struct gn_msg_frame, power_dbfs, GN_F_F32, "dB", .decimals = 2),
        GN_FIELD(struct gn_msg_frame, end_sample, GN_F_U64, ""),
        GN_FIELD_X(struct gn_msg_frame, node, GN_F_U8, "", .flags = GN_F_HIDDEN),
};
const struct gn_schema gn_schema_frame = {.name = "modem.frame/1",
        .event = "frame",
        .doc = "an IEEE 802.15.4 frame",
        .fields = frame_fields,
        .n_fields = GN_COUNT(frame_fields),
        .size = sizeof(struct gn_msg_frame)};

static const struct gn_field sent_fields[] = {
        GN_FIELD_X(struct gn_msg_frame, psdu, GN_F_HEX, "", .count = GN_PSDU_MAX,
                .n_offset_plus1 = 1 + offsetof(struct gn_msg_frame, n)),
        GN_FIELD(struct gn_msg_frame, node, GN_F_U8, ""),
};
const struct gn_schema gn_schema_frame_sent = {.name = "modem.frame_sent/1",
        .event = "frame.sent",
        .doc = "an IEEE 802.15.4 frame to be sent",
        .fields = sent_fields,
        .n_fields = GN_COUNT(sent_fields),
        .size = sizeof(struct gn_msg_frame)};

static const char *const packet_states[GN_PACKET_STATE_COUNT] = {
        "data", "sent", "no_ack", "busy", "refused"};

static const struct gn_field packet_fields[] = {
        GN_FIELD_X(struct gn_msg_packet, state, GN_F_ENUM, "", .names = packet_states,
                .n_names = GN_PACKET_STATE_COUNT),
        GN_FIELD(struct gn_msg_packet, pan, GN_F_U16, ""),
        GN_FIELD(struct gn_msg_packet, src, GN_F_U16, ""),
        GN_FIELD(struct gn_msg_packet, dst, GN_F_U16, ""),
        GN_FIELD(struct gn_msg_packet, handle, GN_F_U32, ""),
        GN_FIELD(struct gn_msg_packet, lqi, GN_F_U8, ""),
        GN_FIELD_X(struct gn_msg_packet, bytes, GN_F_HEX, "", .count = GN_PACKET_MAX,
                .n_offset_plus1 = 1 + offsetof(struct gn_msg_packet, n)),
};
const struct gn_schema gn_schema_packet = {.name = "modem.packet/1",
        .event = "packet",
        .doc = "bytes from one node to another",
        .fields = packet_fields,
        .n_fields = GN_COUNT(packet_fields),
        .size = sizeof(struct gn_msg_packet)};
