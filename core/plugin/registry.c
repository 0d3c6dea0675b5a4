/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/plugin/registry.h"

#include "core/plugin/records.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDERS_MAX 32u
#define FILES_MAX   4096u /* of one folder */

struct gn_registry {
    struct gn_arena *arena;
    const char *folders[FOLDERS_MAX + 1];
    uint32_t n_folders;
    struct gn_plugin_file *files, **last_file;
    struct gn_plugin_clash *clashes, **last_clash;
    bool has_all;
};

static void add_folder(struct gn_registry *reg, const char *path)
{
    for (uint32_t i = 0; i < reg->n_folders; i++) {
        if (strcmp(reg->folders[i], path) == 0)
            return;
    }
    if (reg->n_folders < FOLDERS_MAX)
        reg->folders[reg->n_folders++] = gn_arena_text(reg->arena, path, strlen(path));
}

static void add_path_list(struct gn_registry *reg, const char *list)
{
    while (list != NULL && *list != '\0') {
        size_t n = strcspn(list, ":");
        if (n > 0)
            add_folder(reg, gn_arena_text(reg->arena, list, n));
        list += n + (list[n] == ':' ? 1 : 0);
    }
}

static const char *folder_of(struct gn_registry *reg, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? gn_arena_text(reg->arena, path, (size_t)(slash - path)) : ".";
}

static void add_program_folders(struct gn_registry *reg, const char *program, bool is_prefix)
{
    char path[4096];

    if (program == NULL) {
        ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
        if (n <= 0)
            return;
        path[n] = '\0';
        program = path;
    }
    const char *dir = folder_of(reg, program);
    if (!is_prefix) {
        add_folder(reg, gn_arena_printf(reg->arena, "%s/plugins", dir));
        return;
    }
    const char *slash = strrchr(dir, '/');
    if (slash != NULL && strcmp(slash, "/bin") == 0)
        add_folder(reg, gn_arena_printf(reg->arena, "%.*s/lib/gnomon/plugins", (int)(slash - dir), dir));
}

static void add_xdg_folder(struct gn_registry *reg)
{
    const char *xdg = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

    if (xdg != NULL && xdg[0] == '/')
        add_folder(reg, gn_arena_printf(reg->arena, "%s/gnomon/plugins", xdg));
    else if (home != NULL && home[0] == '/')
        add_folder(reg, gn_arena_printf(reg->arena, "%s/.local/share/gnomon/plugins", home));
}

struct gn_registry *gn_registry_new(const char *program)
{
    struct gn_registry *reg = calloc(1, sizeof *reg);
    if (reg == NULL)
        return NULL;
    reg->arena = gn_arena_new();
    if (reg->arena == NULL) {
        free(reg);
        return NULL;
    }
    reg->last_file = &reg->files;
    reg->last_clash = &reg->clashes;
    add_path_list(reg, getenv("GNOMON_PLUGIN_PATH"));
    add_program_folders(reg, program, false);
    add_xdg_folder(reg);
    add_program_folders(reg, program, true);
#ifdef GN_PLUGIN_DIR
    add_folder(reg, GN_PLUGIN_DIR);
#endif
    return reg;
}

void gn_registry_free(struct gn_registry *reg)
{
    if (reg == NULL)
        return;
    gn_arena_free(reg->arena);
    free(reg);
}

static const struct gn_block *find_loaded(
        const struct gn_registry *reg, const char *name, const struct gn_plugin_file **owner)
{
    for (const struct gn_plugin_file *f = reg->files; f != NULL; f = f->next) {
        for (uint32_t i = 0; i < f->n_blocks; i++) {
            if (strcmp(f->blocks[i]->name, name) != 0)
                continue;
            if (owner != NULL)
                *owner = f;
            return f->blocks[i];
        }
    }
    return NULL;
}

static void report_clashes(struct gn_registry *reg, const struct gn_plugin_file *file)
{
    for (uint32_t i = 0; i < file->n_blocks; i++) {
        const struct gn_plugin_file *used = file;
        (void)find_loaded(reg, file->blocks[i]->name, &used);
        if (used == file)
            continue;
        struct gn_plugin_clash *c = gn_arena_alloc(reg->arena, sizeof *c);
        *c = (struct gn_plugin_clash){file->blocks[i]->name, used, file, NULL};
        *reg->last_clash = c;
        reg->last_clash = &c->next;
    }
}

/* dlerror() starts with the file, which the row has already */
static const char *loader_words(struct gn_registry *reg, const char *path)
{
    const char *words = dlerror();
    size_t n = strlen(path);

    if (words == NULL)
        return "the dynamic loader refuses it";
    if (strncmp(words, path, n) == 0 && words[n] == ':')
        words += n + 1 + strspn(words + n + 1, " ");
    return gn_arena_text(reg->arena, words, strlen(words));
}

