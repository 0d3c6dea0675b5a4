/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Rows of page files (whole files: lib/pagein): text, a header line `wn,tow,prn,sig,page` and one I/NAV page a row:
 * full GST week, second of week at the page's start, SVID, 1 = E1-B or 5 = E5b-I, 60 hexadecimal digits
 * (even part then odd part, tails included). */
#ifndef GN_OSNMA_PAGEFILE_H
#define GN_OSNMA_PAGEFILE_H

#include "lib/osnma/engine.h"

/* One row without its line end. False: not a page. [any thread] */
GN_NODISCARD bool gn_osnma_row_parse(const char *row, size_t n_chars, struct gn_osnma_page *ret);

#endif
