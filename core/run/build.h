/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Shared by the files that make a run. Private to core/run. */
#ifndef GN_RUN_BUILD_H
#define GN_RUN_BUILD_H

#include "core/run/inst.h"

/* build.c */
gn_status gn_rt_no_memory(struct gn_error *err);
gn_status gn_rt_refuse(struct gn_error *err, gn_status st, const char *name, const char *what);
bool gn_rt_is_stream(const struct gn_port *p);
bool gn_rt_has_tap(const struct gn_run *run);
bool gn_rt_is_heard(const struct gn_run *run, const struct gn_port *p); /* by the event log */
struct gn_rt_inst *gn_rt_first_of(struct gn_run *run, uint32_t i_node);
/* edges.c */
gn_status gn_rt_make_rings(struct gn_run *run, struct gn_error *err);
gn_status gn_rt_join_streams(struct gn_run *run, struct gn_error *err);
gn_status gn_rt_make_logs(struct gn_run *run, struct gn_error *err);
bool gn_rt_join_messages(struct gn_run *run, uint32_t *next_reader); /* [n_logs] readers given out so far */
/* settle.c */
gn_status gn_rt_settle(struct gn_run *run, struct gn_error *err);
/* bytes.c */
uint32_t gn_rt_item_bytes(uint32_t format); /* 0: no such format */
size_t gn_rt_ring_bytes(const struct gn_graph *g, const struct gn_anchor *anchor, uint32_t n_item_bytes);

#endif
