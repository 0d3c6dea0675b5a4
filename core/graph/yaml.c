/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/graph/yaml.h"

#include "core/text/json.h"

#include <libfyaml.h>
#include <string.h>

struct reader {
    struct gn_arena *arena;
    struct gn_diag *diag;
    const struct gn_source *source;
    struct fy_parser *parser;
    uint32_t n_nodes;
    bool is_broken;
};

static struct gn_yaml *read_value(struct reader *r, struct fy_event *ev, uint32_t depth);

static struct gn_mark mark_of(const struct reader *r, struct fy_event *ev)
{
    const struct fy_mark *from = fy_event_start_mark(ev), *to = fy_event_end_mark(ev);
    struct gn_mark m = {.file = r->source->name, .line = 1, .column = 1, .length = 1};

    if (from == NULL)
        return m;
    m.line = (uint32_t)from->line + 1;
    m.column = (uint32_t)from->column + (ev->type == FYET_ALIAS ? 0 : 1); /* an alias starts after its * */
    if (ev->type == FYET_SCALAR && to != NULL && to->line == from->line && to->column > from->column)
        m.length = (uint32_t)(to->column - from->column);
    return m;
}

static void refuse(struct reader *r, struct fy_event *ev, const char *why)
{
    struct gn_mark m = mark_of(r, ev);
    gn_diag_error(r->diag, GN_E_PARSE, &m, "%s", why);
    r->is_broken = true;
}

static bool is_null_text(const char *s)
{
    return s[0] == '\0' || strcmp(s, "~") == 0 || strcmp(s, "null") == 0;
}

static void read_scalar(struct reader *r, struct fy_event *ev, struct gn_yaml *y)
{
    size_t n = 0;
    const char *s = fy_token_get_text(ev->scalar.value, &n);

    y->kind = GN_YAML_SCALAR;
    if (s == NULL)
        n = 0;
    if (n > 0 && memchr(s, '\0', n) != NULL)
        refuse(r, ev, "a zero byte inside a text");
    y->text = gn_arena_text(r->arena, s, n);
    y->is_quoted = ev->scalar.value != NULL
            && fy_token_scalar_style(ev->scalar.value) != FYSS_PLAIN;
    if (!y->is_quoted && is_null_text(y->text))
        y->kind = GN_YAML_NULL;
}

static void read_list(struct reader *r, struct gn_yaml *y, uint32_t depth)
{
    struct gn_yaml **last = &y->child;

    y->kind = GN_YAML_LIST;
    while (!r->is_broken) {
        struct fy_event *ev = fy_parser_parse(r->parser);
        if (ev == NULL) {
            r->is_broken = true;
            return;
        }
        bool is_end = ev->type == FYET_SEQUENCE_END;
        if (!is_end && (*last = read_value(r, ev, depth + 1)) != NULL)
            last = &(*last)->next;
        fy_parser_event_free(r->parser, ev);
        if (is_end)
            return;
    }
}

static struct gn_yaml *read_key(struct reader *r, struct fy_event *ev, struct gn_yaml *map)
{
    struct gn_yaml *key = read_value(r, ev, GN_YAML_DEPTH_MAX);

    if (key == NULL || key->kind != GN_YAML_SCALAR) {
        if (!r->is_broken)
            refuse(r, ev, "a key must be a word");
        return NULL;
    }
    for (const struct gn_yaml *c = map->child; c != NULL; c = c->next) {
        if (strcmp(c->key, key->text) == 0) {
            gn_diag_error(r->diag, GN_E_PARSE, &key->mark, "key '%s' is given twice", key->text);
            gn_diag_help(r->diag, "first given in line %u, column %u", c->key_mark.line,
                    c->key_mark.column);
            break;
        }
    }
    return key;
}

