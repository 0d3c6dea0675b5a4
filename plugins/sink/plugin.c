/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/sink/blocks.h"

static const struct gn_block *const blocks[] = {&gn_sink_jsonl, &gn_sink_nmea, &gn_sink_sigmf};

GN_PLUGIN("sink", "0.1.0", "GPL-3.0-or-later", blocks);
