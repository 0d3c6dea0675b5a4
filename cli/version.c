/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon version: of what this program is made. */
#include "cli/command.h"
#include "core/plugin/registry.h"
#include "core/text/json.h"

#include <gnu/libc-version.h>
#include <libfyaml.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE "x86-64"
#elif defined(__aarch64__)
#define MACHINE "aarch64"
#elif defined(__arm__)
#define MACHINE "arm"
#else
#define MACHINE "other"
#endif

static void cpu_features(char *text, size_t room)
{
    text[0] = '\0';
#if defined(__x86_64__)
    (void)snprintf(text, room, "sse4.2%s%s%s%s%s", __builtin_cpu_supports("avx") ? " avx" : "",
            __builtin_cpu_supports("avx2") ? " avx2" : "", __builtin_cpu_supports("fma") ? " fma" : "",
            __builtin_cpu_supports("avx512f") ? " avx512f" : "", __builtin_cpu_supports("avx512vnni") ? " avx512vnni" : "");
#elif defined(__aarch64__)
    (void)snprintf(text, room, "neon");
#endif
}

static void program_path(char *path, size_t room)
{
    ssize_t n = readlink("/proc/self/exe", path, room - 1);
    path[n > 0 ? n : 0] = '\0';
}

static void print_json(const struct gn_registry *reg, const char *path, const char *features)
{
    char kernels[80];

    (void)fputs("{", stdout);
    gn_json_pair(stdout, "version", GN_VERSION);
    (void)printf(", \"abi_major\": %u, \"abi_minor\": %u, ", GN_ABI_MAJOR, GN_ABI_MINOR);
    gn_json_pair(stdout, "program", path);
    (void)fputs(", ", stdout);
    gn_json_pair(stdout, "machine", MACHINE);
    (void)fputs(", ", stdout);
    gn_json_pair(stdout, "cpu", features);
    (void)fputs(", ", stdout);
    cli_kernels_name(NULL, kernels, sizeof kernels);
    gn_json_pair(stdout, "kernels", kernels);
    (void)fputs(", ", stdout);
    gn_json_pair(stdout, "compiler", __VERSION__);
    (void)fputs(", ", stdout);
    gn_json_pair(stdout, "libfyaml", fy_library_version());
    (void)fputs(", ", stdout);
    gn_json_pair(stdout, "libc", gnu_get_libc_version());
    (void)fputs(", \"plugin_path\": [", stdout);
    const char *const *folders = gn_registry_folders(reg);
    for (size_t i = 0; folders[i] != NULL; i++) {
        (void)fputs(i > 0 ? ", " : "", stdout);
        gn_json_text(stdout, folders[i]);
    }
    (void)puts("]}");
}

static void print_verbose(const struct gn_registry *reg, const char *path, const char *features)
{
    char kernels[80];

    cli_kernels_name(NULL, kernels, sizeof kernels);
    (void)printf("program    %s\nABI        %u.%u\nmachine    %s (%s)\nkernels    %s\ncompiler   %s\nlibfyaml   %s\nlibc       %s\n", path,
            GN_ABI_MAJOR, GN_ABI_MINOR, MACHINE, features, kernels, __VERSION__, fy_library_version(), gnu_get_libc_version());
    (void)puts("plugin path:");
    for (const char *const *f = gn_registry_folders(reg); *f != NULL; f++)
        (void)printf("  %s%s\n", *f, access(*f, R_OK) == 0 ? "" : " (not there)");
    (void)puts("plugins:");
    for (const struct gn_plugin_file *f = gn_registry_files(reg); f != NULL; f = f->next)
        (void)printf("  %-12s %s%s%s\n", f->name != NULL ? f->name : "-", f->path, f->reason != NULL ? ": " : "",
                f->reason != NULL ? f->reason : "");
}

static int version(const struct cli_args *args)
{
    char path[4096], features[160];

    if (!args->is_verbose && !args->is_json) {
        (void)puts("gnomon " GN_VERSION);
        return CLI_OK;
    }
    struct gn_registry *reg = gn_registry_new(NULL);
    if (reg == NULL)
        return cli_fail(CLI_INTERNAL, "out of memory");
    program_path(path, sizeof path);
    cpu_features(features, sizeof features);
    if (args->is_json) {
        print_json(reg, path, features);
    } else {
        gn_registry_load_all(reg);
        (void)puts("gnomon " GN_VERSION);
        print_verbose(reg, path, features);
    }
    gn_registry_free(reg);
    return CLI_OK;
}

const struct cli_command cli_version = {
        .name = "version",
        .usage = "version [--verbose] [--json]",
        .summary = "version, libraries, paths and CPU features",
        .run = version,
};
