/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/frontend/recording.h"

#include "lib/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define META_SUFFIX  ".sigmf-meta"
#define DATA_SUFFIX  ".sigmf-data"
#define SUFFIX_BYTES (sizeof META_SUFFIX - 1)
#define HASH_BYTES   (1U << 18)

_Static_assert(sizeof(off_t) == 8, "files over 2 GiB need a 64-bit off_t");

static bool ends_with(const char *text, const char *suffix)
{
    size_t n = strlen(text), n_suffix = strlen(suffix);
    return n >= n_suffix && memcmp(text + n - n_suffix, suffix, n_suffix) == 0;
}

/* Regular files only: a pipe has no size to hold the metadata against. */
static gn_status open_regular(
        const char *path, int *ret, uint64_t *size_bytes, struct gn_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return gn_fail(err, GN_E_IO, "cannot open %.150s: %s", path, strerror(errno));
    struct stat about;
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
        (void)close(fd);
        return gn_fail(err, GN_E_DATA, "%.150s is not a regular file", path);
    }
    *size_bytes = (uint64_t)about.st_size;
    *ret = fd;
    return GN_OK;
}

static gn_status read_all(const char *path, char **text, size_t *n, struct gn_error *err)
{
    int fd = -1;
    uint64_t size = 0;
    gn_status st = open_regular(path, &fd, &size, err);
    if (st != GN_OK)
        return st;
    char *buf = NULL;
    if (size > GN_SIGMF_TEXT_MAX_BYTES)
        st = gn_fail(err, GN_E_DATA, "%.150s: metadata of %llu bytes, at most %u are read", path,
                (unsigned long long)size, GN_SIGMF_TEXT_MAX_BYTES);
    else if ((buf = malloc(size + 1)) == NULL)
        st = gn_fail(err, GN_E_NOMEM, "no memory for metadata");
    else if (read(fd, buf, size) != (ssize_t)size)
        st = gn_fail(err, GN_E_IO, "cannot read %.150s", path);
    (void)close(fd);
    if (st != GN_OK) {
        free(buf);
        return st;
    }
    *text = buf;
    *n = size;
    return GN_OK;
}

static gn_status load_meta(const char *path, struct gn_sigmf *meta, struct gn_error *err)
{
    char *text = NULL;
    size_t n = 0;
    gn_status st = read_all(path, &text, &n, err);
    if (st != GN_OK)
        return st;
    struct gn_error why = {0};
    st = gn_sigmf_parse(text, n, meta, &why);
    free(text);
    if (st == GN_OK)
        return GN_OK;
    gn_status same = gn_fail_at(err, st, why.line, why.column, "%.100s: %.130s", path, why.text);
    if (err != NULL)
        err->offset_bytes = why.offset_bytes;
    return same;
}

/* Decide which files are meant. meta_path stays empty for raw samples. */
static gn_status find_files(const char *path, char data_path[GN_PATH_MAX_BYTES],
        char meta_path[GN_PATH_MAX_BYTES], struct gn_error *err)
{
    if (path == NULL || path[0] == '\0')
        return gn_fail(err, GN_E_ARG, "no file is named");
    size_t n = strlen(path);
    if (n + SUFFIX_BYTES + GN_SIGMF_NAME_MAX >= GN_PATH_MAX_BYTES)
        return gn_fail(err, GN_E_ARG, "the path is longer than %d bytes", GN_PATH_MAX_BYTES);
    meta_path[0] = '\0';
    memcpy(data_path, path, n + 1);
    bool is_pair = ends_with(path, META_SUFFIX) || ends_with(path, DATA_SUFFIX);
    size_t n_stem = is_pair ? n - SUFFIX_BYTES : n;
    memcpy(meta_path, path, n_stem);
    memcpy(meta_path + n_stem, META_SUFFIX, SUFFIX_BYTES + 1);
    bool is_meta_there = access(meta_path, F_OK) == 0;
    if (ends_with(path, META_SUFFIX) || (!is_pair && access(path, F_OK) != 0 && is_meta_there))
        memcpy(data_path + n_stem, DATA_SUFFIX, SUFFIX_BYTES + 1);
    else if (!is_pair || !is_meta_there)
        meta_path[0] = '\0';
    return GN_OK;
}

