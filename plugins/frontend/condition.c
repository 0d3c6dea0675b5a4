/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* frontend.condition: whatever a front end gives to ci8 or ci16 at zero frequency.
 *
 *   in --conjugate--- minus DC --- turn by -if --- low-pass (real input) --- times 2^gain --- ci8 /
 * ci16
 *
 * An item goes out for each that comes in and keeps its index; the filter looks ahead instead of
 * delaying. All that varies (DC, gain) is settled for a block of the index grid from the block
 * before it, so the output does not depend on how the stream is cut. The first 4096 items settle
 * the first block. */
#include "lib/frontend/fir.h"
#include "lib/frontend/layout.h"
#include "lib/frontend/level.h"
#include "lib/frontend/mix.h"
#include "lib/frontend/quantise.h"
#include "plugins/frontend/blocks.h"

#include <stdbool.h>
#include <string.h>

#define TILE   2048U /* items worked on at once */
#define FIRST  4096U /* items that settle the first level */
#define GRID_S 0.1
#define MIN_BAND                                                                                   \
    0.01 /* of the rate: nearer than this to zero an image cannot be told from the signal */
#define TILE_FLOATS (TILE + 2 * GN_FIR_SIDE_MAX)

enum { SPECTRUM_NORMAL = 0, SPECTRUM_INVERTED, SPECTRUM_AUTO };
enum { OUTPUT_CI8 = 0, OUTPUT_CI16 };

struct condition {
    double if_hz; /* parameters */
    int32_t spectrum, format;
    bool is_inverted, is_mixed, is_real, is_measured;
    uint32_t in_format, n_side;
    uint64_t grid_items;
    uint64_t i_block; /* grid block the level is for */
    struct gn_level level;
    struct gn_level_goal goal;
    struct gn_level_sums sums; /* of this block, for the next */
    struct gn_mixer mixer;
    struct gn_fir fir;
    /* n_side mixed items before the tile, the tile, n_side after it */
    float re[TILE_FLOATS], im[TILE_FLOATS];
    float out_re[TILE], out_im[TILE];
};

static bool is_real_format(uint32_t format)
{
    return format == GN_FMT_S8 || format == GN_FMT_S16;
}

/* Turns an item at which the carrier lies, from the parameter or from the source's metadata. */
static gn_status settle_band(
        struct condition *c, const struct gn_host *h, const struct gn_anchor *anchor, double *turns)
{
    bool is_said = !isnan(c->if_hz);
    if (!is_said && !anchor->has_if)
        return h->fail(h, GN_E_ARG, "if",
                "if must be given: the source does not say where the carrier lies (0 for baseband "
                "recordings)");
    double if_hz = is_said ? c->if_hz : anchor->if_hz;
    if (if_hz != 0 && !(anchor->rate_sps > 0))
        return h->fail(
                h, GN_E_ARG, "if", "the source has no sample rate to mix %.9g Hz with", if_hz);
    *turns = if_hz != 0 ? if_hz / anchor->rate_sps : 0;
    if (!c->is_real && fabs(*turns) > 0.5)
        return h->fail(h, GN_E_ARG, "if",
                "%.9g Hz lies outside the band of %.9g Hz the samples hold", if_hz,
                anchor->rate_sps);
    c->is_inverted = c->spectrum == SPECTRUM_AUTO ? anchor->is_inverted != 0
                                                  : c->spectrum == SPECTRUM_INVERTED;
    return GN_OK;
}

/* Real samples: the image lands at -2 if. The filter passes half of that distance. */
static gn_status settle_filter(struct condition *c, const struct gn_host *h, double turns)
{
    double image = 2 * turns - floor(2 * turns + 0.5); /* -0.5 .. 0.5 */
    double cutoff = fabs(image) / 2;
    if (cutoff < MIN_BAND)
        return h->fail(h, GN_E_ARG, "if",
                "real samples with the carrier at %.4g of the rate: the mirror image falls onto "
                "the signal",
                turns);
    if (fabs(cutoff - 0.25) < 0.02)
        cutoff = 0.25; /* half-band: every other tap is zero */
    gn_fir_lowpass(&c->fir, cutoff, cutoff / 2);
    c->n_side = c->fir.n_side;
    c->goal.noise_gain = sqrt(cutoff);
    return GN_OK;
}

