/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* write_pages FORMAT PAGES.csv: the pages in another form on standard output; sbf, ubx (with the receiver's time each
 * second), ubx_rawx (as measurements), ubx_bare (without), navmon, navmon_old (without CRC). Also "noisy_X": foreign bytes and damaged frames in
 * between, from a fixed seed. */
#include "tests/support/page_frames.h"
#include "tests/support/pages.h"

#include <stdlib.h>

static uint64_t seed = 20261201;

static uint32_t draw(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
}

static void put(const uint8_t *p, size_t n)
{
    if (fwrite(p, 1, n, stdout) != n)
        exit(8);
}

/* 1..200 bytes of noise, or a frame with one bit flipped, in front of every 20th frame */
static void put_noise(const uint8_t *frame, size_t n)
{
    static const char *const starts[] = {"$@", "\xb5" "b", "bert", "$GNGGA,", ""};
    uint8_t noise[256];
    size_t n_noise = 1 + draw(200);
    if (draw(20) != 0)
        return;
    for (size_t i = 0; i < n_noise; i++)
        noise[i] = (uint8_t)draw(256);
    if (draw(2) == 0) {
        n_noise = n;
        memcpy(noise, frame, n);
        noise[draw((uint32_t)n)] ^= (uint8_t)(1u << draw(8));
    } else {
        const char *start = starts[draw(5)];
        put((const uint8_t *)start, strlen(start));
    }
    put(noise, n_noise);
}

/* the receiver says its time once a second; the pages of a slot come right after its end */
static void put_time(const struct gn_osnma_page *page, bool is_rawx, int64_t *last_s)
{
    uint8_t out[GN_FRAME_MAX];
    int64_t end_s = (int64_t)page->wn * 604800 + page->tow_s + 2;
    if (end_s == *last_s)
        return;
    for (int64_t t = end_s - 1; t <= end_s; t++)
        put(out, is_rawx ? gn_frame_ubx_rawx((int32_t)(t / 604800), (double)(t % 604800), page->prn, out)
                         : gn_frame_ubx_time((int32_t)(t / 604800), (uint32_t)(t % 604800), out));
    *last_s = end_s;
}

int main(int argc, char **argv)
{
    struct gn_test_page row;
    uint8_t out[GN_FRAME_MAX];
    int64_t last_s = -1;
    if (argc != 3)
        return 2;
    gzFile f = gzopen(argv[2], "rb");
    bool is_noisy = strncmp(argv[1], "noisy_", 6) == 0;
    const char *format = argv[1] + (is_noisy ? 6 : 0);
    if (f == NULL)
        return 3;
    while (gn_test_page_next(f, &row)) {
        struct gn_osnma_page page = {.wn = row.wn, .tow_s = (uint32_t)row.tow, .prn = (uint8_t)row.prn,
                .is_e5b = row.sig == 5};
        memcpy(page.bits, row.bits, sizeof page.bits);
        if (strcmp(format, "ubx") == 0 || strcmp(format, "ubx_rawx") == 0)
            put_time(&page, format[3] != '\0', &last_s);
        size_t n = strcmp(format, "sbf") == 0 ? gn_frame_sbf(&page, out)
                   : strncmp(format, "ubx", 3) == 0
                           ? gn_frame_ubx_words(&page, format[3] == '_' ? 9 : 8, out)
                           : gn_frame_navmon(&page, strcmp(format, "navmon") == 0, out);
        if (is_noisy)
            put_noise(out, n);
        put(out, n);
    }
    (void)gzclose(f);
    return fflush(stdout) == 0 ? 0 : 8;
}
