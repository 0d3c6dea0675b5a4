/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The pages that tell of the other satellites: LNAV sub-frames 4 and 5, I/NAV words 7 to 10.
 * Sources: IS-GPS-200N 20.3.3.5.1.2 to 20.3.3.5.1.4, table 20-VI, figure 20-1; Galileo OS SIS ICD 2.1
 * tables 46 to 49 and 5.1.10. */
#ifndef GN_SIM_ALMANAC_H
#define GN_SIM_ALMANAC_H

#include "lib/nav/inav.h"
#include "lib/nav/lnav.h"

#include <stdbool.h>
#include <stdint.h>

#define GN_SIM_ALMANAC_SATS 36U

struct gn_sim_almanac {
    struct gn_ephemeris gps[GN_SIM_ALMANAC_SATS], galileo[GN_SIM_ALMANAC_SATS]; /* [prn - 1] */
    bool has_gps[GN_SIM_ALMANAC_SATS], has_galileo[GN_SIM_ALMANAC_SATS];
    int32_t week; /* of the time of applicability */
    double toa_s; /* a multiple of 4096 s; for Galileo the multiple of 600 s before it */
};

/* Words 3 to 10 of a sub-frame 4 or 5 whose head is there; page 1..25. False: that page holds no
 * almanac, data is untouched. Satellites that are not there are dummies. [any thread] */
bool gn_sim_lnav_almanac(const struct gn_sim_almanac *a, unsigned id, unsigned page,
        uint8_t data[GN_LNAV_DATA_BYTES]);

/* Word type 7 to 10 of the three satellites 3 i_triple + 1 ..; of word 10 the GGTO bits stay as they
 * are. [any thread] */
void gn_sim_inav_almanac(const struct gn_sim_almanac *a, unsigned type, unsigned i_triple,
        uint8_t word[GN_INAV_WORD_BYTES]);

#endif
