/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Messages of the navigation decoder. */
#ifndef GN_MSG_NAV_H
#define GN_MSG_NAV_H

#include "gnomon/schema.h"
#include "lib/nav/ephemeris.h"

#include <stdint.h>

enum gn_page_kind {
    GN_PAGE_NONE = 0,
    GN_PAGE_LNAV_SUBFRAME,
    GN_PAGE_INAV,
    GN_PAGE_SBAS,
    GN_PAGE_KIND_COUNT
};

/* One checked unit of navigation data: LNAV sub-frame (300 bits: d1..d24 of each word in true
 * polarity, then D25..D30 as received; words without their bit in word_mask are 0; the first one of
 * a channel's life may lack words), I/NAV page pair (240 bits in the layout of spec section 1: even
 * part then odd part, CRC good), SBAS message (250). */
struct gn_msg_page {
    uint8_t signal, prn, channel, kind;
    uint8_t time_ok;   /* wn and tow are known */
    uint8_t from_e5b;  /* page came over E5b-I (page files, hardware receivers) */
    uint8_t word_type; /* I/NAV word type (64: alert page), LNAV sub-frame number, SBAS message type
                        */
    uint8_t words_ok;  /* LNAV: all ten words passed parity (kept per word in word_mask) */
    uint16_t word_mask; /* LNAV: bit i = word i + 1 passed */
    uint16_t n_bits;
    int32_t wn;       /* of the system's own week count, full (GST week for Galileo); -1 unknown */
    double tow_s;     /* start of the page or sub-frame, system time */
    uint64_t symbol;  /* number of its first symbol */
    uint8_t bits[40]; /* most significant first */
    double rx_gst_s;  /* valid if has_rx: seconds since GST week 0 by the host clock when the page's start was received
                       */
    uint8_t has_rx;   /* a hardware receiver's page stamped on arrival; not in the log */
    uint8_t reserved[7];
};

/* When a symbol of a channel was sent: lets positioning turn symbol numbers into transmit times.
 * Sent when the time of week is first known for a channel's life and confirmed again at every
 * sub-frame or page. */
struct gn_msg_nav_time {
    uint8_t signal, prn, channel, valid; /* valid 0: what was said before is withdrawn */
    uint32_t life;
    uint64_t symbol; /* this symbol ... */
    double tow_s;    /* ... began at this second of week (system time of the signal) */
    int32_t wn;      /* full GPS week (Galileo: GST week + 1024), -1: week era unknown */
    uint32_t reserved;
};

/* Event nav.ephemeris */
struct gn_msg_ephemeris {
    struct gn_ephemeris eph;
};

enum gn_model_kind {
    GN_MODEL_NONE = 0,
    GN_MODEL_KLOBUCHAR,
    GN_MODEL_NEQUICK,
    GN_MODEL_UTC,
    GN_MODEL_GGTO,
    GN_MODEL_KIND_COUNT
};

/* System-wide parameters as broadcast. v[]: KLOBUCHAR alpha0..3, beta0..3; NEQUICK ai0..2, then 5
 * storm flags; UTC A0, A1, dt_LS, t_ot, WN_ot, WN_LSF, DN, dt_LSF; GGTO A0G, A1G, t0G, WN0G. SI
 * units, but Klobuchar and NeQuick as in the ICDs. Weeks are full GPS weeks (Galileo's too), -1
 * unknown. Each set of values is sent once. */
struct gn_msg_nav_model {
    uint8_t signal, prn, kind, reserved[5];
    double v[8];
    double tow_s;
    int32_t wn, reserved2;
};

extern const char *const
        gn_eph_source_names[]; /* "lnav", "inav", "inav_rs", "inav_reduced", "rinex"; [0] NULL */
extern const struct gn_schema gn_schema_page, gn_schema_nav_time, gn_schema_ephemeris,
        gn_schema_nav_model;

#endif
