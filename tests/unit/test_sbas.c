/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* SBAS messages through decode.nav: pairs of symbols, polarity and start are found by the CRC.
 * Messages are of random data in the layout of DO-229, closed with our CRC-24Q (which test_bits
 * holds to other programs' values). */
#include "lib/nav/sbas_sync.h"

#include "lib/bits/bits.h"
#include "lib/nav/viterbi.h"
#include "tests/support/nav_run.h"

#define N_MESSAGES 12

static void make(uint8_t messages[N_MESSAGES][GN_SBAS_BYTES], uint8_t *symbols)
{
    static const uint8_t preambles[3] = {0x53, 0x9A, 0xC6};
    uint32_t seed = 9;
    unsigned memory = 0;
    for (unsigned i = 0; i < N_MESSAGES; i++) {
        memset(messages[i], 0, GN_SBAS_BYTES);
        for (unsigned k = 0; k < 226; k++)
            (void)gn_bits_set(messages[i], 250, k, 1, fake_random(&seed));
        messages[i][0] = preambles[i % 3];
        (void)gn_bits_set(messages[i], 250, 8, 6, i + 1);
        gn_sbas_close(messages[i]);
        gn_conv_encode(
                GN_CONV_PLAIN, messages[i], GN_SBAS_BITS, &memory, symbols + 500 * (size_t)i);
    }
}

static void test_messages(void **state)
{
    (void)state;
    static uint8_t messages[N_MESSAGES][GN_SBAS_BYTES], symbols[N_MESSAGES * 500];
    static float soft[N_MESSAGES * 500];
    make(messages, symbols);
    for (unsigned skip = 0; skip < 500; skip += 123) {
        for (unsigned down = 0; down < 2; down++) {
            struct nav_run *r = nav_run_open(-1);
            struct nav_chan ch = {.signal = GN_SIG_SBAS_L1, .prn = 123, .channel = 7, .life = 1};
            uint32_t seed = 1 + skip;
            for (unsigned i = 0; i < N_MESSAGES * 500; i++) /* Es/N0 3 dB: 30 dB-Hz */
                soft[i] = nav_soft(symbols[i] ^ down, 2, &seed);
            nav_run_feed(r, &ch, soft + skip, N_MESSAGES * 500 - skip);
            unsigned first = skip == 0 ? 0 : 1; /* the last waits for what comes after it */
            assert_int_equal(r->n_pages, N_MESSAGES - 1 - first);
            for (unsigned i = 0; i < r->n_pages; i++) {
                assert_memory_equal(r->pages[i].bits, messages[first + i], GN_SBAS_BYTES);
                assert_true(
                        r->pages[i].kind == GN_PAGE_SBAS && r->pages[i].word_type == first + i + 1);
                assert_true(r->pages[i].symbol == (first + i) * 500 - skip);
            }
            nav_run_close(r);
        }
    }
}

static void test_noise_and_flips(void **state)
{
    (void)state;
    static uint8_t messages[N_MESSAGES][GN_SBAS_BYTES], symbols[N_MESSAGES * 500];
    static float soft[N_MESSAGES * 500];
    make(messages, symbols);
    assert_true(gn_sbas_is_good(messages[0]));
    for (unsigned b = 0; b < 250; b++) {
        messages[0][b / 8] ^= (uint8_t)(0x80U >> b % 8);
        assert_false(gn_sbas_is_good(messages[0]));
        messages[0][b / 8] ^= (uint8_t)(0x80U >> b % 8);
    }
    struct nav_run *r = nav_run_open(-1);
    struct nav_chan ch = {.signal = GN_SIG_SBAS_L1, .prn = 123, .life = 1};
    uint32_t seed = 4;
    for (unsigned i = 0; i < N_MESSAGES * 500; i++)
        soft[i] = nav_soft(0, 0, &seed);
    nav_run_feed(r, &ch, soft, N_MESSAGES * 500);
    assert_int_equal(r->n_pages, 0);
    nav_run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_messages), cmocka_unit_test(test_noise_and_flips)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
