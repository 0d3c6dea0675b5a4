/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Write a file so that at any moment, also after a power cut, there is the old one or the new one, whole. */
#ifndef GN_BASE_REPLACE_H
#define GN_BASE_REPLACE_H

#include "gnomon/status.h"

#include <stddef.h>

/* Write PATH.new, fsync it, rename it to PATH, fsync the folder. After an error PATH is as it was and PATH.new is
 * gone. New files are for the owner to read and write, others to read. Errors, with words: GN_E_OUTPUT. [control] */
GN_NODISCARD gn_status gn_file_replace(const char *path, const void *data, size_t n_bytes, struct gn_error *err);

#endif
