/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* sink.sigmf: samples into a file, and what they are into NAME.sigmf-meta beside it. Events linked to
 * it become annotations at the sample they are about. The metadata are written on the way into
 * NAME.sigmf-meta.part and get their name at the end: without them a recording is incomplete. */
#include "gnomon/event.h"
#include "lib/frontend/layout.h"
#include "lib/time/time.h"
#include "plugins/sink/blocks.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 4096
#define CHUNK      4096U /* items converted at once */

enum { SAMPLES = 0, EVENTS = 1 };
enum { F_AUTO = 0, F_CI8, F_CU8, F_CI16, F_CF32, F_S8, F_S16, F_PACKED };

static const char *const formats[] = {
        "auto", "ci8", "cu8", "ci16_le", "cf32_le", "s8", "s16_le", "packed", NULL};
static const char *const datatypes[] = {
        "", "ci8", "cu8", "ci16_le", "cf32_le", "ri8", "ri16_le", "ru8"};
/* the stream each of them is made of; packed: either of 8 bits */
static const uint32_t streams[] = {0, GN_FMT_CI8, GN_FMT_CI8, GN_FMT_CI16, GN_FMT_CF32, GN_FMT_S8,
        GN_FMT_S16, GN_FMT_CI8};

struct sigmf {
    const char *path; /* parameters */
    int32_t format;
    int64_t bits;
    const char *description;
    struct sink_file data, meta;
    char meta_path[PATH_BYTES], part_path[PATH_BYTES + 8];
    const struct gn_event_print *print;
    char *line;                /* owned */
    uint8_t bytes[8 * CHUNK];
    uint64_t first, n_items;
    uint32_t stream;
    uint8_t packed, n_packed; /* values waiting in a byte */
    uint8_t has_first, has_events;
};

static const struct gn_param params[] = {
        GN_PARAM(struct sigmf, path, GN_P_PATH, "", NULL, 0, 0,
                "file for the samples; its metadata get the ending .sigmf-meta"),
        GN_PARAM_X("format", struct sigmf, format, GN_P_ENUM, "", "auto", 0, 0,
                "how samples lie in the file; auto: as in the stream", .choices = formats),
        GN_PARAM(struct sigmf, bits, GN_P_I64, "", "2", 0, 16,
                "of a value, format packed (1, 2 or 4): the odd numbers in two's complement, the first in "
                "the most significant bits"),
        GN_PARAM(struct sigmf, description, GN_P_TEXT, "", "~", 0, 0, "words for the metadata"),
};

static const struct gn_port ports[] = {
        {.name = "samples", .dir = GN_IN, .formats = "ci8 ci16 cf32 s8 s16", .doc = "samples to record"},
        {.name = "events", .dir = GN_IN, .flags = GN_PORT_OPTIONAL,
                .doc = "messages whose schema names an event: they become annotations"},
};

static gn_status sigmf_plan(void *state, const struct gn_host *h, struct gn_plan *plan)
{
    struct sigmf *s = state;
    s->stream = plan->in[0].format;
    if (s->format == F_AUTO)
        s->format = s->stream == GN_FMT_CI8    ? F_CI8
                    : s->stream == GN_FMT_CI16 ? F_CI16
                    : s->stream == GN_FMT_CF32 ? F_CF32
                    : s->stream == GN_FMT_S8   ? F_S8
                                               : F_S16;
    bool fits = streams[s->format] == s->stream ||
                (s->format == F_PACKED && s->stream == GN_FMT_S8);
    if (s->format == F_PACKED && s->bits != 1 && s->bits != 2 && s->bits != 4)
        return h->fail(h, GN_E_ARG, "bits", "values of 1, 2 or 4 bits can be packed");
    return fits ? GN_OK
                : h->fail(h, GN_E_ARG, "format", "%s cannot be made of this stream's samples",
                          formats[s->format]);
}

