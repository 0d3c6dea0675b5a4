/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Blocks of the spec -> nodes: which block it is, how many, its parameters. */
#include "core/graph/build.h"

#include "core/graph/param.h"
#include "core/text/suggest.h"

#include <stdlib.h>
#include <string.h>

#define STATE_ALIGN_BYTES 64u

static const char *const own_keys[] = {"use", "many", "policy"};

static void unknown_block(struct gn_builder *b, const struct gn_yaml *use)
{
    const char *folders = "";
    struct gn_suggest s = {.word = use->text};
    const struct gn_plugin_file *first_bad = NULL;

    gn_registry_load_all(b->registry);
    gn_registry_suggest(b->registry, &s);
    for (const char *const *f = gn_registry_folders(b->registry); *f != NULL; f++)
        folders = gn_arena_printf(b->arena, "%s%s%s", folders, folders[0] != '\0' ? ", " : "", *f);
    /* the plugin that should have it may be there but unusable: then that is the news */
    const char *want = gn_arena_printf(b->arena, "/%.*s.so", (int)strcspn(use->text, "."), use->text);
    for (const struct gn_plugin_file *f = gn_registry_files(b->registry); f != NULL; f = f->next) {
        size_t n = strlen(f->path), m = strlen(want);
        if (f->reason != NULL && first_bad == NULL && n >= m && strcmp(f->path + n - m, want) == 0)
            first_bad = f;
    }
    if (first_bad != NULL) {
        gn_diag_error(b->diag, GN_E_PLUGIN, &use->mark, "block '%s': plugin %s cannot be used: %s",
                use->text, first_bad->path, first_bad->reason);
        return;
    }
    gn_diag_error(b->diag, GN_E_PARSE, &use->mark, "unknown block '%s'", use->text);
    gn_diag_suggest(b->diag, s.best);
    gn_diag_help(b->diag, "searched: %s", folders);
}

static const struct gn_block *find_block(
        struct gn_builder *b, const struct gn_yaml *said, const struct gn_yaml **use)
{
    *use = said != NULL ? gn_spec_expand(b->spec, said) : NULL;
    if (*use == NULL)
        return NULL;
    if ((*use)->kind != GN_YAML_SCALAR) {
        gn_diag_error(b->diag, GN_E_PARSE, &(*use)->mark, "'use' must be the name of a block, not %s",
                gn_yaml_kind_words(*use));
        return NULL;
    }
    const struct gn_block *block = gn_registry_find(b->registry, (*use)->text);
    if (block == NULL)
        unknown_block(b, *use);
    return block;
}

static const char *family(const struct gn_block *block)
{
    return block->impl_of != NULL ? block->impl_of : block->name;
}

/* A later file put another block here: what a lower file said about the old one only counts when both
 * are variants of each other. */
static bool drops_inherited(struct gn_builder *b, const struct gn_spec_block *sb, const struct gn_block *block)
{
    if (sb->base_use == NULL)
        return false;
    const struct gn_yaml *use = gn_spec_expand(b->spec, sb->base_use);
    const struct gn_block *base = use != NULL && use->kind == GN_YAML_SCALAR
            ? gn_registry_find(b->registry, use->text) : NULL;
    return base == NULL || (base != block && strcmp(family(base), family(block)) != 0);
}

static void check_names(struct gn_builder *b, const struct gn_spec_block *sb,
        const struct gn_block *block, bool is_dropping)
{
    for (const struct gn_spec_value *v = sb->values; v != NULL; v = v->next) {
        struct gn_suggest s = {.word = v->name};
        bool is_known = is_dropping && v->i_file < sb->i_file_use;
        for (uint32_t i = 0; i < block->n_params; i++) {
            is_known = is_known || strcmp(block->params[i].name, v->name) == 0;
            gn_suggest_offer(&s, block->params[i].name);
        }
        for (size_t i = 0; i < GN_COUNT(own_keys); i++)
            gn_suggest_offer(&s, own_keys[i]);
        if (is_known)
            continue;
        (void)gn_spec_expand(b->spec, v->value); /* its vars are not the mistake */
        gn_diag_error(b->diag, GN_E_PARSE, &v->mark, "%s has no parameter '%s'", block->name, v->name);
        gn_diag_suggest(b->diag, s.best);
        if (s.best == NULL)
            gn_diag_help(b->diag, "gnomon inspect %s lists them", block->name);
    }
}