/* core:dataset names the data file, in the folder of the metadata */
static void use_dataset(char data_path[GN_PATH_MAX_BYTES], const char *name)
{
    char *slash = strrchr(data_path, '/');
    char *at = slash != NULL ? slash + 1 : data_path;
    memcpy(at, name, strlen(name) + 1); /* find_files left room for GN_SIGMF_NAME_MAX */
}

static gn_status settle(const struct gn_recording_request *request, const struct gn_sigmf *meta,
        struct gn_recording *rec, struct gn_error *err)
{
    rec->layout = request->layout;
    rec->rate_sps = request->rate_sps;
    if (meta != NULL && rec->layout.format == GN_FILE_AUTO)
        rec->layout = meta->layout;
    if (meta != NULL && isnan(rec->rate_sps) && meta->rate_sps > 0)
        rec->rate_sps = meta->rate_sps;
    bool no_format = rec->layout.format == GN_FILE_AUTO, no_rate = isnan(rec->rate_sps);
    if (no_format || no_rate)
        return gn_fail(err, GN_E_ARG, "%.120s: %s%s%s must be given: %s", rec->data_path,
                no_format ? "format" : "", no_format && no_rate ? " and " : "",
                no_rate ? "rate" : "",
                meta != NULL ? "the metadata does not say"
                             : "there is no SigMF metadata beside it");
    if (meta == NULL)
        return GN_OK;
    const struct gn_sigmf_capture *first = &meta->captures[0];
    rec->has_t0 = first->has_t;
    rec->t0 = first->t;
    rec->has_if = !isnan(first->frequency_hz);
    rec->if_hz = rec->has_if ? request->carrier_hz - first->frequency_hz : 0;
    rec->has_sha512 = meta->has_sha512;
    memcpy(rec->sha512, meta->sha512, sizeof rec->sha512);
    return GN_OK;
}

/* Raw: one segment. Bytes that fill no item stay over. */
static gn_status lay_out_raw(
        struct gn_recording *rec, uint64_t offset_bytes, uint64_t end_bytes, struct gn_error *err)
{
    uint32_t num = 0, den = 1;
    gn_layout_item_bytes(&rec->layout, &num, &den);
    uint64_t n_bytes = end_bytes - offset_bytes;
    struct gn_segment *last = &rec->segments[rec->n_segments++];
    last->offset_bytes = offset_bytes;
    last->n_items = n_bytes / num * den;
    rec->n_left_bytes = (uint32_t)(n_bytes % num);
    rec->n_items += last->n_items;
    rec->n_ticks += last->n_items + last->n_lost;
    if (rec->n_items == 0)
        return gn_fail_byte(err, GN_E_DATA, offset_bytes,
                "%.150s: %llu bytes at byte %llu hold no sample", rec->data_path,
                (unsigned long long)n_bytes, (unsigned long long)offset_bytes);
    return GN_OK;
}

