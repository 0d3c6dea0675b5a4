/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Loops and detectors of a locked channel, one step each 20 ms.
 *
 *   unit     coherent sum: 1 code period until symbols are aligned, then one symbol (GPS 20 ms), E1
 * pilot 20 ms block    20 ms of units: phase from the sum of squared units (data-blind) or of the
 * pilot itself */
#include "plugins/track/channel.h"

#include <math.h>
#include <string.h>

#define TURN 6.283185307179586

#define FLL_BAND_HZ   2.0 /* beside the PLL after a loss of phase */
#define PULL_IN_S     0.3
#define WEAK_DBHZ     31.0 /* of the component tracked: half the PLL's band below */
#define DATA_AID_DBHZ 29.0
#define LOCK_TIME_S   0.2 /* memory of the lock metric */
#define LOCK_GOOD     0.6
#define LOCK_SLIP     0.3
#define LOCK_BAD      0.2
#define LOST_BAD_S    1.0
#define LOST_DBHZ     24.0
#define GONE_DBHZ     20.0
#define LOST_ANYWAY_S 5.0
#define POWER_TIME_S  1.0
#define FALSE_LOCK_HZ 12.0
#define SIDE_BLOCK_S  0.1
#define SIDE_COUNT    10

void ch_loops_reset(struct channel *ch)
{
    memset(&ch->unit, 0, sizeof ch->unit);
    memset(ch->half, 0, sizeof ch->half);
    ch->unit_data = (struct gn_cplx){0, 0};
    ch->n_unit = ch->n_block = 0;
    ch->sq_re = ch->sq_im = ch->dot = ch->energy = ch->energy_data = 0;
    ch->turn_re = ch->turn_im = 0;
}

static double squared(struct gn_cplx x)
{
    return (double)x.re * (double)x.re + (double)x.im * (double)x.im;
}

double ch_cn0_dbhz(const struct channel *ch)
{
    double power = ch->power + (ch->is_boc ? ch->power_data : 0);

    if (ch->n_power <= 0 || ch->noise <= 0)
        return (double)NAN;
    double ratio = power / (ch->noise * ch->period_s);
    return ratio > 10 ? 10 * log10(ratio) : 10;
}

double ch_lock_metric(const struct channel *ch)
{
    return ch->lock_all > 0 ? ch->lock_re / ch->lock_all : 0;
}

static uint32_t unit_periods(const struct channel *ch)
{
    if (!ch->is_aligned)
        return 1;
    return ch->is_boc ? (uint32_t)lrint(CH_BLOCK_S / ch->period_s) : ch->n_per_symbol;
}

static void add(struct gn_cplx *sum, struct gn_cplx x)
{
    sum->re += x.re;
    sum->im += x.im;
}

static void end_unit(struct channel *ch, uint32_t n_whole)
{
    struct taps *u = &ch->unit;
    double re = (double)u->prompt.re, im = (double)u->prompt.im;

    ch->energy += squared(u->prompt) / ch->n_unit - ch->noise; /* n_unit |A|^2 when coherent */
    ch->dot += ((double)(u->late.re - u->early.re) * re + (double)(u->late.im - u->early.im) * im) /
               ch->n_unit;
    ch->sq_re += re * re - im * im;
    ch->sq_im += 2 * re * im;
    if (ch->n_unit == n_whole && n_whole > 1) {
        double a_re = (double)ch->half[0].re, a_im = (double)ch->half[0].im;
        double b_re = (double)ch->half[1].re, b_im = (double)ch->half[1].im;
        ch->turn_re += b_re * a_re + b_im * a_im;
        ch->turn_im += b_im * a_re - b_re * a_im;
    }
    if (ch->is_boc) {
        ch->side_power[0] += squared(u->very_early);
        ch->side_power[1] += squared(u->prompt);
        ch->side_power[2] += squared(u->very_late);
    }
    memset(u, 0, sizeof *u);
    memset(ch->half, 0, sizeof ch->half);
    ch->unit_data = (struct gn_cplx){0, 0};
    ch->n_unit = 0;
}

/* Signal power of a code period from this block: unit sums grow with n, their energy over noise
 * with n^2. */
