/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/nav/rinex.h"

#include "lib/base/error.h"
#include "lib/base/slurp.h"
#include "lib/gnss/signal.h"
#include "lib/nav/orbit.h"
#include "lib/time/time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_AT  60
#define VALUES    32 /* of a record: clock line and seven orbit lines */

struct line {
    const char *s;
    size_t n;
};

struct reader {
    const char *at, *end;
    int32_t i_line; /* of the line last taken, 1-based */
    struct gn_rinex_nav nav;
    size_t room;
    struct gn_error *err;
};

static bool take_line(struct reader *r, struct line *ret)
{
    if (r->at >= r->end)
        return false;
    const char *nl = memchr(r->at, '\n', (size_t)(r->end - r->at));
    size_t n = (size_t)((nl != NULL ? nl : r->end) - r->at);
    *ret = (struct line){r->at, n > 0 && r->at[n - 1] == '\r' ? n - 1 : n};
    r->at = nl != NULL ? nl + 1 : r->end;
    r->i_line++;
    return true;
}

static bool is_blank(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] != ' ')
            return false;
    return true;
}

/* A number in columns at .. at + n; Fortran's D counts as E. Blank or past the end: 0. */
static gn_status number(struct reader *r, struct line l, size_t at, size_t n, double *ret)
{
    char text[32], *end = NULL;
    *ret = 0;
    if (at >= l.n)
        return GN_OK;
    n = n < l.n - at ? n : l.n - at;
    if (is_blank(l.s + at, n))
        return GN_OK;
    for (size_t i = 0; i < n; i++)
        text[i] = l.s[at + i] == 'D' || l.s[at + i] == 'd' ? 'e' : l.s[at + i];
    text[n] = '\0';
    *ret = strtod(text, &end);
    while (end != NULL && *end == ' ')
        end++;
    if (end == NULL || *end != '\0' || !isfinite(*ret) || strpbrk(text, "xXnN") != NULL)
        return gn_fail_at(r->err, GN_E_DATA, r->i_line, (int32_t)at + 1,
                "line %d, column %zu: '%s' is no number", r->i_line, at + 1, text);
    return GN_OK;
}

static gn_status numbers(
        struct reader *r, struct line l, size_t at, size_t width, size_t n, double *ret)
{
    gn_status st = GN_OK;
    for (size_t i = 0; i < n && st == GN_OK; i++)
        st = number(r, l, at + i * width, width, &ret[i]);
    return st;
}

/* ---- header -------------------------------------------------------------------------------------
 */

static bool has_label(struct line l, const char *label)
{
    size_t n = strlen(label);
    return l.n >= LABEL_AT + n && memcmp(l.s + LABEL_AT, label, n) == 0;
}

static gn_status read_version(struct reader *r, struct line l)
{
    if (!has_label(l, "RINEX VERSION / TYPE"))
        return gn_fail_at(r->err, GN_E_DATA, r->i_line, 1,
                "line %d: no RINEX file: 'RINEX VERSION / TYPE' is missing in columns 61 to 80",
                r->i_line);
    gn_status st = number(r, l, 0, 9, &r->nav.version);
    if (st != GN_OK)
        return st;
    if (!(r->nav.version >= 3 && r->nav.version < 5))
        return gn_fail_at(r->err, GN_E_DATA, r->i_line, 1,
                "line %d: RINEX %.2f: only versions 3 and 4 are read", r->i_line, r->nav.version);
    if (l.s[20] != 'N')
        return gn_fail_at(r->err, GN_E_DATA, r->i_line, 21,
                "line %d: file type '%c' is not N, navigation data", r->i_line, l.s[20]);
    return GN_OK;
}

static gn_status read_ionosphere(struct reader *r, struct line l)
{
    double v[4];
    gn_status st = numbers(r, l, 5, 12, 4, v);
    if (st != GN_OK)
        return st;
    if (memcmp(l.s, "GPSA", 4) == 0 || memcmp(l.s, "GPSB", 4) == 0) {
        memcpy(r->nav.klobuchar + (l.s[3] == 'B' ? 4 : 0), v, sizeof v);
        r->nav.has_klobuchar = true;
    } else if (memcmp(l.s, "GAL ", 4) == 0) {
        memcpy(r->nav.gal_ai, v, sizeof r->nav.gal_ai);
        r->nav.has_gal_ai = true;
    }
    return GN_OK;
}

static struct gn_rinex_correction *correction_of(struct gn_rinex_nav *nav, const char *name)
{
    return memcmp(name, "GPUT", 4) == 0   ? &nav->gps_utc
           : memcmp(name, "GAUT", 4) == 0 ? &nav->gal_utc
           : memcmp(name, "GAGP", 4) == 0 ? &nav->gps_gal
           : memcmp(name, "GPGA", 4) == 0 ? &nav->gps_gal
                                          : NULL;
}

