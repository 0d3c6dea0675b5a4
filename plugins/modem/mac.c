/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* modem.mac: packets of a user as MAC frames: unslotted CSMA/CA, acknowledgements, retries, pieces (RFC 4944).
 *
 *   samples -- power of each symbol time --> backoff -> CCA -> send -> wait for the acknowledgement -> next
 *   frames  -- for us? --> acknowledge, join --> packets
 *
 * Time advances by symbols (16 us) of its sample input, so it is the same however the stream is cut. */
#include "lib/modem/mac.h"

#include "lib/modem/oqpsk.h"
#include "lib/msg/frame.h"
#include "plugins/modem/blocks.h"

#include <math.h>
#include <string.h>

/* IEEE 802.15.4-2006, tables 85 and 86, in symbols */
#define UNIT_BACKOFF 20u
#define BE_MIN       3u
#define BE_MAX       5u
#define BACKOFFS_MAX 4u
#define CCA          8u
#define TURNAROUND   12u
#define ACK_WAIT     54u
#define RETRIES_MAX  3u
#define SIFS         12u
#define LIFS         40u

#define QUEUE  8u
#define PEERS  8u
#define PIECE  104u /* bytes, a multiple of 8; 9 + 5 + 104 + 2 = 120 of 127 */
#define WHOLE  116u /* most bytes that go without a piece header: 127 - 9 - 2 */
#define BUSY_RATIO 1.4F /* above the quietest so far, noise alone varies by 5 % */

enum { P_IN = 0, P_FRAMES, P_SEND, P_TX, P_PACKETS };
enum phase { IDLE = 0, BACKOFF, SENDING, WAITING };

struct peer {
    uint16_t src, tag, size, n; /* size 0: nothing under way */
    uint8_t seq, has_seq, lqi;
    uint8_t bytes[GN_PACKET_MAX];
};

struct mac {
    int64_t node, address, pan, seed; /* parameters */
    uint8_t ack;
    uint64_t symbol_ticks, next;      /* tick of the next symbol's end */
    double energy;
    float power[CCA], quietest;       /* of the last symbols */
    uint64_t n_symbols, until;        /* symbols so far; end of the phase under way */
    uint64_t sending_until;           /* own transmitter is on, acknowledgements too */
    uint32_t phase, n_backoffs, exponent, n_retries;
    uint64_t random;
    uint8_t seq, piece_seq;
    uint16_t tag;
    struct gn_msg_packet queue[QUEUE]; /* [0] is under way */
    uint32_t n_queue, n_sent;         /* n_sent: bytes of queue[0] that went out */
    uint32_t n_now;                   /* bytes in the frame under way */
    struct peer peers[PEERS];
    uint32_t i_peer;
};

static const struct gn_port ports[] = {
        {.name = "in", .doc = "the antenna's samples: time, and whether the channel is busy", .dir = GN_IN, .formats = "cf32"},
        {.name = "frames", .doc = "what the demodulator heard", .dir = GN_IN, .schema = &gn_schema_frame},
        {.name = "send", .doc = "packets to be sent", .dir = GN_IN, .schema = &gn_schema_packet, .flags = GN_PORT_OPTIONAL},
        {.name = "tx", .doc = "frames; on the air when they count, a turnaround (192 us) later", .dir = GN_OUT,
                .schema = &gn_schema_frame_sent, .delay_s = 192e-6, .n_msgs_max = 64},
        {.name = "packets", .doc = "packets for this node, and what became of those sent", .dir = GN_OUT,
                .schema = &gn_schema_packet, .n_msgs_max = 64},
};

static const struct gn_param params[] = {
        GN_PARAM(struct mac, node, GN_P_I64, "", "1", 0, 255, "its antenna at the channel"),
        GN_PARAM(struct mac, address, GN_P_I64, "", "1", 0, 65533, "short address"),
        GN_PARAM(struct mac, pan, GN_P_I64, "", "4660", 0, 65534, "PAN identifier"),
        GN_PARAM(struct mac, ack, GN_P_BOOL, "", "true", 0, 0, "ask for acknowledgements"),
        GN_PARAM(struct mac, seed, GN_P_I64, "", "1", 0, 0, "of the backoff"),
};

