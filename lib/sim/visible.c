/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/sim/visible.h"

#include "lib/gnss/signal.h"

#include <math.h>

bool gn_sim_candidate(
        const struct gn_sim_scene *s, unsigned signal, unsigned i, struct gn_ephemeris *ret)
{
    bool is_gal = signal == GN_SIG_GAL_E1;
    if (s->nav == NULL) {
        unsigned n = !is_gal ? GN_SIM_GPS_SATS : s->has_all ? GN_SIM_GAL_ALL : GN_SIM_GAL_SATS;
        if (i < n)
            gn_sim_ephemeris(signal, i, s->start, ret);
        return i < n;
    }
    const struct gn_ephemeris *e =
            gn_rinex_nav_find(s->nav, signal, i + 1, s->start.week, s->start.tow_s);
    if (e == NULL)
        return false;
    *ret = *e;
    ret->source = is_gal ? GN_EPH_SRC_INAV : GN_EPH_SRC_LNAV;
    gn_sim_quantise(ret);
    return true;
}

void gn_sim_almanac_of(const struct gn_sim_scene *s, struct gn_sim_almanac *ret)
{
    *ret = (struct gn_sim_almanac){.week = s->start.week,
            .toa_s = fmin(4096 * floor(s->start.tow_s / 4096 + 0.5), 4096.0 * 147)};
    for (unsigned i = 0; i < GN_SIM_SATS_MAX; i++) {
        struct gn_ephemeris e;
        if (gn_sim_candidate(s, GN_SIG_GPS_L1CA, i, &e)) {
            ret->gps[e.prn - 1] = e;
            ret->has_gps[e.prn - 1] = true;
        }
        if (gn_sim_candidate(s, GN_SIG_GAL_E1, i, &e)) {
            ret->galileo[e.prn - 1] = e;
            ret->has_galileo[e.prn - 1] = true;
        }
    }
}

size_t gn_sim_choose(const struct gn_sim_scene *s, unsigned signal, size_t n_max,
        struct gn_ephemeris ret[GN_SIM_SATS_MAX])
{
    double elevation[GN_SIM_SATS_MAX];
    size_t n = 0;
    for (unsigned i = 0; i < GN_SIM_SATS_MAX && n_max > 0; i++) {
        struct gn_ephemeris e;
        struct gn_sim_way way;
        if (!gn_sim_candidate(s, signal, i, &e))
            continue;
        gn_sim_way(s, &e, 0, &way);
        double el = way.elevation_rad;
        if ((el < s->mask_rad && !s->has_all) || (n == n_max && el <= elevation[n - 1]))
            continue;
        size_t at = n < n_max ? n++ : n - 1;
        for (; at > 0 && elevation[at - 1] < el; at--) {
            elevation[at] = elevation[at - 1];
            ret[at] = ret[at - 1];
        }
        elevation[at] = el;
        ret[at] = e;
    }
    return n;
}
