/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Inside of the page readers: what stands at the start of some bytes, for each format. */
#ifndef GN_PAGEIN_FRAMES_H
#define GN_PAGEIN_FRAMES_H

#include "lib/osnma/engine.h"

enum frame_kind {
    FRAME_MORE = 0,  /* a frame may begin here, but it is not all there yet */
    FRAME_NONE,      /* none begins in the first n_bytes */
    FRAME_DAMAGED,   /* began like one: skip n_bytes */
    FRAME_OTHER,     /* a whole frame of n_bytes without a page for us */
    FRAME_BAD_PAGE,  /* whole, with a page that makes no sense */
    FRAME_UNTIMED,   /* whole, with a page nobody knows the time of */
    FRAME_PAGE,      /* *page is set */
};

struct frame {
    enum frame_kind kind;
    size_t n_bytes; /* > 0 unless FRAME_MORE */
};

#define UBX_SIGNALS 2 /* E1-B, E5b-I */

/* Time of the pages of a u-blox stream: GST seconds. */
struct ubx_clock {
    bool has_epoch;             /* a message with the receiver's time came */
    double epoch_s;             /* the newest one */
    int64_t shift_s[UBX_SIGNALS]; /* what words with a time of week said about the rule; even */
    bool has_slot[UBX_SIGNALS]; /* without such messages: start of the pages coming in now */
    int64_t slot_s[UBX_SIGNALS];
    uint64_t heard[UBX_SIGNALS]; /* bit prn: sent its page of this slot */
};

/* p[n], n > 0. Each may read to p + n and no further. */
struct frame frame_sbf(const uint8_t *p, size_t n, struct gn_osnma_page *page);
struct frame frame_ubx(struct ubx_clock *clock, const uint8_t *p, size_t n, struct gn_osnma_page *page);
struct frame frame_navmon(const uint8_t *p, size_t n, struct gn_osnma_page *page, bool *is_checked);
struct frame frame_csv(const uint8_t *p, size_t n, bool is_end, struct gn_osnma_page *page);

/* Bytes before the next one that equals `first`, at least 1. */
size_t frame_gap(const uint8_t *p, size_t n, uint8_t first);

/* The page's own CRC-24Q. */
bool page_crc_ok(const uint8_t bits[GN_OSNMA_PAGE_BYTES]);
uint32_t page_crc(const uint8_t bits[GN_OSNMA_PAGE_BYTES]);
/* week and second of a page's start; false before GST week 0 */
bool page_time(struct gn_osnma_page *page, int64_t t_gst_s);

#endif
