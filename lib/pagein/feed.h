/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Pages of a file, a pipe, a TCP port or a serial port: a byte source and a page reader together. */
#ifndef GN_PAGEIN_FEED_H
#define GN_PAGEIN_FEED_H

#include "lib/pagein/decode.h"

enum gn_pagefeed_got { GN_PAGEFEED_WAIT = 0, GN_PAGEFEED_PAGE, GN_PAGEFEED_END };

struct gn_pagefeed; /* opaque */

/* where: see lib/pagein/source.h. has_stamps: each page gets has_rx and rx_gst_s, the host's UTC clock when its last
 * bytes were read less the two seconds a page lasts. Errors, with words: as gn_byte_source_open(). [control] */
GN_NODISCARD gn_status gn_pagefeed_open(const char *where, enum gn_pagein_format format, bool has_stamps,
        struct gn_pagefeed **ret, struct gn_error *err);
void gn_pagefeed_close(struct gn_pagefeed *f);

/* WAIT: nothing came within timeout_ms. Errors, with words: GN_E_DATA, GN_E_IO, GN_E_DEVICE. [stream] */
GN_NODISCARD gn_status gn_pagefeed_next(struct gn_pagefeed *f, int timeout_ms, struct gn_osnma_page *ret,
        enum gn_pagefeed_got *got, struct gn_error *err);

bool gn_pagefeed_is_live(const struct gn_pagefeed *f);
const struct gn_pagein_stats *gn_pagefeed_stats(const struct gn_pagefeed *f);
enum gn_pagein_format gn_pagefeed_format(const struct gn_pagefeed *f);

#endif
