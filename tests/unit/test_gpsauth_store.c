/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* No coupon twice: power cut at every write and every byte of it, kill -9, damage, rollback, two processes. */
#include "tests/support/gn_test.h"
#include "lib/gpsauth/store.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_COUPONS 20u
#define BLOCK     4u

static const uint8_t id[GN_GA_KEY_ID_BYTES] = {1, 2, 3, 4, 5, 6, 7, 8};
static const uint8_t other_id[GN_GA_KEY_ID_BYTES] = {1, 2, 3, 4, 5, 6, 7, 9};

static char *fresh(char path[64], uint32_t n)
{
    const struct gn_ga_store_head head = {.n = n, .x_bits = 64, .block = BLOCK, .key_id = {1, 2, 3, 4, 5, 6, 7, 8}};
    uint8_t *xs = calloc(n, 8);
    assert_non_null(xs);
    for (uint32_t i = 0; i < n; i++)
        memcpy(xs + 8 * (size_t)i, &i, sizeof i);
    (void)snprintf(path, 64, "/tmp/gn_store_%ld.cpn", (long)getpid());
    (void)unlink(path);
    assert_int_equal(gn_ga_store_create(path, &head, xs, NULL), GN_OK);
    free(xs);
    return path;
}

static struct gn_ga_store *must_open(const char *path, const struct gn_ga_store_io *io)
{
    struct gn_error err = {0};
    struct gn_ga_store *s = NULL;
    GN_CHECK(err.text, gn_ga_store_open(path, id, io, &s, &err) == GN_OK);
    return s;
}

/* Writes the first n_torn bytes of write i_cut, then the power is gone. */
struct cut {
    int i_cut, i_write;
    size_t n_torn;
    bool is_at_sync;
};

static bool cut_write(void *ctx, int fd, const uint8_t *bytes, size_t n, uint64_t at_byte)
{
    struct cut *c = ctx;
    const bool is_now = c->i_write++ == c->i_cut && !c->is_at_sync;
    const size_t k = is_now && c->n_torn < n ? c->n_torn : n;
    assert_int_equal(pwrite(fd, bytes, k, (off_t)at_byte), (ssize_t)k);
    return !is_now;
}

static bool cut_sync(void *ctx, int fd)
{
    const struct cut *c = ctx;
    (void)fd;
    return !(c->is_at_sync && c->i_write == c->i_cut + 1);
}

/* Burns until the power goes; then goes on after it came back. Each index once, each with its own x. */
static void one_cut(struct cut cut)
{
    char path[64];
    bool seen[N_COUPONS] = {false};
    const struct gn_ga_store_io io = {.write = cut_write, .sync = cut_sync, .ctx = &cut};
    uint64_t index = 0;
    uint8_t x[8];
    uint32_t n = 0;

    fresh(path, N_COUPONS);
    for (int life = 0; life < 4; life++) {
        struct gn_ga_store *s = must_open(path, life == 0 ? &io : NULL);
        for (uint32_t k = 0; (life != 1 || k < 1) && gn_ga_store_burn(s, &index, x, NULL) == GN_OK; k++) {
            uint32_t tag = 0;
            memcpy(&tag, x, sizeof tag);
            assert_true(index < N_COUPONS && !seen[index]);
            assert_int_equal(tag, index);
            seen[index] = true;
            n++;
        }
        gn_ga_store_close(s);
    }
    assert_true(n >= N_COUPONS - 4 * BLOCK); /* and few are lost */
    (void)unlink(path);
}

static void test_power_cut_anywhere(void **state)
{
    (void)state;
    for (int i_cut = 0; i_cut < (int)(N_COUPONS / BLOCK); i_cut++) {
        for (size_t n_torn = 0; n_torn <= 24; n_torn++)
            one_cut((struct cut){.i_cut = i_cut, .n_torn = n_torn});
        one_cut((struct cut){.i_cut = i_cut, .is_at_sync = true});
    }
}

static void burn_forever(const char *path, int out)
{
    struct gn_ga_store *s = NULL;
    uint64_t index = 0;
    uint8_t x[8];
    if (gn_ga_store_open(path, id, NULL, &s, NULL) != GN_OK)
        _exit(1);
    while (gn_ga_store_burn(s, &index, x, NULL) == GN_OK)
        if (write(out, &index, sizeof index) != (ssize_t)sizeof index)
            _exit(1);
    _exit(0);
}

