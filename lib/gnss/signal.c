/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/gnss/signal.h"

#include <stddef.h>

const struct gn_signal_info gn_signal_table[GN_SIG_COUNT] = {
        [GN_SIG_GPS_L1CA] = {"GPS_L1CA", 1.023e6, 1023, 0.020, 1, 32},
        [GN_SIG_GAL_E1] = {"GAL_E1", 1.023e6, 4092, 0.004, 1, 36},
        [GN_SIG_SBAS_L1] = {"SBAS_L1", 1.023e6, 1023, 0.002, 120, 158},
};

const char *const gn_signal_names[GN_SIG_COUNT] = {NULL, "GPS_L1CA", "GAL_E1", "SBAS_L1"};

const char *const gn_signal_choices[GN_SIG_COUNT] = {"GPS_L1CA", "GAL_E1", "SBAS_L1", NULL};