static gn_status read_time_correction(struct reader *r, struct line l)
{
    struct gn_rinex_correction *c = correction_of(&r->nav, l.s), got = {.is_set = true};
    double week = 0;
    if (c == NULL)
        return GN_OK;
    gn_status st = number(r, l, 5, 17, &got.a0_s);
    if (st == GN_OK)
        st = number(r, l, 22, 16, &got.a1);
    if (st == GN_OK)
        st = number(r, l, 38, 7, &got.t_ref_s);
    if (st == GN_OK)
        st = number(r, l, 45, 5, &week);
    if (st == GN_OK && !(week >= 0 && week < 65536))
        return gn_fail_at(r->err, GN_E_DATA, r->i_line, 46, "line %d: week %g is out of range",
                r->i_line, week);
    got.week = (int32_t)week;
    if (st == GN_OK)
        *c = got;
    return st;
}

static gn_status read_header(struct reader *r)
{
    struct line l;
    gn_status st = take_line(r, &l) ? read_version(r, l)
                                    : gn_fail(r->err, GN_E_DATA, "the RINEX file is empty");
    while (st == GN_OK) {
        double leap_s = 0;
        if (!take_line(r, &l))
            return gn_fail_at(r->err, GN_E_DATA, r->i_line, 1,
                    "line %d: the file ends within its header", r->i_line);
        if (has_label(l, "END OF HEADER"))
            return GN_OK;
        if (has_label(l, "IONOSPHERIC CORR"))
            st = read_ionosphere(r, l);
        else if (has_label(l, "TIME SYSTEM CORR"))
            st = read_time_correction(r, l);
        else if (has_label(l, "LEAP SECONDS"))
            st = number(r, l, 0, 6, &leap_s);
        if (leap_s > 0 && leap_s < 1000)
            r->nav.leap_s = (int32_t)leap_s;
    }
    return st;
}

/* ---- records ------------------------------------------------------------------------------------
 */

static int lines_of(char system, bool is_v4_cnav)
{
    return system == 'R' ? (is_v4_cnav ? 5 : 4) : system == 'S' ? 4 : 8;
}

static uint8_t ura_index(double ura_m)
{
    static const double table_m[15] = {
            2.4, 3.4, 4.85, 6.85, 9.65, 13.65, 24, 48, 96, 192, 384, 768, 1536, 3072, 6144};
    for (uint8_t i = 0; i < 15; i++)
        if (ura_m <= table_m[i] * 1.0001)
            return i;
    return 15;
}

static uint8_t sisa_index(double sisa_m)
{
    if (!(sisa_m >= 0 && sisa_m <= 6))
        return 255;
    double x = sisa_m < 0.5 ? sisa_m / 0.01
               : sisa_m < 1 ? 50 + (sisa_m - 0.5) / 0.02
               : sisa_m < 2 ? 75 + (sisa_m - 1) / 0.04
                            : 100 + (sisa_m - 2) / 0.16;
    return (uint8_t)lround(x);
}

/* toc: year month day hour minute second of the satellite's system */
static gn_status read_epoch(struct reader *r, struct line l, struct gn_ephemeris *e)
{
    static const size_t at[6] = {4, 9, 12, 15, 18, 21};
    double v[6] = {0};
    gn_status st = number(r, l, at[0], 4, &v[0]);
    for (size_t i = 1; i < 6 && st == GN_OK; i++)
        st = number(r, l, at[i], 2, &v[i]);
    if (st != GN_OK)
        return st;
    const struct gn_civil civil = {(int32_t)v[0], (int32_t)v[1], (int32_t)v[2], (int32_t)v[3],
            (int32_t)v[4], (int32_t)v[5]};
    int64_t tai_s = 0;
    int32_t tow_s = 0;
    if (gn_tai_from_civil(GN_TIME_GPST, &civil, &tai_s) != GN_OK)
        return gn_fail_at(r->err, GN_E_DATA, r->i_line, 5, "line %d: no such date and time",
                r->i_line);
    gn_gps_from_tai(tai_s, &e->week_toc, &tow_s);
    e->toc_s = tow_s;
    return GN_OK;
}

