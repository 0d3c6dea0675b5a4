/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/pagein/source.h"

#include "lib/base/error.h"
#include "lib/pagein/ports.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define PACKED_BYTES 32768u
#define GZIP_WINDOW  (16 + MAX_WBITS) /* gzip alone, no zlib */

struct gn_byte_source {
    int fd;            /* owned unless is_borrowed */
    bool is_live, is_borrowed, is_begun, is_gzip, is_member_whole, is_end;
    uint64_t n_read;   /* off fd */
    z_stream z;
    size_t from, to;   /* bytes of packed not used yet */
    uint8_t packed[PACKED_BYTES];
};

gn_status gn_byte_source_open(const char *where, struct gn_byte_source **ret, struct gn_error *err)
{
    struct gn_byte_source *s = calloc(1, sizeof *s);
    if (s == NULL)
        return gn_fail(err, GN_E_NOMEM, "pages: out of memory");
    gn_status st = GN_OK;
    if (strncmp(where, "tcp://", 6) == 0) {
        s->is_live = true;
        st = port_open_tcp(where + 6, &s->fd, err);
    } else if (strncmp(where, "serial:", 7) == 0) {
        s->is_live = true;
        st = port_open_serial(where + 7, &s->fd, err);
    } else if (strcmp(where, "-") == 0) {
        s->is_borrowed = true;
        s->fd = STDIN_FILENO;
    } else if ((s->fd = open(where, O_RDONLY | O_CLOEXEC)) < 0) {
        st = gn_fail(err, GN_E_IO, "pages: cannot open '%.160s': %s", where, port_words(errno));
    }
    if (st == GN_OK)
        *ret = s;
    else
        free(s);
    return st;
}

void gn_byte_source_close(struct gn_byte_source *s)
{
    if (s == NULL)
        return;
    if (s->is_gzip)
        (void)inflateEnd(&s->z);
    if (!s->is_borrowed)
        (void)close(s->fd);
    free(s);
}

bool gn_byte_source_is_live(const struct gn_byte_source *s)
{
    return s->is_live;
}

/* bytes as they lie in the file or on the line */
static gn_status read_raw(struct gn_byte_source *s, uint8_t *to, size_t n_room, int timeout_ms, size_t *n_bytes,
        struct gn_error *err)
{
    struct pollfd p = {.fd = s->fd, .events = POLLIN};
    *n_bytes = 0;
    int n_ready = poll(&p, 1, timeout_ms);
    if (n_ready == 0 || (n_ready < 0 && errno == EINTR))
        return GN_OK;
    ssize_t n = read(s->fd, to, n_room);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return GN_OK;
    if (n < 0 && s->is_live && errno == EIO) /* the other end of a pseudo terminal, or the device, is gone */
        n = 0;
    if (n < 0)
        return gn_fail_byte(err, s->is_live ? GN_E_DEVICE : GN_E_IO, s->n_read, "pages: cannot read after byte %llu: %s",
                (unsigned long long)s->n_read, port_words(errno));
    s->is_end = n == 0;
    s->n_read += (uint64_t)n;
    *n_bytes = (size_t)n;
    return GN_OK;
}

static gn_status damaged(const struct gn_byte_source *s, const char *why, struct gn_error *err)
{
    uint64_t at = s->n_read - (s->to - s->from);
    return gn_fail_byte(err, GN_E_DATA, at, "pages: damaged gzip at byte %llu: %.80s", (unsigned long long)at, why);
}

/* unpack what is there; members may follow each other */
static gn_status unpack(struct gn_byte_source *s, uint8_t *to, size_t n_room, size_t *n_bytes, struct gn_error *err)
{
    if (s->is_member_whole && inflateReset(&s->z) != Z_OK)
        return gn_fail(err, GN_E_INTERNAL, "pages: zlib cannot be reset");
    s->is_member_whole = false;
    s->z.next_in = s->packed + s->from;
    s->z.avail_in = (uInt)(s->to - s->from);
    s->z.next_out = to;
    s->z.avail_out = (uInt)n_room;
    int z = inflate(&s->z, Z_NO_FLUSH);
    *n_bytes = n_room - s->z.avail_out;
    s->from = s->to - s->z.avail_in;
    s->is_member_whole = z == Z_STREAM_END;
    if (z != Z_OK && z != Z_STREAM_END && z != Z_BUF_ERROR)
        return damaged(s, s->z.msg != NULL ? s->z.msg : "cannot be unpacked", err);
    return GN_OK;
}

static gn_status read_packed(struct gn_byte_source *s, uint8_t *to, size_t n_room, int timeout_ms, size_t *n_bytes,
        struct gn_error *err)
{
    *n_bytes = 0;
    while (*n_bytes == 0) {
        size_t n = 0;
        if (s->from < s->to) {
            gn_status st = unpack(s, to, n_room, n_bytes, err);
            if (st != GN_OK)
                return st;
            continue;
        }
        gn_status st = read_raw(s, s->packed, sizeof s->packed, timeout_ms, &n, err);
        s->from = 0;
        s->to = n;
        if (st != GN_OK)
            return st;
        if (s->is_end && !s->is_member_whole)
            return damaged(s, "it ends too early", err);
        if (n == 0)
            return GN_OK;
    }
    return GN_OK;
}

/* the first two bytes say whether it is gzip */
static gn_status begin(struct gn_byte_source *s, int timeout_ms, bool *is_ready, struct gn_error *err)
{
    size_t n = 0;
    gn_status st = read_raw(s, s->packed + s->to, 2 - s->to, timeout_ms, &n, err);
    s->to += n;
    *is_ready = st == GN_OK && (s->to == 2 || s->is_end);
    if (!*is_ready)
        return st;
    s->is_begun = true;
    s->is_gzip = s->to == 2 && s->packed[0] == 0x1f && s->packed[1] == 0x8b;
    if (s->is_gzip && inflateInit2(&s->z, GZIP_WINDOW) != Z_OK) {
        s->is_gzip = false;
        return gn_fail(err, GN_E_NOMEM, "pages: out of memory");
    }
    return GN_OK;
}

gn_status gn_byte_source_read(struct gn_byte_source *s, uint8_t *to, size_t n_room, int timeout_ms, size_t *n_bytes,
        bool *is_end, struct gn_error *err)
{
    bool is_ready = true;
    gn_status st = GN_OK;
    *n_bytes = 0;
    *is_end = s->is_end && s->from == s->to;
    if (*is_end || n_room == 0)
        return GN_OK;
    if (!s->is_begun)
        st = begin(s, timeout_ms, &is_ready, err);
    if (st != GN_OK || !is_ready)
        return st;
    if (s->is_gzip) {
        st = read_packed(s, to, n_room, timeout_ms, n_bytes, err);
    } else if (s->from < s->to) {
        *n_bytes = s->to - s->from < n_room ? s->to - s->from : n_room;
        memcpy(to, s->packed + s->from, *n_bytes);
        s->from += *n_bytes;
    } else {
        st = read_raw(s, to, n_room, timeout_ms, n_bytes, err);
    }
    *is_end = st == GN_OK && s->is_end && s->from == s->to && *n_bytes == 0;
    return st;
}
