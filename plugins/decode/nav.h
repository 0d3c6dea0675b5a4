/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* State of the block decode.nav, shared by its files. */
#ifndef GN_DECODE_NAV_H
#define GN_DECODE_NAV_H

#include "gnomon/block.h"
#include "lib/gnss/signal.h"
#include "lib/msg/nav.h"
#include "lib/msg/track.h"
#include "lib/nav/inav_set.h"
#include "lib/nav/inav_sync.h"
#include "lib/nav/lnav_set.h"
#include "lib/nav/lnav_sync.h"
#include "lib/nav/sbas_sync.h"
#include "lib/nav/soft.h"

#include <stdbool.h>
#include <stdint.h>

enum nav_port { NAV_SYMBOLS = 0, NAV_PAGES, NAV_EPHEMERIDES, NAV_TIMES, NAV_MODELS };

#define NAV_CHANNELS 256u /* a channel number is one byte */
#define NAV_GPS_PRNS 32u
#define NAV_GAL_PRNS 36u
#define NAV_HELD_MAX                                                                               \
    32u /* pages that wait for a time word: one comes at least every 30 s = 15 pages */
#define NAV_PAGES_MAX       1024u /* messages of one call, by port */
#define NAV_EPHEMERIDES_MAX 256u
#define NAV_TIMES_MAX       1024u
#define NAV_MODELS_MAX      256u
#define NAV_WEEK_MS         604800000LL

/* When symbol 0 of a channel's life was sent, in the signal's system. */
struct nav_clock {
    bool has_time, has_week;
    int64_t t0_ms; /* since week 0 of the system's own count; without week: since some Sunday */
};

struct nav_channel {
    bool is_used;
    uint8_t signal, prn, number;
    uint32_t life;
    struct gn_soft soft;
    struct gn_lnav_sync lnav;
    struct gn_inav_sync inav;
    struct gn_sbas_sync sbas;
    struct nav_clock clock;
    float strength; /* mean amplitude of its symbols over some seconds */
    uint32_t n_held;
    struct gn_inav_heard held[NAV_HELD_MAX];
};

struct nav_told {
    bool has;
    double v[8];
};

struct nav {
    struct nav_channel *channels; /* [NAV_CHANNELS], owned: start() makes it, stop() frees it */
    struct gn_lnav_set gps[NAV_GPS_PRNS + 1];
    struct gn_inav_set gal[NAV_GAL_PRNS + 1];
    struct nav_told told[GN_SIG_COUNT][GN_MODEL_KIND_COUNT];
    int32_t claimed_week; /* GPS week the recording claims, -1 none: resolves eras, never times */
    bool has_week;        /* a signal has told the week ... */
    int64_t week_t_s;     /* ... at this GPS second since week 0 */
    uint32_t n_sent[NAV_MODELS + 1]; /* this call, by port */
    uint64_t index, at;              /* of the message being worked on */
    uint64_t n_dropped;
};

/* send.c: a record to fill, or NULL when this call has sent its most. [stream] */
void *nav_msg_new(struct nav *nav, const struct gn_host *h, enum nav_port port);
void nav_msg_send(struct nav *nav, const struct gn_host *h, enum nav_port port);
bool nav_has_room(const struct nav *nav, enum nav_port port);
void nav_send_time(struct nav *nav, const struct gn_host *h, const struct nav_channel *ch,
        int64_t symbol, bool valid);
void nav_send_ephemeris(struct nav *nav, const struct gn_host *h, const struct gn_ephemeris *eph);
/* The same values from the same system are sent once. t_s: GPS seconds since week 0, or -1. */
void nav_send_model(struct nav *nav, const struct gn_host *h, const struct nav_channel *ch,
        enum gn_model_kind kind, const double v[8], int64_t symbol);

/* clock.c: week and second of week of a symbol in the signal's own count; wn -1 while the week is
 * not known. */
void nav_clock_at(const struct nav_channel *ch, int64_t symbol, int32_t *wn, double *tow_s);
/* GPS week of a symbol, -1 unknown. */
int32_t nav_gps_week_at(const struct nav_channel *ch, int64_t symbol);
/* Symbol was sent at tow_s; wn of the system's own count, full, -1 unknown. False: contradicts what
 * was known before (which stays). */
bool nav_clock_set(struct nav_channel *ch, int64_t symbol, int32_t wn, uint32_t tow_s);
/* Take the week from what other satellites have told. */
void nav_clock_share(struct nav *nav, struct nav_channel *ch, int64_t symbol);
/* About the GPS week now, for weeks sent with few bits; -1 unknown. */
int32_t nav_pivot_week(const struct nav *nav);

/* gps.c: the other satellite whose orbit and clock are the same to the last bit, 0 none. */
uint8_t nav_gps_twin(const struct nav *nav, const struct gn_ephemeris *eph);

/* gps.c, galileo.c, sbas.c: what the newly pushed symbols complete. */
void nav_gps_work(struct nav *nav, const struct gn_host *h, struct nav_channel *ch);
void nav_galileo_work(struct nav *nav, const struct gn_host *h, struct nav_channel *ch);
void nav_sbas_work(struct nav *nav, const struct gn_host *h, struct nav_channel *ch);

#endif
