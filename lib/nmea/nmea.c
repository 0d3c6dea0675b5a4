/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/nmea/nmea.h"

#include "gnomon/status.h"
#include "lib/geo/geo.h"
#include "lib/geo/geoid.h"
#include "lib/gnss/signal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DEG         (180 / 3.14159265358979323846)
#define KNOT_MPS    (1852.0 / 3600)
#define COURSE_MPS  0.1 /* slower than this the course is noise and left empty */
#define GSA_SATS    12
#define GSV_SATS    4
#define PER_SYSTEM  64

const char *const gn_nmea_names[] = {"GGA", "RMC", "GSA", "GSV", "GST", "VTG", "ZDA", NULL};

/* of the systems we write: talker of GSV, system id of GSA, signal id of GSV */
static const struct {
    uint8_t signal;
    const char *talker;
    int system, signal_id;
} systems[] = {{GN_SIG_GPS_L1CA, "GP", 1, 1}, {GN_SIG_GAL_E1, "GA", 3, 7}};

struct body {
    size_t n;
    char s[160];
};

static void put(struct body *b, const char *fmt, ...) GN_PRINTF(2, 3);
static void put(struct body *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(b->s + b->n, sizeof b->s - b->n, fmt, ap);
    va_end(ap);
    if (n > 0)
        b->n = b->n + (size_t)n < sizeof b->s ? b->n + (size_t)n : sizeof b->s - 1;
}

uint8_t gn_nmea_checksum(const char *body)
{
    uint8_t sum = 0;
    for (; *body != 0; body++)
        sum = (uint8_t)(sum ^ (uint8_t)*body);
    return sum;
}

static void emit(struct gn_nmea_text *out, const struct body *b)
{
    int n = snprintf(out->s + out->n, sizeof out->s - out->n, "$%s*%02X\r\n", b->s,
            gn_nmea_checksum(b->s));
    if (n > 0 && out->n + (size_t)n < sizeof out->s)
        out->n += (size_t)n;
    else
        out->s[out->n] = 0;
}

void gn_nmea_angle(double deg, int n_degree_digits, int n_decimals, char text[20], int *is_negative)
{
    int64_t scale = 1;
    for (int i = 0; i < n_decimals; i++)
        scale *= 10;
    int64_t units = llround(fabs(deg) * 60 * (double)scale);
    int64_t minutes = units / scale, rest = units % scale;
    *is_negative = deg < 0 && units > 0;
    (void)snprintf(text, 20, "%0*d%02d.%0*d", n_degree_digits, (int)(minutes / 60 % 1000),
            (int)(minutes % 60), n_decimals, (int)rest);
}

/* of "2016-12-31T23:59:60.000Z": hhmmss.ss, cut; empty when the time is unknown */
static void put_time(struct body *b, const char *utc)
{
    if (strlen(utc) >= 22)
        put(b, ",%.2s%.2s%.2s.%.2s", utc + 11, utc + 14, utc + 17, utc + 20);
    else
        put(b, ",");
}

static void put_place(struct body *b, const struct gn_msg_pvt_fix *f, int n_decimals)
{
    char lat[20], lon[20];
    int is_south, is_west;
    gn_nmea_angle(f->lat_deg, 2, n_decimals, lat, &is_south);
    gn_nmea_angle(f->lon_deg, 3, n_decimals, lon, &is_west);
    put(b, ",%s,%c,%s,%c", lat, is_south ? 'S' : 'N', lon, is_west ? 'W' : 'E');
}

static double dop(float x)
{
    return isfinite(x) && x < 99.99F ? (double)x : 99.99;
}

/* speed over ground and course, from the velocity in the Earth-fixed frame */
static double ground_speed(const struct gn_msg_pvt_fix *f, double *course_deg)
{
    struct gn_geo geo = gn_geo_from_ecef(f->ecef_m);
    double r[3][3], enu[3] = {0};
    gn_enu_rotation(&geo, r);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            enu[i] += r[i][k] * f->vel_ecef_mps[k];
    double deg = atan2(enu[0], enu[1]) * DEG;
    *course_deg = deg < 0 ? deg + 360 : deg;
    return hypot(enu[0], enu[1]);
}

