/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Messages of device authentication: what a prover answered, what a verifier decided. */
#ifndef GN_MSG_AUTH_H
#define GN_MSG_AUTH_H

#include "gnomon/schema.h"

#include <stdint.h>

/* Event auth.answer: a prover answered a challenge. */
struct gn_msg_auth_answer {
    uint32_t coupon;      /* its index */
    uint32_t core_cycles; /* of the multiplier (model) */
    float model_us;       /* at 8 MHz */
    char arch[24];
};

/* Event auth.result: a verifier ended a run, or refused to open one. Only `ok` makes a peer authentic. */
struct gn_msg_auth_result {
    uint32_t coupon; /* its index */
    uint16_t peer;  /* short address it came from */
    uint8_t ok, lqi;
    uint32_t c_bits;
    float rtt_us;   /* challenge sent to answer received; NaN: none */
    char reason[48];
};

extern const struct gn_schema gn_schema_auth_answer, gn_schema_auth_result;

#endif