static gn_status name_files(struct sigmf *s, const struct gn_host *h)
{
    size_t n = strlen(s->path);
    const char *slash = strrchr(s->path, '/'), *dot = strrchr(s->path, '.');
    if (dot != NULL && dot > (slash != NULL ? slash + 1 : s->path))
        n = (size_t)(dot - s->path);
    if (n + 16 >= sizeof s->meta_path)
        return h->fail(h, GN_E_OUTPUT, "path", "the path is too long");
    (void)snprintf(s->meta_path, sizeof s->meta_path, "%.*s.sigmf-meta", (int)n, s->path);
    (void)snprintf(s->part_path, sizeof s->part_path, "%s.part", s->meta_path);
    return GN_OK;
}

static gn_status sigmf_start(void *state, const struct gn_host *h)
{
    struct sigmf *s = state;
    if (s->path == NULL || s->path[0] == '\0' || strcmp(s->path, "-") == 0)
        return h->fail(h, GN_E_ARG, "path", "a file to write is needed");
    s->print = h->ext(h, GN_EVENT_PRINT_ID);
    s->line = malloc(GN_EVENT_MAX_BYTES);
    if (s->line == NULL)
        return h->fail(h, GN_E_NOMEM, NULL, "no memory for a line");
    gn_status st = name_files(s, h);
    if (st == GN_OK)
        st = sink_open(&s->data, h, s->path);
    if (st == GN_OK)
        st = sink_open(&s->meta, h, s->part_path);
    return st == GN_OK ? sink_write(&s->meta, h, "{\"annotations\":[", 16) : st;
}

static unsigned code_of(int8_t value, int64_t bits)
{
    int top = 1 << bits, v = value < -top ? -top : value >= top ? top - 1 : value;
    return (unsigned)((v - 1) >> 1) & ((unsigned)top - 1U); /* odd v = 2 c + 1 */
}

static gn_status write_packed(struct sigmf *s, const struct gn_host *h, const int8_t *x, size_t n)
{
    size_t n_bytes = 0;
    for (size_t i = 0; i < n; i++) {
        s->packed = (uint8_t)(s->packed << s->bits | code_of(x[i], s->bits));
        if (++s->n_packed * s->bits == 8) {
            s->bytes[n_bytes++] = s->packed;
            s->n_packed = 0;
        }
    }
    return sink_write(&s->data, h, (const char *)s->bytes, n_bytes);
}

static gn_status write_samples(struct sigmf *s, const struct gn_host *h, const uint8_t *x, size_t n)
{
    size_t item = gn_format_item_bytes(s->stream);
    gn_status st = GN_OK;
    if (s->format != F_CU8 && s->format != F_PACKED) /* little-endian as all we run on */
        return sink_write(&s->data, h, (const char *)x, n * item);
    for (size_t at = 0; at < n && st == GN_OK; at += CHUNK) {
        size_t now = n - at < CHUNK ? n - at : CHUNK;
        const int8_t *v = (const int8_t *)x + at * item;
        if (s->format == F_PACKED) {
            st = write_packed(s, h, v, now * item);
            continue;
        }
        for (size_t i = 0; i < 2 * now; i++)
            s->bytes[i] = (uint8_t)(v[i] + 128);
        st = sink_write(&s->data, h, (const char *)s->bytes, 2 * now);
    }
    return st;
}

static gn_status annotate(struct sigmf *s, const struct gn_host *h, const struct gn_msg *msg)
{
    char head[160];
    size_t n = s->print != NULL ? s->print->line(h, msg, s->line, GN_EVENT_MAX_BYTES - 1) : 0;
    if (n == 0 || msg->schema->event == NULL)
        return GN_OK;
    int n_head = snprintf(head, sizeof head,
            "%s\n{\"core:sample_start\":%llu,\"core:label\":\"%.40s\",\"gnomon:event\":",
            s->has_events ? "," : "", (unsigned long long)(msg->index - s->first), msg->schema->event);
    s->has_events = 1;
    s->line[n] = '}';
    gn_status st = sink_write(&s->meta, h, head, (size_t)n_head);
    return st == GN_OK ? sink_write(&s->meta, h, s->line, n + 1) : st;
}

static gn_status sigmf_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct sigmf *s = state;
    struct gn_in *in = &w->in[0];
    if (!s->has_first && in->n_items > 0) {
        s->first = in->index;
        s->has_first = 1;
    }
    gn_status st = GN_OK;
    for (uint32_t i = 0; i < w->n_msgs && st == GN_OK; i++)
        st = annotate(s, h, &w->msgs[i]);
    if (st == GN_OK)
        st = write_samples(s, h, in->items, in->n_items);
    s->n_items += in->n_items;
    in->n_used = in->n_items;
    return st;
}

