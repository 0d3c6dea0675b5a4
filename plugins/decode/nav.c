/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Block decode.nav: soft symbols of all channels in, checked pages, ephemerides, times and models
 * out. */
#include "plugins/decode/nav.h"

#include "lib/time/time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STRENGTH_SYMBOLS 100                /* averaged over */
#define SYMBOL_MAX       (UINT64_MAX >> 24) /* so that milliseconds never overflow */

static const struct gn_port ports[] = {
        [NAV_SYMBOLS] = {.name = "symbols",
                .dir = GN_IN,
                .schema = &gn_schema_symbols,
                .doc = "soft symbols of any number of channels"},
        [NAV_PAGES] = {.name = "pages",
                .dir = GN_OUT,
                .schema = &gn_schema_page,
                .n_msgs_max = NAV_PAGES_MAX,
                .doc = "sub-frames and pages that passed their checks"},
        [NAV_EPHEMERIDES] = {.name = "ephemerides",
                .dir = GN_OUT,
                .schema = &gn_schema_ephemeris,
                .n_msgs_max = NAV_EPHEMERIDES_MAX,
                .doc = "each new complete ephemeris once"},
        [NAV_TIMES] = {.name = "times",
                .dir = GN_OUT,
                .schema = &gn_schema_nav_time,
                .n_msgs_max = NAV_TIMES_MAX,
                .doc = "when a symbol of a channel was sent"},
        [NAV_MODELS] = {.name = "models",
                .dir = GN_OUT,
                .schema = &gn_schema_nav_model,
                .n_msgs_max = NAV_MODELS_MAX,
                .doc = "ionosphere, UTC and inter-system parameters"},
};

static void (*const decoders[GN_SIG_COUNT])(
        struct nav *, const struct gn_host *, struct nav_channel *) = {
        [GN_SIG_GPS_L1CA] = nav_gps_work,
        [GN_SIG_GAL_E1] = nav_galileo_work,
        [GN_SIG_SBAS_L1] = nav_sbas_work,
};

static gn_status nav_start(void *state, const struct gn_host *h)
{
    struct nav *nav = state;
    nav->claimed_week = GN_WEEK_UNKNOWN;
    if (h->anchor != NULL && h->anchor->has_t0 != 0) {
        int32_t tow_s;
        gn_gps_from_tai(h->anchor->t0_tai_s, &nav->claimed_week, &tow_s);
    }
    if (nav->claimed_week < 0)
        nav->claimed_week = GN_WEEK_UNKNOWN;
    nav->channels = calloc(NAV_CHANNELS, sizeof *nav->channels);
    return nav->channels != NULL
                   ? GN_OK
                   : h->fail(h, GN_E_NOMEM, NULL, "no memory for the symbols of %u channels",
                             NAV_CHANNELS);
}

static void begin_life(struct nav_channel *ch, const struct gn_msg_symbols *m)
{
    memset(ch, 0, sizeof *ch);
    ch->is_used = true;
    ch->signal = m->signal;
    ch->prn = m->prn;
    ch->number = m->channel;
    ch->life = m->life;
}

static bool is_known(const struct gn_msg_symbols *m)
{
    if (m->signal == GN_SIG_NONE || m->signal >= GN_SIG_COUNT || m->n > GN_SYMBOLS_MAX ||
            m->first >= SYMBOL_MAX)
        return false;
    const struct gn_signal_info *info = &gn_signal_table[m->signal];
    uint32_t room = m->signal == GN_SIG_GPS_L1CA ? NAV_GPS_PRNS
                    : m->signal == GN_SIG_GAL_E1 ? NAV_GAL_PRNS
                                                 : UINT8_MAX;
    return m->prn >= info->prn_min && m->prn <= info->prn_max && m->prn <= room;
}

static void take_symbols(struct nav *nav, const struct gn_host *h, const struct gn_msg_symbols *m)
{
    struct nav_channel *ch = &nav->channels[m->channel];
    if (!is_known(m))
        return;
    if (!ch->is_used || ch->life != m->life || ch->signal != m->signal || ch->prn != m->prn ||
            m->first < ch->soft.end)
        begin_life(ch, m);
    gn_soft_push(&ch->soft, m->first, m->soft, m->n);
    for (uint32_t i = 0; i < m->n; i++)
        ch->strength += (fabsf(m->soft[i]) - ch->strength) / STRENGTH_SYMBOLS;
    decoders[ch->signal](nav, h, ch);
}

static gn_status nav_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct nav *nav = state;
    memset(nav->n_sent, 0, sizeof nav->n_sent);
    for (uint32_t i = 0; i < w->n_msgs; i++) {
        nav->index = w->msgs[i].index;
        nav->at = w->msgs[i].at;
        take_symbols(nav, h, w->msgs[i].data);
    }
    return GN_OK;
}

static void nav_stop(void *state, const struct gn_host *h)
{
    struct nav *nav = state;
    if (nav->n_dropped != 0)
        h->log(h, GN_LOG_WARN, "%llu messages did not fit their ports and were dropped",
                (unsigned long long)nav->n_dropped);
    free(nav->channels);
    nav->channels = NULL;
}

extern const struct gn_block gn_decode_nav;
const struct gn_block gn_decode_nav = {
        .name = "decode.nav",
        .summary = "navigation messages of GPS L1 C/A, Galileo E1 and SBAS L1",
        .doc = "Finds sub-frames and pages in soft symbols, decodes those received before the "
               "first "
               "preamble too, and gives out ephemerides only as complete, consistent sets.",
        .ports = ports,
        .n_ports = GN_COUNT(ports),
        .state_size = sizeof(struct nav),
        .flags = GN_BLOCK_PURE,
        .start = nav_start,
        .work = nav_work,
        .stop = nav_stop,
};
