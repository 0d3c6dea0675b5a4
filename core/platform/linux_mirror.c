/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/platform/mirror.h"

#include <sys/mman.h>
#include <unistd.h>

size_t gn_mirror_granule(void)
{
    long page = sysconf(_SC_PAGESIZE); /* 64 KiB on some ARM kernels */
    return page > 4096 ? (size_t)page : 4096;
}

static int map_half(unsigned char *at, size_t n_bytes, int fd)
{
    void *p = mmap(at, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
    return p == MAP_FAILED ? -1 : 0;
}

void *gn_mirror_map(size_t n_bytes)
{
    int fd = memfd_create("gnomon-ring", MFD_CLOEXEC);
    if (fd < 0)
        return NULL;
    unsigned char *base = MAP_FAILED;
    if (ftruncate(fd, (off_t)n_bytes) == 0) /* reserve both halves first so that nothing lands between */
        base = mmap(NULL, 2 * n_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base != MAP_FAILED && (map_half(base, n_bytes, fd) != 0 || map_half(base + n_bytes, n_bytes, fd) != 0)) {
        (void)munmap(base, 2 * n_bytes);
        base = MAP_FAILED;
    }
    (void)close(fd);
    return base == MAP_FAILED ? NULL : base;
}

void gn_mirror_unmap(void *base, size_t n_bytes)
{
    (void)munmap(base, 2 * n_bytes);
}
