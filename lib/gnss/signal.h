/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Signals and physical constants. Sources: IS-GPS-200N (3.3.1.1, 20.3.4.3), Galileo OS SIS ICD 2.1. */
#ifndef GN_GNSS_SIGNAL_H
#define GN_GNSS_SIGNAL_H

#include <stdint.h>

/* Values are stored in messages and index the names in the event log. */
enum gn_signal {
    GN_SIG_NONE = 0,
    GN_SIG_GPS_L1CA = 1,
    GN_SIG_GAL_E1 = 2, /* E1B (data) and E1C (pilot) together */
    GN_SIG_SBAS_L1 = 3,
    GN_SIG_COUNT = 4,
};

struct gn_signal_info {
    const char *name;         /* as in the event log: "GPS_L1CA" */
    double chip_rate_cps;     /* 1.023e6 */
    uint32_t code_chips;      /* 1023, 4092 */
    double symbol_s;          /* 0.020 (GPS bit), 0.004 (E1B symbol), 0.002 (SBAS symbol) */
    uint32_t prn_min, prn_max;
};

extern const struct gn_signal_info gn_signal_table[GN_SIG_COUNT];
extern const char *const gn_signal_names[GN_SIG_COUNT]; /* for GN_F_ENUM; [0] is NULL */
extern const char *const gn_signal_choices[GN_SIG_COUNT]; /* for GN_P_SET: bit i is signal i + 1; NULL-ended */

#define GN_F_L1_HZ      1575.42e6
#define GN_C_MPS        299792458.0
#define GN_PI           3.1415926535898 /* the ICDs' value */
#define GN_MU_GPS       3.986005e14
#define GN_MU_GAL       3.986004418e14
#define GN_OMEGA_E_RPS  7.2921151467e-5
#define GN_F_REL_GPS    (-4.442807633e-10)
#define GN_F_REL_GAL    (-4.442807309e-10)
#define GN_WEEK_S       604800
#define GN_GST_WEEK_0   1024 /* GPS week of GST week 0 */

#endif
