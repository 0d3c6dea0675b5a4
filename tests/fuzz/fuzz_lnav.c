/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* GPS bits of any kind into synchronisation and collector: units come in order, their words have
 * good parity, and no ephemeris is made of two issues. */
#include "lib/nav/lnav_set.h"
#include "lib/nav/lnav_sync.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(int is_true)
{
    if (!is_true)
        abort();
}

static void take(struct gn_lnav_set *set, const struct gn_lnav_subframe *sf)
{
    struct gn_lnav_piece piece = {.word_mask = sf->word_mask, .tow_s = 6 * sf->count};
    struct gn_ephemeris eph;
    require(sf->id == sf->count % 5 + 1 && sf->count < GN_LNAV_COUNTS_A_WEEK);
    require((sf->word_mask & ~sf->received_mask) == 0);
    memcpy(piece.data, sf->data, sizeof piece.data);
    if (gn_lnav_set_add(set, 1, sf->id, &piece, sf->alert, 2447, &eph)) {
        require(eph.iode == (eph.iodc & 0xFF) && eph.toe_s < 604800 && eph.week >= 0);
        require(set->pieces[1].data[6] == eph.iode && set->pieces[2].data[27] == eph.iode);
    }
}

/* A byte is a command for each piece: 0xFE jumps ahead, 0xFF turns the polarity, others give eight
 * bits. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct gn_soft *soft = calloc(1, sizeof *soft);
    struct gn_lnav_set set = {0};
    struct gn_lnav_sync sync = {0};
    struct gn_lnav_subframe sf;
    uint64_t next = 0;
    float sign = 1;
    int64_t last = INT64_MIN;
    require(soft != NULL);
    for (size_t i = 0; i < n; i++) {
        if (data[i] == 0xFE && i + 1 < n) {
            next += (uint64_t)1 << data[++i] % 40;
            continue;
        }
        if (data[i] == 0xFF) {
            sign = -sign;
            continue;
        }
        float v[8];
        for (unsigned k = 0; k < 8; k++)
            v[k] = (data[i] >> (7 - k) & 1) != 0 ? -sign : sign;
        gn_soft_push(soft, next, v, 8);
        next += 8;
        enum gn_sync_event event;
        while ((event = gn_lnav_sync_next(&sync, soft, &sf)) != GN_SYNC_NOTHING) {
            if (event == GN_SYNC_LOST) {
                last = INT64_MIN;
                continue;
            }
            require(sf.symbol > last && sf.symbol + 300 <= (int64_t)soft->end);
            last = sf.symbol;
            take(&set, &sf);
        }
    }
    free(soft);
    return 0;
}
