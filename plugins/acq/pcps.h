/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* State of acq.pcps. */
#ifndef GN_ACQ_PCPS_H
#define GN_ACQ_PCPS_H

#include "gnomon/block.h"
#include "lib/acq/resample.h"
#include "lib/acq/search.h"
#include "plugins/acq/listing.h"

enum { PORT_IQ, PORT_REQUESTS, PORT_HITS };

enum mode { MODE_REQUESTS, MODE_LIST };

enum phase {
    PHASE_IDLE,    /* nothing asked, or waiting for tick next_start */
    PHASE_COLLECT, /* filling the window */
    PHASE_SEARCH,  /* the job has window and order */
};

struct pcps {
    /* parameters */
    uint64_t signals;
    double doppler_max_hz, clock_ppm, pfa;
    int32_t mode;

    struct gn_acq *search; /* owned; of the job while PHASE_SEARCH, and so are: */
    float (*window)[2];    /* owned, [room] */
    struct gn_acq_order order;
    struct gn_acq_found found[GN_ACQ_HITS_MAX];
    uint32_t n_found;

    uint32_t room, want;   /* samples the window can hold; samples this order uses */
    uint32_t n;            /* samples in it */
    uint32_t phase;        /* enum phase */
    uint64_t window_index; /* tick of its first sample */
    struct gn_acq_resample resample;
    struct gn_msg_acq_request request; /* next order */
    bool has_request;
    bool is_cancelled;
    uint64_t next_start; /* list mode: tick of the next window */
    double rate_sps;
    struct gn_acq_listing listing;
};

#endif