static gn_status settle(struct condition *c, const struct gn_host *h,
        const struct gn_anchor *anchor, uint32_t format)
{
    double turns = 0;
    c->in_format = format;
    c->is_real = is_real_format(format);
    c->n_side = 0;
    double wide = c->format == OUTPUT_CI16 ? 64 : 1;
    c->goal = (struct gn_level_goal){.rms_min = 6 * wide, .rms_max = 24 * wide, .noise_gain = 1};
    c->goal.n_components = c->is_real ? 1 : 2;
    gn_status st = settle_band(c, h, anchor, &turns);
    if (st == GN_OK && c->is_real)
        st = settle_filter(c, h, turns);
    if (st != GN_OK)
        return st;
    c->is_mixed = turns != 0;
    if (c->is_real && c->is_inverted)
        turns = -turns; /* conjugation puts the wanted band of a real signal on the other side */
    c->goal.may_pass = format == GN_FMT_CI8 && c->format == OUTPUT_CI8 && !c->is_mixed;
    c->grid_items = anchor->rate_sps > 0 ? (uint64_t)(anchor->rate_sps * GRID_S) : 0;
    c->grid_items = (c->grid_items / GN_LEVEL_PERIOD + 1) * GN_LEVEL_PERIOD;
    gn_mixer_init(&c->mixer, -turns);
    return GN_OK;
}

static gn_status condition_plan(void *state, const struct gn_host *h, struct gn_plan *plan)
{
    struct condition *c = state;
    if (plan->in[0].tick_num != plan->in[0].tick_den)
        return h->fail(h, GN_E_ARG, "in", "must come straight from a source: one tick an item");
    gn_status st = settle(c, h, &plan->anchor, plan->in[0].format);
    plan->out[0] =
            (struct gn_plan_stream){.format = c->format == OUTPUT_CI16 ? GN_FMT_CI16 : GN_FMT_CI8,
                    .tick_num = plan->in[0].tick_num,
                    .tick_den = plan->in[0].tick_den};
    return st;
}

static gn_status condition_start(void *state, const struct gn_host *h)
{
    struct condition *c = state;
    c->level = (struct gn_level){.unit = 1};
    return settle(c, h, h->anchor, c->in_format);
}

static const void *item_at(const struct condition *c, const struct gn_in *in, size_t i)
{
    return (const char *)in->items + i * gn_format_item_bytes(c->in_format);
}

static void measure(const struct condition *c, struct gn_level_sums *s, const void *items, size_t n)
{
    int n_components = c->goal.n_components;
    if (c->in_format == GN_FMT_CF32)
        gn_level_add_f32(s, items, n, c->level.unit);
    else if (c->in_format == GN_FMT_CI16 || c->in_format == GN_FMT_S16)
        gn_level_add_s16(s, items, n, n_components);
    else
        gn_level_add_s8(s, items, n, n_components);
}

static void measure_first(struct condition *c, const struct gn_in *in)
{
    struct gn_level_sums s = {0};
    size_t n = in->n_items < FIRST ? in->n_items : FIRST;
    if (c->in_format == GN_FMT_CF32)
        c->level.unit = gn_level_unit(in->items, n);
    measure(c, &s, in->items, n);
    gn_level_update(&c->level, &s, &c->goal);
    c->i_block = in->index / c->grid_items;
    c->is_measured = true;
}

/* At the first item of a grid block: settle its level from the block before. */
static void enter_block(struct condition *c, uint64_t index)
{
    uint64_t i_block = index / c->grid_items;
    if (i_block == c->i_block)
        return;
    gn_level_update(&c->level, &c->sums, &c->goal);
    if (c->in_format == GN_FMT_CF32 && c->sums.n > 0)
        c->level.unit = gn_level_next_unit(c->level.unit, &c->sums);
    c->sums = (struct gn_level_sums){0};
    c->i_block = i_block;
}