static void update_power(struct channel *ch, double t_s)
{
    double n_units = (double)ch->n_block / unit_periods(ch);
    double power = ch->energy / n_units / unit_periods(ch);

    ch->n_power = fmin(ch->n_power + 1, POWER_TIME_S / t_s);
    ch->power += (power - ch->power) / ch->n_power;
    ch->power_data += (ch->energy_data / ch->n_block - ch->noise - ch->power_data) / ch->n_power;
}

/* Frequency error in Hz, seen without knowing data: 0 when there is nothing to see */
static double frequency_error_hz(const struct channel *ch, double t_s)
{
    if (unit_periods(ch) > 1) {
        double apart_s = unit_periods(ch) * ch->period_s / 2;
        return gn_phase_turns(ch->turn_re, ch->turn_im) / apart_s;
    }
    double re = ch->sq_re * ch->sq_re_before + ch->sq_im * ch->sq_im_before;
    double im = ch->sq_im * ch->sq_re_before - ch->sq_re * ch->sq_im_before;
    return gn_phase_turns(re, im) / 2 / t_s;
}

static double phase_error_turns(const struct channel *ch, struct gn_cplx pilot)
{
    if (ch->is_boc && ch->is_aligned)
        return gn_phase_turns((double)pilot.re, (double)pilot.im);
    return gn_phase_turns(ch->sq_re, ch->sq_im) / 2;
}

static void step_carrier(struct channel *ch, struct gn_cplx pilot, double t_s)
{
    double component_dbhz = ch_cn0_dbhz(ch) - (ch->is_boc ? 3 : 0);
    double band_hz = component_dbhz < WEAK_DBHZ ? ch->pll_band_hz / 2 : ch->pll_band_hz;
    int wants_fll = ch->bad_lock_s > LOCK_TIME_S; /* pull-in left less than a hertz */

    gn_pll_step(&ch->pll, phase_error_turns(ch, pilot), wants_fll ? frequency_error_hz(ch, t_s) : 0,
            t_s, band_hz, wants_fll ? FLL_BAND_HZ : 0);
    ch->clock.carrier_hz = ch->pll.nco_hz;
    ch->sq_re_before = ch->sq_re;
    ch->sq_im_before = ch->sq_im;
}

static void step_code(struct channel *ch, double t_s)
{
    double signal = ch->power * unit_periods(ch) * ((double)ch->n_block / unit_periods(ch));
    double floor = ch->noise * ch->n_block * 0.1;
    double slope = ch->is_boc ? 6 : 2; /* of (late - early) / prompt, per chip */
    double band_hz = ch->tracked_s < 1 ? 2 : ch->tracked_s < 3 ? 1 : ch->dll_band_hz;
    double error = ch->dot / slope / (signal > floor ? signal : floor);

    error = fmax(-0.25, fmin(0.25, error));
    ch_shift_code(ch, 4 * band_hz * t_s * error);
}

static void watch_lock(struct channel *ch, const struct gn_host *h, double t_s)
{
    double forget = t_s / LOCK_TIME_S;
    double all = ch->energy * unit_periods(ch) + ch->noise * ch->n_block; /* sum of |unit|^2 */

    ch->lock_re += forget * (ch->sq_re - ch->lock_re);
    ch->lock_all += forget * (all - ch->lock_all);
    double metric = ch_lock_metric(ch);
    ch->bad_lock_s = fmax(0, ch->bad_lock_s + (metric < LOCK_BAD ? t_s : -2 * t_s));
    ch->gone_s = ch_cn0_dbhz(ch) >= GONE_DBHZ ? 0 : ch->gone_s + t_s;
    if (metric > LOCK_GOOD && ch->is_aligned)
        ch->has_carrier = 1;
    if (metric < LOCK_SLIP && ch->has_carrier) {
        ch->has_carrier = 0;
        ch->has_slipped = 1;
    }
    ch->lock_s = ch->has_carrier ? ch->lock_s + t_s : 0;
    int is_weak = !(ch_cn0_dbhz(ch) >= LOST_DBHZ);
    if ((ch->bad_lock_s > LOST_BAD_S && is_weak) || ch->bad_lock_s > LOST_ANYWAY_S ||
            ch->gone_s > LOST_BAD_S)
        ch_enter(ch, h, GN_TRACK_LOST);
}

