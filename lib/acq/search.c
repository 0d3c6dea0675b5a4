/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/acq/search.h"

#include "lib/acq/gamma.h"
#include "lib/gnss/codes.h"
#include "lib/gnss/signal.h"

#include <math.h>
#include <stdlib.h>

#define LOOKS 3.0 /* cells of pure noise that go to a second look, per satellite, on average */
#define RECENTER_HZ                                                                                \
    6000.0 /* satellites around the common offset: +-5 kHz, and the offset's own error */
#define E1_PERIODS_MAX 24u
#define E1_PERIODS     6u
#define FLOOR_DBHZ     27.0 /* no search here sees a weaker one (E1: both components together) */
#define GHOST_DB                                                                                   \
    17.0 /* C/A cross-correlation is 24 dB down; several strong ones and noise add up */

static const struct effort {
    uint32_t ms; /* C/A milliseconds in the grid */
    uint32_t e1_blocks, e1_codes;
    uint32_t look_ms; /* fresh samples for the second look */
} efforts[GN_ACQ_EFFORTS] = {{10, 2, 1, 20}, {20, 3, 2, 40}, {40, 6, 2, 60}, {80, 16, 2, 100}};

struct gn_acq {
    struct gn_acq_grid *grid;
    struct gn_acq_sampled sampled;
    struct gn_acq_replica codes[2];
};

/* One pass over some satellites of one signal. */
struct pass {
    const struct gn_acq_window *w;
    const struct gn_acq_stop *stop;
    const struct gn_acq_band *band;
    struct gn_acq_scan scan;
    uint32_t look_ms;
    size_t look_from; /* first sample the grid has not seen */
    double strict;    /* ratio that is sure by itself */
    double look_p;    /* chance of one try of a second look under noise */
};

gn_status gn_acq_new(uint32_t effort_max, struct gn_acq **ret)
{
    if (effort_max >= GN_ACQ_EFFORTS)
        return GN_E_ARG;
    struct gn_acq *a = calloc(1, sizeof *a);
    if (a == NULL)
        return GN_E_NOMEM;
    const struct effort *e = &efforts[effort_max];
    uint32_t n = e->ms > 4 * e->e1_blocks ? e->ms : 4 * e->e1_blocks;
    gn_status st = gn_acq_grid_new(n, &a->grid);
    if (st != GN_OK) {
        free(a);
        return st;
    }
    *ret = a;
    return GN_OK;
}

void gn_acq_free(struct gn_acq *a)
{
    if (a == NULL)
        return;
    gn_acq_grid_free(a->grid);
    free(a);
}

uint32_t gn_acq_window_samples(uint32_t effort)
{
    const struct effort *e = &efforts[effort < GN_ACQ_EFFORTS ? effort : GN_ACQ_EFFORTS - 1];
    uint32_t grid_ms = e->ms > 6 * e->e1_blocks ? e->ms : 6 * e->e1_blocks;

    return (grid_ms + e->look_ms + 8) * GN_ACQ_MS;
}

/* Share a window between grid and second look as the effort would, 2 to 3, when it is short. */
static uint32_t n_blocks(const struct pass *p, const struct effort *e, uint32_t signal)
{
    uint32_t hop_ms = p->band->hop / GN_ACQ_MS,
             want = signal == GN_SIG_GAL_E1 ? e->e1_blocks : e->ms;
    uint32_t have_ms = (uint32_t)(p->w->n / GN_ACQ_MS);

    if (have_ms < 2 * p->band->period_ms || have_ms < 3)
        return have_ms >= p->band->period_ms ? have_ms / p->band->period_ms * (hop_ms == 1) : 0;
    uint32_t share_ms = have_ms < 10 ? have_ms : have_ms * 2 / 5;
    uint32_t most =
            share_ms < p->band->period_ms ? 1 : (share_ms - p->band->period_ms) / hop_ms + 1;
    return want < most ? want : most;
}

