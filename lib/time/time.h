/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Points in time as integers, the four time scales, leap seconds and week numbers.
 *
 * One representation: TAI seconds since 1958-01-01T00:00:00 TAI plus picoseconds. GPS time and
 * Galileo system time run TAI - 19 s (their difference of nanoseconds is a broadcast parameter, not
 * a scale). The week era is never inferred from leap seconds or from the host clock: callers bring
 * a pivot. Sources: IS-GPS-200N 3.3.4, 20.3.3.5.2.4; Galileo OS SIS ICD 2.1 section 5.1.2; IERS
 * Bulletin C. */
#ifndef GN_TIME_TIME_H
#define GN_TIME_TIME_H

#include "gnomon/status.h"

#include <stdbool.h>
#include <stdint.h>

#define GN_PS_PER_S        1000000000000ULL
#define GN_GPS_EPOCH_TAI_S 694656019LL /* 1980-01-06T00:00:00 UTC */
#define GN_TAI_MINUS_GPS_S 19
#define GN_TAI_MAX_S                                                                               \
    253780819200LL /* 9999-12-30: every scale can still say it in four-digit years */
#define GN_WEEK_UNKNOWN (-1)
#define GN_TIME_TEXT    40 /* room for any printed time */

struct gn_time {
    int64_t tai_s;
    uint64_t frac_ps; /* 0 <= frac_ps < GN_PS_PER_S */
};

enum gn_time_scale {
    GN_TIME_NONE = 0,
    GN_TIME_UTC,  /* text ends in Z (UTC is read too) */
    GN_TIME_GPST, /* GPS time */
    GN_TIME_GST,  /* Galileo system time */
    GN_TIME_TAI,
    GN_TIME_SCALE_COUNT,
};

/* A calendar date and time of day in some scale. second is 60 only inside a UTC leap second. */
struct gn_civil {
    int32_t year, month, day, hour, minute, second;
};

/* ---- weeks -------------------------------------------------------------------------------------
 */

/* GPS week (full, since 1980) and second of week; any tow_s, also negative or over a week. [any
 * thread] */
int64_t gn_tai_from_gps(int32_t week, int64_t tow_s);
/* Galileo: GST week 0 = GPS week 1024, same second of week. [any thread] */
int64_t gn_tai_from_gst(int32_t wn, int64_t tow_s);
/* *tow_s in 0..604799; before 1980 the week is negative. [any thread] */
void gn_gps_from_tai(int64_t tai_s, int32_t *week, int32_t *tow_s);
void gn_gst_from_tai(int64_t tai_s, int32_t *wn, int32_t *tow_s);

/* The full week that ends in wn (its low n_bits bits, 1..16) and lies nearest to pivot_week: within
 * -2^(n_bits-1) .. 2^(n_bits-1) - 1 of it. With pivot GN_WEEK_UNKNOWN: GN_WEEK_UNKNOWN. [any
 * thread] */
int32_t gn_week_expand(uint32_t wn, unsigned n_bits, int32_t pivot_week);

/* Week of a reference time (toe, toc, t_ot) sent as second of week: the one within half a week of
 * the time of transmission. week GN_WEEK_UNKNOWN stays so. IS-GPS-200N 20.3.3.4.3, table 20-IV.
 * [any thread] */
int32_t gn_week_of_reference(int32_t week, double tow_s, double reference_s);

/* t - reference folded into -302400 .. 302400 s, for callers without weeks. [any thread] */
double gn_tow_difference_s(double tow_s, double reference_s);

/* ---- leap seconds -------------------------------------------------------------------------------
 */

/* TAI - UTC at this moment by the built-in table (10 s in 1972, 37 s since 2017). Earlier than
 * 1972: 0. During an inserted second the old value still holds. [any thread] */
int32_t gn_leap_tai_minus_utc(int64_t tai_s);
/* The same by a UTC count: calendar seconds since 1958-01-01 as if every day had 86400. [any
 * thread] */
int32_t gn_leap_at_utc(int64_t utc_s);
/* Past the date up to which IERS has spoken: the table may lack a second. A warning, never a
 * refusal; broadcast parameters win over the table. [any thread] */
bool gn_leap_is_expired(int64_t tai_s);

/* ---- calendar
 * ------------------------------------------------------------------------------------ */

/* GN_E_ARG: no such date or time of day, before 1972 in UTC, before the epoch of the scale, second
 * 60 where none was inserted. [any thread] */
GN_NODISCARD gn_status gn_tai_from_civil(
        enum gn_time_scale scale, const struct gn_civil *civil, int64_t *tai_s);
GN_NODISCARD gn_status gn_civil_from_tai(
        enum gn_time_scale scale, int64_t tai_s, struct gn_civil *civil);
/* UTC by a broadcast leap second count (GPS - UTC, dt_LS) in place of the table. [any thread] */
GN_NODISCARD gn_status gn_utc_from_gps_leap(
        int64_t tai_s, int32_t gps_minus_utc_s, struct gn_civil *civil);

/* ---- text
 * ---------------------------------------------------------------------------------------- */

/* "2023-08-16T05:00:00.1GPST": date, T, time of day, up to 12 decimals, scale (Z, UTC, GPST, GST,
 * TAI). The scale must be said. err->column is the place of the mistake. *scale may be NULL. [any
 * thread] */
GN_NODISCARD gn_status gn_time_parse(
        const char *text, struct gn_time *ret, enum gn_time_scale *scale, struct gn_error *err);

/* The same form with n_decimals (0..12) digits, cut, never rounded up. Writes a zero-ended text of
 * at most GN_TIME_TEXT bytes. GN_E_ARG as gn_civil_from_tai. [any thread] */
GN_NODISCARD gn_status gn_time_print(
        struct gn_time t, enum gn_time_scale scale, unsigned n_decimals, char text[GN_TIME_TEXT]);

#endif
