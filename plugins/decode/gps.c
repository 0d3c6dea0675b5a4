/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/decode/nav.h"

#include "lib/time/time.h"

#include <string.h>

static void send_page(struct nav *nav, const struct gn_host *h, const struct nav_channel *ch,
        const struct gn_lnav_subframe *sf)
{
    struct gn_msg_page *m = nav_msg_new(nav, h, NAV_PAGES);
    if (m == NULL)
        return;
    m->signal = ch->signal;
    m->prn = ch->prn;
    m->channel = ch->number;
    m->kind = GN_PAGE_LNAV_SUBFRAME;
    m->word_type = sf->id;
    m->word_mask = sf->word_mask;
    m->words_ok = sf->word_mask == (1u << GN_LNAV_WORDS) - 1;
    m->n_bits = GN_LNAV_SUBFRAME_BITS;
    nav_clock_at(ch, sf->symbol, &m->wn, &m->tow_s);
    m->time_ok = m->wn >= 0;
    m->symbol = (uint64_t)(sf->symbol > 0 ? sf->symbol : 0);
    memcpy(m->bits, sf->sent, sizeof sf->sent);
    nav_msg_send(nav, h, NAV_PAGES);
}

/* Sub-frame 1 tells the week, ten bits of it: full only when the era is known. */
static void take_week(struct nav *nav, struct nav_channel *ch, const struct gn_lnav_subframe *sf)
{
    if (sf->id != 1 || (sf->word_mask & 4u) == 0)
        return;
    int32_t week = gn_week_expand(gn_lnav_week10(sf->data), 10, nav_pivot_week(nav));
    if (week >= 0)
        (void)nav_clock_set(ch, sf->symbol, week, 6 * sf->count);
}

static void take_models(struct nav *nav, const struct gn_host *h, const struct nav_channel *ch,
        const struct gn_lnav_subframe *sf)
{
    double klobuchar[8], utc[8];
    if (sf->id != 4 || (sf->word_mask & GN_LNAV_NEEDED_23) != GN_LNAV_NEEDED_23 ||
            !gn_lnav_page18_read(sf->data, klobuchar, utc))
        return;
    int32_t pivot = nav_pivot_week(nav);
    utc[4] = gn_week_expand((uint32_t)utc[4], 8, pivot);
    utc[5] = gn_week_expand((uint32_t)utc[5], 8, pivot);
    nav_send_model(nav, h, ch, GN_MODEL_KLOBUCHAR, klobuchar, sf->symbol);
    nav_send_model(nav, h, ch, GN_MODEL_UTC, utc, sf->symbol);
}

uint8_t nav_gps_twin(const struct nav *nav, const struct gn_ephemeris *eph)
{
    for (uint8_t prn = 1; prn <= NAV_GPS_PRNS; prn++) {
        const struct gn_ephemeris *other = &nav->gps[prn].told;
        if (prn != eph->prn && other->prn == prn && other->m0_rad == eph->m0_rad &&
                other->omega0_rad == eph->omega0_rad && other->e == eph->e &&
                other->af0_s == eph->af0_s)
            return prn;
    }
    return 0;
}

static float strength_of(const struct nav *nav, uint8_t prn)
{
    float best = 0;
    for (size_t i = 0; i < NAV_CHANNELS; i++) {
        const struct nav_channel *ch = &nav->channels[i];
        if (ch->is_used && ch->signal == GN_SIG_GPS_L1CA && ch->prn == prn && ch->strength > best)
            best = ch->strength;
    }
    return best;
}

/* A channel locked to the cross-correlation of a strong satellite (20 dB and more below it) reads
 * that one's data. The weaker of two with the same data is none: it gets no ephemeris, or, if it
 * was the first to be complete, the same one again with the alert flag. */
static void give_out(struct nav *nav, const struct gn_host *h, struct gn_ephemeris *eph)
{
    uint8_t twin = nav_gps_twin(nav, eph);
    if (twin != 0) {
        bool is_ghost = strength_of(nav, eph->prn) < strength_of(nav, twin);
        h->log(h, GN_LOG_WARN, "GPS %u sends the data of GPS %u: a cross-correlation, not used",
                is_ghost ? eph->prn : twin, is_ghost ? twin : eph->prn);
        if (is_ghost)
            return;
        struct gn_ephemeris ghost = nav->gps[twin].told;
        ghost.alert = 1;
        nav_send_ephemeris(nav, h, &ghost);
    }
    nav_send_ephemeris(nav, h, eph);
}

static void take_subframe(struct nav *nav, const struct gn_host *h, struct nav_channel *ch,
        const struct gn_lnav_subframe *sf)
{
    struct gn_ephemeris eph;
    struct gn_lnav_piece piece = {.word_mask = sf->word_mask, .tow_s = 6 * sf->count};
    if (sf->word_mask == 0 || !nav_clock_set(ch, sf->symbol, GN_WEEK_UNKNOWN, 6 * sf->count))
        return;
    take_week(nav, ch, sf);
    nav_clock_share(nav, ch, sf->symbol);
    send_page(nav, h, ch, sf);
    if ((sf->word_mask & 2u) != 0)
        nav_send_time(nav, h, ch, sf->symbol, true);
    memcpy(piece.data, sf->data, sizeof piece.data);
    if (gn_lnav_set_add(
                &nav->gps[ch->prn], ch->prn, sf->id, &piece, sf->alert, nav_pivot_week(nav), &eph))
        give_out(nav, h, &eph);
    take_models(nav, h, ch, sf);
}

void nav_gps_work(struct nav *nav, const struct gn_host *h, struct nav_channel *ch)
{
    struct gn_lnav_subframe sf;
    enum gn_sync_event event;
    while ((event = gn_lnav_sync_next(&ch->lnav, &ch->soft, &sf)) != GN_SYNC_NOTHING) {
        if (event == GN_SYNC_UNIT) {
            take_subframe(nav, h, ch, &sf);
            continue;
        }
        if (ch->clock.has_time)
            nav_send_time(nav, h, ch, (int64_t)ch->soft.end, false);
        ch->clock = (struct nav_clock){0};
    }
}
