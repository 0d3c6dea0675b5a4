/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A plugin of a later minor version: each record has grown by 16 bytes this program does not know. */
#include "gnomon/block.h"

struct wide_field {
    struct gn_field f;
    uint64_t more[2];
};
struct wide_schema {
    struct gn_schema s;
    uint64_t more[2];
};
struct wide_port {
    struct gn_port p;
    uint64_t more[2];
};
struct wide_param {
    struct gn_param p;
    uint64_t more[2];
};
struct wide_block {
    struct gn_block b;
    uint64_t more[2];
};

struct state {
    int64_t first, second;
};

struct record {
    uint32_t a, b;
};

static gn_status work(void *state, const struct gn_host *h, struct gn_work *w)
{
    (void)state;
    (void)h;
    w->is_done = 1;
    return GN_OK;
}

#define JUNK {UINT64_MAX, UINT64_MAX}

static const struct wide_field fields[] = {
        {GN_FIELD(struct record, a, GN_F_U32, ""), JUNK}, {GN_FIELD(struct record, b, GN_F_U32, ""), JUNK}};
static const struct wide_schema schema = {{.name = "wide.record/1", .event = "wide.record", .fields = &fields[0].f,
                                                  .n_fields = 2, .size = sizeof(struct record)}, JUNK};
static const struct wide_port ports[] = {{{.name = "out", .formats = "ci8", .dir = GN_OUT}, JUNK},
        {{.name = "records", .schema = &schema.s, .dir = GN_OUT}, JUNK}};
static const struct wide_param params[] = {
        {GN_PARAM(struct state, first, GN_P_I64, "", "1", 0, 9, "the first"), JUNK},
        {GN_PARAM(struct state, second, GN_P_I64, "", "2", 0, 9, "the second"), JUNK}};
static const struct wide_block block = {{.name = "wide.source", .summary = "for tests", .ports = &ports[0].p, .n_ports = 2,
                                                .params = &params[0].p, .n_params = 2, .state_size = sizeof(struct state),
                                                .work = work}, JUNK};
static const struct gn_block *const blocks[] = {&block.b};

GN_EXPORT extern const struct gn_plugin gn_plugin;
const struct gn_plugin gn_plugin = {sizeof(struct gn_plugin), GN_ABI_MAJOR, GN_ABI_MINOR + 1, sizeof(struct wide_block),
        sizeof(struct wide_port), sizeof(struct wide_param), sizeof(struct wide_schema), sizeof(struct wide_field), "wide",
        "0.1.0", "ISC", blocks, NULL, 1, 0};
