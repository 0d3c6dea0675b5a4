/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* doppler_refinement: oscillator fixed; frequency and phase from 100 ms and more of prompts (E1:
 * with the place in the secondary code)   code_refinement: taps fitted   confirmation: 8 of 10
 * powers above noise tracking: loops; GPS bits aligned when one start stands out; prompts kept
 * until then become symbols */
#include "plugins/track/channel.h"

#include "lib/gnss/codes.h"
#include "lib/track/pullin.h"
#include "lib/track/symbols.h"

#include <math.h>
#include <string.h>

#define Q32             4294967296.0
#define NOISE_TIME_S    2.0
#define REFINE_STEP_S   0.1
#define REFINE_WINDOW_S 0.4
#define REFINE_MAX_S    0.8
#define CODE_S          0.040
#define CODE_BOC_S      0.1
#define CONFIRM_BLOCKS  10u
#define CONFIRM_NEED    8u
#define BITS_SIGMAS     5.0
#define BITS_WATCH_S    5.0
#define BITS_NEVER_S    20.0

/* What a pull-in score must reach by the time it took (noise alone: 1 in 10^4) */
#define SCORE_EARLY 26.0
#define SCORE_LAST  16.5

static double squared(struct gn_cplx x)
{
    return (double)x.re * (double)x.re + (double)x.im * (double)x.im;
}

void ch_enter(struct channel *ch, const struct gn_host *h, uint8_t phase)
{
    ch->phase = phase;
    ch->phase_period = ch->period;
    memset(ch->fit, 0, sizeof ch->fit);
    if (phase == GN_TRACK_LOST)
        ch_flush_symbols(ch, h);
    ch_report_state(ch, h);
    if (phase == GN_TRACK_LOST)
        ch->phase = GN_TRACK_IDLE;
}

static double in_phase_s(const struct channel *ch)
{
    return (double)(ch->period - ch->phase_period) * ch->period_s;
}

static void update_noise(struct channel *ch, struct gn_cplx noise)
{
    ch->n_noise = fmin(ch->n_noise + 1, NOISE_TIME_S / ch->period_s);
    ch->noise += (squared(noise) - ch->noise) / ch->n_noise;
}

static void keep_prompt(struct channel *ch, const struct taps *taps)
{
    if (ch->n_prompts == CH_PROMPTS_MAX) {
        uint32_t drop = CH_PROMPTS_MAX / 4, left = CH_PROMPTS_MAX - drop;
        memmove(ch->prompt_buf, ch->prompt_buf + drop, left * sizeof ch->prompt_buf[0]);
        memmove(ch->data_buf, ch->data_buf + drop, left * sizeof ch->data_buf[0]);
        ch->prompt_first += drop;
        ch->n_prompts = left;
    }
    ch->prompt_buf[ch->n_prompts] = taps->prompt;
    ch->data_buf[ch->n_prompts] = taps->data;
    ch->n_prompts++;
}

static float secondary_at(const struct channel *ch, uint64_t period)
{
    return -(float)gn_code_cs25[(period + ch->secondary) %
                                GN_CS25_CHIPS]; /* the pilot enters with a minus */
}

static void scale(struct gn_cplx *x, float by)
{
    x->re *= by;
    x->im *= by;
}

/* ---- Doppler refinement ---- */

/* From here on the oscillator has the frequency and phase found, and the prompts look as if it
 * always had. */
static void apply_pullin(struct channel *ch, const struct gn_pullin *found)
{
    uint32_t n = ch->n_prompts;
    double t_s = ch->period_s, turns = found->phase_turns + found->freq_hz * t_s * (n - 0.5);

    gn_pullin_derotate(ch->prompt_buf, n, t_s, found->freq_hz, found->phase_turns);
    gn_pullin_derotate(ch->data_buf, n, t_s, found->freq_hz, found->phase_turns);
    ch->clock.turns_q32 += llround(turns * Q32);
    ch_shift_code(ch, -found->freq_hz / GN_F_L1_HZ * 1.023e6 * n * t_s);
    ch->pll = (struct gn_pll){.freq_hz = ch->clock.carrier_hz + found->freq_hz};
    ch->pll.nco_hz = ch->clock.carrier_hz = ch->pll.freq_hz;
}

