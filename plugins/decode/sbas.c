/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/decode/nav.h"

#include <string.h>

/* Messages as they are: corrections are not used yet. */
void nav_sbas_work(struct nav *nav, const struct gn_host *h, struct nav_channel *ch)
{
    struct gn_sbas_heard heard;
    enum gn_sync_event event;
    while ((event = gn_sbas_sync_next(&ch->sbas, &ch->soft, &heard)) != GN_SYNC_NOTHING) {
        struct gn_msg_page *m = event == GN_SYNC_UNIT ? nav_msg_new(nav, h, NAV_PAGES) : NULL;
        if (m == NULL)
            continue;
        m->signal = ch->signal;
        m->prn = ch->prn;
        m->channel = ch->number;
        m->kind = GN_PAGE_SBAS;
        m->word_type = heard.type;
        m->words_ok = 1;
        m->n_bits = GN_SBAS_BITS;
        m->wn = -1;
        m->symbol = (uint64_t)(heard.symbol > 0 ? heard.symbol : 0);
        memcpy(m->bits, heard.bits, sizeof heard.bits);
        nav_msg_send(nav, h, NAV_PAGES);
    }
}