static const struct gn_spec_value *find_value(const struct gn_spec_block *sb, const char *name)
{
    for (const struct gn_spec_value *v = sb->values; v != NULL; v = v->next) {
        if (strcmp(v->name, name) == 0)
            return v;
    }
    return NULL;
}

static void missing(struct gn_builder *b, const struct gn_spec_block *sb, const struct gn_param *p,
        const struct gn_spec_value *said)
{
    const struct gn_yaml *raw = said != NULL ? said->value : NULL;

    gn_diag_error(b->diag, GN_E_PARSE, said != NULL ? &said->mark : &sb->mark, "block '%s' needs '%s'%s%s",
            sb->name, p->name, p->doc != NULL && p->doc[0] != '\0' ? ": " : "", p->doc != NULL ? p->doc : "");
    if (raw != NULL && raw->kind == GN_YAML_SCALAR && raw->text[0] == '$')
        gn_diag_help(b->diag, "give it with -p %s=...", raw->text + 1);
    else
        gn_diag_help(b->diag, "%s is %s", p->name, gn_param_type_words(b->arena, p));
}

static void set_default(struct gn_builder *b, const struct gn_node *node, const struct gn_param *p, void *state)
{
    struct gn_diag *own = gn_diag_new();
    struct gn_param_ctx ctx = {b->arena, own, node->name};
    struct gn_mark nowhere = {0};
    const struct gn_yaml *value = gn_yaml_scalar(b->arena, NULL, nowhere, p->def);
    bool is_text = p->type == GN_P_TEXT || p->type == GN_P_PATH;

    /* an empty default of a text is the empty text, of other types zeroed memory */
    bool is_nothing = value->kind == GN_YAML_NULL && !(is_text && p->def[0] != '\0');
    if (is_text && p->def[0] == '\0') {
        const char *empty = "";
        memcpy((char *)state + p->offset, &empty, sizeof empty);
    } else if (!is_nothing && own != NULL && !gn_param_set(&ctx, p, value, state)) {
        gn_diag_error(b->diag, GN_E_PLUGIN, &node->mark, "%s: its own default '%s' of parameter '%s' cannot be read",
                node->block->name, p->def, p->name);
    }
    gn_diag_free(own);
}

/* The value that was said, NULL for none. */
static const struct gn_yaml *fill_param(struct gn_builder *b, const struct gn_spec_block *sb,
        struct gn_node *node, const struct gn_spec_value *said, uint32_t i)
{
    const struct gn_param *p = &node->block->params[i];
    struct gn_param_ctx ctx = {b->arena, b->diag, node->name};
    const struct gn_yaml *value = said != NULL ? gn_spec_expand(b->spec, said->value) : NULL;
    bool is_text = p->type == GN_P_TEXT || p->type == GN_P_PATH;
    void *state = node->instances[0].state;

    if (said != NULL && value == NULL)
        return NULL; /* said in diag */
    if (p->def == NULL && (value == NULL || value->kind == GN_YAML_NULL)) {
        missing(b, sb, p, said);
        return NULL;
    }
    if (value == NULL || (value->kind == GN_YAML_NULL && !is_text))
        set_default(b, node, p, state);
    else
        (void)gn_param_set(&ctx, p, value, state);
    return value;
}

static void fill_params(struct gn_builder *b, const struct gn_spec_block *sb, struct gn_node *node,
        bool is_dropping)
{
    const struct gn_block *block = node->block;
    struct gn_mark *marks = gn_arena_alloc(b->arena, (block->n_params + 1) * sizeof *marks);

    for (uint32_t i = 0; i < block->n_params; i++) {
        const struct gn_spec_value *said = find_value(sb, block->params[i].name);
        if (said != NULL && is_dropping && said->i_file < sb->i_file_use)
            said = NULL;
        const struct gn_yaml *value = fill_param(b, sb, node, said, i);
        if (value != NULL)
            marks[i] = value->mark;
    }
    node->param_marks = marks;
    for (uint32_t k = 1; k < node->n_instances; k++)
        memcpy(node->instances[k].state, node->instances[0].state, block->state_size);
}

