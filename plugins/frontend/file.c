/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* frontend.file: a recording on disk as a sample stream. */
#include "lib/base/error.h"
#include "lib/frontend/recording.h"
#include "plugins/frontend/blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK_BYTES (64U << 10) /* of packed or foreign bytes read at once; stays in the L2 cache  \
                                 */

enum { SPECTRUM_NORMAL = 0, SPECTRUM_INVERTED, SPECTRUM_AUTO };
enum { BITS_1 = 0, BITS_2, BITS_4 };

struct file {
    const char *path, *start; /* parameters */
    int32_t format, bits, layout, bit_order, spectrum;
    struct gn_list map;
    double rate_sps, if_hz, carrier_hz, skip_s, length_s;
    uint8_t verify;
    struct gn_recording *rec;      /* owned: start() makes it, stop() frees it */
    struct gn_unpack_table *table; /* owned, NULL unless packed */
    uint8_t *chunk;                /* owned, CHUNK_BYTES */
    int fd;                        /* owned, 0: closed (the host's input is never ours) */
    uint32_t i_segment;
    uint64_t n_done; /* items of that segment already sent */
};

static gn_status refuse(const struct gn_host *h, const struct gn_error *err)
{
    return h->fail(h, err->status, "path", "%s", err->text);
}

static gn_status layout_of(const struct file *f, const struct gn_host *h, struct gn_layout *ret)
{
    *ret = (struct gn_layout){.format = (uint8_t)f->format};
    if (f->format != GN_FILE_PACKED) {
        if (f->map.n > 0)
            return h->fail(h, GN_E_ARG, "map", "a map goes with format packed only");
        return GN_OK;
    }
    ret->bits = (uint8_t)(1 << f->bits);
    ret->packing = (uint8_t)f->layout;
    ret->bit_order = (uint8_t)f->bit_order;
    uint32_t n_codes = 1U << ret->bits;
    if (f->map.n == 0) {
        gn_layout_default_map(ret);
        return GN_OK;
    }
    if (f->map.n != n_codes)
        return h->fail(h, GN_E_ARG, "map", "%u bits have %u codes, but %u values are given",
                ret->bits, n_codes, f->map.n);
    for (uint32_t i = 0; i < n_codes; i++) {
        if (f->map.v[i] != floor(f->map.v[i]))
            return h->fail(h, GN_E_ARG, "map", "%g is no whole number", f->map.v[i]);
        ret->map[i] = (int8_t)f->map.v[i];
    }
    return GN_OK;
}

static gn_status cut(const struct file *f, const struct gn_host *h, struct gn_recording *rec)
{
    struct gn_error err = {0};
    double skip = f->skip_s * rec->rate_sps, keep = f->length_s * rec->rate_sps;
    uint64_t n_skip = skip < 0x1p62 ? (uint64_t)llround(skip) : UINT64_MAX;
    uint64_t n_keep = !(keep > 0) || keep >= 0x1p62 ? UINT64_MAX : (uint64_t)ceil(keep - 0.5);
    if (gn_recording_cut(rec, n_skip, n_keep, &err) == GN_OK)
        return GN_OK;
    return h->fail(h, err.status, n_keep == 0 ? "length" : "skip", "%s", err.text);
}

static gn_status settle_start(
        const struct file *f, const struct gn_host *h, struct gn_recording *rec)
{
    struct gn_error err = {0};
    if (f->start == NULL || strcmp(f->start, "auto") == 0)
        return GN_OK;
    if (gn_time_parse(f->start, &rec->t0, NULL, &err) != GN_OK)
        return h->fail(h, GN_E_ARG, "start", "%s", err.text);
    rec->has_t0 = true;
    return GN_OK;
}

