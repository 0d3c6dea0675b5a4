/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/graph/param.h"

#include "core/text/status.h"
#include "core/text/suggest.h"
#include "core/text/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES_MAX 4096u

typedef bool set_fn(const struct gn_param_ctx *ctx, const struct gn_param *p,
        const struct gn_yaml *value, void *field);

static bool is_auto(const struct gn_param *p, const struct gn_yaml *value)
{
    return (p->flags & GN_PARAM_AUTO) != 0 && strcmp(value->text, "auto") == 0;
}

static bool wrong_type(const struct gn_param_ctx *ctx, const struct gn_param *p,
        const struct gn_yaml *value, const char *why)
{
    gn_diag_error(ctx->diag, GN_E_PARSE, &value->mark, "%s.%s: %s", ctx->block, p->name, why);
    gn_diag_help(ctx->diag, "%s is %s%s%s", p->name, gn_param_type_words(ctx->arena, p),
            p->doc != NULL && p->doc[0] != '\0' ? ": " : "", p->doc != NULL ? p->doc : "");
    return false;
}

static const char *not_a(const struct gn_param_ctx *ctx, const struct gn_yaml *value, const char *want)
{
    if (value->kind == GN_YAML_SCALAR)
        return gn_arena_printf(ctx->arena, "'%.60s' is not %s", value->text, want);
    return gn_arena_printf(ctx->arena, "%s is expected, not %s", want, gn_yaml_kind_words(value));
}

static bool in_range(const struct gn_param_ctx *ctx, const struct gn_param *p,
        const struct gn_yaml *value, double v)
{
    const char *unit = p->unit != NULL ? p->unit : "";

    if ((p->min == 0 && p->max == 0) || (v >= p->min && v <= p->max))
        return true;
    gn_diag_error(ctx->diag, GN_E_PARSE, &value->mark, "%s.%s: %.12g%s%s is out of range", ctx->block,
            p->name, v, unit[0] != '\0' ? " " : "", unit);
    gn_diag_help(ctx->diag, "possible: %s%s%s", gn_param_range_words(ctx->arena, p),
            unit[0] != '\0' ? " " : "", unit);
    return false;
}

static bool read_number(const struct gn_param_ctx *ctx, const struct gn_param *p,
        const struct gn_yaml *value, double *ret)
{
    const char *suggestion = NULL;
    struct gn_error err = {.status = GN_OK};

    if (value->kind != GN_YAML_SCALAR)
        return wrong_type(ctx, p, value, not_a(ctx, value, "a number"));
    if (strcmp(value->text, "auto") == 0)
        return wrong_type(ctx, p, value, "auto is not possible here");
    if (gn_quantity_parse(value->text, p->unit != NULL ? p->unit : "", ret, &suggestion, &err) == GN_OK)
        return in_range(ctx, p, value, *ret);
    (void)wrong_type(ctx, p, value, err.text);
    gn_diag_suggest(ctx->diag, suggestion);
    return false;
}

static bool set_f64(const struct gn_param_ctx *ctx, const struct gn_param *p,
        const struct gn_yaml *value, void *field)
{
    double v = (double)NAN;

    if (!is_auto(p, value) && !read_number(ctx, p, value, &v))
        return false;
    memcpy(field, &v, sizeof v);
    return true;
}

static bool set_i64(const struct gn_param_ctx *ctx, const struct gn_param *p,
        const struct gn_yaml *value, void *field)
{
    int64_t v = INT64_MIN;
    double d = 0;
    char *end = NULL;

    if (!is_auto(p, value)) {
        if (!read_number(ctx, p, value, &d))
            return false;
        if (d != floor(d) || fabs(d) > 9.2e18)
            return wrong_type(ctx, p, value, not_a(ctx, value, "a whole number"));
        v = (int64_t)d;
        long long exact = strtoll(value->text, &end, 10); /* beyond 2^53 a double is not enough */
        if (end != value->text && *end == '\0')
            v = exact;
    }
    memcpy(field, &v, sizeof v);
    return true;
}

