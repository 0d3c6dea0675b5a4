/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/graph/link.h"

#include <ctype.h>
#include <string.h>

struct lexer {
    struct gn_arena *arena;
    struct gn_diag *diag;
    struct gn_mark mark; /* of text[0] */
    const char *text, *at, *end;
    bool is_bad;
};

static struct gn_mark mark_at(const struct lexer *x, const char *from, const char *to)
{
    struct gn_mark m = x->mark;

    for (const char *p = x->text; p < from; p++) {
        if (((unsigned char)*p & 0xc0) != 0x80)
            m.column++;
    }
    m.length = to > from ? (uint32_t)(to - from) : 1;
    return m;
}

static void skip_space(struct lexer *x)
{
    while (x->at < x->end && isspace((unsigned char)*x->at))
        x->at++;
}

/* The end of the word that starts at x->at: quotes and brackets of a value keep everything inside. */
static const char *word_end(const struct lexer *x)
{
    char quote = '\0';
    int depth = 0;
    bool has_equals = false;
    const char *p = x->at;

    for (; p < x->end; p++) {
        bool is_last = p + 1 == x->end || isspace((unsigned char)p[1]);
        if (quote != '\0') {
            quote = *p == quote ? '\0' : quote;
            continue;
        }
        if (has_equals && (*p == '\'' || *p == '"'))
            quote = *p;
        else if (has_equals && *p == '[')
            depth++;
        else if (depth > 0 && *p == ']')
            depth--;
        else if (depth == 0 && (isspace((unsigned char)*p) || *p == '>'))
            break;
        else if (depth == 0 && *p == ',' && (!has_equals || is_last))
            break;
        has_equals = has_equals || *p == '=';
    }
    return p;
}

static const char *copy_value(struct lexer *x, const char *from, const char *to)
{
    if (to - from >= 2 && (*from == '\'' || *from == '"') && to[-1] == *from)
        return gn_arena_text(x->arena, from + 1, (size_t)(to - from) - 2);
    return gn_arena_text(x->arena, from, (size_t)(to - from));
}

static struct gn_link_arg *read_arg(struct lexer *x, const char *to)
{
    const char *from = x->at, *eq = memchr(from, '=', (size_t)(to - from));
    struct gn_mark m = mark_at(x, from, to);

    if (eq == NULL || eq == from) {
        gn_diag_error(x->diag, GN_E_PARSE, &m, "'>', ',' or name=value is expected here, not '%.*s'",
                (int)(to - from), from);
        x->is_bad = true;
        return NULL;
    }
    struct gn_link_arg *arg = gn_arena_alloc(x->arena, sizeof *arg);
    arg->name = gn_arena_text(x->arena, from, (size_t)(eq - from));
    arg->value = copy_value(x, eq + 1, to);
    arg->name_mark = mark_at(x, from, eq);
    arg->value_mark = mark_at(x, eq + 1, to);
    return arg;
}

static struct gn_link_end *read_end(struct lexer *x)
{
    skip_space(x);
    const char *to = word_end(x);
    if (to == x->at) {
        struct gn_mark m = mark_at(x, x->at, x->at);
        gn_diag_error(x->diag, GN_E_PARSE, &m, "a block is missing here");
        gn_diag_help(x->diag, "a link is written: block > block, or block.port > block.port");
        x->is_bad = true;
        return NULL;
    }
    struct gn_link_end *end = gn_arena_alloc(x->arena, sizeof *end);
    end->word = gn_arena_text(x->arena, x->at, (size_t)(to - x->at));
    end->mark = mark_at(x, x->at, to);
    struct gn_link_arg **last = &end->args;
    for (x->at = to, skip_space(x); x->at < x->end && *x->at != '>' && *x->at != ','; skip_space(x)) {
        to = word_end(x);
        if ((*last = read_arg(x, to)) == NULL)
            return NULL;
        last = &(*last)->next;
        x->at = to;
    }
    return end;
}

struct gn_link *gn_link_parse(struct gn_arena *arena, struct gn_diag *diag,
        const struct gn_mark *mark, const char *text, size_t n)
{
    struct lexer x = {arena, diag, *mark, text, text, text + n, false};
    struct gn_link *link = gn_arena_alloc(arena, sizeof *link);
    struct gn_link_group **group = &link->groups;

    link->mark = *mark;
    for (;;) {
        *group = gn_arena_alloc(arena, sizeof **group);
        struct gn_link_end **end = &(*group)->ends;
        for (;;) {
            *end = read_end(&x);
            if (x.is_bad)
                return NULL;
            end = &(*end)->next;
            if (x.at >= x.end || *x.at != ',')
                break;
            x.at++;
        }
        if (x.at >= x.end)
            return link;
        x.at++; /* the > */
        group = &(*group)->next;
    }
}
