/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/gpsauth/store.h"

#include "lib/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD_BYTES 28u /* before its checksum */
#define SUM_BYTES  8u
#define SLOT_BYTES 24u /* checksum included */
#define LIST_AT    1536u
#define BLOCK_MAX  1024u

static const uint8_t magic[8] = {'G', 'N', 'C', 'P', 'N', 0, 0, 1};

struct slot {
    uint64_t generation, next;
    bool is_good;
};

struct gn_ga_store {
    struct gn_ga_store_head head;
    struct gn_ga_store_io io;
    uint8_t *xs;
    uint64_t generation;      /* of the newest slot */
    uint64_t next, reserved;  /* next to give; first that is not written off yet */
    uint32_t i_slot;          /* to be written next */
    int fd;
    pid_t pid;
    bool is_dead;
};

static void put_be(uint8_t *p, uint64_t v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        p[i] = (uint8_t)(v >> (8 * (n - 1 - i)));
}

static uint64_t get_be(const uint8_t *p, unsigned n)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++)
        v = v << 8 | p[i];
    return v;
}

static bool checksum(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b, uint8_t sum[SUM_BYTES])
{
    uint8_t hash[32];
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    const bool good = ctx != NULL && EVP_DigestInit_ex2(ctx, EVP_sha256(), NULL) == 1 && EVP_DigestUpdate(ctx, a, n_a) == 1
            && (n_b == 0 || EVP_DigestUpdate(ctx, b, n_b) == 1) && EVP_DigestFinal_ex(ctx, hash, NULL) == 1;
    EVP_MD_CTX_free(ctx);
    if (good)
        memcpy(sum, hash, SUM_BYTES);
    return good;
}

static bool plain_write(void *ctx, int fd, const uint8_t *bytes, size_t n, uint64_t at_byte)
{
    (void)ctx;
    while (n > 0) {
        const ssize_t k = pwrite(fd, bytes, n, (off_t)at_byte);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        bytes += k;
        n -= (size_t)k;
        at_byte += (uint64_t)k;
    }
    return true;
}

static bool plain_sync(void *ctx, int fd)
{
    (void)ctx;
    return fdatasync(fd) == 0;
}

static uint64_t slot_at(uint32_t i)
{
    return 512u * (uint64_t)(1 + i);
}

static bool slot_pack(uint64_t generation, uint64_t next, uint8_t bytes[SLOT_BYTES])
{
    put_be(bytes, generation, 8);
    put_be(bytes + 8, next, 8);
    return checksum(bytes, 16, NULL, 0, bytes + 16);
}

static bool head_is_good(const struct gn_ga_store_head *h)
{
    return h->n >= 1 && h->n <= GN_GA_COUPONS_MAX && h->block >= 1 && h->block <= BLOCK_MAX
            && h->x_bits >= GN_GA_X_BITS_MIN && h->x_bits <= GN_GA_X_BITS_MAX && h->x_bits % 8 == 0;
}

/* ---- making ---------------------------------------------------------------------------------------------------------- */
static bool sync_folder(const char *path)
{
    char folder[4096] = ".";
    const char *slash = strrchr(path, '/');
    if (slash != NULL && (size_t)(slash - path) >= sizeof folder)
        return false;
    if (slash != NULL)
        (void)snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const bool good = fsync(fd) == 0 || errno == EINVAL;
    (void)close(fd);
    return good;
}

static bool write_new(int fd, const struct gn_ga_store_head *head, const uint8_t *xs)
{
    const size_t n_list = (size_t)head->n * (head->x_bits / 8);
    uint8_t front[LIST_AT] = {0};

    memcpy(front, magic, 8);
    put_be(front + 8, head->n, 4);
    put_be(front + 12, head->x_bits, 4);
    put_be(front + 16, head->block, 4);
    memcpy(front + 20, head->key_id, GN_GA_KEY_ID_BYTES);
    return checksum(front, HEAD_BYTES, xs, n_list, front + HEAD_BYTES) && slot_pack(0, 0, front + slot_at(0))
            && slot_pack(1, 0, front + slot_at(1)) && plain_write(NULL, fd, front, sizeof front, 0)
            && plain_write(NULL, fd, xs, n_list, LIST_AT) && fsync(fd) == 0;
}

