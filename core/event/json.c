/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/event/json.h"

#include "core/text/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DEPTH_MAX 8 /* of groups in groups; deeper tables are a mistake of a plugin */

static void put(struct gn_text *t, const char *s, size_t n)
{
    if (t->n < t->room) {
        size_t n_room = t->room - t->n;
        memcpy(t->buf + t->n, s, n < n_room ? n : n_room);
    }
    t->n += n;
}

void gn_text_raw(struct gn_text *t, const char *s)
{
    put(t, s, strlen(s));
}

void gn_text_format(struct gn_text *t, const char *fmt, ...)
{
    char s[512];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(s, sizeof s, fmt, args);
    va_end(args);
    if (n > 0)
        put(t, s, (size_t)n < sizeof s ? (size_t)n : sizeof s - 1);
}

/* Fields need not be zero-ended: look at four bytes that are. 0: not a character. */
static size_t utf8_length(const unsigned char *s, size_t n)
{
    unsigned char four[5] = {0};
    memcpy(four, s, n < 4 ? n : 4);
    return gn_utf8_length(four);
}

static size_t put_char(struct gn_text *t, const unsigned char *s, size_t n)
{
    if (s[0] == '"' || s[0] == '\\') {
        gn_text_format(t, "\\%c", s[0]);
    } else if (s[0] < 0x20 || s[0] == 0x7f) {
        gn_text_format(t, "\\u%04x", s[0]);
    } else {
        size_t n_char = utf8_length(s, n);
        if (n_char > 0) {
            put(t, (const char *)s, n_char);
            return n_char;
        }
        gn_text_raw(t, "\\ufffd");
    }
    return 1;
}

void gn_text_string(struct gn_text *t, const char *s, size_t n_bytes)
{
    gn_text_raw(t, "\"");
    for (size_t i = 0; i < n_bytes;)
        i += put_char(t, (const unsigned char *)s + i, n_bytes - i);
    gn_text_raw(t, "\"");
}

static bool is_zero(const char *s)
{
    return strspn(s, "-0.,") == strlen(s);
}

static void put_real(struct gn_text *t, bool is_fixed, int n_digits, double x)
{
    char s[400]; /* 1e308 with 17 decimals */
    int n = is_fixed ? snprintf(s, sizeof s, "%.*f", n_digits, x) : snprintf(s, sizeof s, "%.*g", n_digits, x);
    if (n <= 0)
        return;
    char *comma = strchr(s, ',');
    if (comma != NULL)
        *comma = '.';
    gn_text_raw(t, s[0] == '-' && is_zero(s) ? s + 1 : s);
}

void gn_text_real(struct gn_text *t, double x, uint32_t decimals)
{
    put_real(t, decimals > 0, decimals == 0 ? 15 : decimals > 17 ? 17 : (int)decimals, x);
}

/* One value is unknown when its type says so. */
struct value {
    enum { V_NONE, V_UINT, V_INT, V_REAL, V_BOOL, V_WORD } kind;
    uint64_t u;
    int64_t i;
    double x;
    const char *word;
};

static uint64_t load_uint(const void *p, size_t n)
{
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    switch (n) {
    case 1:
        memcpy(&u8, p, 1);
        return u8;
    case 2:
        memcpy(&u16, p, 2);
        return u16;
    case 4:
        memcpy(&u32, p, 4);
        return u32;
    default:
        memcpy(&u64, p, 8);
        return u64;
    }
}

static size_t type_bytes(const struct gn_field *f)
{
    static const uint8_t bytes[] = {[GN_F_U8] = 1, [GN_F_U16] = 2, [GN_F_U32] = 4, [GN_F_U64] = 8, [GN_F_I32] = 4,
            [GN_F_I64] = 8, [GN_F_F32] = 4, [GN_F_F64] = 8, [GN_F_BOOL] = 1, [GN_F_ENUM] = 1};
    return f->type < GN_COUNT(bytes) ? bytes[f->type] : 0;
}

static struct value load_real(const struct gn_field *f, const void *p)
{
    double x;
    float y;
    if (f->type == GN_F_F32) {
        memcpy(&y, p, 4);
        x = (double)y;
    } else {
        memcpy(&x, p, 8);
    }
    return isfinite(x) ? (struct value){.kind = V_REAL, .x = x} : (struct value){0};
}

static struct value load_int(const struct gn_field *f, const void *p, size_t n)
{
    uint64_t u = load_uint(p, n);
    uint64_t all = n == 8 ? UINT64_MAX : ((uint64_t)1 << (8 * n)) - 1;
    bool is_signed = f->type == GN_F_I32 || f->type == GN_F_I64;
    if ((f->flags & GN_F_NONE_IS_MAX) != 0 && u == (is_signed ? all >> 1 : all))
        return (struct value){0};
    if (!is_signed)
        return (struct value){.kind = V_UINT, .u = u};
    return (struct value){.kind = V_INT, .i = f->type == GN_F_I32 ? (int32_t)(uint32_t)u : (int64_t)u};
}

static struct value load(const struct gn_field *f, const void *p)
{
    size_t n = type_bytes(f);
    if (n == 0)
        return (struct value){0};
    if (f->type == GN_F_F32 || f->type == GN_F_F64)
        return load_real(f, p);
    if (f->type == GN_F_BOOL)
        return (struct value){.kind = V_BOOL, .u = load_uint(p, 1)};
    if (f->type != GN_F_ENUM)
        return load_int(f, p, n);
    uint64_t i = load_uint(p, 1);
    if (i >= f->n_names || f->names[i] == NULL)
        return (struct value){0};
    return (struct value){.kind = V_WORD, .word = f->names[i]};
}

