/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Where bytes come from:
 *
 *   PATH, -                  a file, standard input; gzip is unpacked
 *   tcp://HOST:PORT          a client of that port; [v6 address] in brackets
 *   serial:/dev/X[@BAUD]     a serial port, 8N1, 115200 baud unless said */
#ifndef GN_PAGEIN_SOURCE_H
#define GN_PAGEIN_SOURCE_H

#include "gnomon/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gn_byte_source; /* opaque */

/* Errors, with words: GN_E_ARG (bad address), GN_E_IO (no such file), GN_E_DEVICE (no connection, no port),
 * GN_E_NOMEM. Connecting may take 10 s. [control] */
GN_NODISCARD gn_status gn_byte_source_open(const char *where, struct gn_byte_source **ret, struct gn_error *err);
void gn_byte_source_close(struct gn_byte_source *s);

/* Bytes go on coming in real time: tcp, serial. */
bool gn_byte_source_is_live(const struct gn_byte_source *s);

/* Up to n_room bytes. *n_bytes 0 with *is_end false: none came within timeout_ms (files do not wait).
 * Errors, with words and the byte: GN_E_IO, GN_E_DATA (damaged gzip), GN_E_DEVICE. [stream] */
GN_NODISCARD gn_status gn_byte_source_read(struct gn_byte_source *s, uint8_t *to, size_t n_room, int timeout_ms,
        size_t *n_bytes, bool *is_end, struct gn_error *err);

#endif
