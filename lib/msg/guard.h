/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What watches the signals says. Jamming takes the position away; spoofing gives a false one. */
#ifndef GN_MSG_GUARD_H
#define GN_MSG_GUARD_H

#include "gnomon/schema.h"

#include <stdint.h>

enum gn_guard_kind {
    GN_GUARD_NONE = 0,
    GN_GUARD_SECOND_PEAK,    /* the same code is there twice */
    GN_GUARD_CLOCK_JUMP,     /* the receiver clock moved as no oscillator does */
    GN_GUARD_CN0_JUMP,       /* many satellites became stronger or weaker at once */
    GN_GUARD_LEVEL_JUMP,     /* the input power stepped up and satellites did not become weaker */
    GN_GUARD_DATA_CHANGE,    /* other orbit or clock data under an issue number already heard */
    GN_GUARD_POSITION_APART, /* `all` has left `authenticated` */
    GN_GUARD_JAMMING,        /* satellites drown in power that is not theirs */
    GN_GUARD_FORGED,         /* a signature or tag failed under a key that is itself good */
    GN_GUARD_KIND_COUNT,
};

/* Event guard.alarm: once when it begins (is_on) and once when it is over. */
struct gn_msg_guard {
    uint8_t kind, is_on;
    uint8_t signal, prn; /* 0: not about one satellite */
    uint8_t is_spoofing; /* raises spoofing-suspected */
    uint8_t reserved[3];
    double value, limit; /* what was measured and what it should stay below; units by kind: chips,
                            m, dB, -, m, dB */
};

extern const char *const gn_guard_names[]; /* "second-peak" ...; [0] NULL */
extern const struct gn_schema gn_schema_guard;

#endif
