/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* -p and variables: setting, putting in, finding what nobody uses. */
#include "core/graph/spec.h"

#include "core/text/suggest.h"

#include <ctype.h>
#include <string.h>

#define NESTING_MAX 8 /* vars that say vars */

static void unknown_var(struct gn_spec *spec, const struct gn_mark *mark, const char *name)
{
    struct gn_suggest s = {.word = name};

    for (const struct gn_spec_var *v = spec->vars; v != NULL; v = v->next)
        gn_suggest_offer(&s, v->name);
    gn_diag_error(spec->diag, GN_E_PARSE, mark, "no variable '%s'", name);
    gn_diag_suggest(spec->diag, s.best);
    if (spec->vars == NULL)
        gn_diag_help(spec->diag, "this flowgraph has no 'vars'");
}

static const struct gn_yaml *setting_value(struct gn_spec *spec, uint32_t i, const char *text)
{
    const char *eq = strchr(text, '=');
    struct gn_mark m = {spec->command->name, i + 1, (uint32_t)(eq - text) + 2,
            (uint32_t)strlen(eq + 1)};

    if (eq[1] != '[')
        return gn_yaml_scalar(spec->arena, spec->command, m, eq + 1);
    /* a list: blanks in front keep its place in the line */
    char *copy = gn_arena_printf(spec->arena, "%*s%s", (int)(eq + 1 - text), "", eq + 1);
    struct gn_source *s = gn_arena_alloc(spec->arena, sizeof *s);
    *s = (struct gn_source){.name = "-p", .dir = "", .text = copy, .n = strlen(copy)};
    struct gn_yaml *y = gn_yaml_parse(spec->arena, spec->diag, s);
    if (y == NULL)
        return NULL;
    y->mark.line = i + 1;
    for (struct gn_yaml *c = y->child; c != NULL; c = c->next)
        c->mark.line = i + 1;
    return y;
}

static void set_param(struct gn_spec *spec, const struct gn_mark *m, const char *name,
        const struct gn_yaml *value)
{
    size_t n = strcspn(name, ".");
    const char *head = gn_arena_text(spec->arena, name, n);
    struct gn_spec_block *b = gn_spec_find_block(spec, head);
    struct gn_suggest s = {.word = head};

    if (b == NULL) {
        for (const struct gn_spec_block *x = spec->blocks; x != NULL; x = x->next)
            gn_suggest_offer(&s, x->name);
        gn_diag_error(spec->diag, GN_E_PARSE, m, "no block '%s'", head);
        gn_diag_suggest(spec->diag, s.best);
        return;
    }
    if (strcmp(name + n + 1, "many") == 0) {
        b->many = value;
        return;
    }
    struct gn_spec_value **at = &b->values;
    while (*at != NULL && strcmp((*at)->name, name + n + 1) != 0)
        at = &(*at)->next;
    if (*at == NULL)
        *at = gn_arena_alloc(spec->arena, sizeof **at);
    **at = (struct gn_spec_value){.name = name + n + 1, .mark = *m, .value = value,
            .i_file = spec->n_files, .next = (*at)->next};
}

void gn_spec_add_settings(struct gn_spec *spec, const char *const *texts, uint32_t n)
{
    const char *all = "";

    for (uint32_t i = 0; i < n; i++)
        all = gn_arena_printf(spec->arena, "%s%s\n", all, texts[i]);
    spec->command = gn_diag_source(spec->diag, "-p", "", all, strlen(all));
    for (uint32_t i = 0; i < n; i++) {
        const char *eq = strchr(texts[i], '=');
        struct gn_mark m = {"-p", i + 1, 1, (uint32_t)(eq != NULL ? eq - texts[i] : 1)};
        if (eq == NULL || eq == texts[i]) {
            gn_diag_error(spec->diag, GN_E_PARSE, &m, "-p takes name=value");
            continue;
        }
        const char *name = gn_arena_text(spec->arena, texts[i], (size_t)(eq - texts[i]));
        const struct gn_yaml *value = setting_value(spec, i, texts[i]);
        struct gn_spec_var *v = gn_spec_find_var(spec, name);
        if (value == NULL)
            continue;
        if (strchr(name, '.') != NULL) {
            set_param(spec, &m, name, value);
        } else if (v == NULL) {
            unknown_var(spec, &m, name);
        } else {
            v->value = value;
            v->mark = m;
            v->is_from_command = true;
        }
    }
}

