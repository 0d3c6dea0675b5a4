/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/graph/load.h"

#include "core/graph/build.h"
#include "core/graph/param.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void suggest_file(struct gn_builder *b, const char *path)
{
    const char *slash = strrchr(path, '/'), *leaf = slash != NULL ? slash + 1 : path;
    const char *dir = slash != NULL ? gn_arena_text(b->arena, path, (size_t)(slash - path) + 1) : "./";
    struct gn_suggest s = {.word = leaf};
    DIR *d = opendir(dir);

    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        size_t n = strlen(e->d_name);
        if (n > 5 && strcmp(e->d_name + n - 5, ".yaml") == 0)
            gn_suggest_offer(&s, gn_arena_text(b->arena, e->d_name, n));
    }
    if (d != NULL)
        (void)closedir(d);
    if (s.best != NULL)
        gn_diag_suggest(b->diag, slash != NULL ? gn_arena_printf(b->arena, "%s%s", dir, s.best) : s.best);
}

static char *read_text(struct gn_builder *b, const char *path, size_t *n)
{
    struct gn_mark m = {.file = gn_arena_text(b->arena, path, strlen(path))};
    FILE *f = fopen(path, "rb");
    char *text = NULL;

    if (f != NULL) {
        text = gn_arena_alloc(b->arena, GN_YAML_BYTES_MAX + 2);
        errno = 0;
        *n = fread(text, 1, GN_YAML_BYTES_MAX + 1, f);
    }
    if (f == NULL || ferror(f) != 0) {
        int fault = errno;
        gn_diag_error(b->diag, GN_E_PARSE, &m, "the flowgraph cannot be read: %s", strerror(fault));
        if (fault == ENOENT)
            suggest_file(b, path);
        text = NULL;
    } else if (*n > GN_YAML_BYTES_MAX) {
        gn_diag_error(b->diag, GN_E_PARSE, &m, "more than %u bytes: not a flowgraph", GN_YAML_BYTES_MAX);
        text = NULL;
    }
    if (f != NULL)
        (void)fclose(f);
    return text;
}

static bool add_text(struct gn_builder *b, const char *name, const char *dir, const char *text, size_t n)
{
    const struct gn_source *s = gn_diag_source(b->diag, name, dir, text, n);
    struct gn_mark top = {s->name, 1, 1, 1};

    uint32_t n_before = gn_diag_n_errors(b->diag);
    const struct gn_yaml *root = gn_yaml_parse(b->arena, b->diag, s);
    if (root != NULL)
        gn_spec_add_tree(b->spec, root);
    else if (gn_diag_n_errors(b->diag) == n_before) {
        gn_diag_error(b->diag, GN_E_PARSE, &top, "the flowgraph is empty");
        gn_diag_help(b->diag, "a flowgraph starts with the line: gnomon: 1");
    }
    return root != NULL;
}

static bool add_file(struct gn_builder *b, const char *path)
{
    size_t n = 0;
    const char *slash = strrchr(path, '/');
    const char *text = read_text(b, path, &n);

    if (text == NULL)
        return false;
    const char *dir = slash != NULL ? gn_arena_text(b->arena, path, (size_t)(slash - path) + 1) : "";
    return add_text(b, path, dir, text, n);
}

static bool read_all(struct gn_builder *b, const struct gn_graph_request *rq)
{
    bool is_good = true;

    for (uint32_t i = 0; i < rq->n_files; i++)
        is_good = add_file(b, rq->files[i]) && is_good;
    if (rq->text != NULL)
        is_good = add_text(b, "flowgraph", "", rq->text, strlen(rq->text)) && is_good;
    if (rq->line != NULL)
        gn_spec_add_line(b->spec, gn_diag_source(b->diag, "command line", "", rq->line, strlen(rq->line)));
    if (is_good && rq->n_settings > 0)
        gn_spec_add_settings(b->spec, rq->settings, rq->n_settings);
    return is_good;
}

static void read_run(struct gn_builder *b)
{
    static const struct gn_param workers = {.name = "workers", .unit = "", .doc = "threads that run blocks",
            .min = 1, .max = 256, .type = GN_P_I64, .flags = GN_PARAM_AUTO};
    static const struct gn_param hold = {.name = "hold", .unit = "s", .doc = "ring time under live sources",
            .min = 1e-3, .max = 60, .type = GN_P_F64};
    struct gn_param_ctx ctx = {b->arena, b->diag, "run"};
    const struct gn_yaml *w = b->spec->workers != NULL ? gn_spec_expand(b->spec, b->spec->workers) : NULL;
    const struct gn_yaml *h = b->spec->hold != NULL ? gn_spec_expand(b->spec, b->spec->hold) : NULL;
    int64_t n = INT64_MIN;

    b->graph->run.hold_s = 0.5;
    if (w != NULL && w->kind != GN_YAML_NULL && gn_param_set(&ctx, &workers, w, &n))
        b->graph->run.n_workers = n > 0 ? (uint32_t)n : 0;
    if (h != NULL && h->kind != GN_YAML_NULL)
        (void)gn_param_set(&ctx, &hold, h, &b->graph->run.hold_s);
}

static void build(struct gn_builder *b, const struct gn_graph_request *rq)
{
    if (!read_all(b, rq))
        return; /* without its tree everything else would be called missing */
    gn_build_nodes(b);
    read_run(b);
    gn_build_edges(b);
    gn_spec_report_unused(b->spec);
    /* plan() opens files and devices: only for a graph whose words are right */
    if (gn_build_check_cycles(b) && gn_diag_n_errors(b->diag) == 0)
        gn_build_plan(b);
}

gn_status gn_graph_load(const struct gn_graph_request *request, struct gn_registry *registry,
        struct gn_diag *diag, struct gn_graph **ret)
{
    struct gn_arena *arena = gn_arena_new();

    if (arena == NULL) {
        gn_diag_error(diag, GN_E_NOMEM, NULL, "out of memory");
        return GN_E_NOMEM;
    }
    struct gn_spec spec = {.arena = arena, .diag = diag, .name = "flowgraph"};
    struct gn_graph *graph = gn_arena_alloc(arena, sizeof *graph);
    struct gn_builder b = {.arena = arena, .diag = diag, .registry = registry, .spec = &spec, .graph = graph};
    graph->options = request->options;
    graph->arena = arena;
    build(&b, request);
    graph->name = spec.name;
    if (gn_diag_n_errors(diag) > 0) {
        gn_graph_free(graph);
        return gn_diag_status(diag);
    }
    *ret = graph;
    return GN_OK;
}

void gn_graph_report_failure(struct gn_diag *diag, const struct gn_node *node, const struct gn_instance *instance,
        gn_status status, const char *when)
{
    gn_build_report(diag, node, instance, status, when);
}

const char *gn_graph_format_name(uint32_t format)
{
    return gn_format_name(format);
}

void gn_graph_free(struct gn_graph *graph)
{
    if (graph != NULL)
        gn_arena_free(graph->arena);
}
