/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/text/diag.h"

#include "core/text/arena.h"
#include "core/text/json.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS_MAX 200u /* more would be one mistake said many times */
#define LINE_MAX  240u /* longer source lines are cut around the mark */

struct item {
    struct item *next;
    struct gn_mark mark;
    const char *text, *suggestion, *help;
    uint32_t i_source, i_item;
    gn_status status; /* GN_OK: a warning */
};

struct gn_diag {
    struct gn_arena *arena;
    const struct gn_source *sources, **last_source;
    struct item *items, **last_item, *newest;
    uint32_t n_items, n_errors, n_dropped;
    gn_status status;
};

struct gn_diag *gn_diag_new(void)
{
    struct gn_diag *d = calloc(1, sizeof *d);
    if (d == NULL)
        return NULL;
    d->arena = gn_arena_new();
    if (d->arena == NULL) {
        free(d);
        return NULL;
    }
    d->last_source = &d->sources;
    d->last_item = &d->items;
    return d;
}

void gn_diag_free(struct gn_diag *diag)
{
    if (diag == NULL)
        return;
    gn_arena_free(diag->arena);
    free(diag);
}

const struct gn_source *gn_diag_source(
        struct gn_diag *diag, const char *name, const char *dir, const char *text, size_t n)
{
    struct gn_source *s = gn_arena_alloc(diag->arena, sizeof *s);
    s->name = gn_arena_text(diag->arena, name, strlen(name));
    s->dir = dir != NULL ? gn_arena_text(diag->arena, dir, strlen(dir)) : "";
    s->text = gn_arena_text(diag->arena, text, n);
    s->n = n;
    *diag->last_source = s;
    diag->last_source = &s->next;
    return s;
}

static const struct gn_source *find_source(
        const struct gn_diag *d, const char *name, uint32_t *i_source)
{
    uint32_t i = 0;
    for (const struct gn_source *s = d->sources; s != NULL; s = s->next, i++) {
        if (name == s->name || (name != NULL && strcmp(s->name, name) == 0)) {
            *i_source = i;
            return s;
        }
    }
    *i_source = UINT32_MAX;
    return NULL;
}

static void add(struct gn_diag *d, gn_status status, const struct gn_mark *mark, const char *fmt,
        va_list ap)
{
    char text[1024];

    if (status != GN_OK && d->n_errors++ == 0)
        d->status = status;
    d->newest = NULL;
    if (d->n_items >= ITEMS_MAX) {
        d->n_dropped++;
        return;
    }
    (void)vsnprintf(text, sizeof text, fmt, ap);
    struct item *it = gn_arena_alloc(d->arena, sizeof *it);
    it->text = gn_arena_text(d->arena, text, strlen(text));
    it->status = status;
    if (mark != NULL)
        it->mark = *mark;
    it->i_item = d->n_items++;
    /* the caller's name of the file may go before the list does */
    const struct gn_source *source = find_source(d, it->mark.file, &it->i_source);
    if (source != NULL)
        it->mark.file = source->name;
    else if (it->mark.file != NULL)
        it->mark.file = gn_arena_text(d->arena, it->mark.file, strlen(it->mark.file));
    *d->last_item = it;
    d->last_item = &it->next;
    d->newest = it;
}

void gn_diag_error(
        struct gn_diag *diag, gn_status status, const struct gn_mark *mark, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add(diag, status, mark, fmt, ap);
    va_end(ap);
}

void gn_diag_warn(struct gn_diag *diag, const struct gn_mark *mark, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add(diag, GN_OK, mark, fmt, ap);
    va_end(ap);
}

void gn_diag_suggest(struct gn_diag *diag, const char *word)
{
    if (diag->newest != NULL && word != NULL)
        diag->newest->suggestion = gn_arena_text(diag->arena, word, strlen(word));
}

void gn_diag_help(struct gn_diag *diag, const char *fmt, ...)
{
    char text[1024];
    va_list ap;

    if (diag->newest == NULL)
        return;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    diag->newest->help = gn_arena_text(diag->arena, text, strlen(text));
}

void gn_diag_clear(struct gn_diag *diag)
{
    diag->items = diag->newest = NULL;
    diag->last_item = &diag->items;
    diag->n_items = diag->n_errors = diag->n_dropped = 0;
    diag->status = GN_OK;
}

uint32_t gn_diag_n_errors(const struct gn_diag *diag)
{
    return diag->n_errors;
}

gn_status gn_diag_status(const struct gn_diag *diag)
{
    return diag->status;
}

static int by_place(const void *a, const void *b)
{
    const struct item *x = *(struct item *const *)a, *y = *(struct item *const *)b;
    uint32_t kx[] = {x->i_source, x->mark.line, x->mark.column, x->i_item};
    uint32_t ky[] = {y->i_source, y->mark.line, y->mark.column, y->i_item};

    for (size_t i = 0; i < GN_COUNT(kx); i++) {
        if (kx[i] != ky[i])
            return kx[i] < ky[i] ? -1 : 1;
    }
    return 0;
}

