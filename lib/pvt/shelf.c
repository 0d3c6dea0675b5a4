/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/pvt/shelf.h"

#include "lib/gnss/signal.h"
#include "lib/nav/orbit.h"

#include <math.h>
#include <string.h>

/* orbits between 10000 and 60000 km that a Kepler solver can take */
#define SQRT_A_MIN 3162.0
#define SQRT_A_MAX 7746.0
#define E_MAX      0.3

static struct gn_shelf_slot *slot_of(const struct gn_shelf *s, uint8_t signal, uint8_t prn)
{
    const struct gn_shelf_slot *slot = NULL;
    if (prn < GN_SHELF_PRNS && signal == GN_SIG_GPS_L1CA)
        slot = &s->gps[prn];
    if (prn < GN_SHELF_PRNS && signal == GN_SIG_GAL_E1)
        slot = &s->galileo[prn];
    return (struct gn_shelf_slot *)(uintptr_t)slot;
}

static bool is_plausible(const struct gn_ephemeris *e)
{
    return e->sqrt_a > SQRT_A_MIN && e->sqrt_a < SQRT_A_MAX && e->e >= 0 && e->e < E_MAX &&
            isfinite(e->m0_rad) && isfinite(e->omega_rad) && isfinite(e->omega0_rad) &&
            isfinite(e->i0_rad) && isfinite(e->af0_s) && isfinite(e->toe_s) && isfinite(e->toc_s);
}

static bool is_same(const struct gn_ephemeris *a, const struct gn_ephemeris *b)
{
    return a->iode == b->iode && a->toe_s == b->toe_s &&
            (a->source == GN_EPH_SRC_INAV_RED) == (b->source == GN_EPH_SRC_INAV_RED) &&
            (!a->has_ced || !b->has_ced || memcmp(a->ced, b->ced, GN_EPH_CED_BYTES) == 0);
}

void gn_shelf_put(struct gn_shelf *s, const struct gn_ephemeris *eph)
{
    struct gn_shelf_slot *slot = slot_of(s, eph->signal, eph->prn);
    if (slot == NULL || !is_plausible(eph))
        return;
    int at = 0;
    while (at < slot->n && !is_same(&slot->kept[at], eph))
        at++;
    if (at == slot->n) { /* new: the oldest falls off */
        slot->n = (uint8_t)(slot->n + (slot->n < GN_SHELF_KEPT));
        at = slot->n - 1;
    }
    memmove(&slot->kept[1], &slot->kept[0], (size_t)at * sizeof slot->kept[0]);
    slot->kept[0] = *eph;
}

static bool is_usable(const struct gn_ephemeris *e, const struct gn_shelf_want *w)
{
    /* reduced CED comes without an accuracy statement; it has its own, wide sigma */
    bool has_accuracy = e->source == GN_EPH_SRC_INAV_RED || isfinite(gn_orbit_sigma_m(e));
    return e->health == 0 && e->alert == 0 && has_accuracy &&
            fabs(gn_orbit_age_s(e, w->week, w->tow_s)) <= gn_orbit_validity_s(e);
}

const struct gn_ephemeris *gn_shelf_get(const struct gn_shelf *s, uint8_t signal, uint8_t prn,
        const struct gn_shelf_want *want)
{
    const struct gn_shelf_slot *slot = slot_of(s, signal, prn);
    const struct gn_ephemeris *reduced = NULL;
    for (int i = 0; slot != NULL && i < slot->n; i++) {
        const struct gn_ephemeris *e = &slot->kept[i];
        enum gn_content_trust trust = gn_trust_of(want->trust, e);
        /* the newest word on health stands for the satellite, whichever elements are used */
        if (slot->kept[0].health != 0 || slot->kept[0].alert != 0)
            return NULL;
        if (!is_usable(e, want) || trust == GN_CONTENT_FORGED ||
                (want->authentic_only && trust != GN_CONTENT_AUTHENTIC))
            continue;
        if (e->source != GN_EPH_SRC_INAV_RED)
            return e;
        if (reduced == NULL && want->allow_reduced)
            reduced = e;
    }
    return reduced;
}

bool gn_shelf_is_forged(const struct gn_shelf *s, uint8_t signal, uint8_t prn,
        const struct gn_trust_store *trust)
{
    const struct gn_shelf_slot *slot = slot_of(s, signal, prn);
    return slot != NULL && slot->n > 0 &&
            gn_trust_of(trust, &slot->kept[0]) == GN_CONTENT_FORGED;
}
