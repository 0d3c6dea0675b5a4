/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* u-blox binary protocol. Source: u-blox interface descriptions (M8, F9), chapters UBX frame structure, RXM-SFRBX,
 * RXM-RAWX, NAV-TIMEGPS, NAV-TIMEGAL, NAV-PVT and "Galileo navigation message".
 *
 *   0 0xb5 0x62   2 class   3 id   4 length   6 payload   .. CK_A CK_B over 2..end of payload
 *   SFRBX: 0 gnssId 2   1 svId   2 sigId   4 numWords   6 version   8 words: 0-3 the even part, 120 bits and 8 of
 *   filler, 4-7 the odd part likewise; most significant bit first in each 32-bit word
 *
 * SFRBX has no time. A page gets it
 *   1. from its own word where that holds one (types 5, 6 and 0 with time): exact;
 *   2. else, once the receiver told its time (one of the four messages above), the end of the page is the odd
 *      second (E5b: even) nearest to 0.2 s after the newest such time: a page ends 0.85 s at most before, 1.15 s at
 *      most after the newest epoch already reported, at one report a second or more. Rule 1 corrects the
 *      rule by whole pages where a receiver reports later;
 *   3. else all satellites of a signal share a slot of two seconds, set by rule 1; a satellite that sends again
 *      opens the next one.
 * A wrong guess costs authentication, it cannot give it: the time is part of every MAC. */
#include "lib/bits/bits.h"
#include "lib/pagein/frames.h"
#include "lib/time/time.h"

#include <math.h>
#include <string.h>

#define FRAME_BYTES   8u     /* around the payload */
#define PAYLOAD_MAX   8192u  /* RXM-RAWX with 255 measurements is 8176 */
#define SFRBX_BYTES   40u    /* head and 8 words */
#define WEEK_S        604800
#define WEEKS_GPS_GST 1024
#define END_BIAS_S    0.175  /* middle of -0.85 .. 1.2 */
#define SHIFT_MAX_S   30

enum { ID_SFRBX = 0x0213, ID_RAWX = 0x0215, ID_PVT = 0x0107, ID_TIMEGPS = 0x0120, ID_TIMEGAL = 0x0125 };

/* ---- the receiver's time ------------------------------------------------------------------------------------------ */
static bool time_rawx(struct gn_byte_reader *in, double *ret)
{
    uint64_t raw = gn_bytes_le(in, 8);
    double tow_s = 0;
    memcpy(&tow_s, &raw, sizeof tow_s);
    int64_t week = (int64_t)gn_bytes_le(in, 2) - WEEKS_GPS_GST;
    if (in->is_past_end || !(tow_s >= 0 && tow_s < WEEK_S) || week < 0)
        return false;
    *ret = (double)week * WEEK_S + tow_s;
    return true;
}

/* week as said; valid must have both low bits (time and week) */
static bool time_week(struct gn_byte_reader *in, bool is_galileo, double *ret)
{
    uint64_t itow_ms = gn_bytes_le(in, 4), tow_s = is_galileo ? gn_bytes_le(in, 4) : 0;
    (void)gn_bytes_take(in, 4);
    int64_t week = (int16_t)gn_bytes_le(in, 2) - (is_galileo ? 0 : WEEKS_GPS_GST);
    (void)gn_bytes_take(in, 1);
    uint64_t valid = gn_bytes_le(in, 1);
    if (in->is_past_end || (valid & 3) != 3 || itow_ms >= 1000u * WEEK_S || tow_s >= WEEK_S || week < 0)
        return false;
    *ret = (double)week * WEEK_S + (is_galileo ? (double)tow_s : (double)itow_ms / 1000);
    return true;
}

