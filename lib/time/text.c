/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/base/error.h"
#include "lib/time/time.h"

#include <stdio.h>
#include <string.h>

#define DECIMALS_MAX 12

static const struct {
    const char *word;
    enum gn_time_scale scale;
} suffixes[] = {
        {"Z", GN_TIME_UTC},
        {"UTC", GN_TIME_UTC},
        {"GPST", GN_TIME_GPST},
        {"GST", GN_TIME_GST},
        {"TAI", GN_TIME_TAI},
};

static const char *const printed_suffix[GN_TIME_SCALE_COUNT] = {
        [GN_TIME_UTC] = "Z", [GN_TIME_GPST] = "GPST", [GN_TIME_GST] = "GST", [GN_TIME_TAI] = "TAI"};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "2023-08-16T05:00:00": returns how many characters fit the form, fills on 19 */
static size_t read_civil(const char *text, struct gn_civil *civil)
{
    static const char form[] = "dddd-dd-ddTdd:dd:dd";
    size_t n = 0;
    while (form[n] != '\0' && (form[n] == 'd' ? is_digit(text[n]) : text[n] == form[n]))
        n++;
    if (form[n] != '\0')
        return n;
    int32_t *const fields[] = {
            &civil->year, &civil->month, &civil->day, &civil->hour, &civil->minute, &civil->second};
    size_t i_field = 0;
    for (size_t i = 0; i < n; i++) {
        if (form[i] == 'd')
            *fields[i_field] = *fields[i_field] * 10 + (text[i] - '0');
        else
            i_field++;
    }
    return n;
}

/* ".1" to picoseconds; returns the characters taken, 0 when there is a point without 1..12 digits
 */
static size_t read_fraction(const char *text, uint64_t *frac_ps)
{
    uint64_t ps = 0;
    size_t n = 1;
    for (; is_digit(text[n]) && n <= DECIMALS_MAX; n++)
        ps = ps * 10 + (uint64_t)(text[n] - '0');
    if (n == 1 || is_digit(text[n]))
        return 0;
    for (size_t i = n; i <= DECIMALS_MAX; i++)
        ps *= 10;
    *frac_ps = ps;
    return n;
}

static enum gn_time_scale scale_from_suffix(const char *text)
{
    for (size_t i = 0; i < GN_COUNT(suffixes); i++)
        if (strcmp(text, suffixes[i].word) == 0)
            return suffixes[i].scale;
    return GN_TIME_NONE;
}

gn_status gn_time_parse(
        const char *text, struct gn_time *ret, enum gn_time_scale *scale, struct gn_error *err)
{
    struct gn_civil civil = {0};
    struct gn_time t = {0};
    size_t at = read_civil(text, &civil);
    if (at != 19)
        return gn_fail_at(err, GN_E_PARSE, 1, (int32_t)at + 1,
                "'%.40s' is no time: expected the form 2023-08-16T05:00:00.1GPST", text);
    if (text[at] == '.') {
        size_t n = read_fraction(text + at, &t.frac_ps);
        if (n == 0)
            return gn_fail_at(err, GN_E_PARSE, 1, (int32_t)at + 1,
                    "'%.60s': 1 to 12 digits may follow the point", text);
        at += n;
    }
    enum gn_time_scale s = scale_from_suffix(text + at);
    if (s == GN_TIME_NONE)
        return gn_fail_at(err, GN_E_PARSE, 1, (int32_t)at + 1,
                "'%.60s' %s: end it with Z (UTC), GPST, GST or TAI", text,
                text[at] == '\0' ? "does not say its time scale" : "has an unknown time scale");
    gn_status st = gn_tai_from_civil(s, &civil, &t.tai_s);
    if (st != GN_OK)
        return gn_fail_at(
                err, GN_E_PARSE, 1, 1, "'%.60s' is not a moment of that time scale", text);
    *ret = t;
    if (scale != NULL)
        *scale = s;
    return GN_OK;
}

gn_status gn_time_print(
        struct gn_time t, enum gn_time_scale scale, unsigned n_decimals, char text[GN_TIME_TEXT])
{
    struct gn_civil c = {0};
    if (n_decimals > DECIMALS_MAX || t.frac_ps >= GN_PS_PER_S)
        return GN_E_ARG;
    gn_status st = gn_civil_from_tai(scale, t.tai_s, &c);
    if (st != GN_OK)
        return st;
    char fraction[DECIMALS_MAX + 2] = "";
    if (n_decimals > 0) {
        (void)snprintf(fraction, sizeof fraction, ".%012llu", (unsigned long long)t.frac_ps);
        fraction[n_decimals + 1] = '\0';
    }
    (void)snprintf(text, GN_TIME_TEXT, "%04d-%02d-%02dT%02d:%02d:%02d%s%s", c.year, c.month, c.day,
            c.hour, c.minute, c.second, fraction, printed_suffix[scale]);
    return GN_OK;
}
