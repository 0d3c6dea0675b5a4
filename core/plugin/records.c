/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/plugin/records.h"

#include <string.h>

#define RECORD_BYTES_MAX 4096u
#define PORTS_MAX        64u
#define PARAMS_MAX       256u
#define FIELDS_MAX       256u
#define SUB_DEPTH_MAX    8u
#define STATE_BYTES_MAX  (1u << 30)

struct taker {
    struct gn_arena *arena;
    const struct gn_plugin *plugin;
    const char *reason;
    bool is_same_size; /* every record is as this program knows it: used in place */
};

static size_t min2(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* One record of another size: what both know is copied, the rest of ours stays zero. */
static void *resized(struct taker *t, const void *from, size_t from_bytes, size_t to_bytes, size_t n)
{
    char *copy = gn_arena_alloc(t->arena, to_bytes * n);
    for (size_t i = 0; i < n; i++)
        memcpy(copy + i * to_bytes, (const char *)from + i * from_bytes, min2(from_bytes, to_bytes));
    return copy;
}

static const struct gn_field *take_fields(
        struct taker *t, const struct gn_field *from, uint32_t n, uint32_t depth)
{
    if (n > FIELDS_MAX || depth > SUB_DEPTH_MAX || from == NULL)
        return from;
    struct gn_field *f = resized(t, from, t->plugin->field_size, sizeof *f, n);
    for (uint32_t i = 0; i < n; i++)
        f[i].sub = f[i].sub != NULL ? take_fields(t, f[i].sub, f[i].n_sub, depth + 1) : NULL;
    return f;
}

static const struct gn_schema *take_schema(struct taker *t, const struct gn_schema *from)
{
    if (from == NULL || t->is_same_size)
        return from;
    struct gn_schema *s = resized(t, from, t->plugin->schema_size, sizeof *s, 1);
    s->fields = take_fields(t, s->fields, s->n_fields, 0);
    return s;
}

static const char *schema_fault(struct taker *t, const struct gn_schema *s)
{
    if (s->name == NULL || s->name[0] == '\0')
        return "a schema without a name";
    if (s->size == 0 || s->size > GN_MSG_MAX_BYTES)
        return gn_arena_printf(t->arena, "schema %s has %u bytes (1 to %u are possible)", s->name,
                s->size, GN_MSG_MAX_BYTES);
    if (s->n_fields > FIELDS_MAX || (s->n_fields > 0 && s->fields == NULL))
        return gn_arena_printf(t->arena, "schema %s has no good field table", s->name);
    return NULL;
}

static const char *port_fault(struct taker *t, const struct gn_block *b)
{
    for (uint32_t i = 0; i < b->n_ports; i++) {
        const struct gn_port *p = &b->ports[i];
        if (p->name == NULL || p->name[0] == '\0' || p->dir > GN_OUT)
            return gn_arena_printf(t->arena, "block %s: port %u has no name or no direction", b->name, i);
        if (p->formats != NULL && p->schema != NULL)
            return gn_arena_printf(t->arena, "block %s: port %s is both stream and message", b->name, p->name);
        if (p->dir == GN_OUT && p->formats == NULL && p->schema == NULL)
            return gn_arena_printf(t->arena, "block %s: message output %s has no schema", b->name, p->name);
        if (!(p->delay_s >= 0 && p->delay_s < 1e6))
            return gn_arena_printf(t->arena, "block %s: port %s has a delay that cannot be", b->name, p->name);
        const char *fault = p->schema != NULL ? schema_fault(t, p->schema) : NULL;
        if (fault != NULL)
            return gn_arena_printf(t->arena, "block %s: port %s: %s", b->name, p->name, fault);
        for (uint32_t j = 0; j < i; j++) {
            if (strcmp(b->ports[j].name, p->name) == 0)
                return gn_arena_printf(t->arena, "block %s: two ports %s", b->name, p->name);
        }
    }
    return NULL;
}

static size_t value_bytes(uint32_t type)
{
    static const size_t bytes[] = {[GN_P_F64] = 8, [GN_P_I64] = 8, [GN_P_BOOL] = 1,
            [GN_P_TEXT] = sizeof(char *), [GN_P_PATH] = sizeof(char *), [GN_P_ENUM] = 4,
            [GN_P_SET] = 8, [GN_P_LIST] = sizeof(struct gn_list)};
    return type < GN_COUNT(bytes) ? bytes[type] : 0;
}

static const char *param_fault(struct taker *t, const struct gn_block *b)
{
    for (uint32_t i = 0; i < b->n_params; i++) {
        const struct gn_param *p = &b->params[i];
        if (p->name == NULL || p->name[0] == '\0')
            return gn_arena_printf(t->arena, "block %s: parameter %u has no name", b->name, i);
        size_t n = value_bytes(p->type);
        if (n == 0)
            return gn_arena_printf(t->arena, "block %s: parameter %s has the unknown type %u", b->name,
                    p->name, p->type);
        if ((uint64_t)p->offset + n > b->state_size)
            return gn_arena_printf(t->arena, "block %s: parameter %s lies outside the state", b->name, p->name);
        if ((p->type == GN_P_ENUM || p->type == GN_P_SET) && p->choices == NULL)
            return gn_arena_printf(t->arena, "block %s: parameter %s has no choices", b->name, p->name);
        for (uint32_t j = 0; j < i; j++) {
            if (strcmp(b->params[j].name, p->name) == 0)
                return gn_arena_printf(t->arena, "block %s: two parameters %s", b->name, p->name);
        }
    }
    return NULL;
}

static const char *block_fault(struct taker *t, const struct gn_block *b)
{
    if (b->name == NULL || b->name[0] == '\0')
        return "a block without a name";
    if (b->work == NULL)
        return gn_arena_printf(t->arena, "block %s has no work()", b->name);
    if (b->n_ports > PORTS_MAX || b->n_params > PARAMS_MAX || b->state_size > STATE_BYTES_MAX)
        return gn_arena_printf(t->arena, "block %s: more ports, parameters or state than can be", b->name);
    if ((b->n_ports > 0 && b->ports == NULL) || (b->n_params > 0 && b->params == NULL))
        return gn_arena_printf(t->arena, "block %s: a table is missing", b->name);
    return NULL;
}

static const struct gn_block *take_block(struct taker *t, const struct gn_block *from)
{
    const struct gn_plugin *p = t->plugin;
    const struct gn_block *taken = from;

    if (from == NULL) {
        t->reason = "its list of blocks has a hole";
        return NULL;
    }
    if (!t->is_same_size)
        taken = resized(t, from, p->block_size, sizeof *taken, 1);
    t->reason = block_fault(t, taken);
    if (t->reason == NULL && !t->is_same_size) {
        struct gn_block *b = resized(t, taken, sizeof *b, sizeof *b, 1);
        struct gn_port *ports = resized(t, b->ports, p->port_size, sizeof *ports, b->n_ports);
        for (uint32_t i = 0; i < b->n_ports; i++)
            ports[i].schema = take_schema(t, ports[i].schema);
        b->ports = ports;
        b->params = resized(t, b->params, p->param_size, sizeof *b->params, b->n_params);
        taken = b;
    }
    if (t->reason == NULL)
        t->reason = port_fault(t, taken);
    if (t->reason == NULL)
        t->reason = param_fault(t, taken);
    return taken;
}

static const char *header_fault(struct gn_arena *arena, const struct gn_plugin *p)
{
    const uint32_t sizes[] = {p->block_size, p->port_size, p->param_size, p->schema_size, p->field_size};

    if (p->abi_major != GN_ABI_MAJOR)
        return gn_arena_printf(arena, "it was built for ABI %u, this program has %u: rebuild it against this sdk",
                p->abi_major, GN_ABI_MAJOR);
    if (p->size < sizeof *p)
        return gn_arena_printf(arena, "its record gn_plugin has %u bytes, fewer than the first release's %zu",
                p->size, sizeof *p);
    for (size_t i = 0; i < GN_COUNT(sizes); i++) {
        if (sizes[i] < 16 || sizes[i] > RECORD_BYTES_MAX || sizes[i] % 8 != 0)
            return gn_arena_printf(arena, "a record size of %u bytes cannot be right", sizes[i]);
    }
    if (p->name == NULL || p->name[0] == '\0')
        return "gn_plugin has no name";
    if (p->n_blocks > GN_PLUGIN_BLOCKS_MAX || (p->n_blocks > 0 && p->blocks == NULL))
        return gn_arena_printf(arena, "a list of %u blocks cannot be right", p->n_blocks);
    return NULL;
}

void gn_plugin_take(struct gn_arena *arena, struct gn_plugin_file *file, const struct gn_plugin *plugin)
{
    struct taker t = {.arena = arena, .plugin = plugin};

    file->reason = header_fault(arena, plugin);
    if (file->reason != NULL)
        return;
    t.is_same_size = plugin->block_size == sizeof(struct gn_block)
            && plugin->port_size == sizeof(struct gn_port) && plugin->param_size == sizeof(struct gn_param)
            && plugin->schema_size == sizeof(struct gn_schema)
            && plugin->field_size == sizeof(struct gn_field);
    const struct gn_block **blocks = gn_arena_alloc(arena, (plugin->n_blocks + 1) * sizeof *blocks);
    for (uint32_t i = 0; i < plugin->n_blocks; i++) {
        blocks[i] = take_block(&t, plugin->blocks[i]);
        if (t.reason != NULL) {
            file->reason = t.reason;
            return;
        }
    }
    file->name = plugin->name;
    file->version = plugin->version != NULL ? plugin->version : "";
    file->license = plugin->license != NULL ? plugin->license : "";
    file->abi_major = plugin->abi_major;
    file->abi_minor = plugin->abi_minor;
    file->blocks = blocks;
    file->n_blocks = plugin->n_blocks;
}
