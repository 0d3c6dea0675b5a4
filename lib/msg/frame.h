/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Messages of the IEEE 802.15.4 radio: a frame as it is on the air, and a packet as its user sees it.
 *
 *   user <- packet - modem.mac <- frame - modem.oqpsk_demod <- samples
 *   user - packet -> modem.mac - frame -> modem.oqpsk_mod, modem.channel -> samples */
#ifndef GN_MSG_FRAME_H
#define GN_MSG_FRAME_H

#include "gnomon/schema.h"

#include <stdint.h>

#define GN_PSDU_MAX 127u /* IEEE 802.15.4-2006 aMaxPHYPacketSize */

/* Event frame. index of the message: first sample of the preamble. Receivers leave out a frame whose
 * FCS is wrong unless told otherwise; senders fill psdu (FCS included), n, node and power alone. */
struct gn_msg_frame {
    uint32_t n;      /* bytes of psdu, FCS included */
    uint8_t fcs_ok;
    uint8_t lqi;     /* 0..255 */
    uint8_t node;    /* whose antenna: sender (to a modulator or channel), 0 from a demodulator */
    uint8_t reserved;
    uint64_t end_sample; /* first sample after the frame */
    float snr_db;    /* in 2 MHz; NaN unknown */
    float cfo_hz;    /* carrier offset, positive: sender is higher; NaN unknown */
    float sfo_ppm;   /* sender's chip clock against our sample clock, positive: faster; NaN: frame too short */
    float power_dbfs; /* 0 = amplitude 1; sender: wanted power */
    uint8_t psdu[GN_PSDU_MAX];
    uint8_t reserved2;
};

#define GN_PACKET_MAX 1024u

enum gn_packet_state {
    GN_PACKET_DATA = 0, /* bytes for the user, or from the user to be sent */
    GN_PACKET_SENT,     /* to the user: packet `handle` went out, and was acknowledged if that was asked for */
    GN_PACKET_NO_ACK,   /* ... every retry went without an acknowledgement */
    GN_PACKET_BUSY,     /* ... the channel was never free (CSMA/CA gave up) or the queue was full */
    GN_PACKET_REFUSED,  /* ... it is too long */
    GN_PACKET_STATE_COUNT
};

/* Bytes between a user and modem.mac, which splits and joins them as frames need. */
struct gn_msg_packet {
    uint32_t n;      /* bytes used */
    uint32_t handle; /* sender's number, comes back with SENT, NO_ACK, BUSY, REFUSED */
    uint16_t pan, src, dst; /* short addresses; dst 0xffff: all; src 0 and pan 0 from a user: the MAC's own */
    uint8_t state;   /* enum gn_packet_state */
    uint8_t lqi;     /* of the weakest frame it came in */
    uint8_t bytes[GN_PACKET_MAX];
};

/* frame_sent: the same struct on its way to a modulator or channel; event frame.sent. */
extern const struct gn_schema gn_schema_frame, gn_schema_frame_sent, gn_schema_packet;

#endif