/* file: header | samples | header | samples | ... | trailing; every number is at most 2^53 */
static gn_status lay_out_captures(
        const struct gn_sigmf *meta, struct gn_recording *rec, struct gn_error *err)
{
    uint32_t item = 0, den = 1;
    gn_layout_item_bytes(&rec->layout, &item, &den);
    if (den != 1)
        return gn_fail(err, GN_E_ARG, "%.150s: SigMF has no packed samples", rec->data_path);
    if (meta->trailing_bytes > rec->size_bytes)
        return gn_fail(err, GN_E_DATA,
                "%.150s: core:trailing_bytes is more than the file's %llu bytes", rec->data_path,
                (unsigned long long)rec->size_bytes);
    uint64_t end = rec->size_bytes - meta->trailing_bytes, headers = 0;
    for (uint32_t i = 0; i < meta->n_captures; i++) {
        const struct gn_sigmf_capture *c = &meta->captures[i];
        headers += c->header_bytes;
        uint64_t offset = headers + c->sample_start * item;
        if (offset > end)
            return gn_fail_byte(err, GN_E_DATA, offset,
                    "%.120s: captures[%u] begins at byte %llu, but the samples end at byte %llu",
                    rec->data_path, i, (unsigned long long)offset, (unsigned long long)end);
        uint64_t n_lost = i == 0 ? 0
                                 : c->global_index - (c - 1)->global_index -
                                           (c->sample_start - (c - 1)->sample_start);
        rec->segments[i].n_lost = n_lost;
        if (i + 1 == meta->n_captures)
            return lay_out_raw(rec, offset, end, err);
        rec->segments[i].offset_bytes = offset;
        rec->segments[i].n_items = (c + 1)->sample_start - c->sample_start;
        rec->n_items += rec->segments[i].n_items;
        rec->n_ticks += rec->segments[i].n_items + n_lost;
        rec->n_segments++;
    }
    return GN_OK;
}

static gn_status describe(const struct gn_recording_request *request, struct gn_sigmf *meta,
        struct gn_recording *rec, struct gn_error *err)
{
    char meta_path[GN_PATH_MAX_BYTES];
    gn_status st = find_files(request->path, rec->data_path, meta_path, err);
    if (st != GN_OK)
        return st;
    rec->has_meta = meta_path[0] != '\0';
    if (rec->has_meta)
        st = load_meta(meta_path, meta, err);
    if (st != GN_OK)
        return st;
    if (rec->has_meta && meta->dataset[0] != '\0' && !ends_with(request->path, DATA_SUFFIX))
        use_dataset(rec->data_path, meta->dataset);
    int fd = -1;
    st = open_regular(rec->data_path, &fd, &rec->size_bytes, err);
    if (st != GN_OK)
        return st;
    (void)close(fd);
    if (rec->size_bytes == 0)
        return gn_fail(err, GN_E_DATA, "%.150s is empty", rec->data_path);
    st = settle(request, rec->has_meta ? meta : NULL, rec, err);
    if (st != GN_OK)
        return st;
    return rec->has_meta ? lay_out_captures(meta, rec, err)
                         : lay_out_raw(rec, 0, rec->size_bytes, err);
}

gn_status gn_recording_describe(
        const struct gn_recording_request *request, struct gn_recording *ret, struct gn_error *err)
{
    struct gn_sigmf *meta = calloc(1, sizeof *meta);
    struct gn_recording *rec = calloc(1, sizeof *rec);
    gn_status st = GN_E_NOMEM;
    if (meta == NULL || rec == NULL)
        (void)gn_fail(err, st, "no memory for metadata");
    else
        st = describe(request, meta, rec, err);
    if (st == GN_OK)
        *ret = *rec;
    free(meta);
    free(rec);
    return st;
}

/* t0 += n ticks, to the picosecond: whole seconds apart, so that a long skip keeps its digits */
static void advance(struct gn_time *t, uint64_t n_ticks, double rate_sps)
{
    double whole_s = floor((double)n_ticks / rate_sps);
    double rest_ticks = (double)n_ticks - whole_s * rate_sps;
    double rest_s = rest_ticks / rate_sps;
    int64_t ps = (int64_t)llround(rest_s * (double)GN_PS_PER_S) + (int64_t)t->frac_ps;
    t->tai_s += (int64_t)whole_s;
    while (ps < 0) {
        ps += (int64_t)GN_PS_PER_S;
        t->tai_s--;
    }
    t->tai_s += ps / (int64_t)GN_PS_PER_S;
    t->frac_ps = (uint64_t)(ps % (int64_t)GN_PS_PER_S);
}

/* Bytes of n_items whole items; packed: items that share a byte are reached by the caller. */
static uint64_t bytes_of(const struct gn_layout *layout, uint64_t n_items)
{
    uint32_t num = 0, den = 1;
    gn_layout_item_bytes(layout, &num, &den);
    return n_items / den * num;
}

