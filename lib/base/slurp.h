/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#ifndef GN_BASE_SLURP_H
#define GN_BASE_SLURP_H

#include "gnomon/status.h"

#include <stddef.h>

/* All of a file of at most max_bytes, zero-ended; free(*text). GN_E_IO, GN_E_DATA (too long), GN_E_NOMEM:
 * words name the file, *text is NULL. [control] */
GN_NODISCARD gn_status gn_slurp(
        const char *path, size_t max_bytes, char **text, size_t *n, struct gn_error *err);

#endif