static gn_status mac_start(void *state, const struct gn_host *h)
{
    struct mac *m = state;
    unsigned spc = gn_oqpsk_spc(h->anchor->rate_sps);
    if (spc == 0)
        return h->fail(h, GN_E_ARG, "in", "rate %.0f Hz is no multiple of 2 MHz from 4 to 32 MHz", h->anchor->rate_sps);
    m->symbol_ticks = GN_OQPSK_CHIPS * spc;
    m->next = m->symbol_ticks;
    m->random = (uint64_t)m->seed * 40503U + (uint64_t)m->address;
    m->quietest = INFINITY;
    return GN_OK;
}

static uint32_t draw(struct mac *m, uint32_t n)
{
    m->random = m->random * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(m->random >> 33) % n;
}

/* Returns the symbols it is on the air. */
static uint64_t transmit(struct mac *m, const struct gn_host *h, const uint8_t *psdu, size_t n)
{
    struct gn_msg_frame *f = h->msg_new(h, P_TX);
    uint64_t length = TURNAROUND + 2 * (GN_OQPSK_HEAD + n);
    uint64_t tick = m->next - m->symbol_ticks;
    *f = (struct gn_msg_frame){.n = (uint32_t)n, .fcs_ok = 1, .node = (uint8_t)m->node, .snr_db = NAN, .cfo_hz = NAN, .sfo_ppm = NAN};
    memcpy(f->psdu, psdu, n);
    h->msg_send(h, P_TX, tick, tick);
    m->sending_until = m->n_symbols + length;
    return length;
}

static void report(const struct mac *m, const struct gn_host *h, const struct gn_msg_packet *p, uint8_t st)
{
    struct gn_msg_packet *r = h->msg_new(h, P_PACKETS);
    *r = (struct gn_msg_packet){.handle = p->handle, .pan = (uint16_t)m->pan, .src = (uint16_t)m->address, .dst = p->dst, .state = st};
    uint64_t tick = m->next - m->symbol_ticks;
    h->msg_send(h, P_PACKETS, tick, tick);
}

static void backoff(struct mac *m)
{
    m->phase = BACKOFF;
    m->until = m->n_symbols + (uint64_t)UNIT_BACKOFF * draw(m, 1U << m->exponent) + CCA;
}

static void contend(struct mac *m)
{
    m->n_backoffs = 0;
    m->exponent = BE_MIN;
    backoff(m);
}

static void packet_over(struct mac *m, const struct gn_host *h, uint8_t st)
{
    report(m, h, &m->queue[0], st);
    m->n_queue--;
    memmove(m->queue, m->queue + 1, m->n_queue * sizeof m->queue[0]);
    m->n_sent = 0;
    m->n_retries = 0;
    m->phase = IDLE;
    m->tag++;
}

static bool looks_like_piece(const struct gn_msg_packet *p)
{
    return p->n > 0 && (p->bytes[0] >> 3 == 0x18 || p->bytes[0] >> 3 == 0x1c);
}

static void send_frame(struct mac *m, const struct gn_host *h)
{
    const struct gn_msg_packet *p = &m->queue[0];
    uint8_t psdu[GN_PSDU_MAX], payload[GN_PSDU_MAX];
    size_t n_header = 0;
    m->n_now = p->n;
    if (p->n > WHOLE || looks_like_piece(p)) {
        struct gn_mac_piece piece = {.size = (uint16_t)p->n, .tag = m->tag, .offset = (uint16_t)m->n_sent};
        n_header = gn_mac_piece_header(&piece, payload);
        m->n_now = p->n - m->n_sent < PIECE ? p->n - m->n_sent : PIECE;
    }
    memcpy(payload + n_header, p->bytes + m->n_sent, m->n_now);
    struct gn_mac_frame f = {.type = GN_MAC_DATA, .seq = m->seq, .dst_mode = GN_MAC_SHORT, .src_mode = GN_MAC_SHORT,
            .wants_ack = m->ack != 0 && p->dst != 0xffff, .is_one_pan = true, .dst_pan = (uint16_t)m->pan, .dst = p->dst,
            .src = (uint16_t)m->address, .payload = payload, .n_payload = n_header + m->n_now};
    size_t n = gn_mac_build(&f, psdu);
    m->until = m->n_symbols + transmit(m, h, psdu, n);
    m->phase = f.wants_ack ? WAITING : SENDING;
    m->until += f.wants_ack ? ACK_WAIT : n > 18 ? LIFS : SIFS;
}

