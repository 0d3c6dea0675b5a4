/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Symbols out of prompts that were received before the loops had settled: once the alignment is
 * known, the carrier is followed backwards from the youngest prompt, where the loop is locked, to
 * the oldest. */
#ifndef GN_TRACK_SYMBOLS_H
#define GN_TRACK_SYMBOLS_H

#include "lib/corr/phasor.h"

#include <stdint.h>

/* Turn the prompts of n_blocks blocks of n_per prompts so that the carrier lies on the real axis.
 * prompt[n_blocks * n_per] steers (pilot wiped of its code, or data when is_data: then the sign is
 * open), data[] is turned along (NULL: none). Residual carrier up to a few hertz per block time. */
void gn_symbols_settle(struct gn_cplx *prompt, struct gn_cplx *data, uint32_t n_blocks,
        uint32_t n_per, int is_data);

#endif
