/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The OSNMA engine on pages of any content, CRC made good so that they get in. Each 24 bytes say: which satellite,
 * how much time passes, what is sent. No anchor signed any of it: nothing may be authentic. */
#include "lib/bits/bits.h"
#include "lib/bits/crc24q.h"
#include "lib/osnma/engine.h"

#include <stdlib.h>
#include <string.h>

#define PIECE 24u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void never_key(void *arg, enum gn_osnma_key_event kind, const struct gn_msg_osnma_key *k)
{
    (void)arg;
    (void)kind;
    if (k->verdict == GN_AUTHENTIC)
        abort();
}

static void never_data(void *arg, const struct gn_msg_osnma_data *d)
{
    (void)arg;
    if (d->authentic)
        abort();
}

static void never_tag(void *arg, const struct gn_msg_osnma_tag *t)
{
    (void)arg;
    if (t->verdict == GN_AUTHENTIC || memchr(t->reason, 0, sizeof t->reason) == NULL)
        abort();
}

/* 0: PRN and E5b, 1..2: time, 3..18: word, 19..23: OSNMA bits */
static struct gn_osnma_page page_of(const uint8_t *d, int64_t *t_s)
{
    int jump = (int)d[1] - 100;
    *t_s += d[2] >= 250 ? jump * 3000 : jump >= 0 ? jump / 40 : 0;
    *t_s = *t_s < 0 ? 0 : *t_s;
    struct gn_osnma_page p = {.wn = (int32_t)(*t_s / 604800), .tow_s = (uint32_t)(*t_s % 604800),
            .prn = d[0] & 63u, .is_e5b = d[0] >> 7};
    for (unsigned i = 0; i < 112; i++)
        (void)gn_bits_set(p.bits, 240, 2 + i, 1, gn_bits_get(d + 3, 128, i, 1));
    (void)gn_bits_set(p.bits, 240, 120, 1, 1);
    (void)gn_bits_set(p.bits, 240, 122, 16, gn_bits_get(d + 3, 128, 112, 16));
    (void)gn_bits_set(p.bits, 240, 138, 40, gn_bits_get(d + 19, 40, 0, 40));
    struct gn_bit_reader in = gn_bit_reader_of(p.bits, 240);
    uint32_t crc = gn_crc24q(0, &in, 114);
    gn_bits_skip(&in, 6);
    crc = gn_crc24q(crc, &in, 82);
    (void)gn_bits_set(p.bits, 240, 202, 24, crc);
    return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gn_osnma_config config = {.has_trusted_time = 1, .anchor = {.has_root = 1}};
    struct gn_osnma_sink sink = {.tag = never_tag, .data = never_data, .key = never_key};
    struct gn_osnma *o = NULL;
    int64_t t_s = 1423LL * 604800 + 154200;
    memset(config.anchor.root, 0x5a, sizeof config.anchor.root);
    if (gn_osnma_new(&config, &o) != GN_OK)
        return 0;
    for (size_t at = 0; at + PIECE <= size; at += PIECE) {
        struct gn_osnma_page page = page_of(data + at, &t_s);
        gn_osnma_feed(o, &page, &sink);
    }
    gn_osnma_finish(o, &sink);
    gn_osnma_free(o);
    return 0;
}