gn_status gn_ga_store_create(
        const char *path, const struct gn_ga_store_head *head, const uint8_t *xs, struct gn_error *err)
{
    if (!head_is_good(head))
        return gn_fail(err, GN_E_ARG, "1 to %u coupons of 48 to 256 bits, blocks of 1 to %u", GN_GA_COUPONS_MAX, BLOCK_MAX);
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (fd < 0)
        return gn_fail(err, GN_E_OUTPUT, "%.150s: cannot be made: %s", path, strerrordesc_np(errno));
    bool good = write_new(fd, head, xs);
    if (close(fd) != 0)
        good = false;
    if (good && sync_folder(path))
        return GN_OK;
    (void)unlink(path);
    return gn_fail(err, GN_E_OUTPUT, "%.150s: cannot be written", path);
}

/* ---- opening --------------------------------------------------------------------------------------------------------- */
static bool read_all(int fd, uint8_t *bytes, size_t n, uint64_t at_byte)
{
    while (n > 0) {
        const ssize_t k = pread(fd, bytes, n, (off_t)at_byte);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        bytes += k;
        n -= (size_t)k;
        at_byte += (uint64_t)k;
    }
    return true;
}

static gn_status read_head(struct gn_ga_store *s, const char *path, const uint8_t *front, struct gn_error *err)
{
    struct gn_ga_store_head *h = &s->head;
    uint8_t sum[SUM_BYTES];

    if (memcmp(front, magic, 8) != 0)
        return gn_fail(err, GN_E_DATA, "%.150s: not a coupon store", path);
    h->n = (uint32_t)get_be(front + 8, 4);
    h->x_bits = (uint32_t)get_be(front + 12, 4);
    h->block = (uint32_t)get_be(front + 16, 4);
    memcpy(h->key_id, front + 20, GN_GA_KEY_ID_BYTES);
    if (!head_is_good(h))
        return gn_fail(err, GN_E_DATA, "%.150s: the head is damaged", path);
    const size_t n_list = (size_t)h->n * (h->x_bits / 8);
    s->xs = malloc(n_list);
    if (s->xs == NULL)
        return gn_fail(err, GN_E_NOMEM, "no memory for %u coupons", h->n);
    if (!read_all(s->fd, s->xs, n_list, LIST_AT))
        return gn_fail(err, GN_E_DATA, "%.150s: shorter than its %u coupons", path, h->n);
    if (!checksum(front, HEAD_BYTES, s->xs, n_list, sum) || memcmp(sum, front + HEAD_BYTES, SUM_BYTES) != 0)
        return gn_fail(err, GN_E_DATA, "%.150s: the list of coupons is damaged", path);
    return GN_OK;
}

static struct slot slot_unpack(const uint8_t *bytes, uint32_t n)
{
    struct slot s = {.generation = get_be(bytes, 8), .next = get_be(bytes + 8, 8)};
    uint8_t sum[SUM_BYTES];
    s.is_good = checksum(bytes, 16, NULL, 0, sum) && memcmp(sum, bytes + 16, SUM_BYTES) == 0 && s.next <= n;
    return s;
}

/* Where to go on; the rule for a damaged slot is in the header. */
static gn_status read_slots(struct gn_ga_store *s, const char *path, const uint8_t *front, struct gn_error *err)
{
    const struct slot a = slot_unpack(front + slot_at(0), s->head.n), b = slot_unpack(front + slot_at(1), s->head.n);
    const bool b_is_newer = b.is_good && (!a.is_good || b.generation > a.generation);
    const struct slot *newer = b_is_newer ? &b : &a, *older = b_is_newer ? &a : &b;

    if (!newer->is_good)
        return gn_fail(err, GN_E_DATA, "%.150s: both counters are damaged: provision new coupons", path);
    if (older->is_good && (newer->generation != older->generation + 1 || newer->next < older->next))
        return gn_fail(err, GN_E_DATA, "%.150s: the counters contradict each other (rolled back?)", path);
    s->generation = newer->generation;
    s->next = newer->next + (older->is_good ? 0 : s->head.block);
    if (s->next > s->head.n)
        s->next = s->head.n;
    s->reserved = s->next;
    s->i_slot = b_is_newer ? 0 : 1; /* the older one, or the damaged one */
    return GN_OK;
}

