/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon doctor: is everything in its place? */
#include "cli/command.h"
#include "core/plugin/registry.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void say(bool is_good, const char *what, const char *more)
{
    (void)printf("[%s] %s%s%s\n", is_good ? " ok " : "fail", what, more[0] != '\0' ? ": " : "", more);
}

static uint32_t check_plugins(struct gn_registry *reg)
{
    uint32_t n_bad = 0, n_good = 0, n_blocks = 0;
    char text[96];

    for (const char *const *f = gn_registry_folders(reg); *f != NULL; f++)
        (void)printf("[info] plugin folder %s%s\n", *f, access(*f, R_OK | X_OK) == 0 ? "" : " (not there)");
    gn_registry_load_all(reg);
    for (const struct gn_plugin_file *f = gn_registry_files(reg); f != NULL; f = f->next) {
        n_good += f->reason == NULL ? 1 : 0;
        n_blocks += f->n_blocks;
        if (f->reason == NULL)
            continue;
        n_bad++;
        say(false, f->path, f->reason);
    }
    for (const struct gn_plugin_clash *c = gn_registry_clashes(reg); c != NULL; c = c->next, n_bad++)
        (void)printf("[fail] block %s is in %s and again in %s\n", c->block, c->used->path, c->hidden->path);
    (void)snprintf(text, sizeof text, "%u plugins with %u blocks", n_good, n_blocks);
    say(n_good > 0, "plugins", n_good > 0 ? text : "none can be used: set GNOMON_PLUGIN_PATH");
    return n_bad + (n_good == 0 ? 1 : 0);
}

static void check_data(void)
{
    const char *data = getenv("GNOMON_DATA");

    (void)printf("[info] test data: %s%s\n", data != NULL ? data : "GNOMON_DATA is not set",
            data != NULL && access(data, R_OK | X_OK) != 0 ? " (not there)" : "");
}

static int doctor(const struct cli_args *args)
{
    struct gn_registry *reg = gn_registry_new(NULL);

    (void)args;
    if (reg == NULL)
        return cli_fail(CLI_INTERNAL, "out of memory");
    uint32_t n_bad = check_plugins(reg);
    check_data();
    long n_cores = sysconf(_SC_NPROCESSORS_ONLN);
    (void)printf("[info] %ld cores\n", n_cores);
    gn_registry_free(reg);
    return n_bad > 0 ? CLI_PLUGIN : CLI_OK;
}

const struct cli_command cli_doctor = {
        .name = "doctor",
        .usage = "doctor",
        .summary = "check that plugins, folders and data are in their place",
        .run = doctor,
};
