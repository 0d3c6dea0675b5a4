/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/msg/guard.h"

#include "gnomon/status.h"
#include "lib/gnss/signal.h"

const char *const gn_guard_names[GN_GUARD_KIND_COUNT] = {NULL, "second-peak", "clock-jump",
        "cn0-jump", "level-jump", "data-change", "position-apart", "jamming", "forged"};

static const struct gn_field fields[] = {
        GN_FIELD_X(struct gn_msg_guard, kind, GN_F_ENUM, "", .names = gn_guard_names,
                .n_names = GN_GUARD_KIND_COUNT),
        {.name = "on",
                .unit = "",
                .type = GN_F_BOOL,
                .offset = (uint32_t)offsetof(struct gn_msg_guard, is_on)},
        {.name = "spoofing",
                .unit = "",
                .type = GN_F_BOOL,
                .offset = (uint32_t)offsetof(struct gn_msg_guard, is_spoofing)},
        GN_FIELD_X(struct gn_msg_guard, signal, GN_F_ENUM, "", .names = gn_signal_names,
                .n_names = GN_SIG_COUNT),
        GN_FIELD(struct gn_msg_guard, prn, GN_F_U8, ""),
        GN_FIELD_X(struct gn_msg_guard, value, GN_F_F64, "", .decimals = 3),
        GN_FIELD_X(struct gn_msg_guard, limit, GN_F_F64, "", .decimals = 3),
};

const struct gn_schema gn_schema_guard = {.name = "guard.alarm/1",
        .event = "guard.alarm",
        .doc = "the signals do not behave as satellites do",
        .fields = fields,
        .n_fields = GN_COUNT(fields),
        .size = sizeof(struct gn_msg_guard)};
