/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* From the antenna to numbers: low-pass filter, mixing up for a real output, gain held by the level
 * (AGC) and the converter's steps.
 *
 *   bits 0: rounding to steps of 1, `level` being the noise's rms
 *   bits b: values -(2^b - 1), ..., -1, +1, ..., 2^b - 1 (1 to 4 bits: odd numbers, as packed files
 *           have them) or rounded to -2^(b-1) + 1 .. 2^(b-1) - 1, at the gain with least distortion */
#ifndef GN_SIM_CONVERT_H
#define GN_SIM_CONVERT_H

#include "lib/sim/sky.h"

/* Check and prepare; called by gn_sim_sky_init. [control] */
GN_NODISCARD gn_status gn_sim_convert_init(struct gn_sim_sky *sky, struct gn_error *err);

#endif