static bool pass_init(struct pass *p, const struct gn_acq_order *order, uint32_t signal,
        double center_hz, double half_hz)
{
    const struct effort *e =
            &efforts[order->effort < GN_ACQ_EFFORTS ? order->effort : GN_ACQ_EFFORTS - 1];

    p->band = &gn_acq_bands[signal];
    p->scan = (struct gn_acq_scan){.signal = signal,
            .n_blocks = n_blocks(p, e, signal),
            .n_codes = signal == GN_SIG_GAL_E1 ? e->e1_codes : 1,
            .bin_lo = (int32_t)floor((center_hz - half_hz) / p->band->bin_hz + 0.5),
            .bin_hi = (int32_t)floor((center_hz + half_hz) / p->band->bin_hz + 0.5)};
    if (p->scan.n_blocks == 0)
        return false;
    uint32_t n_sums = p->scan.n_blocks * p->scan.n_codes;
    double cells = (double)p->band->n_cells_lag * (p->scan.bin_hi - p->scan.bin_lo + 1);
    p->look_from = (size_t)(p->scan.n_blocks - 1) * p->band->hop + p->band->n_fft;
    p->look_ms = e->look_ms;
    bool can_look = p->w->n > p->look_from + (size_t)(2 * p->band->period_ms + 4) * GN_ACQ_MS;
    p->strict = gn_acq_gamma_isf(order->pfa * (can_look ? 0.5 : 1) / cells, n_sums) / n_sums;
    p->scan.loose =
            (float)(can_look ? gn_acq_gamma_isf(LOOKS / cells, n_sums) / n_sums : p->strict);
    p->look_p = order->pfa * 0.5 / (LOOKS * GN_ACQ_TESTS);
    return true;
}

static bool passes_look(
        struct gn_acq *a, const struct pass *p, double noise, struct gn_acq_spot *spot)
{
    uint32_t n_sums;
    size_t last = p->look_from + (size_t)p->look_ms * GN_ACQ_MS;
    double stat = gn_acq_look(p->band, &a->sampled, p->w, noise, p->look_from,
            last < p->w->n ? last : p->w->n, spot, &n_sums);

    return n_sums > 0 && stat > gn_acq_gamma_isf(p->look_p, n_sums);
}

/* B alone and C alone peak where the sum did: what a strong C/A signal leaves in E1 does not. */
static bool components_agree(struct gn_acq *a, const struct pass *p, const struct gn_acq_found *f)
{
    uint32_t n = f->cn0_dbhz > 38 ? E1_PERIODS : E1_PERIODS_MAX;

    for (uint32_t c = 0; c < p->band->n_codes; c++)
        if (!gn_acq_grid_peak_is_at(a->grid, p->scan.signal, a->codes + c, p->w, &f->spot, n, 1))
            return false;
    return true;
}

static bool search_one(
        struct gn_acq *a, const struct pass *p, uint32_t prn, struct gn_acq_found *ret)
{
    struct gn_acq_cell cells[GN_ACQ_CELLS_MAX];
    bool is_sampled = false;

    for (uint32_t c = 0; c < p->band->n_codes; c++)
        if (gn_acq_replica_init(&a->codes[c], p->scan.signal, c, prn) != GN_OK)
            return false;
    uint32_t n = gn_acq_grid_scan(a->grid, &p->scan, a->codes, p->stop, cells);
    for (uint32_t i = 0; i < n; i++) {
        struct gn_acq_found f = {.signal = (uint8_t)p->scan.signal,
                .prn = (uint8_t)prn,
                .spot = {cells[i].lag, cells[i].bin * p->band->bin_hz},
                .ratio = (double)cells[i].ratio};
        double noise = (double)cells[i].noise;
        if (!is_sampled)
            gn_acq_sampled_init(&a->sampled, p->band, a->codes);
        is_sampled = true;
        if ((double)cells[i].ratio < p->strict && !passes_look(a, p, noise, &f.spot))
            continue;
        f.cn0_dbhz = gn_acq_refine(p->band, a->codes, p->w, noise, &f.spot);
        if (f.cn0_dbhz + (p->band->n_codes == 2 ? 3 : 0) < FLOOR_DBHZ ||
                (p->scan.signal == GN_SIG_GAL_E1 && !components_agree(a, p, &f)))
            continue;
        *ret = f;
        return true;
    }
    return false;
}

/* Satellites of one signal that mask names; found ones leave the mask. */
static uint32_t search_signal(struct gn_acq *a, struct pass *p, uint32_t signal, uint64_t *mask,
        struct gn_acq_found *ret, uint32_t room)
{
    uint32_t base = signal == GN_SIG_SBAS_L1 ? 120 : 1, n = 0;