static void put_course(struct body *b, double speed_mps, double course_deg)
{
    double rounded = (double)llround(course_deg * 100) / 100;
    if (speed_mps >= COURSE_MPS)
        put(b, ",%.2f", rounded >= 360 ? 0 : rounded);
    else
        put(b, ",");
}

static void write_gga(const struct gn_msg_pvt_fix *f, int n_decimals, struct gn_nmea_text *out)
{
    struct body b = {0};
    double geoid_m = gn_geoid_m(f->lat_deg / DEG, f->lon_deg / DEG);
    put(&b, "GNGGA");
    put_time(&b, f->utc);
    put_place(&b, f, n_decimals);
    put(&b, ",1,%02u,%.2f,%.1f,M,%.1f,M,,", f->n_used < 99 ? f->n_used : 99, dop(f->dop.h),
            f->height_m - geoid_m, geoid_m);
    emit(out, &b);
}

static void write_rmc(const struct gn_msg_pvt_fix *f, int n_decimals, struct gn_nmea_text *out)
{
    struct body b = {0};
    double course_deg, speed_mps = ground_speed(f, &course_deg);
    put(&b, "GNRMC");
    put_time(&b, f->utc);
    put(&b, ",A");
    put_place(&b, f, n_decimals);
    put(&b, ",%.2f", speed_mps / KNOT_MPS);
    put_course(&b, speed_mps, course_deg);
    if (strlen(f->utc) >= 10)
        put(&b, ",%.2s%.2s%.2s", f->utc + 8, f->utc + 5, f->utc + 2);
    else
        put(&b, ",");
    /* navigational status: U unsafe while spoofing is suspected, else V: not provided */
    put(&b, ",,,A,%c", f->trust == GN_TRUST_SPOOFING_SUSPECTED ? 'U' : 'V');
    emit(out, &b);
}

static void write_vtg(const struct gn_msg_pvt_fix *f, struct gn_nmea_text *out)
{
    struct body b = {0};
    double course_deg, speed_mps = ground_speed(f, &course_deg);
    put(&b, "GNVTG");
    put_course(&b, speed_mps, course_deg);
    put(&b, ",T,,M,%.2f,N,%.2f,K,A", speed_mps / KNOT_MPS, speed_mps * 3.6);
    emit(out, &b);
}

static void write_zda(const struct gn_msg_pvt_fix *f, struct gn_nmea_text *out)
{
    struct body b = {0};
    if (strlen(f->utc) < 22)
        return;
    put(&b, "GNZDA");
    put_time(&b, f->utc);
    put(&b, ",%.2s,%.2s,%.4s,00,00", f->utc + 8, f->utc + 5, f->utc);
    emit(out, &b);
}

static void write_gst(const struct gn_msg_pvt_fix *f, struct gn_nmea_text *out)
{
    struct body b = {0};
    double sum2 = 0, side_m = f->sigma_h_m / sqrt(2);
    for (uint32_t i = 0; i < f->n_used; i++)
        sum2 += (double)f->sats[i].residual_m * (double)f->sats[i].residual_m;
    put(&b, "GNGST");
    put_time(&b, f->utc);
    put(&b, ",%.2f,,,,%.2f,%.2f,%.2f", f->n_used > 0 ? sqrt(sum2 / f->n_used) : 0, side_m, side_m,
            f->sigma_v_m);
    emit(out, &b);
}

static void write_gsa(const struct gn_msg_pvt_fix *f, size_t i_system, struct gn_nmea_text *out)
{
    uint8_t prns[GN_PVT_SATS_MAX];
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n_used; i++)
        if (f->sats[i].signal == systems[i_system].signal)
            prns[n++] = f->sats[i].prn;
    for (uint32_t from = 0; from < n; from += GSA_SATS) {
        struct body b = {0};
        put(&b, "GNGSA,A,3");
        for (uint32_t i = from; i < from + GSA_SATS; i++)
            if (i < n)
                put(&b, ",%02u", prns[i]);
            else
                put(&b, ",");
        put(&b, ",%.2f,%.2f,%.2f,%d", dop(f->dop.p), dop(f->dop.h), dop(f->dop.v),
                systems[i_system].system);
        emit(out, &b);
    }
}