/* name[] as the inside of a JSON text */
static void quote(const char *name, char *out, size_t room)
{
    size_t n = 0;
    for (; *name != '\0' && n + 8 < room; name++) {
        unsigned char c = (unsigned char)*name;
        if (c == '"' || c == '\\')
            out[n++] = '\\';
        if (c < 0x20)
            n += (size_t)snprintf(out + n, room - n, "\\u%04x", c);
        else
            out[n++] = (char)c;
    }
    out[n] = '\0';
}

static gn_status write_end(struct sigmf *s, const struct gn_host *h)
{
    const struct gn_anchor *a = h->anchor;
    char when[GN_TIME_TEXT] = "", line[2048], name[600], words[600], more[80] = "";
    const char *slash = strrchr(s->path, '/');
    struct gn_time t = {a->t0_tai_s, (uint64_t)(a->t0_frac_s * (double)GN_PS_PER_S)};
    quote(slash != NULL ? slash + 1 : s->path, name, sizeof name);
    quote(s->description != NULL ? s->description : "", words, sizeof words);
    bool has_time = a->has_t0 != 0 && gn_time_print(t, GN_TIME_UTC, 9, when) == GN_OK;
    if (s->format == F_PACKED)
        (void)snprintf(more, sizeof more, ",\"gnomon:bits\":%lld,\"gnomon:layout\":\"%s\"",
                (long long)s->bits, s->stream == GN_FMT_S8 ? "real" : "iq");
    int n = snprintf(line, sizeof line,
            "],\n\"captures\":[{\"core:sample_start\":0,\"core:frequency\":%.17g%s%s%s}],\n"
            "\"global\":{\"core:datatype\":\"%s\",\"core:sample_rate\":%.17g,\"core:version\":\"1.2.0\","
            "\"core:dataset\":\"%s\",\"core:recorder\":\"gnomon\",\"core:description\":\"%s\","
            "\"core:extensions\":[{\"name\":\"gnomon\",\"version\":\"1.0.0\",\"optional\":true}]%s}}\n",
            1575.42e6 - (a->has_if ? a->if_hz : 0), has_time ? ",\"core:datetime\":\"" : "", when,
            has_time ? "\"" : "", datatypes[s->format], a->rate_sps, name, words, more);
    return sink_write(&s->meta, h, line, (size_t)n);
}

static gn_status sigmf_finish(void *state, const struct gn_host *h)
{
    struct sigmf *s = state;
    gn_status st = GN_OK;
    if (s->n_packed > 0) { /* the last byte: its rest stays zero */
        uint8_t last = (uint8_t)(s->packed << (8 - s->n_packed * s->bits));
        st = sink_write(&s->data, h, (const char *)&last, 1);
    }
    if (st == GN_OK)
        st = sink_finish(&s->data, h);
    if (st == GN_OK)
        st = write_end(s, h);
    if (st == GN_OK)
        st = sink_finish(&s->meta, h);
    sink_close(&s->meta);
    if (st == GN_OK && rename(s->part_path, s->meta_path) != 0)
        st = h->fail(h, GN_E_OUTPUT, "path", "%s: cannot be renamed: %s", s->part_path, strerror(errno));
    return st;
}

static void sigmf_stop(void *state, const struct gn_host *h)
{
    (void)h;
    struct sigmf *s = state;
    sink_close(&s->data);
    sink_close(&s->meta);
    free(s->line);
    s->line = NULL;
}

const struct gn_block gn_sink_sigmf = {
        .name = "sink.sigmf",
        .summary = "a recording with SigMF metadata",
        .doc = "Writes samples to a file and, beside it, what they are: rate, time, format, and the "
               "linked events as annotations.",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct sigmf),
        .flags = GN_BLOCK_BLOCKS,
        .plan = sigmf_plan,
        .start = sigmf_start,
        .work = sigmf_work,
        .finish = sigmf_finish,
        .stop = sigmf_stop,
};
