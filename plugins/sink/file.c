/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/sink/blocks.h"

#include <errno.h>
#include <string.h>

static gn_status failed(const struct sink_file *s, const struct gn_host *h, const char *what, int err)
{
    char words[80];
    const char *why = strerror_r(err, words, sizeof words);
    return h->fail(h, GN_E_OUTPUT, "path", "%s: %s: %s", s->path, what, why);
}

gn_status sink_open(struct sink_file *s, const struct gn_host *h, const char *path)
{
    s->path = path;
    s->is_live = h->anchor != NULL && h->anchor->is_live;
    s->is_stdout = path != NULL && strcmp(path, "-") == 0;
    if (path == NULL || path[0] == 0)
        return h->fail(h, GN_E_ARG, "path", "a file to write is needed (\"-\" is standard output)");
    s->f = s->is_stdout ? stdout : fopen(path, "wbe");
    return s->f != NULL ? GN_OK : failed(s, h, "cannot be opened for writing", errno);
}

gn_status sink_write(struct sink_file *s, const struct gn_host *h, const char *text, size_t n)
{
    return fwrite(text, 1, n, s->f) == n ? GN_OK : failed(s, h, "cannot be written", errno);
}

gn_status sink_flush(struct sink_file *s, const struct gn_host *h)
{
    if (s->is_live && fflush(s->f) != 0)
        return failed(s, h, "cannot be written", errno);
    return GN_OK;
}

gn_status sink_finish(struct sink_file *s, const struct gn_host *h)
{
    return fflush(s->f) == 0 ? GN_OK : failed(s, h, "cannot be written", errno);
}

void sink_close(struct sink_file *s)
{
    if (s->f != NULL && !s->is_stdout)
        (void)fclose(s->f); /* after a good sink_finish() nothing is left to lose */
    s->f = NULL;
}
