/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/time/time.h"

#define DAY_S          86400
#define WEEK_S         604800
#define GST_WEEK_0     1024
#define DAYS_1958      4383 /* 1958-01-01 before 1970-01-01 */
#define UTC_1972_TAI_S 441763210LL

/* Days from 1970-01-01 in the Gregorian calendar; years run from March so that the leap day is
 * last. Source: E. G. Richards, Mapping Time (1998), chapter 25, by 400-year cycles of 146097 days.
 */
static int64_t days_from_civil(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

static void civil_from_days(int64_t days, struct gn_civil *civil)
{
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t day_of_era = days - era * 146097;
    int64_t year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month = (5 * day_of_year + 2) / 153; /* from March */
    civil->day = (int32_t)(day_of_year - (153 * month + 2) / 5 + 1);
    civil->month = (int32_t)(month < 10 ? month + 3 : month - 9);
    civil->year = (int32_t)(year_of_era + era * 400 + (civil->month <= 2));
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

int64_t gn_tai_from_gps(int32_t week, int64_t tow_s)
{
    return GN_GPS_EPOCH_TAI_S + (int64_t)week * WEEK_S + tow_s;
}

int64_t gn_tai_from_gst(int32_t wn, int64_t tow_s)
{
    return gn_tai_from_gps(wn, tow_s) + (int64_t)GST_WEEK_0 * WEEK_S;
}

void gn_gps_from_tai(int64_t tai_s, int32_t *week, int32_t *tow_s)
{
    int64_t gps_s = tai_s - GN_GPS_EPOCH_TAI_S;
    int64_t full = floor_div(gps_s, WEEK_S);
    *week = (int32_t)full;
    *tow_s = (int32_t)(gps_s - full * WEEK_S);
}

void gn_gst_from_tai(int64_t tai_s, int32_t *wn, int32_t *tow_s)
{
    gn_gps_from_tai(tai_s, wn, tow_s);
    *wn -= GST_WEEK_0;
}

int32_t gn_week_expand(uint32_t wn, unsigned n_bits, int32_t pivot_week)
{
    if (pivot_week == GN_WEEK_UNKNOWN || n_bits == 0 || n_bits > 16)
        return GN_WEEK_UNKNOWN;
    int32_t era = (int32_t)(1U << n_bits);
    int32_t ahead = ((int32_t)(wn & (uint32_t)(era - 1)) - pivot_week) & (era - 1);
    return pivot_week + (ahead >= era / 2 ? ahead - era : ahead);
}

double gn_tow_difference_s(double tow_s, double reference_s)
{
    double difference_s = tow_s - reference_s;
    if (difference_s > WEEK_S / 2)
        difference_s -= WEEK_S;
    else if (difference_s < -WEEK_S / 2)
        difference_s += WEEK_S;
    return difference_s;
}

int32_t gn_week_of_reference(int32_t week, double tow_s, double reference_s)
{
    if (week == GN_WEEK_UNKNOWN)
        return GN_WEEK_UNKNOWN;
    double difference_s = tow_s - reference_s;
    if (difference_s > WEEK_S / 2)
        return week + 1;
    return difference_s < -WEEK_S / 2 ? week - 1 : week;
}

/* seconds that the scale's calendar lags TAI, leap seconds apart */
static int64_t tai_minus_scale(enum gn_time_scale scale)
{
    return scale == GN_TIME_GPST || scale == GN_TIME_GST ? GN_TAI_MINUS_GPS_S : 0;
}

static int64_t scale_begins_tai_s(enum gn_time_scale scale)
{
    static const int64_t begins[GN_TIME_SCALE_COUNT] = {
            [GN_TIME_UTC] = UTC_1972_TAI_S,
            [GN_TIME_GPST] = GN_GPS_EPOCH_TAI_S,
            [GN_TIME_GST] = GN_GPS_EPOCH_TAI_S + (int64_t)GST_WEEK_0 * WEEK_S,
            [GN_TIME_TAI] = 0,
    };
    return begins[scale];
}

static bool is_civil(const struct gn_civil *c)
{
    static const int8_t month_days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (c->year < 1958 || c->year > 9999 || c->month < 1 || c->month > 12 || c->day < 1)
        return false;
    bool is_leap_year = c->year % 4 == 0 && (c->year % 100 != 0 || c->year % 400 == 0);
    int32_t n_days = month_days[c->month - 1] + (c->month == 2 && is_leap_year);
    return c->day <= n_days && c->hour >= 0 && c->hour < 24 && c->minute >= 0 && c->minute < 60 &&
           c->second >= 0 && c->second <= 60;
}

gn_status gn_tai_from_civil(enum gn_time_scale scale, const struct gn_civil *civil, int64_t *tai_s)
{
    if (scale <= GN_TIME_NONE || scale >= GN_TIME_SCALE_COUNT || !is_civil(civil))
        return GN_E_ARG;
    bool is_inserted = civil->second == 60;
    if (is_inserted && scale != GN_TIME_UTC)
        return GN_E_ARG;
    int64_t days = days_from_civil(civil->year, civil->month, civil->day) + DAYS_1958;
    int64_t count_s =
            days * DAY_S + civil->hour * 3600 + civil->minute * 60 + civil->second - is_inserted;
    int64_t t = count_s + tai_minus_scale(scale);
    if (scale == GN_TIME_UTC)
        t = count_s + gn_leap_at_utc(count_s) + is_inserted;
    if (is_inserted && gn_leap_tai_minus_utc(t + 1) == gn_leap_tai_minus_utc(t))
        return GN_E_ARG;
    if (t < scale_begins_tai_s(scale) || t > GN_TAI_MAX_S)
        return GN_E_ARG;
    *tai_s = t;
    return GN_OK;
}

static void civil_from_count(int64_t count_s, struct gn_civil *civil)
{
    int64_t days = floor_div(count_s, DAY_S);
    int32_t of_day_s = (int32_t)(count_s - days * DAY_S);
    civil_from_days(days - DAYS_1958, civil);
    civil->hour = of_day_s / 3600;
    civil->minute = of_day_s / 60 % 60;
    civil->second = of_day_s % 60;
}

gn_status gn_civil_from_tai(enum gn_time_scale scale, int64_t tai_s, struct gn_civil *civil)
{
    if (scale <= GN_TIME_NONE || scale >= GN_TIME_SCALE_COUNT)
        return GN_E_ARG;
    if (tai_s < scale_begins_tai_s(scale) || tai_s > GN_TAI_MAX_S)
        return GN_E_ARG;
    if (scale != GN_TIME_UTC) {
        civil_from_count(tai_s - tai_minus_scale(scale), civil);
        return GN_OK;
    }
    /* ... :58 :59 [:60] :00: the inserted second still counts with the old offset */
    int32_t offset_s = gn_leap_tai_minus_utc(tai_s);
    bool is_inserted = gn_leap_tai_minus_utc(tai_s + 1) > offset_s;
    civil_from_count(tai_s - offset_s - is_inserted, civil);
    civil->second += is_inserted;
    return GN_OK;
}

gn_status gn_utc_from_gps_leap(int64_t tai_s, int32_t gps_minus_utc_s, struct gn_civil *civil)
{
    if (tai_s < GN_GPS_EPOCH_TAI_S || tai_s > GN_TAI_MAX_S || gps_minus_utc_s < -128 ||
            gps_minus_utc_s > 127)
        return GN_E_ARG;
    civil_from_count(tai_s - GN_TAI_MINUS_GPS_S - gps_minus_utc_s, civil);
    return GN_OK;
}
