/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Messages of Galileo OSNMA; field meanings: OSNMA SIS ICD 1.1. GST: wn = GST week, tow = second of week. */
#ifndef GN_MSG_OSNMA_H
#define GN_MSG_OSNMA_H

#include "gnomon/schema.h"

#include <stdint.h>

#define GN_OSNMA_REASON 32

/* Event osnma.tag */
struct gn_msg_osnma_tag {
    uint32_t wn, tow;          /* start of the sub-frame that carried the tag */
    uint8_t prn_a, prn_d, adkd, ctr, verdict; /* gn_verdict of the MAC */
    uint8_t reserved[3];
    char reason[GN_OSNMA_REASON]; /* "dummy", "no-trusted-time", "no-data", "no-key", ... */
    char data[9];              /* first 8 hex digits of SHA-256 over the covered bits, "" when there are none */
    uint8_t reserved2[7];
};

/* Event osnma.data: what may be relied on. content is compared bit by bit by positioning. */
struct gn_msg_osnma_data {
    uint8_t prn, adkd, authentic; /* authentic is 1 only under trusted time */
    uint8_t time_trusted;      /* 0: tags fit but there was no trusted time */
    uint16_t iod;
    uint16_t bits;             /* accumulated tag bits */
    char data[9];
    uint8_t forged;            /* a tag over this content failed under a verified key */
    uint16_t content_bits;     /* 549 or 141 */
    uint8_t content[69];       /* hidden; the covered bits, most significant first */
    uint8_t reserved[3];
    uint32_t wn, tow;          /* sub-frame of the newest tag */
};

/* Events osnma.key, osnma.kroot, osnma.pkr, osnma.oam share a shape. */
struct gn_msg_osnma_key {
    uint32_t wn, tow;
    uint8_t cid, pkid, verdict, reserved;
    uint32_t steps;            /* hashes walked */
    char reason[GN_OSNMA_REASON];
};

/* Event osnma.time: UTC and GGTO from authentic ADKD 4 data. Galileo OS SIS ICD 2.1, tables 70 and 71: weeks and hours as sent
 * (8 and 6 bits of week). */
struct gn_msg_osnma_time {
    uint32_t wn, tow;          /* sub-frame of the tag that vouches for it */
    uint8_t prn, has_ggto;
    uint8_t leap_wn8, leap_dn, utc_wn8, ggto_wn6;
    uint8_t reserved[2];
    int32_t leap_s, leap_next_s; /* GST - UTC now and after the leap */
    uint32_t utc_t0_s, ggto_t0_s; /* second of week of the reference */
    double utc_a0_s, utc_a1_sps;  /* GST - UTC less leap seconds at the reference, and its rate */
    double ggto_a0_s, ggto_a1_sps; /* GST - GPS time */
    char data[9];              /* as in osnma.data */
    uint8_t reserved2[7];
};

/* Event osnma.status */
struct gn_msg_osnma_status {
    uint32_t wn, tow;
    uint8_t nmas, cid, cpks, authenticated;
    uint8_t reserved[4];
    char state[GN_OSNMA_REASON];
};

extern const struct gn_schema gn_schema_osnma_tag, gn_schema_osnma_data, gn_schema_osnma_key,
        gn_schema_osnma_kroot, gn_schema_osnma_pkr, gn_schema_osnma_oam, gn_schema_osnma_status,
        gn_schema_osnma_time;

#endif