struct seen {
    uint8_t prn;
    int elevation_deg, azimuth_deg; /* -1: unknown */
    int cn0_dbhz;                   /* -1: unknown */
};

/* satellites of the fix with their direction, then those only observed */
static uint32_t look(const struct gn_msg_pvt_fix *f, const struct gn_msg_obs *o, uint8_t signal,
        struct seen *seen)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n_used; i++) {
        const struct gn_pvt_sat *s = &f->sats[i];
        if (s->signal != signal || n >= PER_SYSTEM)
            continue;
        int az = (int)lround((double)s->azimuth_rad * DEG), el = (int)lround((double)s->elevation_rad * DEG);
        seen[n++] = (struct seen){.prn = s->prn, .elevation_deg = el < 0 ? -1 : el,
                .azimuth_deg = el < 0 ? -1 : (az % 360 + 360) % 360, .cn0_dbhz = -1};
    }
    for (uint32_t i = 0; o != NULL && i < o->n_sats; i++) {
        uint32_t k = 0;
        if (o->sats[i].signal != signal)
            continue;
        while (k < n && seen[k].prn != o->sats[i].prn)
            k++;
        if (k == n && n < PER_SYSTEM)
            seen[n++] = (struct seen){o->sats[i].prn, -1, -1, -1};
        if (k < n)
            seen[k].cn0_dbhz = (int)lround(fmin(fmax(o->sats[i].cn0_dbhz, 0), 99));
    }
    return n;
}

static void put_or_empty(struct body *b, int value, int width)
{
    if (value >= 0)
        put(b, ",%0*d", width, value);
    else
        put(b, ",");
}

static void write_gsv(const struct gn_msg_pvt_fix *f, const struct gn_msg_obs *o, size_t i_system,
        struct gn_nmea_text *out)
{
    struct seen seen[PER_SYSTEM];
    uint32_t n = look(f, o, systems[i_system].signal, seen), lines = (n + GSV_SATS - 1) / GSV_SATS;
    for (uint32_t line = 0; line < lines; line++) {
        struct body b = {0};
        put(&b, "%sGSV,%u,%u,%02u", systems[i_system].talker, lines, line + 1, n);
        for (uint32_t i = line * GSV_SATS; i < n && i < (line + 1) * GSV_SATS; i++) {
            put(&b, ",%02u", seen[i].prn);
            put_or_empty(&b, seen[i].elevation_deg, 2);
            put_or_empty(&b, seen[i].azimuth_deg, 3);
            put_or_empty(&b, seen[i].cn0_dbhz, 2);
        }
        put(&b, ",%d", systems[i_system].signal_id);
        emit(out, &b);
    }
}

void gn_nmea_fix(const struct gn_msg_pvt_fix *fix, const struct gn_msg_obs *obs, uint64_t mask, int n_decimals,
        struct gn_nmea_text *ret)
{
    const struct gn_msg_obs *same = obs != NULL && fabs(obs->tow_s - fix->tow_s) < 1e-3 ? obs : NULL;
    if (mask >> GN_NMEA_GGA & 1)
        write_gga(fix, n_decimals, ret);
    if (mask >> GN_NMEA_RMC & 1)
        write_rmc(fix, n_decimals, ret);
    for (size_t i = 0; i < GN_COUNT(systems); i++) {
        if (mask >> GN_NMEA_GSA & 1)
            write_gsa(fix, i, ret);
    }
    for (size_t i = 0; i < GN_COUNT(systems); i++) {
        if (mask >> GN_NMEA_GSV & 1)
            write_gsv(fix, same, i, ret);
    }
    if (mask >> GN_NMEA_GST & 1)
        write_gst(fix, ret);
    if (mask >> GN_NMEA_VTG & 1)
        write_vtg(fix, ret);
    if (mask >> GN_NMEA_ZDA & 1)
        write_zda(fix, ret);
}
