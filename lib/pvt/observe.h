/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* From what channels say at ticks to observations at one receive time.
 *
 *   tick   ---+---------+---------+---------+---     every 100 ms: each channel's symbol and phase
 *   GPS s  ------|------------------|------------    epochs: code carried over at most 50 ms by its Doppler
 *
 * The receiver clock is steered: L = (tick - tick0) / rate runs free, b = L - GPS time is what the filter
 * estimates, and epoch n is observed at the tick where L - b says n / epochs_per_s. Before there is a fix the
 * newest transmit time plus the shortest travel time stands in for GPS time. Everything counts from tick0, so
 * seconds stay small and exact. [stream], state is the caller's. */
#ifndef GN_PVT_OBSERVE_H
#define GN_PVT_OBSERVE_H

#include "lib/msg/nav.h"
#include "lib/msg/pvt.h"
#include "lib/msg/track.h"

#include <stdbool.h>

#define GN_OBSERVE_CHANNELS 256
#define GN_OBSERVE_KEPT     6

struct gn_observe_point {
    uint64_t index;
    struct gn_msg_track_obs obs;
};

struct gn_observe_channel {
    bool has_time;
    struct gn_msg_nav_time time; /* of life time.life */
    uint32_t n;                  /* valid points */
    struct gn_observe_point kept[GN_OBSERVE_KEPT]; /* newest first */
};

struct gn_observe {
    double rate_sps;
    uint32_t epochs_per_s;
    bool is_set;         /* the receiver clock has a reading */
    bool is_steered;     /* from a fix, no longer a guess */
    int32_t week;        /* GPS week of the origin, -1 unknown */
    int64_t tow0_s;      /* GPS second of week at the origin */
    double tick0;        /* tick where the free clock reads 0 */
    double bias_m, drift_mps; /* c b predicted for the next epoch */
    /* Galileo time as heard minus GPS time as heard, coarse: what remains is the filter's offset between the systems.
     * Nanoseconds in the sky, so 0; a simulator, a repeater or a spoofer can make it anything, and then each system is
     * observed in its own time. */
    double galileo_ahead_s;
    bool is_known[4];    /* by enum gn_signal: a fix has used this system */
    int64_t epoch;       /* next epoch, n / epochs_per_s after the origin */
    double last_tick;    /* of the last epoch worked off */
    bool has_last;
    uint64_t newest;     /* index of the newest observation */
    bool has_newest;
    struct gn_observe_channel channels[GN_OBSERVE_CHANNELS];
};

/* One satellite at an epoch. */
struct gn_observed {
    uint8_t signal, prn, channel;
    uint32_t flags;
    double t_tx_s;       /* GPS second of week by the satellite's clock; may leave 0..604800 at a week's edge */
    double pseudorange_m; /* c (epoch - t_tx): of the steered clock */
    double raw_m;        /* c (free clock - t_tx) */
    double rate_mps, sigma_rate_mps; /* minus wavelength times Doppler, of the free clock */
    bool has_rate;
    double carrier_cycles, doppler_hz; /* of the steered clock */
    double cn0_dbhz, lock_s;
};

struct gn_observed_epoch {
    int32_t week;
    double tow_s;        /* 0 <= tow_s < 604800 */
    double tick;
    int n;
    struct gn_observed sats[GN_PVT_SATS_MAX];
};

/* epochs_per_s: 1, 2, 5 or 10. */
void gn_observe_init(struct gn_observe *o, double rate_sps, uint32_t epochs_per_s);

void gn_observe_time(struct gn_observe *o, const struct gn_msg_nav_time *t);
void gn_observe_obs(struct gn_observe *o, uint64_t index, const struct gn_msg_track_obs *obs);

/* Is the next epoch complete? flush: take what there is (end of the stream). */
bool gn_observe_ready(struct gn_observe *o, bool flush);

/* Form the next epoch without moving on. May be called again after gn_observe_steer(). */
void gn_observe_form(const struct gn_observe *o, struct gn_observed_epoch *ret);

/* The clock is wrong by shift_m of c b (a first fix, a jump): move the origin so that b loses shift_m. */
void gn_observe_shift(struct gn_observe *o, double shift_m);

/* GPS pseudoranges are late_m too long as a whole: correct GPS time, leave those of Galileo as they are. */
void gn_observe_set_gps(struct gn_observe *o, double late_m);

/* The epoch is done. With a fix: c b and c b' at it. */
void gn_observe_next(struct gn_observe *o, bool has_fix, double bias_m, double drift_mps);

/* Forget the clock: the next epoch guesses again. */
void gn_observe_forget(struct gn_observe *o);

#endif
