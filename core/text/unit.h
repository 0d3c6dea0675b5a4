/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Numbers with units as people write them: "4.092 MHz", "500 ms", "20 ppm". */
#ifndef GN_TEXT_UNIT_H
#define GN_TEXT_UNIT_H

#include "gnomon/status.h"

/* Parse all of text into *ret, converted to `unit` ("" for a plain number or ratio). A number without
 * a unit is in `unit`. Errors: GN_E_PARSE, with words in err and, in *suggestion (may be NULL), a unit
 * that would fit. nan, inf and values beyond double are refused. [any thread] */
GN_NODISCARD gn_status gn_quantity_parse(const char *text, const char *unit, double *ret,
        const char **suggestion, struct gn_error *err);

#endif
