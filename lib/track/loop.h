/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Carrier loop and code error. Sources: Kaplan, Hegarty, "Understanding GPS/GNSS", 3rd edition,
 * chapter 8 (loop filters: third-order PLL with a second-order FLL beside it; dot-product
 * discriminator). */
#ifndef GN_TRACK_LOOP_H
#define GN_TRACK_LOOP_H

#include "lib/corr/phasor.h"

struct gn_pll {
    double freq_hz;   /* estimate of the carrier */
    double rate_hzps; /* and of its slope */
    double nco_hz;    /* what the oscillator shall do until the next step */
};

/* One step after an integration of t_s: phase error (turns), frequency error (Hz), noise bandwidths
 * (Hz; 0: off). Keep bandwidth times t_s at or below 0.3. */
void gn_pll_step(struct gn_pll *pll, double phase_turns, double freq_error_hz, double t_s,
        double pll_band_hz, double fll_band_hz);

/* Phase of a sum in turns: within half a turn; and within a quarter, blind to the sign (Costas). */
double gn_phase_turns(double re, double im);
double gn_phase_costas_turns(double re, double im);

/* Delay (chips, positive: the signal is later than the replica) that best explains n taps at
 * offsets tau_chips[n] (positive: late), taps real after carrier wipe-off but for their common
 * sign; searched within +-limit_chips. Maximum likelihood: the noise of neighbouring taps is
 * correlated like the taps themselves. n <= 5. *sign: -1 when the taps fit upside down (a carrier
 * locked on a negative side peak), else 1. */
double gn_code_fit(int is_boc, const double *tau_chips, const double *tap, unsigned n,
        double limit_chips, int *sign);

#endif
