/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/acq/grid.h"

#include "lib/gnss/signal.h"

#include <fftw3.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FFT  (4u * GN_ACQ_MS)
#define NEAR_LAG 6u /* samples: 1.5 chips, the reach of a peak */

const struct gn_acq_band gn_acq_bands[] = {
        [GN_SIG_GPS_L1CA] = {GN_ACQ_MS, 1, GN_ACQ_MS, 4, 1, 3069, 500},
        [GN_SIG_GAL_E1] = {4 * GN_ACQ_MS, 4, 6 * GN_ACQ_MS, 4, 2, 14322, 125},
        [GN_SIG_SBAS_L1] = {GN_ACQ_MS, 1, GN_ACQ_MS, 1, 1, 3069, 500},
};

struct fft {
    fftwf_plan forward, inverse; /* of `work` in place */
};

struct gn_acq_grid {
    struct fft fft_1ms, fft_4ms;
    fftwf_complex *work;    /* [MAX_FFT] */
    fftwf_complex *code;    /* [2][MAX_FFT] spectra of the codes, conjugated */
    fftwf_complex *spectra; /* [n_blocks][2 sets][n_fft] */
    float *sum;             /* [MAX_FFT] */
    float *chips;           /* [MAX_FFT] */
    uint32_t n_blocks_max, n_blocks;
};

static void fft_done(struct fft *f)
{
    if (f->forward != NULL)
        fftwf_destroy_plan(f->forward);
    if (f->inverse != NULL)
        fftwf_destroy_plan(f->inverse);
}

static gn_status fft_init(struct fft *f, fftwf_complex *work, uint32_t n)
{
    f->forward = fftwf_plan_dft_1d((int)n, work, work, FFTW_FORWARD, FFTW_ESTIMATE);
    f->inverse = fftwf_plan_dft_1d((int)n, work, work, FFTW_BACKWARD, FFTW_ESTIMATE);
    return f->forward != NULL && f->inverse != NULL ? GN_OK : GN_E_NOMEM;
}

gn_status gn_acq_grid_new(uint32_t n_blocks_max, struct gn_acq_grid **ret)
{
    struct gn_acq_grid *g = calloc(1, sizeof *g);
    if (g == NULL)
        return GN_E_NOMEM;
    g->n_blocks_max = n_blocks_max;
    g->work = fftwf_alloc_complex(MAX_FFT);
    g->code = fftwf_alloc_complex(2 * (size_t)MAX_FFT);
    g->spectra = fftwf_alloc_complex(2 * (size_t)n_blocks_max * GN_ACQ_MS);
    g->sum = fftwf_alloc_real(MAX_FFT);
    g->chips = fftwf_alloc_real(MAX_FFT);
    if (g->work == NULL || g->code == NULL || g->spectra == NULL || g->sum == NULL ||
            g->chips == NULL || fft_init(&g->fft_1ms, g->work, GN_ACQ_MS) != GN_OK ||
            fft_init(&g->fft_4ms, g->work, MAX_FFT) != GN_OK) {
        gn_acq_grid_free(g);
        return GN_E_NOMEM;
    }
    *ret = g;
    return GN_OK;
}

void gn_acq_grid_free(struct gn_acq_grid *g)
{
    if (g == NULL)
        return;
    fft_done(&g->fft_1ms);
    fft_done(&g->fft_4ms);
    fftwf_free(g->work);
    fftwf_free(g->code);
    fftwf_free(g->spectra);
    fftwf_free(g->sum);
    fftwf_free(g->chips);
    free(g);
}

static const struct fft *fft_of(const struct gn_acq_grid *g, unsigned signal)
{
    return gn_acq_bands[signal].n_fft == GN_ACQ_MS ? &g->fft_1ms : &g->fft_4ms;
}

void gn_acq_grid_load(
        struct gn_acq_grid *g, unsigned signal, const struct gn_acq_window *w, uint32_t n_blocks)
{
    const struct gn_acq_band *band = &gn_acq_bands[signal];

    g->n_blocks = n_blocks;
    for (uint32_t b = 0; b < n_blocks; b++)
        for (uint32_t set = 0; set < 2; set++) {
            gn_acq_mix(w->iq + (size_t)b * band->hop, band->n_fft, set * band->bin_hz, 0, g->work);
            fftwf_execute(fft_of(g, signal)->forward);
            memcpy(g->spectra + (2 * (size_t)b + set) * band->n_fft, g->work,
                    band->n_fft * sizeof g->work[0]);
        }
}

static void load_code(
        struct gn_acq_grid *g, unsigned signal, const struct gn_acq_replica *r, fftwf_complex *ret)
{
    uint32_t n = gn_acq_bands[signal].n_fft;

    gn_acq_replica_sample(r, 0, g->chips);
    for (uint32_t i = 0; i < n; i++) {
        g->work[i][0] = g->chips[i];
        g->work[i][1] = 0;
    }
    fftwf_execute(fft_of(g, signal)->forward);
    for (uint32_t i = 0; i < n; i++) {
        ret[i][0] = g->work[i][0];
        ret[i][1] = -g->work[i][1];
    }
}

static void multiply(fftwf_complex *restrict a, fftwf_complex *restrict b, uint32_t n,
        fftwf_complex *restrict ret)
{
    for (uint32_t i = 0; i < n; i++) {
        ret[i][0] = a[i][0] * b[i][0] - a[i][1] * b[i][1];
        ret[i][1] = a[i][0] * b[i][1] + a[i][1] * b[i][0];
    }
}

static void add_power(fftwf_complex *restrict a, uint32_t n, float *restrict sum)
{
    for (uint32_t i = 0; i < n; i++)
        sum[i] += a[i][0] * a[i][0] + a[i][1] * a[i][1];
}

