/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon new-plugin: one file that compiles and runs, to start from. */
#include "cli/command.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const char source[] =
        "/* Build: cc -O2 -shared -fPIC -fvisibility=hidden -I SDK/include %1$s.c -o %1$s.so\n"
        " * Run:   GNOMON_PLUGIN_PATH=. gnomon run 'std.null_source length=1000000 > %1$s.gain gain=2 > std.null_sink' */\n"
        "#include \"gnomon/block.h\"\n"
        "\n"
        "struct gain {\n"
        "    double gain;\n"
        "};\n"
        "\n"
        "static const struct gn_port ports[] = {\n"
        "        {.name = \"in\", .formats = \"f32 cf32\", .dir = GN_IN},\n"
        "        {.name = \"out\", .formats = \"f32 cf32\", .dir = GN_OUT},\n"
        "};\n"
        "\n"
        "static const struct gn_param params[] = {\n"
        "        GN_PARAM(struct gain, gain, GN_P_F64, \"\", \"1\", -1e6, 1e6, \"what each item is multiplied by\"),\n"
        "};\n"
        "\n"
        "static gn_status work(void *state, const struct gn_host *h, struct gn_work *w)\n"
        "{\n"
        "    const struct gain *g = state;\n"
        "    struct gn_in *in = &w->in[0];\n"
        "    struct gn_out *out = &w->out[0];\n"
        "    uint32_t n = in->n_items < out->n_room ? in->n_items : out->n_room;\n"
        "    uint32_t n_floats = n * (in->format == GN_FMT_CF32 ? 2 : 1);\n"
        "    const float *x = in->items;\n"
        "    float *y = out->items;\n"
        "\n"
        "    (void)h;\n"
        "    for (uint32_t i = 0; i < n_floats; i++)\n"
        "        y[i] = (float)g->gain * x[i];\n"
        "    in->n_used = out->n_made = n;\n"
        "    return GN_OK;\n"
        "}\n"
        "\n"
        "static const struct gn_block gain = {.name = \"%1$s.gain\", .summary = \"multiply by a constant\",\n"
        "        .ports = ports, .n_ports = GN_COUNT(ports), .params = params, .n_params = GN_COUNT(params),\n"
        "        .state_size = sizeof(struct gain), .work = work};\n"
        "\n"
        "static const struct gn_block *const blocks[] = {&gain};\n"
        "\n"
        "GN_PLUGIN(\"%1$s\", \"0.1.0\", \"ISC\", blocks);\n";

static bool is_name(const char *s)
{
    if (!islower((unsigned char)*s))
        return false;
    for (; *s != '\0'; s++) {
        if (!islower((unsigned char)*s) && !isdigit((unsigned char)*s) && *s != '_')
            return false;
    }
    return true;
}

static int new_plugin(const struct cli_args *args)
{
    const char *name = args->words[0];
    char path[256];

    if (!is_name(name) || strlen(name) > 60)
        return cli_fail(CLI_USAGE, "a plugin's name has lower-case letters, digits and _ only, not '%s'", name);
    (void)snprintf(path, sizeof path, "%s.c", name);
    FILE *f = fopen(path, "wx"); /* never over a file that is there */
    if (f == NULL)
        return cli_fail(CLI_OUTPUT, "%s cannot be written: %s", path, strerror(errno));
    for (const char *s = source; *s != '\0'; s++) {
        if (strncmp(s, "%1$s", 4) == 0) {
            (void)fputs(name, f);
            s += 3;
        } else {
            (void)fputc(*s, f);
        }
    }
    bool is_bad = ferror(f) != 0;
    is_bad = fclose(f) != 0 || is_bad;
    if (is_bad)
        return cli_fail(CLI_OUTPUT, "%s could not be written completely", path);
    if (!args->is_quiet)
        (void)printf("%s: its first lines say how to build and run it\n", path);
    return CLI_OK;
}

const struct cli_command cli_new_plugin = {
        .name = "new-plugin",
        .usage = "new-plugin NAME",
        .summary = "write NAME.c, a plugin with one block to start from",
        .n_words_min = 1,
        .n_words_max = 1,
        .run = new_plugin,
};