/* NAV-PVT says the date in UTC and the time of week in GPS time: the week is the one nearest to the date */
static bool time_pvt(struct gn_byte_reader *in, double *ret)
{
    uint64_t itow_ms = gn_bytes_le(in, 4);
    struct gn_civil civil = {.year = (int32_t)gn_bytes_le(in, 2), .month = (int32_t)gn_bytes_le(in, 1),
            .day = (int32_t)gn_bytes_le(in, 1), .hour = (int32_t)gn_bytes_le(in, 1),
            .minute = (int32_t)gn_bytes_le(in, 1)};
    (void)gn_bytes_take(in, 1);
    uint64_t valid = gn_bytes_le(in, 1);
    int64_t tai_s = 0;
    if (in->is_past_end || (valid & 3) != 3 || itow_ms >= 1000u * WEEK_S ||
            gn_tai_from_civil(GN_TIME_UTC, &civil, &tai_s) != GN_OK)
        return false;
    double near_s = (double)(tai_s - gn_tai_from_gst(0, 0)), tow_s = (double)itow_ms / 1000;
    *ret = tow_s + WEEK_S * round((near_s - tow_s) / WEEK_S);
    return *ret >= 0;
}

static void learn_epoch(struct ubx_clock *clock, unsigned id, const uint8_t *payload, size_t n)
{
    struct gn_byte_reader in = gn_byte_reader_of(payload, n);
    double t_s = 0;
    bool ok = id == ID_RAWX ? time_rawx(&in, &t_s) : id == ID_PVT ? time_pvt(&in, &t_s)
                                                                  : time_week(&in, id == ID_TIMEGAL, &t_s);
    if (!ok)
        return;
    clock->has_epoch = true;
    clock->epoch_s = t_s;
}

/* ---- the time of a page ----------------------------------------------------------------------------------------------- */
/* GST second of the page's start, when its word says so. Week: -1 where the word has only the time of week. */
static bool word_time(const uint8_t *bits, int64_t *wn, int64_t *tow_s)
{
    uint8_t word[GN_OSNMA_WORD_BYTES] = {0};
    struct gn_bit_writer w = gn_bit_writer_of(word, 128);
    struct gn_bit_reader even = gn_bit_reader_of(bits, 114), odd = gn_bit_reader_of(bits, 138);
    gn_bits_skip(&even, 2);
    gn_bits_skip(&odd, 122);
    gn_bits_copy(&w, &even, 112);
    gn_bits_copy(&w, &odd, 16);
    unsigned type = word[0] >> 2;
    if (!page_crc_ok(bits) || (type != 0 && type != 5 && type != 6) || (type == 0 && (word[0] & 3u) != 2))
        return false;
    unsigned at = type == 5 ? 85 : type == 6 ? 105 : 108;
    *tow_s = (int64_t)gn_bits_get(word, 128, at, 20);
    *wn = type == 6 ? -1 : (int64_t)gn_bits_get(word, 128, at - 12, 12);
    return *tow_s < WEEK_S;
}

/* the time of week in the week that lies nearest to a known time */
static int64_t near(double near_s, int64_t tow_s)
{
    return tow_s + WEEK_S * (int64_t)llround((near_s - (double)tow_s) / WEEK_S);
}

static int64_t by_epoch(const struct ubx_clock *c, unsigned i_signal)
{
    double odd = i_signal == 0 ? 1 : 0;
    double end_s = 2 * round((c->epoch_s + END_BIAS_S - odd) / 2) + odd;
    return (int64_t)end_s - 2 + c->shift_s[i_signal];
}

/* what a word says moves the rules along */
static void correct(struct ubx_clock *c, unsigned i_signal, int64_t t_s)
{
    if (c->has_epoch) {
        int64_t shift_s = t_s - by_epoch(c, i_signal) + c->shift_s[i_signal];
        if (shift_s % 2 == 0 && shift_s >= -SHIFT_MAX_S && shift_s <= SHIFT_MAX_S)
            c->shift_s[i_signal] = shift_s;
    }
    if (!c->has_slot[i_signal] || c->slot_s[i_signal] != t_s)
        c->heard[i_signal] = 0;
    c->has_slot[i_signal] = true;
    c->slot_s[i_signal] = t_s;
}

static bool by_word(struct ubx_clock *c, unsigned i_signal, const uint8_t *bits, int64_t *t_s)
{
    int64_t wn = 0, tow_s = 0;
    if (!word_time(bits, &wn, &tow_s))
        return false;
    if (c->has_epoch)
        *t_s = near(c->epoch_s, tow_s);
    else if (wn >= 0)
        *t_s = wn * WEEK_S + tow_s;
    else if (c->has_slot[i_signal])
        *t_s = near((double)c->slot_s[i_signal], tow_s);
    else
        return false;
    return true;
}

