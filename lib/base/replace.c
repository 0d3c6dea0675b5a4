/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/base/replace.h"

#include "lib/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_MAX_BYTES 4096

static bool write_all(int fd, const uint8_t *p, size_t n)
{
    while (n > 0) {
        ssize_t k = write(fd, p, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        p += k;
        n -= (size_t)k;
    }
    return true;
}

/* the rename is only on the disk when the folder is */
static bool sync_folder(const char *path)
{
    char folder[PATH_MAX_BYTES] = ".";
    const char *slash = strrchr(path, '/');
    if (slash != NULL)
        (void)snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = fsync(fd) == 0 || errno == EINVAL; /* some file systems cannot sync folders */
    (void)close(fd);
    return ok;
}

static gn_status fail(const char *path, const char *what, struct gn_error *err)
{
    const char *why = strerrordesc_np(errno);
    return gn_fail(err, GN_E_OUTPUT, "%.150s: %s: %s", path, what, why != NULL ? why : "unknown error");
}

gn_status gn_file_replace(const char *path, const void *data, size_t n_bytes, struct gn_error *err)
{
    char fresh[PATH_MAX_BYTES];
    if (snprintf(fresh, sizeof fresh, "%s.new", path) >= (int)sizeof fresh)
        return gn_fail(err, GN_E_OUTPUT, "the path is too long");
    int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
    if (fd < 0)
        return fail(fresh, "cannot be made", err);
    bool ok = write_all(fd, data, n_bytes) && fsync(fd) == 0;
    gn_status st = ok ? GN_OK : fail(fresh, "cannot be written", err);
    if (close(fd) != 0 && st == GN_OK)
        st = fail(fresh, "cannot be written", err);
    if (st == GN_OK && rename(fresh, path) != 0)
        st = fail(path, "cannot be replaced", err);
    if (st != GN_OK) {
        (void)unlink(fresh);
        return st;
    }
    return sync_folder(path) ? GN_OK : fail(path, "its folder cannot be synced", err);
}
