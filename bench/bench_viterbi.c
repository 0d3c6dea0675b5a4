/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What decoding a page part (120 bits of I/NAV) costs: our float decoder whole, against the forward
 * pass alone of VOLK's 8-bit kernel. */
#include "lib/nav/viterbi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <volk/volk.h>

#define N_BITS   120u
#define N_PARTS  2000u
#define N_ROUNDS 5u

static float soft[N_PARTS][2 * N_BITS];

static double cpu_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double ours_s(void)
{
    double t0_s = cpu_s();
    for (unsigned i = 0; i < N_PARTS; i++) {
        uint8_t bits[15];
        (void)gn_viterbi_decode(GN_CONV_PLAIN, GN_VITERBI_STARTS_AT_0 | GN_VITERBI_ENDS_AT_0,
                soft[i], N_BITS, bits);
    }
    return (cpu_s() - t0_s) / N_PARTS;
}

static double volk_s(uint8_t *memory)
{
    uint8_t *x = memory, *y = memory + 64, *branches = memory + 128, *symbols = memory + 192,
            *took = memory + 512;
    for (unsigned i = 0; i < 2 * N_BITS; i++)
        symbols[i] = (uint8_t)(127.0f - soft[0][i] * 24);
    for (unsigned i = 0; i < 32; i++) {
        branches[i] = __builtin_parity(2 * i & 0117U) != 0 ? 255 : 0;
        branches[32 + i] = __builtin_parity(2 * i & 0155U) != 0 ? 255 : 0;
    }
    double t0_s = cpu_s();
    for (unsigned i = 0; i < N_PARTS; i++) {
        memset(x, 31, 64);
        memset(took, 0, (size_t)8 * N_BITS);
        volk_8u_x4_conv_k7_r2_8u(y, x, symbols, took, N_BITS - 6, 6, branches);
    }
    return (cpu_s() - t0_s) / N_PARTS;
}

int main(void)
{
    uint8_t *memory = volk_malloc(4096, 64);
    double ours = 1, volk = 1;
    uint32_t seed = 1;
    if (memory == NULL)
        return 1;
    for (unsigned i = 0; i < N_PARTS * 2 * N_BITS; i++) {
        seed = seed * 1664525U + 1013904223U;
        soft[i / (2 * N_BITS)][i % (2 * N_BITS)] = (float)(seed >> 8) / 4194304.0f - 2;
    }
    for (unsigned i = 0; i < N_ROUNDS; i++) {
        double a = ours_s(), b = volk_s(memory);
        ours = a < ours ? a : ours;
        volk = b < volk ? b : volk;
    }
    printf("120 bits: ours %.2f us, VOLK's forward pass %.2f us, ratio %.2f\n", ours * 1e6,
            volk * 1e6, volk / ours);
    volk_free(memory);
    return 0;
}
