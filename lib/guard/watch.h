/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Tells whether the signals behave as satellites, an antenna and an oscillator do.
 *
 *   samples -> shape every 100 ms --\
 *   observations: C/N0 -------------+--> input changed? satellites weaker: jamming; not weaker and
 * coloured |    as codes are: level-jump                  (decided after 1 s)
 *                                   '--> input as ever, most satellites stronger within a second:
 * cn0-jump ephemerides --> other content under the same issue: data-change fixes -------> clock or
 * its rate steps: clock-jump; `all` leaves `authenticated`: position-apart
 *
 * An alarm stays on until nothing has raised it for GN_WATCH_HOLD slots. [stream], state is the
 * caller's. */
#ifndef GN_GUARD_WATCH_H
#define GN_GUARD_WATCH_H

#include "lib/guard/shape.h"
#include "lib/msg/guard.h"
#include "lib/msg/pvt.h"
#include "lib/msg/track.h"
#include "lib/nav/ephemeris.h"

#include <stdbool.h>

#define GN_WATCH_SLOTS_PER_S 10
#define GN_WATCH_HOLD        100 /* slots */
#define GN_WATCH_CHANNELS    256
#define GN_WATCH_KEPT        40 /* slots of C/N0 and of shapes */
#define GN_WATCH_ISSUES      8  /* of one satellite */
#define GN_WATCH_PRNS        64
#define GN_WATCH_OUT         16 /* alarms of one step */

/* Limits, with what they are made of; docs/lab.md says how often a clean sky comes near them. */
struct gn_watch_limits {
    double level_db;    /* step of the input power */
    double colour;      /* change of neighbour correlation; noise of 100 ms: 0.003 */
    double kurtosis;    /* change; noise of 100 ms: 0.01 */
    double weaker_db;   /* mean C/N0 that jamming costs at least */
    double stronger_db; /* rise of one satellite that counts, of most satellites within a second */
    double clock_m;     /* step of the receiver clock between two fixes */
    double drift_mps;   /* step of its rate */
    double apart_m;     /* `all` to `authenticated`, besides what their formal errors allow */
};
extern const struct gn_watch_limits gn_watch_limits;

struct gn_watch_channel {
    uint8_t signal, prn;
    int64_t slot[GN_WATCH_KEPT]; /* of the value at [slot % KEPT] */
    float cn0_dbhz[GN_WATCH_KEPT];
    int64_t last; /* slot of the newest */
};

struct gn_watch_issue {
    bool is_set;
    uint32_t issue;
    double toe_s;
    double content[24];
};

struct gn_watch_clock {
    int32_t n_good; /* fixes in a row that came as they should */
    double t_s, bias_m, drift_mps;
};

struct gn_watch {
    int64_t slot; /* now */
    struct gn_shape shapes[GN_WATCH_KEPT];
    int64_t n_shapes;
    struct gn_shape calm;   /* before the disturbance */
    int64_t disturbed_from; /* slot; negative: not disturbed */
    int64_t disturbed_last;
    bool is_decided, is_jammed;
    float cn0_calm[GN_WATCH_CHANNELS]; /* when it began; not above 0: was not there */
    struct gn_watch_channel channels[GN_WATCH_CHANNELS];
    struct gn_watch_issue issues[2][GN_WATCH_PRNS][GN_WATCH_ISSUES];
    uint8_t next_issue[2][GN_WATCH_PRNS];
    struct gn_watch_clock clock;
    struct gn_msg_pvt_fix all; /* the newest */
    double all_t_s;
    struct {
        bool is_on;
        int64_t last;
    } kinds[GN_GUARD_KIND_COUNT];
    uint32_t n_out;
    struct gn_msg_guard out[GN_WATCH_OUT];
};

void gn_watch_init(struct gn_watch *w);

/* Facts, in the order of time. Alarms they raise are in out[] until gn_watch_clear(). */
void gn_watch_obs(struct gn_watch *w, int64_t slot, const struct gn_msg_track_obs *obs);
void gn_watch_ephemeris(struct gn_watch *w, const struct gn_ephemeris *eph);
void gn_watch_fix(struct gn_watch *w, double t_s, const struct gn_msg_pvt_fix *fix);

/* A root key or a message about keys whose signature fails. */
void gn_watch_forged(struct gn_watch *w);

/* The input during slot; the end of that slot. */
void gn_watch_shape(struct gn_watch *w, int64_t slot, const struct gn_shape *shape);
/* Samples are missing: what was learned about C/N0 and clock is void. */
void gn_watch_gap(struct gn_watch *w);

#endif
