/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Galileo I/NAV pages out of the bytes a receiver sends: no input or output, no clock, bounded memory.
 *
 *   csv     rows `wn,tow,prn,sig,page` (lib/osnma/pagefile.h)
 *   sbf     Septentrio Binary Format, block GALRawINAV (4023)
 *   ubx     u-blox, message RXM-SFRBX; it carries no time: see lib/pagein/ubx.c for the rule
 *   navmon  galmon's framed protobuf, message GalileoInav
 *
 * Damaged frames and foreign bytes are skipped and counted; the reader finds its way again at the next whole
 * frame. Pages are handed on as received: the OSNMA engine checks their own CRC. */
#ifndef GN_PAGEIN_DECODE_H
#define GN_PAGEIN_DECODE_H

#include "lib/osnma/engine.h"

enum gn_pagein_format {
    GN_PAGEIN_AUTO = 0, /* the first whole frame decides */
    GN_PAGEIN_CSV,
    GN_PAGEIN_SBF,
    GN_PAGEIN_UBX,
    GN_PAGEIN_NAVMON,
    GN_PAGEIN_FORMAT_COUNT,
};
extern const char *const gn_pagein_format_names[]; /* "auto", "csv", ...; NULL-ended */

struct gn_pagein_stats {
    uint64_t n_bytes;       /* worked off */
    uint64_t garbage_bytes; /* of them in no whole frame */
    uint64_t frames;        /* whole frames, pages among them */
    uint64_t bad_frames;    /* began like a frame, but the checksum or a length is wrong */
    uint64_t bad_pages;     /* whole frames with a page whose fields make no sense */
    uint64_t untimed;       /* pages before anything told the time (ubx) */
    uint64_t unchecked;     /* pages whose own CRC the stream does not carry whole (navmon) */
    uint64_t pages;
};

#define GN_PAGEIN_ROOM_MIN 4096u  /* gn_pagein_room() never gives less */
#define GN_PAGEIN_AUTO_MAX 65536u /* bytes without any whole frame: the format is not recognised */

struct gn_pagein; /* opaque, 96 KiB */

/* strict: a CSV row that cannot be read is an error; else it is skipped and counted. Errors: GN_E_NOMEM. [control] */
GN_NODISCARD gn_status gn_pagein_new(enum gn_pagein_format format, bool is_strict, struct gn_pagein **ret);
void gn_pagein_free(struct gn_pagein *d);

/* Where the next bytes go: borrowed until gn_pagein_filled(). [stream] */
uint8_t *gn_pagein_room(struct gn_pagein *d, size_t *n_bytes);
void gn_pagein_filled(struct gn_pagein *d, size_t n_bytes);
/* No more bytes will come. [stream] */
void gn_pagein_end(struct gn_pagein *d);

/* The next page; *has_page false: more bytes are needed, or after gn_pagein_end() there is nothing left.
 * Errors, with words and the line or byte: GN_E_DATA (format not recognised, strict CSV). [stream] */
GN_NODISCARD gn_status gn_pagein_next(
        struct gn_pagein *d, struct gn_osnma_page *ret, bool *has_page, struct gn_error *err);

const struct gn_pagein_stats *gn_pagein_stats(const struct gn_pagein *d);
/* The format in use; AUTO until it is known. */
enum gn_pagein_format gn_pagein_format(const struct gn_pagein *d);

#endif
