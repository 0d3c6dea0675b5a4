/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Positioning without a host: messages in, fixes out. The block pvt.ekf is a thin coat around it.
 * [stream], state is the caller's; nothing is allocated. */
#ifndef GN_PVT_ENGINE_H
#define GN_PVT_ENGINE_H

#include "gnomon/block.h"
#include "lib/msg/guard.h"
#include "lib/pvt/filter.h"
#include "lib/pvt/normal.h"
#include "lib/pvt/observe.h"
#include "lib/pvt/shelf.h"
#include "lib/pvt/trust.h"

struct gn_engine_config {
    double rate_sps;
    uint32_t epochs_per_s;       /* 1, 2, 5, 10 */
    enum gn_iono_mode iono;
    bool tropo;
    enum gn_dynamics dynamics;
    double mask_rad;
    const struct gn_anchor *anchor; /* may be NULL: the receiver clock then counts from the first fix */
};

struct gn_engine_track { /* one solution: `all` or `authenticated` */
    struct gn_filter filter;
    int64_t last_epoch;          /* of its last update */
    bool has_last;
    int n_meas;
    struct gn_pvt_meas meas[GN_PVT_MEAS_MAX];
    struct gn_filter_result result;
};

struct gn_engine {
    struct gn_engine_config config;
    struct gn_observe observe;
    struct gn_shelf shelf;
    struct gn_trust_store trust;
    struct gn_pvt_air air;
    double utc[8];
    bool has_utc;
    double first_tick0;          /* origin of the free clock at the first fix */
    bool had_fix;
    int64_t suspect_until;       /* epoch */
    uint32_t alarms;             /* by enum gn_guard_kind: raised from outside, and about spoofing */
    struct gn_engine_track all, authentic;
    struct gn_observed_epoch epoch;
    uint8_t n_rejected[2][GN_SHELF_PRNS]; /* epochs in a row: GPS, Galileo */
};

/* What an epoch gave. */
struct gn_engine_out {
    bool has_obs, has_all, has_authentic;
    uint64_t index;              /* tick of the epoch */
};

void gn_engine_init(struct gn_engine *g, const struct gn_engine_config *config);

void gn_engine_model(struct gn_engine *g, const struct gn_msg_nav_model *m);
/* What a guard of the signals says; a fix is spoofing-suspected while an alarm about spoofing is on. */
void gn_engine_alarm(struct gn_engine *g, const struct gn_msg_guard *m);
/* Others: gn_observe_obs, gn_observe_time, gn_shelf_put, gn_trust_take on the parts. */

/* Work off one epoch that is due. False: none is. flush at the end of the stream. */
bool gn_engine_step(struct gn_engine *g, bool flush, struct gn_engine_out *ret);

/* Move on; call after the messages below have been taken. */
void gn_engine_done(struct gn_engine *g);

/* Messages about the epoch just worked off. */
void gn_engine_obs(const struct gn_engine *g, struct gn_msg_obs *ret);
void gn_engine_fix(const struct gn_engine *g, enum gn_solution which, struct gn_msg_pvt_fix *ret);
void gn_engine_state(const struct gn_engine *g, enum gn_solution which, struct gn_msg_fix_state *ret);

#endif