    gn_acq_grid_load(a->grid, signal, p->w, p->scan.n_blocks);
    for (uint32_t i = 0; i < 64 && n < room; i++) {
        if ((*mask >> i & 1u) == 0)
            continue;
        if (p->stop != NULL && p->stop->is_set(p->stop->arg))
            break;
        if (search_one(a, p, base + i, ret + n)) {
            *mask &= ~(UINT64_C(1) << i);
            n++;
        }
    }
    return n;
}

static uint32_t search_band(struct gn_acq *a, const struct gn_acq_window *w,
        const struct gn_acq_order *order, const struct gn_acq_stop *stop, double center_hz,
        double half_hz, uint64_t mask[4], struct gn_acq_found *ret, uint32_t n)
{
    for (uint32_t signal = 1; signal < GN_SIG_COUNT; signal++) {
        struct pass p = {.w = w, .stop = stop};
        if (mask[signal] != 0 && pass_init(&p, order, signal, center_hz, half_hz))
            n += search_signal(a, &p, signal, &mask[signal], ret + n, GN_ACQ_HITS_MAX - n);
    }
    return n;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median_doppler(const struct gn_acq_found *list, uint32_t n)
{
    double v[GN_ACQ_HITS_MAX];

    for (uint32_t i = 0; i < n; i++)
        v[i] = list[i].spot.doppler_hz;
    qsort(v, n, sizeof v[0], by_value);
    return n % 2 == 1 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* Nothing within half_hz of zero: the clock is far off. C/A alone looks far (it is cheap), the rest
 * follows around the offset C/A has shown. */
static uint32_t search_far(struct gn_acq *a, const struct gn_acq_window *w,
        const struct gn_acq_order *order, const struct gn_acq_stop *stop, uint64_t mask[4],
        struct gn_acq_found *ret)
{
    uint64_t first[4] = {0};
    uint32_t lead = mask[GN_SIG_GPS_L1CA] != 0 ? GN_SIG_GPS_L1CA : GN_SIG_GAL_E1;

    first[lead] = mask[lead];
    uint32_t n = search_band(a, w, order, stop, 0, order->reach_hz, first, ret, 0);
    mask[lead] = first[lead];
    return n;
}

uint32_t gn_acq_search(struct gn_acq *a, const struct gn_acq_window *w,
        const struct gn_acq_order *order, const struct gn_acq_stop *stop,
        struct gn_acq_found ret[GN_ACQ_HITS_MAX])
{
    uint64_t mask[4] = {0, order->prn_mask[1], order->prn_mask[2], order->prn_mask[3]};
    double center = order->has_center ? order->center_hz : 0;
    uint32_t n = search_band(a, w, order, stop, center, order->half_hz, mask, ret, 0);

    if (!order->has_center && order->reach_hz > order->half_hz) {
        if (n == 0)
            n = search_far(a, w, order, stop, mask, ret);
        /* the satellites are around the clock's offset, not around zero */
        if (n > 0 && fabs(median_doppler(ret, n)) > order->half_hz - 2500)
            n = search_band(a, w, order, stop, median_doppler(ret, n), RECENTER_HZ, mask, ret, n);
    }
    return gn_acq_drop_ghosts(ret, n);
}

static bool is_cross_correlation(const struct gn_acq_found *weak, const struct gn_acq_found *strong)
{
    double d = fabs(weak->spot.doppler_hz - strong->spot.doppler_hz);

    return weak->signal != GN_SIG_GAL_E1 && strong->signal != GN_SIG_GAL_E1 &&
           strong->cn0_dbhz - weak->cn0_dbhz >= GHOST_DB && fabs(d - 1000 * round(d / 1000)) <= 300;
}

static bool is_ghost(const struct gn_acq_found *list, uint32_t n, uint32_t i)
{
    uint32_t same = 0;

    for (uint32_t k = 0; k < n; k++) {
        same += fabs(list[k].spot.doppler_hz - list[i].spot.doppler_hz) < 10;
        if (is_cross_correlation(&list[i], &list[k]))
            return true;
    }
    return same >= 7; /* itself and six more */
}

uint32_t gn_acq_drop_ghosts(struct gn_acq_found *list, uint32_t n)
{
    bool drop[GN_ACQ_HITS_MAX];
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++)
        drop[i] = is_ghost(list, n, i);
    for (uint32_t i = 0; i < n; i++)
        if (!drop[i])
            list[kept++] = list[i];
    return kept;
}
