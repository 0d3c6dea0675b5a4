/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Words of a status, and filling a struct gn_error inside core. */
#ifndef GN_TEXT_STATUS_H
#define GN_TEXT_STATUS_H

#include "gnomon/status.h"

/* "bad input data"; never NULL. [any thread] */
const char *gn_status_text(gn_status status);
/* "GN_E_DATA"; never NULL. [any thread] */
const char *gn_status_name(gn_status status);

/* err may be NULL. Returns status. [any thread] */
gn_status gn_error_set(struct gn_error *err, gn_status status, const char *fmt, ...) GN_PRINTF(3, 4);

#endif
