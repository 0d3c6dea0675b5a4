/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/base/error.h"
#include "lib/base/slurp.h"
#include "lib/geo/geo.h"
#include "lib/sim/motion.h"
#include "lib/time/time.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEG            (3.14159265358979323846 / 180)
#define LINE_BYTES     256
#define FILE_MAX_BYTES (64U << 20)

struct reader {
    struct gn_sim_motion m;
    size_t room;
    int32_t i_line;
    double t0_s, day_s; /* of the first point; NMEA: days passed */
    struct gn_error *err;
};

static gn_status refuse(struct reader *r, const char *why)
{
    return gn_fail_at(r->err, GN_E_DATA, r->i_line, 1, "line %d: %s", r->i_line, why);
}

static gn_status add(struct reader *r, double t_s, double lat_deg, double lon_deg, double height_m)
{
    if (!(fabs(lat_deg) <= 90) || !(fabs(lon_deg) <= 360) || !(fabs(height_m) < 1e9) ||
            !(fabs(t_s) < 1e12))
        return refuse(r, "time, latitude, longitude or height is out of range");
    if (r->m.n_points == 0)
        r->t0_s = t_s;
    else if (t_s - r->t0_s <= r->m.points[r->m.n_points - 1].t_s)
        return refuse(r, "time does not go on");
    if (r->m.n_points == GN_SIM_POINTS_MAX)
        return refuse(r, "too many points");
    if (r->m.n_points == r->room) {
        size_t room = r->room == 0 ? 256 : 2 * r->room;
        struct gn_sim_point *more = realloc(r->m.points, room * sizeof *more);
        if (more == NULL)
            return gn_fail(r->err, GN_E_NOMEM, "no memory for %zu points", room);
        r->m.points = more;
        r->room = room;
    }
    struct gn_sim_point *p = &r->m.points[r->m.n_points++];
    const struct gn_geo geo = {lat_deg * DEG, lon_deg * DEG, height_m};
    p->t_s = t_s - r->t0_s;
    gn_ecef_from_geo(&geo, p->ecef_m);
    return GN_OK;
}

/* t, lat, lon, height: times count as they stand (the first point may come later than sample 0) */
static gn_status csv_line(struct reader *r, const char *line)
{
    double v[4];
    const char *at = line;
    if (*at == '#' || *at == '\0' || (r->m.n_points == 0 && strspn(at, "+-.0123456789 \t") == 0))
        return GN_OK;
    for (int i = 0; i < 4; i++) {
        char *end = NULL;
        v[i] = strtod(at, &end);
        bool is_last = i == 3;
        if (end == at || !isfinite(v[i]) || (*end != (is_last ? '\0' : ',') && !(is_last && *end == ',')))
            return refuse(r, "expected: seconds, latitude, longitude, height");
        at = end + 1;
    }
    bool is_first = r->m.n_points == 0;
    gn_status st = add(r, v[0], v[1], v[2], v[3]);
    if (st == GN_OK && is_first) {
        r->t0_s = 0;
        r->m.points[0].t_s = v[0];
    }
    return st;
}

/* ddmm.mmm */
static double angle_deg(const char *text)
{
    double x = strtod(text, NULL), whole = floor(x / 100);
    return whole + (x - 100 * whole) / 60;
}

static gn_status nmea_line(struct reader *r, char *line)
{
    char *fields[16] = {line}, *star = strchr(line, '*');
    unsigned sum = 0, n = 1;
    if (line[0] != '$' || strlen(line) < 7 || memcmp(line + 3, "GGA,", 4) != 0)
        return GN_OK;
    for (const char *c = line + 1; *c != '\0' && c != star; c++)
        sum ^= (unsigned char)*c;
    if (star != NULL && strtoul(star + 1, NULL, 16) != sum)
        return refuse(r, "the checksum of the NMEA sentence is wrong");
    for (char *c = line; *c != '\0' && n < 16; c++)
        if (*c == ',') {
            *c = '\0';
            fields[n++] = c + 1;
        }
    if (n < 12 || strlen(fields[1]) < 6)
        return refuse(r, "a GGA sentence has more fields");
    if (fields[6][0] == '0' || fields[2][0] == '\0')
        return GN_OK; /* no fix: no point */
    double hms = strtod(fields[1], NULL), h = floor(hms / 1e4), min = floor(fmod(hms, 1e4) / 100);
    double t_s = 3600 * h + 60 * min + fmod(hms, 100) + r->day_s;
    if (r->m.n_points > 0 && t_s - r->t0_s < r->m.points[r->m.n_points - 1].t_s - 43200) {
        r->day_s += 86400;
        t_s += 86400;
    }
    double lat = angle_deg(fields[2]) * (fields[3][0] == 'S' ? -1 : 1);
    double lon = angle_deg(fields[4]) * (fields[5][0] == 'W' ? -1 : 1);
    return add(r, t_s, lat, lon, strtod(fields[9], NULL) + strtod(fields[11], NULL));
}

/* The value of name="..." within [s, end). */
static bool attribute(const char *s, const char *end, const char *name, double *ret)
{
    size_t n = strlen(name);
    for (; s + n + 2 < end; s++)
        if (memcmp(s, name, n) == 0 && s[n] == '=' && (s[n + 1] == '"' || s[n + 1] == '\'')) {
            char *stop = NULL;
            *ret = strtod(s + n + 2, &stop);
            return stop != s + n + 2 && isfinite(*ret);
        }
    return false;
}