static gn_status load(struct gn_ga_store *s, const char *path, const uint8_t *key_id, struct gn_error *err)
{
    uint8_t front[LIST_AT];

    if (flock(s->fd, LOCK_EX | LOCK_NB) != 0)
        return gn_fail(err, GN_E_IO, "%.150s: another process uses it", path);
    if (!read_all(s->fd, front, sizeof front, 0))
        return gn_fail(err, GN_E_DATA, "%.150s: not a coupon store", path);
    const gn_status st = read_head(s, path, front, err);
    if (st != GN_OK)
        return st;
    if (memcmp(s->head.key_id, key_id, GN_GA_KEY_ID_BYTES) != 0)
        return gn_fail(err, GN_E_DATA, "%.150s: these coupons belong to another key", path);
    return read_slots(s, path, front, err);
}

gn_status gn_ga_store_open(const char *path, const uint8_t key_id[GN_GA_KEY_ID_BYTES], const struct gn_ga_store_io *io,
        struct gn_ga_store **ret, struct gn_error *err)
{
    static const struct gn_ga_store_io plain = {.write = plain_write, .sync = plain_sync};
    struct gn_ga_store *s = calloc(1, sizeof *s);

    *ret = NULL;
    if (s == NULL)
        return gn_fail(err, GN_E_NOMEM, "no memory");
    s->io = io != NULL ? *io : plain;
    s->pid = getpid();
    s->fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    gn_status st = GN_OK;
    if (s->fd < 0)
        st = gn_fail(err, GN_E_IO, "%.150s: cannot be opened: %s", path, strerrordesc_np(errno));
    if (st == GN_OK)
        st = load(s, path, key_id, err);
    if (st == GN_OK)
        *ret = s;
    else
        gn_ga_store_close(s);
    return st;
}

void gn_ga_store_close(struct gn_ga_store *s)
{
    if (s == NULL)
        return;
    if (s->fd >= 0)
        (void)close(s->fd);
    free(s->xs);
    free(s);
}

/* ---- use ------------------------------------------------------------------------------------------------------------- */
static gn_status reserve(struct gn_ga_store *s, struct gn_error *err)
{
    uint8_t bytes[SLOT_BYTES];
    uint64_t upto = s->next + s->head.block;

    if (upto > s->head.n)
        upto = s->head.n;
    if (!slot_pack(s->generation + 1, upto, bytes) || !s->io.write(s->io.ctx, s->fd, bytes, sizeof bytes, slot_at(s->i_slot))
            || !s->io.sync(s->io.ctx, s->fd)) {
        s->is_dead = true; /* what is on the disk is unknown: only a new open may go on */
        return gn_fail(err, GN_E_OUTPUT, "the coupon store cannot be written");
    }
    s->generation++;
    s->i_slot ^= 1u;
    s->reserved = upto;
    return GN_OK;
}

gn_status gn_ga_store_burn(struct gn_ga_store *s, uint64_t *index, uint8_t *x, struct gn_error *err)
{
    if (s->is_dead)
        return gn_fail(err, GN_E_OUTPUT, "a write to the coupon store failed before");
    if (s->pid != getpid())
        return gn_fail(err, GN_E_INTERNAL, "the coupon store belongs to the process before fork");
    if (s->next >= s->head.n)
        return gn_fail(err, GN_E_DATA, "no coupons left");
    if (s->next >= s->reserved) {
        const gn_status st = reserve(s, err);
        if (st != GN_OK)
            return st;
    }
    const size_t n = s->head.x_bits / 8;
    memcpy(x, s->xs + (size_t)s->next * n, n);
    *index = s->next++;
    return GN_OK;
}

uint32_t gn_ga_store_left(const struct gn_ga_store *s)
{
    return s->head.n - (uint32_t)s->next;
}

uint32_t gn_ga_store_x_bits(const struct gn_ga_store *s)
{
    return s->head.x_bits;
}

uint64_t gn_ga_store_next(const struct gn_ga_store *s)
{
    return s->next;
}