/* v[0..2] clock, v[4 + 4 k ..] orbit line k + 1 */
static gn_status fill(struct reader *r, const double v[VALUES], struct gn_ephemeris *e)
{
    e->af0_s = v[0], e->af1 = v[1], e->af2 = v[2];
    e->iode = (uint16_t)fmin(fmax(v[4], 0), 1023);
    e->crs_m = v[5], e->delta_n_rps = v[6], e->m0_rad = v[7];
    e->cuc_rad = v[8], e->e = v[9], e->cus_rad = v[10], e->sqrt_a = v[11];
    e->toe_s = v[12], e->cic_rad = v[13], e->omega0_rad = v[14], e->cis_rad = v[15];
    e->i0_rad = v[16], e->crc_m = v[17], e->omega_rad = v[18], e->omegadot_rps = v[19];
    e->idot_rps = v[20];
    if (!(e->e >= 0 && e->e < 0.5) || !(e->sqrt_a > 2600 && e->sqrt_a < 8192) ||
            !(e->toe_s >= 0 && e->toe_s < GN_WEEK_S))
        return gn_fail_at(r->err, GN_E_DATA, r->i_line, 1,
                "line %d: the record that ends here is no orbit: e %g, sqrt(a) %g, toe %g",
                r->i_line, e->e, e->sqrt_a, e->toe_s);
    e->week = gn_week_of_reference(e->week_toc, e->toc_s, e->toe_s);
    e->t_tx_s = v[28];
    e->source = GN_EPH_SRC_RINEX;
    return GN_OK;
}

static void fill_gps(const double v[VALUES], struct gn_ephemeris *e)
{
    e->ura_sisa = ura_index(v[24]);
    e->health = (uint8_t)fmin(fmax(v[25], 0), 63);
    e->tgd_s = v[26];
    e->iodc = (uint16_t)fmin(fmax(v[27], 0), 1023);
    e->fit_interval_flag = v[29] > 4.5;
}

static void fill_galileo(const double v[VALUES], struct gn_ephemeris *e)
{
    e->ura_sisa = sisa_index(v[24]);
    e->health = (uint8_t)((unsigned)fmin(fmax(v[25], 0), 511) & 7u);
    e->bgd_e5a_s = v[26];
    e->tgd_s = v[27];
    e->iodc = e->iode;
}

static gn_status keep(struct reader *r, const struct gn_ephemeris *e)
{
    if (r->nav.n_eph == GN_RINEX_RECORDS_MAX)
        return gn_fail_at(r->err, GN_E_DATA, r->i_line, 1, "line %d: more than %u records",
                r->i_line, GN_RINEX_RECORDS_MAX);
    if (r->nav.n_eph == r->room) {
        size_t room = r->room == 0 ? 64 : 2 * r->room;
        struct gn_ephemeris *more = realloc(r->nav.eph, room * sizeof *more);
        if (more == NULL)
            return gn_fail(r->err, GN_E_NOMEM, "no memory for %zu ephemerides", room);
        r->nav.eph = more;
        r->room = room;
    }
    r->nav.eph[r->nav.n_eph++] = *e;
    return GN_OK;
}

/* l is the record's first line: satellite, epoch, clock. is_wanted: RINEX 4 said so; RINEX 3: judged by content */
static gn_status read_record(struct reader *r, struct line l, int n_lines, bool is_wanted)
{
    double v[VALUES] = {0}, prn = 0;
    struct gn_ephemeris e = {0};
    char system = l.s[0];
    is_wanted = is_wanted && (system == 'G' || system == 'E');
    gn_status st = number(r, l, 1, 2, &prn);
    if (st == GN_OK && is_wanted)
        st = read_epoch(r, l, &e);
    if (st == GN_OK && is_wanted)
        st = numbers(r, l, 23, 19, 3, v);
    for (int k = 1; k < n_lines && st == GN_OK; k++) {
        if (!take_line(r, &l))
            return gn_fail_at(r->err, GN_E_DATA, r->i_line, 1,
                    "line %d: the file ends within a record", r->i_line);
        if (is_wanted)
            st = numbers(r, l, 4, 19, 4, v + 4 * k);
    }
    if (st != GN_OK)
        return st;
    bool is_inav = ((unsigned)fmin(fmax(v[21], 0), 1023) & 5u) != 0 && ((unsigned)fmin(fmax(v[21], 0), 1023) & 0x100u) == 0;
    if (!is_wanted || (system == 'E' && !is_inav)) {
        r->nav.n_skipped++;
        return GN_OK;
    }
    e.signal = system == 'G' ? GN_SIG_GPS_L1CA : GN_SIG_GAL_E1;
    if (!(prn >= 1 && prn <= (system == 'G' ? 32 : 36)))
        return gn_fail_at(r->err, GN_E_DATA, r->i_line, 1, "line %d: no satellite %c%02g", r->i_line,
                system, prn);
    e.prn = (uint8_t)prn;
    st = fill(r, v, &e);
    if (system == 'G')
        fill_gps(v, &e);
    else
        fill_galileo(v, &e);
    return st == GN_OK ? keep(r, &e) : st;
}

/* "> ION G05 LNAV" (Klobuchar) and "> ION E11 IFNV" (Ai0..2): three numbers behind the epoch, then lines of
 * four. RINEX 4.01, table A32, A33. */
