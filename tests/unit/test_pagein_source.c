/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Byte sources: files, gzip in one and several members, cut off, a TCP port, a serial port (pseudo terminal). */
#include "lib/pagein/feed.h"
#include "lib/pagein/source.h"
#include "tests/support/gn_test.h"
#include "tests/support/page_frames.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>
#include <zlib.h>

#define N_BYTES 300000u
#define WAIT_MS 2000

static uint8_t data[N_BYTES], got[N_BYTES + 1];
static char path[64];

static void make_data(void)
{
    for (unsigned i = 0; i < N_BYTES; i++)
        data[i] = (uint8_t)(i * 2654435761u >> 13);
}

static void write_file(const uint8_t *p, size_t n)
{
    (void)snprintf(path, sizeof path, "/tmp/gnomon_source_%d", (int)getpid());
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static gn_status read_all(const char *where, size_t step, size_t *n, struct gn_error *err)
{
    struct gn_byte_source *s = NULL;
    bool is_end = false;
    *n = 0;
    gn_status st = gn_byte_source_open(where, &s, err);
    while (st == GN_OK && !is_end && *n <= N_BYTES) {
        size_t k = 0, room = sizeof got - *n < step ? sizeof got - *n : step;
        st = gn_byte_source_read(s, got + *n, room, WAIT_MS, &k, &is_end, err);
        *n += k;
    }
    gn_byte_source_close(s);
    return st;
}

static size_t pack(const uint8_t *p, size_t n, uint8_t *out, size_t room)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (uint8_t *)(uintptr_t)p;
    z.avail_in = (uInt)n;
    z.next_out = out;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    (void)deflateEnd(&z);
    return room - z.avail_out;
}

static void test_files(void **state)
{
    static uint8_t packed[2 * N_BYTES];
    static const size_t steps[] = {1, 5000, N_BYTES};
    struct gn_error err = {0};
    size_t n = 0, n_one = pack(data, N_BYTES / 3, packed, sizeof packed);
    (void)state;
    write_file(data, N_BYTES);
    for (unsigned i = 1; i < GN_COUNT(steps); i++)
        GN_CHECK("plain", read_all(path, steps[i], &n, &err) == GN_OK && n == N_BYTES && memcmp(got, data, n) == 0);
    size_t n_both = n_one + pack(data + N_BYTES / 3, N_BYTES - N_BYTES / 3, packed + n_one, sizeof packed - n_one);
    write_file(packed, n_both);
    for (unsigned i = 0; i < GN_COUNT(steps); i++)
        GN_CHECK("two members", read_all(path, steps[i], &n, &err) == GN_OK && n == N_BYTES && memcmp(got, data, n) == 0);
    write_file(packed, n_both - 100);
    GN_CHECK("cut off", read_all(path, 5000, &n, &err) == GN_E_DATA && strstr(err.text, "too early") != NULL);
    packed[n_one / 2] ^= 0x55;
    write_file(packed, n_both);
    GN_CHECK("damaged", read_all(path, 5000, &n, &err) == GN_E_DATA && strstr(err.text, "damaged gzip at byte") != NULL);
    write_file(data, 1);
    GN_CHECK("one byte", read_all(path, 5000, &n, &err) == GN_OK && n == 1);
    write_file(data, 0);
    GN_CHECK("empty", read_all(path, 5000, &n, &err) == GN_OK && n == 0);
    assert_int_equal(unlink(path), 0);
    GN_CHECK("no file", read_all(path, 1, &n, &err) == GN_E_IO && strstr(err.text, path) != NULL);
}

/* a child serves the data in small pieces to one client */
static uint16_t serve(pid_t *child)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof a;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(s >= 0 && bind(s, (struct sockaddr *)&a, sizeof a) == 0 && listen(s, 1) == 0);
    assert_int_equal(getsockname(s, (struct sockaddr *)&a, &n), 0);
    *child = fork();
    if (*child == 0) {
        int c = accept(s, NULL, NULL);
        for (size_t at = 0; c >= 0 && at < N_BYTES;) {
            ssize_t k = write(c, data + at, N_BYTES - at < 7000 ? N_BYTES - at : 7000);
            if (k <= 0)
                break;
            at += (size_t)k;
        }
        _exit(0);
    }
    (void)close(s);
    return ntohs(a.sin_port);
}

static void test_tcp(void **state)
{
    struct gn_error err = {0};
    char where[64];
    size_t n = 0;
    pid_t child = 0;
    (void)state;
    (void)snprintf(where, sizeof where, "tcp://127.0.0.1:%u", serve(&child));
    assert_int_equal(read_all(where, 5000, &n, &err), GN_OK);
    assert_int_equal(n, N_BYTES);
    assert_memory_equal(got, data, N_BYTES);
    GN_CHECK("nobody listens", read_all(where, 1, &n, &err) == GN_E_DEVICE && strstr(err.text, "no connection") != NULL);
    GN_CHECK("no port", read_all("tcp://localhost", 1, &n, &err) == GN_E_ARG);
    GN_CHECK("bad port", read_all("tcp://localhost:12x", 1, &n, &err) == GN_E_ARG);
    GN_CHECK("empty host", read_all("tcp://:80", 1, &n, &err) == GN_E_ARG);
}

static void test_serial(void **state)
{
    struct gn_error err = {0};
    struct gn_pagefeed *f = NULL;
    struct gn_osnma_page page = {.wn = 1372, .tow_s = 480101, .prn = 7}, back = {0};
    enum gn_pagefeed_got what = GN_PAGEFEED_WAIT;
    uint8_t frame[GN_FRAME_MAX];
    char where[128];
    size_t n = 0;
    (void)state;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    (void)snprintf(where, sizeof where, "serial:%s@57600", ptsname(master));
    assert_int_equal(gn_pagefeed_open(where, GN_PAGEIN_AUTO, true, &f, &err), GN_OK);
    assert_true(gn_pagefeed_is_live(f));
    assert_int_equal(gn_pagefeed_next(f, 20, &back, &what, &err), GN_OK);
    assert_int_equal(what, GN_PAGEFEED_WAIT);
    n = gn_frame_sbf(&page, frame);
    assert_int_equal(write(master, frame, n), n); /* bytes that a line discipline would change: 0x0a, 0x0d, 0x03 */
    assert_int_equal(gn_pagefeed_next(f, WAIT_MS, &back, &what, &err), GN_OK);
    assert_int_equal(what, GN_PAGEFEED_PAGE);
    assert_memory_equal(back.bits, page.bits, sizeof page.bits);
    assert_true(back.has_rx && back.rx_gst_s > 1400.0 * 604800);
    assert_int_equal(gn_pagefeed_format(f), GN_PAGEIN_SBF);
    (void)close(master);
    assert_int_equal(gn_pagefeed_next(f, WAIT_MS, &back, &what, &err), GN_OK);
    assert_int_equal(what, GN_PAGEFEED_END);
    gn_pagefeed_close(f);
    GN_CHECK("no port", read_all("serial:/nonexistent", 1, &n, &err) == GN_E_DEVICE);
    GN_CHECK("no serial port", read_all("serial:/dev/null", 1, &n, &err) == GN_E_DEVICE);
    GN_CHECK("bad baud", read_all("serial:/dev/null@1234", 1, &n, &err) == GN_E_ARG);
    GN_CHECK("no name", read_all("serial:", 1, &n, &err) == GN_E_ARG);
}

int main(void)
{
    make_data();
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_files), cmocka_unit_test(test_tcp), cmocka_unit_test(test_serial)};
    return cmocka_run_group_tests_name("pagein_source", tests, NULL, NULL);
}
