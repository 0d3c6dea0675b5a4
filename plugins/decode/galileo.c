/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/decode/nav.h"

#include "lib/time/time.h"

#include <string.h>

static void send_page(struct nav *nav, const struct gn_host *h, const struct nav_channel *ch,
        const struct gn_inav_heard *heard, unsigned type)
{
    struct gn_msg_page *m = nav_msg_new(nav, h, NAV_PAGES);
    if (m == NULL)
        return;
    m->signal = ch->signal;
    m->prn = ch->prn;
    m->channel = ch->number;
    m->kind = GN_PAGE_INAV;
    m->word_type = (uint8_t)type;
    m->words_ok = 1;
    m->n_bits = 240;
    m->wn = GN_WEEK_UNKNOWN;
    if (ch->clock.has_time)
        nav_clock_at(ch, heard->symbol, &m->wn, &m->tow_s);
    m->time_ok = m->wn >= 0;
    m->symbol = (uint64_t)(heard->symbol > 0 ? heard->symbol : 0);
    memcpy(m->bits, heard->page, sizeof heard->page);
    nav_msg_send(nav, h, NAV_PAGES);
}

/* Weeks in messages are GPS weeks, full. */
static double gps_week(double low_bits, unsigned n_bits, int32_t gst_week)
{
    return gn_week_expand((uint32_t)low_bits, n_bits, gst_week) + GN_GST_WEEK_0;
}

static void take_models(struct nav *nav, const struct gn_host *h, const struct nav_channel *ch,
        const uint8_t *word, int64_t symbol)
{
    double v[8] = {0}, tow_s;
    int32_t wn;
    unsigned type = word[0] >> 2;
    nav_clock_at(ch, symbol, &wn, &tow_s);
    if (type == 5) {
        gn_inav_nequick_read(word, v);
        nav_send_model(nav, h, ch, GN_MODEL_NEQUICK, v, symbol);
    } else if (type == 6) {
        gn_inav_utc_read(word, v);
        v[4] = gps_week(v[4], 8, wn);
        v[5] = gps_week(v[5], 8, wn);
        nav_send_model(nav, h, ch, GN_MODEL_UTC, v, symbol);
    } else if (type == 10 && gn_inav_ggto_read(word, v)) {
        v[3] = gps_week(v[3], 6, wn);
        nav_send_model(nav, h, ch, GN_MODEL_GGTO, v, symbol);
    }
}

/* A page whose time is known. */
static void take_page(struct nav *nav, const struct gn_host *h, struct nav_channel *ch,
        const struct gn_inav_heard *heard)
{
    uint8_t word[GN_INAV_WORD_BYTES];
    struct gn_ephemeris eph;
    int32_t wn;
    double tow_s;
    unsigned type = gn_inav_word(heard->page, word);
    send_page(nav, h, ch, heard, type);
    if (type == GN_INAV_WORD_ALERT || type == GN_INAV_WORD_DUMMY)
        return;
    nav_clock_at(ch, heard->symbol, &wn, &tow_s);
    if (gn_inav_set_add(&nav->gal[ch->prn], ch->prn, word, wn, (uint32_t)tow_s, &eph) !=
            GN_INAV_NO_NEWS)
        nav_send_ephemeris(nav, h, &eph);
    take_models(nav, h, ch, word, heard->symbol);
}

static void drop_oldest(struct nav_channel *ch, uint32_t n)
{
    ch->n_held -= n;
    memmove(ch->held, ch->held + n, ch->n_held * sizeof ch->held[0]);
}

static void settle_held(struct nav *nav, const struct gn_host *h, struct nav_channel *ch)
{
    uint32_t n = 0;
    if (!ch->clock.has_time || !ch->clock.has_week)
        return;
    for (; n < ch->n_held && nav_has_room(nav, NAV_PAGES); n++)
        take_page(nav, h, ch, &ch->held[n]);
    drop_oldest(ch, n);
}

static void hold(struct nav *nav, const struct gn_host *h, struct nav_channel *ch,
        const struct gn_inav_heard *heard)
{
    if (ch->n_held == NAV_HELD_MAX) {
        uint8_t word[GN_INAV_WORD_BYTES];
        send_page(nav, h, ch, &ch->held[0], gn_inav_word(ch->held[0].page, word));
        drop_oldest(ch, 1);
    }
    ch->held[ch->n_held++] = *heard;
}

static void forget_time(
        struct nav *nav, const struct gn_host *h, struct nav_channel *ch, int64_t symbol)
{
    if (ch->clock.has_time)
        nav_send_time(nav, h, ch, symbol, false);
    ch->clock = (struct nav_clock){0};
}

/* The 12-bit week is full until 2078; a claimed or known week moves the era. */
static int32_t full_gst_week(const struct nav *nav, int32_t wn12)
{
    int32_t pivot = nav_pivot_week(nav);
    if (wn12 < 0)
        return GN_WEEK_UNKNOWN;
    return pivot < GN_GST_WEEK_0 ? wn12 : gn_week_expand((uint32_t)wn12, 12, pivot - GN_GST_WEEK_0);
}

static void take_time(struct nav *nav, const struct gn_host *h, struct nav_channel *ch,
        const struct gn_inav_heard *heard)
{
    uint8_t word[GN_INAV_WORD_BYTES];
    int32_t wn12;
    uint32_t tow_s;
    if (gn_inav_word(heard->page, word) != GN_INAV_WORD_ALERT &&
            gn_inav_time_read(word, &wn12, &tow_s) &&
            !nav_clock_set(ch, heard->symbol, full_gst_week(nav, wn12), tow_s))
        forget_time(nav, h, ch, heard->symbol);
    nav_clock_share(nav, ch, heard->symbol);
    if (ch->clock.has_time)
        nav_send_time(nav, h, ch, heard->symbol, true);
}

void nav_galileo_work(struct nav *nav, const struct gn_host *h, struct nav_channel *ch)
{
    struct gn_inav_heard heard;
    enum gn_sync_event event;
    while ((event = gn_inav_sync_next(&ch->inav, &ch->soft, &heard)) != GN_SYNC_NOTHING) {
        if (event == GN_SYNC_LOST) {
            forget_time(nav, h, ch, (int64_t)ch->soft.end);
            ch->n_held = 0;
            continue;
        }
        take_time(nav, h, ch, &heard);
        hold(nav, h, ch, &heard);
        settle_held(nav, h, ch);
    }
    settle_held(nav, h, ch);
}
