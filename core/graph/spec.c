/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/graph/spec.h"

#include "core/text/suggest.h"

#include <ctype.h>
#include <string.h>

static const char *const top_keys[] = {"gnomon", "name", "vars", "blocks", "links", "run", "doc", NULL};
static const char *const run_keys[] = {"workers", "hold", NULL};

static bool is_word(const char *s)
{
    if (!isalpha((unsigned char)s[0]) && s[0] != '_')
        return false;
    for (; *s != '\0'; s++) {
        if (!isalnum((unsigned char)*s) && *s != '_' && *s != '-')
            return false;
    }
    return true;
}

static void check_keys(struct gn_spec *spec, const struct gn_yaml *map, const char *const *keys,
        const char *where)
{
    for (const struct gn_yaml *c = map->child; c != NULL; c = c->next) {
        struct gn_suggest s = {.word = c->key};
        bool is_known = strncmp(c->key, "x-", 2) == 0; /* a note for another program */
        for (size_t i = 0; keys[i] != NULL; i++) {
            is_known = is_known || strcmp(keys[i], c->key) == 0;
            gn_suggest_offer(&s, keys[i]);
        }
        if (is_known)
            continue;
        gn_diag_error(spec->diag, GN_E_PARSE, &c->key_mark, "unknown key '%s' in %s", c->key, where);
        gn_diag_suggest(spec->diag, s.best);
    }
}

static bool must_be(struct gn_spec *spec, const struct gn_yaml *y, enum gn_yaml_kind kind,
        const char *what)
{
    static const char *const words[] = {"nothing", "a text", "a list", "a mapping"};

    if (y->kind == kind)
        return true;
    gn_diag_error(spec->diag, GN_E_PARSE, y->kind == GN_YAML_NULL && y->key != NULL ? &y->key_mark
                    : &y->mark, "%s must be %s, not %s", what, words[kind], gn_yaml_kind_words(y));
    return false;
}

struct gn_spec_block *gn_spec_find_block(const struct gn_spec *spec, const char *name)
{
    for (struct gn_spec_block *b = spec->blocks; b != NULL; b = b->next) {
        if (strcmp(b->name, name) == 0)
            return b;
    }
    return NULL;
}

struct gn_spec_var *gn_spec_find_var(const struct gn_spec *spec, const char *name)
{
    for (struct gn_spec_var *v = spec->vars; v != NULL; v = v->next) {
        if (strcmp(v->name, name) == 0)
            return v;
    }
    return NULL;
}

static void add_vars(struct gn_spec *spec, const struct gn_yaml *map)
{
    for (const struct gn_yaml *c = map->child; c != NULL; c = c->next) {
        struct gn_spec_var *v = gn_spec_find_var(spec, c->key);
        if (!is_word(c->key))
            gn_diag_error(spec->diag, GN_E_PARSE, &c->key_mark,
                    "'%s' cannot name a variable: letters, digits, _ and - only", c->key);
        if (c->kind == GN_YAML_MAP)
            gn_diag_error(spec->diag, GN_E_PARSE, &c->mark, "a variable holds a value or a list");
        if (v == NULL) {
            struct gn_spec_var **last = &spec->vars;
            while (*last != NULL)
                last = &(*last)->next;
            v = *last = gn_arena_alloc(spec->arena, sizeof *v);
        }
        v->name = c->key;
        v->mark = c->key_mark;
        v->value = c;
        v->is_spare = c->kind == GN_YAML_NULL;
    }
}

static struct gn_spec_block *append_block(
        struct gn_spec *spec, const char *name, const struct gn_mark *mark)
{
    struct gn_spec_block **last = &spec->blocks;

    while (*last != NULL)
        last = &(*last)->next;
    *last = gn_arena_alloc(spec->arena, sizeof **last);
    (*last)->name = name;
    (*last)->mark = *mark;
    return *last;
}