static void open_file(struct gn_registry *reg, struct gn_plugin_file *file)
{
    /* a name without a slash would be searched in the system's folders */
    const char *path = strchr(file->path, '/') != NULL
            ? file->path : gn_arena_printf(reg->arena, "./%s", file->path);
    /* never dlclose(): code may still be on a stack, and its constants are in use */
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        file->reason = loader_words(reg, path);
        return;
    }
    const struct gn_plugin *plugin = dlsym(handle, "gn_plugin");
    if (plugin == NULL)
        file->reason = "it exports no gn_plugin: not a plugin of this program (GN_PLUGIN in block.h makes one)";
    else
        gn_plugin_take(reg->arena, file, plugin);
}

const struct gn_plugin_file *gn_registry_load(struct gn_registry *reg, const char *path)
{
    struct stat st;
    int fault = stat(path, &st) != 0 ? errno : 0;

    for (struct gn_plugin_file *f = reg->files; f != NULL; f = f->next) {
        bool is_same = fault == 0 && f->inode == st.st_ino && f->device == st.st_dev;
        if (is_same || strcmp(f->path, path) == 0)
            return f;
    }
    struct gn_plugin_file *file = gn_arena_alloc(reg->arena, sizeof *file);
    file->path = gn_arena_text(reg->arena, path, strlen(path));
    if (fault != 0) {
        const char *words = strerror(fault);
        file->reason = gn_arena_text(reg->arena, words, strlen(words));
    } else if (!S_ISREG(st.st_mode)) {
        file->reason = "not a regular file";
    } else {
        file->device = st.st_dev;
        file->inode = st.st_ino;
        open_file(reg, file);
    }
    report_clashes(reg, file);
    *reg->last_file = file;
    reg->last_file = &file->next;
    return file;
}

const struct gn_plugin_file *gn_registry_add(struct gn_registry *reg, const char *label, const struct gn_plugin *plugin)
{
    struct gn_plugin_file *file = gn_arena_alloc(reg->arena, sizeof *file);

    file->path = gn_arena_text(reg->arena, label, strlen(label));
    gn_plugin_take(reg->arena, file, plugin);
    report_clashes(reg, file);
    *reg->last_file = file;
    reg->last_file = &file->next;
    return file;
}

static int is_plugin_name(const struct dirent *d)
{
    size_t n = strlen(d->d_name);
    return n > 3 && d->d_name[0] != '.' && strcmp(d->d_name + n - 3, ".so") == 0;
}

static void load_folder(struct gn_registry *reg, const char *folder)
{
    struct dirent **list = NULL;
    int n = scandir(folder, &list, is_plugin_name, alphasort); /* sorted: the same order everywhere */

    for (int i = 0; i < n; i++) {
        if (i < (int)FILES_MAX)
            (void)gn_registry_load(reg, gn_arena_printf(reg->arena, "%s/%s", folder, list[i]->d_name));
        free(list[i]);
    }
    free(list);
}

void gn_registry_load_all(struct gn_registry *reg)
{
    if (reg->has_all)
        return;
    reg->has_all = true;
    for (uint32_t i = 0; i < reg->n_folders; i++)
        load_folder(reg, reg->folders[i]);
}

const struct gn_block *gn_registry_find(struct gn_registry *reg, const char *name)
{
    size_t n = strcspn(name, ".");
    const struct gn_block *b = find_loaded(reg, name, NULL);

    if (b != NULL || reg->has_all || strchr(name, '/') != NULL)
        return b;
    for (uint32_t i = 0; n > 0 && i < reg->n_folders && b == NULL; i++) {
        const char *path = gn_arena_printf(reg->arena, "%s/%.*s.so", reg->folders[i], (int)n, name);
        if (access(path, F_OK) != 0)
            continue;
        (void)gn_registry_load(reg, path);
        b = find_loaded(reg, name, NULL);
    }
    if (b == NULL) {
        gn_registry_load_all(reg);
        b = find_loaded(reg, name, NULL);
    }
    return b;
}

const struct gn_plugin_file *gn_registry_owner(const struct gn_registry *reg, const struct gn_block *block)
{
    for (const struct gn_plugin_file *f = reg->files; f != NULL; f = f->next) {
        for (uint32_t i = 0; i < f->n_blocks; i++) {
            if (f->blocks[i] == block)
                return f;
        }
    }
    return NULL;
}

const struct gn_plugin_file *gn_registry_files(const struct gn_registry *reg)
{
    return reg->files;
}

const struct gn_plugin_clash *gn_registry_clashes(const struct gn_registry *reg)
{
    return reg->clashes;
}

const char *const *gn_registry_folders(const struct gn_registry *reg)
{
    return reg->folders;
}

void gn_registry_suggest(const struct gn_registry *reg, struct gn_suggest *s)
{
    for (const struct gn_plugin_file *f = reg->files; f != NULL; f = f->next) {
        for (uint32_t i = 0; i < f->n_blocks; i++)
            gn_suggest_offer(s, f->blocks[i]->name);
    }
}
