/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* One code period -> taps, on grids of half-chip bins:
 *
 *   BPSK   one grid      E P L at -1/2 0 +1/2 chip
 *   BOC    first grid    VE P VL at -1/2 0 +1/2 chip, data, noise
 *          second grid   E L at -1/4 +1/4 chip: starts a quarter chip earlier
 *
 * Periods follow the code, so a grid always holds the whole code and no bin is cut. */
#include "plugins/track/channel.h"

#include "lib/corr/oracle.h"

#include <math.h>

#define Q32 4294967296.0

double ch_chip_ticks(const struct channel *ch)
{
    return ch->rate_sps / (1.023e6 * (1 + ch->clock.carrier_hz / GN_F_L1_HZ));
}

uint64_t ch_period_q32(const struct channel *ch)
{
    uint64_t n_bins = ch->data.n_bins;
    uint64_t bin_q32 = (uint64_t)llround(ch_chip_ticks(ch) / 2 * Q32);
    return n_bins * bin_q32; /* whole bins: grid and clock agree to the last bit */
}

void ch_advance(struct channel *ch)
{
    struct clockwork *c = &ch->clock;
    uint64_t period_q32 = ch_period_q32(ch),
             frac = (uint64_t)c->code_frac_q32 + (uint32_t)period_q32;

    c->turns_q32 += llround(c->carrier_hz * (double)period_q32 / ch->rate_sps);
    c->code_tick += (period_q32 >> 32) + (frac >> 32);
    c->code_frac_q32 = (uint32_t)frac;
    ch->period++;
}

void ch_shift_code(struct channel *ch, double chips)
{
    double ticks = chips * ch_chip_ticks(ch);
    int64_t shift_q32 = llround(ticks * Q32),
            frac = (int64_t)ch->clock.code_frac_q32 + (shift_q32 & 0xffffffff);

    ch->clock.code_tick =
            (uint64_t)((int64_t)ch->clock.code_tick + (shift_q32 >> 32) + (frac >> 32));
    ch->clock.code_frac_q32 = (uint32_t)frac;
}

struct input {
    const void *iq;
    uint64_t index;
    uint32_t n;
};

static void run_grid(struct channel *ch, const struct input *in, const struct gn_corr_grid *grid,
        uint64_t base, struct gn_cplx *tap)
{
    const char *iq = (const char *)in->iq + (base - in->index) * (ch->format == GN_FMT_CI8 ? 2 : 4);

    if (ch->correlator == CORR_VOLK) {
        gn_corr_volk_run(ch->volk, iq, ch->format, grid, tap);
    } else if (ch->correlator == CORR_PLAIN) {
        gn_corr_oracle_run(iq, ch->format, GN_EDGES_SHARED, grid, tap);
    } else {
        uint64_t end = base + ((grid->start_q32 + grid->n_bins * grid->step_q32) >> 32) + 2;
        uint32_t offset = gn_sum_cover(ch->sum, ch->kernel, in->iq, in->index, in->n, base, end);
        gn_corr_grid_run(ch->kernel, ch->sum, offset, grid, tap);
    }
}

static void correlate_boc(struct channel *ch, const struct input *in, struct gn_corr_grid *grid,
        uint64_t base, struct taps *taps)
{
    struct gn_cplx t[GN_CORR_TAPS_MAX];

    grid->n_taps = 5;
    grid->code[0] = gn_replica_at(&ch->pilot, 0);
    grid->code[1] = gn_replica_at(&ch->pilot, 1);
    grid->code[2] = gn_replica_at(&ch->pilot, -1);
    grid->code[3] = gn_replica_at(&ch->data, 0);
    grid->code[4] = gn_replica_at(&ch->pilot, -(int32_t)ch->pilot.noise_lag);
    run_grid(ch, in, grid, base, t);
    *taps = (struct taps){
            .prompt = t[0], .very_early = t[1], .very_late = t[2], .data = t[3], .noise = t[4]};
    grid->start_q32 -= grid->step_q32 / 2;
    grid->phase_q32 -= (uint32_t)(grid->phase_step_q32 / 2);
    grid->n_taps = 2;
    grid->code[1] = gn_replica_at(&ch->pilot, -1);
    run_grid(ch, in, grid, base, t);
    taps->early = t[0];
    taps->late = t[1];
}

static void correlate_bpsk(struct channel *ch, const struct input *in, struct gn_corr_grid *grid,
        uint64_t base, struct taps *taps)
{
    struct gn_cplx t[GN_CORR_TAPS_MAX];

    grid->n_taps = 4;
    grid->code[0] = gn_replica_at(&ch->data, 0);
    grid->code[1] = gn_replica_at(&ch->data, 1);
    grid->code[2] = gn_replica_at(&ch->data, -1);
    grid->code[3] = gn_replica_at(&ch->data, -(int32_t)ch->data.noise_lag);
    run_grid(ch, in, grid, base, t);
    *taps = (struct taps){.prompt = t[0], .early = t[1], .late = t[2], .data = t[0], .noise = t[3]};
}

void ch_correlate(struct channel *ch, const void *iq, uint64_t index, uint32_t n, struct taps *taps)
{
    const struct clockwork *c = &ch->clock;
    uint32_t lead = (uint32_t)ch_chip_ticks(ch) + 1; /* room for the grid that starts earlier */
    uint64_t base = c->code_tick - lead;
    struct input in = {iq, index, n};
    struct gn_corr_grid grid = {.n_bins = ch->data.n_bins};

    grid.step_q32 = ch_period_q32(ch) / grid.n_bins;
    grid.start_q32 = ((uint64_t)lead << 32) + c->code_frac_q32 + (1ull << 31);
    double turns_step = c->carrier_hz * (double)grid.step_q32 / ch->rate_sps; /* in 2^-32 turns */
    grid.phase_step_q32 = (int32_t)llround(turns_step);
    grid.phase_q32 = (uint32_t)((uint64_t)c->turns_q32 + (uint64_t)llround(turns_step / 2));
    if (ch->is_boc)
        correlate_boc(ch, &in, &grid, base, taps);
    else
        correlate_bpsk(ch, &in, &grid, base, taps);
}
