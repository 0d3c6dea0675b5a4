/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Spreading codes as +1 / -1 chips (logic 0 is +1, logic 1 is -1).
 * Sources: IS-GPS-200N tables 3-Ia, 3-Ib (C/A, also the G2 delays of SBAS and QZSS of IS-QZSS-PNT);
 * Galileo OS SIS ICD 2.1 annex C (E1 memory codes) and table 19 (CS25). */
#ifndef GN_GNSS_CODES_H
#define GN_GNSS_CODES_H

#include "gnomon/status.h"

#include <stddef.h>
#include <stdint.h>

#define GN_CODE_CHIPS_MAX 4092
#define GN_CS25_CHIPS     25

enum gn_code_component {
    GN_CODE_DATA = 0,  /* C/A, E1-B */
    GN_CODE_PILOT = 1, /* E1-C primary code */
};

/* One period of a primary code into ret[n]. n must be the code's length (gn_signal_table: 1023 or 4092).
 * signal: enum gn_signal. GN_SIG_GPS_L1CA: PRN 1..32 and QZSS 193..202; GN_SIG_SBAS_L1: 120..158;
 * GN_SIG_GAL_E1: 1..50. Errors: GN_E_ARG, ret untouched. [any thread] */
GN_NODISCARD gn_status gn_code_chips(
        unsigned signal, unsigned component, unsigned prn, int8_t *ret, size_t n);

/* E1-C secondary code: one value for each period of the primary code, the same for all satellites. */
extern const int8_t gn_code_cs25[GN_CS25_CHIPS];

#endif
