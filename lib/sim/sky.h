/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The baseband signal of a sky as one antenna at rest hears it: GPS L1 C/A, and Galileo E1-B with
 * E1-C (BOC(1,1)), without ionosphere and troposphere, plus noise.
 *
 * Sample n is taken at true time T(n) = start + n / (rate (1 + clock_ppm 1e-6)). A satellite then
 * shows t_sv(n) = T - travel + satellite clock - group delay, and everything follows from it:
 * chips 1.023e6 t_sv, carrier cycles 1575.42e6 (t_sv - start - n / rate). Code and carrier are thus
 * coherent and Doppler, Sagnac, clocks and relativity come by themselves. The output depends on
 * seed and index only, in whole tiles of GN_SIM_TILE samples. */
#ifndef GN_SIM_SKY_H
#define GN_SIM_SKY_H

#include "gnomon/status.h"
#include "lib/osnma/generate.h"
#include "lib/sim/constellation.h"
#include "lib/sim/message.h"
#include "lib/sim/noise.h"

#include <stdbool.h>
#include <stdint.h>

#define GN_SIM_TILE     2048U
#define GN_SIM_SUBCHIPS 8184U /* E1: half-chips of a period */
#define GN_SIM_RATE_MIN 2.1e6
#define GN_SIM_RATE_MAX 100e6

struct gn_sim_scene {
    double ecef_m[3];
    struct gn_sim_time start; /* of sample 0 */
    double rate_sps;
    double clock_ppm;     /* receiver oscillator fast by so much: sampling and mixing alike */
    double cn0_dbhz;      /* of each satellite; Galileo: E1-B and E1-C together */
    double fade_cn0_dbhz; /* from fade_at_s on; not a number: no fade */
    double fade_at_s;
    double mask_rad; /* satellites must be higher than this */
    double level;    /* rms of the noise in output steps, per component */
    double noise;    /* 1; 0: none */
    uint64_t seed;
    uint32_t n_gps, n_galileo; /* at most GN_SIM_SATS_MAX each */
    double seconds_s;          /* length of the OSNMA chain */
    uint64_t osnma_seed;       /* of its keys */
    bool has_osnma;            /* Galileo pages are signed by a TEST chain */
};

struct gn_sim_channel {
    struct gn_sim_message message;
    double subchip_rate;         /* 1.023e6 or 2.046e6 */
    uint32_t n_subchips;         /* in a code period */
    uint32_t periods_per_symbol; /* 20, 1 */
    double phase_turns;          /* of the carrier at sample 0, from the seed */
    int64_t i_second;            /* the stretch poly[] is good for */
    double poly[4];              /* t_sv - start - t, s, over x = t - i_second in 0..1 */
    /* E1: [0] B - C, [1] B + C (times the subcarrier), over sqrt 2; GPS: [0] only. Divided by
     * amplitude. */
    float code[2][GN_SIM_SUBCHIPS];
};

struct gn_sim_sky {
    struct gn_sim_scene scene;
    uint32_t n_channels;
    struct gn_sim_channel channels[2 * GN_SIM_SATS_MAX];
    struct gn_osnma_gen *gen; /* owned, NULL without OSNMA */
    struct gn_osnma_gen_sat signers[GN_SIM_SATS_MAX];
    uint32_t n_signers;
    struct gn_noise noise;
    float re[GN_SIM_TILE], im[GN_SIM_TILE]; /* scratch of a tile */
    float chips[GN_SIM_TILE];
};

/* Pick satellites, at most as many as asked for and above the mask, and make tables. About 2 MB in
 * *sky. GN_E_ARG: a value is out of range. [control] */
GN_NODISCARD gn_status gn_sim_sky_init(
        struct gn_sim_sky *sky, const struct gn_sim_scene *scene, struct gn_error *err);

/* Give back what init made; a zeroed sky is fine. The sky itself must not move in between.
 * [control] */
void gn_sim_sky_done(struct gn_sim_sky *sky);

/* Tile i (samples i GN_SIM_TILE ...) as ci8. Tiles may be made in any order. [stream] */
void gn_sim_sky_tile(struct gn_sim_sky *sky, uint64_t i_tile, int8_t ret[2 * GN_SIM_TILE]);

/* Truth for tests: t_sv - start of channel i at sample n, seconds. [stream] */
double gn_sim_sky_signal_time_s(struct gn_sim_sky *sky, uint32_t i, double n);

#endif