static bool set_bool(const struct gn_param_ctx *ctx, const struct gn_param *p,
        const struct gn_yaml *value, void *field)
{
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};

    for (size_t i = 0; value->kind == GN_YAML_SCALAR && i < GN_COUNT(words); i++) {
        if (strcmp(value->text, words[i]) == 0) {
            *(uint8_t *)field = (uint8_t)(i % 2);
            return true;
        }
    }
    return wrong_type(ctx, p, value, not_a(ctx, value, "true or false"));
}

static bool set_text(const struct gn_param_ctx *ctx, const struct gn_param *p,
        const struct gn_yaml *value, void *field)
{
    const char *text = value->kind == GN_YAML_NULL ? NULL : value->text;

    if (value->kind != GN_YAML_SCALAR && value->kind != GN_YAML_NULL)
        return wrong_type(ctx, p, value, not_a(ctx, value, "a text"));
    memcpy(field, &text, sizeof text);
    return true;
}

static bool set_path(const struct gn_param_ctx *ctx, const struct gn_param *p,
        const struct gn_yaml *value, void *field)
{
    const char *text = value->text, *home = getenv("HOME");
    const char *dir = value->source != NULL ? value->source->dir : "";

    if (value->kind == GN_YAML_NULL || value->kind == GN_YAML_LIST || value->kind == GN_YAML_MAP)
        return set_text(ctx, p, value, field);
    if (text[0] == '\0')
        return wrong_type(ctx, p, value, "an empty path");
    if (text[0] == '~' && text[1] == '/' && home != NULL)
        text = gn_arena_printf(ctx->arena, "%s%s", home, text + 1);
    else if (text[0] != '/' && strcmp(text, "-") != 0 && strstr(text, ":/") == NULL) /* tcp://..., serial:/dev/... */
        text = gn_arena_printf(ctx->arena, "%s%s", dir, text);
    if (strlen(text) >= PATH_BYTES_MAX)
        return wrong_type(ctx, p, value, "the path is too long");
    memcpy(field, &text, sizeof text);
    return true;
}

static int find_choice(const struct gn_param_ctx *ctx, const struct gn_param *p,
        const struct gn_yaml *value)
{
    struct gn_suggest s = {.word = value->text};
    int n = 0;

    if (value->kind != GN_YAML_SCALAR) {
        (void)wrong_type(ctx, p, value, not_a(ctx, value, "a word"));
        return -1;
    }
    for (; p->choices[n] != NULL; n++) {
        if (strcmp(p->choices[n], value->text) == 0)
            return n;
        gn_suggest_offer(&s, p->choices[n]);
    }
    (void)wrong_type(ctx, p, value, gn_arena_printf(ctx->arena, "'%.60s' is not possible", value->text));
    gn_diag_suggest(ctx->diag, s.best);
    return -1;
}

static bool set_enum(const struct gn_param_ctx *ctx, const struct gn_param *p,
        const struct gn_yaml *value, void *field)
{
    int32_t v = find_choice(ctx, p, value);

    if (v < 0)
        return false;
    memcpy(field, &v, sizeof v);
    return true;
}

/* "A,B" or "[A, B]" said as one text becomes a list whose parts know their columns. */
static const struct gn_yaml *as_list(const struct gn_param_ctx *ctx, const struct gn_yaml *value)
{
    if (value->kind == GN_YAML_LIST)
        return value;
    struct gn_yaml *list = gn_arena_alloc(ctx->arena, sizeof *list), **last = &list->child;
    *list = *value;
    list->kind = GN_YAML_LIST;
    list->child = list->next = NULL;
    const char *at = value->text, *end = at + strlen(at);
    if (end - at >= 2 && at[0] == '[' && end[-1] == ']') {
        at++;
        end--;
    }
    while (at < end) {
        size_t n = strcspn(at, ","), skip = strspn(at, " ");
        n = n > (size_t)(end - at) ? (size_t)(end - at) : n;
        size_t len = n > skip ? n - skip : 0;
        while (len > 0 && at[skip + len - 1] == ' ')
            len--;
        struct gn_mark m = value->mark;
        m.column += (uint32_t)(at + skip - value->text);
        m.length = len > 0 ? (uint32_t)len : 1;
        *last = gn_yaml_scalar(ctx->arena, value->source, m,
                gn_arena_text(ctx->arena, at + skip, len));
        last = &(*last)->next;
        at += n + 1;
    }
    return list;
}

