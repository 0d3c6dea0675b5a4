/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Memory seen twice in a row: byte i and byte i + n_bytes are the same. */
#ifndef GN_PLATFORM_MIRROR_H
#define GN_PLATFORM_MIRROR_H

#include <stddef.h>

size_t gn_mirror_granule(void);       /* smallest size, a power of two */
void *gn_mirror_map(size_t n_bytes);  /* a multiple of the granule; zeroed; NULL when there is no memory */
void gn_mirror_unmap(void *base, size_t n_bytes);

#endif
