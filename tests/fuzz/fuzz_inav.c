/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Galileo words of any kind into the collector: an ephemeris is of its satellite, its content is
 * that of the words given (or rebuilt from them), and is given out once. Pages of any kind into
 * symbols and back. */
#include "lib/nav/inav_set.h"
#include "lib/nav/inav_sync.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(int is_true)
{
    if (!is_true)
        abort();
}

static void check_ephemeris(
        const struct gn_inav_set *set, const struct gn_ephemeris *eph, uint8_t prn)
{
    uint8_t ced[4][GN_INAV_WORD_BYTES];
    struct gn_ephemeris copy = *eph;
    require(eph->prn == prn && eph->toe_s < 604800 && eph->has_ced);
    require(memcmp(set->told, eph->ced, sizeof set->told) == 0);
    require(gn_inav_ced_write(&copy, ced));
    require(gn_inav_iod(ced[0]) == eph->iode && gn_inav_svid(ced[3]) == prn);
}

/* Pages of these words, one after the other with gaps and turns of polarity as the octets before
 * each say: what is heard was sent. */
static void check_symbols(const uint8_t *data, size_t n)
{
    struct gn_soft *soft = calloc(1, sizeof *soft);
    struct gn_inav_sync sync = {0};
    struct gn_inav_heard heard;
    uint64_t next = 0;
    unsigned n_heard = 0;
    require(soft != NULL);
    for (size_t i = 0; i + 20 <= n && i < 20 * 12; i += 20) {
        uint8_t page[GN_INAV_PAGE_BYTES], symbols[GN_INAV_PAGE_SYMBOLS];
        float v[GN_INAV_PAGE_SYMBOLS], sign = (data[i] & 1) != 0 ? -1.0f : 1.0f;
        gn_inav_page_build(data + i + 4, NULL, page);
        gn_inav_page_encode(page, symbols);
        for (unsigned k = 0; k < GN_INAV_PAGE_SYMBOLS; k++)
            v[k] = symbols[k] != 0 ? -sign : sign;
        next += (data[i] & 2) != 0 ? (uint64_t)1 << data[i + 3] % 40 : 0;
        gn_soft_push(soft, next, v, GN_INAV_PAGE_SYMBOLS);
        next += GN_INAV_PAGE_SYMBOLS;
        enum gn_sync_event event;
        while ((event = gn_inav_sync_next(&sync, soft, &heard)) != GN_SYNC_NOTHING) {
            require(event == GN_SYNC_LOST || gn_inav_page_is_good(heard.page));
            n_heard += event == GN_SYNC_UNIT;
        }
        require(i > 0 || n_heard == 1);
    }
    free(soft);
}

/* Pieces of 20 octets: time step, its unit, two for the week, the word. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct gn_inav_set set = {0};
    int64_t t_s = (int64_t)1423 * 604800;
    for (size_t i = 0; i + 20 <= n; i += 20) {
        struct gn_ephemeris eph, twice;
        const uint8_t *word = data + i + 4;
        t_s += (int64_t)data[i] << data[i + 1] % 16;
        int32_t wn = data[i + 2] == 0xFF ? -1 : (int32_t)(t_s / 604800);
        uint32_t tow_s = (uint32_t)(t_s % 604800);
        uint8_t prn = 11;
        enum gn_inav_news news = gn_inav_set_add(&set, prn, word, wn, tow_s, &eph);
        if (news == GN_INAV_EPHEMERIS) {
            check_ephemeris(&set, &eph, prn);
            require(gn_inav_set_add(&set, prn, word, wn, tow_s, &twice) == GN_INAV_NO_NEWS);
        }
    }
    check_symbols(data, n);
    return 0;
}