static int try_pilot(struct channel *ch, double need)
{
    struct gn_pullin found = gn_pullin_pilot(
            ch->prompt_buf, ch->n_prompts, ch->period_s, gn_code_cs25, GN_CS25_CHIPS);

    if (found.score < need || found.score < 2 * found.second)
        return 0;
    found.phase_turns += 0.5; /* minus sign of the pilot */
    ch->secondary = found.lag;
    ch->is_aligned = 1;
    apply_pullin(ch, &found);
    for (uint32_t k = 0; k < ch->n_prompts; k++)
        scale(&ch->prompt_buf[k], secondary_at(ch, k));
    return 1;
}

static int try_squared(struct channel *ch, double need)
{
    uint32_t n_window = (uint32_t)lrint(REFINE_WINDOW_S / ch->period_s);
    uint32_t skip = ch->n_prompts > n_window ? ch->n_prompts - n_window : 0;
    struct gn_pullin found =
            gn_pullin_squared(ch->prompt_buf + skip, ch->n_prompts - skip, ch->period_s);

    if (found.score < need)
        return 0;
    found.phase_turns -= found.freq_hz * ch->period_s * skip;
    apply_pullin(ch, &found);
    gn_bitsync_init(&ch->bits, ch->n_per_symbol);
    for (uint32_t k = 0; k < ch->n_prompts; k++)
        gn_bitsync_push(&ch->bits, ch->prompt_buf[k]);
    return 1;
}

static void refine_doppler(struct channel *ch, const struct gn_host *h, const struct taps *taps)
{
    uint32_t n_step = (uint32_t)lrint(REFINE_STEP_S / ch->period_s),
             n_last = (uint32_t)lrint(REFINE_MAX_S / ch->period_s);

    keep_prompt(ch, taps);
    if (ch->n_prompts % n_step != 0)
        return;
    int is_last = ch->n_prompts >= n_last;
    double need = ch->n_prompts * ch->period_s >= REFINE_WINDOW_S || ch->is_boc ? SCORE_LAST
                                                                                : SCORE_EARLY;
    if (ch->is_boc ? try_pilot(ch, need) : try_squared(ch, need)) {
        ch_loops_reset(ch);
        ch_enter(ch, h, GN_TRACK_CODE_REFINEMENT);
    } else if (is_last) {
        ch_enter(ch, h, GN_TRACK_LOST);
    }
}

/* ---- code refinement ---- */

static double along(struct gn_cplx x, struct gn_cplx axis)
{
    return (double)x.re * (double)axis.re + (double)x.im * (double)axis.im;
}

/* The pilot was locked upside down, on a side peak */
static void flip_carrier(struct channel *ch)
{
    ch->clock.turns_q32 += 1ll << 31;
    for (uint32_t k = 0; k < ch->n_prompts; k++) {
        scale(&ch->prompt_buf[k], -1);
        scale(&ch->data_buf[k], -1);
    }
}

