/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#ifndef GN_PLUGINS_SINK_BLOCKS_H
#define GN_PLUGINS_SINK_BLOCKS_H

#include "gnomon/block.h"

#include <stdio.h>

extern const struct gn_block gn_sink_jsonl, gn_sink_nmea, gn_sink_sigmf;

/* A text file that says when it could not be written. path "-": standard output. */
struct sink_file {
    FILE *f;
    const char *path;
    uint8_t is_stdout, is_live;
};

gn_status sink_open(struct sink_file *s, const struct gn_host *h, const char *path);
gn_status sink_write(struct sink_file *s, const struct gn_host *h, const char *text, size_t n);
/* After each work call: a live run shows its lines at once. */
gn_status sink_flush(struct sink_file *s, const struct gn_host *h);
/* All lines are on their way to the disk, or why not. */
gn_status sink_finish(struct sink_file *s, const struct gn_host *h);
void sink_close(struct sink_file *s);

#endif
