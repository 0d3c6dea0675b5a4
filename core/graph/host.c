/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/graph/graph.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

gn_status gn_graph_host_fail(
        const struct gn_host *h, gn_status st, const char *what, const char *fmt, ...)
{
    struct gn_failure *f = &gn_instance_of(h)->failure;
    va_list ap;

    f->status = st;
    (void)snprintf(f->what, sizeof f->what, "%s", what != NULL ? what : "");
    va_start(ap, fmt);
    (void)vsnprintf(f->text, sizeof f->text, fmt, ap);
    va_end(ap);
    return st;
}

void gn_graph_host_log(const struct gn_host *h, uint32_t level, const char *fmt, ...)
{
    const struct gn_graph *g = gn_instance_of(h)->graph;
    char text[512];
    va_list ap;

    if (g == NULL || g->options.log == NULL)
        return;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    g->options.log(g->options.log_user, level, h->name, text);
}

const void *gn_graph_host_ext(const struct gn_host *h, const char *id)
{
    const struct gn_graph *g = gn_instance_of(h)->graph;

    if (g == NULL)
        return NULL;
    if (strcmp(id, "gn.kernels/1") == 0)
        return g->options.kernels;
    if (strcmp(id, "gn.strict/1") == 0)
        return g->options.strict;
    return NULL;
}