/* A Costas loop with 20 ms sums also rests 25 Hz off; then the halves of a bit turn against each
 * other. */
static void watch_false_lock(struct channel *ch, double t_s)
{
    double apart_s = unit_periods(ch) * ch->period_s / 2;

    ch->false_re += ch->turn_re;
    ch->false_im += ch->turn_im;
    ch->false_all += hypot(ch->turn_re, ch->turn_im);
    ch->false_s += t_s;
    if (ch->false_s < 1)
        return;
    double hz = gn_phase_turns(ch->false_re, ch->false_im) / apart_s;
    if (fabs(hz) > FALSE_LOCK_HZ && hypot(ch->false_re, ch->false_im) > 0.6 * ch->false_all) {
        ch->pll.freq_hz += hz;
        ch->pll.rate_hzps = 0;
        ch->clock.carrier_hz = ch->pll.nco_hz = ch->pll.freq_hz;
        ch->has_slipped = 1;
        ch->has_carrier = 0;
    }
    ch->false_re = ch->false_im = ch->false_all = ch->false_s = 0;
}

/* Counts 100 ms windows in which a side peak beats the main one; ten net counts move the code by
 * half a chip. */
static void watch_side_peaks(struct channel *ch, double t_s)
{
    ch->side_s += t_s;
    if (ch->side_s < SIDE_BLOCK_S)
        return;
    for (int side = 0; side < 2; side++) {
        int is_higher = ch->side_power[2 * side] > ch->side_power[1];
        int32_t count = ch->side_count[side] + (is_higher ? 1 : -1);
        ch->side_count[side] = count > 0 ? count : 0;
        if (ch->side_count[side] >= SIDE_COUNT) {
            ch_shift_code(ch, side == 0 ? -0.5 : 0.5);
            ch->side_count[0] = ch->side_count[1] = 0;
            ch->tracked_s = 0; /* the code loop settles again */
        }
    }
    memset(ch->side_power, 0, sizeof ch->side_power);
    ch->side_s = 0;
}

static void end_block(struct channel *ch, const struct gn_host *h, struct gn_cplx pilot)
{
    double t_s = ch->n_block * ch->period_s;

    if (t_s > 0.4 * CH_BLOCK_S) { /* a stump after alignment or a gap is no step */
        update_power(ch, t_s);
        step_carrier(ch, pilot, t_s);
        step_code(ch, t_s);
        if (ch->phase == GN_TRACK_TRACKING) {
            ch->tracked_s += t_s;
            if (ch->is_aligned && unit_periods(ch) > 1)
                watch_false_lock(ch, t_s);
            if (ch->is_boc)
                watch_side_peaks(ch, t_s);
            watch_lock(ch, h, t_s);
        }
    }
    ch_loops_reset(ch);
}

void ch_loops_push(struct channel *ch, const struct gn_host *h, const struct taps *taps)
{
    uint32_t n_whole = unit_periods(ch), n_block = (uint32_t)lrint(CH_BLOCK_S / ch->period_s);
    struct taps *u = &ch->unit;
    uint64_t from0 = ch->period - (ch->is_aligned ? ch->symbol_period0 : 0);

    add(&u->prompt, taps->prompt);
    add(&u->early, taps->early);
    add(&u->late, taps->late);
    add(&u->very_early, taps->very_early);
    add(&u->very_late, taps->very_late);
    add(&ch->half[(ch->period - 1 - (ch->is_aligned ? ch->symbol_period0 : 0)) % n_whole >=
                  n_whole / 2],
            taps->prompt);
    ch->energy_data += squared(taps->data);
    ch->n_unit++;
    ch->n_block++;
    if (ch->is_boc) { /* twice the energy for the phase, as long as most signs are right */
        float sign = taps->data.re < 0 ? -1.0f : 1.0f;
        ch->unit_data.re += taps->data.re * sign;
        ch->unit_data.im += taps->data.im * sign;
    }
    struct gn_cplx pilot = u->prompt;
    if (ch_cn0_dbhz(ch) > DATA_AID_DBHZ)
        add(&pilot, ch->unit_data);
    if (from0 % n_whole == 0)
        end_unit(ch, n_whole);
    if (from0 % n_block == 0)
        end_block(ch, h, pilot);
}
