/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The plainest blocks: for tests, benches and plumbing. */
#ifndef GN_PLUGINS_STD_H
#define GN_PLUGINS_STD_H

#include "gnomon/block.h"

extern const struct gn_block gn_std_null_source, gn_std_null_sink, gn_std_copy, gn_std_head, gn_std_gain;

/* Bytes of an item of enum gn_format, 0: no such format. */
uint32_t gn_std_item_bytes(uint32_t format);

#endif
