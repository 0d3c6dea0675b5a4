/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Small questions about ports and formats. */
#include "core/graph/build.h"

#include <string.h>

static const char *const format_names[] = {[GN_FMT_NONE] = "none", [GN_FMT_CI8] = "ci8",
        [GN_FMT_CI16] = "ci16", [GN_FMT_CF32] = "cf32", [GN_FMT_S8] = "s8", [GN_FMT_S16] = "s16",
        [GN_FMT_F32] = "f32", [GN_FMT_U8] = "u8"};

const char *gn_format_name(uint32_t format)
{
    return format < GN_COUNT(format_names) ? format_names[format] : "unknown";
}

static uint32_t format_bit(const char *word, size_t n)
{
    if (n == 3 && memcmp(word, "any", 3) == 0)
        return GN_FORMATS_ALL;
    for (uint32_t f = 1; f < GN_COUNT(format_names); f++) {
        if (strlen(format_names[f]) == n && memcmp(format_names[f], word, n) == 0)
            return 1u << f;
    }
    return 0;
}

uint32_t gn_formats_parse(const char *words)
{
    uint32_t set = 0;

    while (words != NULL && *words != '\0') {
        size_t n = strcspn(words, " ");
        set |= format_bit(words, n);
        words += n + strspn(words + n, " ");
    }
    return set;
}

bool gn_port_is_stream(const struct gn_port *p)
{
    return p->formats != NULL;
}

bool gn_port_is_any_message(const struct gn_port *p)
{
    return p->dir == GN_IN && p->formats == NULL && p->schema == NULL;
}

uint32_t gn_stream_index(const struct gn_block *block, uint32_t i_port)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < i_port; i++)
        n += block->ports[i].dir == block->ports[i_port].dir && gn_port_is_stream(&block->ports[i]) ? 1 : 0;
    return n;
}
