/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Memory that is given back all at once: words, trees and tables of set-up. Never for hot paths. */
#ifndef GN_TEXT_ARENA_H
#define GN_TEXT_ARENA_H

#include "gnomon/status.h"

#include <stddef.h>

struct gn_arena; /* opaque */

/* NULL when there is no memory. [control] */
struct gn_arena *gn_arena_new(void);
void gn_arena_free(struct gn_arena *arena);

/* Zeroed, 16-byte aligned, never NULL: what is read is bounded to a few MiB, so running out means
 * the machine is at its end and the process aborts. [control] */
void *gn_arena_alloc(struct gn_arena *arena, size_t n_bytes);
/* The same for large or caller-sized memory: any alignment of a power of two, NULL when there is none. */
void *gn_arena_alloc_aligned(struct gn_arena *arena, size_t n_bytes, size_t alignment);

/* Zero-ended copies. */
char *gn_arena_text(struct gn_arena *arena, const char *text, size_t n);
char *gn_arena_printf(struct gn_arena *arena, const char *fmt, ...) GN_PRINTF(2, 3);

#endif
