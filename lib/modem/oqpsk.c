/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/modem/oqpsk.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* IEEE 802.15.4-2006, table 24 */
const uint32_t gn_oqpsk_chips[16] = {0xd9c3522e, 0xed9c3522, 0x2ed9c352, 0x22ed9c35,
        0x522ed9c3, 0x3522ed9c, 0xc3522ed9, 0x9c3522ed,
        0x8c96077b, 0xb8c96077, 0x7b8c9607, 0x77b8c960,
        0x077b8c96, 0x6077b8c9, 0x96077b8c, 0xc96077b8};

uint16_t gn_fcs(const uint8_t *bytes, size_t n)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0x8408U : 0U);
    }
    return (uint16_t)crc;
}

unsigned gn_oqpsk_spc(double rate_sps)
{
    double spc = rate_sps / GN_OQPSK_CHIP_SPS;
    bool is_good = spc >= GN_OQPSK_SPC_MIN && spc <= GN_OQPSK_SPC_MAX && fabs(spc - round(spc)) < 1e-9;
    return is_good ? (unsigned)lround(spc) : 0;
}

size_t gn_oqpsk_chips_of(const uint8_t *psdu, size_t n, int8_t *chips)
{
    uint8_t head[GN_OQPSK_HEAD] = {0, 0, 0, 0, 0xa7, (uint8_t)n};
    size_t n_made = 0;
    for (size_t i = 0; i < GN_OQPSK_HEAD + n; i++) {
        unsigned byte = i < GN_OQPSK_HEAD ? head[i] : psdu[i - GN_OQPSK_HEAD];
        for (unsigned half = 0; half < 2; half++, byte >>= 4) {
            uint32_t word = gn_oqpsk_chips[byte & 15U];
            for (unsigned c = 0; c < GN_OQPSK_CHIPS; c++)
                chips[n_made++] = (word >> (31 - c) & 1U) != 0 ? 1 : -1;
        }
    }
    return n_made;
}

size_t gn_oqpsk_samples(size_t n, unsigned spc)
{
    return ((GN_OQPSK_HEAD + n) * 2 * GN_OQPSK_CHIPS + 1) * spc;
}

void gn_oqpsk_modulate(const uint8_t *psdu, size_t n, unsigned spc, float *iq)
{
    int8_t chips[(GN_OQPSK_HEAD + GN_OQPSK_BYTES_MAX) * 2 * GN_OQPSK_CHIPS];
    float pulse[2 * GN_OQPSK_SPC_MAX];
    size_t n_chips = gn_oqpsk_chips_of(psdu, n, chips);
    for (unsigned i = 0; i < 2 * spc; i++)
        pulse[i] = (float)sin(PI * i / (2.0 * spc));
    memset(iq, 0, gn_oqpsk_samples(n, spc) * 2 * sizeof *iq);
    for (size_t c = 0; c < n_chips; c++) {
        float *to = iq + 2 * c * spc + c % 2;
        for (unsigned i = 0; i < 2 * spc; i++)
            to[2 * i] += (float)chips[c] * pulse[i];
    }
}

void gn_oqpsk_at(const int8_t *chips, size_t n_chips, double u_chips, float iq[2])
{
    double whole = floor(u_chips);
    iq[0] = iq[1] = 0;
    if (!(u_chips >= 0) || whole > (double)n_chips)
        return;
    size_t k = (size_t)whole;
    for (unsigned back = 0; back < 2; back++) { /* the chip that began last and the one before */
        if (k < back || k - back >= n_chips)
            continue;
        size_t c = k - back;
        iq[c % 2] = (float)(chips[c] * sin(PI / 2 * (u_chips - (double)c)));
    }
}
