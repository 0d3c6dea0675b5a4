/* SPDX-License-Identifier: ISC
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Abilities a block asks the host for by id: host->ext(host, GN_EVENT_PRINT_ID). NULL: this host has it not. */
#ifndef GNOMON_EVENT_H
#define GNOMON_EVENT_H

#include "gnomon/block.h"

#define GN_EVENT_PRINT_ID "gn.event_print/1"
#define GN_EVENT_MAX_BYTES 262144u /* room that is enough for every message */

struct gn_event_print {
    uint32_t size, reserved;
    /* msg as one line of the event log, without a newline, zero-ended. Returns its length; 0: its schema names
     * no event, or room is too small. [stream] */
    size_t (*line)(const struct gn_host *h, const struct gn_msg *msg, char *buf, size_t room);
};

#define GN_LEDGER_ID "gn.ledger/1"

struct gn_ledger {
    uint32_t size, reserved;
    /* Source: n_ticks before the next item of stream output i_out were delivered twice (losses: gap()). [stream] */
    void (*repeated)(const struct gn_host *h, uint32_t i_out, uint64_t n_ticks, const char *cause);
};

#endif
