/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Inside of the byte sources: ports of the machine as file descriptors. */
#ifndef GN_PAGEIN_PORTS_H
#define GN_PAGEIN_PORTS_H

#include "gnomon/status.h"

#include <stdbool.h>

/* "HOST:PORT", "[v6]:PORT". Errors, with words: GN_E_ARG, GN_E_DEVICE. */
gn_status port_open_tcp(const char *where, int *fd, struct gn_error *err);
/* "/dev/X[@BAUD]": 8N1, raw. Errors, with words: GN_E_ARG, GN_E_DEVICE. */
gn_status port_open_serial(const char *where, int *fd, struct gn_error *err);
/* of errno */
const char *port_words(int error);

#endif