static void set_value(struct gn_spec *spec, struct gn_spec_block *b, const char *name,
        const struct gn_mark *mark, const struct gn_yaml *value)
{
    struct gn_spec_value **at = &b->values;

    while (*at != NULL && strcmp((*at)->name, name) != 0)
        at = &(*at)->next;
    if (*at == NULL)
        *at = gn_arena_alloc(spec->arena, sizeof **at);
    (*at)->name = name;
    (*at)->mark = *mark;
    (*at)->value = value;
    (*at)->i_file = spec->n_files;
}

static void add_block(struct gn_spec *spec, const struct gn_yaml *y)
{
    struct gn_spec_block *b = gn_spec_find_block(spec, y->key);

    if (!is_word(y->key))
        gn_diag_error(spec->diag, GN_E_PARSE, &y->key_mark,
                "'%s' cannot name a block: letters, digits, _ and - only", y->key);
    if (!must_be(spec, y, GN_YAML_MAP, "a block"))
        return;
    if (b == NULL)
        b = append_block(spec, y->key, &y->key_mark);
    for (const struct gn_yaml *c = y->child; c != NULL; c = c->next) {
        if (strcmp(c->key, "use") == 0) {
            b->base_use = b->use;
            b->use = c;
            b->i_file_use = spec->n_files;
        } else if (strcmp(c->key, "many") == 0) {
            b->many = c;
        } else if (strcmp(c->key, "policy") == 0) {
            b->policy = c;
        } else {
            set_value(spec, b, c->key, &c->key_mark, c);
        }
    }
    if (b->use == NULL) {
        gn_diag_error(spec->diag, GN_E_PARSE, &y->key_mark, "block '%s' does not say which it is", y->key);
        gn_diag_help(spec->diag, "add for example: use: std.null_sink");
    }
}

static void add_links(struct gn_spec *spec, const struct gn_yaml *list)
{
    struct gn_link **last = &spec->links;

    while (*last != NULL)
        last = &(*last)->next;
    for (const struct gn_yaml *c = list->child; c != NULL; c = c->next) {
        if (!must_be(spec, c, GN_YAML_SCALAR, "a link"))
            continue;
        struct gn_link *link
                = gn_link_parse(spec->arena, spec->diag, &c->mark, c->text, strlen(c->text));
        if (link == NULL)
            continue;
        if (link->groups->next == NULL) {
            gn_diag_error(spec->diag, GN_E_PARSE, &c->mark, "a link needs a '>' between two blocks");
            continue;
        }
        for (const struct gn_link_group *g = link->groups; g != NULL; g = g->next) {
            for (const struct gn_link_end *e = g->ends; e != NULL; e = e->next) {
                if (e->args != NULL)
                    gn_diag_error(spec->diag, GN_E_PARSE, &e->args->name_mark,
                            "parameters belong under 'blocks', not into a link");
            }
        }
        *last = link;
        last = &link->next;
    }
}

static void check_version(struct gn_spec *spec, const struct gn_yaml *root)
{
    const struct gn_yaml *v = gn_yaml_find(root, "gnomon");

    if (v == NULL) {
        gn_diag_error(spec->diag, GN_E_PARSE, &root->mark, "not a flowgraph: 'gnomon: 1' is missing");
        gn_diag_help(spec->diag, "a flowgraph starts with the line: gnomon: 1");
    } else if (v->kind != GN_YAML_SCALAR || strcmp(v->text, "1") != 0) {
        gn_diag_error(spec->diag, GN_E_PARSE, &v->mark, "this program reads flowgraphs of version 1");
        gn_diag_suggest(spec->diag, "1");
    }
}

static void add_run(struct gn_spec *spec, const struct gn_yaml *y)
{
    if (!must_be(spec, y, GN_YAML_MAP, "'run'"))
        return;
    check_keys(spec, y, run_keys, "'run'");
    const struct gn_yaml *workers = gn_yaml_find(y, "workers"), *hold = gn_yaml_find(y, "hold");
    spec->workers = workers != NULL ? workers : spec->workers;
    spec->hold = hold != NULL ? hold : spec->hold;
}

