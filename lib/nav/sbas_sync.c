/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/nav/sbas_sync.h"

#include "lib/bits/bits.h"
#include "lib/bits/crc24q.h"
#include "lib/nav/viterbi.h"

#include <string.h>

#define MESSAGE   ((int64_t)GN_SBAS_SYMBOLS)
#define MARGIN    32 /* bits decoded before and after, where the code's memory is not known */
#define CRC_AT    226
#define BAD_MAX   5
#define WINDOW    ((size_t)GN_VITERBI_MAX_BITS)
#define STEP_BITS (WINDOW - GN_SBAS_BITS - 2 * MARGIN) /* starts tried in one window */

bool gn_sbas_is_good(const uint8_t bits[GN_SBAS_BYTES])
{
    struct gn_bit_reader r = gn_bit_reader_of(bits, GN_SBAS_BITS);
    bool is_preamble = bits[0] == 0x53 || bits[0] == 0x9A || bits[0] == 0xC6;
    return is_preamble && gn_crc24q(0, &r, CRC_AT) == gn_bits_u(&r, 24);
}

void gn_sbas_close(uint8_t bits[GN_SBAS_BYTES])
{
    struct gn_bit_reader r = gn_bit_reader_of(bits, GN_SBAS_BITS);
    (void)gn_bits_set(bits, GN_SBAS_BITS, CRC_AT, 24, gn_crc24q(0, &r, CRC_AT));
}

/* Both generators have an odd number of taps: symbols upside down give bits upside down. */
static bool take(const uint8_t *decoded, size_t n_bits, size_t at, uint8_t bits[GN_SBAS_BYTES])
{
    struct gn_bit_reader r = {.p = decoded, .n_bits = n_bits, .at = at};
    struct gn_bit_writer w = gn_bit_writer_of(bits, GN_SBAS_BITS);
    memset(bits, 0, GN_SBAS_BYTES);
    gn_bits_copy(&w, &r, GN_SBAS_BITS);
    if (gn_sbas_is_good(bits))
        return true;
    for (unsigned i = 0; i < GN_SBAS_BYTES; i++)
        bits[i] = (uint8_t)~bits[i];
    bits[GN_SBAS_BYTES - 1] &= 0xC0;
    return gn_sbas_is_good(bits);
}

static void decode(const struct gn_soft *soft, int64_t from, size_t n_bits, uint8_t *decoded)
{
    float x[2 * GN_VITERBI_MAX_BITS];
    gn_soft_copy(soft, from, 2 * n_bits, x);
    (void)gn_viterbi_decode(GN_CONV_PLAIN, 0, x, n_bits, decoded);
}

static bool decode_at(const struct gn_soft *soft, int64_t at, uint8_t bits[GN_SBAS_BYTES])
{
    uint8_t decoded[(GN_SBAS_BITS + 2 * MARGIN + 7) / 8];
    size_t n_bits = GN_SBAS_BITS + 2 * MARGIN;
    decode(soft, at - 2 * MARGIN, n_bits, decoded);
    return take(decoded, n_bits, MARGIN, bits);
}

/* Windows of 512 bits, each decoded with both ways to pair the symbols. */
static bool search(struct gn_sbas_sync *sync, const struct gn_soft *soft, int64_t *start)
{
    if (sync->probe < soft->first)
        sync->probe = soft->first;
    for (; sync->probe + 2 * WINDOW + 1 <= soft->end; sync->probe += 2 * STEP_BITS) {
        for (unsigned odd = 0; odd < 2; odd++) {
            uint8_t decoded[WINDOW / 8], bits[GN_SBAS_BYTES];
            int64_t from = (int64_t)sync->probe + odd;
            decode(soft, from, WINDOW, decoded);
            for (size_t at = MARGIN; at < MARGIN + STEP_BITS; at++) {
                if (!take(decoded, WINDOW, at, bits))
                    continue;
                *start = from + 2 * (int64_t)at;
                sync->probe += 2 * STEP_BITS;
                return true;
            }
        }
    }
    return false;
}

static enum gn_sync_event look_around(struct gn_sbas_sync *sync, const struct gn_soft *soft)
{
    int64_t start;
    if (!search(sync, soft, &start))
        return sync->is_locked ? GN_SYNC_UNIT : GN_SYNC_NOTHING;
    bool is_other = sync->is_locked && (start - sync->next) % MESSAGE != 0;
    if (!sync->is_locked || is_other)
        sync->next = is_other ? start : start - (start - (int64_t)soft->first) / MESSAGE * MESSAGE;
    sync->is_locked = true;
    sync->n_bad = 0;
    return is_other ? GN_SYNC_LOST : GN_SYNC_UNIT;
}

enum gn_sync_event gn_sbas_sync_next(
        struct gn_sbas_sync *sync, const struct gn_soft *soft, struct gn_sbas_heard *ret)
{
    if (!sync->is_locked || sync->n_bad >= BAD_MAX) {
        enum gn_sync_event event = look_around(sync, soft);
        if (event != GN_SYNC_UNIT)
            return event;
    }
    if (sync->next + MESSAGE <= (int64_t)soft->first)
        sync->next += ((int64_t)soft->first - sync->next) / MESSAGE * MESSAGE;
    while (sync->next + MESSAGE + 2 * MARGIN <= (int64_t)soft->end) {
        int64_t at = sync->next;
        sync->next += MESSAGE;
        if (decode_at(soft, at, ret->bits)) {
            ret->symbol = at;
            ret->type = (uint8_t)gn_bits_get(ret->bits, GN_SBAS_BITS, 8, 6);
            sync->n_bad = 0;
            if (sync->next > (int64_t)sync->probe)
                sync->probe = (uint64_t)sync->next;
            return GN_SYNC_UNIT;
        }
        sync->n_bad = (uint8_t)(sync->n_bad + (sync->n_bad < BAD_MAX));
    }
    return GN_SYNC_NOTHING;
}
