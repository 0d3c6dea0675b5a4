/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Page files: text, plain or gzip, a header line `wn,tow,prn,sig,page` and one I/NAV page a row:
 * full GST week, second of week at the page's start, SVID, 1 = E1-B or 5 = E5b-I, 60 hexadecimal digits
 * (even part then odd part, tails included). */
#ifndef GN_OSNMA_PAGEFILE_H
#define GN_OSNMA_PAGEFILE_H

#include "lib/osnma/engine.h"

/* One row without its line end. False: not a page. [any thread] */
GN_NODISCARD bool gn_osnma_row_parse(const char *row, size_t n_chars, struct gn_osnma_page *ret);

/* How a file is written; AUTO looks at its first bytes. */
enum gn_osnma_format { GN_OSNMA_FMT_AUTO = 0, GN_OSNMA_FMT_CSV, GN_OSNMA_FMT_COUNT };
extern const char *const gn_osnma_format_names[]; /* "auto", "csv"; NULL-ended */

struct gn_osnma_pagefile; /* opaque */

/* "-" is standard input. Errors, with words: GN_E_IO, GN_E_NOMEM. [control] */
GN_NODISCARD gn_status gn_osnma_pagefile_open(const char *path, enum gn_osnma_format format,
        struct gn_osnma_pagefile **ret, struct gn_error *err);
void gn_osnma_pagefile_close(struct gn_osnma_pagefile *f);

/* The next page; *is_end when there is none. Errors with the line: GN_E_DATA (bad row, damaged gzip), GN_E_IO. */
GN_NODISCARD gn_status gn_osnma_pagefile_next(struct gn_osnma_pagefile *f, struct gn_osnma_page *ret, bool *is_end,
        struct gn_error *err);

#endif