static void refine_code(struct channel *ch, const struct gn_host *h, const struct taps *taps)
{
    static const double tau_boc[5] = {-0.5, -0.25, 0, 0.25, 0.5}, tau_bpsk[3] = {-0.5, 0, 0.5};
    double delay;
    int sign;

    if (ch->is_boc) {
        ch->fit[0] += (double)taps->very_early.re;
        ch->fit[1] += (double)taps->early.re;
        ch->fit[2] += (double)taps->prompt.re;
        ch->fit[3] += (double)taps->late.re;
        ch->fit[4] += (double)taps->very_late.re;
    } else {
        /* noise common to a tap and the axis: half of it half a chip away, none a chip away */
        ch->fit[0] += along(taps->early, taps->prompt) - 0.5 * ch->noise;
        ch->fit[1] += squared(taps->prompt) - ch->noise;
        ch->fit[2] += along(taps->late, taps->prompt) - 0.5 * ch->noise;
    }
    if (in_phase_s(ch) < (ch->is_boc ? CODE_BOC_S : CODE_S) - 1e-6)
        return;
    delay = ch->is_boc ? gn_code_fit(1, tau_boc, ch->fit, 5, 0.75, &sign)
                       : gn_code_fit(0, tau_bpsk, ch->fit, 3, 0.6, &sign);
    if (ch->is_boc && sign < 0)
        flip_carrier(ch);
    ch_shift_code(ch, delay);
    ch_loops_reset(ch);
    ch->n_power = 0;
    ch->confirm_power = 0;
    ch->confirm_sum = (struct gn_cplx){0, 0};
    ch->n_confirmed = ch->n_confirm_blocks = 0;
    ch_enter(ch, h, GN_TRACK_CONFIRMATION);
}

/* ---- confirmation ---- */

static void start_symbols(
        struct channel *ch, const struct gn_host *h, uint32_t skip, uint32_t n_per);

static void confirm(struct channel *ch, const struct gn_host *h, const struct taps *taps)
{
    uint32_t n_per = ch->is_boc ? 3 : 10;
    double need = ch->is_boc ? 2.0 : 1.35; /* times noise: noise alone passes 1 block in 7 */

    ch->confirm_power += squared(taps->prompt);
    ch->confirm_sum.re += taps->prompt.re;
    ch->confirm_sum.im += taps->prompt.im;
    if ((ch->period - ch->phase_period) % n_per != 0)
        return;
    double power =
            ch->is_boc ? squared(ch->confirm_sum) : ch->confirm_power; /* data may turn the sign */
    ch->n_confirmed += power > need * n_per * ch->noise;
    ch->confirm_power = 0;
    ch->confirm_sum = (struct gn_cplx){0, 0};
    if (++ch->n_confirm_blocks < CONFIRM_BLOCKS)
        return;
    if (ch->n_confirmed < CONFIRM_NEED) {
        ch_enter(ch, h, GN_TRACK_LOST);
        return;
    }
    ch_enter(ch, h, GN_TRACK_TRACKING);
    if (ch->is_boc)
        start_symbols(ch, h, ch->n_prompts % 5, 5);
}

/* ---- symbols ---- */

static double soft_scale(const struct channel *ch)
{
    return 1 / sqrt(ch->n_per_symbol * ch->noise / 2 + 1e-30);
}

/* The prompts kept become symbols; n_per of them steer the carrier together, the oldest `skip` are
 * left out. */
static void start_symbols(
        struct channel *ch, const struct gn_host *h, uint32_t skip, uint32_t n_per)
{
    struct gn_cplx *prompt = ch->prompt_buf + skip, *data = ch->data_buf + skip;
    uint32_t n_blocks = (ch->n_prompts - skip) / n_per,
             n_symbols = n_blocks * n_per / ch->n_per_symbol;

    ch->symbol_period0 = ch->prompt_first + skip;
    gn_symbols_settle(prompt, data, n_blocks, n_per, !ch->is_boc);
    for (uint32_t i = 0; i < n_symbols; i++) {
        double sum = 0;
        for (uint32_t k = 0; k < ch->n_per_symbol; k++)
            sum += (double)(ch->is_boc ? data : prompt)[i * ch->n_per_symbol + k].re;
        ch_push_symbol(ch, h, i, sum * soft_scale(ch));
    }
    ch->symbol_sum = (struct gn_cplx){0, 0};
    for (uint32_t k = skip + n_blocks * n_per; k < ch->n_prompts; k++) {
        ch->symbol_sum.re += ch->prompt_buf[k].re;
        ch->symbol_sum.im += ch->prompt_buf[k].im;
    }
    ch->n_prompts = 0;
}

