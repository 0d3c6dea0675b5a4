/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The state of track.channel, shared by its files:
 *   channel.c    block: ports, parameters, assignment, spans, gaps
 *   correlate.c  one code period of samples -> taps
 *   life.c       what the taps mean: the states from Doppler refinement to loss
 *   loops.c      carrier and code loops, detectors
 *   report.c     messages out */
#ifndef GN_TRACK_CHANNEL_H
#define GN_TRACK_CHANNEL_H

#include "gnomon/block.h"
#include "lib/corr/grid.h"
#include "lib/corr/sum.h"
#include "lib/corr/volkcorr.h"
#include "lib/gnss/signal.h"
#include "lib/msg/track.h"
#include "lib/track/bitsync.h"
#include "lib/track/loop.h"
#include "lib/track/replica.h"

#include <stdint.h>

#define CH_PROMPTS_MAX  2000u /* code periods kept until symbols are aligned */
#define CH_SYMBOLS_MAX  512u  /* symbols waiting to be sent */
#define CH_BLOCK_S      0.020 /* a step of the loops */
#define CH_MARGIN_CHIPS 1.0   /* samples wanted around an integration */

enum { PORT_IQ, PORT_ASSIGN, PORT_STATE, PORT_SYMBOLS, PORT_OBSERVATIONS };
enum { CORR_AUTO, CORR_SUM, CORR_VOLK, CORR_PLAIN };
enum { STAGE_DOPPLER, STAGE_CODE, STAGE_CONFIRM, STAGE_TRACK, STAGE_IDLE };

/* Complex taps of one code period */
struct taps {
    struct gn_cplx prompt;                /* pilot of E1, wiped of its sign; data of the others */
    struct gn_cplx early, late;           /* half a chip (BPSK), a quarter (BOC) */
    struct gn_cplx very_early, very_late; /* BOC: half a chip, where the side peaks are */
    struct gn_cplx data;                  /* E1-B */
    struct gn_cplx noise;
};

/* Where code and carrier are, exact; t = code_tick + code_frac_q32 / 2^32 is the start of the next
 * code period. */
struct clockwork {
    uint64_t code_tick;
    uint32_t code_frac_q32;
    int64_t turns_q32; /* carrier turns since the life began, at t */
    double carrier_hz; /* of the coming period */
};

struct channel {
    /* parameters */
    int32_t correlator;
    double pll_band_hz, dll_band_hz;

    /* settled at plan and start */
    uint32_t format;
    double rate_sps;
    const struct gn_corr_kernel *kernel;
    struct gn_sum *sum;           /* shared by the group */
    struct gn_volk_scratch *volk; /* shared by the group */
    uint64_t chunk; /* ticks a call works through, so that channels stay together in the sum */

    uint32_t i_channel;
    uint32_t life;                 /* counts assignments */
    struct gn_replica data, pilot; /* pilot: E1 only */

    /* all from here on starts from zero with a life */
    uint8_t signal, prn, phase, is_boc;
    uint32_t n_per_symbol; /* code periods in a symbol */
    double period_s;

    struct clockwork clock;
    struct gn_pll pll;
    uint64_t period;       /* code periods since the life began */
    uint64_t phase_period; /* and when the present state began */
    double noise;          /* mean |noise|^2 of a prompt */
    double n_noise;        /* weight of that mean so far */

    /* before alignment: prompts in the frame of the oscillator, first is period prompt_first */
    uint32_t n_prompts;
    uint64_t prompt_first;
    struct gn_cplx prompt_buf[CH_PROMPTS_MAX], data_buf[CH_PROMPTS_MAX];
    struct gn_bitsync bits;
    uint8_t is_aligned;      /* bits or secondary code known */
    uint32_t secondary;      /* E1: place in CS25 of period 0 */
    uint64_t symbol_period0; /* period in which symbol 0 began */

    /* refinement and confirmation */
    double fit[5]; /* sums of taps turned onto the real axis */
    double confirm_power;
    struct gn_cplx confirm_sum;
    uint32_t n_confirmed, n_confirm_blocks;

    /* A unit is summed coherently: a code period before alignment, then a symbol (E1: 20 ms of
     * pilot). A block of 20 ms of units makes one step of the loops. */
    struct taps unit;
    struct gn_cplx half[2]; /* halves of a unit: frequency without data */
    uint32_t n_unit;
    struct gn_cplx unit_data;  /* E1: data symbols of the unit, signs taken off */
    struct gn_cplx symbol_sum; /* data symbol under way */
    double sq_re, sq_im;       /* sum of squared prompts of the block's units */
    double sq_re_before, sq_im_before;
    double dot, energy, energy_data;
    double turn_re, turn_im; /* second half against first half */
    uint32_t n_block;        /* periods in the block */

    /* detectors */
    double power, power_data;             /* mean |prompt|^2 of a code period, less noise */
    double n_power;                       /* weight of these means */
    double lock_re, lock_all;             /* I^2 - Q^2 and I^2 + Q^2 over 200 ms */
    double false_re, false_im, false_all; /* turning over a second */
    double false_s;
    double gone_s, bad_lock_s, lock_s, tracked_s;
    double side_power[3];
    double side_s;
    int32_t side_count[2];
    uint8_t has_slipped;
    uint8_t has_carrier;

    /* symbols out */
    float soft[CH_SYMBOLS_MAX];
    uint64_t soft_first;
    uint32_t n_soft;
    uint64_t obs_k; /* next observation: tick k * rate / 10 */
};

/* correlate.c. Taps of the code period at clock; iq[n] starts at tick index and holds it with
 * margin. */
void ch_correlate(
        struct channel *ch, const void *iq, uint64_t index, uint32_t n, struct taps *taps);
double ch_chip_ticks(const struct channel *ch);
uint64_t ch_period_q32(const struct channel *ch);     /* ticks of the coming code period */
void ch_advance(struct channel *ch);                  /* clock to the next code period */
void ch_shift_code(struct channel *ch, double chips); /* positive: later */

/* life.c: states and alignment */
void ch_use_taps(struct channel *ch, const struct gn_host *h, struct taps taps);
void ch_skip_periods(struct channel *ch, const struct gn_host *h, uint64_t n); /* lost samples */
void ch_enter(struct channel *ch, const struct gn_host *h, uint8_t phase);
double ch_cn0_dbhz(const struct channel *ch);    /* E1: data and pilot together; NaN: unknown */
double ch_lock_metric(const struct channel *ch); /* cos 2 phi */

/* loops.c: what happens at the end of a unit and of a block */
void ch_loops_reset(struct channel *ch);
void ch_loops_push(struct channel *ch, const struct gn_host *h, const struct taps *taps);

/* report.c */
void ch_report_state(struct channel *ch, const struct gn_host *h);
void ch_push_symbol(struct channel *ch, const struct gn_host *h, uint64_t number, double soft);
void ch_flush_symbols(struct channel *ch, const struct gn_host *h);
void ch_observe(
        struct channel *ch, const struct gn_host *h); /* ticks inside the coming code period */

#endif