static struct item **sorted(struct gn_diag *d)
{
    struct item **list = gn_arena_alloc(d->arena, (d->n_items + 1) * sizeof *list);
    size_t n = 0;
    for (struct item *it = d->items; it != NULL; it = it->next)
        list[n++] = it;
    qsort(list, n, sizeof *list, by_place);
    return list;
}

static const char *find_line(const struct gn_source *s, uint32_t line, size_t *n)
{
    const char *at = s->text, *end = s->text + s->n;

    for (uint32_t i = 1; i < line; i++) {
        const char *nl = memchr(at, '\n', (size_t)(end - at));
        if (nl == NULL)
            return NULL;
        at = nl + 1;
    }
    const char *nl = memchr(at, '\n', (size_t)(end - at));
    *n = (size_t)((nl != NULL ? nl : end) - at);
    if (*n > 0 && at[*n - 1] == '\r')
        (*n)--;
    return at;
}

static bool is_head_byte(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80; /* not the inside of a UTF-8 character */
}

/* The line as people may see it: no control bytes reach a terminal. */
static void print_line(FILE *to, const char *line, size_t n)
{
    for (size_t i = 0; i < n && i < LINE_MAX; i++) {
        unsigned char c = (unsigned char)line[i];
        (void)fputc((c < 0x20 && c != '\t') || c == 0x7f ? '?' : c, to);
    }
}

static void print_caret(FILE *to, const char *line, size_t n, const struct gn_mark *m)
{
    uint32_t column = 1;
    size_t i = 0;

    for (; column < m->column && i < n; i++) {
        if (is_head_byte(line[i]) && i > 0)
            column++;
        if (column >= m->column)
            break;
        if (is_head_byte(line[i]))
            (void)fputc(line[i] == '\t' ? '\t' : ' ', to);
    }
    for (; column < m->column; column++)
        (void)fputc(' ', to);
    (void)fputc('^', to);
    for (uint32_t k = 1; k < m->length && k < LINE_MAX; k++)
        (void)fputc('~', to);
}

static void print_excerpt(const struct gn_diag *d, FILE *to, const struct gn_mark *m)
{
    uint32_t i_source;
    size_t n = 0;
    const struct gn_source *s = find_source(d, m->file, &i_source);
    const char *line = s != NULL ? find_line(s, m->line, &n) : NULL;

    if (line == NULL || m->column > LINE_MAX)
        return;
    (void)fprintf(to, "%5u | ", m->line);
    print_line(to, line, n);
    (void)fputs("\n      | ", to);
    print_caret(to, line, n, m);
    (void)fputc('\n', to);
}

static void print_item(const struct gn_diag *d, FILE *to, const struct item *it, bool is_colour)
{
    const char *red = is_colour ? (it->status != GN_OK ? "\033[1;31m" : "\033[1;35m") : "";
    const char *off = is_colour ? "\033[0m" : "";

    if (it->mark.line > 0)
        (void)fprintf(to, "%s:%u:%u: ", it->mark.file, it->mark.line, it->mark.column);
    else if (it->mark.file != NULL)
        (void)fprintf(to, "%s: ", it->mark.file);
    else
        (void)fputs("gnomon: ", to);
    (void)fprintf(to, "%s%s:%s %s\n", red, it->status != GN_OK ? "error" : "warning", off, it->text);
    if (it->mark.line > 0)
        print_excerpt(d, to, &it->mark);
    if (it->suggestion != NULL)
        (void)fprintf(to, "      = did you mean '%s'?\n", it->suggestion);
    if (it->help != NULL)
        (void)fprintf(to, "      = %s\n", it->help);
}

void gn_diag_print(struct gn_diag *diag, FILE *to, bool is_colour)
{
    struct item **list = sorted(diag);

    for (uint32_t i = 0; i < diag->n_items; i++)
        print_item(diag, to, list[i], is_colour);
    if (diag->n_dropped > 0)
        (void)fprintf(to, "... and %u more\n", diag->n_dropped);
}

void gn_diag_print_json(struct gn_diag *diag, FILE *to)
{
    struct item **list = sorted(diag);

    (void)fputc('[', to);
    for (uint32_t i = 0; i < diag->n_items; i++) {
        const struct item *it = list[i];
        (void)fputs(i > 0 ? ",\n {" : "{", to);
        gn_json_pair(to, "severity", it->status != GN_OK ? "error" : "warning");
        (void)fputs(", ", to);
        gn_json_pair(to, "message", it->text);
        if (it->mark.file != NULL) {
            (void)fputs(", ", to);
            gn_json_pair(to, "file", it->mark.file);
        }
        if (it->mark.line > 0)
            (void)fprintf(to, ", \"line\": %u, \"column\": %u, \"length\": %u", it->mark.line,
                    it->mark.column, it->mark.length);
        if (it->suggestion != NULL) {
            (void)fputs(", ", to);
            gn_json_pair(to, "suggestion", it->suggestion);
        }
        if (it->help != NULL) {
            (void)fputs(", ", to);
            gn_json_pair(to, "help", it->help);
        }
        (void)fputc('}', to);
    }
    (void)fputs("]\n", to);
}
