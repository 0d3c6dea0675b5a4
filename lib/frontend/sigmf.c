/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/frontend/sigmf.h"

#include "lib/base/error.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word;
    uint8_t format;
} datatypes[] = {
        {"ci8", GN_FILE_CI8},
        {"cu8", GN_FILE_CU8},
        {"ci16_le", GN_FILE_CI16_LE},
        {"ci16_be", GN_FILE_CI16_BE},
        {"cf32_le", GN_FILE_CF32_LE},
        {"cf32_be", GN_FILE_CF32_BE},
        {"ri8", GN_FILE_S8},
        {"ri16_le", GN_FILE_S16_LE},
        {"ri16_be", GN_FILE_S16_BE},
};

/* The library builds a tree several hundred bytes a value: count values before it does. */
static gn_status check_size(const char *text, size_t n, struct gn_error *err)
{
    unsigned n_values = 0, depth = 0;
    bool in_text = false;
    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        if (in_text) {
            if (c == '\\')
                i++;
            in_text = c != '"';
            continue;
        }
        in_text = c == '"';
        if (c == '{' || c == '[') {
            depth++;
            n_values++;
        }
        if ((c == '}' || c == ']') && depth > 0)
            depth--;
        n_values += c == ',';
        if (depth > GN_SIGMF_DEPTH_MAX)
            return gn_fail_byte(
                    err, GN_E_DATA, i, "byte %zu: nested deeper than %u", i, GN_SIGMF_DEPTH_MAX);
        if (n_values > GN_SIGMF_VALUES_MAX)
            return gn_fail_byte(
                    err, GN_E_DATA, i, "byte %zu: more than %u values", i, GN_SIGMF_VALUES_MAX);
    }
    return GN_OK;
}

/* Absent: *ret stays. Integers also in the form 4e6. */
static gn_status get_count(const json_t *o, const char *key, uint64_t *ret, struct gn_error *err)
{
    const json_t *v = json_object_get(o, key);
    if (v == NULL)
        return GN_OK;
    double x = json_number_value(v);
    if (!json_is_number(v) || x != floor(x))
        return gn_fail(err, GN_E_DATA, "%s must be a whole number", key);
    if (x < 0 || x > (double)GN_SIGMF_INDEX_MAX)
        return gn_fail(err, GN_E_DATA, "%s: %g lies outside 0 .. 2^53", key, x);
    *ret = json_is_integer(v) ? (uint64_t)json_integer_value(v) : (uint64_t)x;
    return GN_OK;
}

static gn_status get_number(
        const json_t *o, const char *key, double min, double max, double *ret, struct gn_error *err)
{
    const json_t *v = json_object_get(o, key);
    if (v == NULL)
        return GN_OK;
    double x = json_number_value(v);
    if (!json_is_number(v))
        return gn_fail(err, GN_E_DATA, "%s must be a number", key);
    if (!(x >= min && x <= max))
        return gn_fail(err, GN_E_DATA, "%s: %g lies outside %g .. %g", key, x, min, max);
    *ret = x;
    return GN_OK;
}

static gn_status get_text(const json_t *o, const char *key, const char **ret, struct gn_error *err)
{
    const json_t *v = json_object_get(o, key);
    if (v == NULL)
        return GN_OK;
    if (!json_is_string(v))
        return gn_fail(err, GN_E_DATA, "%s must be a text", key);
    *ret = json_string_value(v);
    return GN_OK;
}