static const struct gn_yaml *expand(struct gn_spec *spec, const struct gn_yaml *value, int depth);

/* "$name" or "${name}" at s: its length, 0 when it is none; *name is a copy. */
static size_t var_length(struct gn_spec *spec, const char *s, const char **name)
{
    size_t n = 0, open = s[1] == '{' ? 2 : 1;

    if (s[0] != '$')
        return 0;
    while (isalnum((unsigned char)s[open + n]) || s[open + n] == '_' || s[open + n] == '-')
        n++;
    if (n == 0 || (open == 2 && s[open + n] != '}'))
        return 0;
    *name = gn_arena_text(spec->arena, s + open, n);
    return open + n + (open == 2 ? 1 : 0);
}

static const struct gn_yaml *var_value(
        struct gn_spec *spec, const struct gn_yaml *at, const char *name, int depth)
{
    struct gn_spec_var *v = gn_spec_find_var(spec, name);

    if (v == NULL) {
        unknown_var(spec, &at->mark, name);
        return NULL;
    }
    v->is_used = true;
    if (depth >= NESTING_MAX) {
        gn_diag_error(spec->diag, GN_E_PARSE, &v->mark, "variable '%s' ends in itself", name);
        return NULL;
    }
    return expand(spec, v->value, depth + 1);
}

static const struct gn_yaml *expand_text(struct gn_spec *spec, const struct gn_yaml *value, int depth)
{
    const char *name = NULL, *out = "";
    const struct gn_source *source = value->source;

    for (const char *s = value->text; *s != '\0';) {
        size_t n = var_length(spec, s, &name);
        if (n == 0) {
            n = strcspn(s + 1, "$") + 1;
            bool is_escape = s[0] == '$' && s[1] == '$';
            out = gn_arena_printf(spec->arena, "%s%.*s", out, (int)n, s);
            s += n + (is_escape ? 1 : 0); /* "$$" is one $ */
            continue;
        }
        const struct gn_yaml *v = var_value(spec, value, name, depth);
        if (v == NULL)
            return NULL;
        if (v->kind != GN_YAML_SCALAR && v->kind != GN_YAML_NULL) {
            gn_diag_error(spec->diag, GN_E_PARSE, &value->mark, "'%s' is a list: it cannot be part of a text", name);
            return NULL;
        }
        if (s == value->text)
            source = v->source; /* a path that starts with it is relative to who said it */
        out = gn_arena_printf(spec->arena, "%s%s", out, v->text);
        s += n;
    }
    struct gn_yaml *y = gn_yaml_scalar(spec->arena, source, value->mark, out);
    y->is_quoted = value->is_quoted;
    return y;
}

static const struct gn_yaml *expand_list(struct gn_spec *spec, const struct gn_yaml *value, int depth)
{
    struct gn_yaml *copy = gn_arena_alloc(spec->arena, sizeof *copy), **last = &copy->child;

    *copy = *value;
    copy->child = NULL;
    for (const struct gn_yaml *c = value->child; c != NULL; c = c->next) {
        const struct gn_yaml *e = expand(spec, c, depth);
        if (e == NULL)
            return NULL;
        *last = gn_arena_alloc(spec->arena, sizeof **last);
        **last = *e;
        (*last)->next = NULL;
        last = &(*last)->next;
    }
    return copy;
}

static const struct gn_yaml *expand(struct gn_spec *spec, const struct gn_yaml *value, int depth)
{
    const char *name = NULL;

    if (value->kind == GN_YAML_LIST)
        return expand_list(spec, value, depth);
    if (value->kind != GN_YAML_SCALAR || strchr(value->text, '$') == NULL)
        return value;
    size_t n = var_length(spec, value->text, &name);
    if (n > 0 && value->text[n] == '\0')
        return var_value(spec, value, name, depth);
    return expand_text(spec, value, depth);
}

const struct gn_yaml *gn_spec_expand(struct gn_spec *spec, const struct gn_yaml *value)
{
    return expand(spec, value, 0);
}

void gn_spec_report_unused(struct gn_spec *spec)
{
    for (const struct gn_spec_var *v = spec->vars; v != NULL; v = v->next) {
        if (v->is_used || v->is_spare)
            continue;
        if (v->is_from_command)
            gn_diag_error(spec->diag, GN_E_PARSE, &v->mark, "variable '%s' is not used by any block", v->name);
        else
            gn_diag_warn(spec->diag, &v->mark, "variable '%s' is not used", v->name);
    }
}