/* Measure those of items [index, index + n) that lie in a window. */
static void measure_windows(struct condition *c, uint64_t index, const void *items, size_t n)
{
    size_t bytes = gn_format_item_bytes(c->in_format);
    for (size_t i = 0; i < n;) {
        size_t at = (size_t)((index + i) % GN_LEVEL_PERIOD), left = n - i;
        if (at < GN_LEVEL_WINDOW) {
            size_t n_window = GN_LEVEL_WINDOW - at < left ? GN_LEVEL_WINDOW - at : left;
            measure(c, &c->sums, (const char *)items + i * bytes, n_window);
            i += n_window;
        } else {
            i += GN_LEVEL_PERIOD - at < left ? GN_LEVEL_PERIOD - at : left;
        }
    }
}

/* Items to planar floats without DC, conjugated if need be. */
static void load(const struct condition *c, const void *items, size_t n, float *re, float *im)
{
    float dc_re = (float)c->level.dc[0], dc_im = (float)c->level.dc[1],
          sign = c->is_inverted ? -1.0f : 1.0f;
    const int8_t *s8 = items;
    const int16_t *s16 = items;
    const float *f32 = items;
    switch (c->in_format) {
    case GN_FMT_S8:
        for (size_t i = 0; i < n; i++)
            re[i] = (float)s8[i] - dc_re;
        return;
    case GN_FMT_S16:
        for (size_t i = 0; i < n; i++)
            re[i] = (float)s16[i] - dc_re;
        return;
    case GN_FMT_CI16:
        for (size_t i = 0; i < n; i++) {
            re[i] = (float)s16[2 * i] - dc_re;
            im[i] = sign * ((float)s16[2 * i + 1] - dc_im);
        }
        return;
    case GN_FMT_CF32:
        for (size_t i = 0; i < n; i++) {
            re[i] = f32[2 * i] - dc_re;
            im[i] = sign * (f32[2 * i + 1] - dc_im);
        }
        return;
    default:
        for (size_t i = 0; i < n; i++) {
            re[i] = (float)s8[2 * i] - dc_re;
            im[i] = sign * ((float)s8[2 * i + 1] - dc_im);
        }
        return;
    }
}

/* Fill the tile: history is in place, n items at `items` plus up to n_side to look ahead, zeros
 * beyond. */
static void fill_tile(
        struct condition *c, uint64_t index, const void *items, size_t n, size_t n_there)
{
    size_t n_want = n + c->n_side, n_have = n_there < n_want ? n_there : n_want;
    float *re = c->re + c->n_side, *im = c->im + c->n_side;
    load(c, items, n_have, re, im);
    if (c->is_real)
        gn_mixer_run_real(&c->mixer, index, n_have, re, im);
    else if (c->is_mixed)
        gn_mixer_run(&c->mixer, index, n_have, re, im);
    memset(re + n_have, 0, (n_want - n_have) * sizeof *re);
    memset(im + n_have, 0, (n_want - n_have) * sizeof *im);
}

static void keep_history(struct condition *c, size_t n)
{
    memmove(c->re, c->re + n, c->n_side * sizeof c->re[0]);
    memmove(c->im, c->im + n, c->n_side * sizeof c->im[0]);
}

static void quantise(const struct condition *c, const float *re, const float *im, size_t n, void *y)
{
    float scale = (float)ldexp(1, c->level.gain);
    if (c->format == OUTPUT_CI16)
        gn_quantise_ci16(re, im, n, scale, y);
    else
        gn_quantise_ci8(re, im, n, scale, y);
}

static void run_float(
        struct condition *c, uint64_t index, const void *items, size_t n, size_t n_there, void *y)
{
    fill_tile(c, index, items, n, n_there);
    if (c->n_side == 0) {
        quantise(c, c->re, c->im, n, y);
        return;
    }
    gn_fir_run(&c->fir, c->re + c->n_side, n, c->out_re);
    gn_fir_run(&c->fir, c->im + c->n_side, n, c->out_im);
    quantise(c, c->out_re, c->out_im, n, y);
    keep_history(c, n);
}

static bool is_integer_path(const struct condition *c)
{
    return c->goal.may_pass;
}