/* One block, one bin, one code, added to g->sum: sum[m] += |corr[(m - turn) mod n]|^2 */
static void add_block(struct gn_acq_grid *g, const struct gn_acq_scan *scan, uint32_t block,
        int32_t bin, fftwf_complex *code)
{
    const struct gn_acq_band *band = &gn_acq_bands[scan->signal];
    uint32_t n = band->n_fft, set = (uint32_t)bin & 1u;
    fftwf_complex *x = g->spectra + (2 * (size_t)block + set) * n;
    uint32_t shift = (uint32_t)((bin - (int32_t)set) / 2) & (n - 1);

    multiply(x + shift, code, n - shift, g->work);
    multiply(x, code + (n - shift), shift, g->work + (n - shift));
    fftwf_execute(fft_of(g, scan->signal)->inverse);

    double start = (double)block * band->hop;
    double drift = start * bin * band->bin_hz / GN_F_L1_HZ; /* the code comes this much earlier */
    uint32_t turn = (uint32_t)((int64_t)start + (int64_t)lround(drift)) & (n - 1);
    add_power(g->work, n - turn, g->sum + turn);
    add_power(g->work + (n - turn), turn, g->sum);
}

/* The highest cell of a bin, against the mean of the others. */
static struct gn_acq_cell best_of_bin(const struct gn_acq_grid *g, uint32_t n, uint32_t n_sums)
{
    uint32_t best = 0;
    double total = 0, near = 0;

    for (uint32_t i = 0; i < n; i++) {
        total += (double)g->sum[i];
        if (g->sum[i] > g->sum[best])
            best = i;
    }
    for (uint32_t i = 0; i <= 2 * NEAR_LAG; i++)
        near += (double)g->sum[(best + i - NEAR_LAG) & (n - 1)];
    double mean = (total - near) / (n - 2 * NEAR_LAG - 1);
    double scale = (double)n * n * n_sums;
    return (struct gn_acq_cell){.lag = best,
            .ratio = mean > 0 ? (float)((double)g->sum[best] / mean) : 0,
            .noise = (float)(mean / scale)};
}

/* Keep the list sorted, one cell per delay. Returns the new length. */
static uint32_t insert(struct gn_acq_cell *list, uint32_t n, struct gn_acq_cell c, uint32_t n_fft)
{
    uint32_t at = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t d = (list[i].lag - c.lag) & (n_fft - 1);
        if (d > NEAR_LAG && d < n_fft - NEAR_LAG)
            continue;
        if (list[i].ratio >= c.ratio)
            return n;
        memmove(list + i, list + i + 1, (n - i - 1) * sizeof *list); /* the same peak, weaker */
        n--;
        i--;
    }
    while (at < n && list[at].ratio >= c.ratio)
        at++;
    if (at == GN_ACQ_CELLS_MAX)
        return n;
    n = n < GN_ACQ_CELLS_MAX ? n + 1 : n;
    memmove(list + at + 1, list + at, (n - at - 1) * sizeof *list);
    list[at] = c;
    return n;
}

uint32_t gn_acq_grid_scan(struct gn_acq_grid *g, const struct gn_acq_scan *scan,
        const struct gn_acq_replica *r, const struct gn_acq_stop *stop,
        struct gn_acq_cell ret[GN_ACQ_CELLS_MAX])
{
    uint32_t n = gn_acq_bands[scan->signal].n_fft, n_cells = 0;

    for (uint32_t c = 0; c < scan->n_codes; c++)
        load_code(g, scan->signal, r + c, g->code + (size_t)c * MAX_FFT);
    for (int32_t bin = scan->bin_lo; bin <= scan->bin_hi; bin++) {
        if (stop != NULL && stop->is_set(stop->arg))
            return 0;
        memset(g->sum, 0, n * sizeof g->sum[0]);
        for (uint32_t b = 0; b < g->n_blocks; b++)
            for (uint32_t c = 0; c < scan->n_codes; c++)
                add_block(g, scan, b, bin, g->code + (size_t)c * MAX_FFT);
        struct gn_acq_cell cell = best_of_bin(g, n, g->n_blocks * scan->n_codes);
        cell.bin = bin;
        if (cell.ratio > scan->loose)
            n_cells = insert(ret, n_cells, cell, n);
    }
    return n_cells;
}

bool gn_acq_grid_peak_is_at(struct gn_acq_grid *g, unsigned signal, const struct gn_acq_replica *r,
        const struct gn_acq_window *w, const struct gn_acq_spot *spot, uint32_t n_periods,
        uint32_t within)
{
    uint32_t n = gn_acq_bands[signal].n_fft;
    double period = n / (1 + spot->doppler_hz / GN_F_L1_HZ);

    load_code(g, signal, r, g->code);
    memset(g->sum, 0, n * sizeof g->sum[0]);
    for (uint32_t k = 0; k < n_periods; k++) {
        size_t start = (size_t)lround(fmax(0, spot->delay_samples + k * period));
        if (start + n > w->n)
            break;
        gn_acq_mix(w->iq + start, n, spot->doppler_hz, 0, g->work);
        fftwf_execute(fft_of(g, signal)->forward);
        for (uint32_t i = 0; i < n; i++) {
            float re = g->work[i][0] * g->code[i][0] - g->work[i][1] * g->code[i][1];
            g->work[i][1] = g->work[i][0] * g->code[i][1] + g->work[i][1] * g->code[i][0];
            g->work[i][0] = re;
        }
        fftwf_execute(fft_of(g, signal)->inverse);
        add_power(g->work, n, g->sum);
    }
    uint32_t best = best_of_bin(g, n, 1).lag;
    return best <= within || best >= n - within;
}