/* All that is known without opening the samples. */
static gn_status describe(const struct file *f, const struct gn_host *h, struct gn_recording *rec)
{
    struct gn_recording_request request = {
            .path = f->path, .rate_sps = f->rate_sps, .carrier_hz = f->carrier_hz};
    struct gn_error err = {0};
    gn_status st = layout_of(f, h, &request.layout);
    if (st != GN_OK)
        return st;
    if (gn_recording_describe(&request, rec, &err) != GN_OK) {
        bool is_unsaid = err.status == GN_E_ARG && f->path != NULL;
        return is_unsaid ? h->fail(h, err.status, f->format == GN_FILE_AUTO ? "format" : "rate",
                                   "%s", err.text)
                         : refuse(h, &err);
    }
    st = settle_start(f, h, rec);
    return st == GN_OK ? cut(f, h, rec) : st;
}

/* Real samples carry the carrier at an intermediate frequency: zero would fold the band onto
 * itself. */
static void settle_band(
        const struct file *f, const struct gn_recording *rec, struct gn_anchor *anchor)
{
    uint32_t format = gn_layout_stream_format(&rec->layout);
    bool is_real = format == GN_FMT_S8 || format == GN_FMT_S16;
    anchor->is_inverted = f->spectrum == SPECTRUM_INVERTED;
    anchor->has_if = !isnan(f->if_hz) || (rec->has_if && !(is_real && fabs(rec->if_hz) < 1));
    anchor->if_hz = isnan(f->if_hz) ? rec->if_hz : f->if_hz;
}

static gn_status file_plan(void *state, const struct gn_host *h, struct gn_plan *plan)
{
    const struct file *f = state;
    struct gn_recording *rec = calloc(1, sizeof *rec);
    if (rec == NULL)
        return h->fail(h, GN_E_NOMEM, NULL, "no memory");
    gn_status st = describe(f, h, rec);
    if (st == GN_OK) {
        plan->out[0] = (struct gn_plan_stream){
                .format = gn_layout_stream_format(&rec->layout), .tick_num = 1, .tick_den = 1};
        plan->anchor = (struct gn_anchor){.rate_sps = rec->rate_sps, .n_ticks = rec->n_ticks};
        plan->anchor.has_t0 = rec->has_t0;
        plan->anchor.t0_tai_s = rec->t0.tai_s;
        plan->anchor.t0_frac_s = (double)rec->t0.frac_ps / (double)GN_PS_PER_S;
        settle_band(f, rec, &plan->anchor);
    }
    free(rec);
    return st;
}

static gn_status check_tail(const struct file *f, const struct gn_host *h)
{
    const uint32_t *strict = h->ext != NULL ? h->ext(h, "gn.strict/1") : NULL;
    unsigned long long end = f->rec->size_bytes, n = f->rec->n_left_bytes;
    if (n == 0)
        return GN_OK;
    if (strict != NULL && *strict == 1)
        return h->fail(h, GN_E_DATA, "path",
                "%s: %llu trailing bytes at byte %llu are no whole sample", f->rec->data_path, n,
                end - n);
    h->log(h, GN_LOG_WARN,
            "%s: %llu trailing bytes at byte %llu are no whole sample and are left out",
            f->rec->data_path, n, end - n);
    return GN_OK;
}

