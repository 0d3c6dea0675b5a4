/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/guard/peaks.h"

#include "lib/acq/gamma.h"
#include "lib/gnss/signal.h"

#include <math.h>
#include <stdlib.h>

#define CHIP_SPS   1.023e6
#define NEAR_CHIPS 2.2
#define BELOW_DB   12.0
#define CHANCE     1e-6
#define FAR_MOST   2u  /* interference stands up everywhere, a second signal once */
#define DRIFT      3.0 /* chips a second peak may move between two looks */

/* The search of each signal: blocks, and Doppler bins on each side of the tracked one. */
static const struct {
    uint32_t n_blocks, n_codes;
    int32_t half_bins;
} shapes[GN_SIG_COUNT] = {[GN_SIG_GPS_L1CA] = {20, 1, 2}, [GN_SIG_GAL_E1] = {4, 1, 4}};

struct gn_peaks {
    struct gn_acq_grid *grid;
    struct gn_acq_replica codes[2];
};

gn_status gn_peaks_new(struct gn_peaks **ret)
{
    struct gn_peaks *p = calloc(1, sizeof *p);
    if (p == NULL)
        return GN_E_NOMEM;
    if (gn_acq_grid_new(GN_PEAKS_WINDOW_MS, &p->grid) != GN_OK) {
        free(p);
        return GN_E_NOMEM;
    }
    *ret = p;
    return GN_OK;
}

void gn_peaks_free(struct gn_peaks *p)
{
    if (p == NULL)
        return;
    gn_acq_grid_free(p->grid);
    free(p);
}

/* Into -half..half a period. */
static double offset_of(double delay_s, double tracked_s, double period_chips)
{
    double chips = (delay_s - tracked_s) * CHIP_SPS;
    return chips - period_chips * floor(chips / period_chips + 0.5);
}

static void look_at(struct gn_peaks *p, const struct gn_acq_stop *stop, double rate_sps,
        const struct gn_peaks_sat *sat, struct gn_peaks_found *ret)
{
    const struct gn_acq_band *band = &gn_acq_bands[sat->signal];
    struct gn_acq_cell cells[GN_ACQ_CELLS_MAX];
    int32_t bin = (int32_t)lround(sat->doppler_hz / band->bin_hz),
            half = shapes[sat->signal].half_bins;
    struct gn_acq_scan scan = {.signal = sat->signal,
            .n_blocks = shapes[sat->signal].n_blocks,
            .n_codes = shapes[sat->signal].n_codes,
            .bin_lo = bin - half,
            .bin_hi = bin + half};
    uint32_t n_sums = scan.n_blocks * scan.n_codes;
    double n_cells = (double)band->n_cells_lag * (2 * half + 1);
    double period_s = band->period_ms * 1e-3;
    scan.loose = (float)(gn_acq_gamma_isf(CHANCE / n_cells, n_sums) / n_sums);
    for (uint32_t c = 0; c < scan.n_codes; c++)
        if (gn_acq_replica_init(&p->codes[c], sat->signal, c, sat->prn) != GN_OK)
            return;
    uint32_t n = gn_acq_grid_scan(p->grid, &scan, p->codes, stop, cells), n_far = 0;
    bool is_tracked_seen = false;
    for (uint32_t i = 0; i < n; i++) {
        double delay_s = gn_acq_delay_s(cells[i].lag, rate_sps);
        double offset = offset_of(delay_s, sat->delay_s, period_s * CHIP_SPS);
        double cn0 = 10 * log10(fmax((double)cells[i].ratio - 1, 1e-3) / period_s) +
                     (sat->signal == GN_SIG_GAL_E1 ? 3 : 0); /* one of two components */
        is_tracked_seen = is_tracked_seen || fabs(offset) < NEAR_CHIPS;
        if (fabs(offset) < NEAR_CHIPS)
            continue;
        n_far++;
        if (ret->is_there || cn0 < sat->cn0_dbhz - BELOW_DB)
            continue;
        ret->is_there = true;
        ret->offset_chips = offset;
        ret->cn0_dbhz = cn0;
    }
    ret->is_there = ret->is_there && is_tracked_seen && n_far <= FAR_MOST;
}

void gn_peaks_look(struct gn_peaks *p, const struct gn_acq_window *w, double rate_sps,
        const struct gn_peaks_sat *sats, uint32_t n, const struct gn_acq_stop *stop,
        struct gn_peaks_found *ret)
{
    for (uint32_t i = 0; i < n; i++)
        ret[i] = (struct gn_peaks_found){.signal = sats[i].signal, .prn = sats[i].prn};
    for (uint8_t signal = 1; signal < GN_SIG_COUNT; signal++) {
        bool is_loaded = false;
        for (uint32_t i = 0; i < n; i++) {
            if (sats[i].signal != signal || shapes[signal].n_blocks == 0)
                continue;
            if (stop != NULL && stop->is_set(stop->arg))
                return;
            if (!is_loaded)
                gn_acq_grid_load(p->grid, signal, w, shapes[signal].n_blocks);
            is_loaded = true;
            look_at(p, stop, rate_sps, &sats[i], &ret[i]);
        }
    }
}

/* The entry of a satellite, else a free one, else none. */
static int entry(const struct gn_peaks_memory *m, const struct gn_peaks_found *f)
{
    int free_one = -1;
    for (int i = 0; i < (int)GN_PEAKS_SATS; i++) {
        if (m->sats[i].n_running > 0 && m->sats[i].signal == f->signal && m->sats[i].prn == f->prn)
            return i;
        if (m->sats[i].n_running == 0 && free_one < 0)
            free_one = i;
    }
    return free_one;
}

int gn_peaks_judge(struct gn_peaks_memory *m, const struct gn_peaks_found *found, uint32_t n)
{
    int best = -1, n_together = 0, most = 0;
    for (uint32_t i = 0; i < n; i++) {
        int k = entry(m, &found[i]);
        if (k < 0)
            continue;
        bool goes_on = m->sats[k].n_running > 0 &&
                       fabs(found[i].offset_chips - m->sats[k].offset_chips) < DRIFT;
        uint8_t before = goes_on ? m->sats[k].n_running : 0;
        m->sats[k].signal = found[i].signal;
        m->sats[k].prn = found[i].prn;
        m->sats[k].offset_chips = found[i].offset_chips;
        m->sats[k].n_running =
                found[i].is_there ? (uint8_t)(before < 200 ? before + 1 : before) : 0;
        n_together += m->sats[k].n_running >= GN_PEAKS_TOGETHER;
        if (m->sats[k].n_running > most) {
            most = m->sats[k].n_running;
            best = (int)i;
        }
    }
    return most >= GN_PEAKS_ALONE || n_together >= 2 ? best : -1;
}