static void read_map(struct reader *r, struct gn_yaml *y, uint32_t depth)
{
    struct gn_yaml **last = &y->child, *key = NULL;
    uint32_t n_keys = 0;

    y->kind = GN_YAML_MAP;
    while (!r->is_broken) {
        struct fy_event *ev = fy_parser_parse(r->parser);
        if (ev == NULL) {
            r->is_broken = true;
            return;
        }
        bool is_end = ev->type == FYET_MAPPING_END;
        if (!is_end && key == NULL) {
            if (++n_keys > GN_YAML_KEYS_MAX)
                refuse(r, ev, "too many keys in one mapping");
            else
                key = read_key(r, ev, y);
        } else if (!is_end && (*last = read_value(r, ev, depth + 1)) != NULL) {
            (*last)->key = key->text;
            (*last)->key_mark = key->mark;
            last = &(*last)->next;
            key = NULL;
        }
        fy_parser_event_free(r->parser, ev);
        if (is_end)
            return;
    }
}

static bool has_anchor_or_tag(const struct fy_event *ev)
{
    if (ev->type == FYET_SCALAR)
        return ev->scalar.anchor != NULL || ev->scalar.tag != NULL;
    if (ev->type == FYET_SEQUENCE_START)
        return ev->sequence_start.anchor != NULL || ev->sequence_start.tag != NULL;
    if (ev->type == FYET_MAPPING_START)
        return ev->mapping_start.anchor != NULL || ev->mapping_start.tag != NULL;
    return false;
}

/* depth == GN_YAML_DEPTH_MAX: a key, so only a scalar will do */
static struct gn_yaml *read_value(struct reader *r, struct fy_event *ev, uint32_t depth)
{
    if (ev->type == FYET_ALIAS || has_anchor_or_tag(ev)) {
        refuse(r, ev, "anchors (&), aliases (*) and tags (!) are not part of a flowgraph");
        gn_diag_help(r->diag, "quote the text when it shall start with that character");
        return NULL;
    }
    if (++r->n_nodes > GN_YAML_NODES_MAX) {
        refuse(r, ev, "too much for a flowgraph");
        return NULL;
    }
    struct gn_yaml *y = gn_arena_alloc(r->arena, sizeof *y);
    y->source = r->source;
    y->mark = mark_of(r, ev);
    y->text = "";
    if (ev->type == FYET_SCALAR) {
        read_scalar(r, ev, y);
        return y;
    }
    if (depth >= GN_YAML_DEPTH_MAX) {
        refuse(r, ev, "nested too deeply, or a key that is not a word");
        return NULL;
    }
    if (ev->type == FYET_SEQUENCE_START)
        read_list(r, y, depth);
    else if (ev->type == FYET_MAPPING_START)
        read_map(r, y, depth);
    else
        refuse(r, ev, "unexpected YAML");
    return y;
}

static struct gn_yaml *read_document(struct reader *r)
{
    struct gn_yaml *root = NULL;
    struct fy_event *ev;

    while (!r->is_broken && (ev = fy_parser_parse(r->parser)) != NULL) {
        bool is_end = ev->type == FYET_STREAM_END;
        if (ev->type == FYET_SCALAR || ev->type == FYET_SEQUENCE_START
                || ev->type == FYET_MAPPING_START || ev->type == FYET_ALIAS) {
            if (root != NULL)
                refuse(r, ev, "one document a file: remove what follows '---'");
            else
                root = read_value(r, ev, 0);
        }
        fy_parser_event_free(r->parser, ev);
        if (is_end)
            return root;
    }
    r->is_broken = true;
    return root;
}

/* What libfyaml found, in its words. */
static void collect(struct reader *r, struct fy_diag *fy)
{
    void *at = NULL;
    const struct fy_diag_error *e;
    bool is_first = true;

    while ((e = fy_diag_errors_iterate(fy, &at)) != NULL) {
        if (e->type < FYET_ERROR || !is_first)
            continue; /* one mistake of syntax makes libfyaml say several things: the first is the cause */
        struct gn_mark m = {.file = r->source->name, .line = 1, .column = 1, .length = 1};
        if (e->line >= 0 && e->column >= 0) {
            m.line = (uint32_t)e->line;
            m.column = (uint32_t)e->column;
        }
        gn_diag_error(r->diag, GN_E_PARSE, &m, "YAML: %s", e->msg != NULL ? e->msg : "syntax");
        is_first = false;
    }
}