static gn_status file_start(void *state, const struct gn_host *h)
{
    struct file *f = state;
    struct gn_error err = {0};
    f->rec = calloc(1, sizeof *f->rec);
    f->table = calloc(1, sizeof *f->table);
    f->chunk = malloc(CHUNK_BYTES);
    if (f->rec == NULL || f->table == NULL || f->chunk == NULL)
        return h->fail(h, GN_E_NOMEM, NULL, "no memory");
    gn_status st = describe(f, h, f->rec);
    if (st == GN_OK)
        st = check_tail(f, h);
    if (st != GN_OK)
        return st;
    if (f->verify && f->rec->has_sha512 && gn_recording_check_sha512(f->rec, &err) != GN_OK)
        return refuse(h, &err);
    if (f->rec->layout.format == GN_FILE_PACKED)
        gn_layout_table(&f->rec->layout, f->table);
    int fd = open(f->rec->data_path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return h->fail(
                h, GN_E_IO, "path", "cannot open %s: %s", f->rec->data_path, strerror(errno));
    f->fd = fd;
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return GN_OK;
}

/* Read exactly n bytes. Short: the file shrank under us. */
static gn_status read_at(
        const struct file *f, const struct gn_host *h, void *to, size_t n, uint64_t offset)
{
    size_t n_have = 0;
    while (n_have < n) {
        ssize_t got = pread(f->fd, (char *)to + n_have, n - n_have, (off_t)(offset + n_have));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return h->fail(h, GN_E_IO, "path", "%s: cannot read at byte %llu: %s",
                    f->rec->data_path, (unsigned long long)offset, strerror(errno));
        if (got == 0)
            return h->fail(h, GN_E_DATA, "path",
                    "%s: ends at byte %llu, earlier than when it was opened", f->rec->data_path,
                    (unsigned long long)(offset + n_have));
        n_have += (size_t)got;
    }
    return GN_OK;
}

static bool is_native(const struct gn_layout *layout)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return layout->format == GN_FILE_CI8 || layout->format == GN_FILE_S8 ||
           layout->format == GN_FILE_CI16_LE || layout->format == GN_FILE_S16_LE ||
           layout->format == GN_FILE_CF32_LE;
#else
    return layout->format == GN_FILE_CI8 || layout->format == GN_FILE_S8 ||
           layout->format == GN_FILE_CI16_BE || layout->format == GN_FILE_S16_BE ||
           layout->format == GN_FILE_CF32_BE;
#endif
}

/* Items of the current segment into `to`; *n_made of them, at most n. */
static gn_status fetch(
        const struct file *f, const struct gn_host *h, uint8_t *to, size_t n, size_t *n_made)
{
    const struct gn_layout *layout = &f->rec->layout;
    uint32_t num = 0, den = 1;
    gn_layout_item_bytes(layout, &num, &den);
    uint64_t offset = f->rec->segments[f->i_segment].offset_bytes + f->n_done / den * num;
    if (is_native(layout)) {
        *n_made = n;
        return read_at(f, h, to, n * num, offset);
    }
    uint32_t i_first = (uint32_t)(f->n_done % den);
    size_t n_fit = (size_t)CHUNK_BYTES / num * den - i_first;
    if (n > n_fit)
        n = n_fit;
    gn_status st = read_at(f, h, f->chunk, (n + i_first + den - 1) / den * num, offset);
    if (st == GN_OK)
        gn_layout_convert(layout, f->table, f->chunk, i_first, n, to);
    *n_made = n;
    return st;
}

static gn_status file_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct file *f = state;
    struct gn_out *out = &w->out[0];
    const struct gn_recording *rec = f->rec;
    size_t item = gn_format_item_bytes(out->format);
    const struct gn_segment *s = &rec->segments[f->i_segment];
    if (f->n_done == 0 && s->n_lost > 0)
        h->gap(h, 0, s->n_lost, "recording");
    while (out->n_made < out->n_room && f->n_done < s->n_items) {
        uint64_t left = s->n_items - f->n_done;
        size_t n = out->n_room - out->n_made, n_made = 0;
        gn_status st = fetch(f, h, (uint8_t *)out->items + out->n_made * item,
                left < n ? (size_t)left : n, &n_made);
        if (st != GN_OK)
            return st;
        out->n_made += (uint32_t)n_made;
        f->n_done += n_made;
    }
    if (f->n_done == s->n_items) { /* the next call may begin with a gap */
        f->i_segment++;
        f->n_done = 0;
    }
    w->is_done = f->i_segment == rec->n_segments;
    return GN_OK;
}

static void file_stop(void *state, const struct gn_host *h)
{
    struct file *f = state;
    (void)h;
    if (f->fd > 0)
        (void)close(f->fd);
    f->fd = 0;
    free(f->chunk);
    free(f->table);
    free(f->rec);
    f->chunk = NULL;
    f->table = NULL;
    f->rec = NULL;
}