static void drop_front(struct gn_recording *rec, uint64_t n_skip)
{
    uint32_t i = 0;
    while (n_skip >= rec->segments[i].n_lost + rec->segments[i].n_items) {
        n_skip -= rec->segments[i].n_lost + rec->segments[i].n_items;
        i++;
    }
    rec->n_segments -= i;
    memmove(rec->segments, rec->segments + i, rec->n_segments * sizeof rec->segments[0]);
    struct gn_segment *s = &rec->segments[0];
    if (n_skip < s->n_lost) {
        s->n_lost -= n_skip;
        return;
    }
    n_skip -= s->n_lost;
    s->n_lost = 0;
    s->n_items -= n_skip;
    s->offset_bytes += bytes_of(&rec->layout, n_skip);
}

static void keep_front(struct gn_recording *rec, uint64_t n_keep)
{
    rec->n_items = 0;
    rec->n_ticks = 0;
    for (uint32_t i = 0; i < rec->n_segments; i++) {
        struct gn_segment *s = &rec->segments[i];
        uint64_t left = n_keep - rec->n_ticks;
        if (s->n_lost >= left) {
            rec->n_segments = i;
            return;
        }
        if (s->n_items > left - s->n_lost)
            s->n_items = left - s->n_lost;
        rec->n_items += s->n_items;
        rec->n_ticks += s->n_items + s->n_lost;
    }
}

gn_status gn_recording_cut(
        struct gn_recording *rec, uint64_t n_skip, uint64_t n_keep, struct gn_error *err)
{
    uint32_t num = 0, den = 1;
    gn_layout_item_bytes(&rec->layout, &num, &den);
    if (n_skip >= rec->n_ticks)
        return gn_fail(err, GN_E_ARG, "%.150s: all of its %llu samples are skipped", rec->data_path,
                (unsigned long long)rec->n_ticks);
    n_skip -= n_skip % den; /* a packed item begins with its byte */
    drop_front(rec, n_skip);
    if (rec->has_t0)
        advance(&rec->t0, n_skip, rec->rate_sps);
    keep_front(rec, n_keep);
    if (rec->n_items == 0)
        return gn_fail(
                err, GN_E_ARG, "%.150s: no sample lies in the part asked for", rec->data_path);
    return GN_OK;
}

static gn_status hash_file(int fd, EVP_MD_CTX *ctx, uint8_t *buf, uint8_t digest[64])
{
    for (;;) {
        ssize_t n = read(fd, buf, HASH_BYTES);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return GN_E_IO;
        if (n == 0)
            return EVP_DigestFinal_ex(ctx, digest, NULL) == 1 ? GN_OK : GN_E_INTERNAL;
        if (EVP_DigestUpdate(ctx, buf, (size_t)n) != 1)
            return GN_E_INTERNAL;
    }
}

gn_status gn_recording_check_sha512(const struct gn_recording *rec, struct gn_error *err)
{
    int fd = -1;
    uint64_t size = 0;
    gn_status st = open_regular(rec->data_path, &fd, &size, err);
    if (st != GN_OK)
        return st;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    uint8_t *buf = malloc(HASH_BYTES), digest[64] = {0};
    if (ctx == NULL || buf == NULL || EVP_DigestInit_ex(ctx, EVP_sha512(), NULL) != 1)
        st = gn_fail(err, GN_E_NOMEM, "no memory to hash the file");
    else if ((st = hash_file(fd, ctx, buf, digest)) != GN_OK)
        st = gn_fail(err, st, "cannot read %.150s", rec->data_path);
    else if (memcmp(digest, rec->sha512, sizeof digest) != 0)
        st = gn_fail(err, GN_E_DATA,
                "%.120s: bytes 0 to %llu do not hash to core:sha512 of the metadata",
                rec->data_path, (unsigned long long)size);
    EVP_MD_CTX_free(ctx);
    free(buf);
    (void)close(fd);
    return st;
}
