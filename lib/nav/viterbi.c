/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/nav/viterbi.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define MEMORY   6
#define N_STATES 64u
#define G1       0171u /* newest bit is bit 6 of the window */
#define G2       0133u
#define UNLIKELY (-1e30f)

static unsigned parity(unsigned v)
{
    return (unsigned)__builtin_parity(v);
}

/* window: the new bit above the six before it */
static unsigned symbol_pair(enum gn_conv_code code, unsigned window)
{
    unsigned second = parity(window & G2) ^ (code == GN_CONV_INVERTED_G2 ? 1u : 0u);
    return parity(window & G1) << 1 | second;
}

void gn_conv_encode(enum gn_conv_code code, const uint8_t *bits, size_t n_bits, unsigned *state,
        uint8_t *symbols)
{
    for (size_t i = 0; i < n_bits; i++) {
        unsigned bit = (unsigned)bits[i / 8] >> (7 - i % 8) & 1u;
        unsigned window = bit << MEMORY | (*state & (N_STATES - 1));
        unsigned pair = symbol_pair(code, window);
        symbols[2 * i] = (uint8_t)(pair >> 1);
        symbols[2 * i + 1] = (uint8_t)(pair & 1);
        *state = window >> 1;
    }
}

/* One butterfly joins states 2j and 2j + 1 to j (bit 0) and j + 32 (bit 1):
 *
 *   2j     --0--> j        both generators have their first and last tap set, so the four branches
 *      \  /                carry the same pair up to sign: +m, -m, -m, +m
 *       \/
 *   2j + 1 --1--> j + 32                                                                        */
struct trellis {
    float metric[2][N_STATES];
    uint64_t took_odd[GN_VITERBI_MAX_BITS]; /* bit s: state s came from the odd one of its two */
    float sign1[N_STATES / 2], sign2[N_STATES / 2]; /* of the pair on branch 2j -> j */
};

static void trellis_init(struct trellis *t, enum gn_conv_code code, bool starts_at_0)
{
    for (unsigned j = 0; j < N_STATES / 2; j++) {
        unsigned pair = symbol_pair(code, 2 * j);
        t->sign1[j] = (pair & 2u) != 0 ? -1.0f : 1.0f;
        t->sign2[j] = (pair & 1u) != 0 ? -1.0f : 1.0f;
    }
    for (unsigned s = 0; s < N_STATES; s++)
        t->metric[0][s] = s == 0 || !starts_at_0 ? 0.0f : UNLIKELY;
}

static uint64_t trellis_step(const struct trellis *t, const float *restrict from,
        float *restrict to, const float soft[2])
{
    uint8_t low[N_STATES / 2], high[N_STATES / 2];
    for (unsigned j = 0; j < N_STATES / 2; j++) {
        float m = t->sign1[j] * soft[0] + t->sign2[j] * soft[1];
        float even = from[2 * j], odd = from[2 * j + 1];
        low[j] = odd - m > even + m;
        to[j] = low[j] ? odd - m : even + m;
        high[j] = odd + m > even - m;
        to[j + N_STATES / 2] = high[j] ? odd + m : even - m;
    }
    uint64_t took = 0;
    for (unsigned j = 0; j < N_STATES / 2; j++)
        took |= (uint64_t)low[j] << j | (uint64_t)high[j] << (j + N_STATES / 2);
    return took;
}

static unsigned best_state(const float metric[N_STATES], bool ends_at_0)
{
    unsigned best = 0;
    for (unsigned s = 1; s < N_STATES && !ends_at_0; s++)
        if (metric[s] > metric[best])
            best = s;
    return best;
}

float gn_viterbi_decode(
        enum gn_conv_code code, unsigned ends, const float *soft, size_t n_bits, uint8_t *bits)
{
    struct trellis t;
    float total = 0;
    if (n_bits == 0 || n_bits > GN_VITERBI_MAX_BITS)
        return 0;
    trellis_init(&t, code, (ends & GN_VITERBI_STARTS_AT_0) != 0);
    for (size_t i = 0; i < n_bits; i++) {
        t.took_odd[i] = trellis_step(&t, t.metric[i % 2], t.metric[(i + 1) % 2], soft + 2 * i);
        total += fabsf(soft[2 * i]) + fabsf(soft[2 * i + 1]);
    }
    const float *last = t.metric[n_bits % 2];
    unsigned s = best_state(last, (ends & GN_VITERBI_ENDS_AT_0) != 0);
    float fit = last[s];
    memset(bits, 0, (n_bits + 7) / 8);
    for (size_t i = n_bits; i-- > 0;) {
        unsigned bit = s >> (MEMORY - 1), odd = (unsigned)(t.took_odd[i] >> s) & 1u;
        bits[i / 8] = (uint8_t)(bits[i / 8] | bit << (7 - i % 8));
        s = (s << 1 & (N_STATES - 1)) | odd;
    }
    return total > 0 ? fit / total : 0;
}
