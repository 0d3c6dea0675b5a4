/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon check-plugin: would this program take it, and do its tables hold together? In a child process, so
 * that a plugin that crashes while it is loaded is a finding and not the end. */
#include "cli/command.h"
#include "core/graph/param.h"
#include "core/plugin/registry.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOAD_TIME_S 20u

struct checker {
    struct gn_arena *arena;
    uint32_t n_faults;
};

static void fault(struct checker *c, const char *block, const char *what, const char *name)
{
    (void)printf("[fail] %s: %s%s%s\n", block, what, name[0] != '\0' ? " " : "", name);
    c->n_faults++;
}

static void check_default(struct checker *c, const struct gn_block *b, const struct gn_param *p)
{
    struct gn_diag *diag = gn_diag_new();
    struct gn_param_ctx ctx = {c->arena, diag, b->name};
    struct gn_mark nowhere = {0};
    void *state = gn_arena_alloc_aligned(c->arena, b->state_size, 64);
    struct gn_yaml *value = gn_yaml_scalar(c->arena, NULL, nowhere, p->def);

    bool is_text = p->type == GN_P_TEXT || p->type == GN_P_PATH;
    if (diag != NULL && state != NULL && value->kind == GN_YAML_SCALAR && !is_text && !gn_param_set(&ctx, p, value, state))
        fault(c, b->name, "the default cannot be read or is out of range: parameter", p->name);
    gn_diag_free(diag);
}

static void check_params(struct checker *c, const struct gn_block *b)
{
    static const char *const taken[] = {"use", "many", "policy"};

    for (uint32_t i = 0; i < b->n_params; i++) {
        const struct gn_param *p = &b->params[i];
        if (p->doc == NULL || p->doc[0] == '\0')
            fault(c, b->name, "no documentation of parameter", p->name);
        if (p->min > p->max)
            fault(c, b->name, "the limits are upside down: parameter", p->name);
        for (size_t k = 0; k < GN_COUNT(taken); k++) {
            if (strcmp(p->name, taken[k]) == 0)
                fault(c, b->name, "a flowgraph has its own meaning for the word", p->name);
        }
        if (p->def != NULL)
            check_default(c, b, p);
    }
}

static void check_block(struct checker *c, const struct gn_block *b)
{
    if (strchr(b->name, '.') == NULL)
        fault(c, b->name, "a block's name is plugin.block", "");
    if (b->summary == NULL || b->summary[0] == '\0')
        fault(c, b->name, "no summary", "");
    if (b->n_ports == 0)
        fault(c, b->name, "no ports", "");
    if ((b->save == NULL) != (b->load == NULL))
        fault(c, b->name, "save() and load() come together", "");
    check_params(c, b);
}

static int check_in_child(const char *path)
{
    struct gn_registry *reg = gn_registry_new(NULL);
    struct checker c = {.arena = gn_arena_new()};

    if (reg == NULL || c.arena == NULL)
        return CLI_INTERNAL;
    (void)alarm(LOAD_TIME_S); /* a constructor that never returns */
    const struct gn_plugin_file *f = gn_registry_load(reg, path);
    if (f->reason != NULL) {
        (void)printf("[fail] %s: %s\n", path, f->reason);
        c.n_faults++;
    }
    for (uint32_t i = 0; i < f->n_blocks; i++)
        check_block(&c, f->blocks[i]);
    if (c.n_faults == 0)
        (void)printf("[ ok ] %s: plugin %s %s, %u blocks\n", path, f->name, f->version, f->n_blocks);
    gn_arena_free(c.arena);
    gn_registry_free(reg);
    return c.n_faults > 0 ? CLI_PLUGIN : cli_flush_stdout();
}

static int check_plugin(const struct cli_args *args)
{
    int status = 0;

    (void)fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        return cli_fail(CLI_INTERNAL, "no child process can be made");
    if (child == 0) {
        int code = check_in_child(args->words[0]);
        (void)fflush(NULL);
        _exit(code);
    }
    if (waitpid(child, &status, 0) != child)
        return cli_fail(CLI_INTERNAL, "the child process is lost");
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    int sig = WTERMSIG(status);
    (void)printf("[fail] %s: %s while it is loaded (%s)\n", args->words[0],
            sig == SIGALRM ? "does not come back" : "crashes", strsignal(sig));
    return CLI_PLUGIN;
}

const struct cli_command cli_check_plugin = {
        .name = "check-plugin",
        .usage = "check-plugin FILE.so",
        .summary = "would this program take the plugin, and do its tables hold together",
        .n_words_min = 1,
        .n_words_max = 1,
        .run = check_plugin,
};
