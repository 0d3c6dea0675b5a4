/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Event ledger: samples that were lost or repeated, and why. Private to core. */
#ifndef GN_RUN_LEDGER_H
#define GN_RUN_LEDGER_H

#include "gnomon/schema.h"

struct gn_msg_ledger {
    char cause[48];
    uint64_t lost, repeated; /* ticks; all bits set: not this kind */
};

extern const struct gn_schema gn_schema_ledger;

#endif