static void run(
        struct condition *c, uint64_t index, const void *items, size_t n, size_t n_there, void *y)
{
    if (!is_integer_path(c))
        run_float(c, index, items, n, n_there, y);
    else if (c->level.is_passed && !c->is_inverted)
        memcpy(y, items, 2 * n);
    else
        gn_shift_ci8(items, n, c->level.gain, c->level.dc, c->is_inverted, y);
}

/* Items that may be worked on now: to the end of the grid block, of the room, of what can be seen
 * ahead. */
static size_t next_length(
        const struct condition *c, const struct gn_in *in, const struct gn_out *out)
{
    bool ends = (in->flags & (GN_IN_LAST | GN_IN_GAP_AFTER)) != 0;
    uint64_t index = in->index + in->n_used;
    size_t n = in->n_items - in->n_used, room = out->n_room - out->n_made;
    if (!ends)
        n = n > c->n_side ? n - c->n_side : 0;
    n = n < room ? n : room;
    uint64_t grid = c->grid_items - index % c->grid_items;
    n = n < grid ? n : (size_t)grid;
    return is_integer_path(c) || n < TILE ? n : TILE;
}

static gn_status condition_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct condition *c = state;
    struct gn_in *in = &w->in[0];
    struct gn_out *out = &w->out[0];
    size_t out_bytes = c->format == OUTPUT_CI16 ? 4 : 2;
    bool ends = (in->flags & (GN_IN_LAST | GN_IN_GAP_AFTER)) != 0;
    (void)h;
    if ((in->flags & GN_IN_GAP_BEFORE) != 0) {
        memset(c->re, 0, c->n_side * sizeof c->re[0]);
        memset(c->im, 0, c->n_side * sizeof c->im[0]);
    }
    if (!c->is_measured) {
        if (in->n_items < FIRST && !ends) {
            in->n_need = FIRST;
            return GN_OK;
        }
        measure_first(c, in);
    }
    for (size_t n; (n = next_length(c, in, out)) > 0;) {
        uint64_t index = in->index + in->n_used;
        const void *items = item_at(c, in, in->n_used);
        enter_block(c, index);
        measure_windows(c, index, items, n);
        run(c, index, items, n, in->n_items - in->n_used,
                (char *)out->items + out->n_made * out_bytes);
        in->n_used += (uint32_t)n;
        out->n_made += (uint32_t)n;
    }
    if (!ends)
        in->n_need = c->n_side + 1;
    return GN_OK;
}

static const char *const spectrum_names[] = {"normal", "inverted", "auto", NULL};
static const char *const format_names[] = {"ci8", "ci16", NULL};

static const struct gn_port ports[] = {
        {.name = "in",
                .doc = "samples of a source",
                .dir = GN_IN,
                .formats = "ci8 ci16 cf32 s8 s16"},
        {.name = "samples",
                .doc = "complex baseband, same rate and index",
                .dir = GN_OUT,
                .formats = "ci8 ci16"},
};

static const struct gn_param params[] = {
        GN_PARAM_X("if", struct condition, if_hz, GN_P_F64, "Hz", "auto", -1e12, 1e12,
                "where the carrier lies in the samples, after conjugation; auto: as the source "
                "says",
                .flags = GN_PARAM_AUTO),
        GN_PARAM_X("spectrum", struct condition, spectrum, GN_P_ENUM, "", "auto", 0, 0,
                "inverted: conjugate first, then mix; auto: as the source says",
                .choices = spectrum_names),
        GN_PARAM_X("format", struct condition, format, GN_P_ENUM, "", "ci8", 0, 0,
                "of the output; ci16 leaves 36 dB more room above the noise",
                .choices = format_names),
};

const struct gn_block gn_frontend_condition = {
        .name = "frontend.condition",
        .summary = "samples to baseband: mixing, DC, level",
        .doc = "Conjugates an inverted spectrum, takes off the mean of each 0.1 s, turns the "
               "carrier to zero with a phase "
               "that depends on the index alone, filters away the image of real samples without "
               "moving the index, "
               "and scales by a power of two. Samples of one bit pass unchanged.",
        .ports = ports,
        .params = params,
        .n_ports = GN_COUNT(ports),
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct condition),
        .flags = GN_BLOCK_PURE,
        .plan = condition_plan,
        .start = condition_start,
        .work = condition_work,
};