static bool set_set(const struct gn_param_ctx *ctx, const struct gn_param *p,
        const struct gn_yaml *value, void *field)
{
    uint64_t v = 0;
    bool is_good = true;

    if (value->kind == GN_YAML_MAP)
        return wrong_type(ctx, p, value, not_a(ctx, value, "a list of words"));
    for (const struct gn_yaml *c = as_list(ctx, value)->child; c != NULL; c = c->next) {
        int i = find_choice(ctx, p, c);
        is_good = is_good && i >= 0;
        if (i >= 0 && i < 64)
            v |= (uint64_t)1 << i;
    }
    memcpy(field, &v, sizeof v);
    return is_good;
}

static bool set_list(const struct gn_param_ctx *ctx, const struct gn_param *p,
        const struct gn_yaml *value, void *field)
{
    struct gn_list v = {0};

    if (value->kind == GN_YAML_MAP)
        return wrong_type(ctx, p, value, not_a(ctx, value, "a list of numbers"));
    for (const struct gn_yaml *c = as_list(ctx, value)->child; c != NULL; c = c->next) {
        if (v.n >= GN_LIST_MAX)
            return wrong_type(ctx, p, c, gn_arena_printf(ctx->arena, "more than %u numbers", GN_LIST_MAX));
        if (!read_number(ctx, p, c, &v.v[v.n++]))
            return false;
    }
    memcpy(field, &v, sizeof v);
    return true;
}

static set_fn *const setters[] = {[GN_P_F64] = set_f64, [GN_P_I64] = set_i64, [GN_P_BOOL] = set_bool,
        [GN_P_TEXT] = set_text, [GN_P_PATH] = set_path, [GN_P_ENUM] = set_enum, [GN_P_SET] = set_set,
        [GN_P_LIST] = set_list};

bool gn_param_set(const struct gn_param_ctx *ctx, const struct gn_param *p,
        const struct gn_yaml *value, void *state)
{
    /* the loader refused unknown types */
    return setters[p->type](ctx, p, value, (char *)state + p->offset);
}

static const char *choice_words(struct gn_arena *arena, const struct gn_param *p, const char *head)
{
    for (size_t i = 0; p->choices[i] != NULL; i++)
        head = gn_arena_printf(arena, "%s%s%s", head, i > 0 ? ", " : "", p->choices[i]);
    return head;
}

const char *gn_param_type_words(struct gn_arena *arena, const struct gn_param *p)
{
    static const char *const words[] = {[GN_P_F64] = "a number", [GN_P_I64] = "a whole number",
            [GN_P_BOOL] = "true or false", [GN_P_TEXT] = "a text", [GN_P_PATH] = "a path",
            [GN_P_LIST] = "a list of numbers"};
    const char *unit = p->unit != NULL ? p->unit : "";

    if (p->type == GN_P_ENUM)
        return choice_words(arena, p, "one of ");
    if (p->type == GN_P_SET)
        return choice_words(arena, p, "a list out of ");
    return gn_arena_printf(arena, "%s%s%s%s", words[p->type], unit[0] != '\0' ? " in " : "", unit,
            (p->flags & GN_PARAM_AUTO) != 0 ? " or auto" : "");
}

const char *gn_param_range_words(struct gn_arena *arena, const struct gn_param *p)
{
    if (p->min == 0 && p->max == 0)
        return "";
    return gn_arena_printf(arena, "%.12g to %.12g", p->min, p->max);
}