static void frame_over(struct mac *m, const struct gn_host *h)
{
    m->seq++;
    m->n_retries = 0;
    m->n_sent += m->n_now;
    if (m->n_sent >= m->queue[0].n)
        packet_over(m, h, GN_PACKET_SENT);
    else
        contend(m);
}

static bool is_busy(const struct mac *m)
{
    float sum = 0;
    for (unsigned i = 0; i < CCA; i++)
        sum += m->power[i];
    return m->n_symbols < m->sending_until || sum / CCA > BUSY_RATIO * m->quietest + 1e-9F;
}

static void assess(struct mac *m, const struct gn_host *h)
{
    if (!is_busy(m)) {
        send_frame(m, h);
        return;
    }
    m->exponent = m->exponent < BE_MAX ? m->exponent + 1 : BE_MAX;
    if (++m->n_backoffs > BACKOFFS_MAX) {
        m->seq++;
        packet_over(m, h, GN_PACKET_BUSY);
    } else {
        backoff(m);
    }
}

/* One symbol time has passed. */
static void tick(struct mac *m, const struct gn_host *h, float power)
{
    m->power[m->n_symbols++ % CCA] = power;
    float mean = 0;
    for (unsigned i = 0; i < CCA; i++)
        mean += m->power[i] / CCA;
    if (m->n_symbols >= CCA)
        m->quietest = mean < m->quietest ? mean : m->quietest * 1.0001F;
    if (m->phase == IDLE && m->n_queue > 0)
        contend(m);
    if (m->phase == IDLE || m->n_symbols < m->until)
        return;
    if (m->phase == BACKOFF) {
        assess(m, h);
    } else if (m->phase == SENDING) {
        frame_over(m, h);
    } else if (m->n_retries++ < RETRIES_MAX) {
        contend(m);
    } else {
        m->seq++;
        packet_over(m, h, GN_PACKET_NO_ACK);
    }
}

static struct peer *peer_of(struct mac *m, uint16_t src)
{
    for (uint32_t i = 0; i < PEERS; i++)
        if (m->peers[i].src == src && m->peers[i].has_seq)
            return &m->peers[i];
    struct peer *p = &m->peers[m->i_peer++ % PEERS];
    p->src = src;
    p->size = p->has_seq = 0;
    return p;
}

static void hand_over(const struct mac *m, const struct gn_host *h, const struct peer *p, const uint8_t *bytes, size_t n,
        const struct gn_msg *msg, uint16_t dst)
{
    struct gn_msg_packet *r = h->msg_new(h, P_PACKETS);
    *r = (struct gn_msg_packet){.n = (uint32_t)n, .pan = (uint16_t)m->pan, .src = p->src, .dst = dst, .lqi = p->lqi};
    memcpy(r->bytes, bytes, n);
    h->msg_send(h, P_PACKETS, msg->index, msg->at);
}

/* Pieces come in order, for each is acknowledged before the next: one that does not fit ends the packet. */
static bool join(struct peer *p, const struct gn_mac_piece *piece)
{
    if (piece->offset == 0) {
        p->tag = piece->tag;
        p->size = piece->size <= GN_PACKET_MAX ? piece->size : 0;
        p->n = 0;
    }
    if (p->size == 0 || piece->tag != p->tag || piece->size != p->size || piece->offset != p->n) {
        p->size = 0;
        return false;
    }
    memcpy(p->bytes + p->n, piece->bytes, piece->n);
    p->n = (uint16_t)(p->n + piece->n);
    return p->n == p->size;
}