static bool find_time(struct ubx_clock *c, unsigned i_signal, struct gn_osnma_page *page)
{
    int64_t t_s = 0;
    uint64_t bit = 1ULL << page->prn;
    if (by_word(c, i_signal, page->bits, &t_s)) {
        correct(c, i_signal, t_s);
    } else if (c->has_epoch) {
        t_s = by_epoch(c, i_signal);
    } else if (c->has_slot[i_signal]) {
        if ((c->heard[i_signal] & bit) != 0) {
            c->slot_s[i_signal] += 2;
            c->heard[i_signal] = 0;
        }
        t_s = c->slot_s[i_signal];
    } else {
        return false;
    }
    c->heard[i_signal] |= bit;
    return page_time(page, t_s);
}

/* ---- frames -------------------------------------------------------------------------------------------------------------- */
static void take_bits(const uint8_t *payload, uint8_t bits[GN_OSNMA_PAGE_BYTES])
{
    uint8_t raw[32];
    struct gn_byte_reader in = gn_byte_reader_of(payload + 8, 32);
    struct gn_bit_writer words = gn_bit_writer_of(raw, 8 * sizeof raw);
    for (unsigned i = 0; i < 8; i++)
        gn_bits_put(&words, gn_bytes_le(&in, 4), 32);
    memcpy(bits, raw, 15);
    memcpy(bits + 15, raw + 16, 15);
}

static enum frame_kind take_sfrbx(struct ubx_clock *c, const uint8_t *p, size_t n, struct gn_osnma_page *ret)
{
    struct gn_osnma_page page = {0};
    if (n < 8 || p[0] != 2)
        return FRAME_OTHER;
    unsigned sig = p[2]; /* 0 or 1: E1 (older receivers say nothing), 5: E5b-I; 3 and 4 are E5a with F/NAV */
    if (sig != 0 && sig != 1 && sig != 5)
        return FRAME_OTHER;
    if (n < SFRBX_BYTES || p[4] < 8 || n != 8u + 4u * p[4] || p[1] < 1 || p[1] > GN_OSNMA_PRNS)
        return FRAME_BAD_PAGE;
    take_bits(p, page.bits);
    page.prn = p[1];
    page.is_e5b = sig == 5;
    if (!find_time(c, page.is_e5b, &page))
        return FRAME_UNTIMED;
    *ret = page;
    return FRAME_PAGE;
}

static bool is_sum_ok(const uint8_t *p, size_t n_payload)
{
    uint8_t a = 0, b = 0;
    for (size_t i = 2; i < 6 + n_payload; i++) {
        a = (uint8_t)(a + p[i]);
        b = (uint8_t)(b + a);
    }
    return p[6 + n_payload] == a && p[7 + n_payload] == b;
}

struct frame frame_ubx(struct ubx_clock *clock, const uint8_t *p, size_t n, struct gn_osnma_page *page)
{
    if (p[0] != 0xb5)
        return (struct frame){FRAME_NONE, frame_gap(p, n, 0xb5)};
    if (n >= 2 && p[1] != 0x62)
        return (struct frame){FRAME_NONE, 1};
    if (n < 6)
        return (struct frame){FRAME_MORE, 0};
    size_t n_payload = (size_t)p[4] | (size_t)p[5] << 8;
    if (n_payload > PAYLOAD_MAX)
        return (struct frame){FRAME_DAMAGED, 2};
    if (n < n_payload + FRAME_BYTES)
        return (struct frame){FRAME_MORE, 0};
    if (!is_sum_ok(p, n_payload))
        return (struct frame){FRAME_DAMAGED, 2};
    unsigned id = (unsigned)p[2] << 8 | p[3];
    struct frame f = {FRAME_OTHER, n_payload + FRAME_BYTES};
    if (id == ID_SFRBX)
        f.kind = take_sfrbx(clock, p + 6, n_payload, page);
    else if (id == ID_RAWX || id == ID_PVT || id == ID_TIMEGPS || id == ID_TIMEGAL)
        learn_epoch(clock, id, p + 6, n_payload);
    return f;
}