static const char *find(const char *s, const char *end, const char *word)
{
    return memmem(s, (size_t)(end - s), word, strlen(word));
}

static gn_status gpx_point(struct reader *r, const char *s, const char *end)
{
    double lat = 0, lon = 0, height = 0;
    const char *ele = find(s, end, "<ele>"), *time = find(s, end, "<time>");
    struct gn_time t;
    char text[GN_TIME_TEXT] = "";
    if (!attribute(s, end, "lat", &lat) || !attribute(s, end, "lon", &lon))
        return refuse(r, "a track point needs lat and lon");
    if (ele != NULL)
        height = strtod(ele + 5, NULL);
    if (time == NULL)
        return refuse(r, "a track point needs <time>");
    size_t n = strcspn(time + 6, "<");
    if (n < sizeof text)
        memcpy(text, time + 6, n);
    if (gn_time_parse(text, &t, NULL, NULL) != GN_OK)
        return refuse(r, "the time of a track point cannot be read");
    return add(r, (double)(t.tai_s - GN_GPS_EPOCH_TAI_S) + (double)t.frac_ps * 1e-12, lat, lon, height);
}

static gn_status gpx(struct reader *r, const char *text, size_t n)
{
    const char *end = text + n, *at = text, *counted = text;
    gn_status st = GN_OK;
    while (st == GN_OK && (at = find(at, end, "<trkpt")) != NULL) {
        const char *stop = find(at, end, "</trkpt>");
        for (; counted < at; counted++)
            r->i_line += *counted == '\n';
        if (stop == NULL)
            return refuse(r, "<trkpt> is not closed by </trkpt>");
        st = gpx_point(r, at, stop);
        at = stop;
    }
    return st;
}

static gn_status lines(struct reader *r, const char *text, size_t n, bool is_nmea)
{
    const char *end = text + n;
    gn_status st = GN_OK;
    r->i_line = 0;
    while (st == GN_OK && text < end) {
        const char *nl = memchr(text, '\n', (size_t)(end - text));
        size_t len = (size_t)((nl != NULL ? nl : end) - text);
        char line[LINE_BYTES] = "";
        r->i_line++;
        if (len >= sizeof line)
            return refuse(r, "the line is too long");
        memcpy(line, text, len);
        line[strcspn(line, "\r")] = '\0';
        st = is_nmea ? nmea_line(r, line) : csv_line(r, line);
        text = nl != NULL ? nl + 1 : end;
    }
    return st;
}

/* Velocity at a point: of the parabola through it and its neighbours. */
static gn_status make_slopes(struct reader *r)
{
    size_t n = r->m.n_points;
    const struct gn_sim_point *p = r->m.points;
    r->m.slopes = calloc(n, 3 * sizeof *r->m.slopes);
    if (r->m.slopes == NULL)
        return gn_fail(r->err, GN_E_NOMEM, "no memory for %zu points", n);
    for (size_t i = 0; i < n && n > 1; i++) {
        size_t a = i == 0 ? 0 : i - 1, c = i + 1 < n ? i + 1 : i;
        for (size_t k = 0; k < 3; k++) {
            double before = i > a ? (p[i].ecef_m[k] - p[a].ecef_m[k]) / (p[i].t_s - p[a].t_s) : 0;
            double after = c > i ? (p[c].ecef_m[k] - p[i].ecef_m[k]) / (p[c].t_s - p[i].t_s) : 0;
            double w = a == i ? 0 : c == i ? 1 : (p[c].t_s - p[i].t_s) / (p[c].t_s - p[a].t_s);
            r->m.slopes[3 * i + k] = w * before + (1 - w) * after;
        }
    }
    return GN_OK;
}

gn_status gn_sim_motion_parse(
        struct gn_sim_motion *m, const char *text, size_t n, struct gn_error *err)
{
    struct reader r = {.i_line = 1, .err = err};
    size_t skip = 0;
    while (skip < n && strchr(" \t\r\n\xEF\xBB\xBF", text[skip]) != NULL && text[skip] != '\0')
        skip++;
    bool is_gpx = skip < n && text[skip] == '<', is_nmea = skip < n && text[skip] == '$';
    gn_status st = is_gpx ? gpx(&r, text, n) : lines(&r, text, n, is_nmea);
    if (st == GN_OK && r.m.n_points == 0)
        st = gn_fail(err, GN_E_DATA, "no point of a trajectory in it");
    if (st == GN_OK)
        st = make_slopes(&r);
    if (st != GN_OK) {
        gn_sim_motion_done(&r.m);
        return st;
    }
    struct gn_geo geo = gn_geo_from_ecef(r.m.points[0].ecef_m);
    gn_sim_motion_init(m, geo.lat_rad, geo.lon_rad, geo.height_m);
    m->kind = GN_SIM_WAYPOINTS;
    m->points = r.m.points;
    m->slopes = r.m.slopes;
    m->n_points = r.m.n_points;
    return GN_OK;
}

gn_status gn_sim_motion_read(struct gn_sim_motion *m, const char *path, struct gn_error *err)
{
    char *text = NULL;
    size_t n = 0;
    struct gn_error inner = {0};
    gn_status st = gn_slurp(path, FILE_MAX_BYTES, &text, &n, err);
    if (st != GN_OK)
        return st;
    st = gn_sim_motion_parse(m, text, n, &inner);
    free(text);
    return st == GN_OK ? GN_OK
                       : gn_fail_at(err, st, inner.line, inner.column, "%.120s: %.100s", path,
                                 inner.text);
}
