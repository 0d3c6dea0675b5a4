/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* modem.pcap_source: frames of a capture file (link type 195 or 230), at their own times on a clock of `rate`. */
#include "lib/modem/oqpsk.h"
#include "lib/modem/pcap.h"
#include "lib/msg/frame.h"
#include "plugins/modem/blocks.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX (256u << 20)
#define A_CALL   16u

struct pcap_source {
    const char *path; /* parameters */
    double rate_sps;
    uint8_t bad_fcs;
    uint8_t *bytes;   /* owned: the whole file */
    size_t n;
    struct gn_pcap pcap;
    int64_t first_s;
    uint64_t last_tick;
    uint8_t has_first;
};

static const struct gn_port ports[] = {
        {.name = "frames", .doc = "the frames of the file", .dir = GN_OUT, .schema = &gn_schema_frame, .n_msgs_max = A_CALL},
};

static const struct gn_param params[] = {
        GN_PARAM(struct pcap_source, path, GN_P_PATH, "", NULL, 0, 0, "capture file"),
        GN_PARAM_X("rate", struct pcap_source, rate_sps, GN_P_F64, "Hz", "1 MHz", 1, 1e12, "ticks a second", .flags = 0),
        GN_PARAM(struct pcap_source, bad_fcs, GN_P_BOOL, "", "false", 0, 0, "frames with a wrong FCS too (fcs_ok false)"),
};

static gn_status source_plan(void *state, const struct gn_host *h, struct gn_plan *plan)
{
    const struct pcap_source *s = state;
    (void)h;
    plan->anchor.rate_sps = s->rate_sps;
    return GN_OK;
}

static gn_status read_all(struct pcap_source *s, const struct gn_host *h)
{
    FILE *f = s->path != NULL ? fopen(s->path, "rbe") : NULL;
    if (f == NULL)
        return h->fail(h, GN_E_IO, "path", "cannot open %s: %s", s->path != NULL ? s->path : "nothing", strerror(errno));
    long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    bool is_good = size >= 0 && size <= (long)FILE_MAX && fseek(f, 0, SEEK_SET) == 0;
    s->bytes = is_good ? malloc((size_t)size + 1) : NULL;
    if (s->bytes != NULL)
        s->n = fread(s->bytes, 1, (size_t)size, f);
    (void)fclose(f);
    return s->bytes != NULL ? GN_OK : h->fail(h, GN_E_DATA, "path", "%s: no file of at most 256 MiB", s->path);
}

static gn_status source_start(void *state, const struct gn_host *h)
{
    struct pcap_source *s = state;
    struct gn_error err = {0};
    s->has_first = 0;
    s->last_tick = 0;
    gn_status st = read_all(s, h);
    if (st == GN_OK && gn_pcap_open(s->bytes, s->n, &s->pcap, &err) != GN_OK)
        return h->fail(h, err.status, "path", "%s: %s at byte %llu", s->path, err.text, (unsigned long long)err.offset_bytes);
    return st;
}

static void send(struct pcap_source *s, const struct gn_host *h, const struct gn_pcap_frame *f)
{
    uint8_t psdu[GN_PSDU_MAX + 2];
    size_t n = f->n;
    memcpy(psdu, f->psdu, n);
    if (!s->pcap.has_fcs && n + 2 <= GN_PSDU_MAX) {
        uint16_t fcs = gn_fcs(psdu, n);
        psdu[n++] = (uint8_t)fcs;
        psdu[n++] = (uint8_t)(fcs >> 8);
    }
    bool is_ok = n >= 3 && !f->is_cut && gn_fcs(psdu, n) == 0;
    if (!is_ok && !s->bad_fcs)
        return;
    s->first_s = s->has_first ? s->first_s : f->t_unix_s;
    s->has_first = 1;
    double t_s = (double)(f->t_unix_s - s->first_s) + f->t_ns * 1e-9;
    uint64_t tick = t_s > 0 ? (uint64_t)(t_s * s->rate_sps) : 0;
    s->last_tick = tick > s->last_tick ? tick : s->last_tick; /* time does not run backwards */
    struct gn_msg_frame *m = h->msg_new(h, 0);
    *m = (struct gn_msg_frame){.n = (uint32_t)n, .fcs_ok = is_ok, .snr_db = NAN, .cfo_hz = NAN, .sfo_ppm = NAN, .power_dbfs = NAN};
    memcpy(m->psdu, psdu, n);
    h->msg_send(h, 0, s->last_tick, s->last_tick);
}

static gn_status source_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct pcap_source *s = state;
    struct gn_error err = {0};
    struct gn_pcap_frame f;
    bool is_end = false;
    for (unsigned i = 0; i < A_CALL && !is_end; i++) {
        if (gn_pcap_next(&s->pcap, &f, &is_end, &err) != GN_OK)
            return h->fail(h, err.status, "path", "%s: %s at byte %llu", s->path, err.text, (unsigned long long)err.offset_bytes);
        if (!is_end)
            send(s, h, &f);
    }
    w->is_done = is_end;
    return GN_OK;
}

static void source_stop(void *state, const struct gn_host *h)
{
    struct pcap_source *s = state;
    (void)h;
    free(s->bytes);
    s->bytes = NULL;
}

const struct gn_block gn_modem_pcap_source = {
        .name = "modem.pcap_source",
        .summary = "802.15.4 frames from a capture file",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct pcap_source),
        .plan = source_plan,
        .start = source_start,
        .work = source_work,
        .stop = source_stop,
};