void gn_spec_add_tree(struct gn_spec *spec, const struct gn_yaml *root)
{
    spec->n_files++;
    if (!must_be(spec, root, GN_YAML_MAP, "a flowgraph"))
        return;
    check_version(spec, root);
    check_keys(spec, root, top_keys, "a flowgraph");
    for (const struct gn_yaml *c = root->child; c != NULL; c = c->next) {
        bool is_vars = strcmp(c->key, "vars") == 0, is_blocks = strcmp(c->key, "blocks") == 0;
        if (strcmp(c->key, "name") == 0 && must_be(spec, c, GN_YAML_SCALAR, "'name'"))
            spec->name = c->text;
        if (is_vars && c->kind != GN_YAML_NULL && must_be(spec, c, GN_YAML_MAP, "'vars'"))
            add_vars(spec, c);
        if (is_blocks && c->kind != GN_YAML_NULL && must_be(spec, c, GN_YAML_MAP, "'blocks'")) {
            for (const struct gn_yaml *b = c->child; b != NULL; b = b->next)
                add_block(spec, b);
        }
        if (strcmp(c->key, "run") == 0)
            add_run(spec, c);
    }
    const struct gn_yaml *links = gn_yaml_find(root, "links");
    if (links != NULL && links->kind != GN_YAML_NULL && must_be(spec, links, GN_YAML_LIST, "'links'"))
        add_links(spec, links);
}

/* "frontend.file" -> "file", then "file2" */
static const char *free_name(struct gn_spec *spec, const char *type)
{
    const char *dot = strrchr(type, '.'), *stem = dot != NULL ? dot + 1 : type, *name = stem;

    for (uint32_t i = 2; gn_spec_find_block(spec, name) != NULL; i++)
        name = gn_arena_printf(spec->arena, "%s%u", stem, i);
    return gn_arena_text(spec->arena, name, strlen(name));
}

/* A word of the one-line form: a type makes a block, a name of one made earlier (or name.port) is it. */
static void name_end(struct gn_spec *spec, const struct gn_source *source, struct gn_link_end *end)
{
    size_t n = strcspn(end->word, ".");
    const char *head = gn_arena_text(spec->arena, end->word, n);

    if (end->args == NULL && gn_spec_find_block(spec, head) != NULL)
        return;
    struct gn_spec_block *b = append_block(spec, free_name(spec, end->word), &end->mark);
    b->use = gn_yaml_scalar(spec->arena, source, end->mark, end->word);
    for (const struct gn_link_arg *a = end->args; a != NULL; a = a->next) {
        const struct gn_yaml *v = gn_yaml_scalar(spec->arena, source, a->value_mark, a->value);
        if (strcmp(a->name, "many") == 0)
            b->many = v;
        else if (strcmp(a->name, "policy") == 0)
            b->policy = v;
        else
            set_value(spec, b, a->name, &a->name_mark, v);
    }
    end->word = b->name;
}

void gn_spec_add_line(struct gn_spec *spec, const struct gn_source *source)
{
    struct gn_link **last = &spec->links;

    spec->n_files++;
    spec->name = "line";
    for (const char *at = source->text, *to; *at != '\0'; at = *to != '\0' ? to + 1 : to) {
        to = at + strcspn(at, ";");
        if (strspn(at, " \t\n") >= (size_t)(to - at))
            continue;
        struct gn_mark m = {source->name, 1, 1 + (uint32_t)(at - source->text), (uint32_t)(to - at)};
        struct gn_link *link = gn_link_parse(spec->arena, spec->diag, &m, at, (size_t)(to - at));
        if (link == NULL)
            continue;
        for (struct gn_link_group *g = link->groups; g != NULL; g = g->next) {
            for (struct gn_link_end *e = g->ends; e != NULL; e = e->next)
                name_end(spec, source, e);
        }
        if (link->groups->next == NULL)
            continue;
        *last = link;
        last = &link->next;
    }
}