static gn_status read_datatype(const json_t *global, struct gn_sigmf *m, struct gn_error *err)
{
    const char *word = NULL;
    gn_status st = get_text(global, "core:datatype", &word, err);
    if (st != GN_OK)
        return st;
    if (word == NULL)
        return gn_fail(err, GN_E_DATA, "core:datatype is missing");
    for (size_t i = 0; i < GN_COUNT(datatypes); i++) {
        if (strcmp(word, datatypes[i].word) != 0)
            continue;
        m->layout.format = datatypes[i].format;
        memcpy(m->datatype, word, strlen(word) + 1);
        return GN_OK;
    }
    return gn_fail(err, GN_E_DATA,
            "core:datatype '%.32s' is not one of ci8 cu8 ci16_le ci16_be cf32_le cf32_be ri8 "
            "ri16_le ri16_be",
            word);
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static gn_status read_sha512(const json_t *global, struct gn_sigmf *m, struct gn_error *err)
{
    const char *hex = NULL;
    gn_status st = get_text(global, "core:sha512", &hex, err);
    if (st != GN_OK || hex == NULL)
        return st;
    bool is_good = strlen(hex) == 128;
    for (size_t i = 0; is_good && i < 64; i++) {
        int high = hex_value(hex[2 * i]), low = hex_value(hex[2 * i + 1]);
        is_good = high >= 0 && low >= 0;
        m->sha512[i] = (uint8_t)((unsigned)high << 4 | (unsigned)low);
    }
    if (!is_good)
        return gn_fail(err, GN_E_DATA, "core:sha512 must be 128 hexadecimal digits");
    m->has_sha512 = true;
    return GN_OK;
}

static gn_status read_dataset(const json_t *global, struct gn_sigmf *m, struct gn_error *err)
{
    const char *name = NULL;
    gn_status st = get_text(global, "core:dataset", &name, err);
    if (st != GN_OK || name == NULL)
        return st;
    if (name[0] == '\0' || name[0] == '.' || strchr(name, '/') != NULL ||
            strlen(name) >= sizeof m->dataset)
        return gn_fail(
                err, GN_E_DATA, "core:dataset must be the name of a file beside the metadata");
    memcpy(m->dataset, name, strlen(name) + 1);
    return GN_OK;
}

static gn_status read_global(const json_t *global, struct gn_sigmf *m, struct gn_error *err)
{
    if (!json_is_object(global))
        return gn_fail(err, GN_E_DATA, "the 'global' object is missing: this is no SigMF metadata");
    uint64_t n_channels = 1;
    gn_status st = read_datatype(global, m, err);
    if (st == GN_OK)
        st = get_number(global, "core:sample_rate", 1.0, GN_SIGMF_RATE_MAX_HZ, &m->rate_sps, err);
    if (st == GN_OK)
        st = read_sha512(global, m, err);
    if (st == GN_OK)
        st = read_dataset(global, m, err);
    if (st == GN_OK)
        st = get_count(global, "core:trailing_bytes", &m->trailing_bytes, err);
    if (st == GN_OK)
        st = get_count(global, "core:num_channels", &n_channels, err);
    if (st == GN_OK && n_channels != 1)
        st = gn_fail(err, GN_E_DATA, "core:num_channels is %llu: only one channel is read",
                (unsigned long long)n_channels);
    return st;
}

static gn_status read_datetime(const json_t *o, struct gn_sigmf_capture *c, struct gn_error *err)
{
    const char *text = NULL;
    gn_status st = get_text(o, "core:datetime", &text, err);
    if (st != GN_OK || text == NULL)
        return st;
    struct gn_error why = {0};
    if (gn_time_parse(text, &c->t, NULL, &why) != GN_OK)
        return gn_fail(err, GN_E_DATA, "core:datetime: %.180s", why.text);
    c->has_t = true;
    return GN_OK;
}

static gn_status read_capture(const json_t *o, struct gn_sigmf_capture *c, struct gn_error *err)
{
    *c = (struct gn_sigmf_capture){.frequency_hz = NAN};
    if (!json_is_object(o))
        return gn_fail(err, GN_E_DATA, "captures must hold objects");
    gn_status st = get_count(o, "core:sample_start", &c->sample_start, err);
    c->global_index = c->sample_start;
    if (st == GN_OK)
        st = get_count(o, "core:global_index", &c->global_index, err);
    if (st == GN_OK)
        st = get_count(o, "core:header_bytes", &c->header_bytes, err);
    if (st == GN_OK)
        st = get_number(o, "core:frequency", -GN_SIGMF_RATE_MAX_HZ, GN_SIGMF_RATE_MAX_HZ,
                &c->frequency_hz, err);
    return st == GN_OK ? read_datetime(o, c, err) : st;
}

/* Each capture must go on where the one before ended, in the file and in the original stream. */
static gn_status check_order(const struct gn_sigmf *m, size_t i, struct gn_error *err)
{
    const struct gn_sigmf_capture *a = &m->captures[i - 1], *b = &m->captures[i];
    if (b->sample_start <= a->sample_start)
        return gn_fail(err, GN_E_DATA, "captures[%zu]: core:sample_start does not ascend", i);
    if (b->global_index < a->global_index + (b->sample_start - a->sample_start))
        return gn_fail(err, GN_E_DATA, "captures[%zu]: core:global_index goes back", i);
    if (!isnan(a->frequency_hz) && !isnan(b->frequency_hz) && a->frequency_hz != b->frequency_hz)
        return gn_fail(
                err, GN_E_DATA, "captures[%zu]: core:frequency changes within the recording", i);
    return GN_OK;
}

static gn_status read_captures(const json_t *list, struct gn_sigmf *m, struct gn_error *err)
{
    if (list != NULL && !json_is_array(list))
        return gn_fail(err, GN_E_DATA, "captures must be a list");
    size_t n = json_array_size(list);
    if (n > GN_SIGMF_CAPTURES_MAX)
        return gn_fail(
                err, GN_E_DATA, "%zu captures: at most %u are read", n, GN_SIGMF_CAPTURES_MAX);
    m->n_captures = n == 0 ? 1 : (uint32_t)n;
    m->captures[0] = (struct gn_sigmf_capture){.frequency_hz = NAN};
    for (size_t i = 0; i < n; i++) {
        gn_status st = read_capture(json_array_get(list, i), &m->captures[i], err);
        if (st == GN_OK && i > 0)
            st = check_order(m, i, err);
        if (st != GN_OK)
            return st;
    }
    return GN_OK;
}

static gn_status read_root(const json_t *root, struct gn_sigmf *m, struct gn_error *err)
{
    gn_status st = read_global(json_object_get(root, "global"), m, err);
    return st == GN_OK ? read_captures(json_object_get(root, "captures"), m, err) : st;
}

gn_status gn_sigmf_parse(const char *text, size_t n, struct gn_sigmf *ret, struct gn_error *err)
{
    if (n > GN_SIGMF_TEXT_MAX_BYTES)
        return gn_fail(err, GN_E_DATA, "metadata of %zu bytes: at most %u are read", n,
                GN_SIGMF_TEXT_MAX_BYTES);
    gn_status st = check_size(text, n, err);
    if (st != GN_OK)
        return st;
    struct gn_sigmf *m = calloc(1, sizeof *m);
    if (m == NULL)
        return gn_fail(err, GN_E_NOMEM, "no memory for metadata");
    json_error_t where;
    json_t *root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &where);
    if (root == NULL)
        st = gn_fail_at(err, GN_E_DATA, where.line > 0 ? where.line : 1,
                where.column > 0 ? where.column : 1, "line %d, column %d: %.150s", where.line,
                where.column, where.text);
    else
        st = read_root(root, m, err);
    if (st == GN_OK)
        *ret = *m;
    json_decref(root);
    free(m);
    return st;
}