/* What libfyaml never gets to see: bytes that are not text, and directives (0.7.12 does not come back
 * from a directive with broken UTF-8). */
static bool is_text(struct gn_diag *diag, const struct gn_source *source)
{
    struct gn_mark m = {.file = source->name, .line = 1, .column = 1, .length = 1};
    const unsigned char *s = (const unsigned char *)source->text, *end = s + source->n;
    const char *why = NULL;

    for (size_t n; s < end && why == NULL; s += n) {
        n = gn_utf8_length(s);
        bool is_control = (*s < 0x20 && *s != '\n' && *s != '\t' && *s != '\r') || *s == 0x7f;
        if (n == 0 || is_control)
            why = "a byte that is not text (UTF-8)";
        else if (*s == '%' && m.column == 1)
            why = "YAML directives (%) are not part of a flowgraph";
        else if (*s == '\n')
            m = (struct gn_mark){source->name, m.line + 1, 1, 1};
        else
            m.column++;
    }
    if (why != NULL)
        gn_diag_error(diag, GN_E_PARSE, &m, "%s", why);
    return why == NULL;
}

struct gn_yaml *gn_yaml_parse(
        struct gn_arena *arena, struct gn_diag *diag, const struct gn_source *source)
{
    if (!is_text(diag, source))
        return NULL;
    struct reader r = {.arena = arena, .diag = diag, .source = source};
    struct gn_mark top = {.file = source->name, .line = 1, .column = 1, .length = 1};
    struct gn_yaml *root = NULL;
    uint32_t n_before = gn_diag_n_errors(diag);
    struct fy_diag_cfg dcfg;

    fy_diag_cfg_default(&dcfg);
    dcfg.fp = NULL;
    struct fy_diag *fy = fy_diag_create(&dcfg);
    struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG, .diag = fy};
    if (fy != NULL) {
        fy_diag_set_collect_errors(fy, true);
        r.parser = fy_parser_create(&cfg);
    }
    if (r.parser == NULL || fy_parser_set_string(r.parser, source->text, source->n) != 0)
        gn_diag_error(diag, GN_E_NOMEM, &top, "the YAML reader cannot be set up");
    else
        root = read_document(&r);
    if (fy != NULL)
        collect(&r, fy);
    if (r.is_broken && gn_diag_n_errors(diag) == n_before)
        gn_diag_error(diag, GN_E_PARSE, &top, "YAML: cannot be read");
    if (r.parser != NULL)
        fy_parser_destroy(r.parser);
    if (fy != NULL)
        fy_diag_destroy(fy);
    return r.is_broken ? NULL : root;
}

struct gn_yaml *gn_yaml_scalar(struct gn_arena *arena, const struct gn_source *source,
        struct gn_mark mark, const char *text)
{
    struct gn_yaml *y = gn_arena_alloc(arena, sizeof *y);
    y->kind = is_null_text(text) ? GN_YAML_NULL : GN_YAML_SCALAR;
    y->text = gn_arena_text(arena, text, strlen(text));
    y->source = source;
    y->mark = mark;
    return y;
}

const char *gn_yaml_kind_words(const struct gn_yaml *y)
{
    static const char *const words[] = {"nothing", "a text", "a list", "a mapping"};
    return words[y->kind];
}

const struct gn_yaml *gn_yaml_find(const struct gn_yaml *map, const char *key)
{
    for (const struct gn_yaml *c = map->child; c != NULL; c = c->next) {
        if (strcmp(c->key, key) == 0)
            return c;
    }
    return NULL;
}
