/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What authentication has said about the content of ephemerides, and what that makes of a fix.
 * Content is compared bit by bit, never by its issue number alone. [stream], state is the caller's. */
#ifndef GN_PVT_TRUST_H
#define GN_PVT_TRUST_H

#include "lib/msg/osnma.h"
#include "lib/msg/pvt.h"
#include "lib/nav/ephemeris.h"

#include <stdbool.h>

#define GN_TRUST_PRNS 37 /* Galileo 1..36 */
#define GN_TRUST_KEPT 8  /* contents remembered per satellite, oldest forgotten first */

struct gn_trust_content {
    bool is_set, is_authentic, is_forged, is_time_unverified;
    uint8_t content[GN_EPH_CED_BYTES];
};

struct gn_trust_store {
    struct gn_trust_content kept[GN_TRUST_PRNS][GN_TRUST_KEPT];
    uint8_t next[GN_TRUST_PRNS];
};

enum gn_content_trust {
    GN_CONTENT_UNKNOWN = 0, /* undecided: never authentic */
    GN_CONTENT_TIME_UNVERIFIED,
    GN_CONTENT_AUTHENTIC,
    GN_CONTENT_FORGED, /* wins over all */
};

/* Take a verdict of ADKD 0 or 12; other kinds are not about ephemerides. */
void gn_trust_take(struct gn_trust_store *t, const struct gn_msg_osnma_data *v);

enum gn_content_trust gn_trust_of(const struct gn_trust_store *t, const struct gn_ephemeris *eph);

/* The label of a fix from how many of its satellites are what; forged ones are never used. */
enum gn_trust gn_trust_label(int n_used, int n_authentic, int n_time_unverified, bool is_suspected);

#endif
