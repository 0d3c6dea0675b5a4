/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/gnss/codes.h"

#include "lib/gnss/e1_codes.h"
#include "lib/gnss/signal.h"

#define CA_CHIPS 1023u
#define E1_CHIPS 4092u

/* G2 delay in chips. GPS 1..32: IS-GPS-200N table 3-Ia */
static const uint16_t gps_g2_delay[] = {5, 6, 7, 8, 17, 18, 139, 140, 141, 251, 252, 254, 255, 256,
        257, 258, 469, 470, 471, 472, 473, 474, 509, 512, 513, 514, 515, 516, 859, 860, 861, 862};

/* PRN 120..158: IS-GPS-200N table 3-Ib, RTCA DO-229 appendix A */
static const uint16_t sbas_g2_delay[] = {145, 175, 52, 21, 237, 235, 886, 657, 634, 762, 355, 1012,
        176, 603, 130, 359, 595, 68, 386, 797, 456, 499, 883, 307, 127, 211, 121, 118, 163, 628,
        853, 484, 289, 811, 202, 1021, 463, 568, 904};

/* PRN 193..202: IS-QZSS-PNT, table of PRN assignment */
static const uint16_t qzss_g2_delay[] = {339, 208, 711, 189, 263, 537, 663, 942, 173, 900};

/* "0011100000001010110110010" (380AD90 in hex, 25 bits): Galileo OS SIS ICD 2.1 */
const int8_t gn_code_cs25[GN_CS25_CHIPS] = {1, 1, -1, -1, -1, 1, 1, 1, 1, 1, 1, 1, -1, 1, -1, 1, -1,
        -1, 1, -1, -1, 1, 1, -1, 1};

/* Both registers hold ten stages, all ones at the start; stage 10 is the output.
 *   G1 = 1 + x^3 + x^10        G2 = 1 + x^2 + x^3 + x^6 + x^8 + x^9 + x^10
 *   chip[i] = G1[i] xor G2[i - delay]   (IS-GPS-200N 3.3.2.3) */
static unsigned parity(unsigned x)
{
    x ^= x >> 8;
    x ^= x >> 4;
    x ^= x >> 2;
    return (x ^ x >> 1) & 1u;
}

static void lfsr(unsigned taps, uint8_t *ret)
{
    unsigned stages = 0x3ffu; /* bit k - 1 is stage k */
    for (unsigned i = 0; i < CA_CHIPS; i++) {
        ret[i] = (uint8_t)(stages >> 9 & 1u);
        stages = (stages << 1 | parity(stages & taps)) & 0x3ffu;
    }
}

static void ca_chips(unsigned delay, int8_t *ret)
{
    uint8_t g1[CA_CHIPS], g2[CA_CHIPS];

    lfsr(1u << 2 | 1u << 9, g1);
    lfsr(1u << 1 | 1u << 2 | 1u << 5 | 1u << 7 | 1u << 8 | 1u << 9, g2);
    for (unsigned i = 0; i < CA_CHIPS; i++)
        ret[i] = (int8_t)(1 - 2 * (g1[i] ^ g2[(i + CA_CHIPS - delay) % CA_CHIPS]));
}

static void e1_chips(const char *hex, int8_t *ret)
{
    for (unsigned i = 0; i < E1_CHIPS; i++) {
        char c = hex[i / 4];
        unsigned digit = (unsigned)(c <= '9' ? c - '0' : c - 'A' + 10);
        ret[i] = (int8_t)(1 - 2 * (int)(digit >> (3 - i % 4) & 1u));
    }
}

/* 0 when there is no such code */
static unsigned g2_delay(unsigned signal, unsigned prn)
{
    if (signal == GN_SIG_GPS_L1CA && prn >= 1 && prn <= GN_COUNT(gps_g2_delay))
        return gps_g2_delay[prn - 1];
    if (signal == GN_SIG_GPS_L1CA && prn >= 193 && prn - 193 < GN_COUNT(qzss_g2_delay))
        return qzss_g2_delay[prn - 193];
    if (signal == GN_SIG_SBAS_L1 && prn >= 120 && prn - 120 < GN_COUNT(sbas_g2_delay))
        return sbas_g2_delay[prn - 120];
    return 0;
}

gn_status gn_code_chips(unsigned signal, unsigned component, unsigned prn, int8_t *ret, size_t n)
{
    if (signal == GN_SIG_GAL_E1) {
        if (n != E1_CHIPS || prn < 1 || prn > GN_E1_CODES || component > GN_CODE_PILOT)
            return GN_E_ARG;
        e1_chips(component == GN_CODE_PILOT ? gn_e1c_hex[prn - 1] : gn_e1b_hex[prn - 1], ret);
        return GN_OK;
    }
    unsigned delay = g2_delay(signal, prn);
    if (delay == 0 || n != CA_CHIPS || component != GN_CODE_DATA)
        return GN_E_ARG;
    ca_chips(delay, ret);
    return GN_OK;
}
