/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Broadcast orbit and clock of one satellite, in ICD units turned into SI (radians, metres,
 * seconds). Sources: IS-GPS-200N tables 20-I, 20-III; Galileo OS SIS ICD 2.1 section 5.1. */
#ifndef GN_NAV_EPHEMERIS_H
#define GN_NAV_EPHEMERIS_H

#include <stdint.h>

#define GN_EPH_CED_BYTES 69 /* 549 bits of ADKD 0 */

enum gn_eph_source {
    GN_EPH_SRC_NONE = 0,
    GN_EPH_SRC_LNAV = 1,
    GN_EPH_SRC_INAV = 2,     /* words 1 to 5 as sent */
    GN_EPH_SRC_INAV_RS = 3,  /* at least one word recovered by Reed-Solomon (words 17 to 20) */
    GN_EPH_SRC_INAV_RED = 4, /* reduced CED, word 16: orbit good to metres only */
    GN_EPH_SRC_RINEX = 5,
};

struct gn_ephemeris {
    uint8_t signal; /* enum gn_signal */
    uint8_t prn;
    uint8_t source;            /* enum gn_eph_source */
    uint8_t fit_interval_flag; /* GPS */
    uint8_t health;            /* 0 = usable; GPS: the 6 bits; Galileo: HS << 1 | DVS of E1-B */
    uint8_t ura_sisa;          /* GPS URA index, Galileo SISA index; 255 = no prediction */
    uint8_t alert;             /* GPS HOW alert flag */
    uint8_t has_ced;           /* ced[] holds the bits OSNMA covers */
    uint16_t iode, iodc;       /* Galileo: IODnav in both */
    int32_t week; /* full GPS week of toe (Galileo: GST week + 1024); -1: week era unknown */
    int32_t week_toc;
    double toe_s, toc_s; /* seconds of week */
    double t_tx_s;       /* seconds of week when the last piece was sent */
    double sqrt_a, e, i0_rad, idot_rps, omega0_rad, omegadot_rps, omega_rad, m0_rad, delta_n_rps;
    double cuc_rad, cus_rad, crc_m, crs_m, cic_rad, cis_rad;
    double af0_s, af1, af2;        /* s, s/s, s/s^2 */
    double tgd_s;                  /* GPS TGD; Galileo BGD(E1,E5b) */
    double bgd_e5a_s;              /* Galileo BGD(E1,E5a) */
    uint8_t ced[GN_EPH_CED_BYTES]; /* Galileo: the 549 bits of ADKD 0, most significant first,
                                      zero-padded */
    uint8_t reserved[3];
};

#endif
