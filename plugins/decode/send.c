/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/decode/nav.h"

#include "lib/time/time.h"

#include <math.h>
#include <string.h>

static const uint32_t most[NAV_MODELS + 1] = {
        0, NAV_PAGES_MAX, NAV_EPHEMERIDES_MAX, NAV_TIMES_MAX, NAV_MODELS_MAX};

bool nav_has_room(const struct nav *nav, enum nav_port port)
{
    return nav->n_sent[port] < most[port];
}

void *nav_msg_new(struct nav *nav, const struct gn_host *h, enum nav_port port)
{
    if (!nav_has_room(nav, port)) {
        nav->n_dropped++;
        return NULL;
    }
    nav->n_sent[port]++;
    return h->msg_new(h, (uint32_t)port);
}

void nav_msg_send(struct nav *nav, const struct gn_host *h, enum nav_port port)
{
    h->msg_send(h, (uint32_t)port, nav->index, nav->at);
}

void nav_send_time(struct nav *nav, const struct gn_host *h, const struct nav_channel *ch,
        int64_t symbol, bool valid)
{
    struct gn_msg_nav_time *m = nav_msg_new(nav, h, NAV_TIMES);
    int32_t wn;
    if (m == NULL)
        return;
    m->signal = ch->signal;
    m->prn = ch->prn;
    m->channel = ch->number;
    m->valid = valid;
    m->life = ch->life;
    m->symbol = (uint64_t)(symbol > 0 ? symbol : 0);
    nav_clock_at(ch, (int64_t)m->symbol, &wn, &m->tow_s);
    m->wn = nav_gps_week_at(ch, (int64_t)m->symbol);
    nav_msg_send(nav, h, NAV_TIMES);
}

void nav_send_ephemeris(struct nav *nav, const struct gn_host *h, const struct gn_ephemeris *eph)
{
    struct gn_msg_ephemeris *m = nav_msg_new(nav, h, NAV_EPHEMERIDES);
    if (m == NULL)
        return;
    m->eph = *eph;
    nav_msg_send(nav, h, NAV_EPHEMERIDES);
}

void nav_send_model(struct nav *nav, const struct gn_host *h, const struct nav_channel *ch,
        enum gn_model_kind kind, const double v[8], int64_t symbol)
{
    struct nav_told *told = &nav->told[ch->signal][kind];
    if (told->has && memcmp(told->v, v, sizeof told->v) == 0)
        return;
    struct gn_msg_nav_model *m = nav_msg_new(nav, h, NAV_MODELS);
    int32_t wn;
    if (m == NULL)
        return;
    told->has = true;
    memcpy(told->v, v, sizeof told->v);
    m->signal = ch->signal;
    m->prn = ch->prn;
    m->kind = (uint8_t)kind;
    memcpy(m->v, v, sizeof m->v);
    nav_clock_at(ch, symbol, &wn, &m->tow_s);
    m->wn = nav_gps_week_at(ch, symbol);
    nav_msg_send(nav, h, NAV_MODELS);
}