static void put_value(struct gn_text *t, const struct gn_field *f, const struct value *v)
{
    if (v->kind == V_UINT)
        gn_text_format(t, "%llu", (unsigned long long)v->u);
    else if (v->kind == V_INT)
        gn_text_format(t, "%lld", (long long)v->i);
    else if (v->kind == V_REAL && f->type == GN_F_F32 && f->decimals == 0)
        put_real(t, false, 7, v->x); /* a float tells 7 digits */
    else if (v->kind == V_REAL)
        gn_text_real(t, v->x, f->decimals);
    else if (v->kind == V_BOOL)
        gn_text_raw(t, v->u != 0 ? "true" : "false");
    else if (v->kind == V_WORD)
        gn_text_string(t, v->word, strlen(v->word));
    else
        gn_text_raw(t, "null"); /* inside arrays only: positions carry meaning there */
}

static void put_name(struct gn_text *t, const struct gn_field *f, bool *is_first)
{
    gn_text_raw(t, *is_first ? "" : ",");
    *is_first = false;
    gn_text_string(t, f->name, strlen(f->name));
    gn_text_raw(t, ":");
}

/* How many of the field's elements are in use. */
static uint32_t used(const struct gn_field *f, const unsigned char *base)
{
    uint32_t n = f->count;
    if (f->n_offset_plus1 != 0) {
        uint32_t k = (uint32_t)load_uint(base + f->n_offset_plus1 - 1, 4);
        n = k < n ? k : n;
    }
    return n;
}

static void put_array(struct gn_text *t, const struct gn_field *f, const unsigned char *base)
{
    size_t n_bytes = type_bytes(f);
    gn_text_raw(t, "[");
    for (uint32_t i = 0; i < used(f, base); i++) {
        struct value v = load(f, base + f->offset + i * n_bytes);
        gn_text_raw(t, i == 0 ? "" : ",");
        put_value(t, f, &v);
    }
    gn_text_raw(t, "]");
}

static void put_hex(struct gn_text *t, const unsigned char *bytes, uint32_t n)
{
    gn_text_raw(t, "\"");
    for (uint32_t i = 0; i < n; i++)
        gn_text_format(t, "%02x", bytes[i]);
    gn_text_raw(t, "\"");
}

static void put_fields(struct gn_text *t, const struct gn_field *fields, uint32_t n, const unsigned char *base,
        bool is_first, int depth);

static void put_list(struct gn_text *t, const struct gn_field *f, const unsigned char *base, int depth)
{
    gn_text_raw(t, "[");
    for (uint32_t i = 0; i < used(f, base); i++) {
        gn_text_raw(t, i == 0 ? "{" : ",{");
        put_fields(t, f->sub, f->n_sub, base + f->offset + (size_t)i * f->sub_size, true, depth + 1);
        gn_text_raw(t, "}");
    }
    gn_text_raw(t, "]");
}

static void put_scalar(struct gn_text *t, const struct gn_field *f, const unsigned char *base, bool *is_first)
{
    struct value v = load(f, base + f->offset);
    if (v.kind == V_NONE)
        return;
    put_name(t, f, is_first);
    put_value(t, f, &v);
}

static void put_field(struct gn_text *t, const struct gn_field *f, const unsigned char *base, bool *is_first, int depth)
{
    const unsigned char *at = base + f->offset;
    if (f->type == GN_F_TEXT) {
        size_t n = strnlen((const char *)at, f->count);
        if (n == 0)
            return;
        put_name(t, f, is_first);
        gn_text_string(t, (const char *)at, n);
    } else if (f->type == GN_F_HEX) {
        put_name(t, f, is_first);
        put_hex(t, at, used(f, base));
    } else if (f->type == GN_F_LIST) {
        put_name(t, f, is_first);
        put_list(t, f, base, depth);
    } else if (f->type == GN_F_GROUP) {
        put_name(t, f, is_first);
        gn_text_raw(t, "{");
        put_fields(t, f->sub, f->n_sub, at, true, depth + 1);
        gn_text_raw(t, "}");
    } else if (f->count > 1) {
        put_name(t, f, is_first);
        put_array(t, f, base);
    } else {
        put_scalar(t, f, base, is_first);
    }
}

static void put_fields(struct gn_text *t, const struct gn_field *fields, uint32_t n, const unsigned char *base,
        bool is_first, int depth)
{
    for (uint32_t i = 0; i < n && depth < DEPTH_MAX; i++)
        if ((fields[i].flags & GN_F_HIDDEN) == 0)
            put_field(t, &fields[i], base, &is_first, depth);
}

size_t gn_event_line(const struct gn_schema *schema, const void *data, uint64_t index,
        const struct gn_event_clock *clock, char *buf, size_t room)
{
    struct gn_text t = {.buf = buf, .room = room};
    if (schema->event == NULL)
        return 0;
    gn_text_raw(&t, "{\"v\":1,\"event\":");
    gn_text_string(&t, schema->event, strlen(schema->event));
    if (clock->has_samples)
        gn_text_format(&t, ",\"index\":%llu", (unsigned long long)index);
    if (clock->rate_sps > 0) {
        gn_text_raw(&t, ",\"t\":");
        gn_text_real(&t, (double)index / clock->rate_sps, 9);
    }
    put_fields(&t, schema->fields, schema->n_fields, data, false, 0);
    gn_text_raw(&t, "}");
    if (t.n >= room)
        return 0;
    buf[t.n] = 0;
    return t.n;
}
