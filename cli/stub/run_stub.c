/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Stands in while core/run has no sources: check, list and inspect work, run says so. */
#include "core/run/run.h"

gn_status gn_run_new(struct gn_graph *graph, const struct gn_run_config *config, struct gn_run **ret,
        struct gn_error *err)
{
    (void)graph;
    (void)config;
    (void)ret;
    *err = (struct gn_error){.status = GN_E_INTERNAL, .text = "this build has no runtime"};
    return GN_E_INTERNAL;
}

gn_status gn_run_start(struct gn_run *run, struct gn_error *err)
{
    (void)run;
    (void)err;
    return GN_E_INTERNAL;
}

bool gn_run_wait(struct gn_run *run, double timeout_s)
{
    (void)run;
    (void)timeout_s;
    return true;
}

void gn_run_interrupt(struct gn_run *run)
{
    (void)run;
}

void gn_run_progress(const struct gn_run *run, struct gn_run_progress *ret)
{
    (void)run;
    (void)ret;
}

const struct gn_run_result *gn_run_result(const struct gn_run *run)
{
    (void)run;
    return NULL;
}

size_t gn_run_ring_bytes(const struct gn_graph *graph, const struct gn_run_config *config)
{
    (void)graph;
    (void)config;
    return 0;
}

size_t gn_run_edge_bytes(const struct gn_graph *graph, const struct gn_run_config *config, uint32_t i_edge)
{
    (void)graph;
    (void)config;
    (void)i_edge;
    return 0;
}

void gn_run_free(struct gn_run *run)
{
    (void)run;
}
