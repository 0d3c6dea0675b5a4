/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/pvt/trust.h"

#include "lib/gnss/signal.h"

#include <string.h>

#define CED_BITS 549
#define TAG_BITS_MIN 40 /* OSNMA SIS ICD 1.1: the shortest that counts */
#define ADKD_CED 0
#define ADKD_SLOW_CED 12

static struct gn_trust_content *find(struct gn_trust_store *t, unsigned prn, const uint8_t *content)
{
    for (int i = 0; i < GN_TRUST_KEPT; i++) {
        struct gn_trust_content *c = &t->kept[prn][i];
        if (c->is_set && memcmp(c->content, content, GN_EPH_CED_BYTES) == 0)
            return c;
    }
    return NULL;
}

void gn_trust_take(struct gn_trust_store *t, const struct gn_msg_osnma_data *v)
{
    if ((v->adkd != ADKD_CED && v->adkd != ADKD_SLOW_CED) || v->content_bits != CED_BITS ||
            v->prn == 0 || v->prn >= GN_TRUST_PRNS)
        return;
    struct gn_trust_content *c = find(t, v->prn, v->content);
    if (c == NULL) {
        c = &t->kept[v->prn][t->next[v->prn]];
        t->next[v->prn] = (uint8_t)((t->next[v->prn] + 1) % GN_TRUST_KEPT);
        *c = (struct gn_trust_content){.is_set = true};
        memcpy(c->content, v->content, GN_EPH_CED_BYTES);
    }
    /* fail closed: without trusted time nothing is authentic, whatever else the message says */
    c->is_authentic = c->is_authentic || (v->authentic == 1 && v->time_trusted == 1 && !v->forged);
    c->is_time_unverified = c->is_time_unverified || (!v->time_trusted && !v->forged && v->bits >= TAG_BITS_MIN);
    c->is_forged = c->is_forged || v->forged;
}

enum gn_content_trust gn_trust_of(const struct gn_trust_store *t, const struct gn_ephemeris *eph)
{
    if (eph->signal != GN_SIG_GAL_E1 || !eph->has_ced || eph->prn >= GN_TRUST_PRNS)
        return GN_CONTENT_UNKNOWN;
    for (int i = 0; i < GN_TRUST_KEPT; i++) {
        const struct gn_trust_content *c = &t->kept[eph->prn][i];
        if (!c->is_set || memcmp(c->content, eph->ced, GN_EPH_CED_BYTES) != 0)
            continue;
        if (c->is_forged)
            return GN_CONTENT_FORGED;
        if (c->is_authentic)
            return GN_CONTENT_AUTHENTIC;
        if (c->is_time_unverified)
            return GN_CONTENT_TIME_UNVERIFIED;
    }
    return GN_CONTENT_UNKNOWN;
}

enum gn_trust gn_trust_label(int n_used, int n_authentic, int n_time_unverified, bool is_suspected)
{
    if (is_suspected)
        return GN_TRUST_SPOOFING_SUSPECTED;
    if (n_used > 0 && n_authentic == n_used)
        return GN_TRUST_AUTHENTICATED;
    if (n_authentic > 0)
        return GN_TRUST_PARTLY;
    if (n_time_unverified > 0)
        return GN_TRUST_TIME_UNVERIFIED;
    return GN_TRUST_UNAUTHENTICATED;
}