static const char *const bits_names[] = {"1", "2", "4", NULL};
static const char *const layout_names[] = {"iq", "qi", "real", NULL};
static const char *const order_names[] = {"msb", "lsb", NULL};
static const char *const spectrum_names[] = {"normal", "inverted", "auto", NULL};

static const struct gn_port ports[] = {
        {.name = "samples",
                .doc = "the recording in native byte order; real samples stay real",
                .dir = GN_OUT,
                .formats = "ci8 ci16 cf32 s8 s16"},
};

static const struct gn_param params[] = {
        GN_PARAM(struct file, path, GN_P_PATH, "", NULL, 0, 0,
                "file of samples, or either file of a SigMF pair"),
        GN_PARAM_X("format", struct file, format, GN_P_ENUM, "", "auto", 0, 0,
                "how samples lie in the file; auto: from SigMF metadata",
                .choices = gn_file_format_names),
        GN_PARAM_X("bits", struct file, bits, GN_P_ENUM, "", "2", 0, 0, "packed: bits of a value",
                .choices = bits_names),
        GN_PARAM_X("layout", struct file, layout, GN_P_ENUM, "", "iq", 0, 0,
                "packed: which value comes first, or real values", .choices = layout_names),
        GN_PARAM_X("bit_order", struct file, bit_order, GN_P_ENUM, "", "msb", 0, 0,
                "packed: the first value of a byte is in its most or least significant bits",
                .choices = order_names),
        GN_PARAM(struct file, map, GN_P_LIST, "", "[]", -127, 127,
                "packed: the value of each code from 0 on; empty: 2 bits +1 +3 -3 -1, 1 bit -1 +1, "
                "4 bits alike"),
        GN_PARAM_X("rate", struct file, rate_sps, GN_P_F64, "Hz", "auto", 1, 1e12,
                "samples a second; auto: from metadata", .flags = GN_PARAM_AUTO),
        GN_PARAM_X("if", struct file, if_hz, GN_P_F64, "Hz", "auto", -1e12, 1e12,
                "where the carrier lies in the samples, after conjugation; auto: carrier minus the "
                "metadata's frequency",
                .flags = GN_PARAM_AUTO),
        GN_PARAM_X("carrier", struct file, carrier_hz, GN_P_F64, "Hz", "1575.42 MHz", 0, 1e12,
                "frequency in the air that is to end at zero", .flags = 0),
        GN_PARAM(struct file, start, GN_P_TEXT, "", "auto", 0, 0,
                "time of the file's first sample, 2023-08-16T05:00:00.1GPST (or Z, GST, TAI); "
                "auto: from metadata, else unknown"),
        GN_PARAM_X("skip", struct file, skip_s, GN_P_F64, "s", "0", 0, 1e12,
                "leave out so much at the start, to the nearest sample (packed: byte); index 0 and "
                "the start time move along",
                .flags = 0),
        GN_PARAM_X("length", struct file, length_s, GN_P_F64, "s", "auto", 0, 1e12,
                "read so much, to the nearest sample; auto or 0: to the end",
                .flags = GN_PARAM_AUTO),
        GN_PARAM_X("spectrum", struct file, spectrum, GN_P_ENUM, "", "auto", 0, 0,
                "inverted: frequencies run backwards in the samples; auto: normal",
                .choices = spectrum_names),
        GN_PARAM(struct file, verify, GN_P_BOOL, "", "true", 0, 0,
                "hold the file against core:sha512 of the metadata before the first sample"),
};

const struct gn_block gn_frontend_file = {
        .name = "frontend.file",
        .summary = "samples from a recording, raw or SigMF",
        .doc = "Reads ci8, cu8, ci16, cf32, real and packed samples. A SigMF pair says format, "
               "rate, time, "
               "frequency and gaps itself; what is given here wins. Bad files are refused before "
               "the first sample.",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct file),
        .plan = file_plan,
        .start = file_start,
        .work = file_work,
        .stop = file_stop,
};