static void align_bits(struct channel *ch, const struct gn_host *h)
{
    int start = gn_bitsync_phase(&ch->bits, ch->noise, BITS_SIGMAS);
    uint32_t n = ch->n_per_symbol;

    if (start < 0) {
        if (in_phase_s(ch) > BITS_NEVER_S)
            ch_enter(ch, h, GN_TRACK_LOST);
        return;
    }
    uint32_t skip = (uint32_t)(((uint32_t)start + n - ch->prompt_first % n) % n);
    ch->is_aligned = 1;
    ch_loops_reset(ch);
    start_symbols(ch, h, skip, n);
}

/* A better start later on means the first answer was wrong: give up, the satellite is assigned
 * anew. */
static void watch_bits(struct channel *ch, const struct gn_host *h)
{
    int start = gn_bitsync_phase(&ch->bits, ch->noise, BITS_SIGMAS);

    if (start >= 0 && (uint32_t)start != ch->symbol_period0 % ch->n_per_symbol)
        ch_enter(ch, h, GN_TRACK_LOST);
}

static void use_symbol(struct channel *ch, const struct gn_host *h, const struct taps *taps)
{
    uint64_t from0 = ch->period - ch->symbol_period0;

    ch->symbol_sum.re += taps->data.re;
    if (from0 % ch->n_per_symbol != 0)
        return;
    ch_push_symbol(ch, h, from0 / ch->n_per_symbol - 1, (double)ch->symbol_sum.re * soft_scale(ch));
    ch->symbol_sum = (struct gn_cplx){0, 0};
}

static void track(struct channel *ch, const struct gn_host *h, const struct taps *taps)
{
    int is_block_end = (ch->period - ch->phase_period) % 20 == 0;

    if (ch->is_aligned)
        use_symbol(ch, h, taps);
    if (ch->is_boc)
        return;
    if (!ch->is_aligned || in_phase_s(ch) < BITS_WATCH_S) {
        gn_bitsync_push(&ch->bits, taps->prompt);
        if (is_block_end && !ch->is_aligned)
            align_bits(ch, h);
        else if (is_block_end)
            watch_bits(ch, h);
    }
}

/* ---- */

void ch_use_taps(struct channel *ch, const struct gn_host *h, struct taps taps)
{
    update_noise(ch, taps.noise);
    if (ch->phase == GN_TRACK_DOPPLER_REFINEMENT) {
        refine_doppler(ch, h, &taps);
        return;
    }
    if (ch->is_boc) {
        float sign = secondary_at(ch, ch->period - 1);
        scale(&taps.prompt, sign);
        scale(&taps.early, sign);
        scale(&taps.late, sign);
        scale(&taps.very_early, sign);
        scale(&taps.very_late, sign);
    }
    if (!(ch->is_aligned && ch->phase == GN_TRACK_TRACKING))
        keep_prompt(ch, &taps);
    if (!ch->is_aligned && ch->phase != GN_TRACK_TRACKING)
        gn_bitsync_push(&ch->bits, taps.prompt);
    ch_loops_push(ch, h, &taps);
    if (ch->phase == GN_TRACK_CODE_REFINEMENT)
        refine_code(ch, h, &taps);
    else if (ch->phase == GN_TRACK_CONFIRMATION)
        confirm(ch, h, &taps);
    else if (ch->phase == GN_TRACK_TRACKING)
        track(ch, h, &taps);
}

/* n code periods were lost (ch->period already counts them): coast. Before alignment the row of
 * prompts must have no hole, so it is filled with nothing. */
void ch_skip_periods(struct channel *ch, const struct gn_host *h, uint64_t n)
{
    const struct taps none = {0};

    ch_loops_reset(ch);
    ch->symbol_sum = (struct gn_cplx){0, 0};
    ch->has_slipped = 1;
    if (ch->phase == GN_TRACK_TRACKING && ch->is_aligned) {
        ch_flush_symbols(ch, h);
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        keep_prompt(ch, &none);
        if (!ch->is_boc && ch->phase != GN_TRACK_DOPPLER_REFINEMENT)
            gn_bitsync_push(&ch->bits, none.prompt);
    }
}