static void acknowledge(struct mac *m, const struct gn_host *h, uint8_t seq)
{
    uint8_t psdu[GN_PSDU_MAX];
    struct gn_mac_frame f = {.type = GN_MAC_ACK, .seq = seq};
    (void)transmit(m, h, psdu, gn_mac_build(&f, psdu));
}

static void hear(struct mac *m, const struct gn_host *h, const struct gn_msg *msg)
{
    const struct gn_msg_frame *heard = msg->data;
    struct gn_mac_frame f;
    struct gn_mac_piece piece;
    bool is_broken = false;
    if (!heard->fcs_ok || gn_mac_parse(heard->psdu, heard->n, &f, NULL) != GN_OK)
        return;
    if (f.type == GN_MAC_ACK && m->phase == WAITING && f.seq == m->seq)
        frame_over(m, h);
    bool is_ours = f.dst_mode == GN_MAC_SHORT && (f.dst_pan == m->pan || f.dst_pan == 0xffff) &&
                   (f.dst == (uint64_t)m->address || f.dst == 0xffff);
    if (f.type != GN_MAC_DATA || !is_ours || f.src_mode != GN_MAC_SHORT || f.is_secured)
        return;
    if (f.wants_ack && f.dst != 0xffff)
        acknowledge(m, h, f.seq);
    struct peer *p = peer_of(m, (uint16_t)f.src);
    if (p->has_seq && p->seq == f.seq)
        return; /* sent again because our acknowledgement was lost */
    p->has_seq = 1;
    p->seq = f.seq;
    p->lqi = p->size == 0 || heard->lqi < p->lqi ? heard->lqi : p->lqi;
    if (!gn_mac_piece_parse(f.payload, f.n_payload, &piece, &is_broken)) {
        if (!is_broken)
            hand_over(m, h, p, f.payload, f.n_payload, msg, (uint16_t)f.dst);
    } else if (join(p, &piece)) {
        hand_over(m, h, p, p->bytes, p->size, msg, (uint16_t)f.dst);
        p->size = 0;
    }
}

static void take(struct mac *m, const struct gn_host *h, const struct gn_msg *msg)
{
    if (msg->port == P_FRAMES) {
        hear(m, h, msg);
        return;
    }
    const struct gn_msg_packet *p = msg->data;
    if (p->state != GN_PACKET_DATA)
        return;
    if (p->n > GN_PACKET_MAX)
        report(m, h, p, GN_PACKET_REFUSED);
    else if (m->n_queue == QUEUE)
        report(m, h, p, GN_PACKET_BUSY);
    else
        m->queue[m->n_queue++] = *p;
}

static gn_status mac_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct mac *m = state;
    struct gn_in *in = &w->in[0];
    const float *x = in->items;
    for (uint32_t i = 0; i < w->n_msgs; i++)
        take(m, h, &w->msgs[i]);
    uint32_t n = 0, n_ticks = 0;
    for (; n < in->n_items && n_ticks < 16; n++) { /* bounds the messages of a call */
        m->energy += (double)(x[2 * n] * x[2 * n] + x[2 * n + 1] * x[2 * n + 1]);
        if (in->index + n + 1 < m->next)
            continue;
        m->next += m->symbol_ticks;
        tick(m, h, (float)(m->energy / (double)m->symbol_ticks));
        m->energy = 0;
        n_ticks++;
    }
    in->n_used = n;
    return GN_OK;
}

const struct gn_block gn_modem_mac = {
        .name = "modem.mac",
        .summary = "packets over IEEE 802.15.4 frames: CSMA/CA, acknowledgements, retries, pieces",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct mac),
        .start = mac_start,
        .work = mac_work,
};
