/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* SBAS symbols of any kind into synchronisation: messages come in order, from symbols that are
 * there, with a good CRC. A byte is eight symbols; 0xFE leaves out 2^k symbols, 0xFF turns all
 * signs, 0xFD encodes the next 28 bytes as a message with a good CRC. */
#include "lib/nav/sbas_sync.h"
#include "lib/nav/viterbi.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

struct feed {
    struct gn_soft soft;
    struct gn_sbas_sync sync;
    uint64_t next;
    int64_t last;
    float sign;
    uint32_t memory;
};

static void require(int is_true)
{
    if (!is_true)
        abort();
}

static void push(struct feed *f, const uint8_t *symbols, size_t n)
{
    float v[8];
    require(n <= 8);
    for (size_t k = 0; k < n; k++)
        v[k] = symbols[k] != 0 ? -f->sign : f->sign;
    gn_soft_push(&f->soft, f->next, v, n);
    f->next += n;
    enum gn_sync_event event;
    struct gn_sbas_heard heard;
    while ((event = gn_sbas_sync_next(&f->sync, &f->soft, &heard)) != GN_SYNC_NOTHING) {
        if (event == GN_SYNC_LOST) {
            f->last = INT64_MIN;
            continue;
        }
        require(gn_sbas_is_good(heard.bits) && heard.type < 64);
        require(heard.symbol > f->last);
        require(heard.symbol + (int64_t)GN_SBAS_SYMBOLS <= (int64_t)f->soft.end);
        f->last = heard.symbol;
    }
}

static void push_byte(struct feed *f, uint8_t byte)
{
    uint8_t symbols[8];
    for (unsigned k = 0; k < 8; k++)
        symbols[k] = byte >> (7 - k) & 1;
    push(f, symbols, 8);
}

static void push_message(struct feed *f, const uint8_t *from, size_t n)
{
    uint8_t bits[GN_SBAS_BYTES] = {0x53}, symbols[GN_SBAS_SYMBOLS];
    memcpy(bits + 1, from, n < 28 ? n : 28);
    gn_sbas_close(bits);
    gn_conv_encode(GN_CONV_PLAIN, bits, GN_SBAS_BITS, &f->memory, symbols);
    for (size_t i = 0; i < GN_SBAS_SYMBOLS; i += 4)
        push(f, symbols + i, 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct feed *f = calloc(1, sizeof *f);
    require(f != NULL);
    f->sign = 1;
    f->last = INT64_MIN;
    for (size_t i = 0; i < n; i++) {
        if (data[i] == 0xFE && i + 1 < n) {
            f->next += (uint64_t)1 << data[++i] % 40;
        } else if (data[i] == 0xFF) {
            f->sign = -f->sign;
        } else if (data[i] == 0xFD) {
            size_t left = n - i - 1, take = left < 28 ? left : 28;
            push_message(f, data + i + 1, take);
            i += take;
        } else {
            push_byte(f, data[i]);
        }
    }
    free(f);
    return 0;
}