static void test_kill(void **state)
{
    enum { N = 100000, LIVES = 20 };
    char path[64];
    uint64_t index = 0, floor = 0;
    (void)state;
    fresh(path, N);
    for (int life = 0; life < LIVES; life++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        const pid_t child = fork();
        if (child == 0)
            burn_forever(path, ends[1]);
        (void)close(ends[1]);
        for (int i = 0; i < 10 + life && read(ends[0], &index, sizeof index) == (ssize_t)sizeof index; i++) {
            assert_true(index >= floor);
            floor = index + 1;
        }
        (void)kill(child, SIGKILL);
        while (read(ends[0], &index, sizeof index) == (ssize_t)sizeof index) {
            assert_true(index >= floor);
            floor = index + 1;
        }
        (void)close(ends[0]);
        (void)waitpid(child, NULL, 0);
    }
    assert_true(floor > LIVES);
    (void)unlink(path);
}

static void flip(const char *path, off_t at)
{
    uint8_t byte = 0;
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_int_equal(pread(fd, &byte, 1, at), 1);
    byte ^= 0x10;
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    (void)close(fd);
}

/* A damaged newer slot must not bring the older one's coupons back. */
static void test_damage(void **state)
{
    char path[64];
    uint64_t index = 0, last = 0;
    uint8_t x[8];
    (void)state;
    for (off_t slot = 512; slot <= 1024; slot += 512) {
        for (off_t i = 0; i < 24; i++) {
            fresh(path, N_COUPONS);
            struct gn_ga_store *s = must_open(path, NULL);
            for (int k = 0; k < 9; k++)
                assert_int_equal(gn_ga_store_burn(s, &last, x, NULL), GN_OK);
            gn_ga_store_close(s);
            flip(path, slot + i);
            s = must_open(path, NULL);
            assert_int_equal(gn_ga_store_burn(s, &index, x, NULL), GN_OK);
            assert_true(index > last);
            gn_ga_store_close(s);
        }
    }
    (void)unlink(path);
}

static void refused(const char *why, const char *path, const uint8_t *key_id, gn_status want)
{
    struct gn_ga_store *s = NULL;
    struct gn_error err = {0};
    GN_CHECK(why, gn_ga_store_open(path, key_id, NULL, &s, &err) == want && s == NULL && err.text[0] != '\0');
}

static void test_refusals(void **state)
{
    char path[64];
    struct stat st;
    (void)state;
    fresh(path, N_COUPONS);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    refused("another key", path, other_id, GN_E_DATA);
    struct gn_ga_store *s = must_open(path, NULL);
    refused("two users", path, id, GN_E_IO);
    gn_ga_store_close(s);
    for (off_t at = 0; at < 36; at++) {
        flip(path, at);
        refused("head", path, id, GN_E_DATA);
        flip(path, at);
    }
    flip(path, 1540);
    refused("list", path, id, GN_E_DATA);
    flip(path, 1540);
    flip(path, 520);
    flip(path, 1030);
    refused("both slots", path, id, GN_E_DATA);
    assert_int_equal(truncate(path, 1600), 0);
    refused("short", path, id, GN_E_DATA);
    (void)unlink(path);
    refused("absent", path, id, GN_E_IO);
}

/* One slot put back from an older copy: generations no longer follow each other. */
static void test_rollback_of_a_slot(void **state)
{
    char path[64];
    uint8_t old[24], x[8];
    uint64_t index = 0;
    (void)state;
    fresh(path, N_COUPONS);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    struct gn_ga_store *s = must_open(path, NULL);
    for (int k = 0; k < 5; k++)
        assert_int_equal(gn_ga_store_burn(s, &index, x, NULL), GN_OK);
    assert_int_equal(pread(fd, old, sizeof old, 512), 24);
    for (int k = 0; k < 8; k++)
        assert_int_equal(gn_ga_store_burn(s, &index, x, NULL), GN_OK);
    gn_ga_store_close(s);
    assert_int_equal(pwrite(fd, old, sizeof old, 512), 24);
    (void)close(fd);
    refused("older slot", path, id, GN_E_DATA);
    (void)unlink(path);
}

static void test_fork(void **state)
{
    char path[64];
    int how = 0;
    (void)state;
    fresh(path, N_COUPONS);
    struct gn_ga_store *s = must_open(path, NULL);
    const pid_t child = fork();
    if (child == 0) {
        uint64_t index = 0;
        uint8_t x[8];
        _exit(gn_ga_store_burn(s, &index, x, NULL) == GN_E_INTERNAL ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    gn_ga_store_close(s);
    (void)unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_power_cut_anywhere),
            cmocka_unit_test(test_kill),
            cmocka_unit_test(test_damage),
            cmocka_unit_test(test_refusals),
            cmocka_unit_test(test_rollback_of_a_slot),
            cmocka_unit_test(test_fork),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
