/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Any bytes as a RINEX navigation file: a refusal says which line, what is taken is an orbit. */
#include "lib/nav/rinex.h"

#include "lib/nav/orbit.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(int is_true)
{
    if (!is_true)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct gn_rinex_nav nav = {0};
    struct gn_error err = {0};
    if (gn_rinex_nav_parse((const char *)data, n, &nav, &err) != GN_OK) {
        require(err.text[0] != '\0' && nav.eph == NULL);
        return 0;
    }
    for (uint32_t i = 0; i < nav.n_eph; i++) {
        const struct gn_ephemeris *e = &nav.eph[i];
        struct gn_sat_state s;
        gn_orbit_at(e, e->week, e->toe_s, &s);
        require(e->prn >= 1 && e->prn <= 36 && e->e < 0.5 && e->toe_s < 604800);
        (void)gn_rinex_nav_find(&nav, e->signal, e->prn, e->week, e->toe_s);
    }
    gn_rinex_nav_done(&nav);
    return 0;
}
