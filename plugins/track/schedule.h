/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* When to look for which satellites, and how hard. Times are seconds of the stream.
 *
 * Each signal has its own rhythm: while few satellites are tracked the searches follow each other
 * and grow deeper, with many they become rare and cheap. A satellite just lost is looked for first,
 * around where it was. One search is under way at a time. */
#ifndef GN_TRACK_SCHEDULE_H
#define GN_TRACK_SCHEDULE_H

#include "lib/gnss/signal.h"
#include "lib/msg/track.h"

#include <stdbool.h>

#define SCHEDULE_PRNS 64u

enum sat_state {
    SAT_UNKNOWN = 0, /* look for it */
    SAT_PULL_IN,     /* a channel has it, not yet tracking */
    SAT_TRACKED,
};

struct sat {
    uint8_t state; /* enum sat_state */
    uint8_t channel;
    uint8_t n_false;     /* channels that gave up on it without ever tracking */
    uint8_t n_relook;    /* looks around its last place still to do */
    double doppler_hz;   /* last known */
    double not_before_s; /* no look before this */
};

struct signal_plan {
    struct sat sats[SCHEDULE_PRNS]; /* by PRN - prn_min */
    double last_s;                  /* when it was last searched */
    uint32_t n_searches;            /* since something was last found, 0: never searched */
    uint32_t n_tracked;             /* and being pulled in */
};

struct schedule {
    struct signal_plan plans[GN_SIG_COUNT];
    double busy_until_s; /* the search under way has answered by then */
    double offset_hz;    /* common offset of all Dopplers: the receiver's clock */
    bool has_offset;
    bool is_known;    /* some satellite has been tracked: the offset holds */
    uint64_t signals; /* bit i: signal i + 1 */
    uint32_t n_blind; /* searches before anything was tracked */
};

/* Fill a request if one is due. */
bool schedule_next(struct schedule *s, double now_s, struct gn_msg_acq_request *ret);

/* Common offset from the Dopplers of what is held (median), until positioning knows better. */
void schedule_learn(struct schedule *s);

/* A channel has taken, confirmed or lost the satellite. */
void schedule_taken(
        struct schedule *s, uint32_t signal, uint32_t i_sat, uint8_t channel, double doppler_hz);
void schedule_tracked(struct schedule *s, uint32_t signal, uint32_t i_sat, double doppler_hz);
void schedule_lost(struct schedule *s, uint32_t signal, uint32_t i_sat, double now_s);

#endif
