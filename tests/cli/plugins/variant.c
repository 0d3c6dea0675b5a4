/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* One plugin in many broken forms, chosen by VARIANT. */
#include "gnomon/block.h"

static gn_status work(void *state, const struct gn_host *h, struct gn_work *w)
{
    (void)state;
    (void)h;
    w->is_done = 1;
    return GN_OK;
}

static const struct gn_port ports[] = {{.name = "out", .formats = "ci8", .dir = GN_OUT}};

struct state {
    double gain;
};

static const struct gn_param params[] = {
        GN_PARAM(struct state, gain, GN_P_F64, "", "1", 0, 0, "a factor"),
};

#ifndef NAME
#define NAME "good.source"
#endif
#ifndef STATE_SIZE
#define STATE_SIZE sizeof(struct state)
#endif
#ifndef WORK
#define WORK work
#endif
static const struct gn_block source = {.name = NAME, .summary = "for tests", .ports = ports, .n_ports = 1,
        .params = params, .n_params = 1, .state_size = STATE_SIZE, .work = WORK};

#ifdef UNDEFINED
extern void function_nobody_has(void);
void (*const keeps_it)(void);
void (*const keeps_it)(void) = function_nobody_has;
#endif

#ifndef ABI
#define ABI GN_ABI_MAJOR
#endif
#ifndef SIZE
#define SIZE sizeof(struct gn_plugin)
#endif
#ifndef BLOCK_SIZE
#define BLOCK_SIZE sizeof(struct gn_block)
#endif
#ifndef N_BLOCKS
#define N_BLOCKS 1
#endif
static const struct gn_block *const blocks[] = {&source};

#ifndef NO_SYMBOL
GN_EXPORT extern const struct gn_plugin gn_plugin;
const struct gn_plugin gn_plugin = {SIZE, ABI, GN_ABI_MINOR, BLOCK_SIZE, sizeof(struct gn_port), sizeof(struct gn_param),
        sizeof(struct gn_schema), sizeof(struct gn_field), "variant", "0.1.0", "ISC", blocks, NULL, N_BLOCKS, 0};
#endif
