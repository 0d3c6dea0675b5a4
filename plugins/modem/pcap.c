/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* modem.pcap_sink: frames into a capture file that Wireshark reads (link type 195). Times are seconds of the stream
 * since its start, or UTC-like seconds when the recording says when it began (leap seconds not counted). */
#include "lib/modem/pcap.h"
#include "lib/msg/frame.h"
#include "plugins/modem/blocks.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define TAI_TO_UNIX_S (378691200 + 37) /* 1958 to 1970, and TAI - UTC since 2017 */

struct pcap_sink {
    const char *path; /* parameter */
    FILE *file;       /* owned: start() opens, stop() closes */
};

static const struct gn_port ports[] = {
        {.name = "frames", .doc = "frames to be written", .dir = GN_IN, .schema = &gn_schema_frame},
};

static const struct gn_param params[] = {
        GN_PARAM(struct pcap_sink, path, GN_P_PATH, "", NULL, 0, 0, "file to be made"),
};

static gn_status wrong(const struct pcap_sink *s, const struct gn_host *h)
{
    return h->fail(h, GN_E_OUTPUT, "path", "cannot write %s: %s", s->path, strerror(errno));
}

static gn_status sink_start(void *state, const struct gn_host *h)
{
    struct pcap_sink *s = state;
    uint8_t head[GN_PCAP_HEAD];
    if (s->path == NULL)
        return h->fail(h, GN_E_ARG, "path", "a file is needed");
    gn_pcap_head(head);
    s->file = fopen(s->path, "wbe");
    return s->file == NULL || fwrite(head, sizeof head, 1, s->file) != 1 ? wrong(s, h) : GN_OK;
}

static gn_status sink_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct pcap_sink *s = state;
    for (uint32_t i = 0; i < w->n_msgs; i++) {
        const struct gn_msg_frame *f = w->msgs[i].data;
        uint8_t record[GN_PCAP_RECORD];
        double t = h->anchor->rate_sps > 0 ? (double)w->msgs[i].index / h->anchor->rate_sps : 0;
        int64_t whole = h->anchor->has_t0 ? h->anchor->t0_tai_s - TAI_TO_UNIX_S : 0;
        t += h->anchor->has_t0 ? h->anchor->t0_frac_s : 0;
        int64_t seconds = (int64_t)t;
        gn_pcap_record(whole + seconds, (uint32_t)((t - (double)seconds) * 1e6), f->n, record);
        if (fwrite(record, sizeof record, 1, s->file) != 1 || fwrite(f->psdu, 1, f->n, s->file) != f->n)
            return wrong(s, h);
    }
    return GN_OK;
}

static gn_status sink_finish(void *state, const struct gn_host *h)
{
    struct pcap_sink *s = state;
    return fflush(s->file) != 0 ? wrong(s, h) : GN_OK;
}

static void sink_stop(void *state, const struct gn_host *h)
{
    struct pcap_sink *s = state;
    (void)h;
    if (s->file != NULL)
        (void)fclose(s->file);
    s->file = NULL;
}

const struct gn_block gn_modem_pcap_sink = {
        .name = "modem.pcap_sink",
        .summary = "802.15.4 frames into a capture file",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct pcap_sink),
        .flags = GN_BLOCK_BLOCKS,
        .start = sink_start,
        .work = sink_work,
        .finish = sink_finish,
        .stop = sink_stop,
};