static gn_status read_v4_ion(struct reader *r, bool is_gps)
{
    double v[8] = {0};
    struct line l;
    gn_status st = GN_OK;
    for (int k = 0; k < (is_gps ? 3 : 1) && st == GN_OK; k++) {
        if (!take_line(r, &l))
            return gn_fail_at(r->err, GN_E_DATA, r->i_line, 1,
                    "line %d: the file ends within a record", r->i_line);
        st = numbers(r, l, k == 0 ? 23 : 4, 19, k == 0 ? 3 : k == 1 ? 4 : 1,
                v + (k == 0 ? 0 : 4 * k - 1));
    }
    if (st != GN_OK)
        return st;
    memcpy(is_gps ? r->nav.klobuchar : r->nav.gal_ai, v, (is_gps ? 8 : 3) * sizeof *v);
    *(is_gps ? &r->nav.has_klobuchar : &r->nav.has_gal_ai) = true;
    return GN_OK;
}

/* "> EPH G01 LNAV": the lines after it up to the next '>' */
static gn_status read_v4(struct reader *r, struct line head)
{
    struct line l;
    bool is_eph = head.n >= 14 && memcmp(head.s, "> EPH ", 6) == 0;
    if (is_eph && (memcmp(head.s + 10, "LNAV", 4) == 0 || memcmp(head.s + 10, "INAV", 4) == 0) &&
            (head.s[6] == 'G' || head.s[6] == 'E')) {
        if (!take_line(r, &l) || l.n < 23)
            return gn_fail_at(r->err, GN_E_DATA, r->i_line, 1,
                    "line %d: a record must follow its '> EPH' line", r->i_line);
        return read_record(r, l, 8, true);
    }
    gn_status st = GN_OK;
    if (head.n >= 14 && memcmp(head.s, "> ION ", 6) == 0 &&
            ((head.s[6] == 'G' && memcmp(head.s + 10, "LNAV", 4) == 0) ||
                    (head.s[6] == 'E' && memcmp(head.s + 10, "IFNV", 4) == 0)))
        st = read_v4_ion(r, head.s[6] == 'G');
    else
        r->nav.n_skipped++;
    while (st == GN_OK && r->at < r->end && *r->at != '>')
        (void)take_line(r, &l);
    return st;
}

static gn_status read_body(struct reader *r)
{
    struct line l;
    gn_status st = GN_OK;
    while (st == GN_OK && take_line(r, &l)) {
        if (is_blank(l.s, l.n))
            continue;
        if (l.s[0] == '>' && r->nav.version >= 4)
            st = read_v4(r, l);
        else if (r->nav.version < 4 && l.n >= 23 && strchr("GREJCIS", l.s[0]) != NULL)
            st = read_record(r, l, lines_of(l.s[0], r->nav.version >= 3.05), true);
        else
            st = gn_fail_at(r->err, GN_E_DATA, r->i_line, 1,
                    "line %d: a record was expected, beginning with %s", r->i_line,
                    r->nav.version >= 4 ? "'>'" : "a satellite such as G01");
    }
    return st;
}

gn_status gn_rinex_nav_parse(
        const char *text, size_t n, struct gn_rinex_nav *ret, struct gn_error *err)
{
    struct reader r = {.at = text, .end = text + n, .err = err};
    gn_status st = read_header(&r);
    if (st == GN_OK)
        st = read_body(&r);
    if (st != GN_OK)
        free(r.nav.eph);
    else
        *ret = r.nav;
    return st;
}

void gn_rinex_nav_done(struct gn_rinex_nav *nav)
{
    free(nav->eph);
    *nav = (struct gn_rinex_nav){0};
}

gn_status gn_rinex_nav_read(const char *path, struct gn_rinex_nav *ret, struct gn_error *err)
{
    char *text = NULL;
    size_t n = 0;
    struct gn_error inner = {0};
    gn_status st = gn_slurp(path, GN_RINEX_TEXT_MAX_BYTES, &text, &n, err);
    if (st != GN_OK)
        return st;
    st = gn_rinex_nav_parse(text, n, ret, &inner);
    free(text);
    return st == GN_OK ? GN_OK
                       : gn_fail_at(err, st, inner.line, inner.column, "%.120s: %.120s", path,
                                 inner.text);
}

const struct gn_ephemeris *gn_rinex_nav_find(const struct gn_rinex_nav *nav, unsigned signal,
        unsigned prn, int32_t week, double tow_s)
{
    const struct gn_ephemeris *best = NULL;
    double best_s = HUGE_VAL;
    for (uint32_t i = 0; i < nav->n_eph; i++) {
        const struct gn_ephemeris *e = &nav->eph[i];
        double age_s = fabs(gn_orbit_age_s(e, week, tow_s));
        if (e->signal != signal || e->prn != prn || e->health != 0 || age_s >= best_s ||
                age_s > gn_orbit_validity_s(e))
            continue;
        best = e;
        best_s = age_s;
    }
    return best;
}
