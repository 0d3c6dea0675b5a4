/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/decode/nav.h"

#include "lib/time/time.h"

static int64_t symbol_ms(const struct nav_channel *ch)
{
    return ch->signal == GN_SIG_GPS_L1CA ? 20 : 4;
}

static int64_t floor_mod(int64_t a, int64_t b)
{
    return (a % b + b) % b;
}

/* GPS week of week 0 of the signal's own count */
static int32_t own_week_0(const struct nav_channel *ch)
{
    return ch->signal == GN_SIG_GAL_E1 ? GN_GST_WEEK_0 : 0;
}

void nav_clock_at(const struct nav_channel *ch, int64_t symbol, int32_t *wn, double *tow_s)
{
    int64_t t_ms = ch->clock.t0_ms + symbol * symbol_ms(ch), in_week = floor_mod(t_ms, NAV_WEEK_MS);
    *tow_s = (double)in_week / 1000;
    *wn = ch->clock.has_week ? (int32_t)((t_ms - in_week) / NAV_WEEK_MS) : GN_WEEK_UNKNOWN;
}

int32_t nav_gps_week_at(const struct nav_channel *ch, int64_t symbol)
{
    int32_t wn;
    double tow_s;
    nav_clock_at(ch, symbol, &wn, &tow_s);
    return wn < 0 ? GN_WEEK_UNKNOWN : wn + own_week_0(ch);
}

bool nav_clock_set(struct nav_channel *ch, int64_t symbol, int32_t wn, uint32_t tow_s)
{
    struct nav_clock *clock = &ch->clock;
    int64_t week = wn < 0 ? 0 : wn;
    int64_t t0_ms = (week * GN_WEEK_S + tow_s) * 1000 - symbol * symbol_ms(ch);
    bool both_weeks = clock->has_week && wn >= 0;
    int64_t apart =
            both_weeks ? t0_ms - clock->t0_ms : floor_mod(t0_ms - clock->t0_ms, NAV_WEEK_MS);
    if (clock->has_time && apart != 0)
        return false;
    if (!clock->has_time || (!clock->has_week && wn >= 0))
        clock->t0_ms = t0_ms;
    clock->has_time = true;
    clock->has_week = clock->has_week || wn >= 0;
    return true;
}

void nav_clock_share(struct nav *nav, struct nav_channel *ch, int64_t symbol)
{
    int32_t wn;
    double tow_s;
    if (!ch->clock.has_time)
        return;
    nav_clock_at(ch, symbol, &wn, &tow_s);
    if (wn >= 0) {
        nav->has_week = true;
        nav->week_t_s = (int64_t)(wn + own_week_0(ch)) * GN_WEEK_S + (int64_t)tow_s;
        return;
    }
    if (!nav->has_week)
        return;
    int32_t week = (int32_t)(nav->week_t_s / GN_WEEK_S);
    week = gn_week_of_reference(week, (double)(nav->week_t_s % GN_WEEK_S), tow_s);
    ch->clock.t0_ms += (week - own_week_0(ch)) * NAV_WEEK_MS -
                       (ch->clock.t0_ms + symbol * symbol_ms(ch) - (int64_t)(tow_s * 1000));
    ch->clock.has_week = true;
}

int32_t nav_pivot_week(const struct nav *nav)
{
    return nav->has_week ? (int32_t)(nav->week_t_s / GN_WEEK_S) : nav->claimed_week;
}