static uint32_t read_many(struct gn_builder *b, const struct gn_spec_block *sb)
{
    static const struct gn_param many = {.name = "many", .unit = "", .doc = "how many copies run",
            .min = 1, .max = GN_MANY_MAX, .type = GN_P_I64};
    struct gn_param_ctx ctx = {b->arena, b->diag, sb->name};
    const struct gn_yaml *value = sb->many != NULL ? gn_spec_expand(b->spec, sb->many) : NULL;
    int64_t n = 1;

    if (value == NULL || value->kind == GN_YAML_NULL)
        return 1;
    return gn_param_set(&ctx, &many, value, &n) ? (uint32_t)n : 1;
}

static bool make_instances(struct gn_builder *b, struct gn_node *node)
{
    uint32_t n = node->n_instances;

    node->instances = gn_arena_alloc_aligned(b->arena, n * sizeof *node->instances, 16);
    for (uint32_t i = 0; node->instances != NULL && i < n; i++) {
        struct gn_instance *in = &node->instances[i];
        in->state = gn_arena_alloc_aligned(b->arena, node->block->state_size, STATE_ALIGN_BYTES);
        if (in->state == NULL) {
            node->instances = NULL;
            break;
        }
        in->graph = b->graph;
        in->node = node;
        in->i_source = UINT32_MAX;
        in->host = (struct gn_host){.size = sizeof in->host, .abi_major = GN_ABI_MAJOR, .instance = i,
                .n_instances = n, .fail = gn_graph_host_fail, .log = gn_graph_host_log,
                .ext = gn_graph_host_ext};
        in->host.name = n > 1 ? gn_arena_printf(b->arena, "%s[%u]", node->name, i) : node->name;
    }
    if (node->instances == NULL)
        gn_diag_error(b->diag, GN_E_NOMEM, &node->mark, "no memory for %u x %u bytes of state", n,
                node->block->state_size);
    return node->instances != NULL;
}

static void build_node(struct gn_builder *b, const struct gn_spec_block *sb, struct gn_node *node)
{
    const struct gn_yaml *use = NULL;
    const struct gn_block *block = find_block(b, sb->use, &use);

    node->n_instances = read_many(b, sb);
    if (use != NULL)
        node->use_mark = &use->mark;
    if (block == NULL) {
        for (const struct gn_spec_value *v = sb->values; v != NULL; v = v->next)
            (void)gn_spec_expand(b->spec, v->value); /* else its vars would be called unused */
        return;
    }
    node->block = block;
    bool is_dropping = drops_inherited(b, sb, block);
    check_names(b, sb, block, is_dropping);
    if (make_instances(b, node))
        fill_params(b, sb, node, is_dropping);
    else
        node->block = NULL;
}

void gn_build_nodes(struct gn_builder *b)
{
    struct gn_graph *g = b->graph;
    uint32_t n = 0;

    for (const struct gn_spec_block *sb = b->spec->blocks; sb != NULL; sb = sb->next)
        n++;
    if (n > GN_NODES_MAX) {
        gn_diag_error(b->diag, GN_E_PARSE, &b->spec->blocks->mark, "more than %u blocks", GN_NODES_MAX);
        n = GN_NODES_MAX;
    }
    g->nodes = gn_arena_alloc(b->arena, (n + 1) * sizeof *g->nodes);
    for (const struct gn_spec_block *sb = b->spec->blocks; sb != NULL && g->n_nodes < n; sb = sb->next) {
        struct gn_node *node = &g->nodes[g->n_nodes];
        node->name = sb->name;
        node->mark = sb->mark;
        node->n_instances = 1;
        node->position = g->n_nodes++;
        if (sb->use != NULL)
            build_node(b, sb, node);
    }
    if (n == 0 && gn_diag_n_errors(b->diag) == 0)
        gn_diag_error(b->diag, GN_E_PARSE, NULL, "the flowgraph has no blocks");
}
